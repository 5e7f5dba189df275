package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// curatedSuccessors is the only hand-written knowledge in the tables: what
// took the place of an API where neither its release's replacement nor a
// later version of the same kind in the same group says it. The empty kind
// says that nothing did.
var curatedSuccessors = map[gvk]gvk{
	// The groups of the first years: their kinds moved when the groups for
	// them came. Their methods say so since 1.19, but some types were gone by
	// then.
	{"extensions", "v1beta1", "Ingress"}: {"networking.k8s.io", "v1", "Ingress"},

	// networking.k8s.io/v1beta1 types name the kind of the list by mistake
	// (the tag was copied); the server repeats it in its warning.
	{"networking.k8s.io", "v1beta1", "IngressClass"}: {"networking.k8s.io", "v1", "IngressClass"},

	// PodSecurityPolicy went away in 1.25 in favour of Pod Security admission,
	// which is configured by labels of namespaces: there is no such object.
	{"extensions", "v1beta1", "PodSecurityPolicy"}: {},
	{"policy", "v1beta1", "PodSecurityPolicy"}:     {},

	// Dynamic resource allocation's classes became device classes when it was
	// redesigned for 1.31.
	{"resource.k8s.io", "v1alpha1", "ResourceClass"}: {"resource.k8s.io", "v1", "DeviceClass"},
	{"resource.k8s.io", "v1alpha2", "ResourceClass"}: {"resource.k8s.io", "v1", "DeviceClass"},

	// Kinds of the first years that were renamed or moved; they have no
	// methods that would say so.
	{"apps", "v1alpha1", "PetSet"}:                                                     {"apps", "v1", "StatefulSet"},
	{"batch", "v2alpha1", "ScheduledJob"}:                                              {"batch", "v1", "CronJob"},
	{"extensions", "v1beta1", "HorizontalPodAutoscaler"}:                               {"autoscaling", "v2", "HorizontalPodAutoscaler"},
	{"extensions", "v1beta1", "Job"}:                                                   {"batch", "v1", "Job"},
	{"extensions", "v1beta1", "ThirdPartyResource"}:                                    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
	{"admissionregistration.k8s.io", "v1alpha1", "ExternalAdmissionHookConfiguration"}: {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"},

	// The server still takes this body at pods/eviction, and policy/v1 is the
	// kind of that path since 1.22.
	{"policy", "v1beta1", "Eviction"}: {"policy", "v1", "Eviction"},
}

// findSuccessors determines the replacement of each API at the newest minor. It is the
// curated one, or the end of the chain of replacements if the newest minor has it.
// Otherwise it is the most stable version of the kind in its group, unless that is the
// API itself.
func (b *builder) findSuccessors(t *table) error {
	used := map[gvk]bool{}
	for _, a := range t.apis {
		if to, ok := curatedSuccessors[a.gvk]; ok {
			used[a.gvk] = true
			if to != (gvk{}) && b.apis[to] == nil {
				return fmt.Errorf("successor %s of %s is not in the table", to, a.gvk)
			}
			a.successor = to
			continue
		}
		if to := b.endOfChain(a); to != nil && to != a && b.alive(to, t.newest) {
			a.successor = to.gvk
			continue
		}
		a.successor = b.best(t, a)
	}
	for k := range curatedSuccessors {
		if !used[k] {
			return fmt.Errorf("curated successor of %s, which is not in the table", k)
		}
	}
	return nil
}

// endOfChain follows replacements, each as the newest release that has the
// type names it.
func (b *builder) endOfChain(a *api) *api {
	for range 8 { // longer than any chain; ends cycles
		n := len(a.history)
		if n == 0 {
			break
		}
		next := b.apis[a.history[n-1].replacement]
		if next == nil { // none, or one that never was: apps/v1 DeploymentRollback
			break
		}
		a = next
	}
	return a
}

// alive reports whether a minor can serve an API.
func (b *builder) alive(a *api, minor int) bool {
	if a.class == "List" {
		a = b.apis[a.item]
	}
	return a.servable.has(minor)
}

// onByDefault reports whether a minor has an API on by default.
func (b *builder) onByDefault(a *api, minor int) bool {
	if a.class == "List" {
		a = b.apis[a.item]
	}
	return a.enabled.has(minor)
}

// best finds a better version of a kind that the newest minor has: more
// stable or higher, and on by default unless the API itself is gone or off.
func (b *builder) best(t *table, a *api) gvk {
	if n := len(a.history); b.alive(a, t.newest) && isStable(a.Version) && (n == 0 || a.history[n-1].deprecated == 0) {
		return gvk{} // autoscaling/v1 is no worse for autoscaling/v2
	}
	var best *api
	for _, o := range t.apis {
		if o == a || o.Group != a.Group || o.Kind != a.Kind || !b.alive(o, t.newest) {
			continue
		}
		if compareVersions(o.Version, a.Version) <= 0 || b.onByDefault(a, t.newest) && !b.onByDefault(o, t.newest) {
			continue
		}
		if best == nil || compareVersions(o.Version, best.Version) > 0 {
			best = o
		}
	}
	if best == nil {
		return gvk{}
	}
	return best.gvk
}

var versionPattern = regexp.MustCompile(`^v(\d+)(?:(alpha|beta)(\d+))?$`)

func isStable(version string) bool {
	m := versionPattern.FindStringSubmatch(version)
	return m != nil && m[2] == ""
}

// compareVersions orders versions as Kubernetes prefers them, see
// CompareKubeAwareVersionStrings in k8s.io/apimachinery/pkg/version.
func compareVersions(a, b string) int {
	parse := func(v string) (n [3]int) {
		m := versionPattern.FindStringSubmatch(v)
		if m == nil {
			return n
		}
		n[0] = map[string]int{"alpha": 1, "beta": 2, "": 3}[m[2]]
		n[1], _ = strconv.Atoi(m[1])
		n[2], _ = strconv.Atoi(m[3])
		return n
	}
	x, y := parse(a), parse(b)
	return cmp.Or(slices.Compare(x[:], y[:]))
}
