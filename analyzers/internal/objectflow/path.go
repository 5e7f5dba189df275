package objectflow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// paths are the paths through a function after a call that succeeded, or that failed
// with NotFound. The result of the call decides some conditions. At such a condition,
// the paths take only one branch.
type paths struct {
	start  ssa.CallInstruction // nil: the paths begin at the function's entry
	failed ssa.Value           // the error result; nil if no code uses it
	found  ssa.Value           // the bool result that is true if there is an object
	// taken has the possible successors of each block. Bit i is successor i. Bit 7 is
	// successor 7 and all later ones.
	taken []uint8
	// in has the blocks that the paths may enter. Nil means all blocks.
	in []bool
	// filled reports whether a value is the object that was read. The UID and resource
	// version of this object are not empty. filled may be nil.
	filled  func(v ssa.Value) bool
	missing bool // the call has failed with NotFound
	memo    map[ssa.Value]constant.Value
}

// null stands for a nil error. notFound stands for an error for which apierrors.IsNotFound
// is true.
var (
	null     = constant.MakeString("nil")
	notFound = constant.MakeString("NotFound")
)

// newPaths returns the paths of fn after start, or from its entry if start is nil.
func newPaths(fn *ssa.Function, start ssa.CallInstruction, in []bool, filled func(ssa.Value) bool) *paths {
	p := &paths{start: start, taken: make([]uint8, len(fn.Blocks)), in: in, filled: filled}
	p.explore(fn)
	return p
}

// newPathsAfter returns the paths of fn after a read with the given outcome.
func newPathsAfter(fn *ssa.Function, read ssa.CallInstruction, how Outcome) *paths {
	p := &paths{start: read, taken: make([]uint8, len(fn.Blocks)), missing: how == Missing}
	p.explore(fn)
	return p
}

func (p *paths) explore(fn *ssa.Function) {
	start := p.start
	first := fn.Blocks[0]
	if start != nil {
		first = start.Block()
		p.outcome(start)
	}
	// The value of a phi depends on the taken edges, and the taken edges depend on
	// values of phis. Repeat until no edge is added.
	for grown := true; grown; {
		grown = false
		p.memo = map[ssa.Value]constant.Value{}
		reached := make([]bool, len(fn.Blocks))
		reached[first.Index] = true
		for todo := []*ssa.BasicBlock{first}; len(todo) > 0; {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			follows := p.successors(b)
			for i, next := range b.Succs {
				bit := uint8(1) << min(i, 7)
				if follows&bit == 0 || p.in != nil && !p.in[next.Index] {
					continue
				}
				if p.taken[b.Index]&bit == 0 {
					p.taken[b.Index] |= bit
					grown = true
				}
				if start != nil && next == start.Block() {
					continue // the object would be read again
				}
				if !reached[next.Index] {
					reached[next.Index] = true
					todo = append(todo, next)
				}
			}
		}
	}
}

// isTaken reports whether a path leads directly from one block to another.
func (p *paths) isTaken(from, to *ssa.BasicBlock) bool {
	for i, next := range from.Succs {
		if next == to && p.taken[from.Index]&(1<<min(i, 7)) != 0 {
			return true
		}
	}
	return false
}

// outcome records the results of a call that say whether it succeeded.
func (p *paths) outcome(call ssa.CallInstruction) {
	v := call.Value()
	if v == nil {
		return
	}
	results := call.Common().Signature().Results()
	switch results.Len() {
	case 0:
	case 1:
		if isError(results.At(0).Type()) {
			p.failed = v
		}
	default:
		for _, use := range *v.Referrers() {
			e, ok := use.(*ssa.Extract)
			if !ok {
				continue
			}
			switch t := results.At(e.Index).Type(); {
			case isError(t):
				p.failed = e
			case e.Index == 1 && types.Identical(t, types.Typ[types.Bool]):
				p.found = e
			}
		}
	}
}

// successors returns the possible successors of a block, as bits. The bits are those of
// taken.
func (p *paths) successors(b *ssa.BasicBlock) uint8 {
	const all = 0xff
	if len(b.Succs) == 2 && len(b.Instrs) > 0 {
		if cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			switch c := p.value(cond.Cond, 0); {
			case c == nil:
			case c.Kind() == constant.Bool && constant.BoolVal(c):
				return 1
			case c.Kind() == constant.Bool:
				return 2
			}
		}
	}
	return all
}
