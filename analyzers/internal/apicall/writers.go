package apicall

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const (
	// maxWriterDepth limits the functions between a call of another module and
	// the write.
	maxWriterDepth = 10
	// maxAskDepth limits the functions in which a dry run is looked for.
	maxAskDepth = 3
	// maxRunDepth limits how far a function that is a parameter is followed.
	maxRunDepth = 8
	// maxAsked limits the places of one function.
	maxAsked = 8
)

// study finds the functions of a package of another module that write, for the
// packages that call them.
func (p *program) study() {
	if !IsHelper(ImportPath(p.pass.Pkg)) || allGenerated(p.pass) {
		return
	}
	// Without a write it may still have interfaces for what others write.
	if p.scan().writes == 0 && !p.hasClientInterface() && !slices.ContainsFunc(p.pass.Pkg.Imports(), func(i *types.Package) bool {
		return p.pass.ImportPackageFact(i, new(libraryFact))
	}) {
		return
	}
	p.functions()
	if p.broken != nil {
		return
	}
	// What is not understood here counts where it is called.
	r := &Result{program: p}
	p.resolve(r)
	p.guard(r, p.exportWriters)
}

// hasClientInterface reports whether the package declares an interface whose
// methods look like writes.
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

// writers finds out which functions of a package write.
type writers struct {
	*program
	done    map[*ssa.Function]*writerFact
	methods map[*types.Func]*writerFact // of interfaces
	asking  map[*ssa.Function][]place
	named   []*types.Named
	// foreign are the types of other packages of which the package makes
	// interfaces, if they have methods.
	foreign []*types.Named
}

// exportWriters exports facts about the functions that write, and about those
// that make what they need for it.
func (p *program) exportWriters() {
	w := &writers{
		program: p, done: map[*ssa.Function]*writerFact{},
		methods: map[*types.Func]*writerFact{}, asking: map[*ssa.Function][]place{},
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
			p.pass.ExportObjectFact(object, fact.called(object))
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
	}
}

// findForeign finds the types of other packages of which the package makes
// interfaces.
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

// of returns what a function writes, itself or through others; nil if nothing.
func (w *writers) of(fn *ssa.Function) *writerFact {
	fn = origin(fn)
	if fact, ok := w.done[fn]; ok {
		return fact // nil while it is being found: a recursion
	}
	w.done[fn] = nil
	// Writes that are always dry runs are questions.
	all := slices.DeleteFunc(w.within(fn, fn, nil), (*writerFact).onlyAsks)
	if len(all) == 0 {
		return nil
	}
	fact := merged(all)
	if fact.Depth > maxWriterDepth {
		return nil
	}
	for _, a := range w.asks(fn, 0) {
		fact.Asked = appendPlace(fact.Asked, a)
	}
	w.done[fn] = fact
	return fact
}

// within lists the writes in the body of fn, which is top or a literal in it.
func (w *writers) within(top, fn *ssa.Function, seen []*ssa.Function) []*writerFact {
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
					all = append(all, w.direct(top, c))
				}
				continue
			}
			common := call.Common()
			_, args := calleeOf(common)
			if common.IsInvoke() {
				if fact := w.ofMethod(common.Method); fact != nil {
					all = append(all, w.moved(fact, args, call, top))
				}
			} else {
				for _, callee := range w.functionsOf(common.Value, call) {
					all = append(all, w.called(top, callee, args, call, seen)...)
				}
			}
			for i, arg := range common.Args {
				if _, ok := arg.Type().Underlying().(*types.Signature); !ok || !w.runs(common, i) {
					continue
				}
				for _, f := range w.functionsOf(arg, call) {
					all = append(all, w.called(top, f, nil, call, seen)...)
				}
			}
		}
	}
	return all
}

// called lists the writes of a function of the package that a call runs.
func (w *writers) called(top, fn *ssa.Function, args []ssa.Value, call ssa.CallInstruction, seen []*ssa.Function) []*writerFact {
	if fn.Parent() != nil {
		return w.within(top, fn, seen)
	}
	if fact := w.of(fn); fact != nil {
		return []*writerFact{w.moved(fact, args, call, top)}
	}
	return nil
}

// declared is the function of the package that a value is: a declared one, a
// literal, or the method behind a method value.
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

// functionsOf are the functions of the package that a value may be.
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

