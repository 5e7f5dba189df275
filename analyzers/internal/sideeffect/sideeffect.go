// Package sideeffect finds the changes that a function makes outside the program. These are
// writes to the API server, databases, files, message brokers and similar systems. A list
// has the functions that make them.
//
// It follows calls into literals and functions of the package. For functions in other
// packages of the module, it uses facts. It serves rules about code that must not change
// anything, such as an admission handler in a dry run.
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

// Effect is a call that changes something outside the program.
type Effect struct {
	// Call is the write to the API server. It is nil for other effects.
	Call *apicall.Call
	// Instr is the call that has the effect. It is never nil.
	Instr ssa.CallInstruction
	// Func is the function or literal that contains Instr.
	Func *ssa.Function
	// Via are the calls that lead to Instr, from the examined function inwards. It is empty
	// if Instr is in that function or in a literal in it.
	Via []ssa.CallInstruction
	// Pos and End are the range for findings about the effect.
	Pos, End token.Pos
	// Text describes the effect, as in "creates a ConfigMap".
	Text string
	// Lead is set instead of Text if the call runs a method of an interface of the module
	// whose implementations are not all known. It is as in example.org/shop/store.Store.Put.
	Lead string
	// Callee is the function of another package that has the effect, and Distance the
	// number of functions between this package and the effect. They are nil and 0 for
	// effects in this package.
	Callee   *types.Func
	Distance int
}

// Outer returns the instruction in the examined function, or in a literal in it, through
// which the function has the effect.
func (e *Effect) Outer() ssa.CallInstruction {
	if len(e.Via) > 0 {
		return e.Via[0]
	}
	return e.Instr
}

// Search selects effects. The zero value suits code that must support server-side dry runs.
type Search struct {
	// Skip reports whether to ignore an instruction and everything that it calls. If it
	// is nil, instructions that do not certainly run during a dry run are ignored.
	Skip func(ssa.Instruction) bool
	// Persists reports whether a write is an effect. The default is dryrun.RealWrite.
	Persists func(*apicall.Call) bool
	// Classify recognizes effects that are not in the list. The caller of Classify sets
	// Instr, Func and Via. It may be nil.
	Classify func(ssa.CallInstruction) (Effect, bool)
	// Several reports whether to follow a call into a function. The function is the only
	// implementation of an interface method or one of several, see Result.InUse, or it is in
	// a field, a map or a slice. If it is nil, only an only implementation is followed.
	Several func(call ssa.CallInstruction, implementation *ssa.Function) bool
}

// From returns the effects of a function in order of their position. Each effect is
// returned once, with the first path to it. Writes to Kubernetes APIs in functions of other
// packages are left out: see Elsewhere.
//
// From follows calls of functions, methods and literals of the package. It follows a call of
// an interface method if the package has exactly one implementation. If Search.Several is
// set, it also follows calls with several implementations. A function that is passed as an
// argument counts as called, as in retry.RetryOnConflict. For functions in other packages of
// the module, From uses facts.
func (r *Result) From(fn *ssa.Function, what Search) []*Effect {
	found, _ := r.Follow(fn, what)
	return found
}

// Follow returns the same effects as From. It also returns the calls that lead to methods of
// interfaces of the module. Their field Lead is set.
func (r *Result) Follow(fn *ssa.Function, what Search) (effects, leads []*Effect) {
	r.dry.Need()
	if what.Skip == nil {
		what.Skip = func(i ssa.Instruction) bool { return !r.runs(i) }
	}
	if what.Persists == nil {
		what.Persists = dryrun.RealWrite
	}
	s := search{Search: what, r: r, seen: map[*ssa.Function]bool{}}
	s.visit(fn, nil)
	slices.SortStableFunc(s.found, func(a, b *Effect) int { return cmp.Compare(a.Pos, b.Pos) })
	return s.found, s.leads
}

// runs reports whether an instruction certainly runs during a dry run.
func (r *Result) runs(i ssa.Instruction) bool { return r.dry.Reach(i, dryrun.Server) == dryrun.Reached }

