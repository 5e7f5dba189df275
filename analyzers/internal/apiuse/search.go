package apiuse

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// search searches one package for uses.
type search struct {
	*Result
	packages map[*types.Package]*apiPackage
	// variables maps package variables to the values in their declarations.
	variables map[types.Object]ast.Expr
	accepted  accepted
	// stack has the nodes from the file to the current node. The current node is the
	// last.
	stack []ast.Node
	// mixed has the lists of the file that name several versions of a kind.
	mixed []*ast.CompositeLit
	// parts has the values that calls in the current function set on unstructured objects.
	parts map[types.Object]*setters
}

// collectVariables records the package variables of a file with their values.
func (s *search) collectVariables(f *ast.File) {
	for _, decl := range f.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			v := spec.(*ast.ValueSpec)
			if len(v.Names) != len(v.Values) {
				continue
			}
			for i, name := range v.Names {
				if obj := s.pass.TypesInfo.Defs[name]; obj != nil {
					s.variables[obj] = v.Values[i]
				}
			}
		}
	}
}

func (s *search) file(f *ast.File) {
	s.stack, s.mixed = s.stack[:0], nil
	s.markers(f)
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			s.stack = s.stack[:len(s.stack)-1]
			return true
		}
		s.stack = append(s.stack, n)
		s.conversionsIn(n)
		switch n := n.(type) {
		case *ast.ImportSpec:
			s.stack = s.stack[:len(s.stack)-1]
			return false
		case *ast.FuncDecl:
			s.parts = map[types.Object]*setters{}
		case *ast.Ident:
			s.ident(n)
		case *ast.CompositeLit:
			s.composite(n)
		case *ast.CallExpr:
			s.call(n)
		case *ast.BasicLit:
			s.text(n)
		}
		return true
	})
}

// acknowledged reports whether a comment on the line of pos, or on the line above, tells
// another linter to accept deprecated APIs.
func (s *search) acknowledged(pos token.Pos) bool {
	return s.accepted.lines[s.pass.Fset.File(pos)][s.line(pos)]
}

// line returns the line of a position in its file.
func (s *search) line(pos token.Pos) int {
	return s.pass.Fset.File(pos).PositionFor(pos, false).Line
}

// parent returns the n-th node around the current node. Number 0 is the current node.
// It returns nil if there is none.
func (s *search) parent(n int) ast.Node {
	if i := len(s.stack) - 1 - n; i >= 0 {
		return s.stack[i]
	}
	return nil
}

// ident records the use of a type, variable, function or method.
func (s *search) ident(id *ast.Ident) {
	obj := s.pass.TypesInfo.Uses[id]
	if obj == nil {
		s.unknownLock(id)
		return
	}
	p := s.packageOf(obj.Pkg())
	switch {
	case p != nil:
	case obj.Pkg() != nil && unvendored(obj.Pkg().Path()) == resourceLock:
		s.lock(id, obj)
		return
	default:
		s.heldVersion(id, obj)
		return
	}
	switch obj := obj.(type) {
	case *types.TypeName:
		s.typeUse(id, p, obj.Name())
	case *types.Const:
		if named, ok := types.Unalias(obj.Type()).(*types.Named); ok && named.Obj().Pkg() == obj.Pkg() {
			s.typeUse(id, p, named.Obj().Name())
		}
	case *types.Func:
		if recv := obj.Signature().Recv(); recv != nil {
			s.method(id, p, obj)
		} else if p.form == Apply || p.form == Lister || p.form == Informer {
			s.typeUse(id, p, obj.Name())
		} else if p.form == Client && (obj.Name() == "New" || strings.HasPrefix(obj.Name(), "NewForConfig")) {
			s.versions[p.groupVersion] = true
			s.addWhole(p.groupVersion, Constructor, s.selector(id), obj.Pkg())
		}
	case *types.Var:
		if p.form == Type && !obj.IsField() {
			s.packageVariable(id, p, obj)
		}
	}
}

