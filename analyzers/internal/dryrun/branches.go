package dryrun

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// lookedUpElsewhere reports whether fn looks up the source src only in code that does
// not run before the instruction at: in other branches, or after it. A lookup is a call
// such as os.Getenv("DRY_RUN") or an element such as args["dry_run"]. It can also be in
// a function around fn. The result is false for sources that are not looked up.
func (s *state) lookedUpElsewhere(src *Source, fn *ssa.Function, at ssa.Instruction) bool {
	if src.Kind != Local || !src.called && src.lookup == nil {
		return false
	}
	found := false
	for fn != nil && at != nil && at.Block() != nil {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if !src.isLookedUpBy(instr) {
					continue
				}
				if s.mayFollow(instr, at) || s.mayFollow(at, instr) && !s.inOtherBranch(fn, instr.Pos(), at.Pos()) {
					return false
				}
				found = true
			}
		}
		fn, at = fn.Parent(), firstUse(fn)
	}
	return found
}

// isLookedUpBy reports whether an instruction is the lookup of this source.
func (src *Source) isLookedUpBy(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Lookup:
		return instr == src.lookup
	case *ssa.Call:
		shape, _ := lookedUp(instr)
		return shape != 0 && calleeObject(instr.Common()) == src.Object
	}
	return false
}

// inOtherBranch reports whether a lookup is in a branch of fn that does not contain the
// position at. It returns false if a variable keeps the result of the lookup after that
// branch.
func (s *state) inOtherBranch(fn *ssa.Function, lookup, at token.Pos) bool {
	syntax := fn.Syntax()
	if syntax == nil || !lookup.IsValid() || !at.IsValid() {
		return false
	}
	within := func(pos, from, to token.Pos) bool { return from <= pos && pos < to }
	found, kept := false, false
	branch := func(from, to token.Pos) {
		found = found || within(lookup, from, to) && !within(at, from, to)
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if n == nil || !within(lookup, n.Pos(), n.End()) {
			return false
		}
		switch n := n.(type) {
		case *ast.IfStmt:
			branch(n.Body.Pos(), n.Body.End())
			if other, ok := n.Else.(*ast.BlockStmt); ok {
				branch(other.Pos(), other.End())
			}
		case *ast.CaseClause:
			branch(n.Colon, n.End())
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if t := s.pass.TypesInfo.TypeOf(to); n.Tok == token.ASSIGN && t != nil && shapeOf(t) != 0 {
					kept = true // code after the branch can read it
				}
			}
		}
		return true
	})
	return found && !kept
}

// firstUse returns the first instruction of the enclosing function that uses a function
// literal. It returns nil if the function is not a literal.
func firstUse(literal *ssa.Function) ssa.Instruction {
	if literal.Parent() == nil {
		return nil
	}
	for _, b := range literal.Parent().Blocks {
		for _, instr := range b.Instrs {
			for _, operand := range instr.Operands(nil) {
				if *operand == literal {
					return instr
				}
			}
		}
	}
	return nil
}

// mayFollow reports whether later may run after first. If both are in a loop, only the
// same iteration counts. Code after a loop follows the code in the loop.
func (s *state) mayFollow(first, later ssa.Instruction) bool {
	if first.Block() == later.Block() {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	todo := []*ssa.BasicBlock{first.Block()}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == later.Block() {
			return true
		}
		if seen[b] || s.endsProgram(b) {
			continue
		}
		seen[b] = true
		for _, next := range b.Succs {
			if !next.Dominates(b) {
				todo = append(todo, next)
				continue
			}
			for _, exit := range next.Succs {
				if !exit.Dominates(b) && exit != next {
					todo = append(todo, exit)
				}
			}
		}
	}
	return false
}

// endsProgram reports whether the program ends in a block, for example with os.Exit.
func (s *state) endsProgram(b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		if call, ok := instr.(*ssa.Call); ok && s.noReturn(call) {
			return true
		}
	}
	return false
}
