package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/webpage"
	"github.com/kubevet/kubevet/rules"
)

//go:embed html.tmpl
var htmlTemplate string

// maxHTML is the maximal number of findings on a page. maxExcerpts is the maximal number
// of findings with an excerpt of the source. On a page with at most openExcerptsLimit
// findings, all excerpts are open at first.
const maxHTML, maxExcerpts, openExcerptsLimit = 3000, 1000, 15

// htmlReport is the format html. It writes one page with the findings grouped by rule.
// The reader can also group them by file and by owner.
type htmlReport struct {
	w     io.Writer
	o     Options
	rules map[string]Rule

	groups   []*htmlGroup
	by       map[string]*htmlGroup
	files    map[string]bool
	counts   tally
	total    int
	listed   int
	left     int
	fixes    int
	excerpts int
}

// htmlGroup has the findings of one rule with the same severity.
type htmlGroup struct {
	Rule     Rule
	ID       string
	Severity string
	Findings []htmlFinding
}

type htmlFinding struct {
	ID                               string
	File, Place, Link, Owner, Object string
	Message, Minors                  string
	Also                             []string
	Excerpt                          []sourceLine
	Fix                              string
	Safe                             bool
	Diff                             []sourceLine
	Open                             bool
}

// sourceLine is one line of source code or of a diff.
type sourceLine struct {
	// Mark is ">" for a line of the finding, "+" or "-" for a line of a diff, and "" for
	// other lines.
	Mark   string
	Number int
	Text   string
}

func newHTML(w io.Writer, o Options) Report {
	return &htmlReport{w: w, o: o, rules: catalogue(o.Rules), by: map[string]*htmlGroup{}, files: map[string]bool{}}
}

func (h *htmlReport) Finding(f rules.Finding) error {
	h.total++
	h.counts.add(f.Severity)
	h.files[f.File] = true
	if f.Fix != nil {
		h.fixes++
	}
	if h.listed == maxHTML {
		h.left++
		return nil
	}
	h.listed++
	key := f.Severity.String() + " " + f.Rule
	g := h.by[key]
	if g == nil {
		g = &htmlGroup{Rule: h.rules[f.Rule], ID: f.Rule, Severity: f.Severity.String()}
		h.by[key] = g
		h.groups = append(h.groups, g)
	}
	g.Findings = append(g.Findings, h.finding(&f))
	return nil
}

func (h *htmlReport) finding(f *rules.Finding) htmlFinding {
	x := htmlFinding{
		ID: "f" + thousands(h.listed), File: showFile(f.File), Place: position(f), Object: objectName(f, showName), Message: show(message(f)),
		Open: h.listed <= openExcerptsLimit,
	}
	if held := differingMinors(f, h.o.Target); held != "" {
		x.Minors = show(held)
	}
	if h.o.Link != nil {
		x.Link = h.o.Link(f.File, f.Line)
	}
	if h.o.Owner != nil {
		x.Owner = show(h.o.Owner(f.File))
	}
	x.Also = append(x.Also, serverLines(f)...)
	x.Also = append(x.Also, related(f, false)...)
	for _, n := range f.Notes {
		x.Also = append(x.Also, show(n))
	}
	if f.Hidden {
		x.Also = append(x.Also, "hidden by an earlier error")
	}
	if h.o.Source == nil || h.excerpts == maxExcerpts {
		return x
	}
	h.excerpts++
	x.Excerpt = h.excerpt(f)
	if f.Fix != nil {
		x.Fix, x.Safe, x.Diff = show(f.Fix.Message), f.Fix.Safe, h.diff(f)
	}
	return x
}

// linesBefore and linesAfter are the numbers of lines that an excerpt shows before and
// after the first line of a finding. maxDiff is the maximal number of lines in a diff.
const linesBefore, linesAfter, maxDiff = 2, 3, 30

