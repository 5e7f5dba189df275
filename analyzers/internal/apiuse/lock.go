package apiuse

import (
	"go/ast"
	"go/types"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// resourceLock is the package of client-go with the locks for leader election.
const resourceLock = "k8s.io/client-go/tools/leaderelection/resourcelock"

// lockNames lists the names in package resourcelock that stand for a lock on Endpoints.
var lockNames = map[string]bool{"EndpointsResourceLock": true, "EndpointsLock": true}

// leaseNames lists the names in package resourcelock that stand for a lock on a Lease.
var leaseNames = map[string]bool{"LeasesResourceLock": true, "LeaseLock": true}

// lock records a use of a name of package resourcelock.
func (s *search) lock(id *ast.Ident, obj types.Object) {
	if lease, ok := lookup("coordination.k8s.io/v1", "Lease"); ok && leaseNames[obj.Name()] {
		s.kinds[lease] = true
	}
	endpoints, ok := lookup("v1", "Endpoints")
	if !ok || !lockNames[obj.Name()] || s.inTypeAssertion() {
		return
	}
	node, up := ast.Node(id), 1
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		node, up = sel, 2
	}
	if !s.onlyComparesVersion(up) {
		s.add(Use{API: endpoints, Form: Lock, Pos: node.Pos(), End: node.End(), Decides: true, lock: true})
	}
}

// unknownLock records a name whose package is not known, if it may stand for a lock on a
// Lease.
func (s *search) unknownLock(id *ast.Ident) {
	if lease, ok := lookup("coordination.k8s.io/v1", "Lease"); ok && leaseNames[id.Name] {
		s.kinds[lease] = true
	}
}

// lockMethods lists the methods of resourcelock.Interface.
var lockMethods = []string{"Get", "Create", "Update", "RecordEvent", "Identity", "Describe"}

// inLock reports whether the current node is in the declaration or in a method of a
// type that has the methods of resourcelock.Interface.
func (s *search) inLock() bool {
	obj := s.receiver()
	for _, n := range s.stack {
		if spec, ok := n.(*ast.TypeSpec); ok {
			obj = s.pass.TypesInfo.Defs[spec.Name]
		}
	}
	name, ok := obj.(*types.TypeName)
	if !ok {
		return false
	}
	for _, method := range lockMethods {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(name.Type()), true, s.pass.Pkg, method)
		if _, ok := m.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// isEndpoints reports whether an API is Endpoints, which locks used before Leases existed.
func isEndpoints(api lifecycle.API) bool {
	return api.GroupVersion() == "v1" && api.Kind() == "Endpoints"
}
