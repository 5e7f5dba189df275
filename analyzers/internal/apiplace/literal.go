package apiplace

import (
	"go/ast"
	"go/types"
)

// literal adds a literal that names an API: a value of package schema, or a map with
// apiVersion and kind.
func (s *search) literal(lit *ast.CompositeLit) {
	if s.named[lit] {
		return
	}
	if _, name := schemaType(s.pass.TypesInfo.TypeOf(lit)); name != "" {
		if api, ok := s.composite(lit); ok {
			s.add(api, "", lit.Pos())
		}
		return
	}
	t := s.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Map); !ok {
		return
	}
	var apiVersion, kind string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch s.text(kv.Key) {
		case "apiVersion":
			apiVersion = s.text(kv.Value)
		case "kind":
			kind = s.text(kv.Value)
		}
	}
	if api, ok := s.apiVersion(apiVersion, kind); ok {
		s.add(api, "", lit.Pos())
	}
}

// untyped is an object that has no Go type of its own, and whose API method calls set.
type untyped struct {
	api           API
	apiVersion    string
	at            ast.Node // the last call that sets the version
	contradictory bool
}

// setters collects the calls in a file that set the kind of an object, and adds their APIs.
func (s *search) setters(f *ast.File) {
	s.untyped = map[types.Object]*untyped{}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := sel.Sel.Name
		if name != "SetGroupVersionKind" && name != "SetAPIVersion" && name != "SetKind" {
			return true
		}
		x, ok := ast.Unparen(sel.X).(*ast.Ident)
		if !ok {
			return true
		}
		u := s.untyped[s.pass.TypesInfo.Uses[x]]
		if u == nil {
			u = &untyped{}
			s.untyped[s.pass.TypesInfo.Uses[x]] = u
		}
		before := *u
		switch arg := call.Args[0]; name {
		case "SetGroupVersionKind":
			u.api, _ = s.value(arg, maxDepth)
			u.at = sel.Sel
		case "SetKind":
			u.api.Kind = s.text(arg)
		default:
			u.apiVersion, u.at = s.text(arg), sel.Sel
		}
		if u.api.Kind == "" || u.apiVersion == "" {
			u.contradictory = u.contradictory || before.api.Kind != "" && before.api != u.api
			return true
		}
		api, ok := s.apiVersion(u.apiVersion, u.api.Kind)
		u.contradictory = u.contradictory || !ok || before.api.Version != "" && before.api != api
		u.api = api
		return true
	})
	for _, u := range s.untyped {
		if u.apiVersion != "" && !u.contradictory {
			s.add(u.api, "", u.at.Pos())
		}
	}
}
