package manifestlint

import (
	"bytes"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Change is how an object is changed so that a finding about it is fixed.
type Change struct {
	// Message says what is done, as a command.
	Message string
	// Safe reports whether it can be done unseen.
	Safe bool
	// Steps lead from the object to the one that has no such finding. There
	// are none where a human must decide first.
	Steps []conversion.Step
	// Object is what the steps make of the object, if that is known; nil: they are
	// made to know it.
	Object *wire.Value
	// Notes are sentences: what a human must decide, or should look at.
	Notes []string
}

// notFixed begins the note that says why the text was left alone although
// there are steps.
const notFixed = "kubevet cannot write it: "

// maxFixing bounds what is read to fix the findings of one document, in
// bytes: each fix reads its object's text a few times.
const maxFixing = 128 << 20

// editable is the text that the objects being judged stand in.
type editable struct {
	// data begins at line and column of the input; nil: nobody can edit it.
	data         []byte
	line, column int
	json         bool
	// root is the tree of data, where it was parsed to find objects in it.
	root *wire.Value
	// within is set where data is a string of another document.
	within *within
	// seenAt is a place in the input, or none, and seen its offset: places are
	// mostly asked for in ascending order.
	seenAt wire.Pos
	seen   int
	// left is what may still be read to fix it.
	left int
}

// fix gives the findings of a check about an object, those from start on,
// their fixes.
func (j *judge) fix(in *Input, p *Pass, c *Check, r *result, start int) {
	if c.Fix == nil || !j.l.opts.Fixes || start >= len(r.findings) {
		return
	}
	with := *p.Object
	q := *p
	q.Object = &with
	q.Target = j.l.opts.Target // and not the part of it that an input is for
	for i := start; i < len(r.findings); i++ {
		f := &r.findings[i]
		change, ok := c.Fix(&q, f)
		if !ok {
			continue
		}
		f.Notes = append(f.Notes, change.Notes...)
		if len(change.Steps) == 0 {
			continue
		}
		if !j.l.opts.FixEdits && in.Trace == nil { // of what was rendered, the edits decide whether there is a fix
			f.Fix = &rules.CodeFix{Message: change.Message, Safe: change.Safe}
			continue
		}
		edits, err := j.edits(&with, f.File, &change)
		var refusal *fix.Refusal
		switch {
		case errors.As(err, &refusal):
			f.Notes = append(f.Notes, notFixed+refusal.Reason)
		case err == nil && len(edits) > 0:
			f.Fix = &rules.CodeFix{Message: change.Message, Safe: change.Safe, Edits: edits}
		}
	}
}

// edits gives the edits of a file that make the steps of a change on an object.
func (j *judge) edits(o *Object, file string, r *Change) ([]rules.Edit, error) {
	steps := r.Steps
	if e, ok := j.versionEdit(o, file, steps); ok {
		return []rules.Edit{e}, nil
	}
	text, at, path, err := j.source.of(o)
	if err != nil {
		return nil, err
	}
	if j.source.left -= len(text) * (len(steps) + 2); j.source.left < 0 {
		return nil, &fix.Refusal{Reason: "the document is too large"}
	}
	edits, err := j.textFixer().edits(fix.Document{Text: text, JSON: j.source.json, At: path, Line: at.Line, Want: r.Object}, steps)
	if err != nil {
		return nil, err
	}
	if j.source.within != nil {
		return j.source.within.edits(file, text, at.Line, edits)
	}
	all := make([]rules.Edit, 0, len(edits))
	for _, e := range edits {
		from, to := placeIn(text, at, e.Start), placeIn(text, at, e.End)
		all = append(all, rules.Edit{File: file, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: e.New})
	}
	return all, nil
}

// textFixer returns what edits texts.
func (j *judge) textFixer() *fixer {
	if j.fixer == nil {
		j.fixer = newFixer()
	}
	return j.fixer
}

// versionEdit is the edit of the many objects of which only the apiVersion
// changes, where it stands as a plain scalar of the file's own text. No layout is
// needed to tell that another word in its place is all that changes: not where
// an anchor might share it.
func (j *judge) versionEdit(o *Object, file string, steps []conversion.Step) (e rules.Edit, ok bool) {
	t := &j.source
	if len(steps) != 1 || t.data == nil || t.within != nil || t.json || o.Embedded != "" || o.Listed || bytes.IndexByte(t.data, '&') >= 0 {
		return e, false
	}
	s, at := &steps[0], o.APIVersionAt
	if s.Op != conversion.Set || !slices.Equal(s.Path, conversion.Fields("apiVersion")) || s.Value == nil || s.Value.Kind != wire.String ||
		at.Pos.Line != at.End.Line || at.End.Column-at.Pos.Column != utf8.RuneCountInString(o.APIVersion) || !plainVersion(s.Value.Text) {
		return e, false
	}
	start, ok := t.offset(at.Pos)
	if !ok || !bytes.HasPrefix(t.data[start:], []byte(o.APIVersion)) {
		return e, false
	}
	return rules.Edit{File: file, Line: at.Pos.Line, Column: at.Pos.Column, EndLine: at.End.Line, EndColumn: at.End.Column, New: s.Value.Text}, true
}

// plainVersion reports whether an apiVersion is a plain scalar in YAML as it
// stands, which it is if it begins with a letter and has no odd character.
func plainVersion(v string) bool {
	for i, c := range []byte(v) {
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || c != '.' && c != '/' && c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(v) > 1
}

var (
	errNoText = &fix.Refusal{Reason: "its text is not in a file"}
	errListed = &fix.Refusal{Reason: "its list says what it is"}
)

// of gives the text that an object is, as a document of its own, and where it
// begins; of an item of a list in brackets, the whole text and the item's path.
func (t *editable) of(o *Object) ([]byte, wire.Pos, conversion.Path, error) {
	begin := wire.Pos{Line: t.line, Column: t.column}
	switch {
	case t.data == nil, o.Embedded != "" && t.within == nil:
		return nil, begin, nil, errNoText
	case !o.Listed:
		return t.data, begin, nil, nil
	case o.Root.Get("apiVersion") == nil || o.Root.Get("kind") == nil:
		return nil, begin, nil, errListed
	}
	start, ok := t.offset(o.Root.Pos)
	if !ok {
		return nil, begin, nil, errNoText
	}
	if t.json {
		end, ok := t.offset(o.Root.End)
		if !ok || end < start {
			return nil, begin, nil, errNoText
		}
		return t.data[start:end], o.Root.Pos, nil, nil
	}
	if text := itemText(t.data, start); text != nil {
		return text, wire.Pos{Line: o.Root.Pos.Line, Column: 1}, nil, nil
	}
	if path, ok := itemPath(t.root, o.Root, 0); ok {
		return t.data, begin, path, nil
	}
	return nil, begin, nil, errNoText
}

// itemPath gives the path of an item in a list, or in a list of lists.
func itemPath(list, item *wire.Value, depth int) (conversion.Path, bool) {
	items := list.Get("items")
	if items == nil || depth > maxListDepth {
		return nil, false
	}
	for i, v := range items.Items {
		if v == item {
			return conversion.Fields("items").Item(i), true
		}
		if rest, ok := itemPath(v, item, depth+1); ok {
			return slices.Concat(conversion.Fields("items").Item(i), rest), true
		}
	}
	return nil, false
}

// itemText gives the lines of a list's item, whose map begins at start, as a
// document: with white space for the dash. It is nil where the item is not
// written as a block.
func itemText(data []byte, start int) []byte {
	from := bytes.LastIndexByte(data[:start], '\n') + 1
	lead := data[from:start]
	if len(bytes.Trim(lead, " -")) > 0 || start >= len(data) || data[start] == '{' || data[start] == '&' || data[start] == '!' {
		return nil
	}
	end := document.LineEnd(data, start)
	for end < len(data) {
		line := data[end:document.LineEnd(data, end)]
		rest := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(rest)) > 0 && len(line)-len(rest) < len(lead) {
			break
		}
		end += len(line)
	}
	text := bytes.Clone(data[from:end])
	for i := range lead {
		text[i] = ' '
	}
	return text
}

// offset gives the offset in the text of a place in the input.
func (t *editable) offset(at wire.Pos) (int, bool) {
	off, line := 0, t.line
	column := t.column
	if s := t.seenAt; s.Line > 0 && (s.Line < at.Line || s.Line == at.Line && s.Column <= at.Column) {
		off, line, column = t.seen, s.Line, s.Column
	}
	for ; line < at.Line; line++ {
		n := document.LineEnd(t.data, off)
		if n == len(t.data) {
			return 0, false
		}
		off, column = n, 1
	}
	for ; column < at.Column; column++ {
		if off >= len(t.data) {
			return 0, false
		}
		_, size := utf8.DecodeRune(t.data[off:])
		off += size
	}
	if line != at.Line || column != at.Column {
		return 0, false
	}
	t.seen, t.seenAt = off, at
	return off, true
}

// placeIn gives the place in the input of an offset in a text that begins at
// another.
func placeIn(text []byte, begin wire.Pos, off int) wire.Pos {
	line := bytes.Count(text[:off], []byte{'\n'})
	start := bytes.LastIndexByte(text[:off], '\n') + 1
	column := utf8.RuneCount(text[start:off]) + 1
	if line == 0 {
		column += begin.Column - 1
	}
	return wire.Pos{Line: begin.Line + line, Column: column}
}

// shiftFix moves the edits of a fix down. The fix may be shared.
func shiftFix(fix *rules.CodeFix, lines int) *rules.CodeFix {
	if fix == nil {
		return nil
	}
	moved := *fix
	moved.Edits = slices.Clone(fix.Edits)
	for i := range moved.Edits {
		moved.Edits[i].Line += lines
		moved.Edits[i].EndLine += lines
	}
	return &moved
}
