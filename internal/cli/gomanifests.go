package cli

import (
	"slices"

	"github.com/kubevet/kubevet/internal/embedded"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
)

// manifests judges the manifests that Go files carry by the rules about
// versions of APIs, those of them that run.
func (g *goRun) manifests(files []string) []rules.Finding {
	on := func(rule string) bool { return slices.Contains(versionRules, rule) && g.enabled[rule] }
	if !slices.ContainsFunc(versionRules, on) {
		return nil
	}
	return embedded.Findings(embedded.Options{
		Files: files,
		Tests: g.flags.tests,
		Name:  g.name,
		Linter: manifestlint.New(manifestlint.Options{
			Target:   g.target,
			Checks:   checks.All(nil),
			Enabled:  on,
			Severity: g.severity,
			Workers:  1,
		}),
	})
}
