package apiuse

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
)

// Requests reports whether the package shows that a use leads to a request. If a
// version is removed, only code that sends requests fails.
//
// Requests returns false for a registration, an RBAC marker and a generator of code.
// For the use of a Go type, it returns true in two cases:
//
//   - The code converts a value of the type to an interface. All untyped clients take
//     interfaces.
//   - The code creates an object of the type and sets fields. Such an object is a
//     manifest of the version.
//
// In other cases, the code may only unmarshal or convert values of the type.
func (r *Result) Requests(u Use) bool {
	if path.Base(r.pass.Pkg.Path()) == "codegen" {
		return false
	}
	switch u.Form {
	case Registration, Marker:
		return false
	case Type:
		return u.createdWithFields || r.sent[u.API]
	}
	return true
}

// conversionsIn records the conversions of values of API types to interfaces in a node.
func (s *search) conversionsIn(n ast.Node) {
	info := s.pass.TypesInfo
	switch n := n.(type) {
	case *ast.CallExpr:
		s.arguments(n)
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, value := range n.Rhs {
				s.conversion(value, info.TypeOf(n.Lhs[i]))
			}
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			for _, value := range n.Values {
				s.conversion(value, info.TypeOf(n.Type))
			}
		}
	case *ast.SendStmt:
		if ch, ok := underlying(info.TypeOf(n.Chan)).(*types.Chan); ok {
			s.conversion(n.Value, ch.Elem())
		}
	case *ast.ReturnStmt:
		results := s.results()
		if results != nil && results.Len() == len(n.Results) {
			for i, value := range n.Results {
				s.conversion(value, results.At(i).Type())
			}
		}
	case *ast.CompositeLit:
		s.elements(n)
	case *ast.Ident:
		// The bodies of generic functions and types are not followed, so their type arguments
		// count as sent.
		if instance, ok := info.Instances[n]; ok && !fromNonSending(info.Uses[n]) {
			for arg := range instance.TypeArgs.Types() {
				s.noteSent(arg)
			}
		}
	}
}

// arguments records the conversions of a call's arguments to the types of its
// parameters.
func (s *search) arguments(call *ast.CallExpr) {
	info := s.pass.TypesInfo
	if info.Types[call.Fun].IsType() {
		if len(call.Args) == 1 {
			s.conversion(call.Args[0], info.TypeOf(call.Fun))
		}
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "DeepCopyObject" {
		s.noteSent(info.TypeOf(sel.X))
	}
	signature, ok := underlying(info.TypeOf(call.Fun)).(*types.Signature)
	if !ok || s.sendsNothing(call) {
		return
	}
	params := signature.Params()
	for i, arg := range call.Args {
		switch {
		case signature.Variadic() && i >= params.Len()-1:
			last := params.At(params.Len() - 1).Type()
			if slice, ok := underlying(last).(*types.Slice); ok && !call.Ellipsis.IsValid() {
				last = slice.Elem()
			}
			s.conversion(arg, last)
		case i < params.Len():
			s.conversion(arg, params.At(i).Type())
		}
	}
}

// elements records the conversions of the elements in a literal of a struct, slice or
// map.
func (s *search) elements(lit *ast.CompositeLit) {
	info := s.pass.TypesInfo
	t := underlying(info.TypeOf(lit))
	if p, ok := t.(*types.Pointer); ok {
		t = underlying(p.Elem())
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if keyed {
			e = kv.Value
		}
		switch t := t.(type) {
		case *types.Slice:
			s.conversion(e, t.Elem())
		case *types.Array:
			s.conversion(e, t.Elem())
		case *types.Map:
			if !s.tabled(e) {
				s.conversion(e, t.Elem())
			}
		case *types.Struct:
			if keyed {
				if key, ok := kv.Key.(*ast.Ident); ok {
					if field, ok := info.Uses[key].(*types.Var); ok {
						s.conversion(e, field.Type())
					}
				}
			} else if i < t.NumFields() {
				s.conversion(e, t.Field(i).Type())
			}
		}
	}
}

// tabled reports whether an element of the map in a package variable is an empty object. Such
// a map is a table of types. Code may use it to decode text.
func (s *search) tabled(element ast.Expr) bool {
	u, ok := ast.Unparen(element).(*ast.UnaryExpr)
	if !ok {
		return false
	}
	lit, ok := u.X.(*ast.CompositeLit)
	return ok && len(lit.Elts) == 0 && !slices.ContainsFunc(s.stack, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
		return false
	})
}