// typeUse records the use of a type, or of a function that creates a value of the type.
func (s *search) typeUse(id *ast.Ident, p *apiPackage, name string) {
	obj := s.pass.TypesInfo.Uses[id]
	kinds := p.kindsOf(obj.Pkg(), name)
	if len(kinds) == 0 || s.inTypeAssertion() {
		return
	}
	for _, api := range kinds {
		s.kinds[api] = true
	}
	// A type that is a part of several kinds does not show which of them the package
	// uses.
	if len(kinds) > 1 {
		return
	}
	node := ast.Node(id)
	depth := 0
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		node, depth = sel, 1
	}
	u := Use{API: kinds[0], Form: p.form, Pos: node.Pos(), End: node.End(), Part: !isWholeKind(kinds[0], p.form, name)}
	if !u.Part {
		u.Decides = s.createsObject(node, depth+1)
		lit, ok := s.parent(depth + 1).(*ast.CompositeLit)
		u.createdWithFields = ok && lit.Type == node && len(lit.Elts) > 0
	}
	s.add(u)
}

// isWholeKind reports whether a name stands for the kind or its list, and not for a
// part of the kind.
func isWholeKind(api lifecycle.API, form Form, name string) bool {
	return form != Type && form != Apply || strings.TrimSuffix(strings.TrimSuffix(name, "ApplyConfiguration"), "List") == api.Kind()
}

// createsObject reports whether code creates an object of a type, or calls a function
// that creates one. Such code chooses the version. up is the number of levels to the
// parent of node.
func (s *search) createsObject(node ast.Node, up int) bool {
	switch n := s.parent(up).(type) {
	case *ast.CompositeLit:
		if n.Type != node {
			return false
		}
		// Code often returns an empty value with an error, and so creates no object. Code that
		// reads into an object, or sends it, uses a pointer.
		address, ok := s.parent(up + 1).(*ast.UnaryExpr)
		return len(n.Elts) > 0 || ok && address.Op == token.AND
	case *ast.ValueSpec:
		return n.Type == node
	case *ast.CallExpr:
		if n.Fun == node {
			// The function of an apply configuration creates an object. A conversion does
			// not.
			return !s.pass.TypesInfo.Types[n.Fun].IsType()
		}
		fn, ok := n.Fun.(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := s.pass.TypesInfo.Uses[fn].(*types.Builtin)
		return ok && b.Name() == "new"
	}
	return false
}

// inTypeAssertion reports whether the current type is in a type assertion or in a case
// of a type switch. Such code accepts several types and chooses none.
func (s *search) inTypeAssertion() bool {
	for i := 1; ; i++ {
		switch s.parent(i).(type) {
		case *ast.SelectorExpr, *ast.StarExpr, *ast.ParenExpr:
		case *ast.TypeAssertExpr, *ast.CaseClause:
			return true
		default:
			return false
		}
	}
}

// method records the call of a method of a typed client, an informer factory or a
// lister, such as Deployments, if the result of the method is for one kind.
func (s *search) method(id *ast.Ident, p *apiPackage, fn *types.Func) {
	if p.form != Client && p.form != Informer && p.form != Lister {
		return
	}
	if p.form == Client && fn.Name() == "RESTClient" {
		s.versions[p.groupVersion] = true
		s.addWhole(p.groupVersion, Client, id, fn.Pkg())
		return
	}
	results := fn.Signature().Results()
	if results.Len() != 1 {
		return
	}
	named, ok := types.Unalias(results.At(0).Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != fn.Pkg() {
		return
	}
	suffix := map[Form]string{Client: "Interface", Informer: "Informer", Lister: "Lister"}[p.form]
	if !strings.HasSuffix(named.Obj().Name(), suffix) {
		return
	}
	for _, api := range p.kindsOf(fn.Pkg(), named.Obj().Name()) {
		s.add(Use{API: api, Form: p.form, Pos: id.Pos(), End: id.End(), Decides: p.form != Lister})
	}
}

// packageVariable records a use of SchemeGroupVersion, AddToScheme or SchemeBuilder.
func (s *search) packageVariable(id *ast.Ident, p *apiPackage, v *types.Var) {
	node := ast.Node(id)
	up := 1
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		node, up = sel, 2
	}
	switch v.Name() {
	case "AddToScheme", "SchemeBuilder":
		s.versions[p.groupVersion] = true
		s.addWhole(p.groupVersion, Registration, node, v.Pkg())
	case "SchemeGroupVersion":
		s.groupVersionUse(p.groupVersion, node, up, v.Pkg())
	}
}

// heldVersion records a use of the program's own variable or constant that contains a
// group version. It records only comparisons, and code that adds a kind to the version.
func (s *search) heldVersion(id *ast.Ident, obj types.Object) {
	var gv string
	switch obj := obj.(type) {
	case *types.Const:
		if obj.Val().Kind() != constant.String {
			return
		}
		gv = constant.StringVal(obj.Val())
		if group, _, ok := strings.Cut(gv, "/v"); !ok || !lifecycle.IsGroup(group) {
			return
		}
	case *types.Var:
		lit, ok := s.variables[obj].(*ast.CompositeLit)
		if !ok || s.named(lit) != "GroupVersion" {
			return
		}
		if gv, ok = s.literalVersion(lit); !ok {
			return
		}
	default:
		return
	}
	node, up := ast.Node(id), 1
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		node, up = sel, 2
	}
	if _, method := s.parent(up).(*ast.SelectorExpr); method {
		s.groupVersionUse(gv, node, up, nil)
	} else if s.onlyComparesVersion(up) {
		s.asked[gv] = true
	}
}

