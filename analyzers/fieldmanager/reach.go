package fieldmanager

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
)

// reaches is the fact about a function or type of the module that using it may
// lead to nameless writes: directly, through what it calls, or through the
// methods of a type that it makes use of.
type reaches struct {
	Writes []uint64 // as identified by write.id; sorted
}

// AFact marks the type as a fact.
func (*reaches) AFact() {}

func (r *reaches) String() string { return fmt.Sprintf("reaches %d nameless writes", len(r.Writes)) }

// graph is what the package's functions, types and variables refer to. Whoever
// refers to a type is taken to call all its methods: that is how reconcilers
// are called, from outside the program's own code.
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
func newGraph(pass *analysis.Pass, open []write) *graph {
	g := &graph{
		pass: pass, refs: map[types.Object][]types.Object{},
		users: map[types.Object][]types.Object{}, own: map[types.Object][]uint64{},
	}
	for _, f := range pass.Files {
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

// spec adds variables with their initializers, and types with their methods
// and what they embed.
func (g *graph) spec(s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, name := range s.Names {
			for _, v := range s.Values {
				g.add(g.declared(name), v)
			}
		}
	case *ast.TypeSpec:
		obj := g.declared(s.Name)
		if obj == nil {
			return
		}
		named, ok := types.Unalias(obj.Type()).(*types.Named)
		if !ok {
			return
		}
		for m := range named.Origin().Methods() {
			g.link(obj, m)
		}
		if t, ok := named.Underlying().(*types.Struct); ok {
			for f := range t.Fields() {
				if f.Embedded() {
					g.link(obj, typeName(f.Type()))
				}
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

// roots are the objects from which a client spreads that is built at pos: the
// function that builds it with the methods of its receiver; the type or the
// variable that it is stored in; and, where the function returns more than an
// error, those that call it.
func (g *graph) roots(k *apicall.Construction) []types.Object {
	first := g.holder(k.Pos())
	if first == nil {
		return nil
	}
	list := append([]types.Object{first}, g.stored(k)...)
	seen := map[types.Object]bool{}
	for i := 0; i < len(list); i++ {
		obj := list[i]
		if seen[obj] {
			continue
		}
		seen[obj] = true
		switch obj := obj.(type) {
		case *types.Func:
			sig := obj.Signature()
			if sig.Recv() != nil {
				list = append(list, typeName(sig.Recv().Type()))
			}
			if carries(sig.Results()) {
				list = append(list, g.callers(obj)...)
			}
		case *types.Var: // one of the package
			list = append(list, g.users[obj]...)
		}
	}
	return list
}

// callers are the functions and variables of the package that refer to a
// function; types do so only because it is their method.
func (g *graph) callers(fn types.Object) []types.Object {
	return slices.DeleteFunc(slices.Clone(g.users[fn]), func(o types.Object) bool { _, isType := o.(*types.TypeName); return isType })
}

// stored are the type whose field, or the variable of the package, that the
// client is assigned to.
func (g *graph) stored(k *apicall.Construction) []types.Object {
	var list []types.Object
	if s, ok := statement(g.pass, k.Expr).(*ast.AssignStmt); ok {
		for _, lhs := range s.Lhs {
			switch lhs := ast.Unparen(lhs).(type) {
			case *ast.SelectorExpr:
				list = append(list, typeName(g.pass.TypesInfo.TypeOf(lhs.X)))
			case *ast.Ident:
				if v, ok := g.pass.TypesInfo.Uses[lhs].(*types.Var); ok && v.Parent() == g.pass.Pkg.Scope() {
					list = append(list, v)
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(o types.Object) bool { return o == nil || o.Pkg() != g.pass.Pkg })
}

// carries reports whether results can hold a client.
func carries(results *types.Tuple) bool {
	for v := range results.Variables() {
		if _, basic := v.Type().Underlying().(*types.Basic); !basic && !types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			return true
		}
	}
	return false
}
