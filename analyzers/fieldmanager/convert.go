package fieldmanager

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/ssa"
)

// method is the method of t that is called for a method of an interface.
func (g *graph) method(t types.Type, m *types.Func) types.Object {
	obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
	return origin(obj)
}

// convert links functions to the methods of what they make interfaces of.
func (g *graph) convert(funcs []*ssa.Function) {
	var read func(fn *ssa.Function, from types.Object)
	read = func(fn *ssa.Function, from types.Object) {
		for _, b := range fn.Blocks {
			for n, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.MakeInterface:
					g.converted(g.within(from, b.Instrs[n:]), i.X.Type(), i.Type())
				case *ssa.ChangeInterface:
					g.converted(g.within(from, b.Instrs[n:]), i.X.Type(), i.Type())
				}
			}
		}
		for _, literal := range fn.AnonFuncs {
			if from == nil {
				read(literal, g.holder(literal.Pos()))
			} else {
				read(literal, from)
			}
		}
	}
	for _, fn := range funcs {
		if fn.Parent() == nil && fn.Object() != nil {
			read(fn, fn.Object())
		}
	}
	if len(funcs) > 0 && funcs[0].Pkg != nil {
		if init := funcs[0].Pkg.Func("init"); init != nil {
			read(init, nil) // the variables' initial values
		}
	}
}

// within is the variable whose initial value the first instruction belongs to,
// which need not have a position itself; from, where it belongs to a function.
func (g *graph) within(from types.Object, instrs []ssa.Instruction) types.Object {
	if from != nil {
		return from
	}
	for _, i := range instrs {
		if i.Pos().IsValid() {
			return g.holder(i.Pos())
		}
	}
	return nil
}

func (g *graph) converted(from types.Object, t, to types.Type) {
	i, ok := to.Underlying().(*types.Interface)
	if from == nil || !ok {
		return
	}
	known := here(g.pass.Pkg, t) && here(g.pass.Pkg, to)
	if name := typeName(to); name != nil && name.Pkg() != nil && strings.HasPrefix(edit.Unvendored(name.Pkg().Path()), "k8s.io/apiserver/") {
		// An API server asks storage what else it can do.
		methods := types.NewMethodSet(t)
		for n := range methods.Len() {
			g.link(from, origin(methods.At(n).Obj()))
		}
		return
	}
	for m := range i.Methods() {
		if known {
			g.link(m, g.method(t, m))
		} else {
			g.link(from, g.method(t, m))
		}
	}
}

// here reports whether a type, or what it points to, is declared by a package.
func here(pkg *types.Package, t types.Type) bool {
	name := typeName(t)
	return name != nil && name.Pkg() == pkg
}
