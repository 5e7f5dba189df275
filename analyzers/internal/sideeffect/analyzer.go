package sideeffect

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer finds the side effects of functions, and exports them to other packages of the
// module. Its result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetsideeffects",
	Doc:              "find what functions change outside the program, dry run or not",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer, dryrun.Analyzer},
	FactTypes:        []analysis.Fact{(*effectful)(nil), (*registered)(nil), (*leading)(nil)},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// effectful is the fact about a function that has a side effect even in a dry run. The
// function may be a method of an interface that exactly one type of the package implements.
type effectful struct {
	// Text describes the first effect. Depth is the number of functions between the
	// function of the fact and the effect.
	Text  string
	Depth int
	// API is set if all effects are writes to Kubernetes APIs. Package dryrun also
	// reports these writes for direct calls of the function.
	API bool
}

// AFact marks the type as a fact.
func (*effectful) AFact() {}

// String returns a description for tests.
func (e *effectful) String() string { return "has an effect: " + e.Text }

// maxDepth is the number of functions in other packages between a call and its effect.
const maxDepth = 8

// Result contains the side effects of a package. Several rules may call its methods at the
// same time.
type Result struct {
	pass  *analysis.Pass
	calls *apicall.Result
	dry   *dryrun.Result

	// interesting is set if the package names a function that may have an effect other
	// than a write to an API. The function may belong to another package.
	interesting bool

	mu       sync.Mutex
	behind   map[*types.Named][]types.Type  // implementations of interfaces
	declared map[types.Object]*ssa.Function // nil until it is needed

	converted map[*types.Named][]types.Type // by interface; nil until it is needed

	imported      []implementer // types that imported packages registered
	registrations []*Registration
	leading       map[*ssa.Function][]string // cache of leads
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{
		pass: pass, calls: pass.ResultOf[apicall.Analyzer].(*apicall.Result), dry: pass.ResultOf[dryrun.Analyzer].(*dryrun.Result),
		behind: map[*types.Named][]types.Type{}, leading: map[*ssa.Function][]string{},
	}
	if m := pass.Module; m != nil && m.Version != "" || !r.calls.Relevant {
		return r, nil
	}
	r.importRegistered()
	r.interesting = r.glance()
	if r.interesting || len(r.calls.Calls) > 0 || r.dry.UsesWriters() || r.dispatches() {
		r.register()
		r.export()
	}
	r.exportRegistered()
	return r, nil
}

// glance reports whether the package names a function of another package that may have an
// effect.
func (r *Result) glance() bool {
	type look struct {
		subject        subject
		extra, library bool
	}
	known := map[*types.Package]look{}
	asked := map[*types.Func]bool{}
	for _, obj := range r.pass.TypesInfo.Uses {
		fn, ok := obj.(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg() == r.pass.Pkg {
			continue
		}
		at, seen := known[fn.Pkg()]
		if !seen {
			path := apicall.ImportPath(fn.Pkg())
			first, _, _ := strings.Cut(path, "/")
			own := r.pass.Module != nil && below(path, r.pass.Module.Path)
			at = look{subjectOf(fn.Pkg()), extra.mentions(fn.Pkg()), own || strings.Contains(first, ".")}
			known[fn.Pkg()] = at
		}
		if at.extra || at.subject.may(fn) {
			return true
		}
		if !at.library || asked[fn] {
			continue
		}
		asked[fn] = true
		if callsOverGRPC(fn) || r.wraps(fn) || r.pass.ImportObjectFact(fn.Origin(), new(effectful)) {
			return true
		}
	}
	return false
}

func (r *Result) interfaces() (found []*types.TypeName) {
	scope := r.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if ok && types.IsInterface(t.Type()) {
			found = append(found, t)
		}
	}
	return found
}

// export exports facts about functions and interface methods with an effect, and about
// functions that lead to interface methods.
func (r *Result) export() {
	r.dry.Need()
	exported := func(fn *ssa.Function) *types.Func {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !obj.Exported() || obj.Pkg() != r.pass.Pkg || r.inTest(fn.Pos()) {
			return nil
		}
		return obj
	}
	if r.interesting {
		for _, fn := range r.functionsWithEffects() {
			if obj := exported(fn); obj != nil {
				r.exportOf(fn, obj, func(e *Effect) bool { return e.Call == nil })
			}
		}
	}
	for _, fn := range r.calls.SSA() {
		obj := exported(fn)
		if obj == nil {
			continue
		}
		if methods := r.leads(fn); len(methods) > 0 {
			r.pass.ExportObjectFact(obj, &leading{methods})
		}
		if getsRequest(fn) {
			r.exportOf(fn, obj, func(*Effect) bool { return true })
		}
	}
	for _, t := range r.interfaces() {
		iface := t.Type().Underlying().(*types.Interface)
		if !t.Exported() || r.inTest(t.Pos()) {
			continue
		}
		for m := range iface.ExplicitMethods() {
			if fn := r.Implementation(t.Type(), m); fn != nil && m.Exported() {
				r.exportOf(fn, m, func(*Effect) bool { return true })
			}
		}
	}
}