// results returns the result types of the function that contains the current node, or
// nil.
func (s *search) results() *types.Tuple {
	for i := len(s.stack) - 1; i >= 0; i-- {
		var t types.Type
		switch fn := s.stack[i].(type) {
		case *ast.FuncLit:
			t = s.pass.TypesInfo.TypeOf(fn)
		case *ast.FuncDecl:
			if obj := s.pass.TypesInfo.Defs[fn.Name]; obj != nil {
				t = obj.Type()
			}
		default:
			continue
		}
		if signature, ok := underlying(t).(*types.Signature); ok {
			return signature.Results()
		}
		return nil
	}
	return nil
}

// conversion records that code converts a value to the type to.
func (s *search) conversion(value ast.Expr, to types.Type) {
	if i, ok := underlying(to).(*types.Interface); ok && canReachClient(i) {
		s.noteSent(s.pass.TypesInfo.TypeOf(value))
	}
}

// canReachClient reports whether code can pass a value in an interface on to a client:
// the interface has no methods, or has the method DeepCopyObject. Interfaces such as
// metav1.Object only read metadata.
func canReachClient(i *types.Interface) bool {
	if i.NumMethods() == 0 {
		return true
	}
	for method := range i.Methods() {
		if method.Name() == "DeepCopyObject" {
			return true
		}
	}
	return false
}

// noteSent records that a client may send values of a type.
func (s *search) noteSent(t types.Type) {
	for range 4 { // for example, a map of slices of pointers
		switch at := types.Unalias(t).(type) {
		case *types.Pointer:
			t = at.Elem()
		case *types.Slice:
			t = at.Elem()
		case *types.Array:
			t = at.Elem()
		case *types.Map:
			t = at.Elem()
		case *types.Named:
			p := s.packageOf(at.Obj().Pkg())
			if p == nil || p.form != Type {
				return
			}
			if api, ok := lookup(p.groupVersion, at.Obj().Name()); ok {
				s.sent[api] = true
			}
			return
		default:
			return
		}
	}
}

// nonSendingWords lists parts of the names of functions that take any object and send
// no request. Their output has the version of their input.
var nonSendingWords = []string{"unmarshal", "marshal", "decode", "encode", "fromunstructured", "tounstructured", "convert", "equal", "diff", "accessor"}

// nonSendingPackages lists packages whose functions print values or examine their
// types, and send no request.
var nonSendingPackages = map[string]bool{
	"reflect": true, "fmt": true, "log": true, "log/slog": true, "errors": true, "testing": true,
	"k8s.io/klog": true, "k8s.io/klog/v2": true, "github.com/go-logr/logr": true,
	"github.com/sirupsen/logrus": true, "go.uber.org/zap": true, "github.com/pkg/errors": true,
}

// sendsNothing reports whether a call sends none of its arguments. Such a call reads
// into its arguments, or converts, compares or prints them.
func (s *search) sendsNothing(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fn
	case *ast.SelectorExpr:
		id = fn.Sel
	default:
		return false
	}
	if fromNonSending(s.pass.TypesInfo.Uses[id]) {
		return true
	}
	name := strings.ToLower(id.Name)
	for _, keeper := range nonSendingWords {
		if strings.Contains(name, keeper) {
			return true
		}
	}
	return false
}

func fromNonSending(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && nonSendingPackages[unvendored(obj.Pkg().Path())]
}

// underlying returns the underlying type, or nil if t is nil.
func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}
