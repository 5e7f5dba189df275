package report

import (
	"bufio"
	"io"

	"github.com/kubevet/kubevet/rules"
)

// text is the format text, the default. It writes one line for each finding, in the form
// that compilers use:
//
//	file:line:column: severity: message (Kind namespace/name) [rule]
//
// Indented lines follow: the source line, a different message of the API server, the
// first related places, and the notes. Verbose adds all related places, the field, the
// replacement, the fix, and the page of the rule (once for each rule). The last line is
// the number of findings that are not printed, if there are any.
type text struct {
	w     *bufio.Writer
	o     Options
	paint paint
	rules map[string]Rule
	// linkedRules has the rules whose page was already printed.
	linkedRules map[string]bool
	notes       noteMemory
	// explainedHidden is true after the text explained what hidden findings are.
	explainedHidden bool
}

func newText(w io.Writer, o Options) Report {
	return &text{
		w: newWriter(w), o: o, paint: paint(o.Color),
		rules: catalogue(o.Rules), linkedRules: map[string]bool{}, notes: noteMemory{},
	}
}

func (t *text) Finding(f rules.Finding) error {
	p := t.paint
	w := t.w
	w.WriteString(p.style(bold, showFile(f.File)+position(&f)))
	w.WriteString(": ")
	w.WriteString(p.style(severityStyle(f.Severity), f.Severity.String()))
	w.WriteString(": ")
	w.WriteString(show(message(&f)))
	if n := notes(&f, t.o.Target, showName); n != "" {
		w.WriteString(p.style(dim, " ("+n+")"))
	}
	w.WriteString(p.style(cyan, " ["+show(f.Rule)+"]"))
	w.WriteByte('\n')
	if t.o.Source != nil && f.Line > 0 {
		if line, ok := t.o.Source(f.File, f.Line); ok {
			writeSnippet(w, &f, line, t.o.Width, p)
		}
	}
	for _, line := range serverLines(&f) {
		t.detail("", line)
	}
	if f.Hidden && !t.explainedHidden {
		t.explainedHidden = true
		t.detail("note: ", "the API server stops at the first value of a wrong type; it reports what this hides after the value is fixed")
	}
	for _, line := range related(&f, t.o.Verbose) {
		t.detail("", line)
	}
	if f.Fix == nil || !f.Fix.Safe || t.o.Verbose {
		for _, note := range f.Notes {
			if !t.o.Verbose {
				note = t.notes.text(note)
			}
			t.detail("note: ", show(note))
		}
	}
	if t.o.Verbose {
		t.detail("field: ", show(f.Path))
		t.detail("instead: ", show(f.Replacement))
		if f.Fix != nil {
			t.detail("fix: ", show(f.Fix.Message))
		}
		if url := t.rules[f.Rule].URL; url != "" && !t.linkedRules[f.Rule] {
			t.linkedRules[f.Rule] = true
			t.detail("see ", show(url))
		}
	}
	// A bufio.Writer keeps its first error, and this call returns it.
	_, err := w.Write(nil)
	return err
}

// detail writes an indented line with a label and a value, unless the value is empty.
func (t *text) detail(label, value string) {
	if value != "" {
		t.w.WriteString(t.paint.style(dim, "    "+label+value))
		t.w.WriteByte('\n')
	}
}

func (t *text) Close(s *rules.Summary) error {
	if line := notPrintedLine(s); line != "" {
		t.w.WriteString(line)
		t.w.WriteByte('\n')
	}
	for _, note := range runNotes(s) {
		t.w.WriteString("note: " + show(note) + "\n")
	}
	return t.w.Flush()
}
