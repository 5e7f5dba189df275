package dryrun

import (
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// refusal is code that returns an error for a dry run together with other conditions.
// An example is the error "--dry-run can not be used when --force is set". Code that
// runs only with --force then never runs in a dry run, even if the code does not check
// the dry run.
type refusal struct {
	// others holds the other conditions. It is empty if the code always refuses a dry
	// run.
	others map[condition]bool
}

type refusalKey struct {
	of   *types.TypeName
	mode Mode
}

// condition says that a variable is set, or that it is not.
type condition struct {
	// of is the *types.Var of a field or a package variable. For other
	// variables, it is the SSA value of the variable or its address.
	of  any
	set bool
}

// isConfirmation guesses from the name of a flag or parameter whether the condition
// says that the user has confirmed the write.
func (c condition) isConfirmation() bool {
	if !c.set {
		return false
	}
	name := ""
	switch of := c.of.(type) {
	case *types.Var:
		name = of.Name()
	case *ssa.Parameter:
		name = of.Name()
	case *ssa.Alloc:
		name = of.Comment
	case *ssa.Call:
		for _, a := range of.Call.Args {
			if text, ok := stringOf(a); ok {
				name = text // the name of a flag
			}
		}
	}
	switch squeeze(name) {
	case "confirm", "confirmed", "confirmation", "yesreally", "reallydoit", "execute", "doit", "commit", "nodryrun":
		return true
	}
	return false
}

// refusals returns the refusals that apply to fn:
//
//   - those in fn and in the functions that contain fn as a literal
//   - those in other functions of the package whose other conditions are about package
//     variables
//   - those in methods of the type of fn's receiver
//
// It does not check whether such a method, for example for validation, is called before
// fn.
func (s *state) refusals(fn *ssa.Function, mode Mode) []refusal {
	var got []refusal
	for ; ; fn = fn.Parent() {
		for _, r := range s.refusalsOf(fn, mode) {
			if len(r.others) > 0 {
				got = append(got, r)
			}
		}
		if fn.Parent() == nil {
			break
		}
	}
	got = append(got, s.refusalsOfVariables(mode)...)
	return append(got, s.refusalsOfMethods(fn, mode)...)
}

// refusalsOfVariables returns the refusals of the package whose other conditions are
// about package variables.
func (s *state) refusalsOfVariables(mode Mode) []refusal {
	key := refusalKey{nil, mode}
	if got, ok := s.refusalLists[key]; ok {
		return got
	}
	var got []refusal
	for _, fn := range s.funcs {
		if s.inTest(fn) || !s.checksDirectly(fn) {
			continue
		}
		for _, r := range s.refusalsOf(fn, mode) {
			maps.DeleteFunc(r.others, func(c condition, _ bool) bool {
				v, ok := c.of.(*types.Var)
				return !ok || v.Parent() != s.pass.Pkg.Scope()
			})
			if len(r.others) > 0 {
				got = append(got, r)
			}
		}
	}
	s.refusalLists[key] = got
	return got
}

func (s *state) refusalsOfMethods(fn *ssa.Function, mode Mode) []refusal {
	recv := fn.Signature.Recv()
	if recv == nil {
		return nil
	}
	n := namedOf(recv.Type())
	if n == nil {
		return nil
	}
	key := refusalKey{n.Obj(), mode}
	if got, ok := s.refusalLists[key]; ok {
		return got
	}
	var got []refusal
	for _, m := range s.funcs {
		if r := m.Signature.Recv(); r == nil || m.Parent() != nil || namedOf(r.Type()) == nil || namedOf(r.Type()).Obj() != n.Obj() {
			continue
		}
		got = append(got, s.refusalsOf(m, mode)...)
	}
	s.refusalLists[key] = got
	return got
}

func (s *state) refusalsOf(fn *ssa.Function, m Mode) []refusal {
	f, normal := s.flow(fn, m), s.flow(fn, off)
	if f == nil || normal == nil {
		return nil
	}
	var got []refusal
	for _, b := range fn.Blocks {
		if !f.blocks[b.Index] || normal.blocks[b.Index] || !s.fails(b) {
			continue
		}
		others := s.jointConditions(b)
		if len(others) == 0 && !validates(fn.Name()) {
			continue // only this function cannot be used with a dry run
		}
		got = append(got, refusal{others})
	}
	return got
}

// fails reports whether a block returns an error that it creates, or ends the program.
func (s *state) fails(b *ssa.BasicBlock) bool {
	if len(b.Instrs) == 0 {
		return false
	}
	for _, instr := range b.Instrs {
		if call, ok := instr.(*ssa.Call); ok && s.noReturn(call) {
			return true
		}
	}
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	last := ret.Results[len(ret.Results)-1]
	if !types.Identical(last.Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	call, ok := last.(*ssa.Call)
	return ok && makesError(call)
}

// makesError reports whether a call creates an error.
func makesError(call *ssa.Call) bool {
	switch name, _ := calleeName(call.Common()); name {
	case "Errorf", "New", "UsageErrorf", "Wrap", "Wrapf":
		return true
	}
	return false
}

// validates guesses from the name of a method whether it runs before the other methods
// of its type.
func validates(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"valid", "complete", "check", "verify", "prerun"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// jointConditions returns the conditions that must all be true to reach b. They are
// joined by &&, or nested without other code between them. Conditions on the dry run
// are left out.
func (s *state) jointConditions(b *ssa.BasicBlock) map[condition]bool {
	got := map[condition]bool{}
	var otherwise *ssa.BasicBlock
	for len(b.Preds) == 1 {
		d := b.Preds[0]
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			break
		}
		yes := d.Succs[0] == b
		other := d.Succs[0]
		if yes {
			other = d.Succs[1]
		}
		if otherwise != nil && other != otherwise {
			break
		}
		otherwise = other
		s.conditionsOf(cond.Cond, yes, got, 0)
		b = d
	}
	return got
}

// conditions returns the conditions that are true whenever b runs.
func (s *state) conditions(b *ssa.BasicBlock) map[condition]bool {
	got := map[condition]bool{}
	for d := b.Idom(); d != nil; d = d.Idom() {
		if len(d.Instrs) == 0 {
			continue
		}
		if cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok {
			yes, no := isOnlyWay(d, 0, b), isOnlyWay(d, 1, b)
			if yes != no {
				s.conditionsOf(cond.Cond, yes, got, 0)
			}
		}
	}
	return got
}

// isOnlyWay reports whether b runs only after branch number way of the condition at the
// end of d.
func isOnlyWay(d *ssa.BasicBlock, way int, b *ssa.BasicBlock) bool {
	succ := d.Succs[way]
	return len(succ.Preds) == 1 && succ.Dominates(b)
}

// conditionsOf adds to into the conditions on variables that are true if v has this
// outcome.
func (s *state) conditionsOf(v ssa.Value, outcome bool, into map[condition]bool, depth int) {
	if depth > 4 {
		return
	}
	add := func(f *types.Var) {
		if f != nil && !s.vars.describe(f).ok {
			into[condition{f, outcome}] = true
		}
	}
	local := func(from, v ssa.Value) {
		if f := s.flow(from.Parent(), Client); f == nil || f.value(from).depends() {
			return // the dry run
		}
		if a, ok := v.(*ssa.FreeVar); ok {
			if outer := s.captured(a); outer != nil {
				v = outer
			}
		}
		into[condition{v, outcome}] = true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			s.conditionsOf(v.X, !outcome, into, depth+1)
			return
		}
		if of := loadedVar(v); of != nil {
			add(of)
		} else if v.Op == token.MUL {
			local(v, v.X) // a variable, or the pointer that a function such as flag.Bool returned
		}
	case *ssa.Parameter:
		local(v, v)
	case *ssa.Field:
		add(fieldOf(v.X.Type(), v.Field))
	case *ssa.BinOp:
		if v.Op == token.EQL {
			outcome = !outcome // x == "" is true if x is not set
		}
		s.conditionsOf(v.X, outcome, into, depth+1)
		s.conditionsOf(v.Y, outcome, into, depth+1)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			s.conditionsOf(v.Call.Args[0], outcome, into, depth+1)
			return
		}
		local(v, v) // resume, _ := cmd.Flags().GetBool("resume")
	case *ssa.Extract:
		local(v, v)
	}
}

