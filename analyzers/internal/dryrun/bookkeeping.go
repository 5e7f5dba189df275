package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// bookkeeping reports whether a write only records data about the program itself. A
// user does not expect such writes in the preview of a dry run:
//
//   - the status of an object whose API is not part of Kubernetes
//   - the lock of a leader election
//   - a change of the Pod in which the program runs, such as a label for the leader
func (s *state) bookkeeping(c *apicall.Call) bool {
	return c.Subresource == "status" && !builtIn(c) || locksLeader(c.Method) || s.changesOwnPod(c)
}

// builtIn reports whether the written object belongs to an API of Kubernetes.
func builtIn(c *apicall.Call) bool {
	for _, n := range []*types.Named{namedOf(c.ObjectType), objectParam(c.Method)} {
		if n == nil || n.Obj().Pkg() == nil {
			continue
		}
		path := unvendored(n.Obj().Pkg().Path())
		if strings.HasPrefix(path, "k8s.io/api/") || strings.HasPrefix(path, "k8s.io/client-go/applyconfigurations/") {
			return true
		}
		if !strings.HasPrefix(path, "k8s.io/") {
			return false // its group may be unknown
		}
	}
	group := c.GVK.Group
	return c.GVK.Kind != "" && (!strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io"))
}

// objectParam returns the type of the object that a method of a typed client takes, or nil.
func objectParam(fn *types.Func) *types.Named {
	if fn == nil {
		return nil
	}
	for p := range fn.Signature().Params().Variables() {
		if _, pointer := types.Unalias(p.Type()).(*types.Pointer); pointer {
			if n := namedOf(p.Type()); n != nil && hasMethod(n, "DeepCopyObject") {
				return n
			}
		}
	}
	return nil
}

// locksLeader reports whether a function belongs to a library for leader election. An
// example is leader.Become of operator-lib.
func locksLeader(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	path := unvendored(fn.Pkg().Path())
	return strings.HasSuffix(path, "operator-lib/leader") || strings.HasSuffix(path, "operator-sdk/pkg/leader") || strings.Contains(path, "/leaderelection")
}

// changesOwnPod reports whether a write changes the Pod in which the program runs. The
// program gets the name of this Pod from its environment.
func (s *state) changesOwnPod(c *apicall.Call) bool {
	if c.GVK.Kind != "Pod" || c.Verb != apicall.VerbPatch && c.Verb != apicall.VerbUpdate && c.Verb != apicall.VerbApply {
		return false
	}
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return s.namesOwnPod(a, 0) })
}

// namesOwnPod reports whether a value is the name of the Pod in which the program runs,
// or is the Pod object that the program read by this name.
func (s *state) namesOwnPod(v ssa.Value, depth int) bool {
	if depth > maxDepth {
		return false
	}
	isOwn := func(w ssa.Value) bool { return s.namesOwnPod(w, depth+1) }
	switch v := v.(type) {
	case *ssa.Call:
		switch name, pkg := calleeName(v.Common()); {
		case pkg == "os" && name == "Hostname":
			return true
		case pkg == "os":
			return slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool {
				key, ok := stringOf(a)
				return ok && (strings.HasSuffix(key, "POD_NAME") || key == "HOSTNAME")
			})
		case name == "Get" && v.Call.IsInvoke():
			return slices.ContainsFunc(v.Call.Args, isOwn)
		}
	case *ssa.Extract:
		return isOwn(v.Tuple)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, isOwn)
	case *ssa.UnOp:
		if v.Type().Underlying() == types.Typ[types.String] {
			return slices.ContainsFunc(s.storedAt(v.X), isOwn)
		}
	case *ssa.Parameter:
		return slices.ContainsFunc(s.argumentsFor(v), isOwn)
	}
	return false
}
