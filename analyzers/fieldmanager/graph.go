package fieldmanager

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// graph contains the references between the package's functions and variables.
//
// The conversion of a value to an interface adds references to the value's methods:
//
//   - from the function that contains the conversion, if another package declares the
//     interface, because libraries call reconcilers in this way
//   - from the interface's methods, if this package declares the interface
type graph struct {
	pass *analysis.Pass
	// refs lists, for each declared object, the objects that its code uses. The used
	// objects may belong to other packages.
	refs map[types.Object][]types.Object
	// sites has the sites in the code of each function, and in the initial value of
	// each variable.
	sites map[types.Object][]*site
	// started are the objects that run without a reference: functions init, and initial
	// values of blank variables.
	started []types.Object
}

// newGraph builds the graph of the package's declarations.
func newGraph(pass *analysis.Pass, funcs []*ssa.Function, own []*site) *graph {
	g := &graph{pass: pass, refs: map[types.Object][]types.Object{}, sites: map[types.Object][]*site{}}
	// Whole includes code that does not compile, because that code has references too.
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
	g.convert(funcs)
	for _, s := range own {
		if at := g.declarationAt(s.pos); at != nil {
			g.sites[at] = append(g.sites[at], s)
		}
	}
	return g
}

func (g *graph) declared(id *ast.Ident) types.Object { return g.pass.TypesInfo.Defs[id] }

// spec adds the variables of a declaration with their initial values.
func (g *graph) spec(s ast.Spec) {
	v, ok := s.(*ast.ValueSpec)
	if !ok {
		return
	}
	for _, name := range v.Names {
		for _, value := range v.Values {
			g.add(g.declared(name), value)
		}
	}
}

// add links a declared object to all objects that its code uses.
func (g *graph) add(from types.Object, code ast.Node) {
	if from == nil {
		return
	}
	if initializer(from) || from.Name() == "_" {
		g.started = append(g.started, from)
	}
	g.touch(from)
	skipped := intact.Of(g.pass).Skips(from)
	ast.Inspect(code, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			g.link(from, origin(g.pass.TypesInfo.Uses[id]))
			if skipped {
				g.addMentioned(from, g.pass.TypesInfo.Uses[id])
			}
			if instance, ok := g.pass.TypesInfo.Instances[id]; ok {
				g.addInstantiated(from, id, instance)
			}
		}
		return true
	})
}

// addMentioned handles a type that code which does not compile names. The code may
// convert values of the type to an interface, so addMentioned adds references to the
// type's methods.
func (g *graph) addMentioned(from, obj types.Object) {
	name, ok := obj.(*types.TypeName)
	if !ok || types.IsInterface(name.Type()) {
		return
	}
	if named, ok := types.Unalias(name.Type()).(*types.Named); ok {
		for m := range named.Origin().Methods() {
			if m.Exported() {
				g.link(from, m)
			}
		}
	}
}

func (g *graph) touch(obj types.Object) {
	if _, ok := g.refs[obj]; !ok {
		g.refs[obj] = nil
	}
}

// addInstantiated adds references from generic code to methods of its type arguments.
// The methods are those that the constraints name.
func (g *graph) addInstantiated(from types.Object, id *ast.Ident, instance types.Instance) {
	var params *types.TypeParamList
	switch obj := g.pass.TypesInfo.Uses[id].(type) {
	case *types.Func:
		params = obj.Origin().Signature().TypeParams()
	case *types.TypeName:
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok {
			params = named.Origin().TypeParams()
		}
	}
	for i := range params.Len() {
		constraint, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if !ok || i >= instance.TypeArgs.Len() {
			continue
		}
		for m := range constraint.Methods() {
			g.link(from, methodOf(instance.TypeArgs.At(i), m))
		}
	}
}

func (g *graph) link(from, to types.Object) {
	if to == nil || to == from || to.Pkg() == nil {
		return
	}
	if v, ok := to.(*types.Var); ok && (v.IsField() || v.Parent() != v.Pkg().Scope()) {
		return
	}
	if !slices.Contains(g.refs[from], to) {
		g.refs[from] = append(g.refs[from], to)
	}
	g.touch(to)
	if _, ok := to.(*types.Var); ok && initializer(from) {
		// Code that reads a variable may use the values that init stored in it,
		// such as a table of controllers.
		g.link(to, from)
	}
}

// initializer reports whether obj is a function init, which no code calls.
func initializer(obj types.Object) bool {
	fn, ok := obj.(*types.Func)
	return ok && fn.Name() == "init" && fn.Signature().Recv() == nil
}

// origin returns the generic declaration of an instantiated function or variable. It
// returns nil for other objects.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return nil
}

