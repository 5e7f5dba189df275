package objectflow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Outcome is the outcome of a read.
type Outcome uint8

const (
	// Found means that the read returned an object.
	Found Outcome = iota
	// Missing means that the read failed with an error for which apierrors.IsNotFound is
	// true.
	Missing
)

// Leads reports whether the instruction to can run after a read with the given outcome,
// before the read runs again. It returns false if they are in different functions.
func (r *Result) Leads(read ssa.CallInstruction, how Outcome, to ssa.Instruction) bool {
	fn := read.Parent()
	if fn == nil || fn != to.Parent() {
		return false
	}
	if b := read.Block(); b == to.Block() && slices.Index(b.Instrs, ssa.Instruction(read)) < slices.Index(b.Instrs, to) {
		return true
	}
	p := newPathsAfter(fn, read, how)
	if to.Block() == read.Block() {
		return false
	}
	for _, pred := range to.Block().Preds {
		if p.isTaken(pred, to.Block()) {
			return true
		}
	}
	return false
}

// CallsNamed reports whether fn, or related code, calls a function whose name contains
// a word. For example, "onflict" finds code that tests for a conflict, or that retries
// after one. The related code is:
//
//   - the direct and indirect callers of fn, and the functions that contain them, as in
//     SelfOrCaller
//   - the literals in all these functions
//   - the functions of the package to which they pass an error
func (r *Result) CallsNamed(fn *ssa.Function, word string) bool {
	return r.SelfOrCaller(fn, func(f *ssa.Function) bool { return r.callsNamed(f, word, true) })
}

// SelfOrCaller reports whether is returns true for fn, for a direct or indirect caller
// of fn in the package, or for a function that contains one of these functions as a
// literal.
func (r *Result) SelfOrCaller(fn *ssa.Function, is func(*ssa.Function) bool) bool {
	seen := map[*ssa.Function]bool{fn: true}
	for todo := []*ssa.Function{fn}; len(todo) > 0; {
		f := todo[0]
		todo = todo[1:]
		if is(f) {
			return true
		}
		for _, up := range r.Callers(f) {
			if !seen[up] {
				seen[up] = true
				todo = append(todo, up)
			}
		}
	}
	return false
}

// Callers returns the functions of the package that call fn, and the function that
// contains fn if fn is a literal.
func (r *Result) Callers(fn *ssa.Function) []*ssa.Function {
	r.callersOnce.Do(func() {
		r.callers = map[*ssa.Function][]*ssa.Function{}
		for _, f := range r.functions() {
			if p := f.Parent(); p != nil {
				r.callers[f] = append(r.callers[f], p)
			}
			for _, b := range f.Blocks {
				for _, instr := range b.Instrs {
					if call, ok := instr.(ssa.CallInstruction); ok {
						for _, target := range r.targets(call) {
							if !slices.Contains(r.callers[target], f) {
								r.callers[target] = append(r.callers[target], f)
							}
						}
					}
				}
			}
		}
	})
	return r.callers[fn]
}

// callsNamed reports whether fn, or a literal in it, calls a function whose name
// contains a word. If deep is true, it also searches the functions of the package to
// which fn passes an error.
func (r *Result) callsNamed(fn *ssa.Function, word string, deep bool) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee := Callee(call); callee != nil && strings.Contains(callee.Name(), word) {
				return true
			}
			if deep && slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool { return isError(v.Type()) }) &&
				slices.ContainsFunc(r.targets(call), func(f *ssa.Function) bool { return r.callsNamed(f, word, false) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(f *ssa.Function) bool { return r.callsNamed(f, word, deep) })
}

// Values returns the declared functions and methods of the package that are used as values.
func (r *Result) Values() map[*ssa.Function]bool {
	values := map[*ssa.Function]bool{}
	var operands [16]*ssa.Value
	for _, f := range r.functions() {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				called := ssa.Value(nil)
				if call, ok := instr.(ssa.CallInstruction); ok && !call.Common().IsInvoke() {
					called = call.Common().Value
				}
				for _, o := range instr.Operands(operands[:0]) {
					if *o == nil || *o == called {
						continue
					}
					if fn, ok := (*o).(*ssa.Function); ok {
						r.addValue(values, fn)
					}
				}
			}
		}
	}
	return values
}

// addValue adds a function that is used as a value. If it is a bound method, addValue
// adds the method.
func (r *Result) addValue(values map[*ssa.Function]bool, fn *ssa.Function) {
	if fn.Parent() != nil {
		return
	}
	if obj := fn.Object(); fn.Synthetic != "" && obj != nil {
		for _, f := range r.functions() {
			if f.Object() == obj {
				values[f] = true
			}
		}
		return
	}
	values[fn] = true
}
