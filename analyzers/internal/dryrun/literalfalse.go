package dryrun

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// respectsParam is the fact about a function that writes unless a parameter, or a field of
// the parameter, asks for a dry run.
type respectsParam struct {
	// Param is the number of the parameter. The first is 0, and the receiver is -1.
	Param int
	// Text says what the function does without a dry run, such as "deletes a Pod".
	Text string
}

// AFact marks respectsParam as a fact.
func (*respectsParam) AFact() {}

// String returns the text of the fact in tests.
func (o *respectsParam) String() string { return "obeys: " + o.Text }

// exportRespectsParam exports the fact respectsParam about fn, if fn has such a
// parameter.
func (s *state) exportRespectsParam(fn *ssa.Function, obj *types.Func) {
	if !s.hasSources {
		return
	}
	if i, _ := s.dryRunArgument(obj.Signature()); i >= 0 || s.receiverField(obj.Signature()) != nil {
		if text := s.writeWithout(fn, i, 0); text != "" {
			s.pass.ExportObjectFact(obj, &respectsParam{Param: i, Text: text})
		}
	}
}

// receiverField returns the field for a dry run of a method's receiver. It returns nil if
// there is none, and for functions.
func (s *state) receiverField(sig *types.Signature) *types.Var {
	if sig.Recv() == nil {
		return nil
	}
	n := namedOf(sig.Recv().Type())
	f := s.vars.fieldOf(sig.Recv().Type())
	if n == nil || f == nil || !isBool(f.Type()) || s.vars.describe(f).negative || !hasField(n, f) {
		return nil
	}
	return f
}

// dryRunParam returns the number of the boolean parameter that asks for a dry run, or
// -1. The receiver does not count.
func dryRunParam(sig *types.Signature) int {
	i := 0
	for p := range sig.Params().Variables() {
		if ok, negative := dryRunName(p.Name()); ok && !negative && types.Identical(p.Type(), types.Typ[types.Bool]) {
			return i
		}
		i++
	}
	return -1
}

// dryRunArgument returns the number of the parameter that asks for a dry run, or -1. If the
// parameter is a struct of the module, it also returns the field of the struct.
func (s *state) dryRunArgument(sig *types.Signature) (int, *types.Var) {
	if i := dryRunParam(sig); i >= 0 {
		return i, nil
	}
	i := 0
	for p := range sig.Params().Variables() {
		if b, ok := s.vars.bound[p]; ok && !b.Negative && isBool(p.Type()) {
			return i, nil
		}
		i++
	}
	i = 0
	for p := range sig.Params().Variables() {
		n := namedOf(p.Type())
		if f := s.vars.fieldOf(p.Type()); f != nil && s.vars.isLocal(n.Obj().Pkg()) && types.Identical(f.Type(), types.Typ[types.Bool]) && !s.vars.describe(f).negative && hasField(n, f) {
			return i, f
		}
		i++
	}
	return -1, nil
}

// hasField reports whether a field belongs to a struct itself, and not to a struct in it.
func hasField(n *types.Named, f *types.Var) bool {
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for other := range st.Fields() {
		if other.Origin() == f {
			return true
		}
	}
	return false
}

// writeWithout describes a write that fn, or a value that fn builds, does unless the parameter
// i of fn asks for a dry run. It returns "" if there is none.
func (s *state) writeWithout(fn *ssa.Function, i, depth int) string {
	if text := s.writePreventedBy(fn, i, depth); text != "" || i < 0 {
		return text
	}
	return s.writeOfBuilt(fn, i)
}

// writePreventedBy describes a write that fn does unless its parameter i, or a field of the
// parameter, asks for a dry run. It returns "" if there is none, or if fn can also learn of
// a dry run in another way.
func (s *state) writePreventedBy(fn *ssa.Function, i, depth int) string {
	_, field := s.dryRunArgument(fn.Signature)
	if i < 0 {
		field = s.receiverField(fn.Signature)
	}
	if fn.Signature.Recv() != nil {
		i++
	}
	if depth > maxDepth || i >= len(fn.Params) || slices.ContainsFunc(s.sources(fn), func(src *Source) bool {
		return src.Object != fn.Params[i].Object() && (field == nil || src.Object != types.Object(field)) && src.Kind != Options && src.Kind != Request && (src.Kind != Global || s.readBelow(src.Object, fn))
	}) {
		return ""
	}
	return s.writePreventedIn(fn, fn.Params[i], depth)
}

