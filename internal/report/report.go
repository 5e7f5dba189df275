// Package report renders findings: one file per format, all over the same model, rules.Finding and
// rules.Summary.
//
// Findings are written in the order in which they arrive. The same input results in the same bytes.
// The quoted parts of a finding (file names, object names, messages with values from manifests) are
// untrusted. So every format prints names and texts through package quote and only adds the escapes
// of its own syntax.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// Rule is a report's information about a rule. Only ID is required; empty fields are omitted.
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
	// Width is the terminal's width in columns; zero means unlimited. It is the width of tables and
	// the maximum width of source lines. Lines of the text format are never wrapped, because that
	// would break them for programs that read them.
	Width int
	// Rules are the rules that ran, for titles, links and the rule list of SARIF, in this order. A
	// finding of another rule is reported without a title and a link.
	Rules []Rule
	// ToolVersion is kubevet's version; empty where the build does not know.
	ToolVersion string
	// Category is the name of the run in SARIF: code scanning separates the findings of each
	// category. If it is empty, the uploader of the file chooses the name.
	Category string
	// Target is the target of the whole run, such as "1.37" or "1.31..1.37". Formats for people
	// mention the minors of a finding only if they differ from it.
	Target string
	// Source returns a line of an input without its line break, and false if it cannot. Format text
	// shows the line under each finding; if Source is nil, it shows none. Lines count from 1.
	Source func(file string, line int) (string, bool)
	// Link returns the address of a line of an input for format html, and "" if there is none; nil
	// disables links.
	Link func(file string, line int) string
	// Owner returns the owner of an input for format html, and "" if there is none; nil disables
	// owners.
	Owner func(file string) string
	// Errors receives the text that format kubectl writes to standard error, coloured if
	// ErrorsColor is set. If it is nil, the text goes to the report's writer. WarningsAsErrors adds
	// an error there if there are warnings.
	Errors                        io.Writer
	ErrorsColor, WarningsAsErrors bool
	// Verbose adds the field, the replacement and the rule's page to format text, and complete
	// lists to WriteSummary.
	Verbose bool
}

// Report receives the findings of one run, in their final order, and writes
// them in one format.
//
// Output is buffered and complete only after Close, which is called exactly
// once, even if a Finding failed. All errors are those of the underlying
// writer, unwrapped. A Report is not safe for concurrent use.
type Report interface {
	// Finding reports one finding. It does not retain it.
	Finding(rules.Finding) error
	// Close ends the report. Some formats include the summary of the run; nil is an empty summary.
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

// New starts a report in the named format. Its only error is an unknown name; the error lists the
// known names.
func New(format string, w io.Writer, o Options) (Report, error) {
	for _, f := range formats() {
		if f.name == format {
			return f.open(w, o), nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

// newWriter returns the buffer of a report. It is large enough that a program at the other end of a
// pipe is not woken for every few findings.
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
