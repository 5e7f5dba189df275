package dryrun

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// addKongCommands adds the commands of github.com/alecthomas/kong to the roots. A
// command is a field with the tag cmd, and the library calls the method Run of the
// field's type. A flag for a dry run in a struct around the command also applies to the
// command.
func (s *state) addKongCommands() {
	if !imports(s.pass.Pkg, "github.com/alecthomas/kong") {
		return
	}
	for _, st := range s.structTypes() {
		for i := range st.NumFields() {
			if isKongCommand(st, i) {
				if run := s.methodOf(st.Field(i).Type(), "Run"); run != nil {
					s.roots[run] = true
				}
			}
		}
	}
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if name, pkg := calleeName(call.Common()); name == "Run" && strings.HasSuffix(pkg, "alecthomas/kong") {
					s.hooks = append(s.hooks, fn) // it may pass the commands a client for dry runs
				}
			}
		}
	}
	for _, name := range []string{"BeforeReset", "BeforeResolve", "BeforeApply", "AfterApply", "BeforeRun"} {
		s.hooks = append(s.hooks, s.methods[name]...)
	}
}

func imports(pkg *types.Package, path string) bool {
	return slices.ContainsFunc(pkg.Imports(), func(p *types.Package) bool { return unvendored(p.Path()) == path })
}

// structTypes returns the structs of the package's types and variables, in order of
// position.
func (s *state) structTypes() []*types.Struct {
	var objects []types.Object
	for _, obj := range s.pass.TypesInfo.Defs {
		switch obj := obj.(type) {
		case *types.TypeName:
			objects = append(objects, obj)
		case *types.Var:
			if _, literal := obj.Type().(*types.Struct); literal {
				objects = append(objects, obj)
			}
		}
	}
	slices.SortFunc(objects, func(a, b types.Object) int { return int(a.Pos()) - int(b.Pos()) })
	var got []*types.Struct
	for _, obj := range objects {
		if st, ok := obj.Type().Underlying().(*types.Struct); ok {
			got = append(got, st)
		}
	}
	return got
}

func isKongCommand(st *types.Struct, i int) bool {
	_, ok := reflect.StructTag(st.Tag(i)).Lookup("cmd")
	return ok
}

// methodOf returns the method of this package that a type has under a name; nil if
// there is none.
func (s *state) methodOf(t types.Type, name string) *ssa.Function {
	obj, _, _ := types.LookupFieldOrMethod(t, true, s.pass.Pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	return s.byObject[fn.Origin()]
}

// kongFlags returns the flags for a dry run in structs that have commands as fields.
func (s *state) kongFlags() []*acceptedFlag {
	if !imports(s.pass.Pkg, "github.com/alecthomas/kong") {
		return nil
	}
	var got []*acceptedFlag
	for _, st := range s.structTypes() {
		from := &starts{at: map[*ssa.Function]bool{}}
		s.kongRuns(st, from, 0)
		if field := s.embeddedDryRunField(st, 0); field != nil && len(from.at) > 0 && !s.code.Mentions(field) {
			got = append(got, &acceptedFlag{flag: "dry-run", pos: field.Pos(), from: from})
		}
	}
	return got
}

// kongRuns adds the methods Run of the commands in a struct, and in the structs below
// it.
func (s *state) kongRuns(st *types.Struct, from *starts, depth int) {
	if depth > maxOrigin {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !isKongCommand(st, i) && !f.Embedded() {
			continue
		}
		if run := s.methodOf(f.Type(), "Run"); run != nil && isKongCommand(st, i) {
			from.at[run] = true
		}
		t := f.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if inner, ok := t.Underlying().(*types.Struct); ok {
			s.kongRuns(inner, from, depth+1)
		}
	}
}

// embeddedDryRunField returns the field for a dry run of a struct, or of a struct that
// it embeds; nil if there is none.
func (s *state) embeddedDryRunField(st *types.Struct, depth int) *types.Var {
	for f := range st.Fields() {
		if w := s.vars.describe(f); w.ok && !w.negative && w.kind == 0 {
			return f
		}
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && depth < maxOrigin {
			if found := s.embeddedDryRunField(inner, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}
