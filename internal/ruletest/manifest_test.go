package ruletest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestManifestExamples(t *testing.T) {
	Run(t, rules.SurfaceManifest, func(ex Example) ([]rules.Finding, error) {
		return lintManifest(ex, false)
	})
}

// Skipping is a matter of speed: what a parse of everything finds in the
// examples is what is found without.
func TestManifestExamplesParsed(t *testing.T) {
	for _, r := range rules.Catalogue() {
		examples, err := Examples(r, rules.SurfaceManifest)
		if err != nil {
			t.Fatal(err)
		}
		for _, ex := range examples {
			skipping, err := lintManifest(ex, false)
			if err != nil {
				continue // TestManifestExamples fails on it
			}
			parsed, err := lintManifest(ex, true)
			if err != nil {
				t.Errorf("%s.md:%d: %v", ex.Rule, ex.Line, err)
			}
			if diff := cmp.Diff(skipping, parsed); diff != "" {
				t.Errorf("%s.md:%d: findings with skipping (-) and without (+):\n%s", ex.Rule, ex.Line, diff)
			}
		}
	}
}

func TestManifestImplemented(t *testing.T) {
	ids := manifestlint.OwnRules()
	for _, c := range checks.All(nil) {
		ids = append(ids, c.Rules()...)
	}
	slices.Sort(ids)
	Implemented(t, rules.SurfaceManifest, slices.Compact(ids))
}

// lintManifest lints an example with all checks and the catalogue's
// severities, as the command does without configuration. What the example holds
// of custom resource definitions, namespaces and webhooks is what the others of
// its objects are judged by.
func lintManifest(ex Example, parseAll bool) ([]rules.Finding, error) {
	versions := ex.Target
	if versions == "" {
		versions = lifecycle.Newest.String()
	}
	target, err := lifecycle.NewTarget(versions, flag(ex.Gates), flag(ex.RuntimeConfig))
	if err != nil {
		return nil, fmt.Errorf("reading the target: %w", err)
	}
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	ctx := context.Background()
	var old func(string, *manifestlint.Object) *wire.Value
	if ex.Old != nil {
		stored, err := manifestlint.Store(ctx, input(ex.File, ex.Old), manifestlint.StoreOptions{Workers: 1})
		if err != nil || stored.Len() == 0 {
			return nil, fmt.Errorf("there is no object in the block with option old (%v)", err)
		}
		old = stored.Of
	}
	given, err := manifestlint.Gather(ctx, input(ex.File, ex.Source), manifestlint.GatherOptions{Kinds: checks.GatheredKinds(), Old: old, Workers: 1})
	if err != nil {
		return nil, err
	}
	validation := map[string]apiserver.FieldValidation{"strict": apiserver.Strict, "ignore": apiserver.Ignore}[ex.Validate]
	findings, summary := manifestlint.New(manifestlint.Options{
		Target:        target,
		Checks:        checks.All(checks.NewSet(given)),
		Old:           old,
		Validation:    validation,
		Severity:      severity,
		Embedded:      ex.Embedded,
		RequireReason: ex.RequireReason,
		ParseAll:      parseAll,
		Workers:       1,
		Fixes:         true, FixEdits: true,
	}).Bytes(ex.File, ex.Source)
	if summary.Incomplete() {
		return nil, fmt.Errorf("not all of it was judged: %+v", summary.NotJudged)
	}
	return findings, nil
}

// input is one input with a text.
func input(name string, text []byte) iter.Seq[manifestlint.Input] {
	return slices.Values([]manifestlint.Input{{
		Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}})
}

// flag gives the values of a flag that is written at most once.
func flag(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
