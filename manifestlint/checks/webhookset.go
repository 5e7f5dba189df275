package checks

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/webhook"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// webhooks has the webhooks of a set that refuse dry runs, by the server's
// minor.
type webhooks struct {
	byMinor map[lifecycle.Minor]*webhook.Hooks
	// withConditions has the minors in which a webhook has match conditions.
	withConditions lifecycle.Minors
}

// newWebhooks collects the webhook configurations among the context objects.
func newWebhooks(context []objectcontext.Object) webhooks {
	type configuration struct{ current, stored *webhook.Configuration }
	var all []configuration
	var texts webhook.Texts
	for i := range context {
		o := &context[i]
		if !strings.HasSuffix(o.Kind, "WebhookConfiguration") {
			continue
		}
		if c := webhook.Read(o.APIVersion, o.Kind, o.Body()); c != nil {
			c.Strip(&texts) // release the body, which takes much more memory than the webhooks
			stored := (*webhook.Configuration)(nil)
			if o.Old != nil {
				if stored = webhook.Read(o.APIVersion, o.Kind, o.Old); stored != nil {
					stored.Strip(&texts)
				}
			}
			all = append(all, configuration{c, stored})
		}
	}
	var w webhooks
	var before []*webhook.Configuration
	for m := lifecycle.Minor(lifecycle.Oldest); len(all) > 0 && m <= lifecycle.Newest; m++ {
		var existing []*webhook.Configuration
		for _, c := range all {
			if c.current.Exists(apiserver.Server{Minor: m}, c.stored) {
				existing = append(existing, c.current)
			}
		}
		hooks := w.byMinor[m-1]
		if m == lifecycle.Oldest || !slices.Equal(existing, before) {
			hooks = webhook.NewHooks(existing)
		}
		before = existing
		if hooks.BlockDryRun() {
			if w.byMinor == nil {
				w.byMinor = map[lifecycle.Minor]*webhook.Hooks{}
			}
			w.byMinor[m] = hooks
			if hooks.Conditional() {
				w.withConditions = w.withConditions.With(m)
			}
		}
	}
	return w
}

// DryRunRefusal returns the error with which a webhook of the set refuses a dry
// run of an object. It returns nil if no webhook refuses it, or if the result
// depends on objects that are not in the set. It assumes that the server
// accepts the object before it calls the webhooks.
func (s *Set) DryRunRefusal(t lifecycle.Target, m lifecycle.Minor, o *manifestlint.Object) *webhook.Refusal {
	if s == nil || s.webhooks.byMinor[m] == nil {
		return nil
	}
	server := serverOf(t, m)
	request := apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old}
	cluster := webhook.Cluster{
		Namespaces: func(name string) []map[string]string { return s.namespaces[name] },
		Custom: func(group, kind string) (webhook.Resource, bool) {
			d := s.Definition(group, kind)
			if d == nil || d.Plural == "" {
				return webhook.Resource{}, false
			}
			return webhook.Resource{Plural: d.Plural, Namespaced: d.Namespaced, Served: d.Served()}, true
		},
		Serves: func(a lifecycle.API) bool { return a.State(m, t) == lifecycle.Served },
	}
	object := webhook.NewObject(server, request, cluster)
	if with := s.admissionOf(t, m); with != nil && s.webhooks.withConditions.Has(m) {
		if attributes, ok := s.attributes(with, server, request, o); ok {
			object.Evaluate(with.Policies, attributes)
		}
	}
	return s.webhooks.byMinor[m].DryRun(object)
}

// attributes returns the properties of a request that webhooks can match.
func (s *Set) attributes(with *answer.Admission, server apiserver.Server, r apiserver.Request, o *manifestlint.Object) (policy.Attributes, bool) {
	if o.Known {
		return with.Attributes(server, r, o.API.Namespaced())
	}
	group, _ := customresource.SplitGroupVersion(o.APIVersion)
	d := s.Definition(group, o.Kind)
	if d == nil {
		return policy.Attributes{}, false
	}
	seen, ok := customresource.Admitted(server, d, r)
	if !ok {
		return policy.Attributes{}, false
	}
	return with.Attributes(server, seen, d.Namespaced)
}

// anyWebhooks reports whether a webhook of the set refuses dry runs in any
// minor.
func (s *Set) anyWebhooks() bool { return s != nil && s.webhooks.byMinor != nil }