// writePreventedIn describes a write of fn, or of a function literal in it, that the dry run
// in the parameter p prevents. It returns "" if there is none.
func (s *state) writePreventedIn(fn *ssa.Function, p *ssa.Parameter, depth int) string {
	f, normal := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || normal == nil {
		return ""
	}
	for _, b := range fn.Blocks {
		prevented := !f.blocks[b.Index] && normal.blocks[b.Index]
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if c := s.calls.CallAt(call); c != nil && !c.Fake && (prevented && RealWrite(c) || c.Own.DryRun.State == apicall.Set && c.Own.DryRun.Sometimes) {
				return Describe(c)
			}
			if text := s.calleeWritePrevented(call, p, prevented, depth); text != "" {
				return text
			}
		}
	}
	for _, literal := range fn.AnonFuncs {
		if text := s.writePreventedIn(literal, p, depth); text != "" {
			return text
		}
	}
	return ""
}

// readBelow reports whether fn, or a function of the package that it calls, reads a
// variable.
func (s *state) readBelow(obj types.Object, fn *ssa.Function) bool {
	v, ok := obj.(*types.Var)
	if !ok {
		return true
	}
	readers := map[*ssa.Function]bool{}
	for _, reader := range s.readers[v] {
		readers[reader] = true
	}
	return s.callsAny(fn, readers, map[*ssa.Function]bool{})
}

// calleeWritePrevented describes a write of a called function that does not happen in a
// dry run. It returns "" if there is none. The dry run prevents the write in one of two
// ways:
//
//   - prevented is true: the dry run prevents the call.
//   - The called function gets the dry run from p and respects it.
func (s *state) calleeWritePrevented(call ssa.CallInstruction, p *ssa.Parameter, prevented bool, depth int) string {
	obj := calleeObject(call.Common())
	if obj == nil {
		return ""
	}
	if prevented {
		if body := s.body(call.Common()); body != nil {
			if writes := s.writes(body, off); len(writes) > 0 {
				return writes[0].Text
			}
		} else if fact, ok := s.writerFact(obj, call, off); ok {
			return fact.Text
		}
	}
	args := arguments(call.Common())
	if i, _ := s.dryRunArgument(obj.Signature()); i >= 0 && i < len(args) && args[i] == p {
		return s.calleeWrite(call, i, depth+1)
	}
	return ""
}

// calleeWrite describes a write that a called function does unless its parameter i asks
// for a dry run. It returns "" if there is none.
func (s *state) calleeWrite(call ssa.CallInstruction, i, depth int) string {
	if body := s.body(call.Common()); body != nil {
		return s.writeWithout(body, i, depth)
	}
	var fact respectsParam
	obj := calleeObject(call.Common())
	if obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &fact) && fact.Param == i {
		return fact.Text
	}
	return ""
}

// arguments returns the arguments of a call without the receiver.
func arguments(common *ssa.CallCommon) []ssa.Value {
	if !common.IsInvoke() && common.Signature().Recv() != nil && len(common.Args) > 0 {
		return common.Args[1:]
	}
	return common.Args
}

// passesFalse returns the write of a call that passes the constant false for the dry run, or
// a struct literal without it. It returns nil for other calls, and for calls that a dry run
// prevents.
func (s *state) passesFalse(call ssa.CallInstruction, m Mode) *Write {
	obj := calleeObject(call.Common())
	if obj == nil || s.calls.CallAt(call) != nil {
		return nil
	}
	args := arguments(call.Common())
	i, field := s.dryRunArgument(obj.Signature())
	var arg ssa.Value
	param := ""
	switch {
	case i >= len(args):
		return nil
	case i >= 0:
		arg, param = args[i], obj.Signature().Params().At(i).Name()
	case call.Common().IsInvoke() || s.receiverField(obj.Signature()) == nil:
		return nil
	default:
		field = s.receiverField(obj.Signature())
		arg, param = call.Common().Args[0], namedOf(obj.Signature().Recv().Type()).Obj().Name()
	}
	if field != nil {
		param += "." + field.Name()
	}
	if field == nil && !isFalse(arg) || field != nil && !leavesOut(arg, field, call) ||
		s.reach(call, m) != Reached || s.clientChosen(call, m) || s.passesDryRun(call, m) {
		return nil
	}
	text := s.calleeWrite(call, i, 0)
	if text == "" {
		return nil
	}
	return &Write{Func: call.Parent(), Text: text, Callee: obj, Pos: call.Pos(), FalseParam: param, falseArg: i, falseField: field, instr: call}
}

