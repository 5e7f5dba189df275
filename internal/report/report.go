// Package report writes findings in many formats, with one file for each format. The
// input of all formats is rules.Finding and rules.Summary.
//
// Findings are written in the order in which they arrive. The same input gives the same
// bytes. File names, object names and values in messages come from the input and are not
// trusted. So every format prints texts through package quote, and then adds the escapes
// of its own syntax.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// Rule has the data about a rule that reports print. Only ID is required. Empty fields
// are left out.
type Rule struct {
	// ID is the rule's ID in the catalogue.
	ID string
	// Title is one line. Description is the help text in Markdown.
	Title       string
	Description string
	// Severity is the severity in the catalogue. A finding may have another severity.
	Severity rules.Severity
	// URL is the address of the page about the rule.
	URL string
}

// Options are the options of a report. The zero value means plain text without colours
// and without a limit of the width.
type Options struct {
	// Color allows ANSI colours in the formats text and table, and in WriteSummary. Other
	// formats never have colours.
	Color bool
	// Width is the width of the terminal in columns. 0 means no limit. It limits tables
	// and source lines. Messages in the format text are never wrapped, because programs
	// may read them line by line.
	Width int
	// Rules has the rules that ran, in the order of the rules in SARIF. Reports get
	// titles and links from it. A finding whose rule is missing has no title and no link.
	Rules []Rule
	// ToolVersion is the version of kubevet. It is empty if the build does not know it.
	ToolVersion string
	// Category is the name of the run in SARIF. Code scanning separates the findings of
	// different categories. If Category is empty, the program that uploads the file
	// chooses the name.
	Category string
	// Target is the target of the whole run, such as "1.37" or "1.31..1.37". Formats for
	// people show the minors of a finding only if they differ from Target.
	Target string
	// Source returns a line of an input without its line break. Lines start at 1. It
	// returns false if the line cannot be read. The format text shows these lines, unless
	// Source is nil.
	Source func(file string, line int) (string, bool)
	// Link returns the address of a line of an input, or "". Only the format html uses
	// it. It may be nil.
	Link func(file string, line int) string
	// Owner returns the owner of an input, or "". Only the format html uses it. It may be
	// nil.
	Owner func(file string) string
	// Errors receives kubectl's standard error in the format kubectl. If it is nil, the
	// report receives the text. ErrorsColor colours the text. If WarningsAsErrors is true
	// and there are warnings, an error is added.
	Errors                        io.Writer
	ErrorsColor, WarningsAsErrors bool
	// Verbose adds the field, the replacement and the rule's page to the format text. It
	// also makes the lists of WriteSummary complete.
	Verbose bool
}

// Report writes the findings of one run in one format, in the order in which it receives
// them.
//
// The output is buffered and complete after Close. Call Close exactly once, even after an
// error of Finding. All errors are the unwrapped errors of the underlying writer. A
// Report is not safe for concurrent use.
type Report interface {
	// Finding writes one finding. The report keeps no reference to it.
	Finding(rules.Finding) error
	// Close ends the report. Some formats write the summary of the run. nil means an
	// empty summary.
	Close(*rules.Summary) error
}

type format struct {
	name string
	open func(io.Writer, Options) Report
}

// formats returns all formats in the order of Formats.
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

// Formats returns the names that New accepts. Formats for people come first.
func Formats() []string {
	all := formats()
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

// New returns a report in the format with this name. For an unknown name, it returns an
// error that lists the known names.
func New(format string, w io.Writer, o Options) (Report, error) {
	for _, f := range formats() {
		if f.name == format {
			return f.open(w, o), nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: want one of %s", format, strings.Join(Formats(), ", "))
}

// newWriter returns the buffer of a report. A large buffer avoids waking the reader of a
// pipe for every few findings.
func newWriter(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 32<<10) }

// catalogue returns the rules by ID. The first rule with an ID is used.
func catalogue(list []Rule) map[string]Rule {
	byID := make(map[string]Rule, len(list))
	for _, r := range list {
		if _, ok := byID[r.ID]; !ok {
			byID[r.ID] = r
		}
	}
	return byID
}
