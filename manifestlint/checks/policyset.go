package checks

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/apiserver/policydefinition"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const admissionGroup = "admissionregistration.k8s.io"

// The kinds of admission policies and their bindings.
const (
	validatingPolicy  = "ValidatingAdmissionPolicy"
	mutatingPolicy    = "MutatingAdmissionPolicy"
	validatingBinding = "ValidatingAdmissionPolicyBinding"
	mutatingBinding   = "MutatingAdmissionPolicyBinding"
)

func policyKinds() []string {
	return []string{mutatingPolicy, mutatingBinding, validatingPolicy, validatingBinding}
}

// policies are the admission policies and the bindings of a set.
type policies struct {
	// specs has the specs of policies by kind and name. A repository can contain
	// several policies with one name.
	specs map[policyName][]*wire.Value
	// boundPolicies has the policies that a binding names.
	boundPolicies map[policyName]bool
	// bindings has, for each kind of policy, the folders with a binding for
	// this kind.
	bindings map[kindInFolder]bool
	// resources caches the resources of servers, which are expensive to compute.
	resources *sync.Map // serverKey to *policydefinition.Resources
}

type policyName struct{ kind, name string }

type kindInFolder struct{ kind, folder string }

type serverKey struct {
	target lifecycle.Target
	minor  lifecycle.Minor
}

// newPolicies collects the policies and bindings among the context objects.
func newPolicies(context []objectcontext.Object) policies {
	p := policies{
		specs: map[policyName][]*wire.Value{}, boundPolicies: map[policyName]bool{}, bindings: map[kindInFolder]bool{},
		resources: new(sync.Map),
	}
	for i := range context {
		o := &context[i]
		if !slices.Contains(policyKinds(), o.Kind) || !strings.HasPrefix(o.APIVersion, admissionGroup+"/") {
			continue
		}
		spec := o.Body().Get("spec")
		if kind, ok := strings.CutSuffix(o.Kind, "Binding"); ok {
			p.boundPolicies[policyName{kind, spec.Get("policyName").StringOr("")}] = true
			p.bindings[kindInFolder{kind, path.Dir(o.Input)}] = true
			continue
		}
		name := policyName{o.Kind, o.Name}
		p.specs[name] = append(p.specs[name], spec)
	}
	return p
}

// PolicyResources returns the resources that the target's server of minor m
// serves, including the custom resources of the set.
func (s *Set) PolicyResources(t lifecycle.Target, m lifecycle.Minor) *policydefinition.Resources {
	if s == nil {
		return policydefinition.NewResources(t, m, nil)
	}
	key := serverKey{t, m}
	if r, ok := s.policies.resources.Load(key); ok {
		return r.(*policydefinition.Resources)
	}
	r, _ := s.policies.resources.LoadOrStore(key, policydefinition.NewResources(t, m, s.customVersions))
	return r.(*policydefinition.Resources)
}

// customVersions returns the versions of custom resources that the set's
// definitions of a group serve.
func (s *Set) customVersions(group string) (all []policydefinition.Custom) {
	seen := map[string]bool{}
	for _, o := range s.definitions.groups[group] {
		d := s.Definition(group, o.Defines)
		if d == nil || seen[d.Kind] {
			continue
		}
		seen[d.Kind] = true
		names := d.At.At("spec", "names")
		for i := range d.Versions {
			v := &d.Versions[i]
			if !v.Served {
				continue
			}
			schema := v.At.At("schema", "openAPIV3Schema")
			if schema.IsNull() {
				schema = d.At.At("spec", "validation", "openAPIV3Schema")
			}
			all = append(all, policydefinition.Custom{
				Group: group, Version: v.Name, Kind: d.Kind, Schema: schema,
				Plural: cmp.Or(d.Plural, likelyPlural(d.Kind)), Singular: names.Get("singular").StringOr(""),
			})
		}
	}
	return all
}
