package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// sources returns the sources in fn, and in the functions that contain fn as a literal.
func (s *state) sources(fn *ssa.Function) []*Source {
	if s.analyzed == nil || !s.hasSources {
		return nil
	}
	if got, ok := s.sourceLists[fn]; ok {
		return got
	}
	s.sourceLists[fn] = nil
	c := &collector{s: s, seen: map[types.Object]bool{}}
	if fn.Parent() != nil {
		for _, src := range s.sources(fn.Parent()) {
			c.seen[src.Object] = true
			c.got = append(c.got, src)
		}
	}
	c.params(fn)
	c.loadsAndCalls(fn)
	c.globals(fn)
	c.acceptedFlags(fn)
	slices.SortStableFunc(c.got, func(a, b *Source) int { return int(a.Kind) - int(b.Kind) })
	s.sourceLists[fn] = c.got
	return c.got
}

type collector struct {
	s    *state
	seen map[types.Object]bool
	got  []*Source
}

// add adds a source and returns it. It returns nil if it adds none, because the source
// is already known, does not say whether there is a dry run, or may be checked in code
// that does not compile.
func (c *collector) add(kind SourceKind, shape Shape, obj types.Object, base *types.Var) *Source {
	if obj == nil || c.seen[obj] || shape == Text && c.s.isDryRunKind(obj) {
		return nil
	}
	v, variable := obj.(*types.Var)
	if (kind == Field || kind == Global || variable && v.IsField()) && c.s.code.Mentions(obj) {
		return nil // code that does not compile may check it first
	}
	c.seen[obj] = true
	src := &Source{Kind: kind, Shape: shape, Object: obj, Base: base}
	_, src.called = obj.(*types.Func)
	src.here = obj.Pkg() == c.s.pass.Pkg
	if variable {
		src.negated = c.s.hasOtherName(v) && c.s.vars.describe(v).negative
	}
	if b, ok := c.s.vars.bound[obj]; ok {
		src.Flag, src.FlagPos = b.Flag, b.pos
	} else if variable {
		var fact flagBound
		if v.Pkg() != nil && v.Pkg() != c.s.pass.Pkg && c.s.pass.ImportObjectFact(v, &fact) {
			src.Flag = fact.Flag
		}
	}
	c.got = append(c.got, src)
	return src
}

// isDryRunKind reports whether a string variable says how to do a dry run, and not
// whether. An example is the option that Helm passes to its rendering. It returns false
// for a variable to which a flag is bound, because such a flag asks for a dry run.
func (s *state) isDryRunKind(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok || s.vars.describe(v).bound {
		return false
	}
	name := squeeze(v.Name())
	return strings.HasSuffix(name, "option") || strings.HasSuffix(name, "opt")
}

func (c *collector) params(fn *ssa.Function) {
	for _, p := range fn.Params {
		v, ok := p.Object().(*types.Var)
		if !ok || v.Name() == "_" {
			continue
		}
		if w := c.s.vars.describe(v); w.ok && (!w.negative || c.s.hasOtherName(v)) {
			c.add(Parameter, shapeOf(v.Type()), v, nil)
			continue
		}
		c.requestParam(p)
		n := namedOf(elem(v.Type()))
		switch {
		case n == nil:
		case isOptions(n):
			if strings.HasSuffix(n.Obj().Name(), "Options") || strings.HasSuffix(n.Obj().Name(), "Option") {
				switch n.Obj().Name() {
				case "GetOptions", "ListOptions", "GetOption", "ListOption":
				default:
					c.add(Options, List, v, nil)
				}
			}
		case isRequest(n):
			c.add(Request, Bool, v, nil)
		default:
			if f, before := c.s.vars.findField(v.Type(), 0); f != nil && (c.s.reads[f] || c.s.unread(f)) {
				if src := c.add(Field, shapeOf(f.Type()), f, v); src != nil {
					src.fieldPath = before
				}
			} else if method := c.s.predicateOf(v, fn); method != nil {
				c.add(Field, Bool, method, v)
			}
		}
	}
}

// hasOtherName reports whether a variable holds the dry run, or the opposite, although
// its name does not say dry run.
func (s *state) hasOtherName(v *types.Var) bool {
	_, bound := s.vars.bound[v]
	named, _ := dryRunName(v.Name())
	return bound && !named
}

// unread reports whether a flag or a parameter sets a field to the dry run, and no code
// reads the field. It returns false for fields that other packages can read.
func (s *state) unread(f *types.Var) bool {
	if s.forgotten[f] != "" {
		return true
	}
	if f.Exported() || f.Pkg() != s.pass.Pkg || s.reads[f] {
		return false
	}
	return s.vars.bound[f].pos.IsValid() || slices.ContainsFunc(s.stores[f], func(st *ssa.Store) bool {
		given, ok := st.Val.(*ssa.Parameter)
		if !ok || s.inTest(st.Parent()) {
			return false
		}
		v, ok := given.Object().(*types.Var)
		return ok && s.vars.describe(v).ok
	})
}

