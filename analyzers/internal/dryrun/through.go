package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// through is the fact about a function that calls methods of interfaces in a
// dry run, if its package does not show the types behind the interfaces.
type through struct {
	// Methods holds names such as example.org/shop/store.Store.Put.
	Methods []string
	// Heedless has the same meaning as in writer.
	Heedless bool
}

// AFact marks through as a fact.
func (*through) AFact() {}

// String returns the text of the fact in tests.
func (t *through) String() string { return "leads to " + strings.Join(t.Methods, ", ") }

// makes is the fact about a package that converts types to interfaces.
type makes struct{ Types []madeType }

// AFact marks makes as a fact.
func (*makes) AFact() {}

// String returns the text of the fact in tests.
func (m *makes) String() string { return "makes interfaces" }

// madeType is a type that a package converts to an interface of the module.
type madeType struct {
	// Interface and Type are names such as example.org/shop/store.Store.
	Interface, Type string
	// Writes holds the methods that write in a dry run.
	Writes []methodText
}

// methodText says what a method writes, such as "creates a Pod".
type methodText struct {
	Name, Text string
	// Deaf is true for a method that gets a struct with a dry run and never checks it.
	Deaf bool
}

// maxMethods limits the methods of interfaces that a function calls, directly or not.
const maxMethods = 16

// interfaceName returns the name of an interface of the module, or "" for other types.
func (s *state) interfaceName(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || !types.IsInterface(n) || !s.wishes.ours(n.Obj().Pkg()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// ownIndirect returns the calls in the body of fn that lead to methods of
// interfaces whose writes are not known.
func (s *state) ownIndirect(fn *ssa.Function, m Mode) []*Write {
	var got []*Write
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || s.calls.CallAt(call) != nil {
				continue
			}
			obj := calleeObject(call.Common())
			if obj == nil || obj.Pkg() == nil || !s.wishes.ours(obj.Pkg()) || s.pass.ImportObjectFact(obj.Origin(), &writer{}) {
				continue
			}
			fact := s.unknownBehind(call.Common(), obj)
			if len(fact.Methods) == 0 || !fact.Heedless && s.handsOn(call, m) || s.reach(call, m) != Reached || s.conditional(call, m) {
				continue
			}
			got = append(got, &Write{Func: fn, Callee: obj, Pos: call.Pos(), instr: call, through: fact.Methods})
		}
	}
	return got
}

// unknownBehind returns the methods of interfaces that a call leads to, if the types behind
// them are not known.
func (s *state) unknownBehind(common *ssa.CallCommon, obj *types.Func) (fact through) {
	if obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &fact) {
		if _, known := s.behindMethods(fact.Methods); known || common.IsInvoke() && !s.made(common.Value, 0) {
			return through{}
		}
		return fact
	}
	if !common.IsInvoke() || s.calls.Behind(common) != nil || len(s.implementations(common)) > 0 {
		return through{}
	}
	if name := s.interfaceName(common.Value.Type()); name != "" && obj.Exported() {
		fact.Methods = []string{name + "." + obj.Name()}
	}
	return fact
}

// behindMethods describes the first write of the methods. It looks only at
// interfaces to which the program converts a single type. known is false if it
// finds no write.
func (s *state) behindMethods(methods []string) (text string, known bool) {
	for _, method := range methods {
		i := strings.LastIndexByte(method, '.')
		t := s.onlyType(method[:i])
		if t == nil {
			continue
		}
		for _, w := range t.Writes {
			if w.Name == method[i+1:] {
				return w.Text, true
			}
		}
	}
	return "", false
}

// onlyType returns the type that is converted to the interface called name, by
// the package or by functions of other packages that return the interface. It
// returns nil if there are several types, or if nothing is known about one of
// these functions.
func (s *state) onlyType(name string) *madeType {
	if t, ok := s.onlyTypes[name]; ok {
		return t
	}
	s.onlyTypes[name] = nil
	var list []madeType
	add := func(from []madeType) bool {
		known := false
		for _, t := range from {
			if t.Interface == name {
				list, known = append(list, t), true
			}
		}
		return known
	}
	add(s.ownMade())
	for pkg := range s.returning(name) {
		var fact makes
		if !s.pass.ImportPackageFact(pkg, &fact) || !add(fact.Types) {
			return nil
		}
	}
	if len(list) == 0 || slices.ContainsFunc(list, func(t madeType) bool { return t.Type != list[0].Type }) {
		return nil
	}
	s.onlyTypes[name] = &list[0]
	return &list[0]
}

// returning returns the other packages with functions that the package calls and that
// return the interface called name.
func (s *state) returning(name string) map[*types.Package]bool {
	packages := map[*types.Package]bool{}
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				obj := calleeObject(call.Common())
				if obj == nil || obj.Pkg() == nil || obj.Pkg() == s.pass.Pkg {
					continue
				}
				for v := range obj.Signature().Results().Variables() {
					if s.interfaceName(v.Type()) == name {
						packages[obj.Pkg()] = true
					}
				}
			}
		}
	}
	return packages
}

// ownMade returns the types that the package converts to interfaces of the module. It
// ignores tests.
func (s *state) ownMade() []madeType {
	if s.knowsMade {
		return s.madeList
	}
	s.knowsMade = true
	var list []madeType
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				made, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				name := s.interfaceName(made.Type())
				t := made.X.Type()
				if name == "" || slices.ContainsFunc(list, func(m madeType) bool { return m.Interface == name && m.Type == t.String() }) {
					continue
				}
				list = append(list, madeType{name, t.String(), s.methodsThatWrite(t, made.Type().Underlying().(*types.Interface))})
			}
		}
	}
	s.madeList = list
	return list
}

// methodsThatWrite returns the methods of a type that implement an interface and write.
func (s *state) methodsThatWrite(t types.Type, i *types.Interface) []methodText {
	var list []methodText
	for m := range i.Methods() {
		obj, _, _ := types.LookupFieldOrMethod(t, true, s.pass.Pkg, m.Name())
		method, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		var fact writer
		deaf := false
		if fn := s.byObject[method.Origin()]; fn != nil {
			deaf = s.blind(fn)
			if writes := s.writes(fn, Client); len(writes) > 0 {
				fact.Text = writes[0].Text
			}
		} else if method.Pkg() != s.pass.Pkg {
			s.pass.ImportObjectFact(method.Origin(), &fact)
			deaf = s.pass.ImportObjectFact(method.Origin(), &blind{})
		}
		if fact.Text != "" {
			list = append(list, methodText{m.Name(), fact.Text, deaf})
		}
	}
	return list
}

// exportMade exports the types that the package converts to interfaces.
func (s *state) exportMade() {
	if list := s.ownMade(); len(list) > 0 {
		s.pass.ExportPackageFact(&makes{list})
	}
}

// exportThrough exports the fact about a function that leads to methods of interfaces.
func (s *state) exportThrough(obj *types.Func, writes []*Write, heedless bool) {
	var methods []string
	for _, w := range writes {
		for _, m := range w.through {
			if !slices.Contains(methods, m) && len(methods) < maxMethods {
				methods = append(methods, m)
			}
		}
	}
	if len(methods) > 0 {
		s.pass.ExportObjectFact(obj, &through{methods, heedless})
	}
}
