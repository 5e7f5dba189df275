package fix

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// A step touches few lines of a text. Only they are read and laid out anew,
// where that is certain to be the same as reading everything:
//
//   - They are all the lines of some entries of a block collection, with the
//     blank lines and comments below them. What comes before is therefore as it
//     was, and the line behind them, if there is one, begins an entry of that
//     collection or of one around it, as it did: it is indented no further than
//     they are.
//   - They still begin with such an entry, at the same column, and are nothing but
//     entries of that collection; or nothing is left of them, but other entries.
//     So they end neither what is open before them nor leave anything open that
//     the line behind them would go on with.
//   - They had no anchors, and have neither anchors nor aliases now. Nothing around
//     them has an anchor, merge keys or complex keys, and no field gets a name
//     that another of its map has.
//
// FuzzFollow holds it to that.

// follow makes edits, which are sorted and do not overlap, and lays out the
// text that they make: now. Those that are so many bytes apart are made one after
// the other. It reports false where the whole text must be read, and is of no more
// use then.
func (l *layout) follow(d *Document, made []Edit, now []byte, apart int) bool {
	if l.json {
		return l.followJSON(made, now)
	}
	if d.Entries == nil || l.oddLines {
		return false
	}
	// Of a large text between two edits, nothing needs to be read.
	for i := len(made) - 1; i > 0; i-- {
		if made[i].Start-made[i-1].End < apart {
			continue
		}
		r := l.room
		r.between[0], r.between[1] = r.between[1], append(append(r.between[0][:0], l.text[:made[i].Start]...), now[made[i].Start+lengthened(made[:i]):]...)
		if !l.followNear(d, made[i:], r.between[1]) {
			return false
		}
		made = made[:i]
	}
	return l.followNear(d, made, now)
}

// farApart is how far two edits are apart, in bytes, that are followed one
// after the other.
const farApart = 1 << 11

// lengthened gives by how much edits make a text longer.
func lengthened(edits []Edit) int {
	n := 0
	for i := range edits {
		n += len(edits[i].New) - (edits[i].End - edits[i].Start)
	}
	return n
}

// followNear is follow for edits that are close to each other.
func (l *layout) followNear(d *Document, made []Edit, now []byte) bool {
	from, to, by := made[0].Start, made[len(made)-1].End, len(now)-len(l.text)
	s, ok := l.stretch(from, to, now, by)
	if !ok || !l.plain && !s.plain() {
		return false
	}
	if below := l.block(&s); to < below {
		return l.followKey(d, &s, below, now)
	}
	lines := now[s.from : s.to+by]
	list := s.in.shape == sequence
	line := l.lineOf(s.from)
	v := &wire.Value{}
	if len(lines) > 0 {
		if !begins(lines, s.column) || s.to+by < len(now) && lines[len(lines)-1] != '\n' {
			return false
		}
		v = d.Entries(lines, line+1, s.column, list)
		if v == nil || list != (v.Kind == wire.List) || v.Pos != (wire.Pos{Line: line + 1, Column: s.column + 1}) {
			return false
		}
	}
	if !l.fits(&s, v) {
		return false
	}
	for i := s.first; i <= s.last; i++ {
		l.tallyEntry(s.in, &s.in.entries[i], -1)
	}
	l.replace(line, s.from, s.to, lines, now)
	n := l.room.node()
	n.shape, n.body = s.in.shape, s.from+s.column
	if len(lines) > 0 && !l.entriesOf(n, v) {
		return false
	}
	l.splice(&s, n.entries, by)
	if !l.adjoins(&s) {
		return false
	}
	for i := range n.entries {
		l.tallyEntry(s.in, &s.in.entries[s.first+i], 1)
	}
	l.settle()
	l.spliceTree(&s, v)
	return true
}

// block gives where the first line of the block begins that is the value of the
// only entry of a stretch, and 0 if there is no such block, or its first line is
// that of the key.
func (l *layout) block(s *stretch) int {
	if s.first != s.last || s.in.shape != mapping {
		return 0
	}
	v := s.in.entries[s.first].value
	if v.flow || len(v.entries) == 0 || v.start != v.body || !l.leads(hop{v, 0}) {
		return 0
	}
	return l.lineStart(v.body)
}

// followKey is followNear for edits of the lines of a stretch that stand above the
// block that is its value. It stays the value of a field without one.
func (l *layout) followKey(d *Document, s *stretch, below int, now []byte) bool {
	by := len(now) - len(l.text)
	lines := now[s.from : below+by]
	line := l.lineOf(s.from)
	if !begins(lines, s.column) || lines[len(lines)-1] != '\n' {
		return false
	}
	key := d.Entries(lines, line+1, s.column, false)
	if key == nil || len(key.Fields) != 1 || key.Pos != (wire.Pos{Line: line + 1, Column: s.column + 1}) {
		return false
	}
	f := &key.Fields[0]
	if f.Value.Kind != wire.Null || f.Value.Pos != f.Value.End || !l.fits(s, key) {
		return false
	}
	l.replace(line, s.from, below, lines, now)
	n := l.room.node()
	n.shape, n.body = mapping, s.from+s.column
	if !l.entriesOf(n, key) {
		return false
	}
	e := entry{value: s.in.entries[s.first].value}
	e.shift(by)
	n.entries[0].value = e.value
	in := l.tree
	for _, h := range s.way {
		in = child(in, h.index)
	}
	f.Value = child(in, s.first)
	l.splice(s, n.entries, by)
	l.spliceTree(s, key)
	return l.adjoins(s)
}

