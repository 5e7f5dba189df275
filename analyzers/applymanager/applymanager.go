// Package applymanager reports server-side applies that certainly name no field manager.
// Servers refuse them.
package applymanager

import (
	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "applymanager"

// Analyzer implements the rule applymanager.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls
	for _, c := range calls {
		if c.Verb != apicall.VerbApply || c.Fake || !c.FieldManager.Empty() {
			continue
		}
		d := analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: "apply without a field manager is refused by the server: " + fixText(c),
		}
		if name, ok := owner.Find(pass, c.Pos(), calls); ok {
			d.SuggestedFixes = owner.Sign(pass, c, name)
		}
		scope.Report(pass, d)
	}
	return nil, nil
}

// fixText returns the part of the message that says where to set the manager.
func fixText(c *apicall.Call) string {
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource:
		return "pass client.FieldOwner"
	case apicall.Helper:
		return "set it with WithFieldManager"
	}
	return "set FieldManager in its options"
}
