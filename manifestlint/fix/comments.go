package fix

import (
	"bytes"
	"strings"
)

// column returns the column, from 0, in which the entries of a block begin.
func (l *layout) column(r ref) (int, error) {
	start := r.entry().start
	from := l.lineStart(start)
	if len(bytes.Trim(l.src[from:start], " -")) > 0 {
		return 0, errUnsupported
	}
	return start - from, nil
}

// isFirstOnLine reports whether only spaces are before an entry on its line.
func (l *layout) isFirstOnLine(r ref) bool {
	start := r.entry().start
	return len(bytes.Trim(l.src[l.lineStart(start):start], " ")) == 0
}

// entryRange returns the range of an entry of a block. The range begins with
// the entry's line, or with the entry itself if other text is before it on the
// line. It ends with the entry's last line, or with the comments below that are
// indented further than the entry.
func (l *layout) entryRange(r ref) (from, to int) {
	e := r.entry()
	line := l.lineStart(e.start)
	if from = e.start; l.isFirstOnLine(r) {
		from = line
	}
	to = l.nextLine(e.end())
	if e.value.end > e.keyEnd && e.value.end == len(l.src) {
		return from, to
	}
	for at := to; at < len(l.src); at = l.nextLine(at) {
		column, isComment, blank := l.commentLine(at)
		switch {
		case blank:
		case isComment && column > e.start-line:
			to = l.nextLine(at)
		default:
			return from, to
		}
	}
	return from, to
}

// commentLine returns the indentation of the line that begins at an offset, and
// whether the line is a comment or blank.
func (l *layout) commentLine(at int) (column int, isComment, blank bool) {
	line := l.src[at:l.lineEnd(at)]
	rest := bytes.TrimLeft(line, " ")
	return len(line) - len(rest), bytes.HasPrefix(rest, []byte("#")), len(rest) == 0
}

// headStart returns the beginning of the comments directly above a line, if
// they are indented by column. If there are none, it returns from, the
// beginning of the line.
func (l *layout) headStart(from, column int) int {
	for from > 0 {
		at := l.lineStart(from - 1)
		if c, isComment, _ := l.commentLine(at); !isComment || c != column {
			break
		}
		from = at
	}
	return from
}

// comments returns the comments between two offsets, without the space around
// them.
func (l *layout) comments(from, to int) []string {
	if l.json || bytes.IndexByte(l.src[from:to], '#') < 0 {
		return nil
	}
	covered := l.scalars(l.root, from, to, nil)
	var all []string
	for at := from; at < to; {
		for len(covered) > 0 && covered[0].to <= at {
			covered = covered[1:]
		}
		switch {
		case len(covered) > 0 && covered[0].from <= at:
			at = covered[0].to
		case l.src[at] == '#' && (at == 0 || isSpace(l.src[at-1])):
			end := min(l.lineEnd(at), to)
			all = append(all, strings.TrimRight(string(l.src[at:end]), " \t"))
			at = end
		default:
			at++
		}
	}
	return all
}

type extent struct{ from, to int }

// scalars appends the ranges of the keys and scalars in a value, because a # in
// them does not begin a comment. It appends all ranges between the offsets from
// and to, and perhaps others. It leaves out the first line of a block scalar,
// which may have a comment.
func (l *layout) scalars(n *node, from, to int, all []extent) []extent {
	if n.end <= from || n.start >= to {
		return all
	}
	if n.shape == scalar {
		if n.isBlockScalar() {
			return append(all, extent{min(l.nextLine(n.body), n.end), n.end})
		}
		return append(all, extent{n.start, n.end})
	}
	for i := range n.entries {
		e := &n.entries[i]
		if n.shape == mapping {
			all = append(all, extent{e.start, e.keyEnd})
		}
		all = l.scalars(e.value, from, to, all)
	}
	return all
}

// commentLines returns comments as indented lines. to is the end of the whole
// lines that they replace.
func (l *layout) commentLines(comments []string, column, to int) string {
	if len(comments) == 0 {
		return ""
	}
	indent(comments, column)
	return strings.Join(comments, l.nl) + l.breakBefore(to)
}

// breakBefore returns the line break if the character before an offset is one,
// and otherwise "", as at the end of a document without a final line break. A
// text that replaces whole lines up to the offset must end with the result.
func (l *layout) breakBefore(off int) string {
	if off > 0 && l.src[off-1] == '\n' {
		return l.nl
	}
	return ""
}

func spaces(n int) string { return strings.Repeat(" ", n) }
