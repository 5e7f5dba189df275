package manifestlint

import (
	"bytes"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// within is where a text stands that is a string of another document.
type within struct {
	doc   document.Document
	value *wire.Value
}

var errNotLiteral = &fix.Refusal{Reason: "it stands in a string that is not a literal block"}

// edits gives the edit of the input that makes edits of the string's text, part
// of which begins at a line of it. Only of a literal block is the text what is
// written: each of its lines, behind an indentation.
func (w *within) edits(file string, part []byte, line int, edits []fix.Edit) ([]rules.Edit, error) {
	old := []byte(w.value.Text)
	off := 0
	for ; line > 1; line-- {
		off = document.LineEnd(old, off)
	}
	var text []byte
	at := 0
	for _, e := range edits {
		text = append(append(text, old[at:off+e.Start]...), e.New...)
		at = off + e.End
	}
	text = append(text, old[at:]...)

	first := w.value.Pos.Line - w.doc.Line + 1 // of the document: the header
	header := document.Line(w.doc.Data, first)
	if w.value.Pos.Column > len(header) || header[w.value.Pos.Column-1] != '|' {
		return nil, errNotLiteral
	}
	was, is := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(text), "\n")
	if was[len(was)-1] == "" {
		was = was[:len(was)-1]
	}
	if is[len(is)-1] == "" {
		is = is[:len(is)-1]
	}
	indent, nl, ok := w.lines(first, was)
	if !ok {
		return nil, errNotLiteral
	}
	head := 0
	for head < len(was) && head < len(is) && was[head] == is[head] {
		head++
	}
	tail := 0
	for tail < len(was)-head && tail < len(is)-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	var b strings.Builder
	for _, line := range is[head : len(is)-tail] {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			b.WriteString(indent + line)
		}
		b.WriteString(nl)
	}
	e := rules.Edit{
		File: file, New: b.String(),
		Line: w.value.Pos.Line + 1 + head, Column: 1,
		EndLine: w.value.Pos.Line + 1 + len(was) - tail, EndColumn: 1,
	}
	if !w.holds(e, text) {
		return nil, errNotLiteral
	}
	return []rules.Edit{e}, nil
}

// lines gives the indentation and the line break of the block whose header is
// on a line of the document; not ok: its lines are not those of the text.
func (w *within) lines(header int, text []string) (indent, nl string, ok bool) {
	nl = "\n"
	off := 0
	for range header {
		off = document.LineEnd(w.doc.Data, off)
	}
	for i, want := range text {
		end := document.LineEnd(w.doc.Data, off)
		line := string(w.doc.Data[off:end])
		off = end
		if !strings.HasSuffix(line, "\n") {
			return "", "", false // the end of the input: nothing can follow
		}
		if strings.HasSuffix(line, "\r\n") {
			nl = "\r\n"
		}
		line, want = strings.TrimRight(line, "\r\n"), strings.TrimRight(want, "\r\n")
		if want == "" && strings.TrimSpace(line) == "" {
			continue
		}
		if indent == "" && i >= 0 {
			indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
			if extra := len(want) - len(strings.TrimLeft(want, " ")); extra < len(indent) {
				indent = indent[:len(indent)-extra]
			}
		}
		if line != indent+want {
			return "", "", false
		}
	}
	return indent, nl, indent != ""
}

// holds reports whether the document, once it is edited, has the text where it
// had the string.
func (w *within) holds(e rules.Edit, text []byte) bool {
	from, to := 0, 0
	for line := w.doc.Line; line < e.EndLine; line++ {
		if line < e.Line {
			from = document.LineEnd(w.doc.Data, from)
		}
		to = document.LineEnd(w.doc.Data, to)
	}
	now := bytes.Join([][]byte{w.doc.Data[:from], w.doc.Data[to:]}, []byte(e.New))
	trees, failed := yamltree.Parse(now, w.doc.Line)
	if failed != nil || len(trees) != 1 {
		return false
	}
	var at *wire.Value
	var find func(*wire.Value)
	find = func(v *wire.Value) {
		if v.Pos == w.value.Pos && v.Kind == wire.String {
			at = v
		}
		for i := range v.Fields {
			find(v.Fields[i].Value)
		}
		for _, item := range v.Items {
			find(item)
		}
	}
	find(trees[0].Root)
	return at != nil && at.Text == string(text)
}
