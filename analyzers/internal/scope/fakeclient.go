package scope

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// fakeClients collects the values that a package assigns to fields of its structs.
type fakeClients struct {
	pass *analysis.Pass
	// holders has the fields that hold the client of a test server, and maps them to
	// the type with the field. others has the fields that hold other values.
	holders map[*types.Var]*types.TypeName
	others  map[*types.Var]bool
}

// addFakeClients adds to the map the types of the package with a field that only ever
// holds clients of a test server.
func addFakeClients(pass *analysis.Pass, to map[*types.TypeName]bool) {
	if !slices.ContainsFunc(pass.Pkg.Imports(), isFake) {
		return
	}
	c := &fakeClients{pass: pass, holders: map[*types.Var]*types.TypeName{}, others: map[*types.Var]bool{}}
	for _, f := range pass.Files {
		if isTest(pass.Fset, f) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				c.literal(n)
			case *ast.AssignStmt:
				c.assignment(n)
			}
			return true
		})
	}
	for field, holder := range c.holders {
		if !c.others[field] {
			to[holder] = true
		}
	}
}

func (c *fakeClients) literal(lit *ast.CompositeLit) {
	t := c.pass.TypesInfo.TypeOf(lit)
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				c.noteValue(t, c.pass.TypesInfo.Uses[key], kv.Value)
			}
		} else if t != nil {
			if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
				c.noteValue(t, s.Field(i), e)
			}
		}
	}
}

func (c *fakeClients) assignment(assign *ast.AssignStmt) {
	if len(assign.Lhs) != len(assign.Rhs) {
		return
	}
	for i, left := range assign.Lhs {
		if sel, ok := left.(*ast.SelectorExpr); ok {
			c.noteValue(c.pass.TypesInfo.TypeOf(sel.X), c.pass.TypesInfo.Uses[sel.Sel], assign.Rhs[i])
		}
	}
}

// noteValue records that code assigns a value to a field of a struct of type of.
func (c *fakeClients) noteValue(of types.Type, field types.Object, value ast.Expr) {
	v, ok := field.(*types.Var)
	holder := declaredType(of)
	if !ok || !v.IsField() || holder == nil || holder.Pkg() != c.pass.Pkg {
		return
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || !c.makesFake(call) {
		c.others[v] = true
		return
	}
	c.holders[v] = holder
}

// makesFake reports whether a call creates a client of a test server.
func (c *fakeClients) makesFake(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && isFake(fn.Pkg()) && strings.HasPrefix(fn.Name(), "New")
}

// isFake reports whether a package has clients of a test server.
func isFake(pkg *types.Package) bool { return strings.HasSuffix(pkg.Path(), "/fake") }

// declaredType returns the name of a declared type, or of the type to which a pointer
// points. It returns nil for other types.
func declaredType(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return n.Obj()
}
