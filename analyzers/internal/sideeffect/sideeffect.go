// Package sideeffect finds the changes that a function makes outside the program:
// writes to the API server, and to databases, files, message brokers and similar
// systems, as far as they are on a list. It follows calls into literals, into functions
// of the package and, by facts, into those of other packages of the module. Rules about
// code that must not change anything, like an admission handler in a dry run, share it.
package sideeffect

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"golang.org/x/tools/go/ssa"
)

// Effect is one place that changes something outside the program.
type Effect struct {
	// Call is the write to the API server; nil for effects of other kinds.
	Call *apicall.Call
	// Instr is the call that has the effect. It is never nil.
	Instr ssa.CallInstruction
	// Func is the function, declared or literal, that holds it.
	Func *ssa.Function
	// Via are the calls that lead to it, from the function in question inwards; empty
	// for effects in that function or a literal of it.
	Via []ssa.CallInstruction
	// Pos and End are the range of findings about the effect.
	Pos, End token.Pos
	// Text describes the effect, as "creates a ConfigMap".
	Text string
	// Callee is the function of another package that has the effect, and Distance the
	// number of functions between; nil and 0 for effects of this package.
	Callee   *types.Func
	Distance int
}

// Outer is the instruction of the function in question (or of a literal in it) that has
// the effect or leads to it.
func (e *Effect) Outer() ssa.CallInstruction {
	if len(e.Via) > 0 {
		return e.Via[0]
	}
	return e.Instr
}

// Search selects effects. The zero value is for code that must handle a server-side dry
// run.
type Search struct {
	// Skip reports whether an instruction, with everything that it leads to, is left
	// out, such as a guarded one. Nil leaves out instructions that do not certainly run
	// while dry run is asked for.
	Skip func(ssa.Instruction) bool
	// Persists reports which writes are effects. Nil means dryrun.Bare.
	Persists func(*apicall.Call) bool
	// Classify recognises effects besides those on the list; the caller fills in Instr,
	// Func and Via. Nil recognises none.
	Classify func(ssa.CallInstruction) (Effect, bool)
}

// From returns the effects of a function in order of their position: each once, by the
// first way that leads to it. Writes to Kubernetes APIs in functions of other packages
// are left to Elsewhere.
//
// Calls are followed if the callee is certain: functions and methods of the package,
// literals, and methods of an interface of the package that one of its types
// implements. A function that is passed to another, as to retry.RetryOnConflict, counts
// as called there. For other packages of the module, facts contain the effects.
func (r *Result) From(fn *ssa.Function, what Search) []*Effect {
	r.dry.Need()
	if what.Skip == nil {
		what.Skip = func(i ssa.Instruction) bool { return r.dry.Reach(i, dryrun.Server) != dryrun.Reached }
	}
	if what.Persists == nil {
		what.Persists = dryrun.Bare
	}
	s := search{Search: what, r: r, seen: map[*ssa.Function]bool{}}
	s.visit(fn, nil)
	slices.SortStableFunc(s.found, func(a, b *Effect) int { return cmp.Compare(a.Pos, b.Pos) })
	return s.found
}

type search struct {
	Search
	r     *Result
	seen  map[*ssa.Function]bool
	found []*Effect
}

func (s *search) visit(fn *ssa.Function, via []ssa.CallInstruction) {
	if s.seen[fn] {
		return
	}
	s.seen[fn] = true
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if s.Skip(i) {
				continue
			}
			if call, ok := i.(ssa.CallInstruction); ok {
				s.call(fn, call, via)
			}
			s.literals(fn, i, via)
		}
	}
}

// call records the effect of a call and follows the call.
func (s *search) call(fn *ssa.Function, i ssa.CallInstruction, via []ssa.CallInstruction) {
	if c := s.r.calls.CallAt(i); c != nil {
		if s.Persists(c) {
			s.found = append(s.found, &Effect{Call: c, Instr: i, Func: fn, Via: via, Pos: c.Pos(), End: c.End(), Text: dryrun.Describe(c)})
		}
		return
	}
	for _, classify := range []func(ssa.CallInstruction) (Effect, bool){s.Classify, Classify, ByValue, s.r.faraway, s.r.wrapped} {
		if classify == nil {
			continue
		}
		if e, ok := classify(i); ok {
			e.Instr, e.Func, e.Via = i, fn, via
			s.found = append(s.found, &e)
			return
		}
	}
	if common := i.Common(); common.IsInvoke() {
		if impl := s.r.Implementation(common.Value.Type(), common.Method); impl != nil {
			s.follow(fn, impl, i, via)
		}
	} else if callee := Callee(i, fn); callee != nil {
		s.follow(fn, callee, i, via)
	}
	// A function that is passed on runs: retry.RetryOnConflict(b, h.write).
	for _, arg := range i.Common().Args {
		if callee := function(arg, fn); callee != nil && callee.Parent() == nil {
			s.follow(fn, callee, i, via)
		}
	}
}