// adjoins reports whether there is nothing but white space and comments between
// what a stretch has become and the entry before it, as layout wants it: a text
// may have things there that are in no tree.
func (l *layout) adjoins(s *stretch) bool {
	if !l.parsed || s.first == 0 || s.first == len(s.in.entries) {
		return true
	}
	before := &s.in.entries[s.first-1]
	return l.skip(max(before.keyEnd, before.value.end)) == s.in.entries[s.first].start
}

// fits reports whether the tree can take new entries in the place of others.
func (l *layout) fits(s *stretch, v *wire.Value) bool {
	at := l.tree
	for _, h := range s.way {
		if !alike(h.in, at) {
			return false
		}
		if at = child(at, h.index); at == nil {
			return false
		}
	}
	if !alike(s.in, at) || len(s.in.entries)-(s.last+1-s.first)+len(v.Fields)+len(v.Items) == 0 {
		return false
	}
	return s.in.shape == sequence || !slices.ContainsFunc(v.Fields, s.others(len(v.Fields)))
}

// manyNames is how many comparisons of names take longer than to index them.
const manyNames = 1 << 10

// others gives what tells whether a field has the name of an entry that is not of
// the stretch, to be asked a number of times.
func (s *stretch) others(times int) func(wire.Field) bool {
	before, behind := s.in.entries[:s.first], s.in.entries[s.last+1:]
	if times*(len(before)+len(behind)) > manyNames {
		names := make(map[string]bool, len(before)+len(behind))
		for _, all := range [][]entry{before, behind} {
			for i := range all {
				names[all[i].name] = true
			}
		}
		return func(f wire.Field) bool { return names[f.Name] }
	}
	return func(f wire.Field) bool {
		named := func(e entry) bool { return e.name == f.Name }
		return slices.ContainsFunc(before, named) || slices.ContainsFunc(behind, named)
	}
}

// alike reports whether a value of the tree has the entries of a node.
func alike(n *node, v *wire.Value) bool {
	if n.shape == sequence {
		return v.Kind == wire.List && len(v.Items) == len(n.entries)
	}
	return v.Kind == wire.Map && len(v.Fields) == len(n.entries)
}

// child gives the value of the entry with an index.
func child(v *wire.Value, index int) *wire.Value {
	if v.Kind == wire.List {
		return v.Items[index]
	}
	return v.Fields[index].Value
}

// splice puts entries into the place of those of a stretch, and moves what
// stands behind them.
func (l *layout) splice(s *stretch, entries []entry, by int) {
	for i := s.last + 1; i < len(s.in.entries); i++ {
		s.in.entries[i].shift(by)
	}
	if len(entries) == s.last+1-s.first {
		copy(s.in.entries[s.first:], entries)
	} else {
		s.in.entries = slices.Replace(s.in.entries, s.first, s.last+1, entries...)
	}
	s.in.endAtLast()
	for i := len(s.way) - 1; i >= 0; i-- {
		h := s.way[i]
		for k := h.index + 1; k < len(h.in.entries); k++ {
			h.in.entries[k].shift(by)
		}
		h.in.endAtLast()
	}
}

func (n *node) endAtLast() {
	last := &n.entries[len(n.entries)-1]
	n.end = max(last.value.end, last.keyEnd)
}

// shift moves an entry by a number of bytes.
func (e *entry) shift(by int) {
	e.start += by
	e.keyEnd += by
	v := e.value
	v.start += by
	v.body += by
	v.end += by
	for i := range v.entries {
		v.entries[i].shift(by)
	}
}

// spliceTree does with the tree what splice does with the nodes.
func (l *layout) spliceTree(s *stretch, v *wire.Value) {
	in := s.in.owned(l.slot(s.way))
	if in.Kind == wire.List {
		in.Items = slices.Replace(in.Items, s.first, s.last+1, v.Items...)
	} else {
		in.Fields = slices.Replace(in.Fields, s.first, s.last+1, v.Fields...)
	}
}

// slot gives where in the tree the value stands that a way leads to, to be
// changed.
func (l *layout) slot(way []hop) **wire.Value {
	at := &l.tree
	for _, h := range way {
		if v := h.in.owned(at); v.Kind == wire.List {
			at = &v.Items[h.index]
		} else {
			at = &v.Fields[h.index].Value
		}
	}
	return at
}

// owned gives the value of a node, which stands in a slot, to be changed: if it
// is not the layout's own, a copy.
func (n *node) owned(slot **wire.Value) *wire.Value {
	if !n.own {
		n.own = true
		made := **slot
		made.Fields, made.Items = slices.Clone(made.Fields), slices.Clone(made.Items)
		*slot = &made
	}
	return *slot
}

// plain reports whether there is nothing in a value that could be shared or is
// not edited.
func (n *node) plain() bool {
	return n.shape != alias && n.anchor == "" && !n.tagged &&
		!slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge || e.odd || !e.value.plain() })
}
