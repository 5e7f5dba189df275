package fix

import (
	"bytes"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fromJSON gives the node of a JSON value, which knows where it ends. It asks
// for the places in the order of the text.
func (l *layout) fromJSON(v *wire.Value) (*node, error) {
	start, err := l.offset(v.Pos.Line, v.Pos.Column)
	if err != nil {
		return nil, err
	}
	n := &node{flow: true, start: start, body: start}
	switch v.Kind {
	case wire.Map:
		n.shape = mapping
		for i := range v.Fields {
			f := &v.Fields[i]
			e := entry{name: f.Name}
			if e.start, err = l.offset(f.Pos.Line, f.Pos.Column); err != nil {
				return nil, err
			}
			if e.keyEnd, err = l.offset(f.End.Line, f.End.Column); err != nil {
				return nil, err
			}
			if e.value, err = l.fromJSON(f.Value); err != nil {
				return nil, err
			}
			n.entries = append(n.entries, e)
		}
	case wire.List:
		n.shape = sequence
		for _, item := range v.Items {
			child, err := l.fromJSON(item)
			if err != nil {
				return nil, err
			}
			n.entries = append(n.entries, entry{start: child.start, keyEnd: child.start, value: child})
		}
	case wire.String:
		n.quote = '"'
	}
	if n.end, err = l.offset(v.End.Line, v.End.Column); err != nil {
		return nil, err
	}
	if n.shape == mapping && !l.commas(n) {
		return nil, errLost // a key is set twice: the first is in no tree
	}
	return n, nil
}

// followJSON is follow for JSON: the least map or list whose brackets stay is read
// anew.
func (l *layout) followJSON(made []Edit, now []byte) bool {
	from, to, by := made[0].Start, made[len(made)-1].End, len(now)-len(l.text)
	around, way := l.root, l.room.way[:0]
	for {
		i := entryBefore(around.entries, from)
		if i < 0 {
			break
		}
		v := around.entries[i].value
		if v.shape == scalar || v.start >= from || v.end <= to {
			break
		}
		way = append(way, hop{around, i})
		around = v
	}
	l.room.way = way
	if len(way) == 0 {
		return false
	}
	part := layout{text: now[around.start : around.end+by], json: true, room: l.room}
	part.lines = appendLines([]int{0}, part.text, 0)
	part.ascii = l.ascii && isASCII(part.text)
	tree, err := wire.JSON(part.text)
	if err != nil {
		return false
	}
	n, err := part.fromJSON(tree)
	if err != nil || n.shape == scalar {
		return false
	}
	start := around.start
	l.replace(l.lineOf(start), start, around.end, part.text, now)
	read := entry{value: n}
	read.shift(start)
	*l.slot(way) = tree
	for i := len(way) - 1; i >= 0; i-- {
		h := way[i]
		for k := h.index + 1; k < len(h.in.entries); k++ {
			h.in.entries[k].shift(by)
		}
		h.in.end += by
	}
	last := way[len(way)-1]
	last.entry().value = n
	return true
}

// commas reports whether nothing but a comma and white space is between the
// fields of a JSON map.
func (l *layout) commas(n *node) bool {
	at := n.start + 1
	for _, e := range n.entries {
		if e.start < at || len(bytes.Trim(l.text[at:e.start], " \t\r\n,")) > 0 {
			return false
		}
		at = e.value.end
	}
	return len(bytes.Trim(l.text[at:n.end-1], " \t\r\n,")) == 0
}
