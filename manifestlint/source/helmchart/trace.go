package helmchart

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules"
)

// scalar returns the text that a template writes for a value.
func scalar(v any) string { return fmt.Sprint(v) }

// hop is one step from the output to its origin: a template node that wrote the
// text, and an offset in the node's file.
type hop struct {
	node *node
	from int
	// to is the offset of the action's end. For a text, it equals from.
	to int
}

// origin has the templates, values or files that wrote a part of the output.
type origin struct {
	// hops begin with the template file and end with the innermost helper.
	hops []hop
	// value is the position of the value that the innermost hop writes; nil if
	// unknown.
	value *location
	// file is the chart's file whose text an action wrote; nil for none. at is
	// the offset in the file.
	file *file
	at   int
}

// recordedOutput returns the recording of the rendering and its part for one
// output. Both are nil if the output cannot be traced.
func (r *Rendering) recordedOutput(out *Output) (*recording, *templateOutput) {
	if !out.traceable {
		return nil, nil
	}
	rec := r.recordings.get(r)
	if rec == nil {
		return nil, nil
	}
	return rec, rec.bodies[out.key]
}

// Move changes the position of a finding from the output to a file that the
// user can edit, and reports whether the new position is exact. If the position
// cannot be traced, the finding gets the template's file and no line.
func (r *Rendering) Move(out *Output, f *rules.Finding) bool {
	if r.traces != nil && out.traceable {
		return r.traces.move(out, f)
	}
	f.File, f.Document = out.Template, 0
	text := out.Text
	line, column, endLine, endColumn := f.Line, f.Column, f.EndLine, f.EndColumn
	f.Line, f.Column, f.EndLine, f.EndColumn = 0, 0, 0, 0
	for i := range f.Related { // their positions are in the same output
		r.moveRelated(out, &f.Related[i])
	}
	rec, body := r.recordedOutput(out)
	if body == nil || line == 0 {
		return false
	}
	start := body.lines.offset(text, line, max(column, 1))
	end := start
	if endLine > 0 {
		end = max(start, body.lines.offset(text, endLine, max(endColumn, 1)))
	}
	from := rec.findOrigin(body, start)
	if len(from.hops) == 0 {
		return false
	}
	last := from.hops[len(from.hops)-1]
	place := last.node.template.span(last.from, last.to)
	if last.from == last.to { // in a text, the finding ends at the same place as in the output
		place = last.node.template.span(last.from, rec.endOf(body, last, end))
	}
	outer := from.hops[:len(from.hops)-1]
	if from.file != nil {
		place, outer = rec.fileSpan(from.file, from.at), from.hops
	}
	f.File, f.Line, f.Column, f.EndLine, f.EndColumn = place.place, place.line, place.column, place.endLine, place.endColumn
	f.Message = rec.moveLines(out, body, f)
	if from.value == nil && last.node.pipe == nil {
		// A template wrote the beginning of the line. A value may be a part of the
		// line.
		from.value = rec.valueWithin(body, start, end)
	}
	if from.value != nil {
		v := from.value
		f.Related = append(f.Related, rules.Related{File: v.place, Line: v.line, Column: v.column, EndLine: v.endLine, EndColumn: v.endColumn, Message: "the value is from here"})
	}
	for _, h := range slices.Backward(outer) {
		s := h.node.template.span(h.from, h.to)
		f.Related = append(f.Related, rules.Related{File: s.place, Line: s.line, Column: s.column, EndLine: s.endLine, EndColumn: s.endColumn, Message: "included here"})
	}
	return true
}

// origin returns the template position of a line of the output; the zero value
// if unknown.
func (r *Rendering) origin(out *Output, line int) location {
	if r.traces != nil && out.traceable {
		return r.traces.origin(out, line)
	}
	rec, body := r.recordedOutput(out)
	if body == nil {
		return location{}
	}
	at := body.lines.offset(out.Text, line, 1)
	at += len(out.Text[at:]) - len(strings.TrimLeft(out.Text[at:], " \t"))
	from := rec.findOrigin(body, at)
	if len(from.hops) == 0 {
		return location{}
	}
	h := from.hops[len(from.hops)-1]
	return h.node.template.span(h.from, h.to)
}

