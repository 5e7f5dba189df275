package apiplace

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

const (
	dynamicPath  = "k8s.io/client-go/dynamic"
	metadataPath = "k8s.io/client-go/metadata"
	restPath     = "k8s.io/client-go/rest"
	cachePath    = "k8s.io/client-go/tools/cache"
	runtimePath  = "sigs.k8s.io/controller-runtime"
)

// call adds the place of one call.
func (s *search) call(call *ast.CallExpr) {
	id := apicall.CalledName(call)
	if id == nil {
		return
	}
	fn, ok := s.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return
	}
	sig := fn.Signature()
	path := apicall.ImportPath(fn.Pkg())
	if strings.HasSuffix(path, "/fake") || strings.Contains(path, "/fake/") {
		return
	}
	var receiver ast.Expr
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sig.Recv() != nil {
		receiver = sel.X
	}
	switch {
	case receiver != nil && s.dynamic(call, id, fn, receiver):
	case receiver != nil && s.typed(id, fn, receiver):
	case receiver != nil && s.reader(call, id, fn):
	case strings.HasPrefix(path, runtimePath) && s.watched(call, id, fn):
	case s.informer(id, sig):
	case receiver != nil && path == restPath && s.path(call, id, fn):
	default:
		s.schemaCall(call, id, fn, path)
	}
}

// named returns the import path and the name of a declared type, or of the type to
// which a pointer points. Both are "" for other types.
func named(t types.Type) (path, name string) {
	if t == nil {
		return "", ""
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return "", ""
	}
	return apicall.ImportPath(n.Obj().Pkg()), n.Obj().Name()
}

// dynamicVerbs maps the methods of dynamic and metadata clients to verbs.
var dynamicVerbs = map[string]string{
	"Get": "get", "List": "list", "Watch": "watch", "Create": "create", "Update": "update", "UpdateStatus": "update",
	"Patch": "patch", "Apply": "patch", "ApplyStatus": "patch", "Delete": "delete", "DeleteCollection": "deletecollection",
}

// dynamic adds a request of a dynamic or metadata client. It reports whether the call
// is such a request. The resource is an argument of the call that creates the client.
func (s *search) dynamic(call *ast.CallExpr, id *ast.Ident, fn *types.Func, receiver ast.Expr) bool {
	path, _ := named(s.pass.TypesInfo.TypeOf(receiver))
	if path != dynamicPath && path != metadataPath {
		return false
	}
	verb := dynamicVerbs[fn.Name()]
	if verb == "" || len(call.Args) == 0 {
		return false
	}
	if api, ok := s.resourceOf(receiver, maxDepth); ok {
		s.add(api, verb, id.Pos())
	}
	return true
}

