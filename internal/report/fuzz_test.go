package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules"
)

var githubLine = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,\r\n]*,(line=\d+,endLine=\d+,(col=\d+,(endColumn=\d+,)?)?)?)?title=[^:,\r\n]*::[^\r\n]*\n$`)

// runWithText returns a run in which every string is text, and options for its report.
func runWithText(text string) (run, report.Options) {
	var r run
	r.findings = make([]rules.Finding, 2)
	for i := range r.findings {
		quotetest.Fill(&r.findings[i], text)
		r.findings[i].Severity = rules.Severity(2 + i)
	}
	// The first finding has related places. The second one has repeated places.
	for i := range r.findings[0].Related {
		r.findings[0].Related[i].Repeat = false
	}
	r.summary = &rules.Summary{}
	quotetest.Fill(r.summary, text)
	return r, report.Options{
		Rules: []report.Rule{{ID: text, Title: text, Description: text, URL: text}}, ToolVersion: text, Target: text + "x", Verbose: true,
		Source: func(string, int) (string, bool) { return text, true },
	}
}

// FuzzHostile puts a hostile text into every field of a run and checks all formats.
func FuzzHostile(f *testing.F) {
	for _, s := range quotetest.Strings() {
		f.Add(s)
	}
	formats := []string{"text", "table", "markdown", "junit", "json", "jsonl", "sarif", "gitlab", "html"}
	plain := map[string][]byte{}
	for _, format := range append([]string{"github"}, formats...) {
		r, o := runWithText("name")
		plain[format] = render(f, format, r, o)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return // package rules ensures that findings have a file and a message
		}
		r, o := runWithText(text)
		out := map[string][]byte{}
		for _, format := range formats {
			o.Rules[0].URL = text
			if format == "html" { // the page does not escape addresses of rules, because they do not come from the input
				o.Rules[0].URL = "https://example.com/rule.md"
			}
			out[format] = render(t, format, r, o)
			quotetest.Check(t, format, out[format], false)
			if got, want := quotetest.Records(out[format]), quotetest.Records(plain[format]); got > want && (format != "html" || !strings.ContainsAny(text, "\r\n")) {
				t.Errorf("%s: %d records, want %d: %q", format, got, want, out[format])
			}
		}
		o.Width = 60
		if len(text) < 1000 { // wrapping a long text takes long
			quotetest.Check(t, "narrow table", render(t, "table", r, o), false)
		}
		for _, code := range []*rules.CodeSummary{nil, {Unknown: map[string]int{text: 1}, Unresolved: 1, UnresolvedCalls: []rules.UnresolvedCall{{Name: text, File: text}}, SkippedFunctions: []rules.SkippedFunction{{Name: text, File: text}}, SkippedFunctionCount: 1}} {
			r.summary.Code = code
			var out bytes.Buffer
			if err := report.WriteSummary(&out, r.summary, o); err != nil {
				t.Fatal(err)
			}
			quotetest.Check(t, "summary", out.Bytes(), false)
		}
		quotetest.Check(t, "unchecked", []byte(report.UncheckedLine(r.summary)), false)

		checkGitHub(t, render(t, "github", r, o), bytes.Count(plain["github"], []byte("\n")))
		checkTable(t, out["markdown"])
		checkXML(t, out["junit"], plain["junit"])
		checkPage(t, text, out["html"], plain["html"])
		checkKubectl(t, text)
		checkJSON(t, r, out)
	})
}

func checkGitHub(t *testing.T, out []byte, want int) {
	quotetest.Check(t, "github", out, true)
	n := 0
	for l := range bytes.Lines(out) {
		n++
		if !githubLine.Match(l) {
			t.Errorf("github: malformed command %q", l)
		}
	}
	if n != want {
		t.Errorf("github: %d lines, want %d: %q", n, want, out)
	}
}

func checkTable(t *testing.T, out []byte) {
	for l := range strings.Lines(string(out)) {
		if n := strings.Count(l, "|"); n != 0 && n != 6 {
			t.Errorf("markdown: row with %d pipes: %q", n, l)
		}
	}
}

// checkPage fails the test if the elements of the page out differ from the elements of
// harmless, the page about the same run without hostile texts. A text of several lines
// makes the diff of a fix longer. The page must then have the same kinds of elements.
func checkPage(t *testing.T, text string, out, harmless []byte) {
	webpagetest.Check(t, out, "")
	got, want := webpagetest.Elements(out), webpagetest.Elements(harmless)
	if !strings.ContainsAny(text, "\r\n") {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("html: elements differ (-want +got):\n%s", diff)
		}
		return
	}
	for _, tag := range got {
		if !slices.Contains(want, tag) {
			t.Errorf("html: hostile text made <%s>", tag)
		}
	}
}

// checkXML fails the test if out is not valid XML, or if its elements differ from the
// elements of harmless.
func checkXML(t *testing.T, out, harmless []byte) {
	elements := func(doc []byte) (names []string) {
		for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
			token, err := d.Token()
			if err == io.EOF {
				return names
			}
			if err != nil {
				t.Fatalf("junit: %v", err)
			}
			if start, ok := token.(xml.StartElement); ok {
				names = append(names, start.Name.Local)
			}
		}
	}
	if diff := cmp.Diff(elements(harmless), elements(out)); diff != "" {
		t.Errorf("junit: elements differ (-want +got):\n%s", diff)
	}
}

func checkKubectl(t *testing.T, text string) {
	var out, errs bytes.Buffer
	k := report.NewKubectl(&out, report.Options{Errors: &errs})
	for _, err := range []error{k.Warning(text), k.Applied(text)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if out := append(out.Bytes(), errs.Bytes()...); bytes.Count(out, []byte("\n")) != 2 {
		t.Errorf("kubectl: not a line for each: %q", out)
	}
	k.Unread(text, 0)
	k.Unread(text, 1)
	k.Refused(text, text)
	k.Refused(text+"x", text)
	if err := k.Close(nil); err != nil {
		t.Fatal(err)
	}
	quotetest.Check(t, "kubectl", append(out.Bytes(), errs.Bytes()...), false)
}

// checkJSON fails the test if a JSON format changes a text of the findings. Texts that
// are not valid UTF-8 are not compared.
func checkJSON(t *testing.T, r run, out map[string][]byte) {
	var back struct{ Findings []rules.Finding }
	if err := json.Unmarshal(out["json"], &back); err != nil {
		t.Fatalf("json: %v", err)
	}
	want := make([]rules.Finding, len(r.findings))
	for i := range want {
		text := r.findings[i].Message
		if !utf8.ValidString(text) {
			text = quote.Name(text)
		}
		quotetest.Fill(&want[i], text)
		want[i].Severity, want[i].Related = r.findings[i].Severity, nil
		back.Findings[i].Related = nil
	}
	if !reflect.DeepEqual(back.Findings, want) {
		t.Errorf("json: changed (-want +got):\n%s", cmp.Diff(want, back.Findings))
	}
	n := 0
	for l := range bytes.Lines(out["jsonl"]) {
		n++
		if !json.Valid(l) {
			t.Errorf("jsonl: %q", l)
		}
	}
	if n != len(r.findings)+1 {
		t.Errorf("jsonl: %d lines", n)
	}
	readLog(t, out["sarif"])
}
