package fix

// room is memory for the layouts of one document after the other.
type room struct {
	nodes   []node
	entries []entry
	lines   []int
	texts   [2][]byte // room for the next text, and the last one
	between [2][]byte // as texts, where a step is made in several
	parts   pieces
	way     []hop
}

// manyNodes and manyBytes are how much room is kept for the next document.
const (
	manyNodes = 1 << 12
	manyBytes = 1 << 18
)

// clear makes the room ready for the next document.
func (r *room) clear() {
	if cap(r.nodes) > manyNodes {
		r.nodes = nil
	}
	if cap(r.entries) > manyNodes {
		r.entries = nil
	}
	if cap(r.lines) > manyNodes {
		r.lines = nil
	}
	for _, texts := range []*[2][]byte{&r.texts, &r.between} {
		for i := range texts {
			if cap(texts[i]) > manyBytes {
				texts[i] = nil
			}
		}
	}
	// What is not used any more must not keep documents alive.
	clear(r.nodes)
	clear(r.entries)
	r.nodes, r.entries = r.nodes[:0], r.entries[:0]
	r.parts.original = nil
	clear(r.parts.list[:cap(r.parts.list)])
	clear(r.parts.spare[:cap(r.parts.spare)])
	clear(r.way[:cap(r.way)])
}

// node makes room for a node, which is zero.
func (r *room) node() *node {
	if len(r.nodes) == cap(r.nodes) {
		r.nodes = make([]node, 0, min(max(32, 2*cap(r.nodes)), manyNodes))
	}
	r.nodes = r.nodes[:len(r.nodes)+1]
	return &r.nodes[len(r.nodes)-1]
}

// list makes room for entries, which are zero.
func (r *room) list(n int) []entry {
	if n == 0 {
		return nil
	}
	if len(r.entries)+n > cap(r.entries) {
		r.entries = make([]entry, 0, max(n, min(max(32, 2*cap(r.entries)), manyNodes)))
	}
	from := len(r.entries)
	r.entries = r.entries[:from+n]
	return r.entries[from : from : from+n]
}

// text writes the text that is being edited as it is now.
func (r *room) text(p *pieces) []byte {
	r.texts[0], r.texts[1] = r.texts[1], p.appendTo(r.texts[0][:0])
	return r.texts[1]
}
