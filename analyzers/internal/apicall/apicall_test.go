package apicall

import (
	"fmt"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis"
)

// printer reports each call and each construction in one line.
var printer = &analysis.Analyzer{
	Name:     "printer",
	Doc:      "print calls",
	Requires: []*analysis.Analyzer{Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		result := pass.ResultOf[Analyzer].(*Result)
		for _, c := range result.Calls {
			line := c.String()
			line += fmt.Sprintf(" own fm=%s force=%s dryrun=%s ", c.Own.FieldManager, c.Own.Force, c.Own.DryRun)
			line += "client="
			if c.Client.Identity != nil {
				line += c.Client.Identity.Name()
			}
			if c.Client.Outside {
				line += " outside"
			}
			pass.Reportf(c.Pos(), "%s", line)
		}
		for _, c := range result.Constructions {
			pass.Reportf(c.Pos(), "build %s fm=%s dryrun=%s validation=%s ua=%s", c.Family, c.FieldManager, c.DryRun, c.FieldValidation, c.UserAgent)
		}
		return nil, nil
	},
}

func TestCalls(t *testing.T) {
	analyzertest.Run(t, printer, "./apicall/...")
}
