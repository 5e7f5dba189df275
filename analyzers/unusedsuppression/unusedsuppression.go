// Package unusedsuppression implements the rule unusedsuppression for Go code: it
// reports comments that suppress no finding.
package unusedsuppression

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

const id = "unusedsuppression"

// New returns the analyzer for the chosen rules. It requires their analyzers, so it runs
// last. It does not check comments about other rules, because only a rule that runs shows
// whether its comments are needed.
//
// With its flag reasons, the analyzer also reports comments that give no reason.
func New(chosen []*analysis.Analyzer) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         append([]*analysis.Analyzer{intact.Analyzer, scope.Analyzer}, chosen...),
		RunDespiteErrors: true,
	}
	reasons := a.Flags.Bool("reasons", false, "report comments that give no reason")
	runs := map[string]bool{}
	for _, rule := range chosen {
		runs[rule.Name] = true
	}
	a.Run = intact.Run(func(pass *analysis.Pass) (any, error) {
		if len(pass.TypeErrors) > 0 || len(intact.Of(pass).Skipped) > 0 {
			return nil, nil // a finding that is suppressed may be missing
		}
		for _, d := range scope.Of(pass).Directives() {
			if message := problem(d, runs, *reasons); message != "" && !scope.Of(pass).Skipped(d.Comment.Pos()) {
				// scope.Send ignores suppressions. A comment cannot suppress findings about
				// comments.
				scope.Send(pass, analysis.Diagnostic{Pos: d.Comment.Pos(), End: d.Comment.End(), Category: id, Message: message})
			}
		}
		return nil, nil
	})
	return a
}

// problem returns the message about a directive. It is empty if the directive is correct,
// or if its rule does not run.
func problem(d *scope.Directive, runs map[string]bool, reasons bool) string {
	if d.Rule == "" {
		return "kubevet:ignore names no rule"
	}
	if d.Rule != "all" {
		name, ok := rules.Resolve(d.Rule)
		if !ok {
			return fmt.Sprintf("kubevet:ignore names %q, which is no rule", d.Rule)
		}
		rule, _ := rules.Lookup(name)
		switch {
		case name == id:
			return "kubevet:ignore " + id + " suppresses nothing: it is about these comments themselves"
		case !rule.On(rules.SurfaceGo):
			return fmt.Sprintf("kubevet:ignore names %q, which is no rule for Go code", d.Rule)
		case !runs[name]:
			return ""
		}
	}
	switch {
	case !d.Used:
		return "kubevet:ignore " + d.Rule + " suppresses nothing"
	case reasons && d.Reason == "":
		return "kubevet:ignore " + d.Rule + " gives no reason: write it after --"
	}
	return ""
}
