// Package applytyped implements the rule applytyped: server-side apply of an API's Go
// struct, such as appsv1.Deployment. Such a request also contains zero values.
package applytyped

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports an apply of a Go struct of an API, if the request contains
// fields of the struct that no code sets.
var Analyzer = &analysis.Analyzer{
	Name:             "applytyped",
	Doc:              scope.Doc("applytyped"),
	URL:              scope.URL("applytyped"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	for _, c := range pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls {
		body := objectflow.Applied(c)
		if body == nil {
			continue
		}
		object := source(body)
		kind := structOf(object.Type())
		if kind == nil {
			continue
		}
		zero := zeros(kind, c.Subresource, assigned(object))
		if len(zero) == 0 {
			continue
		}
		scope.Report(pass, analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: fmt.Sprintf("apply of the Go struct %s sends %s even where nothing was set, and so claims to own %s; use an apply configuration or an unstructured object",
				types.TypeString(kind, func(p *types.Package) string { return p.Name() }), list(zero), pronoun(zero)),
		})
	}
	return nil, nil
}

// source returns the object that an apply sends. It removes conversions to interfaces
// and the encoding to JSON.
func source(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			fn := objectflow.Callee(x)
			if fn == nil || fn.Name() != "Marshal" || len(x.Call.Args) != 1 {
				return v
			}
			v = x.Call.Args[0]
		default:
			return v
		}
	}
}

// structOf returns the API struct that t is, or to which t points. API structs embed
// metav1.ObjectMeta. It returns nil for other types, such as unstructured objects and
// apply configurations.
func structOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == "ObjectMeta" && f.Embedded() && isMeta(f.Type(), "ObjectMeta") {
			return n
		}
	}
	return nil
}

// isMeta reports whether t is the type of this name in apimachinery's package meta/v1.
func isMeta(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && apicall.ImportPath(n.Obj().Pkg()) == "k8s.io/apimachinery/pkg/apis/meta/v1"
}

// assigned returns the fields of an object that the function itself sets, as paths of
// Go names such as ".Spec.Replicas".
func assigned(object ssa.Value) map[string]bool {
	set := map[string]bool{}
	var visit func(v ssa.Value, path string, depth int)
	visit = func(v ssa.Value, path string, depth int) {
		if v.Referrers() == nil || depth > 12 {
			return
		}
		for _, use := range *v.Referrers() {
			switch use := use.(type) {
			case *ssa.FieldAddr:
				if use.X == v {
					visit(use, path+"."+fieldName(use), depth+1)
				}
			case *ssa.Store:
				if use.Addr != v {
					continue
				}
				// A nested literal is first built in a variable of its own, then copied
				// into the field.
				if load, ok := use.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
					if a, ok := load.X.(*ssa.Alloc); ok && a.Comment == "complit" {
						visit(a, path, depth+1)
						continue
					}
				}
				if c, ok := use.Val.(*ssa.Const); ok && path != "" && c.Value == nil {
					continue
				}
				set[path] = true
			}
		}
	}
	visit(object, "", 0)
	return set
}

func fieldName(f *ssa.FieldAddr) string {
	p, ok := f.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return "?"
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || f.Field >= s.NumFields() {
		return "?"
	}
	return s.Field(f.Field).Name()
}

// list returns the names of up to four fields.
func list(fields []string) string {
	const most = 4
	if len(fields) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(fields[:most], ", "), len(fields)-most)
	}
	if n := len(fields); n > 1 {
		return strings.Join(fields[:n-1], ", ") + " and " + fields[n-1]
	}
	return fields[0]
}

func pronoun(fields []string) string {
	if len(fields) == 1 {
		return "it"
	}
	return "them"
}