// isFalse reports whether a value is the constant false.
func isFalse(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}

// leavesOut reports whether an argument of a call is a struct literal, or a pointer to one,
// that does not set a field, or sets the field to false.
func leavesOut(v ssa.Value, field *types.Var, call ssa.CallInstruction) bool {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		v = load.X
	}
	literal, ok := v.(*ssa.Alloc)
	if !ok || literal.Comment != "complit" && !isReceiverOf(literal, call) {
		return false
	}
	stored := false
	for _, r := range *literal.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.FieldAddr:
			for _, use := range *r.Referrers() {
				store, ok := use.(*ssa.Store)
				stored = stored || ok
				if !ok || fieldOf(r.X.Type(), r.Field) == field && !isFalse(store.Val) {
					return false
				}
			}
		case *ssa.Store: // m := T{…}
			stored = true
			if r.Addr != literal || literal.Comment == "complit" || !leavesOut(r.Val, field, call) {
				return false
			}
		case ssa.CallInstruction:
			if r != call {
				return false
			}
		default:
			return false
		}
	}
	return stored || literal.Comment == "complit"
}

// isReceiverOf reports whether a variable is the receiver of a call.
func isReceiverOf(a *ssa.Alloc, call ssa.CallInstruction) bool {
	common := call.Common()
	return !common.IsInvoke() && common.Signature().Recv() != nil && common.Args[0] == ssa.Value(a)
}

// Sibling is a call in a method that passes false for the dry run. A method of another
// type, with the same name and signature, passes its dry run to the same function.
type Sibling struct {
	Write *Write
	// Other is the other method, such as "Plain.Remove". At is the position of its call.
	Other string
	At    token.Pos
}

// Siblings returns the calls that pass false for the dry run, although the same method
// of another type passes its dry run. It leaves out calls in informed functions,
// because Findings returns these.
func (r *Result) Siblings() []*Sibling {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	if s.analyzed == nil || !s.hasSources {
		return nil
	}
	var got []*Sibling
	for _, fn := range s.funcs {
		if s.inTest(fn) || fn.Signature.Recv() == nil || len(s.sources(fn)) > 0 {
			continue
		}
		for _, c := range s.callees[fn] {
			if c.call == nil || c.dynamic {
				continue
			}
			if w := s.passesFalse(c.call, Client); w != nil {
				if other, at := s.sibling(fn, c); other != "" {
					got = append(got, &Sibling{Write: w, Other: other, At: at})
				}
			}
		}
	}
	slices.SortFunc(got, func(a, b *Sibling) int { return int(a.Write.Pos) - int(b.Write.Pos) })
	return got
}

// sibling returns a method of another type that passes its dry run to the same function as
// c, and the position of that call. name is "" if there is none.
func (s *state) sibling(method *ssa.Function, c callee) (name string, at token.Pos) {
	i := dryRunParam(calleeObject(c.call.Common()).Signature())
	if i < 0 {
		return "", token.NoPos
	}
	for _, from := range s.sites[c.fn] {
		other := from.caller
		if s.inTest(other) || from.call == nil || other == method || other.Name() != method.Name() || other.Signature.Recv() == nil ||
			!types.Identical(other.Signature.Params(), method.Signature.Params()) || !types.Identical(other.Signature.Results(), method.Signature.Results()) {
			continue
		}
		args := arguments(from.call.Common())
		if f := s.flow(other, Client); f != nil && i < len(args) && f.value(args[i]).depends() {
			return namedOf(other.Signature.Recv().Type()).Obj().Name() + "." + other.Name(), from.call.Pos()
		}
	}
	return "", token.NoPos
}
