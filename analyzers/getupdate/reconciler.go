package getupdate

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// reconcilers identifies functions whose errors make a work queue try again.
type reconcilers struct {
	types map[*types.TypeName]bool // types that have a reconcile method or a queue
	// passed has the functions that are used as values. The code that calls them gets their
	// errors, and may be the worker of a queue.
	passed map[*ssa.Function]bool
}

func newReconcilers(pass *analysis.Pass, objects *objectflow.Result) *reconcilers {
	r := &reconcilers{types: map[*types.TypeName]bool{}, passed: objects.Values()}
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok {
			continue
		}
		for m := range n.Methods() {
			if isReconcile(m) {
				r.types[tn] = true
			}
		}
		if s, ok := n.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if isQueue(f.Type()) {
					r.types[tn] = true
				}
			}
		}
	}
	return r
}

// has reports whether a work queue may get the error of a function. It returns true in
// these cases:
//   - The name or a parameter of the function shows that it reconciles.
//   - The receiver of the function is a reconciler or controller.
//   - The function is used as a value.
func (r *reconcilers) has(fn *ssa.Function) bool {
	if r.passed[fn] {
		return true
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	if isReconcile(obj) {
		return true
	}
	for v := range obj.Signature().Params().Variables() {
		if isReconcilerRequest(v.Type()) {
			return true
		}
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return false
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return false
	}
	return r.types[n.Origin().Obj()] || strings.HasSuffix(n.Obj().Name(), "Reconciler") || strings.HasSuffix(strings.ToLower(n.Obj().Name()), "controller")
}

// isReconcile reports whether a function reconciles. It returns a controller-runtime
// result, or its name begins with a word such as reconcile or sync.
func isReconcile(fn *types.Func) bool {
	results := fn.Signature().Results()
	for v := range results.Variables() {
		if n, ok := types.Unalias(v.Type()).(*types.Named); ok && n.Obj().Name() == "Result" &&
			strings.HasPrefix(apicall.ImportPath(n.Obj().Pkg()), "sigs.k8s.io/controller-runtime") {
			return true
		}
	}
	lower := strings.ToLower(fn.Name())
	for _, word := range []string{"reconcile", "sync", "processnext", "finalizekind", "observekind"} {
		if strings.HasPrefix(lower, word) {
			return true
		}
	}
	return false
}

// isReconcilerRequest reports whether a type is reconcile.Request of controller-runtime.
func isReconcilerRequest(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Request" && apicall.ImportPath(n.Obj().Pkg()) == "sigs.k8s.io/controller-runtime/pkg/reconcile"
}

// isQueue reports whether a type is a work queue of client-go.
func isQueue(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && apicall.ImportPath(n.Obj().Pkg()) == "k8s.io/client-go/util/workqueue"
}
