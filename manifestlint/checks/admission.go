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

// builtInReads are the kinds that built-in plugins read before policies see an
// object.
var builtInReads = []string{"IngressClass", "LimitRange", "PriorityClass", "RuntimeClass", "ServiceAccount", "StorageClass"}

// isPolicyKind reports whether a kind is that of a policy or a binding.
func isPolicyKind(kind string) bool { return slices.Contains(policyKinds(), kind) }

// FurtherKinds returns the kinds of objects that the policies among context
// objects read, apart from kinds that are collected anyway: those of their
// parameters and those that built-in plugins read. It is empty without a policy that
// is bound.
func FurtherKinds(context []objectcontext.Object) []string {
	bound := map[string]bool{} // kinds and names of policies
	for i := range context {
		if of, ok := strings.CutSuffix(context[i].Kind, "AdmissionPolicyBinding"); ok {
			bound[of+"AdmissionPolicy "+context[i].Body().At("spec", "policyName").StringOr("")] = true
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

// admission is what a set knows of a cluster's admission policies. A nil
// *admission has none.
type admission struct {
	// objects are the policies and the objects that they read.
	objects []*wire.Value
	// unclear names the policies and bindings that are left out because several
	// objects have their name.
	unclear []string
	user    *policy.User
	// clusters has the policies as the servers of a target evaluate them: a
	// clusterKey to a func() *answer.Admission.
	clusters sync.Map
}

type clusterKey struct {
	target lifecycle.Target
	minor  lifecycle.Minor
}

// newAdmission returns what context objects say of admission. Several objects of
// one identity, as for several clusters, leave it unknown which of them a cluster
// has, so they are left out.
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
			a.unclear = append(a.unclear, id.kind+" "+id.name)
		}
	}
	return a
}

// hasConditions reports whether an object configures webhooks with match conditions.
func hasConditions(o *objectcontext.Object) bool {
	return strings.HasSuffix(o.Kind, "WebhookConfiguration") &&
		slices.ContainsFunc(o.Body().Get("webhooks").Elements(), func(h *wire.Value) bool { return len(h.Get("matchConditions").Elements()) > 0 })
}

// UnclearPolicies returns the kinds and names of the policies and bindings that are
// not evaluated because several different objects have their name.
func (s *Set) UnclearPolicies() []string {
	if s == nil || s.admission == nil {
		return nil
	}
	return s.admission.unclear
}

// of returns the admission of a target's server.
func (a *admission) of(t lifecycle.Target, m lifecycle.Minor) *answer.Admission {
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

// WithUser makes the set check objects for a user, and returns it. Without it the user
// is unknown. Call it before the set is used. A user without a name counts as unknown.
func (s *Set) WithUser(u *policy.User) *Set {
	if s.admission != nil {
		s.admission.user = u
	}
	return s
}

// admissionOf returns the admission of a target's server; nil without policies.
func (s *Set) admissionOf(t lifecycle.Target, m lifecycle.Minor) *answer.Admission {
	if s == nil {
		return nil
	}
	return s.admission.of(t, m)
}
