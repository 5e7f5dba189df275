package policy

import (
	"cmp"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// group is the API group of policies.
const group = "admissionregistration.k8s.io"

// source has the policies and bindings of one kind of policy, by name. A later
// object replaces an earlier object with its name.
type source struct{ policies, bindings map[string]*wire.Value }

// add adds a policy or binding if the server serves its version and evaluates its
// kind.
func (s *source) add(c *Cluster, apiVersion, kind string, obj *wire.Value) {
	api, ok := lifecycle.LookupGV(apiVersion, kind)
	if !ok || !c.serves(api) || !c.evaluates(kind) {
		return
	}
	if s.policies == nil {
		s.policies, s.bindings = map[string]*wire.Value{}, map[string]*wire.Value{}
	}
	all := s.policies
	if kind == "ValidatingAdmissionPolicyBinding" || kind == "MutatingAdmissionPolicyBinding" {
		all = s.bindings
	}
	all[obj.At("metadata", "name").StringOr("")] = obj
}

// evaluates reports whether the server evaluates policies and bindings of a kind.
// Their feature gates are in pkg/features of k8s.io/apiserver (1.26–1.37).
func (c *Cluster) evaluates(kind string) bool {
	if kind == "ValidatingAdmissionPolicy" || kind == "ValidatingAdmissionPolicyBinding" {
		return c.server.Minor >= 26 && c.server.Enabled("ValidatingAdmissionPolicy")
	}
	return c.server.Minor >= 32 && c.server.Enabled("MutatingAdmissionPolicy")
}

func sorted(objects map[string]*wire.Value) []*wire.Value {
	all := make([]*wire.Value, 0, len(objects))
	for _, obj := range objects {
		all = append(all, obj)
	}
	slices.SortFunc(all, byName)
	return all
}

func byName(a, b *wire.Value) int {
	return cmp.Compare(a.At("metadata", "name").StringOr(""), b.At("metadata", "name").StringOr(""))
}