// runs reports whether a call runs the function that is its argument i, rather
// than keeping it for later as those that register handlers do.
func (w *writers) runs(common *ssa.CallCommon, i int) bool {
	if fn := common.StaticCallee(); fn != nil && w.owns(fn) {
		fn = origin(fn)
		return i < len(fn.Params) && w.isRun(fn.Params[i], 0)
	}
	fn, _ := calleeOf(common)
	return fn != nil && runsAtOnce(fn)
}

// isRun reports whether a value that is a function is called in the package.
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

// runsAtOnce reports whether a function of a library runs the functions that it
// is given before it returns.
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

// aboutItself reports whether a write is about the program itself, as events
// and leases are, or asks a question.
func aboutItself(c *Call) bool {
	switch c.GVK.Kind {
	case "Event", "Lease":
		return true
	}
	return c.Verb == VerbToken || c.IsReview()
}

// parametersOf are the parameters of a function, the receiver included.
func parametersOf(fn *ssa.Function) []*types.Var {
	params := make([]*types.Var, len(fn.Params))
	for i, v := range fn.Params {
		params[i], _ = v.Object().(*types.Var)
	}
	return params
}

// direct describes a write in the body of a function.
func (w *writers) direct(top *ssa.Function, c *Call) *writerFact {
	params := parametersOf(top)
	// The client's settings hold if they are known here.
	known := func(all, own Setting) valueFact {
		out := outcome{Setting: own}
		if all.State != Unknown {
			out = outcome{Setting: all}
		}
		return w.choose(encode(out, params), top)
	}
	fact := &writerFact{
		Verb: c.Verb, Patch: c.Patch, Subresource: c.Subresource, Verbs: setOf(c.Verb),
		Manager:    known(c.FieldManager, c.Own.FieldManager),
		Force:      known(c.Force, c.Own.Force),
		DryRun:     known(c.DryRun, c.Own.DryRun),
		Validation: known(c.FieldValidation, c.Own.FieldValidation),
	}
	for _, s := range []Setting{c.Client.FieldManager, c.Client.DryRun, c.Client.FieldValidation} {
		fact.Settable = fact.Settable || s.State == Unknown
	}
	if c.client != nil {
		if path, ok := stepsTo(c.client.Type(), c.clientFields); ok {
			fact.Client = w.place(top, c.client, path, c.Instr, 0)
		}
	}
	if v := w.objectValue(c); v != nil {
		fact.Object = w.place(top, v, nil, c.Instr, 0)
	}
	if inner := w.writerOf(c.Method); inner != nil && c.Family == Wrapper {
		fact.Depth, fact.Verbs = inner.Depth+1, inner.Verbs
		_, args := calleeOf(c.Instr.Common())
		for _, a := range inner.Asked {
			w.ask(fact, a, args, c.Instr, top)
		}
	}
	return fact
}

// moved is what a function writes, seen from a function that calls it.
func (w *writers) moved(fact *writerFact, args []ssa.Value, call ssa.CallInstruction, top *ssa.Function) *writerFact {
	out := *fact
	out.Depth++
	out.Asked = nil
	at := func(p place) place {
		i := p.Param - 1
		if i < 0 || i >= len(args) {
			return place{}
		}
		path, ok := stepsTo(args[i].Type(), p.Fields)
		if !ok {
			return place{}
		}
		return w.place(top, args[i], path, call, 0)
	}
	out.Client, out.Object = at(fact.Client), at(fact.Object)
	for _, s := range []struct {
		kind kind
		v    *valueFact
	}{{managerKind, &out.Manager}, {forceKind, &out.Force}, {dryRunKind, &out.DryRun}, {validationKind, &out.Validation}} {
		*s.v = w.movedValue(s.kind, *s.v, args, call, top)
	}
	for _, a := range fact.Asked {
		w.ask(&out, a, args, call, top)
	}
	return &out
}

// movedValue is a setting of what a function writes, seen from top, which calls it.
func (w *writers) movedValue(k kind, v valueFact, args []ssa.Value, call ssa.CallInstruction, top *ssa.Function) valueFact {
	switch {
	case v.Choice > 0:
		if v.Choice > len(args) {
			v.Choice = 0
			return v
		}
		options := args[v.Choice-1]
		from := w.place(top, options, nil, call, 0)
		v.Choice = 0
		if from.Param > 0 && len(from.Fields) == 0 {
			v.Choice = from.Param
			return v
		}
		return encode(w.chosen(k, v.decode(), options, call), nil)
	case v.Param == 0:
		return v
	case v.Param > len(args):
		return valueFact{}
	}
	return w.choose(encode(w.flow(k).applied(v, call, args, false, nil), parametersOf(top)), top)
}

