package fix

// commentRule is what happens to the comments of an entry that is removed.
type commentRule uint8

const (
	// keepComments leaves the comments in the text.
	keepComments commentRule = iota
	// removeComments removes the comments, because the entry is written in
	// another place with them.
	removeComments
)

func (l *layout) remove(t target, rule commentRule) ([]Edit, error) {
	r := t.last()
	if r.in.flow {
		return l.removeFlow(r)
	}
	column, err := l.column(r)
	if err != nil {
		return nil, err
	}
	from, to := l.entryRange(r)
	var kept []string
	if rule == keepComments {
		kept = l.comments(from, to)
	} else if l.isFirstOnLine(r) && !r.isFirst(l.root) {
		from = l.headStart(from, column)
	}
	switch {
	case len(r.in.entries) == 1:
		return l.removeOnly(t, extent{from, to}, column, kept)
	case l.isFirstOnLine(r):
		return []Edit{{from, to, l.commentLines(kept, column, to)}}, nil
	case r.index > 0:
		return nil, errUnsupported
	}
	// The next entry moves to the place after the dash.
	next := r.in.entries[1].start
	if rule == keepComments {
		kept = l.comments(from, next)
	} else {
		kept = l.comments(min(to, next), next)
	}
	text := ""
	for _, comment := range kept {
		text += comment + l.nl + spaces(column)
	}
	return []Edit{{from, next, text}}, nil
}

// removeOnly removes the only entry of a block and leaves {} or []. old is the
// range of the entry's lines, and column their indentation. kept are the
// entry's comments, which stay.
func (l *layout) removeOnly(t target, old extent, column int, kept []string) ([]Edit, error) {
	r := t.last()
	empty := "{}"
	if r.in.shape == sequence {
		empty = "[]"
	}
	if len(t.refs) < 2 || r.in.start != r.in.body {
		return nil, refuse("nothing would be left of %s", empty)
	}
	outer := t.refs[len(t.refs)-2]
	switch {
	case outer.in.flow:
		return nil, errUnsupported
	case l.isFirstOnLine(r):
		key := outer.entry().keyEnd
		return []Edit{{key, key, " " + empty}, {old.from, old.to, l.commentLines(kept, column, old.to)}}, nil
	case l.lineOf(outer.entry().start) != l.lineOf(r.entry().start):
		return nil, errUnsupported
	}
	// The entry is in a list item, such as "- key: value".
	lines := append([]string{empty}, kept...)
	return []Edit{{old.from, old.to, l.join(lines, column) + l.breakBefore(old.to)}}, nil
}

// removeFlow removes an entry in brackets and one comma.
func (l *layout) removeFlow(r ref) ([]Edit, error) {
	all := r.in.entries
	from, to := r.entry().start, r.entry().end()
	switch {
	case r.index+1 < len(all):
		to = all[r.index+1].start
	case r.index > 0:
		from = all[r.index-1].end()
	default:
		from, to = r.in.body+1, r.in.end-1
	}
	if l.comments(from, to) != nil {
		return nil, errCommentLost
	}
	return []Edit{{from, to, ""}}, nil
}
