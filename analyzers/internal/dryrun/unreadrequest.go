package dryrun

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// request adds the dry run in a request, if no code reads it. The function decodes the
// request into the variable a.
func (c *collector) request(a *ssa.Alloc) {
	if f := c.s.unreadIn(a.Type().(*types.Pointer).Elem()); f != nil && c.s.decodedOnly(a) {
		c.decoded(f, a.Comment)
	}
}

// requestParam adds the dry run in a request that is a parameter, if no code reads the
// dry run. A library must call the function with the request.
func (c *collector) requestParam(p *ssa.Parameter) {
	if f := c.s.unreadIn(p.Type()); f != nil && len(c.s.registered[p.Parent()]) > 0 && onlyFields(p) {
		c.decoded(f, p.Name())
	}
}

// decoded adds the field f in a local struct and returns it; nil if add adds none.
func (c *collector) decoded(f *types.Var, in string) *Source {
	src := c.add(Local, shapeOf(f.Type()), f, nil)
	if src != nil {
		src.decoded, src.fieldPath = true, in+"."
	}
	return src
}

// unreadIn returns the field for the dry run in a request of type t. It returns nil if
// t is no type of requests, or if the package reads the field for more than output.
func (s *state) unreadIn(t types.Type) *types.Var {
	n := namedOf(t)
	if n != nil && (isAPI(n) || isRequest(n) || isOptions(n) || !s.vars.isLocal(n.Obj().Pkg()) || hasPart(n.Obj().Name(), "response", "result", "status", "answer", "reply")) {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		named, negative := dryRunName(st.Field(i).Name())
		if _, sent := reflect.StructTag(st.Tag(i)).Lookup("json"); !sent || !named || negative || shapeOf(st.Field(i).Type()) != Bool {
			continue
		}
		f := st.Field(i).Origin()
		if !s.anyInstr(func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.FieldAddr:
				return fieldOf(instr.X.Type(), instr.Field) == f && !s.readOnlyForOutput(instr)
			case *ssa.Field:
				return fieldOf(instr.X.Type(), instr.Field) == f && !s.readOnlyForOutput(instr)
			}
			return false
		}) {
			return f
		}
	}
	return nil
}

// onlyFields reports whether a function only uses fields of a parameter.
func onlyFields(p *ssa.Parameter) bool {
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Field, *ssa.FieldAddr:
		case *ssa.Store: // a variable for the parameter, whose fields are read
			a, ok := r.Addr.(*ssa.Alloc)
			if !ok || slices.ContainsFunc(*a.Referrers(), func(use ssa.Instruction) bool {
				_, field := use.(*ssa.FieldAddr)
				return !field && use != r
			}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// decodedOnly reports whether the package decodes a request into a variable, and
// otherwise only uses fields of the variable.
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

// onlyDecodes reports whether a pointer is only used as an argument of functions that
// decode a request.
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

// decodes guesses from the name of a function whether it decodes a text, such as the body of
// a request.
func decodes(name string) bool {
	return hasPart(name, "decode", "unmarshal", "bind", "parse", "process", "readjson", "readconfig", "readenv")
}
