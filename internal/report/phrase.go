package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// position returns ":line:column" as far as it is known; empty for a finding about a whole file.
func position(f *rules.Finding) string {
	switch {
	case f.Line <= 0:
		return ""
	case f.Column <= 0:
		return ":" + strconv.Itoa(f.Line)
	}
	return ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
}

// lastLine returns the last line that a finding covers. Its end is exclusive: an end at the first
// column of a line does not include that line.
func lastLine(f *rules.Finding) int {
	switch {
	case f.EndLine <= f.Line:
		return f.Line
	case f.EndColumn == 1:
		return f.EndLine - 1
	}
	return f.EndLine
}

// objectName returns the name of the object of a finding, with clean applied to each of its names.
// It is empty if there is no object or nothing is known of it.
func objectName(f *rules.Finding, clean func(string) string) string {
	if f.Object == nil {
		return ""
	}
	o := rules.ObjectRef{Kind: clean(f.Object.Kind), Namespace: clean(f.Object.Namespace), Name: clean(f.Object.Name)}
	return strings.TrimSpace(o.String())
}

// unnamedObject returns objectName if the message does not identify the object, otherwise "".
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

// heldMinors returns the minors of a finding if they differ from the target of the run.
func heldMinors(f *rules.Finding, target string) string {
	if f.Minors == target {
		return ""
	}
	return f.Minors
}

// notes returns information for the reader in addition to the message: the object, the minors if
// the finding does not hold for the whole target, and whether the server hides it. clean is applied
// to text from the input.
func notes(f *rules.Finding, target string, clean func(string) string) string {
	var parts []string
	if o := unnamedObject(f, clean); o != "" {
		parts = append(parts, o)
	}
	if m := heldMinors(f, target); m != "" {
		parts = append(parts, "Kubernetes "+clean(m))
	}
	if f.Hidden {
		parts = append(parts, "hidden by an earlier error")
	}
	return strings.Join(parts, "; ")
}

// sentence returns the sanitised message with its notes in parentheses.
func sentence(f *rules.Finding, target string) string {
	if n := notes(f, target, showName); n != "" {
		return show(message(f)) + " (" + n + ")"
	}
	return show(message(f))
}

// message returns the message of a finding. If it is the server's own answer, which is about a
// field and does not name it, the field precedes it.
func message(f *rules.Finding) string {
	if f.Server != nil && f.Server.Kind == "error" && f.Path != "" && f.Message == f.Server.Text {
		return f.Path + ": " + f.Message
	}
	return f.Message
}

// serverLines returns the API server's messages that the message of a finding does
// not contain, sanitised.
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

// serverLine returns the API server's message, sanitised. It is empty if the finding's message has
// it already.
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

// relatedListed is the number of related places that formats for people name by default.
const relatedListed = 5

// relatedKept is the maximum number of related places in formats for programs: a finding in a large
// module may have hundreds.
const relatedKept = 100

// keepRelated limits the related places of a finding to relatedKept.
func keepRelated(f *rules.Finding) { f.Related = f.Related[:min(len(f.Related), relatedKept)] }

// related describes each related place of a finding, sanitised. Unless all is set, it counts those
// after the first few, and combines places with the same finding on one line.
func related(f *rules.Finding, all bool) []string {
	var lines []string
	if !all && len(f.Related) > repeatsListed && f.Related[0].Repeat {
		return append(lines, repeats(f.Related))
	}
	for i, r := range f.Related {
		if !all && i == relatedListed && len(f.Related) > i+1 { // one more place is not longer than the remark
			return append(lines, "and "+thousands(len(f.Related)-i)+" more")
		}
		lines = append(lines, showFile(r.File)+position(&rules.Finding{Line: r.Line, Column: r.Column})+": "+show(r.Message))
	}
	return lines
}

// repeatsListed is the number of places with the same finding that are named on one line.
const repeatsListed = 3

// repeats returns "the same in 35 more places: a.md:3:1, b.md:5:1, c.md:3:1, …",
// sanitised.
func repeats(places []rules.Related) string {
	var names []string
	for _, p := range places[:min(len(places), repeatsListed)] {
		names = append(names, showFile(p.File)+position(&rules.Finding{Line: p.Line, Column: p.Column}))
	}
	if len(places) > repeatsListed {
		names = append(names, "…")
	}
	return "the same in " + plural(len(places), "more place", "more places") + ": " + strings.Join(names, ", ")
}

// unfold returns a separate finding for each place of a combined finding.
func unfold(f rules.Finding) []rules.Finding {
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

// runNotes returns the notes of a summary, which may be nil.
func runNotes(s *rules.Summary) []string {
	if s == nil {
		return nil
	}
	return s.Notes
}

// Count returns a number with its noun, with an s if necessary: "1 file", "2 files".
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// plural returns "1 file" or "12,345 files".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands formats a count with commas: 12,345.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// tally counts findings by severity.
type tally [rules.Error + 1]int

func (t *tally) add(s rules.Severity) { t[min(s, rules.Error)]++ }

// addNotPrinted adds the findings of a run that its report omits.
func (t *tally) addNotPrinted(s *rules.Summary) {
	if s.NotPrinted == nil {
		return
	}
	for severity := range t {
		t[severity] += s.NotPrinted.Severities[rules.Severity(severity).String()]
	}
}

// String returns "2 errors, 1 warning", the worst first, or "no findings".
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
