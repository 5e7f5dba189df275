package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

var (
	// What a CI system would obey at the start of a line, white space aside,
	// and anywhere.
	lineCommand   = regexp.MustCompile(`(?m)^[ \t]*::[A-Za-z]`)
	inlineCommand = regexp.MustCompile(`##[A-Za-z]*\[`)
	githubLine    = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,\r\n]*,(line=\d+,endLine=\d+,(col=\d+,(endColumn=\d+,)?)?)?)?title=[^:,\r\n]*::[^\r\n]*\n$`)
)

// checkShown fails unless every character is one that a terminal prints.
func checkShown(t *testing.T, format string, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Errorf("%s: output is not UTF-8: %q", format, out)
	}
	for _, r := range string(out) {
		if r != '\n' && (r == '\t' || !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%s: output has %U: %q", format, r, out)
			return
		}
	}
}

// FuzzHostile renders a finding whose texts are all chosen by an adversary.
func FuzzHostile(f *testing.F) {
	for i, h := range hostileStrings {
		f.Add(h, hostileStrings[(i+1)%len(hostileStrings)], h, 7, 3, uint8(i), uint8(i*16))
	}
	f.Add("a.yaml", "web", strings.Repeat("x", 5000), 1<<30, -1, uint8(3), uint8(255))
	f.Add("::", "a", "::b", 1, 1, uint8(3), uint8(10))
	findings, record := compile(f, findingsSchema, ""), compile(f, findingsSchema, "#record")
	sarif := compile(f, "testdata/sarif-schema-2.1.0.json", "")

	f.Fuzz(func(t *testing.T, file, name, message string, line, column int, severity, width uint8) {
		if file == "" || message == "" {
			return // package rules promises both
		}
		line, column = max(line, 0), max(column, 0)
		finding := rules.Finding{
			Rule: "syntax", Severity: rules.Severity(severity % 4), Message: message, File: file,
			Line: line, Column: column, EndLine: line, EndColumn: column + 1,
			Object: &rules.ObjectRef{APIVersion: name, Kind: file, Namespace: message, Name: name},
			Path:   name, Replacement: file, Server: &rules.ServerText{Kind: "warning", Text: name + message},
		}
		second := finding
		second.File, second.Message = message, file
		summary := rules.NewSummary()
		summary.Findings["syntax"] = 2
		summary.Skip(rules.NotJudged{File: file, Line: line, Reason: rules.SkipTemplated, Detail: name})
		summary.Fail(message, errorText(file+name))
		r := run{[]rules.Finding{finding, second}, summary}
		o := report.Options{
			Width: int(width), Rules: catalogue(), Verbose: severity&4 != 0,
			Source: func(string, int) (string, bool) { return message, true },
		}

		for _, format := range []string{"text", "table", "github", "markdown", "junit"} {
			checkShown(t, format, render(t, format, r, o))
		}
		var out bytes.Buffer
		if err := report.WriteSummary(&out, summary, o); err != nil {
			t.Fatal(err)
		}
		checkShown(t, "summary", out.Bytes())
		for _, format := range append(report.Formats(), "summary") {
			text := out.Bytes()
			if format != "summary" {
				text = render(t, format, r, o)
			}
			if format != "github" && lineCommand.Match(text) {
				t.Errorf("%s: output has a workflow command:\n%s", format, text)
			}
			if inlineCommand.Match(text) {
				t.Errorf("%s: output has a log command:\n%s", format, text)
			}
		}
		lines := bytes.SplitAfter(bytes.TrimSuffix(render(t, "github", r, o), []byte("\n")), []byte("\n"))
		if len(lines) != 2 {
			t.Errorf("github: %d lines for 2 findings: %q", len(lines), lines)
		}
		for _, l := range lines {
			if !githubLine.Match(append(bytes.TrimSuffix(l, []byte("\n")), '\n')) {
				t.Errorf("github: malformed command %q", l)
			}
		}
		for l := range strings.Lines(string(render(t, "markdown", r, o))) {
			if n := strings.Count(l, "|"); n != 0 && n != 6 {
				t.Errorf("markdown: row with %d pipes: %q", n, l)
			}
		}
		// Every line of text is a finding or indented.
		if n := len(regexp.MustCompile(`(?m)^\S.*\[syntax\]$`).FindAll(render(t, "text", r, o), -1)); n > 2 {
			t.Errorf("text: %d lines look like findings, want 2", n)
		}

		document := render(t, "json", r, o)
		validate(t, findings, document)
		var back struct{ Findings []rules.Finding }
		if err := json.Unmarshal(document, &back); err != nil {
			t.Fatalf("json: %v", err)
		}
		if diff := cmp.Diff(asJSON(message), back.Findings[0].Message); diff != "" {
			t.Errorf("json: message changed (-want +got):\n%s", diff)
		}
		for l := range bytes.Lines(render(t, "jsonl", r, o)) {
			validate(t, record, l)
		}
		validate(t, sarif, render(t, "sarif", r, o))
		decoder := xml.NewDecoder(bytes.NewReader(render(t, "junit", r, o)))
		for {
			_, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("junit: %v", err)
			}
		}
	})
}

// asJSON is what JSON can keep of a string: each invalid byte becomes U+FFFD.
func asJSON(s string) string { return string([]rune(s)) }
