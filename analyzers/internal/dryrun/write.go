package dryrun

import (
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// Write is a write that runs while dry run is asked for and does not get the wish.
type Write struct {
	// Call is the write; nil if it is in another package.
	Call *apicall.Call
	// Func is the function of this package that holds the write, or the call
	// of the other package.
	Func *ssa.Function
	// Via are the calls that lead to it, from the function that was asked
	// for inwards; empty for its own writes. Where something other than a
	// call leads to it, as for a literal that is run at once, that stands
	// there.
	Via []ssa.Instruction
	// Text says what it does, such as "deletes a Pod".
	Text string
	// Callee is the function of another package that writes; nil if Call is set.
	Callee *types.Func
	// Pos is the write, or the call of Callee.
	Pos token.Pos

	// Deaf is the type that writes behind an interface, if the wish is handed to it and it
	// does not look.
	Deaf string

	instr ssa.Instruction
	// through are the methods of interfaces that the call leads to, if it is not known
	// whether it writes.
	through []string
}

const (
	maxWrites   = 12 // told of one function
	maxChain    = 8  // calls followed inside a package
	maxDistance = 8  // functions between a call of another package and the write
	maxOrigin   = 4  // calls and variables between a value and what it comes from
)

// writes returns the writes of fn and of the functions that it calls.
func (s *state) writes(fn *ssa.Function, m Mode) []*Write {
	return s.search(fn, m, s.found, s.ownWrites)
}

// indirect returns the calls of fn, and of the functions that it calls, that may write.
// See through.
func (s *state) indirect(fn *ssa.Function, m Mode) []*Write {
	return s.search(fn, m, s.maybe, s.ownIndirect)
}

// search collects the results of itself for fn and for the functions that it calls.
func (s *state) search(fn *ssa.Function, m Mode, found map[flowKey][]*Write, itself func(*ssa.Function, Mode) []*Write) []*Write {
	if s.own == nil {
		return nil
	}
	key := flowKey{fn, m}
	if got, ok := found[key]; ok {
		return got // nothing while it is being found: a recursion
	}
	found[key] = nil
	got := itself(fn, m)
	for _, c := range s.callees[fn] {
		if c.many || c.fn == fn || s.siteReach(c.site, m) != Reached {
			continue
		}
		for _, w := range s.search(c.fn, m, found, itself) {
			if len(w.Via) >= maxChain || len(got) >= maxWrites {
				continue
			}
			deeper := *w
			deeper.Via = append([]ssa.Instruction{c.instr}, w.Via...)
			got = append(got, &deeper)
		}
	}
	found[key] = got
	return got
}

// ownWrites are the writes in the body of fn, and its calls of functions of
// other packages that write.
func (s *state) ownWrites(fn *ssa.Function, m Mode) []*Write {
	var got []*Write
	for _, c := range s.byCall[fn] {
		if Bare(c) && s.reach(c.Instr, m) == Reached && !s.conditional(c.Instr, m) && !s.passes(c.Instr, m) {
			got = append(got, &Write{Call: c, Func: fn, Text: Describe(c), Pos: c.Pos(), instr: c.Instr})
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			got = append(got, s.deafBehind(call, m)...)
			obj := calleeObject(call.Common())
			behind := s.calls.Behind(call.Common())
			if behind != nil {
				obj = behind
			}
			if obj == nil || obj.Pkg() == nil || obj.Pkg() == s.pass.Pkg || s.calls.CallAt(call) != nil {
				continue
			}
			fact, ok := s.writerOf(obj)
			if !ok || fact.Depth > maxDistance {
				continue
			}
			if common := call.Common(); common.IsInvoke() && (behind == nil || m == Client) && !s.made(common.Value, 0) {
				continue // it may be another type's, for dry runs
			}
			if !fact.Heedless && s.handsOn(call, m) && !s.pass.ImportObjectFact(obj.Origin(), &blind{}) || s.reach(call, m) != Reached || s.conditional(call, m) {
				continue
			}
			got = append(got, &Write{Func: fn, Text: fact.Text, Callee: obj, Pos: call.Pos(), instr: call})
		}
	}
	return got
}

// writerOf returns the fact about a function of another package that writes, also
// through an interface whose type this package knows.
func (s *state) writerOf(obj *types.Func) (fact writer, ok bool) {
	if s.pass.ImportObjectFact(obj.Origin(), &fact) {
		return fact, true
	}
	var indirect through
	if !s.pass.ImportObjectFact(obj.Origin(), &indirect) {
		return fact, false
	}
	fact.Heedless = indirect.Heedless
	fact.Text, ok = s.behindMethods(indirect.Methods)
	return fact, ok
}

// made reports whether the package calls a function for each value that an interface
// can have. An interface that the package gets from a caller may be chosen for a dry
// run.
func (s *state) made(v ssa.Value, depth int) bool {
	if depth > maxOrigin {
		return false
	}
	all := func(values []ssa.Value) bool {
		for _, w := range values {
			if c, ok := w.(*ssa.Const); ok && c.IsNil() {
				continue
			}
			if !s.made(w, depth+1) {
				return false
			}
		}
		return len(values) > 0
	}
	switch v := v.(type) {
	case *ssa.Call:
		return true
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	case *ssa.ChangeInterface:
		return s.made(v.X, depth+1)
	case *ssa.UnOp:
		return all(s.storedAt(v.X))
	case *ssa.Phi:
		return all(v.Edges)
	case *ssa.Parameter:
		return all(s.given(v))
	}
	return false
}
