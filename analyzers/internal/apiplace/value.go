package apiplace

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

const (
	schemaPath = "k8s.io/apimachinery/pkg/runtime/schema"
	metaPath   = "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxDepth is the largest number of variables and calls that are followed to find a
// value.
const maxDepth = 8

// value returns the API that an expression of a type of package schema names. Fields
// that the type does not have stay empty, such as the kind for a GroupVersionResource.
func (s *search) value(e ast.Expr, depth int) (API, bool) {
	if e == nil || depth == 0 {
		return API{}, false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return s.value(e.X, depth-1)
		}
	case *ast.CompositeLit:
		return s.composite(e)
	case *ast.Ident:
		return s.variable(s.pass.TypesInfo.Uses[e], depth)
	case *ast.SelectorExpr:
		return s.variable(s.pass.TypesInfo.Uses[e.Sel], depth)
	case *ast.CallExpr:
		return s.constructed(e, depth)
	}
	return API{}, false
}

// variable returns the API that a package variable or local variable holds.
func (s *search) variable(obj types.Object, depth int) (API, bool) {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() == nil {
		return API{}, false
	}
	if v.Pkg() == s.pass.Pkg {
		return s.value(s.values[v], depth-1)
	}
	fact := new(apiFact)
	if s.pass.ImportObjectFact(v, fact) {
		return fact.API, true
	}
	if _, name := schemaType(v.Type()); name == "GroupVersion" && (v.Name() == "GroupVersion" || v.Name() == "SchemeGroupVersion") {
		path := apicall.ImportPath(v.Pkg())
		version := path[strings.LastIndexByte(path, '/')+1:]
		if !isVersion(version) {
			return API{}, false
		}
		group, known := s.groupOf(v.Pkg())
		return API{Group: group, AnyGroup: !known, Version: version}, true
	}
	return API{}, false
}

// kind returns the API of a Go type.
func (s *search) kind(t types.Type) (API, bool) {
	gvk, known := apicall.KindOf(t)
	if gvk.Kind == "" {
		return API{}, false
	}
	if !known || gvk.Version == "" {
		t = types.Unalias(t)
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			gvk.Group, known = s.groupOf(n.Obj().Pkg())
			if gvk.Version == "" {
				gvk.Version = s.registered(n.Obj().Pkg()).Version
			}
		}
	}
	if gvk.Version == "" {
		return API{}, false
	}
	return API{Group: gvk.Group, AnyGroup: !known, Version: gvk.Version, Kind: gvk.Kind}, true
}

// constructed returns the API in the result of a function of package schema.
func (s *search) constructed(call *ast.CallExpr, depth int) (api API, ok bool) {
	sel, isSelector := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSelector {
		return API{}, false
	}
	fn, isFunc := s.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !isFunc || apicall.ImportPath(fn.Pkg()) != schemaPath {
		return API{}, false
	}
	if fn.Name() == "FromAPIVersionAndKind" && len(call.Args) == 2 {
		return s.apiVersion(s.text(call.Args[0]), s.text(call.Args[1]))
	}
	if fn.Signature().Recv() == nil {
		return API{}, false
	}
	if api, ok = s.value(sel.X, depth-1); !ok {
		return API{}, false
	}
	switch fn.Name() {
	case "WithResource":
		api.Resource = s.text(call.Args[0])
	case "WithKind":
		api.Kind = s.text(call.Args[0])
	case "WithVersion":
		api.Version = s.text(call.Args[0])
	case "GroupVersion":
		api.Kind, api.Resource = "", ""
	default:
		return API{}, false
	}
	return api, true
}

// apiVersion returns the API of an object with this apiVersion and kind. It returns
// false if one of them is empty.
func (s *search) apiVersion(apiVersion, kind string) (API, bool) {
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	return API{Group: group, Version: version, Kind: kind}, version != "" && kind != ""
}

// composite returns the API in a literal of a type of package schema, or of TypeMeta.
func (s *search) composite(lit *ast.CompositeLit) (API, bool) {
	path, name := schemaType(s.pass.TypesInfo.TypeOf(lit))
	field := func(name string, place int) string {
		for i, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); !ok {
				if i == place {
					return s.text(e)
				}
			} else if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return s.text(kv.Value)
			}
		}
		return ""
	}
	if name == "TypeMeta" && path == metaPath {
		return s.apiVersion(field("APIVersion", 1), field("Kind", 0))
	}
	group, third := false, ""
	switch name {
	case "GroupVersionResource":
		third = field("Resource", 2)
	case "GroupVersionKind":
		third = field("Kind", 2)
	case "GroupVersion":
	case "GroupResource", "GroupKind":
		group, third = true, field(strings.TrimPrefix(name, "Group"), 1)
	default:
		return API{}, false
	}
	api := API{Group: field("Group", 0)}
	if !group {
		api.Version = field("Version", 1)
	}
	if api.Group == "" && s.setsField(lit, "Group", 0) {
		return API{}, false // the group is set, but not known
	}
	if strings.HasSuffix(name, "Kind") {
		api.Kind = third
	} else {
		api.Resource = third
	}
	return api, api.Version != "" || group
}

// setsField reports whether a literal sets a field to something other than the empty
// string. If the literal has no field names, place is the index of the field.
func (s *search) setsField(lit *ast.CompositeLit, name string, place int) bool {
	for i, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if ok {
			if key, isIdent := kv.Key.(*ast.Ident); !isIdent || key.Name != name {
				continue
			}
			e = kv.Value
		} else if i != place {
			continue
		}
		v := s.pass.TypesInfo.Types[e].Value
		return v == nil || v.Kind() != constant.String || constant.StringVal(v) != ""
	}
	return false
}

// schemaType returns the import path and name of a type of package schema or metav1.
// Both are "" for other types.
func schemaType(t types.Type) (path, name string) {
	if path, name = named(t); path != schemaPath && path != metaPath {
		return "", ""
	}
	return path, name
}

// text returns the text of an expression: a constant string, a variable that is set
// only once and to a constant, or a field or the method String of a known GroupVersion.
// It returns "" for other expressions.
func (s *search) text(e ast.Expr) string {
	for range maxDepth {
		if v := s.pass.TypesInfo.Types[e].Value; v != nil {
			if v.Kind() == constant.String {
				return constant.StringVal(v)
			}
			return ""
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, ok := s.pass.TypesInfo.Uses[x].(*types.Var)
			if !ok || s.values[v] == nil {
				return ""
			}
			e = s.values[v]
			continue
		case *ast.SelectorExpr: // GroupVersion.Version
			if _, name := schemaType(s.pass.TypesInfo.TypeOf(x.X)); name != "" {
				api, ok := s.value(x.X, maxDepth)
				if !ok {
					return ""
				}
				switch x.Sel.Name {
				case "Group":
					return api.Group
				case "Version":
					return api.Version
				case "Kind":
					return api.Kind
				case "Resource":
					return api.Resource
				}
			}
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && len(x.Args) == 0 && (sel.Sel.Name == "String" || sel.Sel.Name == "Identifier") {
				if _, name := schemaType(s.pass.TypesInfo.TypeOf(sel.X)); name == "GroupVersion" {
					if api, ok := s.value(sel.X, maxDepth); ok && !api.AnyGroup {
						return strings.TrimPrefix(api.Group+"/"+api.Version, "/")
					}
				}
			}
		}
		return ""
	}
	return ""
}

// isVersion reports whether a word is an API version such as v1beta1.
func isVersion(s string) bool { return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9' }
