package ruletest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// headings has the headings of a page in their order. All pages have this order, so that
// readers find a section quickly. Some pages leave out sections:
//
//   - A page about Go code only: the section about the server's answer is optional, and
//     the section about the target is left out. All other pages have both.
//   - Only a rule that is off by default has the section about when to use it.
var headings = []string{
	"Why it matters", "What the server answers", "Examples", "When it is silent",
	"How to fix", "When to use it", "Target and gates", "References",
}

// wantHeadings returns the headings that the page of a rule must have. got has its
// headings.
func wantHeadings(r rules.Rule, got []string) []string {
	goOnly := slices.Equal(r.Surfaces, []rules.Surface{rules.SurfaceGo})
	return slices.DeleteFunc(slices.Clone(headings), func(h string) bool {
		switch h {
		case "What the server answers":
			return goOnly && !slices.Contains(got, h)
		case "When to use it":
			return r.Default
		case "Target and gates":
			return goOnly
		}
		return false
	})
}

func TestHeadings(t *testing.T) {
	for _, r := range rules.Catalogue() {
		var got []string
		fenced := false
		for i, l := range strings.Split(r.Page, "\n") {
			fenced = fenced != strings.HasPrefix(l, "```")
			if fenced {
				continue
			}
			if h, ok := strings.CutPrefix(l, "## "); ok && slices.Contains(headings, h) {
				got = append(got, h)
			}
			if strings.HasPrefix(l, "# ") {
				t.Errorf("%s.md:%d: the title stands in the front matter only", r.ID, r.Line+i)
			}
		}
		if want := wantHeadings(r, got); !slices.Equal(got, want) {
			t.Errorf("%s.md: headings %q, want %q", r.ID, got, want)
		}
		if strings.HasPrefix(r.Page, "#") {
			t.Errorf("%s.md:%d: a page begins with what it finds, in a sentence", r.ID, r.Line)
		}
	}
}

// TestReportedAndSilent checks that each page has an example with a finding and an
// example without one, for each surface (kind of input) of the rule.
func TestReportedAndSilent(t *testing.T) {
	for _, r := range rules.Catalogue() {
		for _, s := range r.Surfaces {
			examples, err := Examples(r, s)
			if err != nil {
				t.Error(err)
				continue
			}
			silent := func(ex Example) bool { return len(ex.Wants) == 0 }
			reported := func(ex Example) bool { return len(ex.Wants) > 0 }
			if !slices.ContainsFunc(examples, reported) {
				t.Errorf("%s.md has no example for surface %s on which the rule reports something", r.ID, s)
			}
			if !slices.ContainsFunc(examples, silent) {
				t.Errorf("%s.md has no example for surface %s on which the rule is silent", r.ID, s)
			}
		}
	}
}

var linkRE = regexp.MustCompile(`\]\(([^)\s]*)\)`)

// TestLinks checks that links to files of the repository lead to existing files.
func TestLinks(t *testing.T) {
	dir := filepath.Join("..", "..", "rules")
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages (%v)", err)
	}
	cases, err := filepath.Glob(filepath.Join("..", "..", "docs", "cases", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(append(pages, cases...), filepath.Join("..", "..", "CONTRIBUTING.md")) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range linkRE.FindAllStringSubmatch(string(data), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || target == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s: link to %s: %v", filepath.Base(page), m[1], err)
			}
		}
	}
}
