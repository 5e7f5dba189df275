package optionsdropped

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/analysis"
)

// optionsType describes a type of options. Types of metav1 are structs such as
// CreateOptions. Parameters of controller-runtime are slices of interfaces such as
// CreateOption.
type optionsType struct {
	runtime bool
	verb    string // verb in the type's name, such as "Create"; "" for options of reads
	fields  *types.Struct
}

// optionsOf describes the options in a type, which may be a pointer or a slice. It returns
// nil for other types.
func optionsOf(t types.Type) *optionsType {
	if t == nil {
		return nil
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		t = u.Elem()
	case *types.Slice:
		t = u.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	path := n.Obj().Pkg().Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	o := &optionsType{runtime: path == "sigs.k8s.io/controller-runtime/pkg/client"}
	if !o.runtime && path != "k8s.io/apimachinery/pkg/apis/meta/v1" {
		return nil
	}
	verb, ok := strings.CutSuffix(strings.TrimSuffix(n.Obj().Name(), "s"), "Option")
	if !ok {
		return nil
	}
	o.verb = verb
	if verb == "Get" || verb == "List" || verb == "Table" {
		o.verb = ""
	}
	o.fields, _ = n.Underlying().(*types.Struct)
	return o
}

// forward returns the fix that passes the caller's options on to a write. It returns nil if
// they are not usable there.
func forward(pass *analysis.Pass, c *apicall.Call, opts *types.Var) *analysis.SuggestedFix {
	if opts.Name() == "" || opts.Name() == "_" || !visible(pass, opts, c.Expr) {
		return nil
	}
	o := optionsOf(opts.Type())
	fix := &analysis.SuggestedFix{Message: "Pass on what " + opts.Name() + " says"}
	switch c.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Scale:
		lit, ok := ast.Unparen(c.Options).(*ast.CompositeLit)
		if o.runtime || !ok {
			return nil
		}
		fix.TextEdits = convert(pass, lit, opts)
	case apicall.Runtime:
		if o.runtime {
			fix.TextEdits = spread(c, opts)
		} else {
			fix.TextEdits = fields(pass, c, opts)
		}
	}
	if fix.TextEdits == nil {
		return nil
	}
	return fix
}

// spread adds opts... to a call without options, if the called method takes options of the
// same type.
func spread(c *apicall.Call, opts *types.Var) []analysis.TextEdit {
	sig := c.Method.Signature()
	if !sig.Variadic() || c.Options != nil || len(c.Expr.Args) != sig.Params().Len()-1 || len(c.Expr.Args) == 0 {
		return nil
	}
	if !types.Identical(sig.Params().At(sig.Params().Len()-1).Type(), opts.Type()) {
		return nil
	}
	end := c.Expr.Args[len(c.Expr.Args)-1].End()
	return []analysis.TextEdit{{Pos: end, End: end, NewText: []byte(", " + opts.Name() + "...")}}
}

// fields copies fields of the options opts into the options of controller-runtime. It leaves
// their field Raw alone, because the client overwrites the settings in it.
func fields(pass *analysis.Pass, c *apicall.Call, opts *types.Var) []analysis.TextEdit {
	u, ok := ast.Unparen(c.Options).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	lit, ok := ast.Unparen(u.X).(*ast.CompositeLit)
	if !ok || !keyed(lit) {
		return nil
	}
	return convert(pass, lit, opts)
}

// convert adds to a literal of options the fields DryRun, FieldManager and FieldValidation
// of opts. Both types must have the field, and the literal must not set it. convert returns
// nil if it cannot add DryRun.
func convert(pass *analysis.Pass, lit *ast.CompositeLit, opts *types.Var) []analysis.TextEdit {
	to, from := optionsOf(pass.TypesInfo.TypeOf(lit)), optionsOf(opts.Type())
	if to == nil || from == nil || to.fields == nil || from.fields == nil || !keyed(lit) || from.runtime {
		return nil
	}
	var elts []string
	for _, name := range []string{"DryRun", "FieldManager", "FieldValidation"} {
		a, b := fieldType(to.fields, name), fieldType(from.fields, name)
		if a != nil && b != nil && types.Identical(a, b) && !has(lit, name) {
			elts = append(elts, name+": "+opts.Name()+"."+name)
		}
	}
	if len(elts) == 0 || !strings.HasPrefix(elts[0], "DryRun") {
		return nil
	}
	text, pos := strings.Join(elts, ", "), lit.Rbrace
	if n := len(lit.Elts); n > 0 {
		text, pos = ", "+text, lit.Elts[n-1].End()
	}
	return []analysis.TextEdit{{Pos: pos, End: pos, NewText: []byte(text)}}
}

func fieldType(s *types.Struct, name string) types.Type {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return s.Field(i).Type()
		}
	}
	return nil
}

func keyed(lit *ast.CompositeLit) bool {
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		_, ok = kv.Key.(*ast.Ident)
		return !ok
	})
}

func has(lit *ast.CompositeLit, name string) bool {
	return slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := kv.Key.(*ast.Ident)
		return ok && key.Name == name
	})
}

// visible reports whether the parameter's name still means the parameter at a node.
func visible(pass *analysis.Pass, v *types.Var, at ast.Node) bool {
	inner := pass.Pkg.Scope().Innermost(at.Pos())
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(v.Name(), at.Pos())
	return found == v
}
