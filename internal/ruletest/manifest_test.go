package ruletest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/projects"
)

func TestManifestExamples(t *testing.T) {
	Run(t, rules.SurfaceManifest, lintManifest)
}

func TestManifestImplemented(t *testing.T) {
	ids := manifestlint.OwnRules()
	for _, c := range checks.All(nil) {
		ids = append(ids, c.Rules()...)
	}
	slices.Sort(ids)
	Implemented(t, rules.SurfaceManifest, slices.Compact(ids))
}

func projectReleases(option string) (map[string]projects.Release, error) {
	releases := map[string]projects.Release{}
	if option == "" {
		return releases, nil
	}
	for part := range strings.SplitSeq(option, ",") {
		name, version, _ := strings.Cut(part, "=")
		if _, ok := projects.Lookup(name); !ok {
			return nil, fmt.Errorf("target-versions: no project is called %q", name)
		}
		release, err := projects.ParseRelease(version)
		if err != nil {
			return nil, err
		}
		releases[name] = release
	}
	return releases, nil
}

// lintManifest lints an example as the command does without a configuration, with all
// checks and the severities of the catalogue. Custom resource definitions, namespaces and
// webhooks in the example apply to its other objects.
func lintManifest(ex Example) ([]rules.Finding, error) {
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
		stored, err := objectcontext.Store(ctx, input(ex.File, ex.Old), objectcontext.StoreOptions{Workers: 1})
		if err != nil || stored.Len() == 0 {
			return nil, fmt.Errorf("there is no object in the block with option old (%v)", err)
		}
		old = stored.Of
	}
	given, err := objectcontext.Collect(ctx, input(ex.File, ex.Source), objectcontext.Options{Kinds: checks.ContextKinds(), Further: checks.FurtherKinds, Old: old, Workers: 1})
	if err != nil {
		return nil, err
	}
	releases, err := projectReleases(ex.TargetVersions)
	if err != nil {
		return nil, err
	}
	validation := map[string]apiserver.FieldValidation{"strict": apiserver.Strict, "ignore": apiserver.Ignore}[ex.Validate]
	findings, summary := manifestlint.New(manifestlint.Options{
		Target:        target,
		Checks:        checks.All(checks.NewSet(given).WithReleases(releases, nil)),
		Old:           old,
		Validation:    validation,
		Severity:      severity,
		Embedded:      ex.Embedded,
		RequireReason: ex.RequireReason,
		Workers:       1,
		Fixes:         true, FixEdits: true,
	}).Bytes(ex.File, ex.Source)
	if summary.Incomplete() {
		return nil, fmt.Errorf("not all of it was judged: %+v", summary.NotJudged)
	}
	return findings, nil
}

func input(name string, text []byte) iter.Seq[manifestlint.Input] {
	return slices.Values([]manifestlint.Input{{
		Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	}})
}

// flag returns the values of a flag: none if value is empty.
func flag(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
