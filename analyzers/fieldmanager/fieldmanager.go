// Package fieldmanager reports programs whose writes name no field manager. The API server
// then derives a name from the user agent. If other programs have the same name, the rule
// reports the program once, at the client that makes most of the writes.
//
// A site is a write, the construction of a client, or a place that names a manager for a
// whole client. Packages export their sites as facts. The analysis of package main thus
// knows all sites of the module, and which of them the program can reach. It does not
// follow every client to its writes: any site in the program may name the manager.
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

// Analyzer implements the rule fieldmanager. Its flag calls reports every write that names
// no manager itself. Its flag packages reports each library package that writes.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
		RunDespiteErrors: true,
		FactTypes:        []analysis.Fact{new(sitesFact), new(reachesFact)},
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

// namesNoManager reports whether a call accepts a field manager, but certainly names
// none. It returns false for applies, which the rule applymanager checks.
func namesNoManager(c *apicall.Call) bool {
	if c.Fake || !c.Own.FieldManager.Empty() || c.FieldManager.State == apicall.Set && !c.FieldManager.Empty() || c.FieldManager.State == apicall.Passed {
		return false
	}
	switch c.Verb {
	case apicall.VerbCreate, apicall.VerbUpdate, apicall.VerbPatch, apicall.VerbScale, apicall.VerbApproval:
		return (c.HasOptions || c.Family == apicall.Wrapper) && stored(c)
	case apicall.VerbCreateOrUpdate, apicall.VerbCreateOrPatch:
		return true
	}
	// A delete has no manager. Servers do not store tokens, evictions and bindings.
	return false
}

// stored reports whether the server stores the written object, so that its fields have
// managers. It returns false for reviews, tokens, evictions and bindings.
func stored(c *apicall.Call) bool {
	if c.IsReview() {
		return false
	}
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

// perCall implements the flag calls: each write must name a manager.
func perCall(pass *analysis.Pass) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls
	for _, c := range calls {
		apply := c.Verb == apicall.VerbApply && !c.Fake && c.Own.FieldManager.Empty() && c.FieldManager.State != apicall.Set
		if !apply && (!namesNoManager(c) || scope.Of(pass).Skipped(c.Pos())) {
			continue
		}
		d := analysis.Diagnostic{Pos: c.Pos(), End: c.End(), Message: calledName(c) + " names no field manager: " + callFixText(c)}
		if name, ok := owner.Find(pass, c.Pos(), calls); ok {
			d.SuggestedFixes = owner.Sign(pass, c, name)
		}
		scope.Report(pass, d)
	}
}

// callFixText returns the part of the message that says where a call can name its manager.
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
	if !c.HasOptions {
		return "it takes no options, so set UserAgent in the configuration of its client"
	}
	return "set FieldManager in its options"
}

// calledName returns the name of the called function, such as "Update".
func calledName(c *apicall.Call) string {
	if c.Method != nil {
		return c.Method.Name()
	}
	return "write"
}
