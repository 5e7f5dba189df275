package objectflow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// set records whether a place holds the object from now on.
func set(state live, p place, holds bool) {
	if holds {
		state[p] = true
	} else {
		delete(state, p)
	}
}

// step updates the state for one instruction. If record is true, it also records sinks
// and results.
func (f *frame) step(instr ssa.Instruction, state live, record bool) {
	switch instr := instr.(type) {
	case *ssa.Alloc:
		// Each iteration of a loop has a new variable.
		delete(state, place{root: instr})
		delete(state, place{instr, "*"})
	case *ssa.IndexAddr:
		f.derive(state, instr, instr.X)
	case *ssa.Index:
		f.derive(state, instr, instr.X)
	case *ssa.Slice:
		f.derive(state, instr, instr.X)
	case *ssa.Lookup:
		f.derive(state, instr, instr.X)
	case *ssa.Extract:
		f.extract(instr, state)
	case *ssa.UnOp:
		f.load(instr, state)
	case *ssa.Store:
		f.store(instr, state)
	case *ssa.MapUpdate:
		f.update(instr, state)
	case ssa.CallInstruction:
		f.call(instr, state, record)
	case *ssa.Return:
		if record {
			f.leave(instr, state)
		}
	}
}

// derive updates the state for an instruction that reads a part of a container, such as an
// element of Items.
func (f *frame) derive(state live, v, from ssa.Value) {
	p, q := f.placeOf(v), f.placeOf(from)
	if p == q {
		return
	}
	f.links.add(p, q)
	set(state, p, state.has(q))
}

// extract updates the state for a value from a map, in a range loop or in v, ok := m[k].
func (f *frame) extract(v *ssa.Extract, state live) {
	var from ssa.Value
	switch tuple := v.Tuple.(type) {
	case *ssa.Next:
		if r, ok := tuple.Iter.(*ssa.Range); ok && v.Index == 2 {
			from = r.X
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			from = tuple.X
		}
	}
	if from != nil {
		f.derive(state, v, from)
	}
}

// load updates the state for a load from an address. A loaded struct is a copy of the
// object. A loaded reference refers to the same object.
func (f *frame) load(v *ssa.UnOp, state live) {
	if v.Op != token.MUL {
		return
	}
	p := f.placeOf(v)
	if p.root != v || p.path != "" {
		// An element of a list that is a reference has its own place.
		if ia, ok := v.X.(*ssa.IndexAddr); ok && p == (place{ia, "*"}) {
			q := place{root: ia}
			f.links.add(p, q)
			set(state, p, state.has(q))
		}
		return
	}
	set(state, p, state.has(f.placeOf(v.X)))
}

// store updates the state for *addr = val.
func (f *frame) store(s *ssa.Store, state live) {
	holds := state.has(f.placeOf(s.Val))
	reference := isReference(s.Val.Type())
	if ia, ok := s.Addr.(*ssa.IndexAddr); ok {
		// Other elements may still hold the object.
		if holds {
			p, q := f.placeOf(ia.X), f.placeOf(s.Val)
			state[p] = true
			if reference {
				f.links.add(p, q)
			}
		}
		return
	}
	var p place
	if reference {
		p = f.content(s.Addr)
	} else {
		p = f.placeOf(s.Addr)
	}
	if field, ok := s.Addr.(*ssa.FieldAddr); ok {
		if name := fieldOf(field.X.Type(), field.Field); name != nil && name.Name() == "ManagedFields" {
			f.clear(state, f.placeOf(field.X))
			return
		}
	}
	if cell, ok := s.Addr.(*ssa.Alloc); ok && reference && f.singleValue(cell) != nil {
		return // the variable is only another name of the value
	}
	// The variable now holds another object, or the object has other content. All
	// references to an object see its new content.
	if field, ok := s.Addr.(*ssa.FieldAddr); !holds && (!reference || ok && holdsMetadata(field.X.Type(), field.Field)) {
		f.links.forget(state, p)
		for q := range state {
			if q.root == p.root && strings.HasPrefix(q.path, p.path) {
				delete(state, q) // the store overwrites the places inside, too
			}
		}
	}
	if reference {
		f.links.add(p, f.placeOf(s.Val))
	}
	set(state, p, holds)
}

// update updates the state for m[k] = v.
func (f *frame) update(m *ssa.MapUpdate, state live) {
	if name, ok := text(m.Key); ok && (name == "managedFields" || name == "metadata") {
		if name == "metadata" {
			// The assignment replaces the whole metadata of unstructured content.
			f.links.forget(state, f.placeOf(m.Map))
		} else {
			f.clearAll(state)
		}
		return
	}
	if state.has(f.placeOf(m.Value)) && isReference(m.Value.Type()) {
		if _, named := text(m.Key); named {
			return // a member of unstructured content, not an object in a map
		}
		f.links.add(f.placeOf(m.Map), f.placeOf(m.Value))
		state[f.placeOf(m.Map)] = true
	}
}

// leave records which results and arguments hold the object at a return statement.
func (f *frame) leave(r *ssa.Return, state live) {
	f.returns++
	for i, v := range r.Results {
		if state.has(f.placeOf(v)) {
			f.outcome.results[i] = true
		}
	}
	if f.source.call == nil {
		if !state.has(entryPlace(f.fn, f.source.entry)) {
			f.outcome.unchanged = false
		}
		return
	}
	for i := range len(f.fn.Params) + len(f.fn.FreeVars) {
		if state.has(entryPlace(f.fn, i)) {
			f.outcome.entries[i] = true
		}
	}
}

// clear updates the state after code has set the managedFields of the object at a
// place.
func (f *frame) clear(state live, p place) {
	if f.question.Cleared {
		f.links.forget(state, p)
	}
}

// clearAll updates the state after code has set the managedFields of an object that is
// not known.
func (f *frame) clearAll(state live) {
	if f.question.Cleared {
		clear(state)
	}
}
