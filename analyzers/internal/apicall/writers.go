package apicall

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const (
	// maxWriterDepth is the largest number of functions between a call into another
	// module and the write.
	maxWriterDepth = 10
	// maxDryRunDepth is the largest number of nested functions that are searched for a
	// dry run.
	maxDryRunDepth = 3
	// maxRunDepth is the largest number of steps through which a function value is
	// followed.
	maxRunDepth = 8
	// maxDryRunPlaces is the largest number of places in the fact about one function.
	maxDryRunPlaces = 8
)

// exportLibraryFacts exports facts about the functions of a package of another module
// that write. The packages that call these functions use the facts.
func (p *program) exportLibraryFacts() {
	if imports := importPaths(p.pass.Pkg); !IsHelper(ImportPath(p.pass.Pkg), imports) ||
		allGenerated(p.pass) && !slices.Contains(imports, clientPath) {
		return
	}
	// A package without writes still needs facts if its interfaces are clients, or if it
	// imports a package that writes.
	if p.scan().writes == 0 && !p.hasClientInterface() && !slices.ContainsFunc(p.pass.Pkg.Imports(), func(i *types.Package) bool {
		return p.pass.ImportPackageFact(i, new(libraryFact))
	}) {
		return
	}
	p.functions()
	if p.broken != nil {
		return
	}
	// Unresolved of this result is not used: unresolved calls count where this package is
	// called.
	r := &Result{program: p}
	p.resolve(r)
	p.guard(r, p.wholePackage(), p.exportWriters)
}

// hasClientInterface reports whether the package declares an interface whose methods look
// like writes.
func (p *program) hasClientInterface() bool {
	scope := p.pass.Pkg.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		tn, _ := scope.Lookup(name).(*types.TypeName)
		if tn == nil {
			return false
		}
		n, _ := tn.Type().(*types.Named)
		i, _ := tn.Type().Underlying().(*types.Interface)
		if n == nil || i == nil {
			return false
		}
		for m := range i.ExplicitMethods() {
			if unknownImplementation(m, n) != nil {
				return true
			}
		}
		return false
	})
}

// writers finds the functions of a package that write, and caches the facts about them.
type writers struct {
	*program
	done        map[*ssa.Function]*writerFact
	methods     map[*types.Func]*writerFact // of interfaces
	dryRunCache map[*ssa.Function][]place
	named       []*types.Named
	// foreign has the types with methods of other packages that the package converts to
	// interfaces.
	foreign []*types.Named
}

// exportWriters exports facts about the functions that write, and about the functions that
// return clients or helpers for the writes.
func (p *program) exportWriters() {
	w := &writers{
		program: p, done: map[*ssa.Function]*writerFact{},
		methods: map[*types.Func]*writerFact{}, dryRunCache: map[*ssa.Function][]place{},
	}
	scope := p.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if n, ok := tn.Type().(*types.Named); ok {
				w.named = append(w.named, n)
			}
		}
	}
	w.findForeign()
	exported := false
	export := func(object *types.Func, fact *writerFact) {
		if fact != nil && object.Exported() {
			p.pass.ExportObjectFact(object, fact.forCallers(object))
			exported = true
		}
	}
	for _, fn := range p.funcs {
		if object, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
			export(object, w.of(fn))
		}
	}
	for _, n := range w.named {
		i, ok := n.Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for m := range i.ExplicitMethods() {
			export(m, w.ofMethod(m))
		}
	}
	if exported {
		p.pass.ExportPackageFact(new(libraryFact))
		w.exportMakers()
		w.exportRunners()
	}
}

// findForeign fills foreign.
func (w *writers) findForeign() {
	for _, fn := range w.all {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				made, ok := i.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				n := namedType(made.X.Type())
				if n != nil && n.NumMethods() > 0 && n.Obj().Pkg() != w.pass.Pkg && n.TypeParams().Len() == 0 && !slices.Contains(w.foreign, n) {
					w.foreign = append(w.foreign, n)
				}
			}
		}
	}
}

// of returns the fact about the writes in a function, and in functions that it calls.
// It returns nil if there are none.
func (w *writers) of(fn *ssa.Function) *writerFact {
	fn = origin(fn)
	if fact, ok := w.done[fn]; ok {
		return fact // nil during the computation, for a recursive call
	}
	w.done[fn] = nil
	// A write that is always a dry run changes nothing.
	all := slices.DeleteFunc(w.writesIn(fn, fn, nil), (*writerFact).isAlwaysDryRun)
	if len(all) == 0 {
		return nil
	}
	fact := mergeWrites(all)
	if fact.Depth > maxWriterDepth {
		return nil
	}
	for _, a := range w.dryRunPlaces(fn, 0) {
		fact.DryRunPlaces = appendPlace(fact.DryRunPlaces, a)
	}
	w.done[fn] = fact
	return fact
}

