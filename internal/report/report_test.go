package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

func TestNew(t *testing.T) {
	for _, format := range report.Formats() {
		if _, err := report.New(format, io.Discard, report.Options{}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
	_, err := report.New("yaml", io.Discard, report.Options{})
	want := `unknown format "yaml": want one of text, table, json, jsonl, sarif, github, gitlab, junit, markdown, html`
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("disk full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	findings := slices.Repeat(ordinaryRun().findings, 200)
	for _, format := range report.Formats() {
		for _, room := range []int{0, 5000} {
			rep, err := report.New(format, &failingWriter{room}, options())
			if err != nil {
				t.Fatal(err)
			}
			var first error
			for _, f := range findings {
				if err := rep.Finding(f); err != nil && first == nil {
					first = err
				}
			}
			if err := rep.Close(nil); first == nil {
				first = err
			}
			if !errors.Is(first, errFull) {
				t.Errorf("%s: got error %v, want %v", format, first, errFull)
			}
		}
	}
	if err := report.WriteSummary(&failingWriter{}, rules.NewSummary(), report.Options{}); !errors.Is(err, errFull) {
		t.Errorf("summary: got error %v, want %v", err, errFull)
	}
}

// TestStreams checks that findings are written before the run ends, except in formats
// that begin with totals.
func TestStreams(t *testing.T) {
	findings := slices.Repeat(ordinaryRun().findings, 400)
	for _, format := range report.Formats() {
		if format == "markdown" || format == "html" {
			continue
		}
		var out bytes.Buffer
		rep, err := report.New(format, &out, options())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if err := rep.Finding(f); err != nil {
				t.Fatal(err)
			}
		}
		before := out.Len()
		if err := rep.Close(nil); err != nil {
			t.Fatal(err)
		}
		if before < out.Len()/2 {
			t.Errorf("%s: %d of %d bytes written before Close", format, before, out.Len())
		}
	}
}

func renderOne(t testing.TB, format string, f rules.Finding, o report.Options) string {
	t.Helper()
	return string(render(t, format, run{findings: []rules.Finding{f}}, o))
}

func TestTextNamesObject(t *testing.T) {
	web := &rules.ObjectRef{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web"}
	for _, c := range []struct {
		message string
		object  *rules.ObjectRef
		want    string
	}{
		{"it sleeps", nil, "it sleeps"},
		{"it sleeps", web, "it sleeps (Pod shop/web)"},
		{"Pod web sleeps", web, "Pod web sleeps"},
		{"the Pod is called web.", web, "the Pod is called web."},
		{"Pod webapp sleeps", web, "Pod webapp sleeps (Pod shop/web)"},
		{"Pod web-1 and web.example sleep", web, "Pod web-1 and web.example sleep (Pod shop/web)"},
		{"PodTemplate web sleeps", web, "PodTemplate web sleeps (Pod shop/web)"},
		{"Pod sleeps", &rules.ObjectRef{Kind: "Pod"}, "Pod sleeps"},
		{"it sleeps", &rules.ObjectRef{Kind: "Pod"}, "it sleeps (Pod)"},
		{"it sleeps", &rules.ObjectRef{Name: "web"}, "it sleeps (web)"},
		{"it sleeps", &rules.ObjectRef{}, "it sleeps"},
	} {
		f := rules.Finding{Rule: "r", Severity: rules.Error, Message: c.message, File: "a.yaml", Line: 1, Column: 2, Object: c.object}
		want := "a.yaml:1:2: error: " + c.want + " [r]\n"
		if got := renderOne(t, "text", f, report.Options{}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTextShowsServerTextThatDiffers(t *testing.T) {
	f := rules.Finding{
		Rule: "r", Severity: rules.Warning, Message: "x is deprecated; use y", File: "a", Path: "apiVersion",
		Server: &rules.ServerText{Kind: "warning", Text: "x is deprecated"},
	}
	if got, want := renderOne(t, "text", f, report.Options{}), "a: warning: x is deprecated; use y [r]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Server.Text = "X is deprecated"
	if got, want := renderOne(t, "text", f, report.Options{}), "    API server warns: X is deprecated\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want the end %q", got, want)
	}
	f.Server.Kind = "error"
	if got, want := renderOne(t, "text", f, report.Options{}), "    API server answers: apiVersion: X is deprecated\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want the end %q", got, want)
	}
}

func TestHiddenFindings(t *testing.T) {
	f := rules.Finding{Rule: "r", Severity: rules.Error, Message: "x is wrong", File: "a", Hidden: true}
	const note = "    note: the API server stops at the first value of a wrong type; it reports what this hides after the value is fixed\n"
	line := "a: error: x is wrong (hidden by an earlier error) [r]\n"
	if got, want := string(render(t, "text", run{findings: []rules.Finding{f, f}}, report.Options{})), line+note+line; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, format := range []string{"github", "junit", "markdown", "sarif"} {
		if got := renderOne(t, format, f, report.Options{}); !strings.Contains(got, "(hidden by an earlier error)") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

func TestServerAddsTexts(t *testing.T) {
	f := rules.Finding{
		Rule: "r", Severity: rules.Error, Message: "Required value", File: "a", Path: "spec.x",
		Server: &rules.ServerText{Kind: "error", Text: "Required value", Also: []string{"<nil>: Invalid value"}},
	}
	for _, format := range []string{"text", "github", "junit", "markdown", "sarif", "json"} {
		if got := renderOne(t, format, f, report.Options{}); !strings.Contains(got, "Invalid value") {
			t.Errorf("%s: %s", format, got)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name, line       string
		column, end, add int // add is the number of lines from the first to the last line
		width            int
		want             string
	}{
		{"word", "a: bc", 4, 6, 0, 0, "  7 | a: bc\n    |    ^^\n"},
		{"empty range", "a: bc", 4, 4, 0, 0, "  7 | a: bc\n    |    ^\n"},
		{"to the end of the line", "a: bc", 4, 1, 2, 0, "  7 | a: bc\n    |    ^^\n"},
		{"beyond the line", "a: bc", 40, 50, 0, 0, "  7 | a: bc\n    |      ^\n"},
		{"reversed", "a: bc", 4, 2, 0, 0, "  7 | a: bc\n    |    ^\n"},
		{"no column", "a: bc", 0, 0, 0, 0, "  7 | a: bc\n"},
		{"wide characters", "日本: 語x", 5, 6, 0, 0, "  7 | 日本: 語x\n    |       ^^\n"},
		{"combining", "e\u0301: x", 5, 6, 0, 0, "  7 | e\u0301: x\n    |    ^\n"},
		{"tab", "\ta: b", 5, 6, 0, 0, "  7 |     a: b\n    |        ^\n"},
		{"escape", "\x1bx: b", 5, 6, 0, 0, "  7 | \\x1bx: b\n    |        ^\n"},
		{"invalid byte", "\xffx: b", 5, 6, 0, 0, "  7 | \\xffx: b\n    |        ^\n"},
		{"carriage return", "a: b\r", 4, 5, 0, 0, "  7 | a: b\n    |    ^\n"},
		{"blank", "   ", 1, 2, 0, 0, ""},
		{"clipped right", "a: " + long, 1, 2, 0, 56, "  7 | a: " + long[:41] + "...\n    | ^\n"},
		{"clipped left", long + "ab", 301, 303, 0, 56, "  7 | ..." + long[:14] + "ab\n    |    " + strings.Repeat(" ", 14) + "^^\n"},
		{"minified", strings.Repeat("x", 1<<20), 5, 6, 0, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := rules.Finding{
				Rule: "r", Message: "m", File: "a", Line: 7, Column: c.column,
				EndLine: 7 + c.add, EndColumn: c.end,
			}
			got := renderOne(t, "text", f, report.Options{
				Width:  c.width,
				Source: func(string, int) (string, bool) { return c.line, true },
			})
			_, got, _ = strings.Cut(got, "\n")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGitHubRegions(t *testing.T) {
	for _, c := range []struct {
		line, column, endLine, endColumn int
		want                             string
	}{
		{0, 0, 0, 0, "file=a,title="},
		{3, 0, 0, 0, "file=a,line=3,endLine=3,title="},
		{3, 5, 3, 9, "file=a,line=3,endLine=3,col=5,endColumn=9,title="},
		{3, 5, 3, 5, "file=a,line=3,endLine=3,col=5,title="},
		{3, 5, 6, 9, "file=a,line=3,endLine=6,title="},
		{3, 5, 4, 1, "file=a,line=3,endLine=3,col=5,title="},
		{3, 5, 5, 1, "file=a,line=3,endLine=4,title="},
	} {
		f := rules.Finding{Rule: "r", Message: "m", File: "./a", Line: c.line, Column: c.column, EndLine: c.endLine, EndColumn: c.endColumn}
		if got, want := renderOne(t, "github", f, report.Options{}), "::notice "+c.want+"kubevet r::m\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestManyRelated checks findings with hundreds of related places. By default, formats
// for people show a few places and the number of the others. Formats for programs have a
// hundred places.
func TestManyRelated(t *testing.T) {
	f := rules.Finding{Rule: "fieldmanager", Severity: rules.Info, Message: "160 writes", File: "main.go", Line: 1, Column: 1}
	for i := range 160 {
		f.Related = append(f.Related, rules.Related{File: "a.go", Line: i + 1, Column: 1, EndLine: i + 1, EndColumn: 2, Message: "xwritex"})
	}
	for _, c := range []struct {
		format  string
		verbose bool
		want    int
		remark  string
	}{
		{"text", false, 5, "and 155 more"},
		{"text", true, 160, ""},
		{"github", false, 5, "and 155 more"},
		{"markdown", false, 5, "and 155 more"},
		{"junit", false, 5, "and 155 more"},
		{"junit", true, 160, ""},
		{"json", false, 100, ""},
		{"jsonl", false, 100, ""},
		{"sarif", false, 100, ""},
	} {
		var b bytes.Buffer
		r, err := report.New(c.format, &b, report.Options{Verbose: c.verbose})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Finding(f); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(rules.NewSummary()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "xwritex"); got != c.want || !strings.Contains(b.String(), c.remark) {
			t.Errorf("%s, verbose %t: %d places, want %d and %q", c.format, c.verbose, got, c.want, c.remark)
		}
	}
	if len(f.Related) != 160 {
		t.Error("the finding itself was cut")
	}
}

// TestDeterministic writes each report twice and compares the bytes, because reports use
// maps.
func TestDeterministic(t *testing.T) {
	for name, r := range runs() {
		for _, format := range report.Formats() {
			if a, b := render(t, format, r, options()), render(t, format, r, options()); !bytes.Equal(a, b) {
				t.Errorf("%s, %s: two outputs for the same input", name, format)
			}
		}
	}
}

// TestNothingRead checks that a run without any input does not report "no findings".
func TestNothingRead(t *testing.T) {
	for _, test := range []struct {
		name             string
		change           func(*rules.Summary)
		summary, heading string
	}{
		{"nothing given", func(*rules.Summary) {}, "nothing to check\n", "## kubevet: nothing checked\n"},
		{"nothing readable", func(s *rules.Summary) { s.Fail("gone.yaml", errors.New("gone.yaml: no such file or directory")) },
			"could not read 1 input:\n", "## kubevet: nothing checked\n"},
		{"one empty file", func(s *rules.Summary) { s.Files = 1 }, "no findings\n", "## kubevet: no findings\n"},
	} {
		s := rules.NewSummary()
		test.change(s)
		var out bytes.Buffer
		if err := report.WriteSummary(&out, s, report.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), test.summary) {
			t.Errorf("%s: got %q, want %q at its start", test.name, out.String(), test.summary)
		}
		out.Reset()
		m, err := report.New("markdown", &out, report.Options{})
		if err == nil {
			err = m.Close(s)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), test.heading) {
			t.Errorf("%s: got %q, want %q at its start", test.name, out.String(), test.heading)
		}
	}
}

// TestLongNotes checks that the format text prints a long note completely only once, and
// that other formats print it for each finding.
func TestLongNotes(t *testing.T) {
	long := "Ünlike the others, this note is so long that a reader does not want to read it again below each finding that has it."
	findings := []rules.Finding{{
		Rule: "syntax", Message: "one", File: "a.yaml", Line: 1, Notes: []string{long, "short"},
	}, {
		Rule: "syntax", Message: "two", File: "b.yaml", Line: 1, Notes: []string{"short", long},
	}}
	for _, test := range []struct {
		format  string
		verbose bool
		full    int
	}{{"text", false, 1}, {"text", true, 2}, {"json", false, 2}, {"jsonl", false, 2}} {
		got := string(render(t, test.format, run{findings, nil}, report.Options{Verbose: test.verbose}))
		if n := strings.Count(got, long); n != test.full {
			t.Errorf("%s, verbose %t: the note is there %d times, want %d:\n%s", test.format, test.verbose, n, test.full, got)
		}
		if n := strings.Count(got, "short"); n != 2 {
			t.Errorf("%s: the short note is there %d times, want 2:\n%s", test.format, n, got)
		}
		const again = "    note: Ünlike the others, this note is so long that a reader does … (in full above)\n"
		if strings.Contains(got, again) != (test.format == "text" && !test.verbose) {
			t.Errorf("%s: the note's beginning:\n%s", test.format, got)
		}
	}
	// The memory for notes is limited.
	var many []rules.Finding
	for i := range 3000 {
		many = append(many, rules.Finding{Rule: "syntax", File: "a.yaml", Notes: []string{fmt.Sprintf("%s %d", long, i%1500)}})
	}
	if n := strings.Count(string(render(t, "text", run{many, nil}, report.Options{})), "in full above"); n != 1000 {
		t.Errorf("%d notes were remembered, want 1000", n)
	}
}