type search struct {
	Search
	r            *Result
	seen         map[*ssa.Function]bool
	found, leads []*Effect
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

// call records the effect of a call, or follows the call.
func (s *search) call(fn *ssa.Function, i ssa.CallInstruction, via []ssa.CallInstruction) {
	if c := s.r.calls.CallAt(i); c != nil {
		if s.Persists(c) {
			s.found = append(s.found, &Effect{Call: c, Instr: i, Func: fn, Via: via, Pos: c.Pos(), End: c.End(), Text: dryrun.Describe(c)})
		}
		return
	}
	for _, classify := range []func(ssa.CallInstruction) (Effect, bool){s.Classify, Classify, ByValue, s.r.elsewhere, s.r.wrapped} {
		if classify == nil {
			continue
		}
		if e, ok := classify(i); ok {
			e.Instr, e.Func, e.Via = i, fn, via
			s.found = append(s.found, &e)
			return
		}
	}
	s.lead(fn, i, via)
	if common := i.Common(); common.IsInvoke() {
		if impl := s.r.Implementation(common.Value.Type(), common.Method); impl != nil {
			if s.Several == nil || s.Several(i, impl) {
				s.follow(fn, impl, i, via)
			}
		} else if s.Several != nil {
			for _, impl := range s.r.InUse(common.Value.Type(), common.Method) {
				if s.Several(i, impl) {
					s.follow(fn, impl, i, via)
				}
			}
		}
	} else if callee := Callee(i, fn); callee != nil {
		s.follow(fn, callee, i, via)
	} else if s.Several != nil && common.StaticCallee() == nil {
		for _, stored := range s.r.dry.Stored(i) {
			if s.Several(i, stored) {
				s.follow(fn, stored, i, via)
			}
		}
	}
	// A function that is passed as an argument runs, as in retry.RetryOnConflict(b,
	// h.write).
	for _, arg := range i.Common().Args {
		if callee := function(arg, fn); callee != nil && callee.Parent() == nil {
			s.follow(fn, callee, i, via)
		}
	}
}

// lead records the methods of interfaces that a call leads to, and the effects of the types
// of other packages that are registered for them.
func (s *search) lead(fn *ssa.Function, i ssa.CallInstruction, via []ssa.CallInstruction) {
	for _, method := range s.r.leadsAt(i) {
		s.leads = append(s.leads, &Effect{Lead: method, Instr: i, Func: fn, Via: via, Pos: i.Pos(), End: i.Pos()})
		if s.Several == nil || i.Common().IsInvoke() && !s.Several(i, nil) {
			continue
		}
		for _, t := range s.r.behindName(method) {
			name := method[strings.LastIndexByte(method, '.')+1:]
			text := t.method(name).Text + " (in " + t.Type[strings.LastIndexByte(t.Type, '/')+1:] + "." + name + ")"
			s.found = append(s.found, &Effect{Instr: i, Func: fn, Via: via, Pos: i.Pos(), End: i.Pos(), Text: text, Callee: Method(i), Distance: 1})
		}
	}
}

// elsewhere returns the effect of a call of a function in another package of the module,
// from its fact.
func (r *Result) elsewhere(i ssa.CallInstruction) (Effect, bool) {
	fact := r.foreign(i)
	if fact == nil {
		return Effect{}, false
	}
	callee := r.method(i)
	return Effect{Pos: i.Pos(), End: i.Pos(), Text: fact.Text + " (in " + callee.Name() + ")", Callee: callee, Distance: fact.Depth + 1}, true
}

// Elsewhere returns the writes in other packages of the module that a function certainly
// runs in a dry run. It leaves out the creation of objects of unknown kind, because the
// server does not store objects of every kind.
func Elsewhere(dry *dryrun.Result, fn *ssa.Function) []*Effect {
	var found []*Effect
	for _, w := range dry.Writes(fn, dryrun.Server) {
		if w.Callee == nil || unknownObject(w.Text) {
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

// callAt returns the call at a position in a function's body, or nil.
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

// literals visits the function literals that an instruction uses. It skips literals that
// are returned or stored in a field, because they run later or never.
func (s *search) literals(fn *ssa.Function, i ssa.Instruction, via []ssa.CallInstruction) {
	switch i := i.(type) {
	case *ssa.Return, *ssa.DebugRef:
		return
	case *ssa.Store:
		if _, field := i.Addr.(*ssa.FieldAddr); field {
			return
		}
	case *ssa.MakeClosure:
		// The instruction that uses the closure decides.
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

// Callee returns the function of this package that a call certainly runs, or nil. For an
// instance of a generic function, it returns the generic function.
func Callee(i ssa.CallInstruction, from *ssa.Function) *ssa.Function {
	return function(i.Common().Value, from)
}

// function returns the function that a value is, if it belongs to the package of from, or
// nil.
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
		// A method is used as a value, as in h.write or (*Handler).write.
		if m := from.Prog.FuncValue(declared(fn)); m != nil {
			fn = m
		}
	}
	if len(fn.Blocks) == 0 || fn.Pkg == nil || fn.Pkg != from.Pkg {
		return nil
	}
	return fn
}