// ask adds a place where a called function looks for a dry run.
func (w *writers) ask(fact *writerFact, a place, args []ssa.Value, at ssa.CallInstruction, top *ssa.Function) {
	i := a.Param - 1
	if i < 0 || i >= len(args) {
		fact.DryRun = valueFact{}
		return
	}
	path, ok := stepsTo(args[i].Type(), a.Fields)
	if !ok {
		fact.DryRun = valueFact{}
		return
	}
	if from := w.place(top, args[i], path, at, 0); from.Param > 0 {
		fact.Asked = appendPlace(fact.Asked, from)
		return
	}
	out := askedBy(w.flow(dryRunKind).value(args[i], path, at, nil))
	if out.State != Unset {
		fact.DryRun = encode(override(fact.DryRun.decode(), out), nil)
	}
}

func appendPlace(list []place, p place) []place {
	if len(list) >= maxAsked || slices.ContainsFunc(list, p.equal) {
		return list
	}
	return append(slices.Clip(list), p)
}

// place finds the parameter of top that a value behind a path comes from, as it
// is or as a client for a part of the API.
func (w *writers) place(top *ssa.Function, v ssa.Value, path []step, at ssa.Instruction, depth int) place {
	if depth > maxClientDepth {
		return place{}
	}
	var found place
	for n, s := range w.flow(managerKind).sources(v, path, at, nil) {
		from := w.placeOf(top, s, depth)
		if from.Param == 0 || n > 0 && !from.equal(found) {
			return place{}
		}
		found = from
	}
	return found
}

func (w *writers) placeOf(top *ssa.Function, s source, depth int) place {
	if s.lost || s.zero || s.value == nil {
		return place{}
	}
	if v, ok := s.value.(*ssa.Parameter); ok && v.Parent() == top {
		names, ok := fieldNames(v.Type(), s.path)
		if !ok {
			return place{}
		}
		return place{Param: slices.Index(top.Params, v) + 1, Fields: names}
	}
	if len(s.path) > 0 {
		call, from, ok := w.carrier(s)
		if !ok || from.Param == 0 || s.frame != nil {
			return place{}
		}
		_, args := calleeOf(call.Common())
		if from.Param > len(args) {
			return place{}
		}
		path, ok := stepsTo(args[from.Param-1].Type(), from.Fields)
		if !ok {
			return place{}
		}
		return w.place(top, args[from.Param-1], path, call, depth+1)
	}
	v := s.value
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || s.frame != nil {
		return place{}
	}
	fn, args := calleeOf(call.Common())
	if fn == nil || len(args) == 0 || fn.Type().(*types.Signature).Recv() == nil || !isAccessor(fn, ImportPath(fn.Pkg())) {
		return place{}
	}
	return w.place(top, args[0], nil, call, depth+1)
}

// asks lists the parameters of a function, and the fields of them, that tell
// whether a dry run is wanted, as far as the function or one that it calls reads
// them.
func (w *writers) asks(fn *ssa.Function, depth int) []place {
	if found, ok := w.asking[fn]; ok {
		return found
	}
	if depth > maxAskDepth {
		return nil
	}
	w.asking[fn] = nil
	var found []place
	add := func(v ssa.Value, path []step, at ssa.Instruction) {
		if p := w.place(fn, v, path, at, 0); p.Param > 0 {
			found = appendPlace(found, p)
		}
	}
	for i, param := range fn.Params {
		if isDryRun(param.Name(), param.Type()) && param.Referrers() != nil && len(*param.Referrers()) > 0 {
			found = appendPlace(found, place{Param: i + 1})
		}
	}
	all := []*ssa.Function{fn}
	for len(all) > 0 {
		body := all[0]
		all = append(all[1:], body.AnonFuncs...)
		for _, b := range body.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.UnOp:
					if addr, ok := i.X.(*ssa.FieldAddr); ok && isDryRunField(addr.X.Type(), addr.Field) {
						add(i, nil, i)
					}
				case *ssa.Field:
					if isDryRunField(i.X.Type(), i.Field) {
						add(i, nil, i)
					}
				case ssa.CallInstruction:
					callee := w.declared(i.Common().Value)
					if i.Common().IsInvoke() || callee == nil || callee.Parent() != nil {
						continue
					}
					args := i.Common().Args
					for _, a := range w.asks(callee, depth+1) {
						if a.Param > len(args) {
							continue
						}
						if path, ok := stepsTo(args[a.Param-1].Type(), a.Fields); ok {
							add(args[a.Param-1], path, i)
						}
					}
				}
			}
		}
	}
	w.asking[fn] = found
	return found
}

