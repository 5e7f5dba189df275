package manifestlint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules"
)

func TestReadSuppressions(t *testing.T) {
	s := ReadSuppressions([]byte(`apiVersion: v1
kind: Pod
spec: # kubevet:ignore prestopsleep
  a: b
---
# kubevet:ignore removedapi,apiwarning
{{ if .Values.x }}
apiVersion: v1
---
x: y # kubevet:ignore nosuchrule
`))
	for _, tt := range []struct {
		rule string
		line int
		want bool
	}{
		{"prestopsleep", 4, true},
		{"prestopsleep", 2, false},
		{"removedapi", 8, true},
		{"removedapi", 4, false},
	} {
		if got := s.Suppress(&rules.Finding{Rule: tt.rule, Line: tt.line}); got != tt.want {
			t.Errorf("%s on line %d: %t", tt.rule, tt.line, got)
		}
	}
	unused := func(active func(string) bool) (all []string) {
		for _, f := range s.Unused(active) {
			all = append(all, fmt.Sprintf("%d:%d document %d: %s", f.Line, f.Column, f.Document, f.Message))
		}
		return all
	}
	every := func(string) bool { return true }
	if diff := cmp.Diff([]string{"6:1 document 1: kubevet:ignore apiwarning suppresses nothing"}, unused(every)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if all := unused(func(rule string) bool { return rule == ruleSuppression }); all != nil {
		t.Errorf("of rules that do not run: %v", all)
	}
	s.Use(6, "apiwarning")
	if all := unused(every); all != nil {
		t.Errorf("used: %v", all)
	}
	var none *Suppressions
	if none.Suppress(&rules.Finding{}) || none.Unused(every) != nil || none.Document(3) != 0 {
		t.Error("nil has some")
	}
}

func TestSuppressions(t *testing.T) {
	const head = "apiVersion: v1\nkind: Pod\n"
	for _, c := range []struct {
		name, text string
		want       []string
		suppressed int
	}{
		{"trailing", "apiVersion: v1\nkind: Pod # kubevet:ignore removedapi -- why\n", nil, 1},
		{"own line", "apiVersion: v1\n# kubevet:ignore removedapi\n# more\n\nkind: Pod\n", nil, 1},
		{"whole document", "# kubevet:ignore removedapi,prestopsleep -- why\n" + head + "spec:\n  mark: 1\n", nil, 2},
		{"marker first", "---\n# kubevet:ignore removedapi -- why\n" + head, nil, 1},
		{"subtree", head + "# kubevet:ignore prestopsleep\nspec:\n  a: b\n  mark: 1\n", []string{"2:7-2:10 doc 0 removedapi: v1 Pod"}, 1},
		{"other document", "# kubevet:ignore removedapi\n" + head + "---\n" + head, []string{"6:7-6:10 doc 1 removedapi: v1 Pod"}, 1},
		{"whole file", "# kubevet:ignore-file removedapi -- why\n" + head + "---\n" + head, nil, 2},
		{"unused", head + "spec: # kubevet:ignore prestopsleep -- why\n  a: b\n",
			[]string{"2:7-2:10 doc 0 removedapi: v1 Pod", "3:7-3:43 doc 0 unusedsuppression: kubevet:ignore prestopsleep suppresses nothing"}, 0},
		{"unknown rule", "apiVersion: v1\nkind: Pod # kubevet:ignore removed\n",
			[]string{"2:7-2:10 doc 0 removedapi: v1 Pod", `2:11-2:35 doc 0 unusedsuppression: kubevet:ignore names "removed", which is no rule`}, 0},
		{"no rule", "apiVersion: v1\nkind: Pod # kubevet:ignore\n",
			[]string{"2:7-2:10 doc 0 removedapi: v1 Pod", "2:11-2:27 doc 0 unusedsuppression: kubevet:ignore names no rule"}, 0},
		{"rule that is off", "apiVersion: v1\nkind: Pod # kubevet:ignore removedapi,execsleep\n", nil, 1},
		{"text, not comment", head + "spec:\n  a: |\n    # kubevet:ignore removedapi\n  b: \"# kubevet:ignore removedapi\"\n",
			[]string{"2:7-2:10 doc 0 removedapi: v1 Pod"}, 0},
		{"in text and in the comment behind it", "apiVersion: v1\nkind: \"# kubevet:ignore x\" # kubevet:ignore removedapi\n", nil, 1},
		{"broken document", "# kubevet:ignore syntax -- a fixture\nkind: b: c\n", nil, 1},
		{"list item", "apiVersion: v1\nkind: List\nitems:\n# kubevet:ignore removedapi\n- apiVersion: v1\n  kind: Pod\n- apiVersion: v1\n  kind: Pod\n",
			[]string{"8:9-8:12 doc 0 removedapi: v1 Pod"}, 1},
		{"late file directive", head + "---\n# kubevet:ignore-file removedapi\n" + head,
			[]string{"2:7-2:10 doc 0 removedapi: v1 Pod", "6:7-6:10 doc 1 removedapi: v1 Pod",
				"4:1-4:33 doc 1 unusedsuppression: kubevet:ignore-file counts only before the first line of the file that is no comment"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings, sum := New(options()).Bytes("a.yaml", []byte(c.text))
			if diff := cmp.Diff(c.want, show(findings)); diff != "" {
				t.Errorf("findings (-want +got)\n%s", diff)
			}
			if sum.Suppressed != c.suppressed {
				t.Errorf("suppressed %d, want %d", sum.Suppressed, c.suppressed)
			}
		})
	}
	o := options()
	o.RequireReason = true
	findings, _ := New(o).Bytes("a.yaml", []byte("apiVersion: v1\nkind: Pod # kubevet:ignore removedapi\n"))
	if diff := cmp.Diff([]string{"2:11-2:38 doc 0 unusedsuppression: kubevet:ignore removedapi gives no reason: write it after --"}, show(findings)); diff != "" {
		t.Error(diff)
	}
}

// TestHostileSuppressions lints a document with as many suppressions and
// repeated keys as its size allows. The time must not grow with the square of
// their number.
func TestHostileSuppressions(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\nspec:\n")
	for i := range 50_000 {
		fmt.Fprintf(&b, "  # kubevet:ignore prestopsleep\n  a%d: {b: 1, b: 2}\n", i)
	}
	findings, _ := New(options()).Bytes("a.yaml", []byte(b.String()))
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	// Each rule has at most this number of findings. One more finding reports
	// that there are too many suppressions.
	want := map[string]int{"removedapi": 1, "duplicatekey": 10_000, "unusedsuppression": maxDirectives + 1}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Error(diff)
	}
	if last := findings[len(findings)-1].Message; !strings.Contains(last, "at most 1000") {
		t.Errorf("last finding: %s", last)
	}
}
