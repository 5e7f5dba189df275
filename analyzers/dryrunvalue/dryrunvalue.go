// Package dryrunvalue reports constant options of writes that a server refuses or a client
// drops. These are dry-run values other than "All", unknown field validations, and field
// managers that are too long or not printable.
//
// It checks every literal of options, even if no call in the package uses the literal. It
// also checks the values that package apicall has followed to a call.
package dryrunvalue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "dryrunvalue"

// Analyzer implements the rule.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// checker checks one package.
type checker struct {
	pass *analysis.Pass
	// reported has the positions of the reported values. A literal, a typed constant
	// and a call may lead to one value.
	reported map[token.Pos]bool
}

func run(pass *analysis.Pass) (any, error) {
	if pass.Module != nil && pass.Module.Version != "" {
		return nil, nil // a dependency: only its facts are needed
	}
	if !imports(pass) {
		return nil, nil
	}
	c := &checker{pass: pass, reported: map[token.Pos]bool{}}
	for _, f := range pass.Files {
		if scope.Of(pass).Skipped(f.FileStart) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				c.literal(n)
			case *ast.AssignStmt:
				c.assignment(n)
			case *ast.CallExpr:
				c.call(n)
			}
			if e, ok := n.(ast.Expr); ok {
				c.typedConstant(e)
			}
			return true
		})
	}
	for _, call := range pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls {
		c.followed(call)
	}
	return nil, nil
}

// imports reports whether a package imports a package whose path can belong to Kubernetes
// clients.
func imports(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
		path := edit.Unvendored(p.Path())
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") || path == fluxSSA
	})
}

// report reports a finding about the value n unless n has a finding already.
func (c *checker) report(n ast.Node, message string, fixes ...analysis.SuggestedFix) {
	if c.reported[n.Pos()] {
		return
	}
	c.reported[n.Pos()] = true
	scope.Report(c.pass, analysis.Diagnostic{Pos: n.Pos(), End: n.End(), Message: message, SuggestedFixes: fixes})
}
