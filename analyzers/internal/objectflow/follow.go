package objectflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// frame is the analysis of one function for one source.
type frame struct {
	*tracer
	fn      *ssa.Function
	source  source
	links   links
	region  region
	outcome outcome
	returns int
	hit     map[ssa.CallInstruction]bool
}

// follow returns the sinks that an object reaches in a function. If returns is true,
// the outcome also has the results and arguments that hold the object when the function
// returns.
func (t *tracer) follow(fn *ssa.Function, s source, returns bool) outcome {
	f := &frame{
		tracer: t, fn: fn, source: s, links: links{},
		outcome: outcome{unchanged: true, results: map[int]bool{}, entries: map[int]bool{}},
		hit:     map[ssa.CallInstruction]bool{},
	}
	first := live{}
	switch {
	case s.call == nil:
		first[entryPlace(fn, s.entry)] = true
	default:
		for _, v := range s.into {
			first[t.placeOf(v)] = true
		}
		for _, i := range s.results {
			first[resultOf(s.call, i)] = true
		}
		for _, c := range s.cells {
			first[c] = true
		}
	}
	sourcePlaces := first.clone()
	f.region = t.regionOf(fn, s, returns)
	paths := newPaths(fn, s.call, f.region.leading, func(v ssa.Value) bool { return sourcePlaces[f.placeOf(v)] })

	// The analysis starts after the source, in the middle of a block. A loop may lead to
	// this block again, and then to its beginning.
	start := fn.Blocks[0]
	var begin ssa.Instruction
	if s.call != nil {
		start, begin = s.call.Block(), s.call
	}
	in := map[*ssa.BasicBlock]live{}
	out := f.walk(start, begin, nil, first.clone(), false)
	queue := []*ssa.BasicBlock{}
	feed := func(b *ssa.BasicBlock, out live) {
		for _, next := range b.Succs {
			if !paths.isTaken(b, next) {
				continue
			}
			state, seen := in[next]
			if !seen {
				state = live{}
				in[next] = state
			}
			if state.join(f.stateAfterEdge(b, next, out)) || !seen {
				if !slices.Contains(queue, next) {
					queue = append(queue, next)
				}
			}
		}
	}
	feed(start, out)
	for steps := 0; len(queue) > 0 && steps < 4*len(fn.Blocks)*(len(f.links)+4); steps++ {
		b := queue[0]
		queue = queue[1:]
		if s.call != nil && b == start {
			f.walk(b, nil, s.call, in[b].clone(), false)
			continue
		}
		out := in[b]
		if f.region.using[b.Index] {
			out = f.walk(b, nil, nil, out.clone(), false)
		}
		feed(b, out)
	}
	// The state of each block is now known. A last pass records the sinks.
	f.walk(start, begin, nil, first.clone(), true)
	for _, b := range fn.Blocks {
		if state, seen := in[b]; seen && f.region.using[b.Index] {
			if s.call != nil && b == start {
				f.walk(b, nil, s.call, state.clone(), true)
			} else if s.call != nil || b != start {
				f.walk(b, nil, nil, state.clone(), true)
			}
		}
	}
	if f.returns == 0 {
		f.outcome.unchanged = false
	}
	return f.outcome
}

// resultOf returns the place of a result. Calls in go and defer statements have no results.
func resultOf(call ssa.CallInstruction, index int) place {
	if v, ok := call.(*ssa.Call); ok {
		return result(v, index)
	}
	return place{}
}

// stateAfterEdge returns the state at the start of the block to, on the edge from
// another block. The phis of the block have the values of this edge.
func (f *frame) stateAfterEdge(from, to *ssa.BasicBlock, state live) live {
	at := slices.Index(to.Preds, from)
	var become []place
	var lost []place
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if at < 0 || at >= len(phi.Edges) {
			continue
		}
		p, q := place{root: phi}, f.placeOf(phi.Edges[at])
		if isReference(phi.Type()) {
			f.links.add(p, q)
		}
		if state.has(q) {
			become = append(become, p)
		} else {
			lost = append(lost, p)
		}
	}
	if len(become)+len(lost) == 0 {
		return state
	}
	next := state.clone()
	for _, p := range lost {
		delete(next, p)
	}
	for _, p := range become {
		next[p] = true
	}
	return next
}

// walk returns the state after the instructions of a block between behind and until. It
// excludes these two instructions. A nil behind means the start of the block, and a nil
// until means its end. If record is true, walk records the calls that objects reach,
// and calls Visit.
func (f *frame) walk(b *ssa.BasicBlock, behind, until ssa.Instruction, state live, record bool) live {
	started := behind == nil
	for _, instr := range b.Instrs {
		if !started {
			started = instr == behind
			continue
		}
		if instr == until {
			break
		}
		if record && f.question.Visit != nil && len(state) > 0 {
			f.question.Visit(f.source.provenance.read, instr, func(v ssa.Value) bool { return state.has(f.placeOf(v)) })
		}
		f.step(instr, state, record)
	}
	return state
}
