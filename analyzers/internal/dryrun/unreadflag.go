package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// unreadFlag returns the name of the flag for a dry run that a call of the package flag
// adds to the program. It returns "" for other calls, and if any code may read the
// value of the flag.
func (s *state) unreadFlag(call *ssa.Call) string {
	obj := calleeObject(call.Common())
	if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != "flag" || obj.Signature().Recv() != nil || s.pass.Pkg.Name() != "main" {
		return ""
	}
	args, unread := call.Call.Args, false
	switch obj.Name() {
	case "Bool":
		unread = s.neverRead(call)
	case "BoolVar":
		unread = s.unreadAt(args[0])
		args = args[1:]
	}
	if !unread {
		return ""
	}
	name, _ := stringOf(args[0])
	if ok, negative := dryRunName(name); !ok || negative {
		return ""
	}
	usage, _ := stringOf(args[len(args)-1])
	usage = strings.ToLower(usage)
	if strings.Contains(usage, "deprecated") || strings.Contains(usage, "no effect") || strings.Contains(usage, "ignored") {
		return ""
	}
	if slices.ContainsFunc(s.funcs, func(fn *ssa.Function) bool { return s.callsChecker(fn) || s.seeksFlag(fn, name, call) }) {
		return ""
	}
	return name
}

// unreadSetting returns the name of the dry run in the settings of the program that a call
// decodes, such as yaml.Unmarshal(data, &config). It returns "" if any code may read it.
func (s *state) unreadSetting(call *ssa.Call) string {
	if s.pass.Pkg.Name() != "main" || !decodes(calleeNameOnly(call.Common())) {
		return ""
	}
	for _, a := range call.Call.Args {
		made, ok := a.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		n := namedOf(made.X.Type())
		if n == nil || n.Obj().Pkg() != s.pass.Pkg || !hasPart(n.Obj().Name(), "config", "setting", "option", "flag") {
			continue
		}
		f := s.vars.fieldOf(n)
		if f != nil && !s.vars.describe(f).negative && shapeOf(f.Type()) == Bool && s.unreadField(n, f) {
			return n.Obj().Name() + "." + f.Name()
		}
	}
	return ""
}

// neverRead reports whether the pointer to a flag's value is only stored in places that
// the package does not read.
func (s *state) neverRead(pointer *ssa.Call) bool {
	for _, r := range *pointer.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val != pointer || !s.unreadAt(r.Addr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// unreadAt reports whether no code reads the value at an address.
func (s *state) unreadAt(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.Alloc:
		return onlySet(addr)
	case *ssa.Global:
		return addr.Object() != nil && addr.Object().Pkg() == s.pass.Pkg && !s.anyInstr(func(instr ssa.Instruction) bool {
			return uses(instr, addr) && !sets(instr, addr)
		})
	case *ssa.FieldAddr:
		return s.unreadField(namedOf(addr.X.Type()), fieldOf(addr.X.Type(), addr.Field))
	}
	return false
}

// unreadField reports whether no code reads a field of a type of the package. Code that
// only decodes a value of the type does not count.
func (s *state) unreadField(n *types.Named, f *types.Var) bool {
	return f != nil && n != nil && n.Obj().Pkg() == s.pass.Pkg && !s.anyInstr(func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.FieldAddr:
			return fieldOf(instr.X.Type(), instr.Field) == f && !onlySet(instr)
		case *ssa.Field:
			return fieldOf(instr.X.Type(), instr.Field) == f
		case *ssa.MakeInterface:
			return holds(instr.X.Type(), n, 0) && !onlyDecodes(instr)
		case *ssa.ChangeType:
			return holds(instr.X.Type(), n, 0)
		case ssa.CallInstruction:
			return s.body(instr.Common()) == nil && slices.ContainsFunc(instr.Common().Args, func(a ssa.Value) bool { return holds(a.Type(), n, 0) })
		}
		return false
	})
}

// onlySet reports whether all instructions that use an address only set the value
// there.
func onlySet(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool { return !sets(r, addr) })
}

// sets reports whether an instruction only sets the value at an address, or binds the
// value to a flag.
func sets(instr ssa.Instruction, addr ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		return instr.Addr == addr && instr.Val != addr
	case *ssa.Call:
		obj := calleeObject(instr.Common())
		return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "flag" && obj.Name() == "BoolVar"
	}
	return false
}

// uses reports whether a value is an operand of an instruction.
func uses(instr ssa.Instruction, v ssa.Value) bool {
	return slices.ContainsFunc(instr.Operands(nil), func(o *ssa.Value) bool { return *o == v })
}

// holds reports whether a value of type t contains a value of type n, or points to one.
func holds(t types.Type, n *types.Named, depth int) bool {
	if depth > maxOrigin {
		return true
	}
	if other, ok := types.Unalias(t).(*types.Named); ok && other.Obj() == n.Obj() {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return holds(t.Elem(), n, depth+1)
	case *types.Slice:
		return holds(t.Elem(), n, depth+1)
	case *types.Map:
		return holds(t.Elem(), n, depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if f.Pkg() == n.Obj().Pkg() && holds(f.Type(), n, depth+1) {
				return true
			}
		}
	}
	return false
}

// anyInstr reports whether is returns true for an instruction of the package. It
// ignores tests.
func (s *state) anyInstr(is func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(s.funcs, func(fn *ssa.Function) bool {
		return !s.inTest(fn) && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, is) })
	})
}

// seeksFlag reports whether fn may look up a flag by its name, or passes the flags of
// the program to code of the module.
func (s *state) seeksFlag(fn *ssa.Function, name string, declared *ssa.Call) bool {
	if s.inTest(fn) {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if usesCommandLine(instr) && !s.onlyAddsFlags(instr) {
				return true
			}
			call, ok := instr.(ssa.CallInstruction)
			if !ok || instr == ssa.Instruction(declared) {
				continue
			}
			callee, pkg := calleeName(call.Common())
			if pkg == "flag" && (callee == "Lookup" || strings.HasPrefix(callee, "Visit")) {
				return true
			}
			if slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool { text, ok := stringOf(a); return ok && text == name }) {
				return true
			}
		}
	}
	return false
}

// usesCommandLine reports whether an instruction uses the variable flag.CommandLine.
func usesCommandLine(instr ssa.Instruction) bool {
	return slices.ContainsFunc(instr.Operands(nil), func(o *ssa.Value) bool {
		g, ok := (*o).(*ssa.Global)
		return ok && g.Name() == "CommandLine" && g.Package() != nil && g.Package().Pkg.Path() == "flag"
	})
}

// onlyAddsFlags reports whether an instruction loads flag.CommandLine only to pass it
// to functions of other modules. An example is a function that adds the flags of its
// library.
func (s *state) onlyAddsFlags(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && !slices.ContainsFunc(*load.Referrers(), func(r ssa.Instruction) bool {
		if _, debug := r.(*ssa.DebugRef); debug {
			return false
		}
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			return true
		}
		obj := calleeObject(call.Common())
		return obj == nil || s.vars.isLocal(obj.Pkg()) || strings.HasPrefix(obj.Name(), "Visit") || obj.Name() == "Lookup"
	})
}
