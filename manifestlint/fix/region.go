package fix

import (
	"bytes"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// column gives the indentation of an entry of a block: where its key or dash
// stands on its line.
func (l *layout) column(h hop) (int, error) {
	start := h.entry().start
	from := l.lineStart(start)
	if len(bytes.Trim(l.text[from:start], " -")) > 0 {
		return 0, errLost
	}
	return start - from, nil
}

// leads reports whether an entry is the first thing on its line.
func (l *layout) leads(h hop) bool {
	start := h.entry().start
	return len(bytes.Trim(l.text[l.lineStart(start):start], " ")) == 0
}

// region gives the lines of an entry of a block: from the start of its line,
// or from the entry where it is not the first there, to after the last line
// that belongs to it. Comments that are indented further than the entry belong
// to it as well.
func (l *layout) region(h hop) (from, to int) {
	e := h.entry()
	from = e.start
	if l.leads(h) {
		from = l.lineStart(e.start)
	}
	column := e.start - l.lineStart(e.start)
	to = l.nextLine(max(e.keyEnd, e.value.end))
	if e.value.end > e.keyEnd && e.value.end == len(l.text) {
		return from, to
	}
	for at := to; at < len(l.text); at = l.nextLine(at) {
		line := l.text[at:l.lineEnd(at)]
		rest := bytes.TrimLeft(line, " ")
		if len(rest) == 0 {
			continue
		}
		if rest[0] != '#' || len(line)-len(rest) <= column {
			break
		}
		to = l.nextLine(at)
	}
	return from, to
}

// headFrom gives where the comments begin that stand directly above a line and
// are indented by column.
func (l *layout) headFrom(from, column int) int {
	for from > 0 {
		at := l.lineStart(from - 1)
		line := l.text[at:l.lineEnd(at)]
		rest := bytes.TrimLeft(line, " ")
		if len(rest) == 0 || rest[0] != '#' || len(line)-len(rest) != column {
			break
		}
		from = at
	}
	return from
}

// comments gives the comments between two offsets, without the space around
// them.
func (l *layout) comments(from, to int) []string {
	if l.json || bytes.IndexByte(l.text[from:to], '#') < 0 {
		return nil
	}
	covered := l.scalars(l.root, from, to, nil)
	var all []string
	for at := from; at < to; {
		for len(covered) > 0 && covered[0].End <= at {
			covered = covered[1:]
		}
		if len(covered) > 0 && covered[0].Start <= at {
			at = covered[0].End
			continue
		}
		if l.text[at] == '#' && (at == 0 || space(l.text[at-1])) {
			end := min(l.lineEnd(at), to)
			all = append(all, strings.TrimRight(string(l.text[at:end]), " \t"))
			at = end
			continue
		}
		at++
	}
	return all
}

// scalars gives what of a text is keys and scalars, in order: there a # is
// none of a comment. Of a block scalar's header only the mark is.
func (l *layout) scalars(n *node, from, to int, all []Edit) []Edit {
	if n.end <= from || n.start >= to {
		if len(n.entries) > 0 || n.shape == scalar {
			return all
		}
	}
	if n.shape == scalar {
		if n.quote == '|' || n.quote == '>' {
			return append(all, Edit{Start: min(l.nextLine(n.body), n.end), End: n.end})
		}
		return append(all, Edit{Start: n.start, End: n.end})
	}
	for i := range n.entries {
		e := &n.entries[i]
		if n.shape == mapping {
			all = append(all, Edit{Start: e.start, End: e.keyEnd})
		}
		all = l.scalars(e.value, from, to, all)
	}
	return all
}

// fragment takes the text of an entry's value. With head, the comments above
// it are part of it.
func (l *layout) fragment(h hop, value *wire.Value, head bool) (*fragment, error) {
	e := h.entry()
	v := e.value
	f := &fragment{field: h.in.shape == mapping, shape: v.shape, flow: h.in.flow, quote: v.quote, plain: v.shape == scalar && v.quote == 0}
	if h.in.flow {
		f.commented = l.comments(v.start, v.end) != nil
		f.lines = l.dedent(v.start, v.end, l.indentation(e.start))
		return f, nil
	}
	column, err := l.column(h)
	if err != nil {
		return nil, err
	}
	from, to := l.region(h)
	if head && l.leads(h) && !(h.index == 0 && h.in == l.root) {
		for at := l.headFrom(from, column); at < from; at = l.nextLine(at) {
			f.head = append(f.head, strings.TrimSpace(string(l.text[at:l.lineEnd(at)])))
		}
	}
	onLine := l.lineOf(v.body) == l.lineOf(e.keyEnd-1)
	switch {
	case v.empty():
		return nil, nil
	case !v.flow && len(v.entries) > 0 && (!onLine || h.in.shape == sequence):
		if v.start != v.body && onLine {
			return nil, errLost // - &anchor {…}
		}
		if v.start != v.body {
			return nil, refuse("an anchor or a tag stands before what is moved")
		}
		f.block = true
		base := v.body - l.lineStart(v.body)
		f.relative = base - column
		if !onLine {
			gap := l.comments(e.keyEnd, v.body)
			if len(gap) > 0 && l.text[l.lineStart(v.body)-1] == '\n' {
				if first := l.comments(e.keyEnd, l.lineEnd(e.keyEnd)); len(first) > 0 {
					f.lead = " " + first[0]
					gap = gap[1:]
				}
			}
			f.lines = append(f.lines, gap...)
		}
		f.lines = append(f.lines, l.dedent(v.body, l.endOfLines(to), strings.Repeat(" ", base))...)
		f.commented = len(l.comments(e.keyEnd, to)) > 0
	default:
		f.lines = l.dedent(v.start, v.end, strings.Repeat(" ", column))
		f.commented = len(l.comments(v.start, v.end)) > 0
		if v.quote != '|' && v.quote != '>' {
			end := l.lineEnd(v.end)
			if rest := string(l.text[v.end:end]); strings.TrimSpace(rest) != "" {
				f.trail = strings.TrimRight(rest, " \t\r")
			}
		}
		if below := l.comments(min(l.nextLine(v.end), to), to); len(below) > 0 {
			f.head = append(f.head, below...)
		}
		if above := l.comments(e.keyEnd, v.start); len(above) > 0 {
			f.head = append(f.head, above...)
		}
	}
	return f, nil
}

// endOfLines gives the end of the last line before an offset at which a line
// begins, without its line break.
func (l *layout) endOfLines(to int) int {
	if to > 0 && l.text[to-1] == '\n' {
		to--
		if to > 0 && l.text[to-1] == '\r' {
			to--
		}
	}
	return to
}

// indentation gives the white space that the line of an offset begins with.
func (l *layout) indentation(off int) string {
	from := l.lineStart(off)
	at := from
	for at < len(l.text) && (l.text[at] == ' ' || l.text[at] == '\t') {
		at++
	}
	return string(l.text[from:at])
}

// dedent gives the lines of a piece of the text, those after the first without
// the indentation.
func (l *layout) dedent(from, to int, indentation string) []string {
	lines := strings.Split(string(l.text[from:to]), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
		if i == 0 {
			continue
		}
		n := 0
		for n < len(lines[i]) && n < len(indentation) && lines[i][n] == indentation[n] {
			n++
		}
		lines[i] = lines[i][n:]
	}
	return lines
}