// lineNumber matches a line number in a finding's message.
var lineNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bon line (\d+)\b`) })

// moveLines returns the message of a finding, with line numbers of templates
// instead of the output. The finding's position was already moved.
func (r *recording) moveLines(out *Output, body *templateOutput, f *rules.Finding) string {
	if f.Rule != "duplicatekey" {
		return f.Message // messages of other rules have no line, or quote the output
	}
	return lineNumber().ReplaceAllStringFunc(f.Message, func(match string) string {
		line := number(strings.TrimPrefix(match, "on line "))
		at := body.lines.offset(out.Text, line, 1)
		at += len(out.Text[at:]) - len(strings.TrimLeft(out.Text[at:], " \t"))
		from := r.findOrigin(body, at)
		if len(from.hops) == 0 {
			return "on another line"
		}
		last := from.hops[len(from.hops)-1]
		s := last.node.template.span(last.from, last.to)
		if s.place != f.File {
			return fmt.Sprintf("in %s on line %d", s.place, s.line)
		}
		return fmt.Sprintf("on line %d", s.line)
	})
}

// moveRelated changes a related position of a finding like Move.
func (r *Rendering) moveRelated(out *Output, p *rules.Related) {
	line, column := p.Line, p.Column
	p.File, p.Line, p.Column, p.EndLine, p.EndColumn = out.Template, 0, 0, 0, 0
	rec, body := r.recordedOutput(out)
	if body == nil || line == 0 {
		return
	}
	from := rec.findOrigin(body, body.lines.offset(out.Text, line, max(column, 1)))
	if len(from.hops) == 0 {
		return
	}
	last := from.hops[len(from.hops)-1]
	s := last.node.template.span(last.from, last.to)
	p.File, p.Line, p.Column, p.EndLine, p.EndColumn = s.place, s.line, s.column, s.endLine, s.endColumn
}

// pieceAt returns the piece of output that contains an offset.
func (e *templateOutput) pieceAt(off int) *piece {
	n, ok := slices.BinarySearchFunc(e.pieces, off, func(p piece, off int) int { return p.from - off })
	if !ok {
		n--
	}
	if n < 0 || n >= len(e.pieces) {
		return nil
	}
	return &e.pieces[n]
}

// maxHops is the largest number of templates between the output and its origin.
const maxHops = 40

// findOrigin finds the origin of the text at an offset in a template's output.
func (r *recording) findOrigin(e *templateOutput, off int) origin {
	var o origin
	for len(o.hops) < maxHops {
		p := e.pieceAt(off)
		if p == nil {
			return o
		}
		n := &r.program.nodes[p.node]
		if n.pipe == nil {
			at := n.pos + off - p.from
			o.hops = append(o.hops, hop{n, at, at})
			return o
		}
		o.hops = append(o.hops, hop{n, n.pos, n.end})
		next, at := r.findProduct(p, off-p.from, &o)
		if next == nil {
			if o.value == nil {
				if o.file, o.at = r.fileOf(n, p, off-p.from); o.file == nil {
					o.value = r.valueOf(n, p, off-p.from)
				}
			}
			return o
		}
		e, off = next, at
	}
	return o
}

// findProduct finds the product that wrote the byte at an offset of the piece's
// text. If it is the output of a helper, findProduct returns the helper's
// execution and the offset in its output. If it is the YAML of a value,
// findProduct sets o.value and returns nil.
func (r *recording) findProduct(p *piece, at int, o *origin) (*templateOutput, int) {
	written := p.text
	const maxSearched = 200
	for i := p.products - 1; i >= 0 && i >= p.products-maxSearched; i-- {
		m := &r.products[i]
		in, ok := align(written, at, m.text)
		if !ok {
			continue
		}
		if m.helper != nil {
			return m.helper, in
		}
		prefix, ok := r.values.path(m.value)
		if !ok {
			continue
		}
		line := strings.Count(m.text[:in], "\n")
		if path, ok := pathAtLine(m.text, line); ok {
			full := append(prefix[:len(prefix):len(prefix)], path...)
			if s, ok := r.values.find(full, valueAt(m.value, path)); ok {
				o.value = &s
				return nil, 0
			}
		}
	}
	return nil, 0
}

// fileOf returns the file of the chart that an action wrote, and the offset in
// the file; nil for none.
func (r *recording) fileOf(n *node, p *piece, at int) (*file, int) {
	if !strings.Contains(p.text, "\n") || !strings.Contains(n.pipe.String(), "Files") {
		return nil, 0
	}
	for _, f := range r.files {
		if in, ok := align(p.text, at, string(f.data)); ok {
			return f, in
		}
	}
	return nil, 0
}

// valueAt returns the value at a path in v; nil if the path does not exist.
func valueAt(v any, path []string) any {
	for _, step := range path {
		if table, ok := asMap(v); ok {
			v = table[step]
			continue
		}
		list, ok := v.([]any)
		var i int
		if !ok {
			return nil
		}
		if _, err := fmt.Sscanf(step, "[%d]", &i); err != nil || i < 0 || i >= len(list) {
			return nil
		}
		v = list[i]
	}
	return v
}

// valueOf returns the position of the value that an action wrote at an offset;
// nil if unknown.
func (r *recording) valueOf(n *node, p *piece, at int) *location {
	lines, line, _ := splitLines(p.text, at)
	written := p.text
	if len(lines) > 1 {
		written = lines[line].text
	}
	for _, f := range r.refs(n, p) {
		if text, ok := f.value.(string); ok && strings.Contains(strings.TrimSpace(text), "\n") {
			// The value is a text of several lines, or a template that the action ran
			// with tpl.
			if in, ok := align(p.text, at, text); ok {
				if s, ok := r.values.findLine(f.path, text, strings.Count(text[:in], "\n")); ok {
					return &s
				}
			}
			continue
		}
		if !f.mayBeIn(written) && !f.mayBeIn(p.text) {
			continue
		}
		path, value := f.path, f.value
		if rest, scalar := onlyScalar(value, trimLine(written)); rest != nil {
			path, value = append(path[:len(path):len(path)], rest...), scalar
		}
		if s, ok := r.values.find(path, value); ok {
			return &s
		}
	}
	return nil
}

// onlyScalar returns the path and the value of the scalar in v that is written
// as want. Both are nil unless v has exactly one such scalar.
func onlyScalar(v any, want string) (path []string, value any) {
	n := 0
	var walk func(v any, at []string)
	walk = func(v any, at []string) {
		if table, ok := asMap(v); ok {
			for k, e := range table {
				walk(e, append(at[:len(at):len(at)], k))
			}
			return
		}
		if list, ok := v.([]any); ok {
			for i, e := range list {
				walk(e, append(at[:len(at):len(at)], listIndex(i)))
			}
			return
		}
		if v != nil && len(at) > 0 && scalar(v) == want {
			n++
			path, value = at, v
		}
	}
	nodes := 10_000
	if want == "" || !countNodes(v, &nodes) {
		return nil, nil
	}
	if walk(v, nil); n != 1 {
		return nil, nil
	}
	return path, value
}

// maxLooked is the largest number of words of a span that are traced.
const maxLooked = 40

// valueWithin returns the position in a values file of the first value that
// wrote a part of e between the offsets start (included) and end (excluded);
// nil for none.
func (r *recording) valueWithin(e *templateOutput, start, end int) *location {
	end = min(end, len(e.text))
	searched := 0
	for off := start; off < end && searched < maxLooked; off++ {
		// A piece of output can begin in the middle of a line, but a value begins
		// at the beginning of a word.
		if off > start && !strings.ContainsRune(" \t\n\"':/-.@=", rune(e.text[off-1])) {
			continue
		}
		searched++
		if o := r.findOrigin(e, off); o.value != nil {
			return o.value
		}
	}
	return nil
}

// endOf returns the offset in a template file at which a finding ends. The
// finding begins at from in this file, and ends at the offset end in the
// output. Without a better position, the result is from.from.
func (r *recording) endOf(e *templateOutput, from hop, end int) int {
	if end == 0 {
		return from.from
	}
	o := r.findOrigin(e, end-1)
	if len(o.hops) == 0 {
		return from.from
	}
	last := o.hops[len(o.hops)-1]
	if last.node.template != from.node.template {
		// A helper wrote the end. The finding ends at the action that calls the
		// helper.
		for _, h := range o.hops {
			if h.node.template == from.node.template && h.to > from.from {
				return h.to
			}
		}
		return from.from
	}
	if last.node.pipe == nil {
		return max(from.from, last.to+1)
	}
	return max(from.from, last.to)
}
