package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestMarkdownFitsAComment(t *testing.T) {
	findings := slices.Repeat(ordinaryRun().findings[:4], 1000)
	out := string(render(t, "markdown", run{findings: findings, summary: ordinaryRun().summary}, options()))
	if len(out) > 65000 {
		t.Errorf("%d bytes", len(out))
	}
	if !strings.HasPrefix(out, "## kubevet: 2,000 errors, 2,000 warnings in 1 file\n") {
		t.Errorf("heading %q", out[:60])
	}
	rows := strings.Count(out, "\n| ") - 2 // without the head of the table
	if want := fmt.Sprintf("**%s more findings are not listed here.**", "3,"+fmt.Sprint(4000 - rows)[1:]); !strings.Contains(out, want) {
		t.Errorf("%d rows and no %q", rows, want)
	}
}

func TestTableSplits(t *testing.T) {
	findings := slices.Repeat(ordinaryRun().findings[:1], 2500)
	out := string(render(t, "table", run{findings: findings}, options()))
	if n := strings.Count(out, "SEVERITY"); n != 3 {
		t.Errorf("%d tables, want 3", n)
	}
	if n := strings.Count(out, "\nerror "); n != len(findings) {
		t.Errorf("%d rows, want %d", n, len(findings))
	}
}

func TestTableFitsWidth(t *testing.T) {
	for _, width := range []int{120, 140, 200} {
		o := options()
		o.Width = width
		for line := range strings.Lines(string(render(t, "table", ordinaryRun(), o))) {
			if n := len([]rune(line)) - 1; n > width {
				t.Errorf("width %d: line of %d: %s", width, n, line)
			}
		}
	}
}