// faraway recognises calls of other packages of the module that have effects.
func (r *Result) faraway(i ssa.CallInstruction) (Effect, bool) {
	fact := r.foreign(i)
	if fact == nil {
		return Effect{}, false
	}
	callee := r.method(i)
	return Effect{Pos: i.Pos(), End: i.Pos(), Text: fact.Text + " (in " + callee.Name() + ")", Callee: callee, Distance: fact.Depth + 1}, true
}

// Elsewhere are the writes of other packages of the module that a function
// certainly leads to in a dry run, as far as dry-run analysis follows them.
// Writes of an unknown kind are left out: it may be one that is not stored.
func Elsewhere(dry *dryrun.Result, fn *ssa.Function) []*Effect {
	var found []*Effect
	for _, w := range dry.Writes(fn, dryrun.Server) {
		if w.Callee == nil || strings.HasSuffix(w.Text, " object") || strings.HasSuffix(w.Text, " objects") {
			continue
		}
		instr := callAt(w.Func, w.Pos)
		if instr == nil {
			continue
		}
		e := &Effect{Instr: instr, Func: w.Func, Pos: w.Pos, End: w.Pos, Text: w.Text + " (in " + w.Callee.Name() + ")", Callee: w.Callee, Distance: 1}
		for _, v := range w.Via {
			if call, ok := v.(ssa.CallInstruction); ok {
				e.Via = append(e.Via, call)
			}
		}
		found = append(found, e)
	}
	return found
}

// callAt is the call in a function's body at a position; nil for none.
func callAt(fn *ssa.Function, pos token.Pos) ssa.CallInstruction {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			if call, ok := i.(ssa.CallInstruction); ok && call.Pos() == pos {
				return call
			}
		}
	}
	return nil
}

func (s *search) follow(from, callee *ssa.Function, i ssa.CallInstruction, via []ssa.CallInstruction) {
	if callee.Parent() != nil {
		s.visit(callee, via) // a literal is a part of its function
		return
	}
	s.visit(callee, append(slices.Clip(via), i))
}

// literals visits the function literals that an instruction uses, other than by calling
// them. Literals that are returned or kept in a field run later, if at all.
func (s *search) literals(fn *ssa.Function, i ssa.Instruction, via []ssa.CallInstruction) {
	switch i := i.(type) {
	case *ssa.Return, *ssa.DebugRef:
		return
	case *ssa.Store:
		if _, field := i.Addr.(*ssa.FieldAddr); field {
			return
		}
	case *ssa.MakeClosure:
		// The use of the value decides.
		return
	}
	var operands [16]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		if *o == nil {
			continue
		}
		if literal := function(*o, fn); literal != nil && literal.Parent() != nil {
			s.visit(literal, via)
		}
	}
}

// Callee is the function of the package that a call certainly calls, with a body. It is
// nil if it is not certain, or of another package. It is generic for calls of an
// instance.
func Callee(i ssa.CallInstruction, from *ssa.Function) *ssa.Function {
	return function(i.Common().Value, from)
}

// function is the function of from's package that a value is.
func function(v ssa.Value, from *ssa.Function) *ssa.Function {
	if c, ok := v.(*ssa.MakeClosure); ok {
		v = c.Fn
	}
	fn, ok := v.(*ssa.Function)
	if !ok {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Synthetic != "" && fn.Object() != nil {
		// A method as a value: h.write, (*Handler).write.
		if m := from.Prog.FuncValue(declared(fn)); m != nil {
			fn = m
		}
	}
	if len(fn.Blocks) == 0 || fn.Pkg == nil || fn.Pkg != from.Pkg {
		return nil
	}
	return fn
}
