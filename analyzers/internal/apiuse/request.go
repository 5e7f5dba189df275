package apiuse

import (
	"go/ast"
	"go/types"
	"path"
	"strings"
)

// Requests reports whether the package shows that a use leads to a request. If a version is
// removed, only requests fail.
//
// A registration, an RBAC marker and a generator of code send no request. The use of a Go
// type counts as a request in two cases:
//   - The code converts a value of the type to an interface. All untyped clients take
//     interfaces.
//   - The code creates an object of the type with fields. This object is a manifest of the
//     version.
//
// Other values of the type may only be unmarshaled or converted.
func (r *Result) Requests(u Use) bool {
	if path.Base(r.pass.Pkg.Path()) == "codegen" {
		return false
	}
	switch u.Form {
	case Registration, Marker:
		return false
	case Type:
		return u.made || r.sent[u.API]
	}
	return true
}

// flows records the values of API types that a node passes on.
func (s *search) flows(n ast.Node) {
	info := s.pass.TypesInfo
	switch n := n.(type) {
	case *ast.CallExpr:
		s.arguments(n)
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, value := range n.Rhs {
				s.flow(value, info.TypeOf(n.Lhs[i]))
			}
		}
	case *ast.ValueSpec:
		if n.Type != nil {
			for _, value := range n.Values {
				s.flow(value, info.TypeOf(n.Type))
			}
		}
	case *ast.SendStmt:
		if ch, ok := under(info.TypeOf(n.Chan)).(*types.Chan); ok {
			s.flow(n.Value, ch.Elem())
		}
	case *ast.ReturnStmt:
		results := s.results()
		if results != nil && results.Len() == len(n.Results) {
			for i, value := range n.Results {
				s.flow(value, results.At(i).Type())
			}
		}
	case *ast.CompositeLit:
		s.elements(n)
	case *ast.Ident:
		// The analysis does not follow values into generic functions and types.
		if instance, ok := info.Instances[n]; ok && !fromKeeper(info.Uses[n]) {
			for arg := range instance.TypeArgs.Types() {
				s.send(arg)
			}
		}
	}
}

// arguments records the arguments of a call.
func (s *search) arguments(call *ast.CallExpr) {
	info := s.pass.TypesInfo
	if info.Types[call.Fun].IsType() {
		if len(call.Args) == 1 {
			s.flow(call.Args[0], info.TypeOf(call.Fun))
		}
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "DeepCopyObject" {
		s.send(info.TypeOf(sel.X))
	}
	signature, ok := under(info.TypeOf(call.Fun)).(*types.Signature)
	if !ok || s.keeps(call) {
		return
	}
	params := signature.Params()
	for i, arg := range call.Args {
		switch {
		case signature.Variadic() && i >= params.Len()-1:
			last := params.At(params.Len() - 1).Type()
			if slice, ok := under(last).(*types.Slice); ok && !call.Ellipsis.IsValid() {
				last = slice.Elem()
			}
			s.flow(arg, last)
		case i < params.Len():
			s.flow(arg, params.At(i).Type())
		}
	}
}

// elements records the elements of a literal of a struct, slice or map.
func (s *search) elements(lit *ast.CompositeLit) {
	info := s.pass.TypesInfo
	t := under(info.TypeOf(lit))
	if p, ok := t.(*types.Pointer); ok {
		t = under(p.Elem())
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if keyed {
			e = kv.Value
		}
		switch t := t.(type) {
		case *types.Slice:
			s.flow(e, t.Elem())
		case *types.Array:
			s.flow(e, t.Elem())
		case *types.Map:
			s.flow(e, t.Elem())
		case *types.Struct:
			if keyed {
				if key, ok := kv.Key.(*ast.Ident); ok {
					if field, ok := info.Uses[key].(*types.Var); ok {
						s.flow(e, field.Type())
					}
				}
			} else if i < t.NumFields() {
				s.flow(e, t.Field(i).Type())
			}
		}
	}
}

// results returns the results of the function that contains the current node, or nil.
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
		if signature, ok := under(t).(*types.Signature); ok {
			return signature.Results()
		}
		return nil
	}
	return nil
}

// flow records that a value is converted to the type to.
func (s *search) flow(value ast.Expr, to types.Type) {
	if i, ok := under(to).(*types.Interface); ok && carries(i) {
		s.send(s.pass.TypesInfo.TypeOf(value))
	}
}

// carries reports whether an interface can pass a value on to a client: it has the method
// DeepCopyObject, or no methods. Interfaces such as metav1.Object only read metadata.
func carries(i *types.Interface) bool {
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

// send records that values of a type may be sent.
func (s *search) send(t types.Type) {
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

// keepers has parts of the names of functions that take any object and send no request.
// Their output has the version of their input.
var keepers = []string{"unmarshal", "marshal", "decode", "encode", "fromunstructured", "tounstructured", "convert", "equal", "diff", "accessor"}

// keeperPackages has packages whose functions print values or examine their types, and send
// no request.
var keeperPackages = map[string]bool{
	"reflect": true, "fmt": true, "log": true, "log/slog": true, "errors": true, "testing": true,
	"k8s.io/klog": true, "k8s.io/klog/v2": true, "github.com/go-logr/logr": true,
	"github.com/sirupsen/logrus": true, "go.uber.org/zap": true, "github.com/pkg/errors": true,
}

// keeps reports whether a call sends none of its arguments. Such calls read into their
// arguments, or convert, compare or print them.
func (s *search) keeps(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fn
	case *ast.SelectorExpr:
		id = fn.Sel
	default:
		return false
	}
	if fromKeeper(s.pass.TypesInfo.Uses[id]) {
		return true
	}
	name := strings.ToLower(id.Name)
	for _, keeper := range keepers {
		if strings.Contains(name, keeper) {
			return true
		}
	}
	return false
}

func fromKeeper(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && keeperPackages[unvendored(obj.Pkg().Path())]
}

// under returns the underlying type, or nil if t is nil.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}
