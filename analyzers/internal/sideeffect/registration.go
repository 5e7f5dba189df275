package sideeffect

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Registration is a conversion of a value to an interface of the module, outside of tests.
type Registration struct {
	implementer
	// Pos is the position of the value, or of the instruction that uses it.
	Pos token.Pos
	// Bodies has the methods of the type by name, if the type belongs to this package.
	Bodies map[string]*ssa.Function
}

// Does describes the effect of a method. It returns "" if the method is not known to have
// one.
func (g *Registration) Does(method string) string { return g.method(method).Text }

// Leads returns the methods of interfaces that a method calls even in a dry run.
func (g *Registration) Leads(method string) []string { return g.method(method).Leads }

// Registrations returns the conversions of the package, in order of position. It has only
// types with a method that has an effect, or leads to methods of other interfaces.
func (r *Result) Registrations() []*Registration { return r.registrations }

// register finds the registrations of the package.
func (r *Result) register() {
	seen := map[[2]string]bool{}
	add := func(g *Registration) {
		if key := [2]string{g.Interface, g.Type}; len(g.Methods) > 0 && !seen[key] {
			seen[key] = true
			r.registrations = append(r.registrations, g)
		}
	}
	var widened []*ssa.ChangeInterface
	for _, fn := range r.withInit() {
		if r.inTest(fn.Pos()) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.MakeInterface:
					if g := r.registration(i); g != nil {
						add(g)
					}
				case *ssa.ChangeInterface:
					widened = append(widened, i)
				}
			}
		}
	}
	for _, i := range widened {
		r.widen(i, add)
	}
	slices.SortStableFunc(r.registrations, func(a, b *Registration) int { return cmp.Compare(a.Pos, b.Pos) })
}

// registration returns the registration for a conversion of a type of the module, or nil.
func (r *Result) registration(made *ssa.MakeInterface) *Registration {
	name, n := r.interfaceName(made.Type()), namedType(made.X.Type())
	if name == "" || n == nil || !r.dry.InModule(n.Obj().Pkg()) || isTestDouble(n.Obj().Name()) {
		return nil
	}
	g := &Registration{implementer: implementer{Interface: name, Type: typeName(n)}, Pos: placeOf(made), Bodies: map[string]*ssa.Function{}}
	for m := range made.Type().Underlying().(*types.Interface).Methods() {
		obj, _, _ := types.LookupFieldOrMethod(made.X.Type(), true, r.pass.Pkg, m.Name())
		method, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		var does behaviour
		if body := r.body(method.Origin()); body != nil {
			does = r.behaves(body)
			g.Bodies[m.Name()] = body
		} else if method.Pkg() != r.pass.Pkg {
			does = r.factsAbout(method)
		}
		if does.Text != "" || len(does.Leads) > 0 {
			does.Name = m.Name()
			g.Methods = append(g.Methods, does)
		}
	}
	return g
}

// widen adds the registrations for a conversion of one interface to another. The types that
// the module converts to the first interface may be behind the second.
func (r *Result) widen(i *ssa.ChangeInterface, add func(*Registration)) {
	from, to := r.interfaceName(i.X.Type()), r.interfaceName(i.Type())
	if from == "" || to == "" {
		return
	}
	known := slices.Clone(r.imported)
	for _, g := range r.registrations {
		known = append(known, g.implementer)
	}
	for _, t := range known {
		if t.Interface != from {
			continue
		}
		g := &Registration{implementer: implementer{Interface: to, Type: t.Type}, Pos: placeOf(i)}
		for m := range i.Type().Underlying().(*types.Interface).Methods() {
			if does := t.method(m.Name()); does.Name != "" {
				g.Methods = append(g.Methods, does)
			}
		}
		add(g)
	}
}

// behaves describes a function of the package.
func (r *Result) behaves(fn *ssa.Function) behaviour {
	does := behaviour{Leads: r.leads(fn)}
	if e := r.first(fn, func(*Effect) bool { return true }); e != nil {
		does.Text = e.Text
	}
	return does
}

// namedType returns the declared type of a value or of what a pointer points to, or nil.
func namedType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

func typeName(n *types.Named) string { return n.Obj().Pkg().Path() + "." + n.Obj().Name() }

// placeOf returns the position of a conversion. An implicit conversion has none, so it is
// the position of the value, or of the instruction that uses the interface.
func placeOf(v ssa.Value) token.Pos {
	if v.Pos().IsValid() {
		return v.Pos()
	}
	from := v.(ssa.Instruction).Operands(nil)
	for _, o := range from {
		if pos := (*o).Pos(); pos.IsValid() && (*o).Parent() == v.Parent() {
			return pos
		}
	}
	for _, user := range *v.Referrers() {
		if user.Pos().IsValid() {
			return user.Pos()
		}
	}
	return v.Parent().Pos()
}
