package manifestlint

import (
	"bytes"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// dropDuplicate gives the fix of a key that is written twice: without the
// earlier one, which does not count. It changes no object, and can be done
// unseen where both say the same. It is nil where the earlier one is not lines
// of its own, or has a comment, which would be lost.
func (j *judge) dropDuplicate(in *Input, d document.Document, t yamltree.Tree, dup *wire.Duplicate) *rules.CodeFix {
	s := &j.source
	if !j.l.opts.Fixes || in.Trace != nil || s.json || s.data == nil || s.within != nil || bytes.IndexByte(d.Data, '&') >= 0 {
		return nil
	}
	if s.left -= 16 * len(d.Data); s.left < 0 { // parsing is slower than editing
		return nil
	}
	from, to, last := entryLines(d.Data, dup.First.Line-d.Line, dup.First.Column-1)
	if from == to || dup.Pos.Line <= last+d.Line {
		return nil
	}
	entry := d.Data[from:to]
	if bytes.HasPrefix(bytes.TrimLeft(entry, " "), []byte("#")) || bytes.Contains(entry, []byte(" #")) || bytes.Contains(entry, []byte("\t#")) {
		return nil
	}
	without := append(bytes.Clone(d.Data[:from]), d.Data[to:]...)
	trees, failed := yamltree.Parse(without, d.Line)
	if failed != nil || len(trees) != 1 || len(trees[0].Duplicates) >= len(t.Duplicates) || !conversion.Equal(trees[0].Root, t.Root) {
		return nil
	}
	return &rules.CodeFix{
		Message: "remove the one that does not count",
		Safe:    conversion.Equal(soleValue(entry, dup.Name), valueAt(t.Root, dup.Pos, 0)),
		Edits:   []rules.Edit{{File: in.Name, Line: dup.First.Line, Column: 1, EndLine: last + d.Line + 1, EndColumn: 1}},
	}
}

// entryLines are the lines of a block mapping's entry: the offsets, and the
// index of the last. There are none where the key does not begin its line at
// the indentation.
func entryLines(data []byte, line, indent int) (from, to, last int) {
	at := 0
	for range line {
		at = document.LineEnd(data, at)
	}
	from = at
	if lead := data[from:min(from+indent, len(data))]; len(lead) < indent || len(bytes.Trim(lead, " ")) > 0 {
		return from, from, line
	}
	to, last = document.LineEnd(data, from), line
	for at, n := to, line+1; at < len(data); n++ {
		end := document.LineEnd(data, at)
		text := bytes.TrimRight(data[at:end], " \t\r\n")
		rest := bytes.TrimLeft(text, " ")
		inside := len(text)-len(rest) > indent ||
			len(text)-len(rest) == indent && (bytes.HasPrefix(rest, []byte("- ")) || bytes.Equal(rest, []byte("-"))) // a list
		switch {
		case len(rest) == 0:
		case inside:
			to, last = end, n
		default:
			return from, to, last
		}
		at = end
	}
	return from, to, last
}

// soleValue is the value of an entry that is all of a text; nil if it is not.
func soleValue(entry []byte, name string) *wire.Value {
	trees, failed := yamltree.Parse(entry, 1)
	if failed != nil || len(trees) != 1 || len(trees[0].Root.Fields) != 1 {
		return nil
	}
	return trees[0].Root.Get(name)
}

// valueAt is the value of the field whose name stands at a place.
func valueAt(v *wire.Value, at wire.Pos, depth int) *wire.Value {
	if v == nil || depth > maxDepthOfPath {
		return nil
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		if f.Pos == at {
			return f.Value
		}
		if found := valueAt(f.Value, at, depth+1); found != nil {
			return found
		}
	}
	for _, item := range v.Items {
		if found := valueAt(item, at, depth+1); found != nil {
			return found
		}
	}
	return nil
}
