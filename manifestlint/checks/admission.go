package checks

import (
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const ruleAdmissionPolicy = "admissionpolicy"

// builtInReads are the kinds that built-in admission plugins read before
// policies check an object.
var builtInReads = []string{"IngressClass", "LimitRange", "PriorityClass", "RuntimeClass", "ServiceAccount", "StorageClass"}

// isPolicyKind reports whether a kind is an admission policy or a binding.
func isPolicyKind(kind string) bool { return slices.Contains(policyKinds(), kind) }

// FurtherKinds returns the additional kinds of context objects that bound
// admission policies need: the kinds of their parameters, and the kinds that
// built-in plugins read. It returns nil if no policy is bound.
func FurtherKinds(context []objectcontext.Object) []string {
	bound := map[string]bool{} // policies that a binding names, by kind and name
	for i := range context {
		if kindPrefix, ok := strings.CutSuffix(context[i].Kind, "AdmissionPolicyBinding"); ok {
			bound[kindPrefix+"AdmissionPolicy "+context[i].Body().At("spec", "policyName").StringOr("")] = true
		}
	}
	var kinds []string
	for i := range context {
		o := &context[i]
		if !bound[o.Kind+" "+o.Name] {
			continue
		}
		if kinds == nil {
			kinds = slices.Clone(builtInReads)
		}
		kind := o.Body().At("spec", "paramKind", "kind").StringOr("")
		if kind != "" && !slices.Contains(ContextKinds(), kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// admission has the admission policies of a set. A nil *admission has no
// policies.
type admission struct {
	// objects are the policies and the objects that policies read.
	objects []*wire.Value
	// ambiguous has the kinds and names that several different policies or
	// bindings have. These policies and bindings are not evaluated.
	ambiguous []string
	user      *policy.User
	// clusters caches the policies in the form that the servers of a target
	// evaluate. It maps a clusterKey to a func() *answer.Admission.
	clusters sync.Map
}

type clusterKey struct {
	target lifecycle.Target
	minor  lifecycle.Minor
}

// newAdmission returns the admission policies among context objects; nil for
// none. If several different objects have one name, for instance for several
// clusters, it leaves out all of them, because it is unknown which one the
// cluster has.
func newAdmission(context []objectcontext.Object) *admission {
	if !slices.ContainsFunc(context, func(o objectcontext.Object) bool { return isPolicyKind(o.Kind) || hasConditions(&o) }) {
		return nil
	}
	a := &admission{}
	type identity struct{ group, kind, namespace, name string }
	first := map[identity]*objectcontext.Object{}
	unclear := map[identity]bool{}
	var order []identity
	for i := range context {
		o := &context[i]
		group, _, _ := strings.Cut(o.APIVersion, "/")
		id := identity{group, o.Kind, o.Namespace, o.Name}
		switch known := first[id]; {
		case known == nil:
			first[id] = o
			order = append(order, id)
		case !known.SameBody(o) && o.Kind != definitionKind:
			unclear[id] = true
		}
	}
	for _, id := range order {
		if !unclear[id] {
			a.objects = append(a.objects, first[id].Body())
		} else if isPolicyKind(id.kind) {
			a.ambiguous = append(a.ambiguous, id.kind+" "+id.name)
		}
	}
	return a
}

// hasConditions reports whether an object is a webhook configuration with match
// conditions.
func hasConditions(o *objectcontext.Object) bool {
	return strings.HasSuffix(o.Kind, "WebhookConfiguration") &&
		slices.ContainsFunc(o.Body().Get("webhooks").Elements(), func(h *wire.Value) bool { return len(h.Get("matchConditions").Elements()) > 0 })
}

// UnclearPolicies returns the kinds and names of the policies and bindings that
// are not evaluated because several different objects have their name.
func (s *Set) UnclearPolicies() []string {
	if s == nil || s.admission == nil {
		return nil
	}
	return s.admission.ambiguous
}

// forServer returns the policies in the form that the target's server of one
// minor evaluates.
func (a *admission) forServer(t lifecycle.Target, m lifecycle.Minor) *answer.Admission {
	if a == nil {
		return nil
	}
	cached, ok := a.clusters.Load(clusterKey{t, m})
	if !ok {
		cached, _ = a.clusters.LoadOrStore(clusterKey{t, m}, sync.OnceValue(func() *answer.Admission {
			s := serverOf(t, m)
			return &answer.Admission{
				Policies: policy.NewCluster(s, policy.Options{Serves: func(api lifecycle.API) bool { return api.State(m, t) == lifecycle.Served }}, a.objects),
				Around:   admitted.NewAround(s, a.objects),
				User:     a.user,
			}
		}))
	}
	return cached.(func() *answer.Admission)()
}

// WithUser sets the user who sends the objects to the server, and returns s. By
// default, or for a user without a name, the user is unknown. Call it before
// the set is used.
func (s *Set) WithUser(u *policy.User) *Set {
	if s.admission != nil {
		s.admission.user = u
	}
	return s
}

// admissionOf returns the policies that the target's server of one minor
// evaluates; nil for none.
func (s *Set) admissionOf(t lifecycle.Target, m lifecycle.Minor) *answer.Admission {
	if s == nil {
		return nil
	}
	return s.admission.forServer(t, m)
}
