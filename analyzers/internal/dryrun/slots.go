package dryrun

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// slots are the places in which the package keeps functions as values: a field of a
// struct, or the elements of maps and slices with one type of function. A slot is the
// *types.Var of the field, or an elementSlot.
type slots struct {
	keptIn  map[*ssa.Function][]any
	stores  map[any][]ssa.Instruction // that put a function into the slot
	calling map[any][]site            // the places that call a function from it
	// registered are the places that hand a function to a library, which runs it later.
	registered map[*ssa.Function][]site
}

func newSlots() slots {
	return slots{
		keptIn: map[*ssa.Function][]any{}, stores: map[any][]ssa.Instruction{}, calling: map[any][]site{},
		registered: map[*ssa.Function][]site{},
	}
}

// register notes that a place hands a function to a library.
func (s *slots) register(fn *ssa.Function, at site) {
	s.registered[fn] = append(s.registered[fn], at)
}

// elementSlot is the slot of all elements with a type of function, which is identified by
// the types of its parameters and results.
func elementSlot(t types.Type) any {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	key := ""
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			key += types.TypeString(v.Type(), nil) + ","
		}
		key += ";"
	}
	return key
}

// keep notes that an instruction puts a function into a slot.
func (s *slots) keep(fn *ssa.Function, slot any, at ssa.Instruction) {
	s.keptIn[fn] = append(s.keptIn[fn], slot)
	s.stores[slot] = append(s.stores[slot], at)
}

// callSlot notes the slot of the function that a call runs, if it is a value.
func (s *slots) callSlot(caller *ssa.Function, call ssa.CallInstruction) {
	var slot any
	switch v := call.Common().Value.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return
		}
		switch addr := v.X.(type) {
		case *ssa.FieldAddr:
			slot = fieldOf(addr.X.Type(), addr.Field)
		case *ssa.IndexAddr:
			slot = elementSlot(v.Type())
		default:
			return
		}
	case *ssa.Field:
		slot = fieldOf(v.X.Type(), v.Field)
	case *ssa.Lookup:
		slot = elementSlot(v.Type())
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Lookup, *ssa.Next:
			slot = elementSlot(v.Type())
		default:
			return
		}
	default:
		return
	}
	s.calling[slot] = append(s.calling[slot], site{caller: caller, instr: call})
}

// fromSlots says whether fn, which is kept in a slot or handed to a library, is entered
// while the wish holds. It is Unclear if the wish decides which function a slot holds, and
// if the library gets the wish as well.
func (s *state) fromSlots(fn *ssa.Function, key entryKey) Reach {
	best := Unclear
	for _, at := range s.registered[fn] {
		if s.inTest(at.caller) || s.entries[entryKey{at.caller, key.mode, key.outside, key.wish}].open {
			continue
		}
		if s.siteReach(at, key.mode) != Reached || s.tellsToo(at, key.mode) {
			return Unclear
		}
		if s.entryFrom(at.caller, key.mode, key.outside, key.wish) == Reached {
			best = Reached
		}
	}
	for _, slot := range s.keptIn[fn] {
		for _, at := range s.slots.stores[slot] {
			if !s.inTest(at.Parent()) && s.onlyIfAsked(at, key.mode) {
				return Unclear
			}
		}
		for _, at := range s.calling[slot] {
			if s.inTest(at.caller) || s.entries[entryKey{at.caller, key.mode, key.outside, key.wish}].open {
				continue
			}
			if s.siteReach(at, key.mode) != Reached {
				return Unclear
			}
			if s.entryFrom(at.caller, key.mode, key.outside, key.wish) == Reached {
				best = Reached
			}
		}
	}
	return best
}

// tellsToo reports whether the place that hands a function to a library also hands over
// the wish: as an argument, or in the struct with the function.
func (s *state) tellsToo(at site, m Mode) bool {
	if at.call != nil {
		return s.passes(at.call, m)
	}
	store, ok := at.instr.(*ssa.Store)
	if !ok {
		return false
	}
	f := s.flow(at.caller, m)
	return f == nil || f.filled(store.Addr.(*ssa.FieldAddr).X, 0)
}
