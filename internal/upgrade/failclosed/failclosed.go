// Package failclosed finds webhooks that fail closed: while their backend is down, for
// example because its node is drained, the server refuses requests that the cluster
// itself needs. The package also finds aggregated APIs that do not answer.
package failclosed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/labels"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	hooks    []hook
	facts    []upgrade.Fact
	// namespaces has the labels of all namespaces so far, by name.
	namespaces map[string]map[string]string
	// undecided is the number of webhooks that could not be checked because of their
	// matchConditions.
	undecided int
}

// New returns a check.
func New(way upgrade.Upgrade) *Check {
	return &Check{versions: way, namespaces: map[string]map[string]string{}}
}

type hook struct {
	fact     upgrade.Fact
	selector labels.Selector
	// backendNamespace is the namespace of the webhook's service; "" for none.
	backendNamespace string
	blocked          []vitalResource
}

// vitalResource is a resource that a cluster must be able to write. Without these writes,
// a node does not become ready again.
type vitalResource struct {
	group, resource, namespace string
	text                       string
}

// vitalResources has the system's pods and the resources that kubelets write.
var vitalResources = []vitalResource{
	{"", "pods", "kube-system", "pods in kube-system"},
	{"", "nodes", "", "nodes"},
	{"coordination.k8s.io", "leases", "kube-node-lease", "the leases by which nodes stay ready"},
}

const (
	reference = "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/"
	maxKept   = 100_000
)

// See stores the labels of namespaces, and the webhooks that block vital resources. It
// adds a fact for an aggregated API that does not answer.
func (c *Check) See(o *seen.Object) {
	group, version, _ := strings.Cut(o.Ref.APIVersion, "/")
	switch {
	case len(c.hooks)+len(c.facts)+len(c.namespaces) >= maxKept:
	case o.Ref.APIVersion == "v1" && o.Ref.Kind == "Namespace":
		c.namespaces[o.Ref.Name] = labels.Of(o.Root.At("metadata", "labels"))
	case group == "admissionregistration.k8s.io" && strings.HasSuffix(o.Ref.Kind, "WebhookConfiguration"):
		for _, w := range o.Root.Get("webhooks").Elements() {
			c.webhook(o, w, version)
		}
	case group == "apiregistration.k8s.io" && o.Ref.Kind == "APIService" && o.Live:
		c.aggregatedAPI(o)
	}
}

// webhook stores a webhook if it fails closed and its rules match a vital resource.
func (c *Check) webhook(o *seen.Object, w *wire.Value, version string) {
	policy := w.Get("failurePolicy")
	name := policy.StringOr("Fail")
	if version == "v1beta1" {
		name = policy.StringOr("Ignore")
	}
	object := labels.Selector{}
	if v := w.Get("objectSelector"); v != nil {
		object = labels.Read(v)
	}
	if name != "Fail" || !object.Selects(nil) {
		return // vital resources do not have the labels that the webhook selects
	}
	h := hook{backendNamespace: strings.Clone(w.At("clientConfig", "service", "namespace").StringOr(""))}
	if v := w.Get("namespaceSelector"); v != nil {
		h.selector = labels.Read(v)
	}
	for _, v := range vitalResources {
		if slices.ContainsFunc(w.Get("rules").Elements(), v.matches) {
			h.blocked = append(h.blocked, v)
		}
	}
	if len(h.blocked) == 0 {
		return
	}
	if len(w.Get("matchConditions").Elements()) > 0 {
		c.undecided++
		return
	}
	at := w
	if policy != nil {
		at = policy
	}
	h.fact = o.Fact("webhook", "webhook "+w.Get("name").StringOr("")+" of "+o.Ref.Name, at.Pos)
	c.hooks = append(c.hooks, h)
}

// matches reports whether a webhook's rule matches writes of the resource.
func (v vitalResource) matches(rule *wire.Value) bool {
	has := func(field string, names ...string) bool {
		return slices.ContainsFunc(rule.Get(field).Strings(), func(s string) bool { return slices.Contains(names, s) })
	}
	scope := rule.Get("scope").StringOr("*")
	if scope == "Cluster" && v.namespace != "" || scope == "Namespaced" && v.namespace == "" {
		return false
	}
	return has("apiGroups", "*", v.group) && has("apiVersions", "*", "v1") && has("resources", "*", "*/*", v.resource) && has("operations", "*", "CREATE", "UPDATE")
}

// aggregatedAPI adds a fact for an APIService whose backend is not available.
func (c *Check) aggregatedAPI(o *seen.Object) {
	if o.Root.At("spec", "service").IsNull() {
		return
	}
	for _, condition := range o.Root.At("status", "conditions").Elements() {
		if condition.Get("type").StringOr("") != "Available" || condition.Get("status").StringOr("") != "False" {
			continue
		}
		f := o.Fact("webhook", "APIService "+o.Ref.Name, condition.Pos)
		f.Text = fmt.Sprintf("the API does not answer (%s): deletions of namespaces wait, and tools that read all APIs fail", condition.Get("reason").StringOr("unknown"))
		f.Replacement = "Repair the backend, or delete the APIService, before the upgrade."
		f.Reference = "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/"
		f.Severity, f.Always = rules.Warning, true
		c.facts = append(c.facts, f)
	}
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact {
	for i := range c.hooks {
		h := &c.hooks[i]
		var stops []string
		for _, v := range h.blocked {
			if v.namespace == "" || h.selector.Selects(c.labels(v.namespace)) {
				stops = append(stops, v.text)
			}
		}
		if len(stops) == 0 {
			continue
		}
		f := h.fact
		// The first step of the upgrade already drains nodes.
		f.Severity, f.Always, f.Reference, f.Planned = rules.Warning, true, reference, (c.versions.From + 1).String()
		f.Text = "while its backend is down, as during a drain, the server refuses " + strings.Join(stops, " and ")
		if h.backendNamespace != "" && h.selector.Selects(c.labels(h.backendNamespace)) && slices.ContainsFunc(h.blocked, func(v vitalResource) bool { return v.resource == "pods" }) {
			f.Text += "; it also stops the pods of its own backend"
		}
		f.Replacement = "Exclude kube-system and the backend's namespace by namespaceSelector, and take nodes and leases out of the rules. With failurePolicy: Ignore, nothing is checked while the backend is down."
		c.facts = append(c.facts, f)
	}
	return c.facts
}

// labels returns the labels of a namespace, with the label that the server adds to every
// namespace.
func (c *Check) labels(namespace string) map[string]string {
	all := map[string]string{"kubernetes.io/metadata.name": namespace}
	for k, v := range c.namespaces[namespace] {
		all[k] = v
	}
	return all
}

// Gaps returns a note about webhooks that could not be checked.
func (c *Check) Gaps() []string {
	if c.undecided == 0 {
		return nil
	}
	return []string{report.Count(c.undecided, "webhook") + " that may stop pods of the system or nodes, depending on matchConditions, not checked"}
}
