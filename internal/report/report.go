// Package report renders findings: one file per format, all over the same
// model, rules.Finding and rules.Summary.
//
// Findings arrive in their final order and leave in the same order; the same
// input gives the same bytes. What a finding quotes (file names, object names,
// messages with values from manifests) is written by strangers, so every
// format prints names and texts through package quote and only adds the escapes of
// its own syntax.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// Rule is what a report can say of a rule beyond a single finding of it. Only
// ID is needed; whatever is empty is left out.
type Rule struct {
	// ID is the rule's ID in the catalogue.
	ID string
	// Title is one line, Description the help text, in Markdown.
	Title       string
	Description string
	// Severity is the catalogue's; a finding may carry another.
	Severity rules.Severity
	// URL is the rule's page.
	URL string
}

// Options tune a report. The zero value is plain, uncoloured and unlimited in
// width.
type Options struct {
	// Color allows ANSI colours in text, table and WriteSummary. No other
	// format ever has any.
	Color bool
	// Width is the terminal's width in columns; zero means unlimited. It lays
	// out tables and clips source lines. Lines of the text format are never
	// wrapped, since that would break them for the programs that read them.
	Width int
	// Rules are the rules that ran, for titles, links and the rule list of
	// SARIF, where they keep this order. A finding of a rule that is not among
	// them is reported with what it has.
	Rules []Rule
	// ToolVersion is kubevet's version; empty where the build does not know.
	ToolVersion string
	// Category names the run in SARIF, where code scanning keeps the findings of
	// each category apart; empty leaves the name to who uploads the file.
	Category string
	// Target is the target of the whole run, such as "1.37" or "1.31..1.37".
	// Formats for people mention the minors of a finding only where they
	// differ from it.
	Target string
	// Source returns a line of an input, without its line break, and false if
	// it cannot. With it, text shows the line under each finding; nil shows
	// none. Lines count from 1.
	Source func(file string, line int) (string, bool)
	// Link returns the address of a line of an input for format html, and "" for
	// none; nil makes no links.
	Link func(file string, line int) string
	// Owner returns the owner of an input for format html, and "" for none; nil shows
	// no owners.
	Owner func(file string) string
	// Errors takes what format kubectl writes to standard error, coloured if
	// ErrorsColor is set; nil: it goes where the rest does. WarningsAsErrors
	// makes warnings an error there.
	Errors                        io.Writer
	ErrorsColor, WarningsAsErrors bool
	// Verbose makes text add the field, the replacement and the rule's page,
	// and WriteSummary list everything it otherwise cuts short.
	Verbose bool
}

// Report receives the findings of one run, in their final order, and writes
// them in one format.
//
// Output is buffered and complete only after Close, which is called exactly
// once, even if a Finding failed. All errors are those of the underlying
// writer, unwrapped. A Report is not safe for concurrent use.
type Report interface {
	// Finding reports one finding. It keeps no reference to it.
	Finding(rules.Finding) error
	// Close ends the report. The summary of the run is read by the formats
	// that have a place for it; nil stands for an empty one.
	Close(*rules.Summary) error
}

// format is one way to render findings.
type format struct {
	name string
	open func(io.Writer, Options) Report
}

// formats lists the formats in the order of Formats.
func formats() []format {
	return []format{
		{"text", newText},
		{"table", newTable},
		{"json", newJSON},
		{"jsonl", newJSONLines},
		{"sarif", newSARIF},
		{"github", newGitHub},
		{"gitlab", newGitLab},
		{"junit", newJUnit},
		{"markdown", newMarkdown},
		{"html", newHTML},
	}
}

// Formats returns the names that New accepts, those for people first.
func Formats() []string {
	all := formats()
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

// New starts a report in the named format. Its only error is an unknown name,
// and names the known ones.
func New(format string, w io.Writer, o Options) (Report, error) {
	for _, f := range formats() {
		if f.name == format {
			return f.open(w, o), nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

// newWriter makes the buffer of a report: large enough that a program which
// reads it from a pipe is not woken for every few findings.
func newWriter(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 32<<10) }

// catalogue indexes rules by ID; the first of equal IDs counts.
func catalogue(list []Rule) map[string]Rule {
	byID := make(map[string]Rule, len(list))
	for _, r := range list {
		if _, ok := byID[r.ID]; !ok {
			byID[r.ID] = r
		}
	}
	return byID
}
