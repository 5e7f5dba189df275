package objectflow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// region has the blocks of a function that matter for the object of one source. Its
// slices are indexed by block. Without regions, a function with hundreds of reads, as
// in generated code and tests, would take quadratic time.
type region struct {
	// leading has the blocks that lead to a block in using.
	leading []bool
	// using has the blocks that use the object. The other blocks do not change the
	// state.
	using []bool
}

// regionOf returns the region of a source. A block uses the object if an instruction has
// a value that may be the object, a part of it, or a holder such as a slice. If returns
// is true, a block that ends with a return also counts as using the object.
func (t *tracer) regionOf(fn *ssa.Function, s source, returns bool) region {
	r := region{leading: make([]bool, len(fn.Blocks)), using: make([]bool, len(fn.Blocks))}
	touched := map[ssa.Value]bool{}
	var todo []ssa.Value
	add := func(v ssa.Value) {
		for v != nil && !touched[v] {
			touched[v] = true
			todo = append(todo, v)
			v = base(v)
		}
	}
	block := func(instr ssa.Instruction) {
		if b := instr.Block(); b != nil && b.Parent() == fn {
			r.using[b.Index] = true
		}
	}
	if s.call == nil {
		add(entryPlace(fn, s.entry).root)
	}
	for _, v := range s.into {
		add(v)
	}
	for _, c := range s.cells {
		add(c.root)
	}
	if v := s.callValue(); v != nil {
		add(v)
	}
	for len(todo) > 0 {
		v := todo[0]
		todo = todo[1:]
		if instr, ok := v.(ssa.Instruction); ok {
			block(instr)
		}
		if phi, ok := v.(*ssa.Phi); ok {
			for i, e := range phi.Edges {
				add(e)
				r.using[phi.Block().Preds[i].Index] = true
			}
		}
		if v.Referrers() == nil {
			continue
		}
		for _, use := range *v.Referrers() {
			block(use)
			switch use := use.(type) {
			case *ssa.Store:
				add(use.Addr)
				add(use.Val)
			case *ssa.MapUpdate:
				add(use.Map)
			case ssa.CallInstruction:
				for _, to := range transfers(use) {
					add(to)
				}
				if v := use.Value(); v != nil && mayCarry(v.Type()) {
					add(v)
				}
			case ssa.Value:
				if mayCarry(use.Type()) {
					add(use)
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				r.using[b.Index] = r.using[b.Index] || returns
			case *ssa.MapUpdate:
				// This instruction may clear managedFields without using the object's value.
				name, _ := text(instr.Key)
				r.using[b.Index] = r.using[b.Index] || name == "managedFields"
			case *ssa.Call:
				if bi, ok := instr.Call.Value.(*ssa.Builtin); ok && bi.Name() == "delete" {
					name, _ := text(instr.Call.Args[1])
					r.using[b.Index] = r.using[b.Index] || name == "managedFields"
				}
			}
		}
	}
	var back []*ssa.BasicBlock
	for _, b := range fn.Blocks {
		if r.using[b.Index] {
			r.leading[b.Index] = true
			back = append(back, b)
		}
	}
	for len(back) > 0 {
		b := back[len(back)-1]
		back = back[:len(back)-1]
		for _, p := range b.Preds {
			if !r.leading[p.Index] {
				r.leading[p.Index] = true
				back = append(back, p)
			}
		}
	}
	return r
}

// callValue returns the value of the source's call if the object is a result of the
// call. Otherwise it returns nil.
func (s source) callValue() ssa.Value {
	if s.call == nil || len(s.results) == 0 {
		return nil
	}
	if v := s.call.Value(); v != nil {
		return v
	}
	return nil
}

// base returns the value of which v is a part, or for which v is another name. It
// returns nil for other values.
func base(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.Convert:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Extract:
		return v.Tuple
	case *ssa.FieldAddr:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Index:
		return v.X
	case *ssa.Lookup:
		return v.X
	case *ssa.Slice:
		return v.X
	case *ssa.UnOp:
		return v.X
	}
	return nil
}

// transfers returns the arguments into which a call may copy an object.
func transfers(call ssa.CallInstruction) []ssa.Value {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "copy" {
			return call.Common().Args
		}
		return nil
	}
	fn := Callee(call)
	if fn == nil {
		return nil
	}
	switch name := fn.Name(); {
	case name == "DeepCopyInto", name == "SetUnstructuredContent", name == "Convert",
		strings.HasPrefix(name, "Unmarshal"), strings.HasPrefix(name, "FromUnstructured"):
		return append(append([]ssa.Value{}, Args(call)...), receiverOf(call)...)
	}
	return nil
}

func receiverOf(call ssa.CallInstruction) []ssa.Value {
	if v := Receiver(call); v != nil {
		return []ssa.Value{v}
	}
	return nil
}

// mayCarry reports whether a value of a type may be an object, hold an object or be a
// part of one. Errors and basic types may not.
func mayCarry(t types.Type) bool {
	if isError(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if mayCarry(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
