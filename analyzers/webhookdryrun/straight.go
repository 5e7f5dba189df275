package webhookdryrun

import (
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/ssa"
)

// straight reports whether no condition is between the beginning of the handler and an
// effect, in its function and in those that lead to it. Errors, the kind of request,
// and conditions that dry-run reachability has decided do not count.
func (c *checker) straight(e *sideeffect.Effect) bool {
	for _, via := range e.Via {
		if !c.straightTo(via) {
			return false
		}
	}
	return c.straightTo(e.Instr)
}

func (c *checker) straightTo(i ssa.Instruction) bool {
	b := i.Block()
	if b == nil || b.Parent().Synthetic != "" || reaches(b.Succs, b, nil) {
		return false // in a loop
	}
	for d := b.Idom(); d != nil; d = d.Idom() {
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		yes, no := reaches(d.Succs[:1], b, d), reaches(d.Succs[1:], b, d)
		if yes && no || innocent(branch.Cond) {
			continue
		}
		if c.skip(d.Succs[0].Instrs[0]) == c.skip(d.Succs[1].Instrs[0]) {
			return false
		}
	}
	// A literal runs where it is made or called. Its parent shows a loop around that
	// place.
	if fn := b.Parent(); fn.Parent() != nil {
		refs := uses(fn)
		for _, r := range refs {
			if !c.straightTo(r) {
				return false
			}
		}
		return len(refs) > 0
	}
	return true
}

// uses are the instructions of a literal's parent that mention it.
func uses(fn *ssa.Function) []ssa.Instruction {
	var found []ssa.Instruction
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			var operands [16]*ssa.Value
			for _, o := range i.Operands(operands[:0]) {
				if *o == ssa.Value(fn) {
					found = append(found, i)
				}
			}
		}
	}
	return found
}

// innocent reports whether a condition is about errors, types or the kind of
// request only.
func innocent(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.BinOp:
		if _, _, ok := comparison(v); ok {
			return true
		}
		if v.Op != token.EQL && v.Op != token.NEQ {
			return false
		}
		for _, x := range []ssa.Value{v.X, v.Y} {
			if k, ok := x.(*ssa.Const); ok && k.IsNil() {
				switch k.Type().Underlying().(type) {
				case *types.Interface, *types.Pointer:
					return true // an error, or no object
				}
			}
		}
	case *ssa.Extract:
		t, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && t.CommaOk
	case *ssa.UnOp:
		return v.Op == token.NOT && innocent(v.X)
	}
	return false
}

// reaches reports whether one of the blocks leads to another, not through a
// third.
func reaches(from []*ssa.BasicBlock, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		if b == to {
			return true
		}
		for _, s := range b.Succs {
			if visit(s) {
				return true
			}
		}
		return false
	}
	for _, b := range from {
		if visit(b) {
			return true
		}
	}
	return false
}