// elem returns the element type of a slice type, such as that of a variadic parameter.
// It returns other types unchanged.
func elem(t types.Type) types.Type {
	if s, ok := t.(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// isRequest reports whether a type is the request of a webhook or an admission plugin.
func isRequest(n *types.Named) bool {
	if n.Obj().Pkg() == nil {
		return false
	}
	switch path := unvendored(n.Obj().Pkg().Path()); n.Obj().Name() {
	case "Request":
		return path == "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	case "AdmissionRequest", "AdmissionReview":
		return strings.HasPrefix(path, "k8s.io/api/admission/")
	case "Attributes":
		return path == "k8s.io/apiserver/pkg/admission"
	}
	return false
}

// inKubewebhook reports whether the source is the dry run in a review of kubewebhook.
func (s *Source) inKubewebhook() bool {
	path := ""
	if s.Kind == Field && s.Object.Pkg() != nil {
		path = unvendored(s.Object.Pkg().Path())
	}
	return strings.HasPrefix(path, "github.com/slok/kubewebhook/") && strings.HasSuffix(path, "/pkg/model")
}

// loadsAndCalls adds the sources that the function loads, looks up or gets from calls.
func (c *collector) loadsAndCalls(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				if local := c.s.namedLocal(v); local != nil && c.s.hasUse(v) {
					c.add(Local, Bool, local, nil)
				}
			}
			switch instr := instr.(type) {
			case *ssa.Alloc:
				c.alloc(instr)
			case *ssa.UnOp:
				if v := loadedVar(instr); v != nil && c.s.hasUse(instr) && !ofAPI(instr.X) {
					c.load(v)
				}
			case *ssa.Field:
				if v := fieldOf(instr.X.Type(), instr.Field); v != nil && c.s.hasUse(instr) && !isAPIType(instr.X.Type()) {
					c.load(v)
				}
			case *ssa.Call:
				c.call(instr)
			case *ssa.Lookup:
				c.argument(instr)
			}
		}
	}
}

func (c *collector) load(v *types.Var) {
	w := c.s.vars.describe(v)
	if !w.ok || w.negative || w.kind != 0 {
		return
	}
	if !v.IsField() {
		c.add(Global, shapeOf(v.Type()), v, nil)
	} else if !c.s.apiField(v) {
		c.add(Local, shapeOf(v.Type()), v, nil)
	}
}

// ofAPI reports whether an address is a field of an API object or of its spec. A dry
// run in such a field concerns only the object and its reconciler.
func ofAPI(addr ssa.Value) bool {
	field, ok := addr.(*ssa.FieldAddr)
	return ok && isAPIType(field.X.Type())
}

func isAPIType(t types.Type) bool {
	n := namedOf(t)
	return n != nil && isAPI(n)
}

// apiField guesses from the import path whether a field belongs to an API type. It
// returns false for fields to which flags are bound.
func (s *state) apiField(v *types.Var) bool {
	if s.vars.describe(v).bound {
		return false
	}
	if v.Pkg() == nil {
		return true
	}
	path := unvendored(v.Pkg().Path())
	return strings.Contains(path, "/apis/") || strings.Contains(path, "/api/") || strings.HasSuffix(path, "/api") || strings.HasPrefix(path, "k8s.io/api/")
}

func (c *collector) alloc(a *ssa.Alloc) {
	c.request(a)
	shape := shapeOf(a.Type().(*types.Pointer).Elem())
	if shape == 0 || shape == List {
		return
	}
	if b, ok := c.s.locals[a.Pos()]; ok && !b.Negative {
		if obj := c.s.localAt(a); obj != nil {
			c.add(Local, shape, obj, nil)
		}
	}
}

// localAt returns the bound variable that an Alloc creates; nil if there is none.
func (s *state) localAt(a *ssa.Alloc) types.Object {
	for obj := range s.vars.bound {
		if obj.Pos() == a.Pos() {
			return obj
		}
	}
	return nil
}

// call adds the result of a call such as cmd.Flags().GetBool("dry-run") or
// cmdutil.GetDryRunStrategy(cmd).
func (c *collector) call(call *ssa.Call) {
	if n, f := c.s.loads(call); f != nil {
		c.decoded(f, n.Obj().Name())
	}
	if l := c.s.loadedBy(call); l != nil && c.s.roots[call.Parent()] {
		if src := c.decoded(l.field, l.in.Obj().Name()); src != nil {
			src.Flag, src.FlagPos = l.flag, l.at.Pos()
		}
	}
	shape, flag := lookedUp(call)
	if shape == 0 || len(*call.Referrers()) == 0 {
		return // a call without uses may declare a flag
	}
	if src := c.add(Local, shape, calleeObject(call.Common()), nil); src != nil && flag != "" {
		src.Flag, src.FlagPos = strings.TrimLeft(flag, "-"), call.Pos()
	}
}

