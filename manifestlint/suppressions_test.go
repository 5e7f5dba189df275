package manifestlint

import (
	"fmt"
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
