package ruletest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestOthers holds each check to what it says of the other objects that it judges
// by, with each example of each rule: where it lets inputs be judged before all of
// them are known, the findings are those of judging them after.
func TestOthers(t *testing.T) {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	target, err := lifecycle.NewTarget("1.16..1.37", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	compared, different := 0, 0
	for _, page := range rules.Catalogue() {
		examples, err := Examples(page, rules.SurfaceManifest)
		if err != nil {
			t.Fatal(err)
		}
		for _, ex := range examples {
			in := slices.Collect(input(ex.File, ex.Source))
			given, err := manifestlint.Gather(context.Background(), slices.Values(in), manifestlint.GatherOptions{Kinds: checks.GatheredKinds(), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(given) == 0 {
				continue // nothing else counts
			}
			for _, rule := range rules.Catalogue() {
				set := checks.NewSet(nil)
				enabled := func(id string) bool { return id == rule.ID }
				if !manifestlint.ReadsOnce(checks.All(set), enabled) {
					continue
				}
				l := manifestlint.New(manifestlint.Options{
					Target: target, Checks: checks.All(set), Enabled: enabled, Severity: severity, Embedded: true, Workers: 1,
				})
				alone := run(t, l, in)
				early := together(t, l, in, checks.NeededKinds(enabled), set)
				set.Fill(given) // all that any check may ask for
				late := run(t, l, in)
				if diff := cmp.Diff(late, early, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s.md:%d: %s: judged after -, before + all inputs were read:\n%s", ex.Rule, ex.Line, rule.ID, diff)
				}
				compared++
				if !cmp.Equal(alone, late, cmpopts.EquateEmpty()) {
					different++
				}
			}
		}
	}
	if compared == 0 || different == 0 {
		t.Errorf("%d runs were compared, and of %d the findings depend on other objects: this test shows nothing", compared, different)
	}
}

func run(t *testing.T, l *manifestlint.Linter, in []manifestlint.Input) []rules.Finding {
	t.Helper()
	var found []rules.Finding
	_, err := l.Run(context.Background(), slices.Values(in), func(f rules.Finding) error {
		found = append(found, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func together(t *testing.T, l *manifestlint.Linter, in []manifestlint.Input, kinds []string, set *checks.Set) []rules.Finding {
	t.Helper()
	var found []rules.Finding
	_, err := l.RunTogether(context.Background(), slices.Values(in), manifestlint.TogetherOptions{Kinds: kinds, Fill: set.Fill}, func(f rules.Finding) error {
		found = append(found, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
