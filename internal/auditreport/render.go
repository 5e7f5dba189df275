package auditreport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// Look has the options of formats for people.
type Look struct {
	Color bool
	// Width is the width of the terminal in columns. 0 means no limit.
	Width int
	// If Verbose is true, every row and column is shown.
	Verbose bool
	// Rules and Version are used by the formats of findings.
	Rules   []report.Rule
	Version string
	// Link returns the address of a line in a log for the format html, or "". A nil
	// function means no links.
	Link func(file string, line int) string
}

// renderers has the formats in the order of Formats.
var renderers = []struct {
	name  string
	write func(io.Writer, *Document, Look) error
}{
	{"table", writeTable},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
	{"csv", writeCSV},
	{"json", writeJSON},
	{"jsonl", writeJSONLines},
	{"prometheus", writePrometheus},
	{"text", findings("text")},
	{"sarif", findings("sarif")},
	{"junit", findings("junit")},
	{"github", findings("github")},
}

// Formats returns the names of all formats. Formats for people come first.
func Formats() []string {
	var names []string
	for _, r := range renderers {
		names = append(names, r.name)
	}
	return names
}

// Write writes the document in one of the formats. It returns the errors of w, and an
// error for an unknown format.
func (d *Document) Write(format string, w io.Writer, l Look) error {
	for _, r := range renderers {
		if r.name == format {
			b := bufio.NewWriter(w)
			if err := r.write(b, d, l); err != nil {
				return err
			}
			return b.Flush()
		}
	}
	return fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

// findings returns a writer of Document.Findings in a format that all commands share.
func findings(format string) func(io.Writer, *Document, Look) error {
	return func(w io.Writer, d *Document, l Look) error {
		r, err := report.New(format, w, report.Options{Color: l.Color, Width: l.Width, Rules: l.Rules, ToolVersion: l.Version, Target: d.Summary.Target, Category: "kubevet/audit", Verbose: l.Verbose})
		if err != nil {
			return err
		}
		for _, f := range d.Findings {
			if err := r.Finding(f); err != nil {
				return err
			}
		}
		sum := rules.NewSummary()
		sum.Files, sum.Bytes, sum.Target, sum.Seconds = d.Summary.Inputs, d.Summary.Bytes, d.Summary.Target, d.Summary.Seconds
		sum.Unreadable, sum.UnreadableCount, sum.Findings = d.Summary.Unreadable, len(d.Summary.Unreadable), d.Summary.Findings
		sum.Notes = d.Notes
		return r.Close(sum)
	}
}

func writeJSON(w io.Writer, d *Document, _ Look) error {
	return writeIndented(w, d)
}

// writeIndented writes a value as indented JSON.
func writeIndented(w io.Writer, value any) error {
	text, err := quote.JSON(value, func(e *json.Encoder) { e.SetIndent("", "  ") })
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// writeJSONLines writes one record on each line. The field kind names the kind of the
// record.
func writeJSONLines(w io.Writer, d *Document, _ Look) error {
	var failed error
	put := func(kind string, value any) {
		if failed != nil {
			return
		}
		var line []byte
		if line, failed = quote.JSON(map[string]any{"kind": kind, kind: value}, nil); failed == nil {
			_, failed = w.Write(append(line, '\n'))
		}
	}
	for _, f := range d.Findings {
		put("finding", f)
	}
	for _, r := range d.Deprecated.Rows {
		put("deprecated", r)
	}
	for _, c := range d.Clients {
		put("client", c)
	}
	for _, b := range d.Bodies {
		put("body", b)
	}
	for _, f := range d.Fights {
		put("fight", f)
	}
	for _, t := range d.Undecided {
		put("undecided", t)
	}
	for _, l := range d.Leftovers {
		put("leftover", l)
	}
	for _, x := range d.Admission.Denials {
		put("denial", x)
	}
	for _, p := range d.Admission.PodSecurity {
		put("podSecurity", p)
	}
	for _, w := range d.Admission.Webhooks {
		put("webhook", w)
	}
	for _, m := range d.SharedManagers {
		put("sharedManager", m)
	}
	for _, c := range d.Conflicts {
		put("conflict", c)
	}
	for _, r := range d.Refused {
		put("refused", r)
	}
	if d.Metrics != nil {
		put("metrics", d.Metrics)
	}
	if d.Code != nil {
		put("code", d.Code)
	}
	for _, n := range d.Notes {
		put("note", n)
	}
	put("summary", d.Summary)
	return failed
}
