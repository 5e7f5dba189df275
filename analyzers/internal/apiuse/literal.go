package apiuse

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

const (
	schemaPath = "k8s.io/apimachinery/pkg/runtime/schema"
	metaPath   = "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// setters has the values that method calls set on one unstructured object.
type setters struct {
	apiVersion, kind string
	at               ast.Node // the expression of the apiVersion
}

// text records the group version that a string literal is. The literal shows that the
// code knows the version.
func (s *search) text(lit *ast.BasicLit) {
	// "policy/v1" is the shortest group version that counts.
	if len(lit.Value) < 8 || len(lit.Value) > 60 || lit.Value[0] != '"' && lit.Value[0] != '`' || !strings.Contains(lit.Value, "/v") {
		return
	}
	gv, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	group, _, _ := strings.Cut(gv, "/")
	if !lifecycle.IsGroup(group) {
		return
	}
	s.versions[gv] = true
	if s.onlyComparesVersion(1) {
		s.asked[gv] = true
	}
}

// constant returns the constant text of argument i. It returns false if there is no
// such argument, or if it is not constant.
func (s *search) constant(args []ast.Expr, i int) (string, bool) {
	if i >= len(args) {
		return "", false
	}
	return s.value(args[i])
}

// value returns the text of an expression: a constant, or a call of String on a known
// GroupVersion. It returns false for other expressions.
func (s *search) value(e ast.Expr) (string, bool) {
	if e == nil {
		return "", false
	}
	if v := s.pass.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return "", false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "String" && sel.Sel.Name != "Identifier" {
		return "", false
	}
	return s.groupVersion(sel.X)
}

// groupVersion returns the value of an expression of type schema.GroupVersion.
func (s *search) groupVersion(e ast.Expr) (string, bool) {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	case *ast.CompositeLit:
		if s.named(e) == "GroupVersion" {
			return s.literalVersion(e)
		}
	}
	if id == nil {
		return "", false
	}
	obj := s.pass.TypesInfo.Uses[id]
	v, ok := obj.(*types.Var)
	if !ok {
		return "", false
	}
	if p := s.packageOf(v.Pkg()); p != nil && p.form == Type && v.Name() == "SchemeGroupVersion" {
		return p.groupVersion, true
	}
	if lit, ok := s.variables[v].(*ast.CompositeLit); ok && s.named(lit) == "GroupVersion" {
		return s.literalVersion(lit)
	}
	return "", false
}

// named returns the name of a literal's type if the type belongs to package schema or
// metav1. Otherwise it returns "".
func (s *search) named(lit *ast.CompositeLit) string {
	n, ok := types.Unalias(s.pass.TypesInfo.TypeOf(lit)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	if path := unvendored(n.Obj().Pkg().Path()); path != schemaPath && path != metaPath {
		return ""
	}
	return n.Obj().Name()
}

// field returns the value of a field in a literal, or nil. If the literal has no field
// names, place is the index of the field.
func field(lit *ast.CompositeLit, name string, place int) ast.Expr {
	for i, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			if i == place {
				return e
			}
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
			return kv.Value
		}
	}
	return nil
}

// literalVersion returns the group version in a struct literal. It returns false if the
// version is not known.
func (s *search) literalVersion(lit *ast.CompositeLit) (string, bool) {
	version, ok := s.value(field(lit, "Version", 1))
	if !ok {
		return "", false
	}
	groupExpr := field(lit, "Group", 0)
	if groupExpr == nil {
		return version, true // the core group
	}
	group, ok := s.value(groupExpr)
	switch {
	case !ok:
		return "", false
	case group == "":
		return version, true
	}
	return group + "/" + version, true
}

// composite records the API version in a literal. The literal has a type of package
// schema, is a TypeMeta, or is a map with the fields of an API object.
func (s *search) composite(lit *ast.CompositeLit) {
	name := s.named(lit)
	if name == "" && s.mixesVersions(lit) {
		s.mixed = append(s.mixed, lit)
	}
	switch name {
	case "GroupVersionKind", "GroupVersionResource", "GroupVersion":
		gv, ok := s.literalVersion(lit)
		if !ok {
			return
		}
		if name == "GroupVersion" {
			s.groupVersionUse(gv, lit, 1, nil)
			return
		}
		s.versions[gv] = true
		if s.onlyComparesVersion(1) {
			s.asked[gv] = true
			return
		}
		if kind, ok := s.value(field(lit, "Kind", 2)); ok && name == "GroupVersionKind" {
			s.literal(gv, kind, lit, lookup)
		} else if resource, ok := s.value(field(lit, "Resource", 2)); ok && name == "GroupVersionResource" {
			s.literal(gv, resource, lit, lookupResource)
		}
	case "TypeMeta":
		gv, ok1 := s.value(field(lit, "APIVersion", 1))
		kind, ok2 := s.value(field(lit, "Kind", 0))
		if ok1 && ok2 && !s.inObjectLiteral() {
			s.literal(gv, kind, lit, lookup)
		}
	case "":
		if _, ok := s.pass.TypesInfo.TypeOf(lit).Underlying().(*types.Map); ok {
			s.object(lit)
		}
	}
}