// isDryRun reports whether a variable tells, by its name, whether a dry run is
// wanted.
func isDryRun(name string, t types.Type) bool {
	if !strings.Contains(strings.ReplaceAll(strings.ToLower(name), "_", ""), "dryrun") {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsString|types.IsInteger) != 0
}

func isDryRunField(t types.Type, index int) bool {
	field := fieldOf(t, index)
	return field != nil && isDryRun(field.Name(), field.Type())
}

// merged is what several writes of one function have in common. The first one
// that is not a delete, with the fewest functions between, is the main one.
func merged(all []*writerFact) *writerFact {
	main := slices.MinFunc(all, func(x, y *writerFact) int { return x.rank() - y.rank() })
	out := *main
	out.Asked = nil
	var manager, force, dryRun, validation []valueFact
	for _, f := range all {
		if !f.deletes() {
			manager, validation = append(manager, f.Manager), append(validation, f.Validation)
		}
		if f.Verb == VerbPatch || f.Verb == VerbApply {
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
			force = append(force, valueFact{}) // holds for some of the writes only
		}
		for _, a := range f.Asked {
			out.Asked = appendPlace(out.Asked, a)
		}
	}
	out.Manager, out.Force = common(manager), common(force)
	out.DryRun, out.Validation = common(dryRun), common(validation)
	return &out
}

// onlyAsks reports whether a write is a dry run, whatever the caller wants.
func (f *writerFact) onlyAsks() bool {
	v := f.DryRun
	return v.State == Set && !v.Sometimes && v.Complete && len(v.Elements) > 0
}

func (f *writerFact) deletes() bool { return f.Verb == VerbDelete || f.Verb == VerbDeleteCollection }

// rank orders the writes of a function by importance; lower comes first.
func (f *writerFact) rank() int {
	if f.deletes() {
		return f.Depth + 2*maxWriterDepth
	}
	return f.Depth
}

// common is what several values have in common.
func common(all []valueFact) valueFact {
	if len(all) == 0 {
		return valueFact{State: Unset}
	}
	out, param := all[0].decode(), all[0].Param
	choice, chosen := 0, true
	for _, v := range all {
		if v.State == Unset {
			continue
		}
		chosen = chosen && v.Choice > 0 && (choice == 0 || choice == v.Choice)
		choice = v.Choice
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
		fact.Choice = choice
	}
	return fact
}

