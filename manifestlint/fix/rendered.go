package fix

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kubevet/kubevet/rules"
)

// Rendered moves fixes of a rendered text to its source file, if the text to
// change is equal in both.
type Rendered struct {
	// Trace moves a finding from the rendered text to the source file.
	Trace func(*rules.Finding) bool
	// Finding is the finding that is fixed, in the rendered text.
	Finding *rules.Finding
	// Source has the lines of the source file. Lines has the lines of the
	// rendered text.
	Source, Lines [][]byte
}

// trace returns the position in the source file of the part of a rendered line
// from column to the column end (excluded).
func (r *Rendered) trace(line, column, end int) *rules.Finding {
	probe := rules.Finding{
		Rule: r.Finding.Rule, File: r.Finding.File, Document: r.Finding.Document, Object: r.Finding.Object,
		Line: line, Column: column, EndLine: line, EndColumn: end,
	}
	r.Trace(&probe)
	return &probe
}

// MoveLines moves a fix that changes whole lines. It returns nil unless these
// lines follow each other in the source file.
func (r *Rendered) MoveLines(fix *rules.CodeFix) *rules.CodeFix {
	moved := &rules.CodeFix{Message: fix.Message}
	file := ""
	for _, e := range fix.Edits {
		from, to := e.Line, e.EndLine
		if e.EndColumn == 1 && to > from {
			to-- // the edit ends with the line before
		}
		if e.Line == e.EndLine && e.Column == e.EndColumn && e.Column == 1 {
			from-- // the edit inserts text between two lines
		}
		first, ok := r.sourceLine(from, &file)
		for line := from + 1; ok && line <= to; line++ {
			next, same := r.sourceLine(line, &file)
			ok = same && next == first+line-from
		}
		if !ok {
			return nil
		}
		e.File = file
		e.Line += first - from
		e.EndLine += first - from
		moved.Edits = append(moved.Edits, e)
	}
	slices.SortFunc(moved.Edits, func(a, b rules.Edit) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for i := 1; i < len(moved.Edits); i++ {
		if a, b := moved.Edits[i-1], moved.Edits[i]; a.EndLine > b.Line || a.EndLine == b.Line && a.EndColumn > b.Column {
			return nil
		}
	}
	e := moved.Edits[0]
	moved.Safe = fix.Safe && len(moved.Edits) == 1 && e.Line == e.EndLine && !bytes.ContainsRune([]byte(e.New), '\n')
	return moved
}

// sourceLine returns the line of the source file that a rendered line comes
// from. The second result is false if the two lines differ, or if the source
// line is not in *file. If *file is empty, it is first set to the file of the
// source line.
func (r *Rendered) sourceLine(line int, file *string) (int, bool) {
	if line < 1 || line > len(r.Lines) {
		return 0, false
	}
	text := bytes.TrimRight(r.Lines[line-1], " \t\r")
	column := len(text) - len(bytes.TrimLeft(text, " ")) + 1
	at := r.trace(line, column, column+1)
	if *file == "" {
		*file = at.File
	}
	if at.File != *file || at.Line < 1 || at.Line > len(r.Source) {
		return 0, false
	}
	return at.Line, len(text) > 0 && bytes.Equal(text, bytes.TrimRight(r.Source[at.Line-1], " \t\r"))
}

// MoveWords moves a fix that replaces parts of lines. Other parts of these
// lines may differ. It returns nil unless the source file contains the replaced
// parts.
func (r *Rendered) MoveWords(fix *rules.CodeFix) *rules.CodeFix {
	moved := &rules.CodeFix{Message: fix.Message, Safe: fix.Safe}
	for _, e := range fix.Edits {
		if e.Line != e.EndLine || e.Column >= e.EndColumn {
			return nil
		}
		at := r.trace(e.Line, e.Column, e.EndColumn)
		end := at.Column + e.EndColumn - e.Column
		words := columns(r.Lines, e.Line, e.Column, e.EndColumn)
		if words == "" || words != columns(r.Source, at.Line, at.Column, end) {
			return nil
		}
		if len(moved.Edits) > 0 && moved.Edits[0].File != at.File {
			return nil
		}
		moved.Edits = append(moved.Edits, rules.Edit{File: at.File, Line: at.Line, Column: at.Column, EndLine: at.Line, EndColumn: end, New: e.New})
	}
	return moved
}

// columns returns the characters of a line from column from (included) to
// column to (excluded); "" if the line is shorter.
func columns(lines [][]byte, line, from, to int) string {
	if line < 1 || line > len(lines) || from < 1 || to < from {
		return ""
	}
	runes := bytes.Runes(lines[line-1])
	if to-1 > len(runes) {
		return ""
	}
	return string(runes[from-1 : to-1])
}
