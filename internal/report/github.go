package report

import (
	"bufio"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// github is the format github. It writes a workflow command for each finding, and nothing
// else. GitHub Actions converts a command to an annotation of the changed line:
//
//	::error file=a.yaml,line=1,endLine=1,col=3,endColumn=9,title=...::message
//
// GitHub shows at most ten errors, ten warnings and ten notices of a step. The log has
// all of them.
type github struct {
	w     *bufio.Writer
	o     Options
	rules map[string]Rule
}

func newGitHub(w io.Writer, o Options) Report {
	return &github{w: newWriter(w), o: o, rules: catalogue(o.Rules)}
}

// These escapes are from core.command in actions/toolkit. All text is escaped by package
// quote before, so that no input can write a line break.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Finding writes an annotation for each place of a finding.
func (g *github) Finding(f rules.Finding) error {
	for _, one := range splitPlaces(f) {
		if err := g.annotation(one); err != nil {
			return err
		}
	}
	return nil
}

func (g *github) annotation(f rules.Finding) error {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(value))
	}
	if f.File != "-" && f.File != "" { // standard input has no file to annotate
		add("file", showName(path.Clean(f.File)))
		if f.Line > 0 {
			last := lastLine(&f)
			add("line", strconv.Itoa(f.Line))
			add("endLine", strconv.Itoa(last))
			// GitHub accepts columns only for a range in one line. It rejects other
			// annotations with columns.
			if f.Column > 0 && last == f.Line {
				add("col", strconv.Itoa(f.Column))
				if f.EndLine == f.Line && f.EndColumn > f.Column {
					add("endColumn", strconv.Itoa(f.EndColumn))
				}
			}
		}
	}
	title := "kubevet " + show(f.Rule)
	if t := g.rules[f.Rule].Title; t != "" {
		title = show(t) + " [" + show(f.Rule) + "]"
	}
	add("title", title)

	message := sentence(&f, g.o.Target)
	for _, line := range serverLines(&f) {
		message += "\n" + line
	}
	for _, line := range related(&f, false) {
		message += "\n" + line
	}
	g.w.WriteString("::" + githubCommand(f.Severity) + " " + strings.Join(properties, ",") + "::")
	_, err := g.w.WriteString(githubData.Replace(message) + "\n")
	return err
}

func githubCommand(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "error"
	case rules.Warning:
		return "warning"
	}
	return "notice"
}

// Close adds an annotation with the number of findings that are not printed, if there are
// any.
func (g *github) Close(s *rules.Summary) error {
	if line := notPrintedLine(s); line != "" {
		g.w.WriteString("::" + githubCommand(s.NotPrinted.Worst()) + " title=kubevet::" + githubData.Replace(line) + "\n")
	}
	for _, note := range runNotes(s) {
		g.w.WriteString("::notice title=kubevet::" + githubData.Replace(show(note)) + "\n")
	}
	return g.w.Flush()
}
