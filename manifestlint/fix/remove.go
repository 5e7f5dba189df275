package fix

import "strings"

// notes says what becomes of the comments of an entry that is taken out.
type notes uint8

const (
	// keepComments leaves them where they are.
	keepComments notes = iota
	// takeComments takes them out as well: they are written elsewhere.
	takeComments
)

// remove takes out the entry where a way ends.
func (l *layout) remove(w way, n notes) ([]Edit, error) {
	h := w.hops[len(w.hops)-1]
	if h.in.flow {
		return l.removeFlow(h)
	}
	column, err := l.column(h)
	if err != nil {
		return nil, err
	}
	from, to := l.region(h)
	var kept []string
	if n == keepComments {
		kept = l.comments(from, to)
	}
	if n == takeComments && l.leads(h) && !(h.index == 0 && h.in == l.root) {
		from = l.headFrom(from, column)
	}
	if len(h.in.entries) == 1 {
		return l.removeOnly(w, from, to, column, kept)
	}
	if !l.leads(h) {
		if h.index > 0 {
			return nil, errLost
		}
		// The next entry moves up behind the dash.
		next := h.in.entries[1].start
		if n == keepComments {
			kept = l.comments(from, next)
		} else {
			kept = l.comments(min(to, next), next)
		}
		text := ""
		for _, note := range kept {
			text += note + l.nl + strings.Repeat(" ", column)
		}
		return []Edit{{from, next, text}}, nil
	}
	return []Edit{{from, to, l.noteLines(kept, column, to)}}, nil
}

// noteLines gives comments as lines of their own.
func (l *layout) noteLines(kept []string, column, to int) string {
	text := ""
	for i, note := range kept {
		if text += strings.Repeat(" ", column) + note; i+1 < len(kept) {
			text += l.nl
		}
	}
	if len(kept) > 0 {
		text += l.breakAt(to)
	}
	return text
}

// removeOnly takes out the only entry of a block: what is left is {} or [].
func (l *layout) removeOnly(w way, from, to, column int, kept []string) ([]Edit, error) {
	h := w.hops[len(w.hops)-1]
	empty := "{}"
	if h.in.shape == sequence {
		empty = "[]"
	}
	if len(w.hops) < 2 || h.in.start != h.in.body {
		return nil, refuse("nothing would be left of %s", empty)
	}
	outer := w.hops[len(w.hops)-2]
	if outer.in.flow {
		return nil, errLost
	}
	if !l.leads(h) { // - key: value
		if l.lineOf(outer.entry().start) != l.lineOf(h.entry().start) {
			return nil, errLost
		}
		text := empty
		for _, note := range kept {
			text += l.nl + strings.Repeat(" ", column) + note
		}
		return []Edit{{from, to, text + l.breakAt(to)}}, nil
	}
	return []Edit{
		{outer.entry().keyEnd, outer.entry().keyEnd, " " + empty},
		{from, to, l.noteLines(kept, column, to)},
	}, nil
}

// removeFlow takes out an entry in brackets, with one comma.
func (l *layout) removeFlow(h hop) ([]Edit, error) {
	all := h.in.entries
	e := h.entry()
	from, to := e.start, max(e.keyEnd, e.value.end)
	switch {
	case h.index+1 < len(all):
		to = all[h.index+1].start
	case h.index > 0:
		before := all[h.index-1]
		from = max(before.keyEnd, before.value.end)
	default:
		from = h.in.body + 1
		to = h.in.end - 1
	}
	if l.comments(from, to) != nil {
		return nil, refuse("a comment inside of brackets would be lost")
	}
	return []Edit{{from, to, ""}}, nil
}
