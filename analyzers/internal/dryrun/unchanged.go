package dryrun

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// sendsUnchanged reports whether a write sends an object that the program has read from
// the server, and a dry run prevents all changes of the object. In a dry run, the write
// then changes nothing.
func (s *state) sendsUnchanged(c *apicall.Call, m Mode) bool {
	if c.Verb != apicall.VerbUpdate && c.Verb != apicall.VerbPatch {
		return false
	}
	for _, a := range c.Args {
		object := withoutInterface(a)
		var changed objectChanges
		switch object.(type) {
		case *ssa.Alloc, *ssa.Extract:
			changed.follow(object, c.Instr, 0)
		}
		if !changed.read || len(changed.at) == 0 {
			continue
		}
		f, normal := s.flow(c.Func, m), s.flow(c.Func, off)
		if f == nil || normal == nil {
			return false
		}
		for _, at := range changed.at {
			if at.Parent() != c.Func || f.blocks[at.Block().Index] || !normal.blocks[at.Block().Index] {
				return false
			}
		}
		return true
	}
	return false
}

// withoutInterface returns a value without its conversions to interfaces.
func withoutInterface(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return withoutInterface(v.X)
	case *ssa.ChangeInterface:
		return withoutInterface(v.X)
	}
	return v
}

// objectChanges collects what code does with an object.
type objectChanges struct {
	at   []ssa.Instruction // instructions that may change the object
	read bool              // the object was read from the server
}

// follow collects what code does with the object v, or with a part of it. It ignores
// the write itself.
func (o *objectChanges) follow(v ssa.Value, write ssa.Instruction, depth int) {
	if get, ok := v.(*ssa.Extract); ok && depth == 0 {
		call, ok := get.Tuple.(*ssa.Call)
		o.read = ok && calleeNameOnly(call.Common()) == "Get"
	}
	for _, r := range *v.Referrers() {
		if depth > 2*maxOrigin {
			o.at = append(o.at, r)
			continue
		}
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeInterface, *ssa.ChangeInterface:
			o.follow(r.(ssa.Value), write, depth+1)
		case *ssa.UnOp:
			if r.Op == token.MUL && refers(r.Type()) {
				o.follow(r, write, depth+1)
			}
		case *ssa.BinOp, *ssa.If, *ssa.Lookup:
		case ssa.CallInstruction:
			name := calleeNameOnly(r.Common())
			switch {
			case r == write || strings.HasPrefix(name, "DeepCopy") || strings.HasSuffix(name, "MergeFrom"):
			case name == "Get":
				o.read = true
			default:
				o.at = append(o.at, r)
			}
		default: // such as a store or an update of a map
			o.at = append(o.at, r)
		}
	}
}

// refers reports whether a copy of a value of type t shares data with the value. A
// change of the copy's data is then a change of the value.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}
