package sideeffect

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
)

// registered is the fact about a package and the packages of the module that it imports,
// directly or not. It has the types that they convert to interfaces of the module.
type registered struct{ Types []implementer }

// AFact marks the type as a fact.
func (*registered) AFact() {}

// String returns a description for tests.
func (*registered) String() string { return "registers implementations" }

// implementer is a type that a package converts to an interface of the module.
type implementer struct {
	// Interface and Type are names such as example.org/shop/store.Store.
	Interface, Type string
	// Methods has the methods of the interface that have an effect, or lead to others.
	Methods []behaviour
}

// behaviour says what a method does even in a dry run. Text describes its first effect, and
// is "" if none is known. Leads has the methods of interfaces that it calls.
type behaviour struct {
	Name, Text string
	Leads      []string
}

func (t implementer) method(name string) behaviour {
	for _, m := range t.Methods {
		if m.Name == name {
			return m
		}
	}
	return behaviour{}
}

// leading is the fact about a function that calls methods of interfaces of the module, even
// in a dry run. Methods has names such as example.org/shop/store.Store.Put.
type leading struct{ Methods []string }

// AFact marks the type as a fact.
func (*leading) AFact() {}

// String returns a description for tests.
func (l *leading) String() string { return "calls " + strings.Join(l.Methods, ", ") }

const (
	// maxLeads limits the methods of interfaces that a function calls, directly or not.
	maxLeads = 16
	// maxRegistered limits the types in a fact about a package.
	maxRegistered = 500
)

// Implementers returns the types of other packages with an effect in a method of an
// interface. The name of the method is as in example.org/shop/store.Store.Put.
func (r *Result) Implementers(method string) (names []string) {
	for _, t := range r.behindName(method) {
		names = append(names, t.Type)
	}
	return names
}

// behindName returns the types of other packages whose method for a method of an interface
// has an effect, if this package or an imported package registers them.
func (r *Result) behindName(method string) (found []implementer) {
	dot := strings.LastIndexByte(method, '.')
	add := func(t implementer) {
		if t.Interface == method[:dot] && t.method(method[dot+1:]).Text != "" {
			found = append(found, t)
		}
	}
	for _, t := range r.imported {
		add(t)
	}
	for _, g := range r.registrations {
		if g.Bodies[method[dot+1:]] == nil {
			add(g.implementer)
		}
	}
	return found
}

// importRegistered joins the facts about the imported packages.
func (r *Result) importRegistered() {
	for _, p := range r.pass.Pkg.Imports() {
		var fact registered
		if r.dry.InModule(p) && r.pass.ImportPackageFact(p, &fact) {
			r.imported = append(r.imported, fact.Types...)
		}
	}
	r.imported = sorted(r.imported)
}

func sorted(list []implementer) []implementer {
	slices.SortFunc(list, func(a, b implementer) int {
		return cmp.Or(cmp.Compare(a.Interface, b.Interface), cmp.Compare(a.Type, b.Type))
	})
	list = slices.CompactFunc(list, func(a, b implementer) bool { return a.Interface == b.Interface && a.Type == b.Type })
	return list[:min(len(list), maxRegistered)]
}

// exportRegistered exports the types of this package and of its imports.
func (r *Result) exportRegistered() {
	list := slices.Clone(r.imported)
	for _, g := range r.registrations {
		list = append(list, g.implementer)
	}
	if len(list) > 0 {
		r.pass.ExportPackageFact(&registered{sorted(list)})
	}
}

// interfaceName returns the name of a declared interface of the module, or "".
func (r *Result) interfaceName(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeArgs().Len() > 0 || !types.IsInterface(n) || !r.dry.InModule(n.Obj().Pkg()) {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// dispatches reports whether one of these is true:
//
//   - The package calls a method of an interface that its module declares.
//   - The package uses a type of another package of its module, and a method of this type
//     has an effect.
func (r *Result) dispatches() bool {
	known := map[*types.Named]bool{}
	acts := func(t types.Type) bool {
		n := namedType(t)
		if n == nil || known[n] || n.Obj().Pkg() == r.pass.Pkg || !r.dry.InModule(n.Obj().Pkg()) {
			return false
		}
		known[n] = true
		for m := range n.Methods() {
			if does := r.factsAbout(m); does.Text != "" || len(does.Leads) > 0 {
				return true
			}
		}
		return false
	}
	for _, obj := range r.pass.TypesInfo.Uses {
		switch obj := obj.(type) {
		case *types.Func:
			if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) && r.dry.InModule(obj.Pkg()) {
				return true
			}
			for v := range obj.Signature().Results().Variables() {
				if acts(v.Type()) {
					return true
				}
			}
		case *types.TypeName, *types.Var:
			if acts(obj.Type()) {
				return true
			}
		}
	}
	return false
}

// factsAbout describes a method of another package.
func (r *Result) factsAbout(m *types.Func) behaviour {
	b := behaviour{Name: m.Name()}
	var effect effectful
	if r.pass.ImportObjectFact(m.Origin(), &effect) {
		b.Text = effect.Text
	} else if text := r.dry.WriteOf(m); !unknownObject(text) {
		b.Text = text
	}
	var leads leading
	if r.pass.ImportObjectFact(m.Origin(), &leads) {
		b.Leads = leads.Methods
	}
	return b
}

// unknownObject reports whether a text describes the creation of an object of unknown kind.
// The object may be a review, which the server answers without storing it. Reviews cannot
// be changed in other ways.
func unknownObject(text string) bool {
	return strings.HasPrefix(text, "creates an object") || strings.HasPrefix(text, "creates objects")
}
