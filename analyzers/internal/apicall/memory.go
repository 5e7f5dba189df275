package apicall

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// step is one step on a path into a value: the index of a field, or deref from a pointer to
// its target.
type step int

const deref step = -1

// location is a place in memory: a pointer, and the path from its target to the place.
type location struct {
	root ssa.Value
	path []step
}

// locate returns the location that an address points to. Two loads of the same pointer
// variable have the same location. That is right only if no code changes the variable
// between the loads.
func locate(addr ssa.Value) location {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		l := locate(a.X)
		return location{l.root, append(slices.Clip(l.path), step(a.Field))}
	case *ssa.UnOp:
		if a.Op == token.MUL {
			l := locate(a.X)
			return location{l.root, append(slices.Clip(l.path), deref)}
		}
	case *ssa.ChangeType:
		return locate(a.X)
	case *ssa.MakeInterface:
		return locate(a.X)
	case *ssa.ChangeInterface:
		return locate(a.X)
	case *ssa.TypeAssert:
		if !a.CommaOk {
			return locate(a.X)
		}
	case *ssa.Call:
		if same, ok := fluent(a); ok {
			return locate(same)
		}
	}
	return location{root: addr}
}

func (l location) to(path []step) location {
	return location{l.root, append(slices.Clip(l.path), path...)}
}

type originKind uint8

const (
	// zeroMemory: the variable has its zero value.
	zeroMemory originKind = iota
	// stored: an instruction stored the value in the field value.
	stored
	// entered: the walk reached the start of the function, or the definition of the
	// location's root.
	entered
	// changed: the call in the field at changed the contents in the field before.
	changed
	// lost: the call in the field at may have stored anything.
	lost
)

// definitions returns the possible contents of a location right before an instruction. It
// walks backwards through the function.
func (f *flow) definitions(l location, at ssa.Instruction) []definition {
	w := &walk{flow: f, location: l, seen: map[*ssa.BasicBlock]bool{}}
	block := at.Block()
	if block == nil {
		return []definition{{origin: lost, at: at}}
	}
	w.back(block, slices.Index(block.Instrs, at))
	return append(w.found, f.sharedStores(l, at)...)
}

type walk struct {
	flow     *flow
	location location
	seen     map[*ssa.BasicBlock]bool
	found    []definition
	// through has the calls on the walk's way that change the location. If the walk
	// reaches one of them again, the call is in a loop, and the walk stops.
	through []ssa.Instruction
}

// back examines the instructions of a block before an index, and then the blocks before.
func (w *walk) back(b *ssa.BasicBlock, before int) {
	for i := before - 1; i >= 0; i-- {
		w.flow.steps++
		if w.flow.steps > maxSteps {
			w.found = append(w.found, definition{origin: lost, at: b.Instrs[i]})
			return
		}
		if w.instruction(b.Instrs[i]) {
			return
		}
	}
	if len(b.Preds) == 0 {
		w.found = append(w.found, definition{origin: entered, location: w.location})
		return
	}
	for _, p := range b.Preds {
		if !w.seen[p] {
			w.seen[p] = true
			w.back(p, len(p.Instrs))
		}
	}
}

// instruction reports whether an instruction determines the content of the location. It
// records the content.
func (w *walk) instruction(i ssa.Instruction) bool {
	if v, ok := i.(ssa.Value); ok && v == w.location.root {
		d := definition{origin: entered, location: w.location, at: i}
		if _, ok := v.(*ssa.Alloc); ok {
			d.origin = zeroMemory
		}
		w.found = append(w.found, d)
		return true
	}
	switch i := i.(type) {
	case *ssa.Store:
		rest, ok := w.location.behind(i.Addr)
		if ok {
			w.found = append(w.found, definition{origin: stored, value: i.Val, rest: rest, at: i})
		}
		return ok
	case ssa.CallInstruction:
		return w.call(i)
	}
	return false
}

// call examines a call that may have a pointer to the location. It reports whether the call
// determines the content.
func (w *walk) call(i ssa.CallInstruction) bool {
	if _, isDefer := i.(*ssa.Defer); isDefer {
		return false
	}
	switch w.flow.effect(i, w.location) {
	case noEffect:
		return false
	case someEffect:
		if slices.Contains(w.through, ssa.Instruction(i)) {
			return true
		}
		rest := &walk{
			flow: w.flow, location: w.location, seen: map[*ssa.BasicBlock]bool{},
			through: append(slices.Clip(w.through), i),
		}
		b := i.Block()
		rest.back(b, slices.Index(b.Instrs, ssa.Instruction(i)))
		w.found = append(w.found, definition{origin: changed, at: i, location: w.location, before: rest.found})
		return true
	}
	w.found = append(w.found, definition{origin: lost, at: i})
	return true
}

// within reports whether code with the address addr can change the content of the location.
// The address covers the location or is a part of it.
func (l location) within(addr ssa.Value) bool {
	a := locate(addr)
	if a.root != l.root {
		return false
	}
	n := min(len(a.path), len(l.path))
	if !slices.Equal(a.path[:n], l.path[:n]) {
		return false
	}
	// The target of a pointer in the location is another place.
	return !slices.Contains(a.path[n:], deref)
}
