package ruletest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// Run lints every example of a surface (kind of input), and compares the findings with
// the page. Each example is a subtest, named after the page and the line.
//
// lint returns all findings of the enabled rules, in any order. If it returns an error,
// the subtest fails.
func Run(t *testing.T, s rules.Surface, lint func(Example) ([]rules.Finding, error)) {
	t.Helper()
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if !r.On(s) {
			continue
		}
		examples, err := examples(r, s)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, ex := range examples {
			t.Run(fmt.Sprintf("%s:%d", strings.TrimSuffix(path.Base(ex.Page), ".md"), ex.Line), func(t *testing.T) {
				findings, err := lint(ex)
				if err != nil {
					t.Fatalf("%s:%d: %v", ex.Page, ex.Line, err)
				}
				for _, p := range compare(ex, findings) {
					t.Error(p)
				}
			})
		}
	}
}

// compare returns one line for each difference between the findings and the page. The
// line begins with the place in the page to change if the linter is right.
func compare(ex Example, findings []rules.Finding) []string {
	var out []string
	at := func(line int, format string, args ...any) {
		out = append(out, fmt.Sprintf("%s:%d: ", ex.Page, line)+fmt.Sprintf(format, args...))
	}
	source := func(f rules.Finding) int { return ex.Line + f.Line } // the line in the page
	open := slices.Clone(ex.Wants)
	met := map[string]bool{}
	for _, f := range findings {
		met[f.Rule] = true
		if f.Rule != ex.Rule {
			// Examples are short, so required fields may be missing. Only the page of
			// invalidfield is about required fields.
			if !slices.Contains(ex.Also, f.Rule) && f.Rule != "invalidfield" {
				at(source(f), "another rule reports: %s [%s] (say also=%[2]s if that is meant)", findingText(f), f.Rule)
			}
			continue
		}
		i := slices.IndexFunc(open, func(w Want) bool { return w.matches(f) })
		if i < 0 {
			at(source(f), "not wanted at %d:%d: %s", f.Line, f.Column, findingText(f))
			continue
		}
		open = slices.Delete(open, i, i+1)
	}
	for _, w := range open {
		at(w.PageLine, "not reported on line %d: %s", w.Line, w)
	}
	for _, id := range ex.Also {
		if !met[id] {
			at(ex.Line, "also=%s, but that rule reports nothing", id)
		}
	}
	return out
}

// Implemented fails the test unless each rule of a surface (kind of input) has exactly
// one implementation, and each implementation has a rule. ids has the IDs of the
// implementations.
func Implemented(t *testing.T, s rules.Surface, ids []string) {
	t.Helper()
	for _, p := range mismatch(s, rules.Catalogue(), ids) {
		t.Error(p)
	}
}

func mismatch(s rules.Surface, catalogue []rules.Rule, ids []string) []string {
	var out []string
	count := map[string]int{}
	for _, id := range ids {
		count[id]++
	}
	for _, r := range catalogue {
		n := count[r.ID]
		delete(count, r.ID)
		switch {
		case r.On(s) && n == 0:
			out = append(out, fmt.Sprintf("%s.md names surface %s, but nothing there implements the rule", r.ID, s))
		case !r.On(s) && n > 0:
			out = append(out, fmt.Sprintf("rule %s is implemented for surface %s, but its page does not name that", r.ID, s))
		case n > 1:
			out = append(out, fmt.Sprintf("rule %s is implemented %d times for surface %s", r.ID, n, s))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%q is implemented for surface %s and has no page", id, s))
	}
	return out
}
