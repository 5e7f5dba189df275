package dryrun

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// slots holds the places in which the package stores functions as values. A slot is one
// of these:
//
//   - a field of a struct, identified by its *types.Var
//   - the elements of all maps and slices with one function type, identified by an
//     elementSlot
type slots struct {
	keptIn  map[*ssa.Function][]any
	stores  map[any][]ssa.Instruction // instructions that store a function in the slot
	calling map[any][]site            // instructions that call a function in the slot
	// registered maps a function to the sites that pass the function to a library. The
	// library runs it later.
	registered map[*ssa.Function][]site
}

func newSlots() slots {
	return slots{
		keptIn: map[*ssa.Function][]any{}, stores: map[any][]ssa.Instruction{}, calling: map[any][]site{},
		registered: map[*ssa.Function][]site{},
	}
}

// register records that a site passes a function to a library.
func (s *slots) register(fn *ssa.Function, at site) {
	s.registered[fn] = append(s.registered[fn], at)
}

// elementSlot returns the slot of all elements with a function type. The parameters and
// results of the type identify the slot.
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

// noteStore records that an instruction stores a function in a slot.
func (s *slots) noteStore(fn *ssa.Function, slot any, at ssa.Instruction) {
	s.keptIn[fn] = append(s.keptIn[fn], slot)
	s.stores[slot] = append(s.stores[slot], at)
}

// noteCall records a call of the function in a slot.
func (s *slots) noteCall(caller *ssa.Function, call ssa.CallInstruction) {
	if slot := slotOf(call.Common().Value); slot != nil {
		s.calling[slot] = append(s.calling[slot], site{caller: caller, instr: call})
	}
}

// slotOf returns the slot from which a function is read, or nil.
func slotOf(fn ssa.Value) any {
	switch v := fn.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil
		}
		switch addr := v.X.(type) {
		case *ssa.FieldAddr:
			return fieldSlot(addr.X.Type(), addr.Field)
		case *ssa.IndexAddr:
			return elementSlot(v.Type())
		}
	case *ssa.Field:
		return fieldSlot(v.X.Type(), v.Field)
	case *ssa.Lookup:
		return elementSlot(v.Type())
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Lookup, *ssa.Next:
			return elementSlot(v.Type())
		}
	}
	return nil
}

func fieldSlot(of types.Type, index int) any {
	if f := fieldOf(of, index); f != nil {
		return f
	}
	return nil
}

// entryFromSlots says whether a function that is in a slot, or was passed to a library,
// is called during a dry run. It returns Unclear if the dry run chooses the function in
// the slot, or if the library also gets the dry run.
func (s *state) entryFromSlots(fn *ssa.Function, key entryKey) Reach {
	best := Unclear
	for _, at := range s.registered[fn] {
		if s.inTest(at.caller) || s.entries[entryKey{at.caller, key.mode, key.outside, key.source}].open {
			continue
		}
		if s.siteReach(at, key.mode) != Reached || s.alsoPasses(at, key.mode) {
			return Unclear
		}
		if s.entryFrom(at.caller, key.mode, key.outside, key.source) == Reached {
			best = Reached
		}
	}
	for _, slot := range s.keptIn[fn] {
		for _, at := range s.slots.stores[slot] {
			if call, ok := at.(ssa.CallInstruction); ok && !s.passesFunction(call, fn) {
				continue // it adds another function to a list
			}
			if !s.inTest(at.Parent()) && s.dependsOnDryRun(at, key.mode) {
				return Unclear
			}
		}
		for _, at := range s.calling[slot] {
			if s.inTest(at.caller) || s.entries[entryKey{at.caller, key.mode, key.outside, key.source}].open {
				continue
			}
			if s.siteReach(at, key.mode) != Reached {
				return Unclear
			}
			if s.entryFrom(at.caller, key.mode, key.outside, key.source) == Reached {
				best = Reached
			}
		}
	}
	return best
}

// passesFunction reports whether fn is an argument of a call.
func (s *state) passesFunction(call ssa.CallInstruction, fn *ssa.Function) bool {
	return slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool {
		if made, ok := a.(*ssa.MakeClosure); ok {
			a = made.Fn
		}
		return s.declared(a) == fn
	})
}

// alsoPasses reports whether a site that passes a function to a library also passes the
// dry run. The dry run can be another argument, or in the struct that contains the
// function.
func (s *state) alsoPasses(at site, m Mode) bool {
	if at.call != nil {
		return s.passesDryRun(at.call, m)
	}
	store, ok := at.instr.(*ssa.Store)
	if !ok {
		return false
	}
	f := s.flow(at.caller, m)
	return f == nil || f.hasDerivedPart(store.Addr.(*ssa.FieldAddr).X, 0)
}