func (h *htmlReport) excerpt(f *rules.Finding) (lines []sourceLine) {
	if f.Line == 0 {
		return nil
	}
	last := max(f.EndLine, f.Line)
	if f.EndLine > f.Line && f.EndColumn <= 1 {
		last--
	}
	for n := max(1, f.Line-linesBefore); n <= f.Line+linesAfter; n++ {
		text, ok := h.o.Source(f.File, n)
		if !ok {
			continue
		}
		mark := ""
		if f.Line <= n && n <= last {
			mark = ">"
		}
		lines = append(lines, sourceLine{mark, n, clipSourceLine(text)})
	}
	return lines
}

func clipSourceLine(line string) string {
	if len(line) > maxSnippetLine {
		return "(a line of " + size(int64(len(line))) + ")"
	}
	cells := cellsOf(line)
	if len(cells) > maxSnippetWidth {
		return strings.Join(cells[:maxSnippetWidth], "") + "…"
	}
	return strings.Join(cells, "")
}

// diff returns the changes that the fix of a finding makes in the finding's file. It
// returns nil for more than maxDiff lines.
func (h *htmlReport) diff(f *rules.Finding) (lines []sourceLine) {
	edits := slices.Clone(f.Fix.Edits)
	for i := 0; i < len(edits); {
		if edits[i].File != f.File {
			i++
			continue
		}
		// Edits on the same lines are shown as one change.
		first, last, j := edits[i].Line, edits[i].EndLine, i+1
		for ; j < len(edits) && edits[j].File == f.File && edits[j].Line <= last; j++ {
			last = max(last, edits[j].EndLine)
		}
		if first < 1 || last < first || last-first > maxDiff {
			return nil
		}
		old := make([]string, 0, last-first+1)
		for n := first; n <= last; n++ {
			text, ok := h.o.Source(f.File, n)
			if !ok && n < last || len(text) > maxSnippetLine {
				return nil
			}
			old = append(old, text)
		}
		changed, ok := applyEdits(old, first, edits[i:j])
		if !ok {
			return nil
		}
		lines = append(lines, changedLines(first, old, changed)...)
		i = j
	}
	if len(lines) > maxDiff {
		return nil
	}
	return lines
}

// applyEdits returns lines after the edits. first is the number of the first line. ok is
// false if an edit is outside these lines.
func applyEdits(lines []string, first int, edits []rules.Edit) (result []string, ok bool) {
	at := func(line, column int) (offset int, ok bool) {
		for i := range line - first {
			if i >= len(lines) {
				return 0, false
			}
			offset += len(lines[i]) + 1
		}
		if line-first >= len(lines) {
			return 0, false
		}
		n := 1
		for i := range lines[line-first] + "\n" {
			if n == column {
				return offset + i, true
			}
			n++
		}
		return 0, false
	}
	text := strings.Join(lines, "\n")
	var b strings.Builder
	done := 0
	for _, e := range edits {
		from, ok1 := at(e.Line, e.Column)
		to, ok2 := at(e.EndLine, e.EndColumn)
		if !ok1 || !ok2 || from < done || to < from || to > len(text) {
			return nil, false
		}
		b.WriteString(text[done:from] + e.New)
		done = to
	}
	b.WriteString(text[done:])
	return strings.Split(b.String(), "\n"), true
}

// changedLines returns the diff of two versions of some lines, without the common lines
// at the beginning and end. first is the number of the first line.
func changedLines(first int, old, changed []string) (lines []sourceLine) {
	for len(old) > 0 && len(changed) > 0 && old[0] == changed[0] {
		old, changed, first = old[1:], changed[1:], first+1
	}
	for len(old) > 0 && len(changed) > 0 && old[len(old)-1] == changed[len(changed)-1] {
		old, changed = old[:len(old)-1], changed[:len(changed)-1]
	}
	for i, text := range old {
		lines = append(lines, sourceLine{"-", first + i, clipSourceLine(text)})
	}
	for i, text := range changed {
		lines = append(lines, sourceLine{"+", first + i, clipSourceLine(text)})
	}
	return lines
}

type htmlPage struct {
	Tone, Verdict, Sub string
	Counts             []htmlCount
	Looked, Missing    []string
	Unreadable         []rules.Unreadable
	UnreadableLeft     int
	// Kinds has the kinds without a schema.
	Kinds        []string
	KindsLeft    int
	Groups       []*htmlGroup
	Listed, Left int
	Owners       bool
	Severities   []string
}

