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

// locate returns the location to which an address points. Two loads of one pointer
// variable have the same location, although code may change the variable between the
// loads.
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
	// changing holds the calls that change the location and that the walk has passed.
	// If the walk meets one of them again, the call is in a loop, and the walk stops.
	changing []ssa.Instruction
}

// back examines the instructions of a block before an index, from the last to the
// first. If none of them determines the content, it continues with the preceding
// blocks.
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
// then records the content, and the walk stops.
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
		rest, ok := w.location.pathFrom(i.Addr)
		if ok {
			w.found = append(w.found, definition{origin: stored, value: i.Val, rest: rest, at: i})
		}
		return ok
	case ssa.CallInstruction:
		return w.call(i)
	}
	return false
}

// call does the same as instruction for a call that may have a pointer to the location.
func (w *walk) call(i ssa.CallInstruction) bool {
	if _, isDefer := i.(*ssa.Defer); isDefer {
		return false
	}
	switch w.flow.effect(i, w.location) {
	case noEffect:
		return false
	case someEffect:
		if slices.Contains(w.changing, ssa.Instruction(i)) {
			return true
		}
		rest := &walk{
			flow: w.flow, location: w.location, seen: map[*ssa.BasicBlock]bool{},
			changing: append(slices.Clip(w.changing), i),
		}
		b := i.Block()
		rest.back(b, slices.Index(b.Instrs, ssa.Instruction(i)))
		w.found = append(w.found, definition{origin: changed, at: i, location: w.location, before: rest.found})
		return true
	}
	w.found = append(w.found, definition{origin: lost, at: i})
	return true
}

// within reports whether code that has the address addr can change the content of the
// location. The address is that of the location, of a part of it, or of a value that
// contains it.
func (l location) within(addr ssa.Value) bool {
	a := locate(addr)
	if a.root != l.root {
		return false
	}
	n := min(len(a.path), len(l.path))
	if !slices.Equal(a.path[:n], l.path[:n]) {
		return false
	}
	// The target of a pointer is not a part of the location that contains the pointer.
	return !slices.Contains(a.path[n:], deref)
}
