package storagedryrun

import (
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// method is a method of aggregated-API storage that a server calls for requests. A request
// may be a dry run.
type method struct {
	fn *ssa.Function
	// options is the parameter with the options of the request.
	options *ssa.Parameter
	// family has the verbs in the names of backend methods that this method may call.
	family map[string]bool
}

// Import paths of the types in the methods of storage.
const (
	metaPath    = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath = "k8s.io/apimachinery/pkg/runtime"
	restPath    = "k8s.io/apiserver/pkg/registry/rest"
)

// Verbs in the names of backend methods, by method of the storage. A Create may update the
// backend, and an Update may create or delete. A backend method named Get never writes.
var (
	creates = words("Create", "Insert", "Add", "Save", "Store", "Put", "Set", "Upsert", "Write", "Persist", "Register", "Apply", "Append", "Patch", "Update", "Import", "Provision")
	updates = words("Update", "Save", "Store", "Put", "Set", "Upsert", "Write", "Persist", "Apply", "Patch", "Replace", "Modify", "Rename", "Move", "Create", "Insert", "Delete", "Remove", "Add", "Overlay")
	deletes = words("Delete", "Remove", "Destroy", "Purge", "Drop", "Uninstall", "Evict", "Unregister", "Revoke", "Clear", "Trash", "Archive", "Update", "Patch", "Save")
)

func words(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range list {
		set[w] = true
	}
	return set
}

// shape says how a method of storage is called.
type shape struct {
	family  map[string]bool
	options int // index of the parameter with the options
}

// shapeOf recognizes the methods of rest.Creater, NamedCreater, Updater, GracefulDeleter
// and CollectionDeleter in k8s.io/apiserver. It compares signatures, so the name of the
// storage does not matter, and all releases since 1.14 are recognized.
func shapeOf(fn *types.Func) (s shape, ok bool) {
	sig := fn.Signature()
	if sig.Recv() == nil {
		return s, false
	}
	var options string
	results := 3 // the object, whether the request was completed at once, and the error
	switch fn.Name() {
	case "Create":
		s.family, options, results = creates, "CreateOptions", 2
	case "Update":
		s.family, options = updates, "UpdateOptions"
	case "Delete":
		s.family, options = deletes, "DeleteOptions"
	case "DeleteCollection":
		s.family, options, results = deletes, "DeleteOptions", 2
	default:
		return s, false
	}
	res, params := sig.Results(), sig.Params()
	if res.Len() != results || !isNamed(res.At(0).Type(), runtimePath, "Object") || !isNamed(res.At(results-1).Type(), "", "error") ||
		params.Len() == 0 || !isNamed(params.At(0).Type(), "context", "Context") {
		return s, false
	}
	hook := fn.Name() == "Delete" // a Delete before 1.15 has no validation function
	for i := 1; i < params.Len(); i++ {
		t := params.At(i).Type()
		if _, pointer := types.Unalias(t).(*types.Pointer); pointer && isNamed(t, metaPath, options) {
			s.options = i
		}
		hook = hook || isNamed(t, restPath, "ValidateObjectFunc") || isNamed(t, restPath, "UpdatedObjectInfo")
	}
	return s, hook && s.options > 0
}

// methodOf returns the method of storage for a function in SSA form. It is nil for other
// functions.
func methodOf(fn *ssa.Function) *method {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil
	}
	s, ok := shapeOf(obj)
	if !ok || len(fn.Params) <= s.options+1 {
		return nil
	}
	return &method{fn: fn, options: fn.Params[s.options+1], family: s.family}
}

// usage says how a method uses its options.
type usage uint8

const (
	// unread: the method does not read its options.
	unread usage = iota
	// partly: the method reads options, but not DryRun.
	partly
	// readsDryRun: the method reads DryRun, or passes the options to code that may read it.
	readsDryRun
)

// usage returns how a method uses its options.
func (m *method) usage() usage { return uses(m.options, map[ssa.Value]bool{}) }

func uses(v ssa.Value, seen map[ssa.Value]bool) usage {
	if seen[v] {
		return unread
	}
	seen[v] = true
	refs := v.Referrers()
	if refs == nil {
		return readsDryRun
	}
	got := unread
	for _, r := range *refs {
		var one usage
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			one = field(r.X.Type(), r.Field)
		case *ssa.Field:
			one = field(r.X.Type(), r.Field)
		case *ssa.BinOp:
			one = unread // if options == nil
		case *ssa.Phi:
			one = uses(r, seen)
		case *ssa.Store:
			// If a literal captures the parameter, or its address is taken,
			// package ssa copies the parameter to a variable.
			one = readsDryRun
			if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				one = cellUses(cell, seen)
			}
		default:
			one = readsDryRun
		}
		got = max(got, one)
	}
	return got
}

// cellUses returns how the content of a variable is used.
func cellUses(cell ssa.Value, seen map[ssa.Value]bool) usage {
	if seen[cell] {
		return unread
	}
	seen[cell] = true
	refs := cell.Referrers()
	if refs == nil {
		return readsDryRun
	}
	got := unread
	for _, r := range *refs {
		var one usage
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != cell {
				one = readsDryRun
			}
		case *ssa.UnOp:
			one = uses(r, seen)
		case *ssa.MakeClosure:
			one = readsDryRun
			for i, b := range r.Bindings {
				if fn, ok := r.Fn.(*ssa.Function); ok && b == cell {
					one = cellUses(fn.FreeVars[i], seen)
				}
			}
		default:
			one = readsDryRun
		}
		got = max(got, one)
	}
	return got
}

// field returns the usage of options by a method that reads one field of them.
func field(t types.Type, index int) usage {
	t = t.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok && index < s.NumFields() && s.Field(index).Name() != "DryRun" {
		return partly
	}
	return readsDryRun
}

func isNamed(t types.Type, path, name string) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Name() == name && apicall.ImportPath(n.Obj().Pkg()) == path
}