// htmlCount is a card with a number.
type htmlCount struct {
	Level, Title, Note string
	N                  int
}

func (h *htmlReport) Close(s *rules.Summary) error {
	sum := completeSummary(s)
	h.counts.addNotPrinted(&sum)
	p := &htmlPage{Tone: "go", Verdict: sentenceOf(noFindings(&sum)), Groups: h.groups, Listed: h.listed, Left: h.left, Owners: h.o.Owner != nil}
	switch {
	case h.total > 0:
		p.Tone = "care"
		if h.counts[rules.Error] > 0 {
			p.Tone = "stop"
		}
		p.Verdict = sentenceOf(h.counts.String() + " in " + plural(len(h.files), "file", "files"))
	case nothingRead(&sum):
		p.Tone, p.Verdict = "care", "Nothing was checked."
	}
	if sum.Incomplete() {
		p.Sub = "Incomplete: " + incompleteReason(&sum) + "."
		if p.Tone == "go" {
			p.Tone = "care"
		}
	}
	if line := notPrintedLine(&sum); line != "" {
		p.Missing = append(p.Missing, line)
	}
	for level := rules.Error; ; level-- {
		n := h.counts[level]
		if n > 0 || level >= rules.Warning {
			p.Counts = append(p.Counts, htmlCount{level.String(), severityTitles[level], severityNotes[level], n})
			p.Severities = append(p.Severities, level.String())
		}
		if level == rules.Preview {
			break
		}
	}
	if h.fixes > 0 {
		p.Counts = append(p.Counts, htmlCount{"fixable", "Fixable", "by --fix, or with a review", h.fixes})
	}
	if !nothingRead(&sum) {
		p.Looked = append(p.Looked, checkedLine(&sum))
		if line := targetLine(&sum); line != "" {
			p.Looked = append(p.Looked, line)
		}
	}
	for _, line := range []string{excludedLine(&sum), uncheckedLine(&sum, min(len(sum.Unchecked.Kinds), summaryListed)), skippedLine(&sum), unrenderedLine(&sum)} {
		if line != "" {
			p.Missing = append(p.Missing, show(line))
		}
	}
	if sum.Code != nil && sum.Code.SkippedFunctionCount > 0 {
		p.Missing = append(p.Missing, skippedFunctionsLine(sum.Code))
	}
	kinds := sum.Unchecked.MostFrequent()
	const mostKinds = 500
	for i := range kinds[:min(len(kinds), mostKinds)] {
		p.Kinds = append(p.Kinds, plural(kinds[i].Objects, "object", "objects")+": "+uncheckedName(&kinds[i]))
	}
	p.KindsLeft = len(kinds) - len(p.Kinds)
	const mostUnreadable = 200
	p.Unreadable = sum.Unreadable[:min(len(sum.Unreadable), mostUnreadable)]
	p.UnreadableLeft = len(sum.Unreadable) - len(p.Unreadable)
	slices.SortStableFunc(h.groups, func(a, b *htmlGroup) int {
		if a.Severity != b.Severity {
			x, _ := rules.ParseSeverity(a.Severity)
			y, _ := rules.ParseSeverity(b.Severity)
			return int(y) - int(x)
		}
		return len(b.Findings) - len(a.Findings)
	})
	page := webpage.Page{Title: "kubevet: " + p.Verdict, Template: htmlTemplate, Content: p, Version: quote.Text(h.o.ToolVersion),
		Funcs: template.FuncMap{"upper": sentenceOf, "within": quote.Within}}
	return page.Write(h.w)
}

var severityTitles = map[rules.Severity]string{rules.Error: "Errors", rules.Warning: "Warnings", rules.Info: "Info", rules.Preview: "Preview"}

var severityNotes = map[rules.Severity]string{
	rules.Error: "refused or broken on the target", rules.Warning: "works, and should change", rules.Info: "worth knowing", rules.Preview: "likely, not certain",
}

// sentenceOf returns a phrase with a capital and a full stop.
func sentenceOf(s string) string {
	s = show(s)
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
