package gocmd

import (
	"context"
	"io"
	"path/filepath"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/vettool"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// VetTool returns the tool that go vet and go fix run for each package. It reports the
// findings of `kubevet go` without a configuration file.
func VetTool(stdout, stderr io.Writer) *vettool.Tool {
	return &vettool.Tool{
		Library:   analyzers.Library,
		Client:    analyzers.Client,
		Facts:     analyzers.Facts(),
		Analyzers: analyzers.All(),
		Default:   analyzers.OnByDefault,
		Safe:      analyzers.SafeFixes,
		Select:    analyzers.Select,
		Set: func(options map[string]string) error {
			_, err := analyzers.Set(options)
			return err
		},
		Strict: analyzers.Strict(),
		Target: analyzers.Target,
		Severity: func(rule string, d analysis.Diagnostic) rules.Severity {
			return analyzers.Severity(d.Category, severity(rule))
		},
		Prepare:   prepare,
		Manifests: vetManifests,
		Stdout:    stdout,
		Stderr:    stderr,
	}
}

func severity(rule string) rules.Severity {
	r, _ := rules.Lookup(rule)
	return r.Severity
}

// prepare sets the target and the webhooks for the rules, if a rule needs them. They
// depend on the module of the package in dir. File names are relative to the module.
func prepare(dir string) error {
	for name := range analyzers.Target("") {
		if _, err := analyzers.SetLater(name, func() string { return requiredTarget(dir).Range.String() }); err != nil {
			return err
		}
	}
	_, err := analyzers.SetLater(webhookOption, func() string {
		root := gocode.ModuleRoot(dir)
		return webhooksBelow(context.Background(), root, root, nil, func(name string) string {
			if rel, err := filepath.Rel(root, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
				name = rel
			}
			return filepath.ToSlash(name)
		})
	})
	return err
}

// requiredTarget returns the target for the client-go version in the go.mod of the
// directory or of a parent.
func requiredTarget(dir string) lifecycle.Target {
	target, _ := lifecycle.ClientTarget(gocode.Required(dir))
	return target
}

// vetManifests checks the manifests in string literals of a package's Go files.
func vetManifests(e vettool.Embedding) ([]rules.Finding, error) {
	target, err := lifecycle.NewTarget(e.Target, nil, nil)
	if err != nil {
		return nil, err
	}
	if e.Target == "" && len(e.Files) > 0 {
		target = requiredTarget(filepath.Dir(e.Files[0]))
	}
	enabled, severities := map[string]bool{}, map[string]rules.Severity{}
	for _, a := range e.Rules {
		enabled[a.Name], severities[a.Name] = true, severity(a.Name)
	}
	return manifestFindings(e.Files, nil, e.Tests, manifestlint.Options{
		Target: target, Severity: severities,
		Enabled: func(rule string) bool { return enabled[rule] },
	}), nil
}
