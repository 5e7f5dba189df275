package apicall

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// runnerFact is the fact about a function of another module that passes a reconciler to
// other code. The reconciler writes without a field manager when that code runs it.
type runnerFact struct{}

// AFact marks the type as a fact.
func (*runnerFact) AFact() {}

func (*runnerFact) String() string { return "passes on a reconciler that writes" }

// Runner is a use of a function of another module that passes a reconciler to other code,
// such as certificates.NewController of knative. The reconciler writes without a field
// manager. No Call describes its writes.
type Runner struct {
	Name *ast.Ident
	Func *types.Func
}

// findRunners fills r.Runners.
func (p *program) findRunners(r *Result) {
	for name, object := range p.pass.TypesInfo.Uses {
		fn, ok := object.(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg() == p.pass.Pkg || !p.isHelper(fn.Pkg()) {
			continue
		}
		if fn = fn.Origin(); p.pass.ImportObjectFact(fn, new(runnerFact)) {
			r.Runners = append(r.Runners, Runner{name, fn})
		}
	}
	slices.SortFunc(r.Runners, func(a, b Runner) int { return comparePlaces(p.pass.Fset, a.Name.Pos(), b.Name.Pos()) })
}

// exportRunners exports facts about the functions that pass on reconcilers. Functions that
// write themselves have another fact.
func (w *writers) exportRunners() {
	for _, fn := range w.funcs {
		object, ok := fn.Object().(*types.Func)
		if ok && fn.Parent() == nil && object.Exported() && w.of(fn) == nil && w.passesReconciler(fn, map[*ssa.Function]bool{}) {
			w.pass.ExportObjectFact(object, new(runnerFact))
		}
	}
}

// passesReconciler reports whether a function, or a function of the package that it
// calls, converts a value to an interface with a method Reconcile. The method must write
// without a field manager.
func (w *writers) passesReconciler(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if fn = origin(fn); seen[fn] || !w.owns(fn) {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.MakeInterface:
				if w.reconciles(i) {
					return true
				}
			case ssa.CallInstruction:
				if callee := i.Common().StaticCallee(); callee != nil && w.passesReconciler(callee, seen) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(literal *ssa.Function) bool { return w.passesReconciler(literal, seen) })
}

// reconciles reports whether a conversion to an interface of another package has a method
// Reconcile that writes without a field manager.
func (w *writers) reconciles(made *ssa.MakeInterface) bool {
	object, _, _ := types.LookupFieldOrMethod(made.Type(), true, w.pass.Pkg, "Reconcile")
	if m, ok := object.(*types.Func); !ok || m.Pkg() == w.pass.Pkg {
		return false
	}
	object, _, _ = types.LookupFieldOrMethod(made.X.Type(), true, w.pass.Pkg, "Reconcile")
	m, ok := object.(*types.Func)
	if !ok || m.Pkg() != w.pass.Pkg {
		return false
	}
	method := w.pkg.Prog.FuncValue(m.Origin())
	if method == nil {
		return false
	}
	fact := w.of(method)
	return fact != nil && !fact.deletes() && fact.Manager.State == Unset
}
