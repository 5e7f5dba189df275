package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// interfaceCalls is the fact about a function that calls methods of interfaces in a dry
// run, if its package does not show which types implement the interfaces.
type interfaceCalls struct {
	// Methods holds names such as example.org/shop/store.Store.Put.
	Methods []string
	// IgnoresOptions has the same meaning as in writer.
	IgnoresOptions bool
}

// AFact marks interfaceCalls as a fact.
func (*interfaceCalls) AFact() {}

// String returns the text of the fact in tests.
func (t *interfaceCalls) String() string { return "leads to " + strings.Join(t.Methods, ", ") }

// conversions is the fact about a package that converts types to interfaces of the
// module.
type conversions struct{ Types []convertedType }

// AFact marks conversions as a fact.
func (*conversions) AFact() {}

// String returns the text of the fact in tests.
func (m *conversions) String() string { return "makes interfaces" }

// convertedType is a type that a package converts to an interface of the module.
type convertedType struct {
	// Interface and Type are names such as example.org/shop/store.Store.
	Interface, Type string
	// Writes holds the methods that write in a dry run.
	Writes []methodText
}

// methodText says what a method writes, such as "creates a Pod".
type methodText struct {
	Name, Text string
	// Ignores is true for a method that gets a struct with a field for a dry run and
	// never checks the field.
	Ignores bool
}

// maxMethods limits the interface methods in the fact about one function.
const maxMethods = 16

// interfaceName returns the name of an interface of the module, or "" for other types.
func (s *state) interfaceName(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || !types.IsInterface(n) || !s.vars.isLocal(n.Obj().Pkg()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// ownInterfaceCalls returns the calls in the body of fn that lead to methods of
// interfaces, if it is not known what the methods write.
func (s *state) ownInterfaceCalls(fn *ssa.Function, m Mode) []*Write {
	var got []*Write
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || s.calls.CallAt(call) != nil {
				continue
			}
			obj := calleeObject(call.Common())
			if obj == nil || obj.Pkg() == nil || !s.vars.isLocal(obj.Pkg()) || s.pass.ImportObjectFact(obj.Origin(), &writer{}) {
				continue
			}
			fact := s.unknownMethods(call.Common(), obj)
			if len(fact.Methods) == 0 || !fact.IgnoresOptions && s.passesInAnyForm(call, m) || s.reach(call, m) != Reached || s.clientChosen(call, m) {
				continue
			}
			got = append(got, &Write{Func: fn, Callee: obj, Pos: call.Pos(), instr: call, interfaceMethods: fact.Methods})
		}
	}
	return got
}

// unknownMethods returns the methods of interfaces to which a call leads, if the types
// that implement the interfaces are not known.
func (s *state) unknownMethods(common *ssa.CallCommon, obj *types.Func) (fact interfaceCalls) {
	if obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &fact) {
		if _, known := s.writeOfMethods(fact.Methods); known || common.IsInvoke() && !s.createdInPackage(common.Value, 0) {
			return interfaceCalls{}
		}
		return fact
	}
	if !common.IsInvoke() || s.calls.Behind(common) != nil || elementOf(common.Value) == nil && len(s.implementations(common)) > 0 {
		return interfaceCalls{}
	}
	if name := s.interfaceName(common.Value.Type()); name != "" && obj.Exported() {
		fact.Methods = []string{name + "." + obj.Name()}
	}
	return fact
}

// writeOfMethods describes the first write of interface methods. It examines only
// interfaces to which the program converts a single type. known is false if it finds no
// write.
func (s *state) writeOfMethods(methods []string) (text string, known bool) {
	for _, method := range methods {
		i := strings.LastIndexByte(method, '.')
		list := s.typesBehind(method[:i])
		if len(list) == 0 || slices.ContainsFunc(list, func(t convertedType) bool { return t.writeOf(method[i+1:]) == "" }) {
			continue
		}
		return list[0].writeOf(method[i+1:]), true
	}
	return "", false
}

// writeOf describes the write of a method; "" if it does not write.
func (t convertedType) writeOf(method string) string {
	for _, w := range t.Writes {
		if w.Name == method {
			return w.Text
		}
	}
	return ""
}

// typesBehind returns the types that are converted to the interface called name, by
// the package or by functions of other packages that return the interface. It
// returns nil if nothing is known about one of these functions.
func (s *state) typesBehind(name string) []convertedType {
	if list, ok := s.typeLists[name]; ok {
		return list
	}
	s.typeLists[name] = nil
	var list []convertedType
	add := func(from []convertedType) bool {
		known := false
		for _, t := range from {
			if t.Interface == name {
				list, known = append(list, t), true
			}
		}
		return known
	}
	add(s.ownConversions())
	for pkg := range s.packagesReturning(name) {
		var fact conversions
		if !s.pass.ImportPackageFact(pkg, &fact) || !add(fact.Types) {
			return nil
		}
	}
	s.typeLists[name] = list
	return list
}

// packagesReturning returns the other packages of the functions that this package calls
// and that return the interface called name.
func (s *state) packagesReturning(name string) map[*types.Package]bool {
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

// ownConversions returns the types that this package converts to interfaces of the
// module. It ignores tests.
func (s *state) ownConversions() []convertedType {
	if s.conversionsKnown {
		return s.conversionList
	}
	s.conversionsKnown = true
	var list []convertedType
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
				if name == "" || slices.ContainsFunc(list, func(m convertedType) bool { return m.Interface == name && m.Type == t.String() }) {
					continue
				}
				list = append(list, convertedType{name, t.String(), s.methodsThatWrite(t, made.Type().Underlying().(*types.Interface))})
			}
		}
	}
	s.conversionList = list
	return list
}

// methodsThatWrite returns those methods of a type that implement an interface and
// write.
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
			deaf = s.ignoresStruct(fn)
			if writes := s.writes(fn, Client); len(writes) > 0 {
				fact.Text = writes[0].Text
			}
		} else if method.Pkg() != s.pass.Pkg {
			s.pass.ImportObjectFact(method.Origin(), &fact)
			deaf = s.pass.ImportObjectFact(method.Origin(), &ignoresStruct{})
		}
		if fact.Text != "" {
			list = append(list, methodText{m.Name(), fact.Text, deaf})
		}
	}
	return list
}

// exportConversions exports the fact conversions.
func (s *state) exportConversions() {
	if list := s.ownConversions(); len(list) > 0 {
		s.pass.ExportPackageFact(&conversions{list})
	}
}

// exportInterfaceCalls exports the fact interfaceCalls about a function.
func (s *state) exportInterfaceCalls(obj *types.Func, writes []*Write, ignores bool) {
	var methods []string
	for _, w := range writes {
		for _, m := range w.interfaceMethods {
			if !slices.Contains(methods, m) && len(methods) < maxMethods {
				methods = append(methods, m)
			}
		}
	}
	if len(methods) > 0 {
		s.pass.ExportObjectFact(obj, &interfaceCalls{methods, ignores})
	}
}