// groupVersionUse records the use of an expression whose value is the known group
// version gv. up is the number of levels to the expression's parent. types is the
// package that declares the version, or nil for a literal.
func (s *search) groupVersionUse(gv string, node ast.Node, up int, types *types.Package) {
	s.versions[gv] = true
	sel, ok := s.parent(up).(*ast.SelectorExpr)
	if !ok {
		if s.onlyComparesVersion(up) {
			s.asked[gv] = true
			return
		}
		form := Literal
		if call, ok := s.parent(up).(*ast.CallExpr); ok && s.registers(call) {
			form = Registration
		}
		s.addWhole(gv, form, node, types)
		return
	}
	call, ok := s.parent(up + 1).(*ast.CallExpr)
	if !ok || call.Fun != sel {
		return
	}
	var api lifecycle.API
	found := false
	switch sel.Sel.Name {
	case "WithKind":
		if kind, ok := s.constant(call.Args, 0); ok {
			api, found = lookup(gv, kind)
		}
	case "WithResource":
		if resource, ok := s.constant(call.Args, 0); ok {
			api, found = lookupResource(gv, resource)
		}
	case "String":
		if s.onlyComparesVersion(up + 2) {
			s.asked[gv] = true
		}
		return
	}
	if found && !s.onlyComparesVersion(up+2) {
		s.add(Use{API: api, Form: Literal, Pos: node.Pos(), End: call.End(), Decides: true})
	}
}

// registers reports whether a call passes a version to a scheme and sends no request.
func (s *search) registers(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := s.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	switch unvendored(fn.Pkg().Path()) {
	case "k8s.io/apimachinery/pkg/runtime":
		return fn.Name() == "SetVersionPriority"
	case metaPath:
		return fn.Name() == "AddToGroupVersion"
	}
	return false
}

// add records a use of a kind.
func (s *search) add(u Use) {
	s.kinds[u.API] = true
	if deprecatedOrRemoved(u.API) {
		u.GroupVersion = u.API.GroupVersion()
		u.within = s.enclosingNames()
		u.acknowledged, u.reasoned = s.acknowledged(u.Pos), s.acceptedWithReason(u.Pos)
		u.lock = u.lock || isEndpoints(u.API) && s.inLock()
		s.Uses = append(s.Uses, u)
	}
}

// addWhole records a use of a version with all its kinds. If an imported package
// declares the version, only the kinds in that package count.
func (s *search) addWhole(gv string, form Form, node ast.Node, pkg *types.Package) {
	if !anyDeprecatedOrRemoved(gv) {
		return
	}
	u := Use{GroupVersion: gv, Form: form, Pos: node.Pos(), End: node.End(), Decides: true, within: s.enclosingNames()}
	u.acknowledged, u.reasoned = s.acknowledged(u.Pos), s.acceptedWithReason(u.Pos)
	suffix := ""
	if form == Client || form == Constructor {
		suffix = "Interface"
	}
	for api := range resources(gv) {
		if pkg == nil || pkg.Scope().Lookup(api.Kind()+suffix) != nil {
			u.all = append(u.all, api)
		}
	}
	s.Uses = append(s.Uses, u)
}

// selector returns the selector expression that ends with a name. It returns the name
// itself if there is no selector.
func (s *search) selector(id *ast.Ident) ast.Node {
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == id {
		return sel
	}
	return id
}

// enclosingNames returns the lower-case names of the file, functions and types around the current
// node.
func (s *search) enclosingNames() string {
	f := s.stack[0].(*ast.File)
	names := []string{filepath.Base(s.pass.Fset.File(f.FileStart).Name())}
	for _, n := range s.stack[1:] {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
			if n.Recv != nil {
				names = append(names, types.ExprString(n.Recv.List[0].Type))
			}
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
		}
	}
	return strings.ToLower(strings.Join(names, " "))
}