// writesIn returns the writes in the body of fn. fn is the declared function top, or a
// literal in it.
func (w *writers) writesIn(top, fn *ssa.Function, seen []*ssa.Function) []*writerFact {
	if slices.Contains(seen, fn) {
		return nil
	}
	seen = append(slices.Clip(seen), fn)
	var all []*writerFact
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if c := w.byInstr[call]; c != nil {
				if !c.Fake && !aboutItself(c) {
					all = append(all, w.directWrite(top, c))
				}
				continue
			}
			common := call.Common()
			_, args := calleeOf(common)
			if common.IsInvoke() {
				if fact := w.ofMethod(common.Method); fact != nil {
					all = append(all, w.inCaller(fact, args, call, top))
				}
			} else {
				for _, callee := range w.functionsOf(common.Value, call) {
					all = append(all, w.writesOfCall(top, callee, args, call, seen)...)
				}
			}
			for i, arg := range common.Args {
				if _, ok := arg.Type().Underlying().(*types.Signature); !ok || !w.runs(common, i) {
					continue
				}
				for _, f := range w.functionsOf(arg, call) {
					all = append(all, w.writesOfCall(top, f, nil, call, seen)...)
				}
			}
		}
	}
	return all
}

// writesOfCall returns the writes of the function fn, which a call in top runs.
func (w *writers) writesOfCall(top, fn *ssa.Function, args []ssa.Value, call ssa.CallInstruction, seen []*ssa.Function) []*writerFact {
	if fn.Parent() != nil {
		return w.writesIn(top, fn, seen)
	}
	if fact := w.of(fn); fact != nil {
		return []*writerFact{w.inCaller(fact, args, call, top)}
	}
	return nil
}

// declared returns the function of the package that a value is: a declared function, a
// literal, or the method of a method value. It returns nil for other values.
func (w *writers) declared(v ssa.Value) *ssa.Function {
	if made, ok := v.(*ssa.MakeClosure); ok {
		v = made.Fn
	}
	if c, ok := v.(*ssa.ChangeType); ok {
		return w.declared(c.X)
	}
	fn, ok := v.(*ssa.Function)
	if !ok {
		return nil
	}
	fn = origin(fn)
	if fn.Synthetic != "" {
		if object, ok := fn.Object().(*types.Func); ok && object.Pkg() == w.pass.Pkg {
			fn = w.pkg.Prog.FuncValue(object.Origin())
		}
	}
	if fn == nil || !w.owns(fn) {
		return nil
	}
	return fn
}

// functionsOf returns the functions of the package that a value may be.
func (w *writers) functionsOf(v ssa.Value, at ssa.Instruction) []*ssa.Function {
	if fn := w.declared(v); fn != nil {
		return []*ssa.Function{fn}
	}
	switch v.(type) {
	case *ssa.Builtin, *ssa.Function, *ssa.Parameter:
		return nil
	}
	var all []*ssa.Function
	for _, s := range w.flow(managerKind).sources(v, nil, at, nil) {
		if s.value == nil || s.lost {
			continue
		}
		if fn := w.declared(s.value); fn != nil && !slices.Contains(all, fn) {
			all = append(all, fn)
		}
	}
	return all
}

// runs reports whether the called function runs its argument i, which is a function. It
// returns false if the called function only stores the argument, such as a handler.
func (w *writers) runs(common *ssa.CallCommon, i int) bool {
	if fn := common.StaticCallee(); fn != nil && w.owns(fn) {
		fn = origin(fn)
		return i < len(fn.Params) && w.isRun(fn.Params[i], 0)
	}
	fn, _ := calleeOf(common)
	return fn != nil && runsAtOnce(fn)
}

// isRun reports whether the package calls the function that a value is.
func (w *writers) isRun(v ssa.Value, depth int) bool {
	if depth > maxRunDepth || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			common := r.Common()
			if common.Value == v {
				return true
			}
			fn := common.StaticCallee()
			for i, arg := range common.Args {
				switch {
				case arg != v:
				case fn == nil || !w.owns(fn):
					if w.runs(common, i) {
						return true
					}
				case i < len(origin(fn).Params) && w.isRun(origin(fn).Params[i], depth+1):
					return true
				}
			}
		case *ssa.Store:
			if alloc, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && w.isRun(alloc, depth+1) {
				return true
			}
		case *ssa.MakeClosure:
			fn, _ := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == v && fn != nil && i < len(fn.FreeVars) && w.isRun(fn.FreeVars[i], depth+1) {
					return true
				}
			}
		case *ssa.UnOp, *ssa.ChangeType, *ssa.Phi:
			if w.isRun(r.(ssa.Value), depth+1) {
				return true
			}
		}
	}
	return false
}

