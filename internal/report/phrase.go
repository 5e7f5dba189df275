package report

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// position returns ":line:column", or ":line" if the column is unknown. It returns "" for
// a finding about a whole file.
func position(f *rules.Finding) string {
	switch {
	case f.Line <= 0:
		return ""
	case f.Column <= 0:
		return ":" + strconv.Itoa(f.Line)
	}
	return ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
}

// lastLine returns the last line of a finding. The end is exclusive, so an end at the
// first column does not include its line.
func lastLine(f *rules.Finding) int {
	switch {
	case f.EndLine <= f.Line:
		return f.Line
	case f.EndColumn == 1:
		return f.EndLine - 1
	}
	return f.EndLine
}

// objectName returns the escaped name of a finding's object, or "" if it is unknown.
// clean escapes each part of the name.
func objectName(f *rules.Finding, clean func(string) string) string {
	if f.Object == nil {
		return ""
	}
	o := rules.ObjectRef{Kind: clean(f.Object.Kind), Namespace: clean(f.Object.Namespace), Name: clean(f.Object.Name)}
	return strings.TrimSpace(o.String())
}

// unnamedObject is like objectName, but returns "" if the message already has the name.
func unnamedObject(f *rules.Finding, clean func(string) string) string {
	name := objectName(f, clean)
	if name == "" {
		return ""
	}
	for _, part := range []string{f.Object.Kind, f.Object.Name} {
		if part != "" && !containsWord(f.Message, part) {
			return name
		}
	}
	return ""
}

// differingMinors returns the minors of a finding, or "" if they are equal to the target
// of the run.
func differingMinors(f *rules.Finding, target string) string {
	if f.Minors == target {
		return ""
	}
	return f.Minors
}

// notes returns the text in parentheses after a message: the object, the minors, and
// whether an earlier error hides the problem. clean escapes text from the input.
func notes(f *rules.Finding, target string, clean func(string) string) string {
	var parts []string
	if o := unnamedObject(f, clean); o != "" {
		parts = append(parts, o)
	}
	if m := differingMinors(f, target); m != "" {
		parts = append(parts, "Kubernetes "+clean(m))
	}
	if f.Hidden {
		parts = append(parts, "hidden by an earlier error")
	}
	return strings.Join(parts, "; ")
}

// sentence returns the escaped message, followed by its notes in parentheses.
func sentence(f *rules.Finding, target string) string {
	if n := notes(f, target, showName); n != "" {
		return show(message(f)) + " (" + n + ")"
	}
	return show(message(f))
}

// message returns the message of a finding. If the message is only the server's text
// about a field, the path of the field is added before it.
func message(f *rules.Finding) string {
	if f.Server != nil && f.Server.Kind == "error" && f.Path != "" && f.Message == f.Server.Text {
		return f.Path + ": " + f.Message
	}
	return f.Message
}

// serverLines returns the escaped messages of the API server that the message of the
// finding does not contain.
func serverLines(f *rules.Finding) []string {
	var lines []string
	if line := serverLine(f); line != "" {
		lines = append(lines, line)
	}
	if f.Server != nil {
		for _, text := range f.Server.Also {
			lines = append(lines, "API server adds: "+show(text))
		}
	}
	return lines
}

// serverLine returns the escaped message of the API server, or "" if the message of the
// finding contains it.
func serverLine(f *rules.Finding) string {
	s := f.Server
	if s == nil || s.Text == "" || strings.Contains(f.Message, s.Text) {
		return ""
	}
	if s.Kind == "warning" {
		return "API server warns: " + show(s.Text)
	}
	if f.Path == "" {
		return "API server answers: " + show(s.Text)
	}
	return "API server answers: " + show(f.Path) + ": " + show(s.Text)
}

// relatedListed is the number of related places that formats for people show by default.
const relatedListed = 5

// relatedKept is the maximal number of related places in formats for programs. In a large
// module, a finding may have hundreds.
const relatedKept = 100

func keepRelated(f *rules.Finding) { f.Related = f.Related[:min(len(f.Related), relatedKept)] }

// related returns an escaped line for each related place of a finding. If all is false,
// only the first lines and the number of further lines are returned, and repeats of the
// finding are joined to one line.
func related(f *rules.Finding, all bool) []string {
	var lines []string
	if !all && len(f.Related) > samePlacesListed && f.Related[0].Repeat {
		return append(lines, samePlacesLine(f.Related))
	}
	for i, r := range f.Related {
		if !all && i == relatedListed && len(f.Related) > i+1 { // one more place is as long as the remark "and 1 more"
			return append(lines, "and "+thousands(len(f.Related)-i)+" more")
		}
		lines = append(lines, showFile(r.File)+position(&rules.Finding{Line: r.Line, Column: r.Column})+": "+show(r.Message))
	}
	return lines
}

// samePlacesListed is the number of repeats that samePlacesLine shows.
const samePlacesListed = 3

// samePlacesLine returns a line about repeats of a finding, such as "the same in 35 more
// places: a.md:3:1, b.md:5:1, c.md:3:1, …".
func samePlacesLine(places []rules.Related) string {
	var names []string
	for _, p := range places[:min(len(places), samePlacesListed)] {
		names = append(names, showFile(p.File)+position(&rules.Finding{Line: p.Line, Column: p.Column}))
	}
	if len(places) > samePlacesListed {
		names = append(names, "…")
	}
	return "the same in " + plural(len(places), "more place", "more places") + ": " + strings.Join(names, ", ")
}

// splitPlaces returns a finding for each place of a finding that is repeated in several
// places.
func splitPlaces(f rules.Finding) []rules.Finding {
	places := f.Related
	all := []rules.Finding{f}
	all[0].Related = nil
	for _, p := range places {
		if !p.Repeat {
			all[0].Related = append(all[0].Related, p)
			continue
		}
		again := f
		again.File, again.Line, again.Column, again.EndLine, again.EndColumn = p.File, p.Line, p.Column, p.EndLine, p.EndColumn
		again.Related = nil
		all = append(all, again)
	}
	return all
}

func runNotes(s *rules.Summary) []string {
	if s == nil {
		return nil
	}
	return s.Notes
}

// tally has the number of findings for each severity.
type tally [rules.Error + 1]int

func (t *tally) add(s rules.Severity) { t[min(s, rules.Error)]++ }

// addNotPrinted adds the numbers of the findings that the report leaves out.
func (t *tally) addNotPrinted(s *rules.Summary) {
	if s.NotPrinted == nil {
		return
	}
	for severity := range t {
		t[severity] += s.NotPrinted.Severities[rules.Severity(severity).String()]
	}
}

// String returns a text such as "2 errors, 1 warning" or "no findings".
func (t *tally) String() string {
	var parts []string
	for s := rules.Error; ; s-- {
		if n := t[s]; n > 0 {
			switch s {
			case rules.Error:
				parts = append(parts, plural(n, "error", "errors"))
			case rules.Warning:
				parts = append(parts, plural(n, "warning", "warnings"))
			default: // "info" and "preview" have no plural
				parts = append(parts, thousands(n)+" "+s.String())
			}
		}
		if s == 0 {
			break
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}