// ofMethod returns what the methods of the package's types that implement a
// method of an interface write. It is nil unless most of them do.
func (w *writers) ofMethod(m *types.Func) *writerFact {
	m = m.Origin()
	if m.Pkg() != w.pass.Pkg {
		return nil
	}
	if fact, ok := w.methods[m]; ok {
		return fact
	}
	w.methods[m] = nil
	n := w.interfaceOf(m)
	if n == nil {
		return nil
	}
	var all []*writerFact
	silent := 0
	for _, t := range slices.Concat(w.named, w.foreign) {
		if types.IsInterface(t) || !implements(t, n) {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(t, true, w.pass.Pkg, m.Name())
		method, ok := object.(*types.Func)
		if !ok {
			continue
		}
		var fact *writerFact
		if method.Pkg() != w.pass.Pkg {
			fact = w.writerOf(method)
		} else if fn := w.pkg.Prog.FuncValue(method.Origin()); fn != nil {
			fact = w.of(fn)
		}
		if fact == nil {
			silent++
			continue
		}
		all = append(all, fact)
	}
	if len(all) == 0 && silent == 0 {
		fact := unknownImplementation(m, n)
		w.methods[m] = fact
		return fact
	}
	if len(all) == 0 || silent > len(all) {
		return nil
	}
	fact := merged(all)
	// What the receiver holds depends on the type.
	if fact.Client.Param == 1 {
		fact.Client = place{}
	}
	fact.Asked = slices.DeleteFunc(slices.Clone(fact.Asked), func(p place) bool { return p.Param == 1 })
	w.methods[m] = fact
	return fact
}

// interfaceOf is the interface of the package that declares a method.
func (w *writers) interfaceOf(m *types.Func) *types.Named {
	for _, n := range w.named {
		if i, ok := n.Underlying().(*types.Interface); ok {
			for e := range i.ExplicitMethods() {
				if e == m {
					return n
				}
			}
		}
	}
	return nil
}

// implements reports whether a type, or a pointer to it, implements an
// interface. Type parameters of both must have the same order.
func implements(t, i *types.Named) bool {
	var concrete, wanted types.Type = t, i
	if params := t.TypeParams(); params.Len() > 0 {
		var args []types.Type
		for p := range params.TypeParams() {
			args = append(args, p)
		}
		var err error
		if concrete, err = types.Instantiate(nil, t, args, false); err != nil {
			return false
		}
		if i.TypeParams().Len() > 0 {
			if i.TypeParams().Len() != params.Len() {
				return false
			}
			if wanted, err = types.Instantiate(nil, i, args, false); err != nil {
				return false
			}
		}
	} else if i.TypeParams().Len() > 0 {
		return false
	}
	iface, ok := wanted.Underlying().(*types.Interface)
	return ok && types.Implements(types.NewPointer(concrete), iface)
}

// exportMakers exports facts about the functions that make values with methods
// that write: where their client comes from, and whether they ask for a dry
// run.
func (w *writers) exportMakers() {
	clients := map[*types.TypeName][]place{}
	for fn, fact := range w.done {
		if fact == nil || fn.Signature.Recv() == nil || fact.Client.Param != 1 {
			continue
		}
		if n := namedType(fn.Signature.Recv().Type()); n != nil {
			clients[n.Obj()] = appendPlace(clients[n.Obj()], fact.Client)
		}
	}
	for _, fn := range w.funcs {
		object, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !object.Exported() {
			continue
		}
		fact := w.summary(fn, object)
		if fact == nil {
			fact = new(resultFact)
		}
		results := object.Signature().Results()
		for i := range results.Len() {
			t := results.At(i).Type()
			n := namedType(t)
			if n == nil || n.Obj().Pkg() != w.pass.Pkg {
				continue
			}
			for _, c := range clients[n.Obj()] {
				if path, ok := stepsTo(t, c.Fields); ok {
					if from := w.returned(fn, i, path); from.Param > 0 {
						fact.Carried = append(fact.Carried, carriedFact{Result: i, Path: pathKey(path), From: from})
					}
				}
			}
			w.addDryRuns(fact, fn, i, t)
		}
		if len(fact.Settings)+len(fact.Clients)+len(fact.Carried) > 0 {
			w.pass.ExportObjectFact(object, fact)
		}
	}
}

// returned is the parameter that what lies behind a path of a result comes from.
func (w *writers) returned(fn *ssa.Function, result int, path []step) place {
	var found place
	for _, ret := range returnsOf(fn) {
		v := ret.Results[result]
		if isNil(v) {
			continue
		}
		from := w.place(fn, v, path, ret, 0)
		if from.Param == 0 || found.Param > 0 && !from.equal(found) {
			return place{}
		}
		found = from
	}
	return found
}

// addDryRuns adds what the fields of a result that ask for a dry run hold.
func (w *writers) addDryRuns(fact *resultFact, fn *ssa.Function, result int, t types.Type) {
	n := namedType(t)
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range s.Fields() {
		if !isDryRun(field.Name(), field.Type()) {
			continue
		}
		path, ok := stepsTo(t, []string{field.Name()})
		if !ok {
			continue
		}
		out := none
		for _, ret := range returnsOf(fn) {
			if v := ret.Results[result]; !isNil(v) {
				out = join(out, w.flow(dryRunKind).value(v, path, ret, nil))
			}
		}
		if v := encode(out, parametersOf(fn)); v.State != Unknown {
			fact.Settings = append(fact.Settings, settingFact{Result: result, Path: pathKey(path), Kind: string(dryRunKind), Value: v})
		}
	}
}

// namedType is the declared type that a type is or points to.
func namedType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return n.Origin()
}
