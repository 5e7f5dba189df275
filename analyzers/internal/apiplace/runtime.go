package apiplace

import (
	"go/ast"
	"go/types"
	"strings"
)

// reader adds a read through controller-runtime's client.Reader, or through another
// type with the methods of this interface. It reports whether the call is such a read.
func (s *search) reader(call *ast.CallExpr, id *ast.Ident, fn *types.Func) bool {
	params := fn.Signature().Params()
	object := -1
	verb := ""
	for i := range params.Len() {
		path, name := named(params.At(i).Type())
		switch {
		case fn.Name() == "Get" && i == 2 && (strings.HasPrefix(path, runtimePath) && name == "Object" || path == "k8s.io/apimachinery/pkg/runtime" && name == "Object"):
			object, verb = i, "get"
		case (fn.Name() == "List" || fn.Name() == "Watch") && i == 1 && (strings.HasPrefix(path, runtimePath) && name == "ObjectList" || path == "k8s.io/apimachinery/pkg/runtime" && name == "Object"):
			object, verb = i, strings.ToLower(fn.Name())
		}
	}
	if object < 0 || object >= len(call.Args) {
		return false
	}
	api, ok := s.object(call.Args[object])
	if !ok {
		return true
	}
	if verb != "get" {
		api.Kind = strings.TrimSuffix(api.Kind, "List")
	}
	s.add(api, verb, id.Pos())
	if n := len(s.result.Places); n > 0 && s.result.Places[n-1].Pos == id.Pos() {
		s.result.Places[n-1].Cached = verb != "watch"
	}
	return true
}

// object returns the API of an object. It examines the Go type of e, or the calls that
// set the kind of the variable e.
func (s *search) object(e ast.Expr) (API, bool) {
	if api, ok := s.kind(s.pass.TypesInfo.TypeOf(e)); ok {
		return api, true
	}
	e = ast.Unparen(e)
	if star, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(star.X)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return API{}, false
	}
	v, _ := s.pass.TypesInfo.Uses[id].(*types.Var)
	if v == nil {
		return API{}, false
	}
	if u := s.untyped[v]; u != nil && !u.contradictory {
		return u.api, u.api.Version != ""
	}
	if value := s.values[v]; value != nil && types.IsInterface(v.Type()) {
		return s.kind(s.pass.TypesInfo.TypeOf(value)) // var obj client.Object = &Widget{}
	}
	return API{}, false
}

// watchFunctions lists the functions of controller-runtime that make a manager list and
// watch the kind of an argument.
var watchFunctions = map[string]bool{"For": true, "Owns": true, "Watches": true, "WatchesMetadata": true, "Kind": true, "GetInformer": true, "IndexField": true}

// watched adds a kind that a controller watches. It reports whether the call runs one
// of watchFunctions.
func (s *search) watched(call *ast.CallExpr, id *ast.Ident, fn *types.Func) bool {
	if !watchFunctions[fn.Name()] {
		return false
	}
	if recv := fn.Signature().Recv(); recv != nil {
		if _, name := named(recv.Type()); strings.HasPrefix(name, "Webhook") {
			return true // the builder of a webhook sends no requests for the kind
		}
	}
	for _, arg := range call.Args {
		if unary, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok {
			// &source.Kind{Type: &Widget{}} exists up to controller-runtime 0.14.
			if lit, ok := unary.X.(*ast.CompositeLit); ok && len(lit.Elts) == 1 {
				if kv, ok := lit.Elts[0].(*ast.KeyValueExpr); ok {
					if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Type" {
						arg = kv.Value
					}
				}
			}
		}
		if api, ok := s.object(arg); ok {
			s.add(api, Informer, id.Pos())
			if n := len(s.result.Places); n > 0 && s.result.Places[n-1].Pos == id.Pos() {
				// These two functions only fill the cache. No controller watches the kind.
				s.result.Places[n-1].Cached = fn.Name() == "IndexField" || fn.Name() == "GetInformer"
			}
			return true
		}
	}
	return true
}