// lookedUp returns the shape of the dry run that a call looks up; 0 for other calls.
// flag is the name of the flag or environment variable; "" if the called function takes
// no name.
func lookedUp(call *ssa.Call) (shape Shape, flag string) {
	obj := calleeObject(call.Common())
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() == "fmt" || obj.Pkg().Path() == "strings" {
		return 0, ""
	}
	if obj.Name() == "Changed" || obj.Name() == "IsSet" {
		return 0, "" // this call asks whether the user sets the flag, for example to refuse it
	}
	results := obj.Signature().Results()
	if results.Len() == 0 || shapeOf(results.At(0).Type()) == 0 {
		return 0, ""
	}
	switch shape = shapeOf(results.At(0).Type()); shape {
	case Strategy:
		return shape, ""
	case List:
		return 0, "" // such as the aliases of a command that is called dry-run
	}
	// A dry run in an object's spec or annotations concerns only the object and its
	// reconciler.
	given := call.Call.Args
	if call.Call.IsInvoke() {
		given = append(slices.Clip(given), call.Call.Value)
	}
	for _, a := range given {
		if n := namedOf(a.Type()); n != nil && isAPI(n) || isObject(a.Type()) {
			return 0, ""
		}
	}
	for _, a := range call.Call.Args {
		if name, ok := stringOf(a); ok {
			if ok, negative := dryRunName(name); ok && !negative {
				return shape, name
			}
		}
	}
	if ok, negative := predicateName(obj.Name()); ok && !negative && shape == Bool && !strings.HasPrefix(unvendored(obj.Pkg().Path()), "k8s.io/api") {
		return shape, ""
	}
	return 0, ""
}

// isObject reports whether a type is that of an API object, such as metav1.Object.
func isObject(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetAnnotations")
	_, ok := obj.(*types.Func)
	return ok
}

// checks reports whether fn, or a function that it calls, checks a source.
func (s *state) checks(fn *ssa.Function) bool {
	if s.analyzed == nil {
		return false
	}
	if got, ok := s.checked[fn]; ok {
		return got
	}
	s.checked[fn] = false
	got := s.checksDirectly(fn) || s.callsChecker(fn)
	for _, c := range s.callees[fn] {
		got = got || s.checks(c.fn)
	}
	s.checked[fn] = got
	return got
}

// checksDryRun is the fact about a function that checks a source, itself or in a
// function that it calls.
type checksDryRun struct {
	// Branches is true if the function builds its result differently in a dry run, so the
	// result may write nothing.
	Branches bool
}

// AFact marks checksDryRun as a fact.
func (*checksDryRun) AFact() {}

// String returns the text of the fact in tests.
func (*checksDryRun) String() string { return "asks" }

// callsChecker reports whether fn makes a call for which isChecker returns true.
func (s *state) callsChecker(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && s.isChecker(call.Common()) {
				return true
			}
		}
	}
	return false
}

// isChecker reports whether a call runs a function of another package that has the fact
// checksDryRun, or a function that does not compile and mentions the dry run.
func (s *state) isChecker(common *ssa.CallCommon) bool {
	obj := calleeObject(common)
	if obj == nil {
		return false
	}
	return s.code.UnseenDryRun(obj) || obj.Pkg() != s.pass.Pkg && s.vars.isLocal(obj.Pkg()) && s.pass.ImportObjectFact(obj.Origin(), &checksDryRun{})
}

func (s *state) checksDirectly(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && s.namedLocal(v) != nil {
				return true
			}
			var v *types.Var
			switch instr := instr.(type) {
			case *ssa.UnOp:
				v = loadedVar(instr)
			case *ssa.Field:
				v = fieldOf(instr.X.Type(), instr.Field)
			case *ssa.FieldAddr:
				v = fieldOf(instr.X.Type(), instr.Field)
			case *ssa.Call:
				if ok, _ := predicateName(calleeNameOnly(instr.Common())); ok {
					return true
				}
				for _, a := range instr.Call.Args {
					if name, ok := stringOf(a); ok && flagName(name) {
						return true
					}
				}
			}
			if v != nil && s.vars.describe(v).ok && !s.readOnlyForOutput(instr) {
				return true
			}
		}
	}
	for _, p := range fn.Params {
		if v, ok := p.Object().(*types.Var); ok && s.vars.describe(v).ok && len(*p.Referrers()) > 0 {
			return true
		}
	}
	return false
}

func calleeNameOnly(common *ssa.CallCommon) string {
	name, _ := calleeName(common)
	return name
}
