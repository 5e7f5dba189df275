package ruletest

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestContext runs each rule on each example twice: with the context objects that its
// check declares, and with all context objects. Both runs must have the same findings.
func TestContext(t *testing.T) {
	severity := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		severity[r.ID] = r.Severity
	}
	target, err := lifecycle.NewTarget("1.16..1.37", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	compared, different := 0, 0
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range all {
		examples, err := examples(page, rules.SurfaceManifest)
		if err != nil {
			t.Fatal(err)
		}
		for _, ex := range examples {
			in := slices.Collect(input(ex.File, ex.Source))
			collect := func(kinds []string) []objectcontext.Object {
				found, err := objectcontext.Collect(context.Background(), slices.Values(in), objectcontext.Options{Kinds: kinds, Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				return found
			}
			all := collect(checks.ContextKinds())
			if len(all) == 0 {
				continue
			}
			for _, rule := range rules.Catalogue() {
				enabled := func(id string) bool { return id == rule.ID }
				findings := func(known []objectcontext.Object) []rules.Finding {
					return run(t, manifestlint.New(manifestlint.Options{
						Target: target, Checks: checks.All(checks.NewSet(known)), Enabled: enabled, Severity: severity, Embedded: true, Workers: 1,
					}), in)
				}
				var declared []objectcontext.Object
				if kinds := checks.NeededKinds(enabled); len(kinds) > 0 {
					declared = collect(kinds)
				}
				want := findings(all)
				if diff := cmp.Diff(want, findings(declared), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s:%d: %s: with all context objects -, with the declared ones +\n%s", ex.Page, ex.Line, rule.ID, diff)
				}
				compared++
				if !cmp.Equal(findings(nil), want, cmpopts.EquateEmpty()) {
					different++
				}
			}
		}
	}
	if compared == 0 || different == 0 {
		t.Errorf("%d runs compared, %d depend on context objects: the test shows nothing", compared, different)
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
