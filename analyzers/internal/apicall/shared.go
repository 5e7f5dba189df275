package apicall

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// captured returns the setting at a path in a variable of the enclosing function that a
// literal captures.
func (f *flow) captured(v *ssa.FreeVar, path []step, fr *frame) outcome {
	binding, made := f.program.bound(v)
	if binding == nil {
		return unknown
	}
	return f.value(binding, path, made, outerOf(fr))
}

// bound returns the value in the enclosing function that a captured variable of a
// literal stands for, and the instruction that creates the literal. Both are nil if
// they are not known.
func (p *program) bound(v *ssa.FreeVar) (ssa.Value, *ssa.MakeClosure) {
	p.collect()
	i := slices.Index(v.Parent().FreeVars, v)
	made := p.literals[v.Parent()]
	if made == nil || i < 0 || i >= len(made.Bindings) {
		return nil, nil
	}
	return made.Bindings[i], made
}

func outerOf(fr *frame) *frame {
	if fr == nil {
		return nil
	}
	return fr.outer
}

// capturedMemory returns the setting in a location whose root is a captured variable.
// It joins the value at the creation of the literal with all values that are stored
// later.
func (f *flow) capturedMemory(v *ssa.FreeVar, l location, fr *frame) outcome {
	binding, made := f.program.bound(v)
	if binding == nil {
		return unknown
	}
	outer := locate(binding).to(l.path)
	out := f.memory(outer, made, outerOf(fr))
	for _, s := range f.program.storesTo(outer.root) {
		if rest, ok := outer.pathFrom(s.Addr); ok && follows(s, made) {
			out = join(out, f.definition(definition{origin: stored, value: s.Val, rest: rest, at: s}, outerOf(fr)))
		}
	}
	for _, d := range f.sharedStores(outer, nil) {
		if d.inside != v.Parent() {
			out = join(out, f.definition(d, outerOf(fr)))
		}
	}
	return out
}

// follows reports whether instruction s may run after instruction i.
func follows(s, i ssa.Instruction) bool {
	if s.Block() == i.Block() {
		instrs := s.Block().Instrs
		if slices.Index(instrs, s) > slices.Index(instrs, i) {
			return true
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	var from func(b *ssa.BasicBlock) bool
	from = func(b *ssa.BasicBlock) bool {
		for _, next := range b.Succs {
			if next == s.Block() {
				return true
			}
			if !seen[next] {
				seen[next] = true
				if from(next) {
					return true
				}
			}
		}
		return false
	}
	return from(i.Block())
}

// sharedStores returns the stores of function literals to a location that may run
// before the instruction at. If at is nil, it returns all of these stores. The location
// must be in a variable that the literals capture.
func (f *flow) sharedStores(l location, at ssa.Instruction) []definition {
	switch l.root.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil
	}
	var out []definition
	for _, r := range *l.root.Referrers() {
		made, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		literal := made.Fn.(*ssa.Function)
		for i, b := range made.Bindings {
			if b != l.root || i >= len(literal.FreeVars) {
				continue
			}
			shared := location{literal.FreeVars[i], l.path}
			for _, s := range f.program.storesTo(shared.root) {
				if rest, ok := shared.pathFrom(s.Addr); ok && (at == nil || follows(at, made)) {
					out = append(out, definition{origin: stored, value: s.Val, rest: rest, at: s, inside: literal})
				}
			}
		}
	}
	return out
}

// storesTo returns the stores to a local or captured variable, and to the memory to
// which it points.
func (p *program) storesTo(root ssa.Value) []*ssa.Store {
	p.collect()
	return p.localStores[root]
}

// pathFrom returns the path from the value at an address to the location. ok is false
// if the location is not inside this value.
func (l location) pathFrom(addr ssa.Value) (rest []step, ok bool) {
	a := locate(addr)
	if a.root != l.root || len(a.path) > len(l.path) || !slices.Equal(a.path, l.path[:len(a.path)]) {
		return nil, false
	}
	return l.path[len(a.path):], true
}

// frameOf returns the frame in which the value of a definition is computed.
func (f *flow) frameOf(d definition, fr *frame) *frame {
	if d.inside == nil {
		return fr
	}
	key := literalFrame{d.inside, fr}
	in, ok := f.literals[key]
	if !ok {
		in = &frame{fn: d.inside, outer: fr, depth: depthOf(fr)}
		if f.literals == nil {
			f.literals = map[literalFrame]*frame{}
		}
		f.literals[key] = in
	}
	return in
}

// literalFrame identifies a literal and the frame of the function around it.
type literalFrame struct {
	fn    *ssa.Function
	outer *frame
}
