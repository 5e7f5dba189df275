package fieldmanager

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
)

// reaches is the fact about a function or method of the module that calling it
// may lead to nameless writes: directly, or through what it refers to.
type reaches struct {
	Writes []uint64 // as identified by write.id; sorted
}

// AFact marks the type as a fact.
func (*reaches) AFact() {}

func (r *reaches) String() string { return fmt.Sprintf("reaches %d nameless writes", len(r.Writes)) }

// graph is what the package's functions and variables refer to. Whoever makes
// an interface of a value is taken to call its methods: that is how reconcilers
// are called, from outside the program's own code. Where the package declares
// both the interface and the type, the methods of the interface lead to those
// of the type, and are called by who refers to them.
type graph struct {
	pass *analysis.Pass
	// refs has, for each declared object, the objects that it refers to, of
	// this package or of others.
	refs map[types.Object][]types.Object
	// users is the reverse within the package.
	users map[types.Object][]types.Object
	// own are the writes that stand in a function or in the initializer of a
	// variable.
	own map[types.Object][]uint64
}

// newGraph reads the package's declarations.
func newGraph(pass *analysis.Pass, result *apicall.Result, open []write) *graph {
	g := &graph{
		pass: pass, refs: map[types.Object][]types.Object{},
		users: map[types.Object][]types.Object{}, own: map[types.Object][]uint64{},
	}
	// Code that does not compile refers to other code all the same.
	for _, f := range intact.Of(pass).Whole {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					g.add(g.declared(d.Name), d.Body)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					g.spec(s)
				}
			}
		}
	}
	g.convert(result.SSA())
	for _, w := range open {
		if w.pos.IsValid() {
			if at := g.holder(w.pos); at != nil {
				g.own[at] = append(g.own[at], w.id())
			}
		}
	}
	return g
}

func (g *graph) declared(id *ast.Ident) types.Object { return g.pass.TypesInfo.Defs[id] }

// spec adds variables with their initializers.
func (g *graph) spec(s ast.Spec) {
	if s, ok := s.(*ast.ValueSpec); ok {
		for _, name := range s.Names {
			for _, v := range s.Values {
				g.add(g.declared(name), v)
			}
		}
	}
}

// add links a declared object to all that a piece of code refers to.
func (g *graph) add(from types.Object, code ast.Node) {
	if from == nil {
		return
	}
	ast.Inspect(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			g.link(from, origin(g.pass.TypesInfo.Uses[id]))
		}
		return true
	})
}

func (g *graph) link(from, to types.Object) {
	if to == nil || to == from || to.Pkg() == nil {
		return
	}
	if v, ok := to.(*types.Var); ok && (v.IsField() || v.Parent() != v.Pkg().Scope()) {
		return
	}
	switch to.(type) {
	case *types.Func, *types.TypeName, *types.Var:
		if !slices.Contains(g.refs[from], to) {
			g.refs[from] = append(g.refs[from], to)
			g.users[to] = append(g.users[to], from)
		}
	}
	if _, ok := to.(*types.Var); ok && initializer(from) {
		// What init puts into a variable, such as a table of controllers, is
		// found by whoever reads it.
		g.link(to, from)
	}
}

// initializer reports whether a function is an init, which nobody calls.
func initializer(obj types.Object) bool {
	fn, ok := obj.(*types.Func)
	return ok && fn.Name() == "init" && fn.Signature().Recv() == nil
}

// origin is the declared object of an instance, and of an alias the type that
// it names.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	case *types.TypeName:
		return typeName(obj.Type())
	}
	return nil
}

// typeName is the name of a type, or of what it points to; nil where it has
// none.
func typeName(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// holder is the declared function, or the variable with an initializer, whose
// code holds a position.
func (g *graph) holder(pos token.Pos) types.Object {
	for _, f := range g.pass.Files {
		if f.FileStart > pos || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if d.Pos() > pos || pos >= d.End() {
				continue
			}
			switch d := d.(type) {
			case *ast.FuncDecl:
				return g.declared(d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && s.Pos() <= pos && pos < s.End() && len(v.Names) > 0 {
						return g.declared(v.Names[0])
					}
				}
			}
		}
	}
	return nil
}

// from are the writes that the given objects may lead to.
func (g *graph) from(roots ...types.Object) map[uint64]bool {
	found := map[uint64]bool{}
	seen := map[types.Object]bool{}
	for len(roots) > 0 {
		obj := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if obj == nil || seen[obj] {
			continue
		}
		seen[obj] = true
		if obj.Pkg() != g.pass.Pkg {
			var fact reaches
			if g.pass.ImportObjectFact(obj, &fact) {
				for _, w := range fact.Writes {
					found[w] = true
				}
			}
			continue
		}
		for _, w := range g.own[obj] {
			found[w] = true
		}
		roots = append(roots, g.refs[obj]...)
	}
	return found
}

// export states the facts about the package's objects, as far as the writes
// are left to other packages.
func (g *graph) export(left []write) {
	open := map[uint64]bool{}
	for _, w := range left {
		open[w.id()] = true
	}
	for obj := range g.refs {
		if !exportable(g.pass.Pkg, obj) {
			continue
		}
		var fact reaches
		for w := range g.from(obj) {
			if open[w] {
				fact.Writes = append(fact.Writes, w)
			}
		}
		if len(fact.Writes) > 0 {
			slices.Sort(fact.Writes)
			g.pass.ExportObjectFact(obj, &fact)
		}
	}
}

// exportable reports whether other packages may refer to an object: exported
// ones, and methods of exported names, whose type need not be.
func exportable(pkg *types.Package, obj types.Object) bool { return obj.Exported() && obj.Pkg() == pkg }