// typeName returns the object of a declared type, or of the type to which a pointer
// points. It returns nil for other types.
func typeName(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// declarationAt returns the declared function, or the variable with an initial value,
// whose code contains a position.
func (g *graph) declarationAt(pos token.Pos) types.Object {
	for _, f := range intact.Of(g.pass).Whole {
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

// methodOf returns the method of t that implements the interface method m.
func methodOf(t types.Type, m *types.Func) types.Object {
	obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
	return origin(obj)
}

// convert adds references from each function to the methods of the values that it
// converts to interfaces.
func (g *graph) convert(funcs []*ssa.Function) {
	var read func(fn *ssa.Function, from types.Object)
	read = func(fn *ssa.Function, from types.Object) {
		for _, b := range fn.Blocks {
			for n, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.MakeInterface:
					g.converted(g.declarationOf(from, b.Instrs[n:]), i.X.Type(), i.Type())
				case *ssa.ChangeInterface:
					g.converted(g.declarationOf(from, b.Instrs[n:]), i.X.Type(), i.Type())
				}
			}
		}
		for _, literal := range fn.AnonFuncs {
			if from == nil {
				read(literal, g.declarationAt(literal.Pos()))
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

// declarationOf returns from, the function that contains the instructions. If from is
// nil, the instructions initialize a package variable, and declarationOf returns this
// variable.
func (g *graph) declarationOf(from types.Object, instrs []ssa.Instruction) types.Object {
	if from != nil {
		return from
	}
	for _, i := range instrs {
		if i.Pos().IsValid() {
			return g.declarationAt(i.Pos())
		}
	}
	return nil
}

func (g *graph) converted(from types.Object, t, to types.Type) {
	i, ok := to.Underlying().(*types.Interface)
	if from == nil || !ok {
		return
	}
	known := declaresType(g.pass.Pkg, t) && declaresType(g.pass.Pkg, to)
	if name := typeName(to); name != nil && name.Pkg() != nil && strings.HasPrefix(edit.Unvendored(name.Pkg().Path()), "k8s.io/apiserver/") {
		// An API server checks at run time which other interfaces its storage implements.
		methods := types.NewMethodSet(t)
		for n := range methods.Len() {
			g.link(from, origin(methods.At(n).Obj()))
		}
		return
	}
	for m := range i.Methods() {
		if known {
			g.link(m, methodOf(t, m))
		} else {
			g.link(from, methodOf(t, m))
		}
	}
}

// declaresType reports whether pkg declares the type t, or the type to which t points.
func declaresType(pkg *types.Package, t types.Type) bool {
	name := typeName(t)
	return name != nil && name.Pkg() == pkg
}

// set is a set of sites. Site n of reached.sites is bit n.
type set []uint64

func (s set) add(n int) { s[n/64] |= 1 << (n % 64) }

// merge adds another set to s, and reports whether s has changed.
func (s set) merge(other set) bool {
	changed := false
	for i, word := range other {
		changed = changed || word&^s[i] != 0
		s[i] |= word
	}
	return changed
}

func (s set) empty() bool {
	return !slices.ContainsFunc(s, func(word uint64) bool { return word != 0 })
}

// numbers returns the indexes of the sites in the set, sorted.
func (s set) numbers() []int {
	var list []int
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			list = append(list, i*64+bits.TrailingZeros64(word))
		}
	}
	return list
}

// reachable says which sites may run if the code of an object runs.
type reachable struct {
	sites []*site
	of    map[types.Object]set
}

// solve finds the sites that may run if the code of an object runs. sites are those of
// the package and of its imports.
func (g *graph) solve(sites []*site) *reachable {
	r := &reachable{sites: sites, of: map[types.Object]set{}}
	number := make(map[uint64]int, len(sites))
	for n, s := range sites {
		number[s.id] = n
	}
	words := (len(sites) + 63) / 64
	users := map[types.Object][]types.Object{}
	var work []types.Object
	for obj := range g.refs {
		here := make(set, words)
		if obj.Pkg() == g.pass.Pkg {
			for _, s := range g.sites[obj] {
				here.add(number[s.id])
			}
			for _, to := range g.refs[obj] {
				users[to] = append(users[to], obj)
			}
		}
		var fact reachesFact
		if obj.Pkg() != g.pass.Pkg && g.pass.ImportObjectFact(obj, &fact) {
			for _, id := range fact.Sites {
				if n, ok := number[id]; ok {
					here.add(n)
				}
			}
		}
		// An interface of another package may have references to methods of this package.
		for _, to := range g.refs[obj] {
			if obj.Pkg() != g.pass.Pkg {
				users[to] = append(users[to], obj)
			}
		}
		r.of[obj] = here
		if !here.empty() {
			work = append(work, obj)
		}
	}
	for len(work) > 0 {
		obj := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range users[obj] {
			if r.of[user].merge(r.of[obj]) {
				work = append(work, user)
			}
		}
	}
	return r
}

// from returns the sites that may run if the code of one of the objects runs, and the
// sites with the given IDs.
func (r *reachable) from(objects []types.Object, ids []uint64) set {
	all := make(set, (len(r.sites)+63)/64)
	for _, obj := range objects {
		if s := r.of[obj]; s != nil {
			all.merge(s)
		}
	}
	if len(ids) > 0 {
		number := make(map[uint64]int, len(r.sites))
		for n, s := range r.sites {
			number[s.id] = n
		}
		for _, id := range ids {
			if n, ok := number[id]; ok {
				all.add(n)
			}
		}
	}
	return all
}

// ids returns the IDs of the sites in a set, sorted.
func (r *reachable) ids(s set) []uint64 {
	var list []uint64
	for _, n := range s.numbers() {
		list = append(list, r.sites[n].id)
	}
	slices.Sort(list)
	return list
}