// mixesVersions reports whether a literal is a list in which two elements have the same
// kind or resource, but different groups or versions.
func (s *search) mixesVersions(lit *ast.CompositeLit) bool {
	versions := map[string]string{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		element, ok := ast.Unparen(e).(*ast.CompositeLit)
		if !ok {
			return false
		}
		if n := s.named(element); n != "GroupVersionKind" && n != "GroupVersionResource" {
			return false
		}
		gv, ok1 := s.literalVersion(element)
		name, ok2 := s.value(field(element, "Resource", 2))
		if !ok2 {
			name, ok2 = s.value(field(element, "Kind", 2))
		}
		if !ok1 || !ok2 {
			continue
		}
		if other, ok := versions[name]; ok && other != gv {
			return true
		}
		versions[name] = gv
	}
	return false
}

// inObjectLiteral reports whether a TypeMeta is in the literal of an object of
// k8s.io/api. The Go type of the object already shows the version.
func (s *search) inObjectLiteral() bool {
	if _, ok := s.parent(1).(*ast.KeyValueExpr); !ok {
		return false
	}
	lit, ok := s.parent(2).(*ast.CompositeLit)
	if !ok {
		return false
	}
	n, ok := types.Unalias(s.pass.TypesInfo.TypeOf(lit)).(*types.Named)
	return ok && s.packageOf(n.Obj().Pkg()) != nil
}

// object records the apiVersion and kind in a map literal that is an API object.
func (s *search) object(lit *ast.CompositeLit) {
	var gv, kind string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := s.value(kv.Key)
		switch key {
		case "apiVersion":
			gv, _ = s.value(kv.Value)
		case "kind":
			kind, _ = s.value(kv.Value)
		}
	}
	if gv != "" && kind != "" {
		s.literal(gv, kind, lit, lookup)
	}
}

// literal records a use of the version gv with a kind or a resource called name.
func (s *search) literal(gv, name string, node ast.Node, find func(gv, name string) (lifecycle.API, bool)) {
	// Code with a list of several versions of a kind distinguishes the versions, or handles
	// all of them, so it chooses none.
	if slices.ContainsFunc(s.mixed, func(l *ast.CompositeLit) bool { return l.Pos() <= node.Pos() && node.End() <= l.End() }) {
		return
	}
	if api, ok := find(gv, name); ok {
		s.add(Use{API: api, Form: Literal, Pos: node.Pos(), End: node.End(), Decides: true})
	}
}

// call records versions in the arguments of functions that take a version as text, and of
// methods that set the version of an unstructured object.
func (s *search) call(call *ast.CallExpr) {
	var id *ast.Ident
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if method {
		id = sel.Sel
	} else if id, method = ast.Unparen(call.Fun).(*ast.Ident); !method {
		return
	}
	fn, ok := s.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	switch name := fn.Name(); {
	case name == "FromAPIVersionAndKind" && unvendored(fn.Pkg().Path()) == schemaPath:
		gv, ok1 := s.constant(call.Args, 0)
		kind, ok2 := s.constant(call.Args, 1)
		if ok1 && ok2 && !s.onlyComparesVersion(1) {
			s.literal(gv, kind, call, lookup)
		}
	case name == "ParseGroupVersion" && unvendored(fn.Pkg().Path()) == schemaPath:
		if gv, ok := s.constant(call.Args, 0); ok {
			s.addWhole(gv, Literal, call, nil)
		}
	case (name == "SetAPIVersion" || name == "SetKind") && sel != nil && len(call.Args) == 1:
		s.set(sel, name, call.Args[0])
	default:
		s.restClient(call)
	}
}

// set records the apiVersion or the kind that a call sets on an object. When it knows
// both values, it adds a use.
func (s *search) set(sel *ast.SelectorExpr, name string, arg ast.Expr) {
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	text, known := s.value(arg)
	if !ok || !known || s.parts == nil {
		return
	}
	obj := s.pass.TypesInfo.Uses[id]
	if obj == nil {
		return
	}
	p := s.parts[obj]
	if p == nil {
		p = &setters{}
		s.parts[obj] = p
	}
	if name == "SetKind" {
		p.kind = text
	} else {
		p.apiVersion, p.at = text, arg
	}
	if p.kind != "" && p.apiVersion != "" {
		s.literal(p.apiVersion, p.kind, p.at, lookup)
		delete(s.parts, obj)
	}
}

// restClient records a call that takes the REST client of a version and the plural name of
// a kind, such as cache.NewListWatchFromClient.
func (s *search) restClient(call *ast.CallExpr) {
	if len(call.Args) < 2 {
		return
	}
	inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := ast.Unparen(inner.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "RESTClient" {
		return
	}
	named, ok := types.Unalias(s.pass.TypesInfo.TypeOf(sel.X)).(*types.Named)
	if !ok {
		return
	}
	p := s.packageOf(named.Obj().Pkg())
	if p == nil || p.form != Client {
		return
	}
	if resource, ok := s.constant(call.Args, 1); ok {
		if api, ok := lookupResource(p.groupVersion, resource); ok {
			s.add(Use{API: api, Form: Client, Pos: sel.X.Pos(), End: sel.X.End(), Decides: true})
		}
	}
}