// resourceOf returns the API of a dynamic client. It follows the client's variable for
// at most depth steps to the call of Resource.
func (s *search) resourceOf(client ast.Expr, depth int) (API, bool) {
	if depth == 0 {
		return API{}, false
	}
	switch e := ast.Unparen(client).(type) {
	case *ast.Ident:
		if v, ok := s.pass.TypesInfo.Uses[e].(*types.Var); ok && s.values[v] != nil {
			return s.resourceOf(s.values[v], depth-1)
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		switch {
		case !ok:
		case sel.Sel.Name == "Resource" && len(e.Args) == 1:
			return s.value(e.Args[0], maxDepth)
		case sel.Sel.Name == "Namespace":
			return s.resourceOf(sel.X, depth-1)
		}
	}
	return API{}, false
}

// typed adds a read of a generated client. It reports whether the call is such a read.
// It recognizes the methods of all generators by their form.
func (s *search) typed(id *ast.Ident, fn *types.Func, receiver ast.Expr) bool {
	sig := fn.Signature()
	params, results := sig.Params(), sig.Results()
	if params.Len() == 0 || results.Len() != 2 {
		return false
	}
	path, option := named(params.At(params.Len() - 1).Type())
	verb := dynamicVerbs[fn.Name()]
	want := map[string]string{"get": "GetOptions", "list": "ListOptions", "watch": "ListOptions"}[verb]
	if path != metaPath || want == "" || option != want {
		return false
	}
	object := results.At(0).Type()
	if verb != "get" {
		get, _, _ := types.LookupFieldOrMethod(s.pass.TypesInfo.TypeOf(receiver), true, fn.Pkg(), "Get")
		f, ok := get.(*types.Func)
		if !ok || f.Signature().Results().Len() != 2 {
			return true
		}
		object = f.Signature().Results().At(0).Type()
	}
	if api, ok := s.kind(object); ok {
		s.add(api, verb, id.Pos())
	}
	return true
}

// informer adds a call that returns an informer of a generated factory. It reports
// whether the call is such a call. The informer has the methods Informer and Lister.
func (s *search) informer(id *ast.Ident, sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	t := sig.Results().At(0).Type()
	if _, name := named(t); !strings.HasSuffix(name, "Informer") {
		return false
	}
	lister := resultOf(t, "Lister")
	if lister == nil || resultOf(t, "Informer") == nil {
		return false
	}
	list, ok := types.Unalias(resultOf(lister, "List")).(*types.Slice)
	if !ok {
		return false
	}
	if api, ok := s.kind(list.Elem()); ok {
		s.add(api, Informer, id.Pos())
	}
	return true
}

// resultOf returns the type of a method's first result, or the invalid type if there is
// none.
func resultOf(t types.Type, method string) types.Type {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
	fn, ok := obj.(*types.Func)
	if !ok || fn.Signature().Results().Len() == 0 {
		return types.Typ[types.Invalid]
	}
	return fn.Signature().Results().At(0).Type()
}

// path adds a request to the literal path of an API. It reports whether the call sets a
// path.
func (s *search) path(call *ast.CallExpr, id *ast.Ident, fn *types.Func) bool {
	if fn.Name() != "AbsPath" && fn.Name() != "RequestURI" {
		return false
	}
	var parts []string
	for _, arg := range call.Args {
		text := s.text(arg)
		if text == "" {
			break
		}
		parts = append(parts, strings.Trim(text, "/"))
	}
	if api, ok := pathAPI(strings.Join(parts, "/")); ok {
		s.add(api, "", id.Pos())
	}
	return true
}

// pathAPI parses the beginning of a request's path. It returns false if the path has no
// version or no resource.
func pathAPI(path string) (API, bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	var api API
	switch {
	case parts[0] == "api" && len(parts) > 2:
		api.Version, parts = parts[1], parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		api.Group, api.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return API{}, false
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	api.Resource = parts[0]
	return api, isVersion(api.Version) && !strings.ContainsAny(api.Resource, "%{")
}

// schemaCall adds a call of a function that has an argument or a result of package
// schema, such as a GroupVersionResource.
func (s *search) schemaCall(call *ast.CallExpr, id *ast.Ident, fn *types.Func, path string) {
	switch name := fn.Name(); {
	case name == "ForResource" || strings.HasPrefix(path, dynamicPath+"/dynamicinformer") || strings.HasPrefix(path, metadataPath+"/metadatainformer"):
		for _, arg := range call.Args {
			if _, kind := schemaType(s.pass.TypesInfo.TypeOf(arg)); kind != "GroupVersionResource" {
				continue
			}
			if api, ok := s.value(arg, maxDepth); ok {
				s.named[ast.Unparen(arg)] = true
				s.add(api, Informer, id.Pos())
			}
		}
	case path == cachePath && (name == "NewListWatchFromClient" || name == "NewFilteredListWatchFromClient") && len(call.Args) > 1:
		if api, ok := s.restClient(call.Args[0]); ok {
			api.Resource = s.text(call.Args[1])
			s.add(api, Informer, id.Pos())
		}
	case path == schemaPath && (name == "WithKind" || name == "WithResource" || name == "FromAPIVersionAndKind"):
		if !s.named[call] {
			if api, ok := s.constructed(call, maxDepth); ok {
				s.add(api, "", call.Pos())
			}
		}
	}
}

// restClient returns the group and version of a generated client, if e is a call of the
// client's method RESTClient.
func (s *search) restClient(e ast.Expr) (API, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return API{}, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "RESTClient" {
		return API{}, false
	}
	path, _ := named(s.pass.TypesInfo.TypeOf(sel.X))
	_, rest, ok := strings.Cut(path, "/typed/")
	if !ok {
		return API{}, false
	}
	group, version, ok := strings.Cut(rest, "/")
	if !ok || !isVersion(version) {
		return API{}, false
	}
	if strings.HasPrefix(path, "k8s.io/client-go/kubernetes/typed/") {
		known, ok := apicall.GroupOf(types.NewPackage("k8s.io/api/"+group+"/"+version, version))
		return API{Group: known, Version: version}, ok
	}
	return API{AnyGroup: true, Version: version}, true
}
