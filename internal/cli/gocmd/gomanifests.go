package gocmd

import (
	"slices"

	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/embedded"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
)

// manifests checks the manifests in Go files with the enabled rules about API
// versions.
func (g *run) manifests(files []string) []rules.Finding {
	on := func(rule string) bool { return slices.Contains(gocode.VersionRules, rule) && g.Enabled[rule] }
	if !slices.ContainsFunc(gocode.VersionRules, on) {
		return nil
	}
	return embedded.Findings(embedded.Options{
		Files: files,
		Tests: g.flags.tests,
		Name:  g.Name,
		Linter: manifestlint.New(manifestlint.Options{
			Target:   g.Target,
			Checks:   checks.All(nil),
			Enabled:  on,
			Severity: g.Severity,
			Workers:  1,
		}),
	})
}
