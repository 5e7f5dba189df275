package manifestlint

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// anchored is a value that an anchor names. Its place is the anchor's, and what
// is a scalar ends with the anchor's line, as the converter of parsed documents
// has it.
type anchored struct {
	name     string
	v        *wire.Value
	pos, end wire.Pos // the anchor's, and the end of its line
	block    bool     // a block scalar, which ends where it ends
}

// anchor takes note of the anchor that a text begins with: it names what the next
// value becomes.
func (b *builder) anchor(text []byte) {
	n := nameLength(text)
	if n == 0 {
		return // the skimmer calls it irregular
	}
	b.anchors = append(b.anchors, anchored{
		name: b.string(text[1:n]), v: b.value(), pos: b.at(b.offset(text)), end: b.at(len(b.line)),
	})
}

// alias makes the value that an alias stands for a field's or an item's.
func (b *builder) alias(text []byte) {
	name := text[1:max(nameLength(text), 1)]
	i := len(b.anchors) - 1
	for i >= 0 && b.anchors[i].name != string(name) { // the last of its name counts
		i--
	}
	fields, items := len(b.fields)-1, len(b.items)-1
	switch {
	case i < 0:
		b.bad = true // it stands in what is left out
	case fields >= 0 && b.fields[fields].Value == b.slot:
		b.fields[fields].Value = b.anchors[i].v
	case items >= 0 && b.items[items] == b.slot:
		b.items[items] = b.anchors[i].v
	default:
		b.bad = true
	}
}

// blockAnchored takes note that a value is a block scalar.
func (b *builder) blockAnchored(v *wire.Value) {
	last := len(b.anchors) - 1
	if last < 0 || b.anchors[last].v != v {
		return
	}
	b.anchors[last].block = true
	if b.anchors[last].pos.Line != v.Pos.Line {
		b.bad = true // the converter looks for its end from the anchor's line on
	}
}

// placeAnchored gives the values that have anchors their places.
func (b *builder) placeAnchored() {
	for i := range b.anchors {
		a := &b.anchors[i]
		a.v.Pos = a.pos
		switch {
		case a.v.Kind == wire.Map || a.v.Kind == wire.List:
			a.v.End = a.pos
		case !a.block:
			a.v.End = a.end
		}
	}
}
