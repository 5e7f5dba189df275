package ruletest

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules"
)

// TestManifestFixes applies each fix of a finding in an example alone. Afterwards, the
// finding must be gone, and the text must still parse. It also compares the fixes with
// the front matter of the page.
func TestManifestFixes(t *testing.T) {
	byID := map[string]rules.Rule{}
	for _, r := range rules.Catalogue() {
		byID[r.ID] = r
	}
	seen := map[string]bool{}
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		examples, err := examples(r, rules.SurfaceManifest)
		if err != nil {
			t.Fatal(err)
		}
		for _, ex := range examples {
			findings, err := lintManifest(ex)
			if err != nil {
				continue // TestManifestExamples reports this error
			}
			for _, f := range findings {
				if f.Fix == nil {
					continue
				}
				seen[f.Rule] = true
				switch said := byID[f.Rule].Fix; {
				case said == "":
					t.Errorf("%s:%d: a finding of %s carries a fix, and its page has no fix", ex.Page, ex.Line, f.Rule)
				case !f.Fix.Safe && said == rules.FixSafe && !byID[f.Rule].On(rules.SurfaceGo): // for a rule about manifests and Go code, the front matter is about Go
					t.Errorf("%s:%d: a finding of %s carries a fix that needs a look, and its page says safe", ex.Page, ex.Line, f.Rule)
				}
				fixed := ex
				fixed.Source = applyFix(t, ex.Source, f.Fix)
				left, err := lintManifest(fixed)
				if err != nil {
					t.Errorf("%s:%d: after a fix of %s: %v", ex.Page, ex.Line, f.Rule, err)
				}
				for _, l := range left {
					if l.Rule == f.Rule && l.Message == f.Message && l.Path == f.Path && l.Document == f.Document && (l.Object == nil || *l.Object == *f.Object) {
						t.Errorf("%s:%d: %q is still found after its fix:\n%s", ex.Page, ex.Line, f.Message, fixed.Source)
					}
					if l.Rule == "syntax" && f.Rule != "syntax" {
						t.Errorf("%s:%d: the fix of %s breaks the text: %s", ex.Page, ex.Line, f.Rule, l.Message)
					}
				}
			}
		}
	}
	for _, r := range rules.Catalogue() {
		if r.Fix != "" && r.On(rules.SurfaceManifest) && !seen[r.ID] {
			t.Errorf("%s.md: the page says that findings can be fixed, and no example shows it", r.ID)
		}
	}
}

func applyFix(t *testing.T, text []byte, fix *rules.CodeFix) []byte {
	t.Helper()
	offset := func(line, column int) int {
		at := 0
		for ; line > 1; line-- {
			n := bytes.IndexByte(text[at:], '\n')
			if n < 0 {
				t.Fatalf("an edit lies outside of the text: %+v", fix.Edits)
			}
			at += n + 1
		}
		for ; column > 1; column-- {
			_, size := utf8.DecodeRune(text[at:])
			at += size
		}
		return at
	}
	var out []byte
	at := 0
	for _, e := range fix.Edits {
		start, end := offset(e.Line, e.Column), offset(e.EndLine, e.EndColumn)
		if start < at || end < start {
			t.Fatalf("edits overlap: %+v", fix.Edits)
		}
		out = append(append(out, text[at:start]...), e.New...)
		at = end
	}
	return append(out, text[at:]...)
}
