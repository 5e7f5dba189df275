package fix

import (
	"bytes"
	"slices"
)

// stretch is some entries of a block collection and their lines; or none, and
// the place where the line of another one begins.
type stretch struct {
	// way leads to the collection: the entries around it, from the root on.
	way []hop
	in  *node
	// first and last are the entries' indices; last is the one before first where
	// there are none.
	first, last int
	// column is how far they are indented.
	column int
	// from is where their first line begins, to where the first line begins
	// that is not theirs, or the end of the text.
	from, to int
}

// stretch gives the least entries with their lines that hold all the text
// between two offsets, and may hold what has come into its place in a text that
// is longer by a number of bytes. They begin before that text; or where it
// begins, if they still do.
func (l *layout) stretch(from, to int, now []byte, by int) (s stretch, ok bool) {
	begin := l.lineStart(from)
	least, dashes := indentation(now[begin : to+by])
	onLine, gone := begin == from, to+by == from
	fresh, dash := -1, false
	if onLine && !gone {
		fresh, dash = firstOf(now[from : to+by])
	}
	lo, hi := l.bound(from), l.bound(to)
	n, end := l.root, len(l.text)
	way := l.room.way[:0]
	for !n.flow && len(n.entries) > 0 {
		first, last := entryBefore(n.entries, lo), entryBefore(n.entries, hi)
		column := n.entries[0].start - l.lineStart(n.entries[0].start)
		list := n.shape == sequence
		fits := column < least || column == least && (!list || dashes)
		behind := end // where the first line behind them begins
		if last+1 < len(n.entries) {
			behind = l.lineStart(n.entries[last+1].start)
		}
		if next := first + 1; onLine && l.beginsAt(n, next, end, from) &&
			(gone && to == behind && first < last || !gone && fits && column == fresh && list == dash) {
			s, ok = stretch{way: way, in: n, first: next, last: last, column: column, from: from, to: behind}, true
			break
		}
		if first < 0 {
			break
		}
		end = behind
		if h := (hop{n, first}); l.leads(h) {
			if !fits {
				break
			}
			s, ok = stretch{way: way, in: n, first: first, last: last, column: column, from: l.lineStart(h.entry().start), to: end}, true
		}
		if first != last {
			break
		}
		way = append(way, hop{n, first})
		n = n.entries[first].value
	}
	l.room.way = way
	return s, ok
}

// bound gives the offset that an entry begins before if and only if its line
// begins before another.
func (l *layout) bound(off int) int {
	if l.lineStart(off) == off {
		return off
	}
	if n := l.nextLine(off); n < len(l.text) {
		return n
	}
	return len(l.text) + 1
}

// beginsAt reports whether the line of an entry begins at an offset; of the one
// behind the last, the first line that belongs to none, which is at end.
func (l *layout) beginsAt(n *node, index, end, off int) bool {
	if index == len(n.entries) {
		return end == off
	}
	return l.lineStart(n.entries[index].start) == off && l.leads(hop{n, index})
}

// firstOf gives the indentation of the first line, and whether it is an item of
// a list; -1 if it is blank or a comment.
func firstOf(lines []byte) (column int, dash bool) {
	for column < len(lines) && lines[column] == ' ' {
		column++
	}
	if !begins(lines, column) {
		return -1, false
	}
	return column, isDash(lines[column:])
}

// isDash reports whether a text that is not empty begins an item of a list.
func isDash(text []byte) bool { return text[0] == '-' && (len(text) == 1 || space(text[1])) }

// begins reports whether lines begin with something that is indented by a
// number of columns, and that is no comment.
func begins(lines []byte, column int) bool {
	if len(lines) <= column || len(bytes.TrimLeft(lines[:column], " ")) > 0 {
		return false
	}
	switch lines[column] {
	case ' ', '\t', '\r', '\n', '#':
		return false
	}
	return true
}

// indentation gives by how much lines are indented at the least that are
// neither blank nor comments, and whether those are all items of lists.
func indentation(lines []byte) (least int, dashes bool) {
	least = len(lines)
	for len(lines) > 0 {
		column := 0
		for column < len(lines) && lines[column] == ' ' {
			column++
		}
		rest := lines[column:]
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest) - 1
		}
		lines = rest[n+1:]
		if rest = rest[:n+1]; len(rest) == 0 || rest[0] == '#' || rest[0] == '\n' || rest[0] == '\r' || column > least {
			continue
		}
		dashes = isDash(rest) && (dashes || column < least)
		least = column
	}
	return least, dashes
}

// plain reports whether nothing in the entries has an anchor, and nothing is
// shared or written in an odd way around them.
func (s *stretch) plain() bool {
	simple := func(n *node) bool {
		return n.anchor == "" && !n.tagged && !slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge || e.odd })
	}
	for _, h := range s.way {
		if !simple(h.in) {
			return false
		}
	}
	return simple(s.in) && !slices.ContainsFunc(s.in.entries[s.first:s.last+1], func(e entry) bool { return !e.value.plain() })
}

// entryBefore gives the index of the last entry that begins before an offset,
// or -1.
func entryBefore(entries []entry, off int) int {
	lo, hi := 0, len(entries)
	for lo < hi {
		if mid := (lo + hi) / 2; entries[mid].start < off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}