// getsRequest reports whether an argument of a function has the dry run of an admission
// request. Package dryrun exports no facts about the writes of such a function.
func getsRequest(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return isRequest(p.Type()) })
}

func (r *Result) exportOf(fn *ssa.Function, obj *types.Func, counts func(*Effect) bool) {
	if e := r.first(fn, counts); e != nil {
		r.pass.ExportObjectFact(obj, &effectful{Text: e.Text, Depth: len(e.Via) + e.Distance, API: e.Call != nil})
	}
}

// first returns the first effect of a function that counts and happens in a dry run. Its
// text names no other function. It returns nil if there is none.
func (r *Result) first(fn *ssa.Function, counts func(*Effect) bool) *Effect {
	asked := r.dry.Checks(fn)
	for _, e := range append(r.From(fn, Search{Several: r.anyOf}), Elsewhere(r.dry, fn)...) {
		if !counts(e) || asked && !r.Unasked(e, nil) || len(e.Via)+e.Distance >= maxDepth || unknownObject(e.Text) {
			continue
		}
		if e.Callee != nil {
			e.Text, _, _ = strings.Cut(e.Text, " (in ")
		}
		e.Text, _, _ = strings.Cut(e.Text, " (with ")
		return e
	}
	return nil
}

// anyOf reports whether each of several implementations may be the one that a call runs. It
// returns false if the dry run chooses the implementation.
func (r *Result) anyOf(call ssa.CallInstruction, _ *ssa.Function) bool {
	return !r.dry.ValueChosen(call.Common().Value, dryrun.Server)
}

// functionsWithEffects returns the functions of the package that have an effect other than
// a write to an API, directly or through calls.
func (r *Result) functionsWithEffects() []*ssa.Function {
	callers := map[*ssa.Function][]*ssa.Function{}
	var work []*ssa.Function
	funcs := r.calls.SSA()
	for _, fn := range funcs {
		if fn.Parent() != nil {
			callers[fn] = append(callers[fn], fn.Parent())
		}
		direct := false
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				for _, o := range i.Operands(nil) {
					if callee := function(*o, fn); callee != nil {
						callers[callee] = append(callers[callee], fn)
					}
				}
				call, ok := i.(ssa.CallInstruction)
				if !ok || direct {
					continue
				}
				if common := call.Common(); common.IsInvoke() {
					if impl := r.Implementation(common.Value.Type(), common.Method); impl != nil {
						callers[impl] = append(callers[impl], fn)
					}
				}
				_, direct = Classify(call)
				direct = direct || r.foreign(call) != nil
				if !direct {
					_, direct = r.wrapped(call)
				}
			}
		}
		if direct {
			work = append(work, fn)
		}
	}
	seen := map[*ssa.Function]bool{}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[fn] {
			seen[fn] = true
			work = append(work, callers[fn]...)
		}
	}
	return slices.DeleteFunc(slices.Clone(funcs), func(fn *ssa.Function) bool { return !seen[fn] })
}

// foreign returns the fact about the called function or interface method of another
// package, or nil.
func (r *Result) foreign(i ssa.CallInstruction) *effectful {
	callee := r.method(i)
	if callee == nil || callee.Pkg() == nil || callee.Pkg() == r.pass.Pkg {
		return nil
	}
	fact := new(effectful)
	if !r.pass.ImportObjectFact(callee.Origin(), fact) {
		return nil
	}
	return fact
}

// method returns the called function or method. For an interface method, it returns the
// only implementation, if that is certain.
func (r *Result) method(i ssa.CallInstruction) *types.Func {
	if behind := r.calls.Behind(i.Common()); behind != nil {
		return behind
	}
	return Method(i)
}

func (r *Result) inTest(pos token.Pos) bool {
	if !pos.IsValid() {
		return false
	}
	file := r.pass.Fset.File(pos)
	return file != nil && strings.HasSuffix(file.Name(), "_test.go")
}