// isRefused reports whether a write runs only under conditions that the program refuses
// together with a dry run, or only after the user's confirmation. path holds the calls
// from the function informed to the function with the write.
func (s *state) isRefused(informed *ssa.Function, path []ssa.Instruction, write ssa.Instruction, m Mode) bool {
	met := map[condition]bool{}
	for _, at := range append([]ssa.Instruction{write}, path...) {
		if at != nil && at.Block() != nil {
			s.addConditions(at, met, 0)
		}
	}
	for c := range met {
		if c.isConfirmation() {
			return true
		}
	}
	refusals := s.refusals(informed, m)
	for _, r := range refusals {
		if len(r.others) == 0 {
			return true
		}
		for c := range r.others {
			if met[c] {
				return true
			}
		}
	}
	return false
}

// addConditions adds to met the conditions that are true at an instruction. They are in
// its function or, if this function has only one caller, in the caller.
func (s *state) addConditions(at ssa.Instruction, met map[condition]bool, depth int) {
	for c := range s.conditions(at.Block()) {
		met[c] = true
	}
	if depth > maxOrigin {
		return
	}
	var only *site
	for _, from := range s.sites[at.Parent()] {
		if s.inTest(from.caller) {
			continue
		}
		if only != nil {
			return
		}
		only = &from
	}
	if only != nil && only.caller != at.Parent() {
		s.addConditions(only.instr, met, depth+1)
	}
}
