package dryrun

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// inSeparateMode reports whether an instruction of main runs only in a mode of the
// program without a dry run. A boolean variable selects such a mode, and the program
// ends after it. main checks the dry run only later, for its other modes.
func (s *state) inSeparateMode(main *ssa.Function, at ssa.Instruction, m Mode) bool {
	if !s.programStart(main) || at.Parent() != main {
		return false
	}
	f := s.flow(main, m)
	if f == nil {
		return false
	}
	for d := at.Block().Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || !isOnlyWay(d, 0, at.Block()) || !s.branchEndsProgram(d.Succs[0]) {
			continue
		}
		if load, ok := cond.Cond.(*ssa.UnOp); ok && shapeOf(load.Type()) == Bool && !f.value(load).depends() && s.checkedOnlyAfter(f, d) {
			return true
		}
	}
	return false
}

// branchEndsProgram reports whether the program ends at the end of a branch. The
// argument is the first block of the branch.
func (s *state) branchEndsProgram(branch *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(branch.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return branch.Dominates(b) && !s.endsProgram(b) && slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool { return !branch.Dominates(next) })
	})
}

// checkedOnlyAfter reports whether a function checks the dry run, and does so only if
// the condition at the end of d is false.
func (s *state) checkedOnlyAfter(f *flow, d *ssa.BasicBlock) bool {
	checked := false
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			load, ok := instr.(*ssa.UnOp)
			if !ok || shapeOf(load.Type()) == 0 || !f.value(load).depends() {
				continue
			}
			if !isOnlyWay(d, 1, b) {
				return false
			}
			checked = true
		}
	}
	return checked
}
