package dryrun

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/ast/astutil"
)

// createsContainer reports whether a call creates a Namespace or a
// CustomResourceDefinition. After a dry run of it, the server does not know the namespace
// or kind, so it refuses the objects in it, also in a dry run.
func createsContainer(c *apicall.Call) bool {
	switch c.Verb {
	case apicall.VerbCreate, apicall.VerbApply, apicall.VerbCreateOrUpdate, apicall.VerbCreateOrPatch:
		return isContainer(c) && c.Subresource == ""
	}
	return false
}

func isContainer(c *apicall.Call) bool {
	return c.GVK.Kind == "Namespace" || c.GVK.Kind == "CustomResourceDefinition"
}

// dependsOn reports whether a write may need the namespace or kind that another call
// creates.
func dependsOn(write, container *apicall.Call) bool {
	if isContainer(write) {
		return false
	}
	api, builtin := lifecycle.Lookup(write.GVK.Group, write.GVK.Version, write.GVK.Kind)
	if container.GVK.Kind == "Namespace" {
		return !builtin || api.Namespaced()
	}
	return !builtin
}

// usesOfContainer returns the positions of the writes after the creation of a namespace
// or kind that may need it.
func (w *fixable) usesOfContainer() []token.Pos {
	if !createsContainer(w.call) {
		return nil
	}
	var uses []token.Pos
	needs := func(c *apicall.Call) bool { return dependsOn(c, w.call) && !w.fixer.result().isGuarded(c) }
	for _, c := range w.callsLeadingTo(needs, w.guarded()) {
		if c.Pos() > w.call.Expr.End() && !w.exclusive(w.call.Expr, c) {
			uses = append(uses, c.Pos())
		}
	}
	return uses
}

// isGuarded reports whether a dry run does not reach a write.
func (r *Result) isGuarded(c *apicall.Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return c.Instr != nil && r.state.reach(c.Instr, Client) == Guarded
}

// inNewContainer reports whether code before the write creates a namespace or kind that
// the write may need. It returns false if a fix makes sure that a dry run which reaches
// the write does not reach that code.
func (w *fixable) inNewContainer() bool {
	created := w.callsLeadingTo(func(c *apicall.Call) bool { return createsContainer(c) && dependsOn(w.call, c) }, nil)
	return slices.ContainsFunc(created, func(c *ast.CallExpr) bool {
		return c.End() < w.call.Expr.Pos() && !w.exclusive(c, w.call.Expr) && !w.leavesBefore(c)
	})
}

// leavesBefore reports whether a fix leaves the code around the write before a call.
func (w *fixable) leavesBefore(call *ast.CallExpr) bool {
	return slices.ContainsFunc(w.fixer.skips, func(s skip) bool {
		return s.from < call.Pos() && call.End() < s.to && s.scope.Pos() <= w.stmt.Pos() && w.stmt.End() <= s.scope.End()
	})
}

// callsLeadingTo returns the calls in the declared function around the write that match,
// and the calls of functions of the package that contain such a call. It leaves out the
// calls at the positions in without, and their arguments.
func (w *fixable) callsLeadingTo(match func(c *apicall.Call) bool, without map[token.Pos]bool) []*ast.CallExpr {
	var places []token.Pos
	for _, c := range w.fixer.pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls {
		if !c.Fake && match(c) {
			places = append(places, c.Expr.Lparen)
		}
	}
	if len(places) == 0 {
		return nil
	}
	var found []*ast.CallExpr
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if without[call.Lparen] {
			return false
		}
		decl := w.fixer.declaration(calledFunc(w.fixer.pass.TypesInfo, call))
		helps := decl != nil && decl != w.declaration && slices.ContainsFunc(places, func(p token.Pos) bool { return decl.Pos() <= p && p <= decl.End() })
		if helps || slices.Contains(places, call.Lparen) {
			found = append(found, call)
		}
		return true
	})
	return found
}

// exclusive reports whether a run of the function does not reach a later call after an
// earlier one: they are in different branches, or the branch of the earlier call ends
// with a return.
func (w *fixable) exclusive(earlier, later ast.Node) bool {
	path, _ := astutil.PathEnclosingInterval(w.file.Syntax(), earlier.Pos(), earlier.End())
	for i, n := range path {
		if n.Pos() <= later.Pos() && later.End() <= n.End() {
			return false
		}
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		case *ast.BlockStmt:
			list = n.List
		}
		if list == nil {
			continue
		}
		switch list[len(list)-1].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return true
		}
		outer := path[i+1]
		if _, ok := n.(*ast.BlockStmt); !ok && i+2 < len(path) {
			outer = path[i+2] // the switch around a clause
		}
		if outer.Pos() <= later.Pos() && later.End() <= outer.End() {
			return true // the other branch
		}
	}
	return false
}
