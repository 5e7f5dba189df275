package dryrun

import (
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// request adds the dry run in a variable into which the function decodes a request, if no
// code reads that dry run.
func (c *collector) request(a *ssa.Alloc) {
	f := c.s.unreadIn(a)
	if f == nil {
		return
	}
	if src := c.add(Local, shapeOf(f.Type()), f, nil); src != nil {
		src.decoded, src.before = true, a.Comment+"."
	}
}

// unreadIn returns the field for the dry run of a decoded request. It returns nil if a is
// no request, or if the package reads the field of any request of this type.
func (s *state) unreadIn(a *ssa.Alloc) *types.Var {
	t := a.Type().(*types.Pointer).Elem()
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if n := namedOf(t); n != nil && (isAPI(n) || isRequest(n) || isOptions(n) || !s.wishes.ours(n.Obj().Pkg())) {
		return nil
	}
	var found *types.Var
	for i := range st.NumFields() {
		named, negative := wishName(st.Field(i).Name())
		if _, sent := reflect.StructTag(st.Tag(i)).Lookup("json"); sent && named && !negative && shapeOf(st.Field(i).Type()) == Bool {
			found = st.Field(i).Origin()
		}
	}
	if found == nil || !s.decodedOnly(a) {
		return nil
	}
	if s.anywhere(func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.FieldAddr:
			return fieldOf(instr.X.Type(), instr.Field) == found
		case *ssa.Field:
			return fieldOf(instr.X.Type(), instr.Field) == found
		}
		return false
	}) {
		return nil
	}
	return found
}

// decodedOnly reports whether the package decodes a request into a variable, and otherwise
// uses only fields of the variable.
func (s *state) decodedOnly(a *ssa.Alloc) bool {
	decoded := false
	addrs := []ssa.Value{a}
	for _, captured := range s.captures[a] {
		addrs = append(addrs, captured)
	}
	for _, addr := range addrs {
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.FieldAddr, *ssa.MakeClosure:
			case *ssa.MakeInterface:
				if !onlyDecodes(r) {
					return false
				}
				decoded = true
			default:
				return false
			}
		}
	}
	return decoded
}

// onlyDecodes reports whether a pointer is only an argument of functions that decode a
// request.
func onlyDecodes(pointer *ssa.MakeInterface) bool {
	for _, r := range *pointer.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(ssa.CallInstruction)
		if !ok || !decodes(calleeNameOnly(call.Common())) {
			return false
		}
	}
	return true
}

// decodes guesses from the name of a function whether it decodes the body of a request.
func decodes(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"decode", "unmarshal", "bind", "parse", "readjson"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