// runsAtOnce reports whether a library function runs its function arguments before it
// returns.
func runsAtOnce(fn *types.Func) bool {
	name, path := strings.ToLower(fn.Name()), ImportPath(fn.Pkg())
	for _, word := range []string{"retry", "backoff", "poll", "foreach", "eachlistitem", "visit", "parallelize"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return path == "sync" || path == "slices" || strings.HasPrefix(path, "golang.org/x/sync/") ||
		path == "k8s.io/client-go/util/retry" || path == "k8s.io/apimachinery/pkg/util/wait"
}

// aboutItself reports whether a write stores no data of the user: it stores a record
// about the program itself, such as an Event or a Lease, or asks the server a question.
func aboutItself(c *Call) bool {
	switch c.GVK.Kind {
	case "Event", "Lease":
		return true
	}
	return c.Verb == VerbToken || c.IsReview()
}

// parametersOf returns the parameters of a function, with the receiver first.
func parametersOf(fn *ssa.Function) []*types.Var {
	params := make([]*types.Var, len(fn.Params))
	for i, v := range fn.Params {
		params[i], _ = v.Object().(*types.Var)
	}
	return params
}

// mergeWrites returns one fact for all writes of a function. It describes the write
// with the fewest calls between the function and the write. It describes a delete only
// if all writes are deletes.
func mergeWrites(all []*writerFact) *writerFact {
	main := slices.MinFunc(all, func(x, y *writerFact) int { return x.rank() - y.rank() })
	out := *main
	out.DryRunPlaces = nil
	var manager, force, dryRun, validation []valueFact
	for _, f := range all {
		if !f.deletes() {
			manager, validation = append(manager, f.Manager), append(validation, f.Validation)
		}
		if f.Verb == VerbPatch || f.Verb == VerbApply || f.Verb == VerbCreateOrPatch {
			force = append(force, f.Force)
		}
		dryRun = append(dryRun, f.DryRun)
		out.Settable = out.Settable || f.Settable
		out.Verbs |= f.Verbs
		if !f.Client.equal(out.Client) {
			out.Client = place{}
		}
		if !f.Object.equal(out.Object) && f.rank() == out.rank() {
			out.Object = place{}
		}
		if f.Verb != out.Verb {
			force = append(force, valueFact{}) // force is set for some of the writes only
		}
		for _, a := range f.DryRunPlaces {
			out.DryRunPlaces = appendPlace(out.DryRunPlaces, a)
		}
	}
	if verb := combinedVerb(all, main); verb != main.Verb {
		out.Verb, out.Patch = verb, ""
	}
	out.Manager, out.Force = commonValue(manager), commonValue(force)
	out.DryRun, out.Validation = commonValue(dryRun), commonValue(validation)
	return &out
}

// isAlwaysDryRun reports whether a write is always a dry run.
func (f *writerFact) isAlwaysDryRun() bool {
	v := f.DryRun
	return v.State == Set && !v.Sometimes && v.Complete && len(v.Elements) > 0
}

func (f *writerFact) deletes() bool { return f.Verb == VerbDelete || f.Verb == VerbDeleteCollection }

// rank returns a number by which the writes of a function are ordered. The write with
// the lowest rank describes the function.
func (f *writerFact) rank() int {
	if f.deletes() {
		return f.Depth + 2*maxWriterDepth
	}
	return f.Depth
}

// commonValue joins a setting of several writes. It returns the zero value if the
// writes pass on different parameters.
func commonValue(all []valueFact) valueFact {
	if len(all) == 0 {
		return valueFact{State: Unset}
	}
	out, param := all[0].decode(), all[0].Param
	choice, chosen := 0, true
	for _, v := range all {
		if v.State == Unset {
			continue
		}
		chosen = chosen && v.OptionsParam > 0 && (choice == 0 || choice == v.OptionsParam)
		choice = v.OptionsParam
	}
	for _, v := range all[1:] {
		if v.Param != param && (v.State == Passed || out.State == Passed) {
			return valueFact{}
		}
		if v.Param != param {
			param = 0
		}
		out = join(out, v.decode())
	}
	fact := encodeValue(out)
	fact.Param = param
	if chosen && fact.State == Set && fact.Sometimes {
		fact.OptionsParam = choice
	}
	return fact
}
