package webhookdryrun

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// asksDryRun is the fact about a function that reads the field DryRun of an
// admission request. A handler of another package that calls the function may
// get the dry run from it. The function can have any name.
type asksDryRun struct{}

func (*asksDryRun) AFact()         {}
func (*asksDryRun) String() string { return "asksDryRun" }

// exportAsking exports the fact about the functions of a package.
func exportAsking(pass *analysis.Pass) {
	relevant := false
	for _, p := range pass.Pkg.Imports() {
		path := apicall.ImportPath(p)
		relevant = relevant || path == frameworkPath || strings.HasPrefix(path, reviewPrefix)
	}
	if !relevant {
		return
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !importable(pass, fn) {
				continue
			}
			found := false
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "DryRun" {
					v, _ := pass.TypesInfo.Uses[sel.Sel].(*types.Var)
					found = found || v != nil && v.IsField() && strings.HasPrefix(apicall.ImportPath(v.Pkg()), reviewPrefix)
				}
				return !found
			})
			if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok && found {
				pass.ExportObjectFact(obj, &asksDryRun{})
			}
		}
	}
}

// importable reports whether other packages can name a function. They could call others
// only through an interface, and facts about those are not used.
func importable(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	if !fn.Name.IsExported() {
		return false
	}
	obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		return ok
	}
	n := named(obj.Signature().Recv().Type())
	return n != nil && n.Obj().Exported()
}

// asksOnTheWay reports whether any function from the handler to the effect,
// both included, may check the dry run in ways that package dryrun does not
// analyze. Such a function calls one of two things:
//   - a function of another package that has the fact asksDryRun;
//   - a function of this package that kubevet skipped because it does not
//     compile.
func (c *checker) asksOnTheWay(h *handler, e *sideeffect.Effect) bool {
	if c.asks(h.fn) || c.asks(e.Func) {
		return true
	}
	for _, via := range e.Via {
		if c.asks(via.Parent()) {
			return true
		}
	}
	return false
}

// asks reports whether a function may check the dry run in ways that package dryrun does
// not analyze. The literals in it and the functions around it count as parts of it.
func (c *checker) asks(fn *ssa.Function) bool {
	fn = outermost(fn)
	answer, known := c.asking[fn]
	if !known {
		answer = c.asksWithin(fn)
		c.asking[fn] = answer
	}
	return answer
}

// asksFaraway reports whether an instruction calls a function of another
// package that reads the dry run of a request. It also returns true for a
// function of this package that kubevet skipped because it does not compile.
// That function may read the dry run.
func (c *checker) asksFaraway(i ssa.Instruction) bool {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return false
	}
	callee := sideeffect.Method(call)
	if callee == nil || callee.Pkg() == c.pass.Pkg {
		return callee != nil && intact.Of(c.pass).Skips(callee)
	}
	return c.pass.ImportObjectFact(callee.Origin(), new(asksDryRun))
}

func (c *checker) asksWithin(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, i := range b.Instrs {
			// Package dryrun has better answers about functions of the package.
			if c.asksFaraway(i) {
				return true
			}
		}
	}
	for _, literal := range fn.AnonFuncs {
		if c.asksWithin(literal) {
			return true
		}
	}
	return false
}
