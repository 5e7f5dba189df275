package swallowedwarnings

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/types/typeutil"
)

// emptyMethods exports a fact for each type whose method HandleWarningHeader does nothing.
func (c *checker) emptyMethods() {
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "HandleWarningHeader") || !doesNothing(fn.Body) {
				continue
			}
			method, ok := c.pass.TypesInfo.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			if named := receiver(method); named != nil && named.Obj().Pkg() == c.pass.Pkg {
				c.pass.ExportObjectFact(named.Obj(), &discards{})
			}
		}
	}
}

func receiver(method *types.Func) *types.Named {
	recv := method.Signature().Recv()
	if recv == nil {
		return nil
	}
	return namedType(recv.Type())
}

func namedType(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// doesNothing reports whether a function has no statements except returns and
// assignments to _.
func doesNothing(body *ast.BlockStmt) bool {
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
		case *ast.AssignStmt:
			for i, lhs := range s.Lhs {
				id, ok := lhs.(*ast.Ident)
				if !ok || id.Name != "_" || i >= len(s.Rhs) {
					return false
				}
				if _, plain := s.Rhs[i].(*ast.Ident); !plain {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// emptyVariables exports a fact for each variable of the package whose only value is a
// handler that does nothing.
func (c *checker) emptyVariables() {
	names := c.pass.Pkg.Scope()
	for _, name := range names.Names() {
		v, ok := names.Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		if values := c.values[v]; len(values) == 1 && values[0] != nil && c.empty(values[0], 0) {
			c.pass.ExportObjectFact(v, &discards{})
		}
	}
}

// empty reports whether a handler certainly does nothing.
func (c *checker) empty(e ast.Expr, depth int) bool {
	if depth > 4 {
		return false
	}
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return c.emptyType(c.pass.TypesInfo.TypeOf(e))
	case *ast.CallExpr:
		return c.emptyCall(e)
	case *ast.Ident, *ast.SelectorExpr:
		id, ok := e.(*ast.Ident)
		if sel, selector := e.(*ast.SelectorExpr); selector {
			id, ok = sel.Sel, true
		}
		v, isVar := c.pass.TypesInfo.Uses[id].(*types.Var)
		if !ok || !isVar || v.Kind() != types.LocalVar && v.Kind() != types.PackageVar {
			return false
		}
		if v.Pkg() != c.pass.Pkg {
			return c.pass.ImportObjectFact(v, &discards{})
		}
		values := c.values[v]
		return len(values) == 1 && values[0] != nil && c.empty(values[0], depth+1)
	}
	return false
}

// emptyType reports whether handlers of a type do nothing.
func (c *checker) emptyType(t types.Type) bool {
	named := namedType(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	obj := named.Obj()
	if edit.Unvendored(obj.Pkg().Path()) == clientRest {
		return obj.Name() == "NoWarnings"
	}
	return c.pass.ImportObjectFact(obj, &discards{})
}

// emptyCall reports whether a call returns a handler that writes to io.Discard, or a new
// value of a type that does nothing.
func (c *checker) emptyCall(e *ast.CallExpr) bool {
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok && b.Name() == "new" && len(e.Args) == 1 {
			return c.emptyType(c.pass.TypesInfo.TypeOf(e.Args[0]))
		}
	}
	fn := callee(c.pass.TypesInfo, e)
	if fn == nil || fn.Pkg() == nil || fn.Name() != "NewWarningWriter" || edit.Unvendored(fn.Pkg().Path()) != clientRest || len(e.Args) == 0 {
		return false
	}
	sel, ok := ast.Unparen(e.Args[0]).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	out := c.pass.TypesInfo.Uses[sel.Sel]
	return out != nil && out.Name() == "Discard" && out.Pkg() != nil && (out.Pkg().Path() == "io" || out.Pkg().Path() == "io/ioutil")
}

func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, call).(*types.Func)
	return fn
}

// copied reports whether a configuration is a copy. The clients that use the original
// configuration still handle their warnings.
func (c *checker) copied(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	for _, value := range c.values[c.pass.TypesInfo.Uses[id]] {
		if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
			value = u.X
		}
		switch value := value.(type) {
		case *ast.StarExpr:
			return true
		case *ast.CallExpr:
			fn := callee(c.pass.TypesInfo, value)
			if fn != nil && (strings.HasPrefix(fn.Name(), "Copy") || strings.HasPrefix(fn.Name(), "DeepCopy") || fn.Name() == "AnonymousClientConfig") {
				return true
			}
		}
	}
	return false
}

// isConditional reports whether code runs only under a condition other than the check
// of an error. The program then discards warnings by choice.
func (c *checker) isConditional(path []ast.Node) bool {
	for i, n := range path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i+1 < len(path) && path[i+1] != n.Init && path[i+1] != n.Cond && !aboutErrors(c.pass.TypesInfo, n.Cond) {
				return true
			}
		case *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}

// isStart reports whether code runs when the program or one of its commands starts.
// Such code is in main or init of package main, in a function named Run, or in the RunE
// of a command.
func (c *checker) isStart(path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			switch n.Name.Name {
			case "main", "init":
				return c.pass.Pkg.Name() == "main"
			case "Run", "RunE", "run":
				return true
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && strings.HasSuffix(strings.TrimSuffix(key.Name, "E"), "Run") {
				return true
			}
		}
	}
	return false
}

// aboutErrors reports whether a condition only compares an error with nil.
func aboutErrors(info *types.Info, cond ast.Expr) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	t := info.TypeOf(b.X)
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type()) && info.Types[b.Y].IsNil()
}

// minReasonWords is the smallest number of words in a comment that gives a reason. A
// shorter comment only describes the code.
const minReasonWords = 6

// explained reports whether the comment above a node gives a reason why it discards
// warnings.
func (c *checker) explained(f *ast.File, n ast.Node) bool {
	line := func(p token.Pos) int { return c.pass.Fset.PositionFor(p, false).Line }
	for _, group := range f.Comments {
		text := group.Text()
		if line(group.End()) == line(n.Pos())-1 && strings.Contains(strings.ToLower(text), "warning") &&
			len(strings.Fields(text)) >= minReasonWords && isFirstOnLine(f, group, line) {
			return true
		}
	}
	return false
}

// isFirstOnLine reports whether no code precedes a comment on its line.
func isFirstOnLine(f *ast.File, group *ast.CommentGroup, line func(token.Pos) int) bool {
	found := true
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		}
		// This code ends before the comment, on the same line.
		if n.End() <= group.Pos() && line(n.End()) == line(group.Pos()) {
			found = false
		}
		return found
	})
	return found
}
