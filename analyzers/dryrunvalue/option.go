package dryrunvalue

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
)

// Packages whose options are checked.
const (
	metaV1            = "k8s.io/apimachinery/pkg/apis/meta/v1"
	controllerRuntime = "sigs.k8s.io/controller-runtime/pkg/client"
	clientRest        = "k8s.io/client-go/rest"
	cliResource       = "k8s.io/cli-runtime/pkg/resource"
	fluxSSA           = "github.com/fluxcd/pkg/ssa"
)

// option is a kind of setting whose value is checked.
type option uint8

const (
	none option = iota
	dryRun
	manager
	validation
)

// optionOf returns the setting that a struct's field holds, or none. The name of the field
// decides: it has one meaning in all structs of these packages. Only fluxSSA calls a field
// manager "Field".
func optionOf(v *types.Var) option {
	if v == nil || !v.IsField() || v.Pkg() == nil {
		return none
	}
	switch edit.Unvendored(v.Pkg().Path()) {
	case metaV1, controllerRuntime:
		switch v.Name() {
		case "DryRun": // client.Options has a field DryRun of type *bool
			if _, ok := v.Type().Underlying().(*types.Slice); ok {
				return dryRun
			}
		case "FieldManager", "FieldOwner":
			return manager
		case "FieldValidation":
			return validation
		}
	case fluxSSA:
		if v.Name() == "Field" {
			return manager
		}
	}
	return none
}

// literal checks the fields of a composite literal that are set by name.
func (c *checker) literal(lit *ast.CompositeLit) {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok {
			v, _ := c.pass.TypesInfo.Uses[key].(*types.Var)
			c.value(optionOf(v), kv.Value, inBody(c.pass.TypesInfo.TypeOf(lit)))
		}
	}
}

// assignment checks assignments to fields.
func (c *checker) assignment(a *ast.AssignStmt) {
	if len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, lhs := range a.Lhs {
		if sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr); ok {
			v, _ := c.pass.TypesInfo.Uses[sel.Sel].(*types.Var)
			c.value(optionOf(v), a.Rhs[i], inBody(c.pass.TypesInfo.TypeOf(sel.X)))
		}
	}
}

// inBody reports whether a client sends options of type t, the options of a delete, in the
// request's body. Clients send other options in the query.
func inBody(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && strings.HasPrefix(named.Obj().Name(), "Delete")
}

// call checks the arguments of functions that set an option to a plain string.
func (c *checker) call(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	switch path := edit.Unvendored(fn.Pkg().Path()); {
	case path == clientRest && fn.Name() == "Param" && len(call.Args) == 2:
		switch name, _ := c.text(call.Args[0]); name {
		case "dryRun":
			// Param sends an empty value, too.
			c.elements([]ast.Expr{call.Args[1]}, nil, true)
		case "fieldManager":
			c.value(manager, call.Args[1], false)
		case "fieldValidation":
			c.value(validation, call.Args[1], false)
		}
	case path == cliResource && fn.Name() == "WithFieldManager" && len(call.Args) == 1:
		c.value(manager, call.Args[0], false)
	case path == cliResource && fn.Name() == "WithFieldValidation" && len(call.Args) == 1:
		c.value(validation, call.Args[0], false)
	case path == controllerRuntime && fn.Name() == "WithFieldOwner" && len(call.Args) == 2:
		c.value(manager, call.Args[1], false)
	}
}

// typedConstant checks constants of controller-runtime's option types, such as
// client.FieldOwner("…"), or "strict" as an argument of WithFieldValidation.
func (c *checker) typedConstant(e ast.Expr) {
	tv, ok := c.pass.TypesInfo.Types[e]
	if !ok || tv.Value == nil {
		return
	}
	named, ok := types.Unalias(tv.Type).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || edit.Unvendored(named.Obj().Pkg().Path()) != controllerRuntime {
		return
	}
	if c.declaredHere(e) {
		return
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		e = call.Args[0]
	}
	switch named.Obj().Name() {
	case "FieldOwner":
		c.value(manager, e, false)
	case "FieldValidation":
		c.value(validation, e, false)
	}
}

// followed checks the option values of a call that apicall has followed through variables.
func (c *checker) followed(call *apicall.Call) {
	if s := call.DryRun; s.Value != nil && s.State == apicall.Set && len(s.Elements) > 0 {
		if bad := slices.IndexFunc(s.Elements, func(e string) bool { return e != writeoptions.All && e != "" }); bad >= 0 && !c.reportedWithin(s.Value) {
			c.report(s.Value, unsupported(s.Elements[bad]))
		}
	}
	for _, s := range []struct {
		option
		apicall.Setting
	}{{manager, call.FieldManager}, {validation, call.FieldValidation}} {
		if s.Value != nil && s.Constant != nil && s.Constant.Kind() == constant.String && !c.reportedWithin(s.Value) && !c.declaredHere(s.Value) {
			c.checkText(s.option, s.Value, constant.StringVal(s.Constant))
		}
	}
}

// declaredHere reports whether an expression names a constant that this package declares
// with an option type. Such a constant is reported at its declaration.
func (c *checker) declaredHere(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	k, ok := c.pass.TypesInfo.Uses[id].(*types.Const)
	if !ok || k.Pkg() != c.pass.Pkg {
		return false
	}
	_, named := types.Unalias(k.Type()).(*types.Named)
	return named
}

// reportedWithin reports whether a part of the expression has a finding already.
func (c *checker) reportedWithin(e ast.Expr) bool {
	for pos := range c.reported {
		if e.Pos() <= pos && pos < e.End() {
			return true
		}
	}
	return false
}
