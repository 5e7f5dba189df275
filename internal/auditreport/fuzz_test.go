package auditreport

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
)

// documentOf returns a document in which every string is text.
func documentOf(text string) *Document {
	d := &Document{}
	quotetest.Fill(d, text)
	d.Deprecated.GroupBy = []string{"user", "agent"} // these names are never from the input
	d.uses = make([]Row, 2)
	for _, rows := range [][]Row{d.Deprecated.Rows, d.uses} {
		for i := range rows {
			quotetest.Fill(&rows[i], text)
			rows[i].Group = map[string]string{"user": text, "agent": text}
			rows[i].Wildcard = false
			for range useDimensions() {
				rows[i].values = append(rows[i].values, text)
			}
		}
	}
	for i := range d.Deprecated.Rows {
		d.Deprecated.Rows[i].values = []string{text, text}
	}
	return d
}

// FuzzHostile puts a hostile text into every field of a report and checks all formats.
func FuzzHostile(f *testing.F) {
	for _, s := range quotetest.Strings() {
		f.Add(s)
	}
	look := Look{Verbose: true}
	plain := map[string][]byte{}
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := documentOf("name").Write(format, &out, look); err != nil {
			f.Fatal(err)
		}
		plain[format] = out.Bytes()
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		d := documentOf(text)
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := d.Write(format, &out, look); err != nil {
				t.Fatal(err)
			}
			safe := out.Bytes()
			if format == "html" {
				safe = bytes.ReplaceAll(safe, []byte("\t"), nil) // the script and the style of the page have tabs
			}
			quotetest.Check(t, format, safe, format == "github")
			if got, want := bytes.Count(out.Bytes(), []byte("\n")), bytes.Count(plain[format], []byte("\n")); got > want {
				t.Errorf("%s: %d lines, want %d: %.300q", format, got, want, out.Bytes())
			}
			checkSyntax(t, format, out.Bytes(), plain[format])
		}
		d.admissionOnly = true
		for _, format := range []string{"csv", "table", "markdown"} {
			var out bytes.Buffer
			if err := d.Write(format, &out, look); err != nil {
				t.Fatal(err)
			}
			quotetest.Check(t, format, out.Bytes(), false)
			if format == "csv" {
				checkSyntax(t, format, out.Bytes(), out.Bytes())
			}
		}
		d.admissionOnly = false
		var out bytes.Buffer
		if err := d.WriteSummary(&out, look); err != nil {
			t.Fatal(err)
		}
		quotetest.Check(t, "summary", out.Bytes(), false)
		checkDiff(t, text)
	})
}

func checkDiff(t *testing.T, text string) {
	d := &Diff{}
	quotetest.Fill(d, text)
	for _, format := range DiffFormats() {
		var out bytes.Buffer
		if err := d.Write(format, &out, Look{Verbose: true}); err != nil {
			t.Fatal(err)
		}
		quotetest.Check(t, "diff "+format, out.Bytes(), false)
	}
}

// promLine matches a valid line of the Prometheus text format.
var promLine = regexp.MustCompile(`^([a-z_]+(\{[a-z]+="([^"\\]|\\["\\])*"(,[a-z]+="([^"\\]|\\["\\])*")*\})? \d+|# (HELP|TYPE) [a-z_]+ .*|# Note: .*)$`)

// checkSyntax parses a report with a parser that is not part of kubevet. like is a report
// of the same format with harmless texts.
func checkSyntax(t *testing.T, format string, out, like []byte) {
	switch format {
	case "json":
		if !json.Valid(out) {
			t.Errorf("json: %q", out)
		}
	case "jsonl":
		for line := range bytes.Lines(out) {
			if !json.Valid(line) {
				t.Errorf("jsonl: %q", line)
			}
		}
	case "csv":
		rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatalf("csv: %v", err)
		}
		if want, _ := csv.NewReader(bytes.NewReader(like)).ReadAll(); len(rows) != len(want) {
			t.Errorf("csv: %d records, want %d", len(rows), len(want))
		}
		for _, cell := range slices.Concat(rows...) {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r|%") {
				t.Errorf("csv: a formula: %q", cell)
			}
		}
	case "prometheus":
		for line := range strings.Lines(string(out)) {
			if !promLine.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("prometheus: not a sample: %q", line)
			}
		}
	case "html":
		webpagetest.Check(t, out, htmlScript)
		if diff := cmp.Diff(webpagetest.Elements(like), webpagetest.Elements(out)); diff != "" {
			t.Errorf("html: elements differ (-want +got):\n%s", diff)
		}
	}
}

// TestJSONIsExact checks that the format json keeps all strings unchanged, although other
// formats escape them.
func TestJSONIsExact(t *testing.T) {
	for _, text := range quotetest.Strings() {
		var out bytes.Buffer
		if err := documentOf(text).Write("json", &out, Look{}); err != nil {
			t.Fatal(err)
		}
		var got Document
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(text) {
			text = quote.Name(text)
		}
		if got.Clients[0].User != text || got.Summary.Unreadable[0].File != text {
			t.Errorf("got %q and %q, want %q", got.Clients[0].User, got.Summary.Unreadable[0].File, text)
		}
	}
}

// TestPrometheusKeepsUsersApart checks that two users never have the same label.
// Prometheus rejects a whole file if two of its samples have equal labels.
func TestPrometheusKeepsUsersApart(t *testing.T) {
	d := &Document{}
	names := quotetest.Strings()
	for _, name := range names {
		d.Clients = append(d.Clients, Client{User: name, Writes: 1})
	}
	var out bytes.Buffer
	if err := d.Write("prometheus", &out, Look{}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "kubevet_audit_writes{") {
			seen[line] = true
		}
	}
	if len(seen) != len(names) {
		t.Errorf("%d users are %d samples", len(names), len(seen))
	}
}
