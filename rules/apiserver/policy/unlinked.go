//go:build js

package policy

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// In a browser, policies are not evaluated. The admission plugins would link
// clients and servers, and double the size of the WebAssembly program.

// notLinked is the reason why outcomes are unknown in a browser.
const notLinked = "admission policies are not evaluated in a browser"

// Cluster has the names of a cluster's policies.
type Cluster struct {
	server apiserver.Server
	serves func(lifecycle.API) bool
	// validating and mutating are the policies that have a binding.
	validating, mutating []Unknown
}

// NewCluster returns a cluster with the policies among objects.
func NewCluster(s apiserver.Server, o Options, objects []*wire.Value) *Cluster {
	c := &Cluster{server: s, serves: o.Serves}
	if c.serves == nil {
		c.serves = func(api lifecycle.API) bool { return api.State(s.Minor, lifecycle.Target{}) == lifecycle.Served }
	}
	var validating, mutating source
	for _, obj := range objects {
		apiVersion, kind := obj.Get("apiVersion").StringOr(""), obj.Get("kind").StringOr("")
		if g, _ := schema.ParseGroupVersion(apiVersion); g.Group != group {
			continue
		}
		switch kind {
		case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding":
			validating.add(c, apiVersion, kind, obj)
		case "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
			mutating.add(c, apiVersion, kind, obj)
		}
	}
	c.validating, c.mutating = validating.unknown(false), mutating.unknown(true)
	return c
}

// unknown returns an Unknown for each policy that has a binding, sorted by name.
func (s *source) unknown(mutates bool) (all []Unknown) {
	bound := map[string]string{}
	for _, obj := range sorted(s.bindings) {
		bound[obj.At("spec", "policyName").StringOr("")] = obj.At("metadata", "name").StringOr("")
	}
	for _, obj := range sorted(s.policies) {
		name := obj.At("metadata", "name").StringOr("")
		if binding, ok := bound[name]; ok {
			all = append(all, Unknown{Policy: name, Binding: binding, Mutating: mutates, Index: -1, What: notLinked, Count: 1})
		}
	}
	return all
}

// Empty reports whether the cluster has no policy with a binding.
func (c *Cluster) Empty() bool { return c == nil || len(c.validating)+len(c.mutating) == 0 }

// Mutates reports whether the cluster has a MutatingAdmissionPolicy with a binding.
func (c *Cluster) Mutates() bool { return c != nil && len(c.mutating) > 0 }

// Validate returns a verdict that is unknown for each ValidatingAdmissionPolicy.
func (c *Cluster) Validate(Attributes) Verdict { return Verdict{Unknown: c.validating} }

// Mutate returns the object unchanged. The effect of each MutatingAdmissionPolicy
// is unknown.
func (c *Cluster) Mutate(a Attributes) Mutation {
	return Mutation{Object: a.Object, Value: a.Request.New, Unknown: c.mutating}
}

// Conditions are the match conditions of a webhook.
type Conditions struct {
	list           []Condition
	ignoreFailures bool
}

// NewConditions returns the conditions of a webhook, or nil for none.
func NewConditions(list []Condition, ignoreFailures bool) *Conditions {
	if len(list) == 0 {
		return nil
	}
	return &Conditions{list, ignoreFailures}
}

// Match returns Called if the server ignores the conditions, and Undecided
// otherwise.
func (k *Conditions) Match(c *Cluster, _ Attributes, _ schema.GroupVersionKind) (Outcome, string) {
	if k == nil || c.server.Minor < 27 || !c.server.Enabled("AdmissionWebhookMatchConditions") {
		return Called, ""
	}
	return Undecided, notLinked
}

// Conditions returns the arguments of NewConditions, for callers that copy or
// compare conditions.
func (k *Conditions) Conditions() (list []Condition, ignoreFailures bool) {
	if k == nil {
		return nil, false
	}
	return k.list, k.ignoreFailures
}
