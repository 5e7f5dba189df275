// Package fieldmanager reports programs whose writes name no field manager, if the name
// that the API server then records does not identify them. It reports one finding per
// program, at the client that makes most of the writes.
//
// Packages export their sites as facts: writes, clients, and the places that name a
// manager for a whole client. The analysis of a package main sees the sites of all
// packages of its module, and which of them the program's code leads to. The path from
// a client to its writes matters less than whether anything in the program signs at
// all.
package fieldmanager

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "fieldmanager"

// Analyzer implements the rule. Its flag calls makes it report every write that
// names no manager by itself; its flag packages makes it report, once, packages
// that are not programs, for modules that are libraries.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
		RunDespiteErrors: true,
		FactTypes:        []analysis.Fact{new(below), new(reaches)},
	}
	calls := a.Flags.Bool("calls", false, "report every write that names no field manager, whatever its client does about the user agent")
	packages := a.Flags.Bool("packages", false, "report, once per package, writes in packages that are not programs")
	a.Run = intact.Run(func(pass *analysis.Pass) (any, error) {
		if *calls {
			perCall(pass)
			return nil, nil
		}
		perProgram(pass, *packages)
		return nil, nil
	})
	return a
}

// nameless reports whether a call could name a field manager and provably does not, in
// any code. Applies without one are left to applymanager.
func nameless(c *apicall.Call) bool {
	if c.Fake || !c.Own.FieldManager.Empty() || c.FieldManager.State == apicall.Set && !c.FieldManager.Empty() || c.FieldManager.State == apicall.Passed {
		return false
	}
	switch c.Verb {
	case apicall.VerbCreate, apicall.VerbUpdate, apicall.VerbPatch, apicall.VerbScale, apicall.VerbApproval:
		return (c.HasOptions || c.Family == apicall.Wrapper) && stored(c)
	case apicall.VerbCreateOrUpdate, apicall.VerbCreateOrPatch:
		return true
	}
	// A delete has no manager. Tokens, evictions and bindings are not stored.
	return false
}

// stored reports whether the written object has fields to manage. Requests in the shape
// of an object have none: reviews, tokens, evictions and bindings.
func stored(c *apicall.Call) bool {
	switch c.Subresource {
	case "token", "eviction", "binding":
		return false
	}
	switch c.GVK.Group {
	case "authorization.k8s.io", "authentication.k8s.io":
		return false
	}
	if named, ok := types.Unalias(c.ObjectType).(*types.Named); ok && named.Obj().Pkg() != nil {
		path := edit.Unvendored(named.Obj().Pkg().Path())
		return !strings.HasPrefix(path, "k8s.io/api/authorization/") && !strings.HasPrefix(path, "k8s.io/api/authentication/")
	}
	return true
}

// perCall is the literal policy: each write must name a manager.
func perCall(pass *analysis.Pass) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls
	for _, c := range calls {
		apply := c.Verb == apicall.VerbApply && !c.Fake && c.Own.FieldManager.Empty() && c.FieldManager.State != apicall.Set
		if !apply && (!nameless(c) || scope.Of(pass).Skipped(c.Pos())) {
			continue
		}
		d := analysis.Diagnostic{Pos: c.Pos(), End: c.End(), Message: method(c) + " names no field manager: " + callFixText(c)}
		if name, ok := owner.Find(pass, c.Pos(), calls); ok {
			d.SuggestedFixes = owner.Sign(pass, c, name)
		}
		scope.Report(pass, d)
	}
}

// callFixText returns where a call can name its manager.
func callFixText(c *apicall.Call) string {
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource:
		return "pass client.FieldOwner"
	case apicall.CreateOr:
		return "it takes no options, so wrap its client with client.WithFieldOwner"
	case apicall.Helper:
		return "set it with WithFieldManager"
	case apicall.REST:
		return "set it with VersionedParams"
	}
	return "set FieldManager in its options"
}

// method is the name of the called function, such as "Update".
func method(c *apicall.Call) string {
	if c.Method != nil {
		return c.Method.Name()
	}
	return "write"
}
