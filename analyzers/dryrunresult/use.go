package dryrunresult

import (
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"golang.org/x/tools/go/ssa"
)

// use is a place that uses a value from the object that a dry run returned.
type use struct {
	pos  token.Pos
	what string // UID, resourceVersion, creationTimestamp or name
	expr string // description of a value that the code does not write out
	// reference is set if the value becomes part of a reference to the object that the
	// dry run returned.
	reference bool
}

// identity maps the fields that the server sets, and their accessors, to the words for
// messages.
var identity = map[string]string{
	"UID": "UID", "GetUID": "UID",
	"ResourceVersion": "resourceVersion", "GetResourceVersion": "resourceVersion",
	"CreationTimestamp": "creationTimestamp", "GetCreationTimestamp": "creationTimestamp",
	"Name": "name", "GetName": "name",
}

// usedIn reports whether an instruction reads a value of a dry run's result for a use that
// needs the object on the server. holds reports whether an SSA value is this result.
func usedIn(instr ssa.Instruction, holds func(ssa.Value) bool) (use, bool) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		f, ok := instr.X.(*ssa.FieldAddr)
		if !ok || instr.Op != token.MUL || !holds(f.X) {
			return use{}, false
		}
		return follow(instr, identity[field(f)], f.Pos())
	case *ssa.Call:
		fn := objectflow.Callee(instr)
		if fn == nil {
			return use{}, false
		}
		if recv := objectflow.Receiver(instr); recv != nil && holds(recv) && len(objectflow.Args(instr)) == 0 {
			return follow(instr, identity[fn.Name()], instr.Pos())
		}
		if args := objectflow.Args(instr); createsOwnerReference(fn) && len(args) > 0 && holds(args[0]) {
			return use{pos: instr.Pos(), what: "UID", expr: "the UID in this reference", reference: true}, true
		}
	}
	return use{}, false
}

// createsOwnerReference reports whether a function creates a reference to an owner. The
// owner is its first argument.
func createsOwnerReference(fn *types.Func) bool {
	switch apicall.ImportPath(fn.Pkg()) {
	case "k8s.io/apimachinery/pkg/apis/meta/v1":
		return fn.Name() == "NewControllerRef"
	case "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil":
		return fn.Name() == "SetControllerReference" || fn.Name() == "SetOwnerReference"
	}
	return false
}

// follow reports whether a value of a dry run's result has a use that needs the object on
// the server. what is the kind of value, such as "UID".
func follow(v ssa.Value, what string, pos token.Pos) (use, bool) {
	if what == "" {
		return use{}, false
	}
	u := use{pos: pos, what: what}
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int) bool
	visit = func(v ssa.Value, depth int) bool {
		if depth > 8 || seen[v] || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Convert:
				if visit(r, depth+1) {
					return true
				}
			case *ssa.ChangeType:
				if visit(r, depth+1) {
					return true
				}
			case *ssa.Phi:
				if visit(r, depth+1) {
					return true
				}
			case *ssa.Store:
				if r.Val == v && u.neededLater(r.Addr, depth, visit) {
					return true
				}
			case *ssa.MapUpdate:
				if outlives(r.Map) {
					return true
				}
			case ssa.CallInstruction:
				if u.requested(r, v) {
					return true
				}
			}
		}
		return false
	}
	return u, visit(v, 0)
}

// neededLater reports whether a store to addr needs the object on the server. Such a
// store sets a field of a reference, a key or precondition of a request, or memory that
// outlives the function.
func (u *use) neededLater(addr ssa.Value, depth int, visit func(ssa.Value, int) bool) bool {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		switch typeOf(addr.X.Type()) {
		case metaV1 + ".OwnerReference", coreV1 + ".ObjectReference":
			u.reference = true
			return u.what == "UID" || u.what == "name" || u.what == "resourceVersion"
		case metaV1 + ".Preconditions":
			return true
		case typesPkg + ".NamespacedName":
			return u.what == "name" && isUsedForGet(addr.X)
		case coreV1 + ".LocalObjectReference", coreV1 + ".SecretReference":
			u.reference = true
			return u.what == "name"
		}
		return outlives(addr.X)
	case *ssa.Global:
		return true
	case *ssa.Alloc:
		// A precondition holds a pointer to the variable, and a load reads its value.
		if visit(addr, depth+1) {
			return true
		}
		for _, r := range *addr.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && load.Op == token.MUL && visit(load, depth+1) {
				return true
			}
		}
	}
	return false
}

const (
	metaV1   = "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreV1   = "k8s.io/api/core/v1"
	typesPkg = "k8s.io/apimachinery/pkg/types"
)

// outlives reports whether v is a field of the receiver or a variable of the package,
// directly or through fields and pointers.
func outlives(v ssa.Value) bool {
	for range 8 {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		case *ssa.Global:
			return true
		case *ssa.Parameter:
			fn := x.Parent()
			return fn.Signature.Recv() != nil && len(fn.Params) > 0 && fn.Params[0] == x
		default:
			return false
		}
	}
	return false
}

// requested reports whether a call sends the value to a server, as the name of an object or
// as a precondition.
func (u *use) requested(call ssa.CallInstruction, v ssa.Value) bool {
	fn := objectflow.Callee(call)
	if fn == nil {
		return false
	}
	if apicall.ImportPath(fn.Pkg()) == metaV1 {
		switch fn.Name() {
		case "NewUIDPreconditions", "NewPreconditionDeleteOptions", "NewRVDeletionPrecondition":
			return true
		}
	}
	if u.what != "name" {
		return false
	}
	args := objectflow.Args(call)
	params := fn.Signature().Params()
	if len(args) < 2 || args[1] != v {
		return false
	}
	// Get(ctx, name, metav1.GetOptions) and similar functions of typed and dynamic
	// clients.
	for p := range params.Variables() {
		switch typeOf(p.Type()) {
		case metaV1 + ".GetOptions", metaV1 + ".DeleteOptions", metaV1 + ".PatchOptions":
			return true
		}
	}
	return false
}

// isUsedForGet reports whether code gets an object by a key, such as a NamespacedName.
func isUsedForGet(key ssa.Value) bool {
	if key.Referrers() == nil {
		return false
	}
	for _, r := range *key.Referrers() {
		load, ok := r.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		for _, r := range *load.Referrers() {
			if call, ok := r.(ssa.CallInstruction); ok {
				if read, ok := objectflow.ReadOf(call); ok && read.Kind == objectflow.Get {
					return true
				}
			}
		}
	}
	return false
}

// field returns the name of the field whose address f takes.
func field(f *ssa.FieldAddr) string {
	p, ok := f.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return ""
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || f.Field >= s.NumFields() {
		return ""
	}
	return s.Field(f.Field).Name()
}

// typeOf returns the import path and the name of a declared type, or of the type to
// which a pointer points.
func typeOf(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return ""
	}
	return apicall.ImportPath(n.Obj().Pkg()) + "." + n.Obj().Name()
}
