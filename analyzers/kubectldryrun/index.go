package kubectldryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// call is a function call and its place.
type call struct {
	expr *ast.CallExpr
	in   *ast.FuncDecl // nil for a call outside of functions
	path []ast.Node    // enclosing nodes that make the call conditional
}

// value is a value that is assigned to a variable.
type value struct {
	expr ast.Expr // nil if the value is not known
	pos  token.Pos
	path []ast.Node
}

// index contains the calls, variables and functions of the package.
type index struct {
	calls []call
	// values has the values that code assigns to each variable, in order of position.
	values map[types.Object][]value
	// params maps the parameters of declared functions to their numbers. The first
	// parameter has number 1.
	params map[types.Object]int
	// returns has the returned values of each function with exactly one result.
	returns map[*types.Func][]value
	decls   []*ast.FuncDecl
	// versions has the functions that find out or compare versions of kubectl or the
	// server. Each command line in such a function is for one version only.
	versions map[*ast.FuncDecl]bool
}

func newIndex(pass *analysis.Pass) *index {
	x := &index{
		values: map[types.Object][]value{}, params: map[types.Object]int{},
		returns: map[*types.Func][]value{}, versions: map[*ast.FuncDecl]bool{},
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			w := walker{index: x, info: pass.TypesInfo}
			if fn, ok := d.(*ast.FuncDecl); ok {
				w.in = fn
				w.parameters(fn)
			}
			ast.Walk(&w, d)
		}
	}
	return x
}

// walker adds the calls and values of one declaration to an index.
type walker struct {
	*index
	info *types.Info
	in   *ast.FuncDecl
	// literals is the number of function literals around the current node. If it is not
	// 0, returns and parameters do not belong to the declaration.
	literals int
	path     []ast.Node
}

func (w *walker) parameters(fn *ast.FuncDecl) {
	w.decls = append(w.decls, fn)
	n := 0
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			n++
			if obj := w.info.Defs[name]; obj != nil {
				w.params[obj] = n
			}
		}
		n += max(0, 1-len(field.Names))
	}
}

// Visit implements ast.Visitor. For a node that runs under a condition, or later, it
// returns another walker.
func (w *walker) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			var rhs ast.Expr
			if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
				rhs = n.Rhs[i]
			}
			w.assign(lhs, rhs, n.Pos())
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			switch {
			case len(n.Values) == len(n.Names):
				w.assign(name, n.Values[i], n.Pos())
			case len(n.Values) > 0:
				w.assign(name, nil, n.Pos())
			}
		}
	case *ast.RangeStmt:
		w.assign(n.Key, nil, n.Pos())
		w.assign(n.Value, nil, n.Pos())
		return w.under(n)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			w.assign(n.X, nil, n.Pos())
		}
	case *ast.ReturnStmt:
		if w.in != nil && w.literals == 0 && len(n.Results) == 1 {
			if fn, ok := w.info.Defs[w.in.Name].(*types.Func); ok {
				w.returns[fn] = append(w.returns[fn], value{expr: n.Results[0], pos: n.Pos(), path: w.path})
			}
		}
	case *ast.CallExpr:
		w.calls = append(w.calls, call{expr: n, in: w.in, path: w.path})
		if w.in != nil && asksVersion(w.info, n) {
			w.versions[w.in] = true
		}
	case *ast.FuncLit:
		inner := w.under(n)
		inner.literals++
		return inner
	case *ast.IfStmt, *ast.ForStmt, *ast.CaseClause, *ast.CommClause:
		return w.under(n)
	case *ast.BlockStmt:
		if len(w.path) > 0 {
			if s, ok := w.path[len(w.path)-1].(*ast.IfStmt); ok && s.Else == n {
				return w.under(n) // the other branch has the same parent
			}
		}
	}
	return w
}

func (w *walker) under(n ast.Node) *walker {
	inner := *w
	inner.path = append(slices.Clone(w.path), n)
	return &inner
}

// assign records that code assigns a value to a variable. rhs is nil if the value is
// not known.
func (w *walker) assign(lhs, rhs ast.Expr, pos token.Pos) {
	id, ok := lhs.(*ast.Ident)
	if !ok {
		return
	}
	obj := w.info.ObjectOf(id)
	if _, ok := obj.(*types.Var); ok {
		w.values[obj] = append(w.values[obj], value{expr: rhs, pos: pos, path: w.path})
	}
}

// always reports whether an assignment under the conditions path always precedes a use
// under the conditions use. That is so if use begins with all conditions in path.
func always(path, use []ast.Node) bool {
	return len(path) <= len(use) && slices.Equal(path, use[:len(path)])
}
