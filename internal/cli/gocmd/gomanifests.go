package gocmd

import (
	"slices"

	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/embedded"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
)

// manifests checks the manifests in string literals of Go files with the enabled rules
// about API versions.
func (g *run) manifests(files []string) []rules.Finding {
	return manifestFindings(files, g.Name, g.flags.tests, manifestlint.Options{
		Target: g.Target, Severity: g.Severity,
		Enabled: func(rule string) bool { return g.Enabled[rule] },
	})
}

// manifestFindings checks the manifests in string literals of Go files. name returns the
// name of a file in findings. A nil name keeps the absolute names. tests is as in
// embedded.Options. o has the target, the severities and the enabled rules.
func manifestFindings(files []string, name func(string) string, tests bool, o manifestlint.Options) []rules.Finding {
	enabled := o.Enabled
	o.Enabled = func(rule string) bool { return slices.Contains(gocode.VersionRules, rule) && enabled(rule) }
	if !slices.ContainsFunc(gocode.VersionRules, o.Enabled) {
		return nil
	}
	o.Checks, o.Workers = checks.All(nil), 1
	return embedded.Findings(embedded.Options{Files: files, Tests: tests, Name: name, Linter: manifestlint.New(o)})
}
