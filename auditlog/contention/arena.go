package contention

import "encoding/binary"

// pageSize is how much an arena takes at a time; nothing in it is larger.
const pageSize = 1 << 16

// arena keeps byte strings one behind the other, without a pointer to any of
// them, so that a million of them cost the garbage collector nothing. The zero
// value is empty.
type arena struct {
	pages [][]byte
	size  int // of all that was added
}

// add keeps b, of at most pageSize bytes, and gives where it is.
func (a *arena) add(b []byte) uint32 {
	last := len(a.pages) - 1
	if last < 0 || len(a.pages[last])+len(b) > pageSize {
		a.pages = append(a.pages, make([]byte, 0, pageSize))
		last++
	}
	at := len(a.pages[last])
	a.pages[last] = append(a.pages[last], b...)
	a.size += len(b)
	return uint32(last*pageSize + at)
}

// from gives what begins at a place that add gave, and all that is behind it.
func (a *arena) from(at uint32) reader { return reader{a.pages[at/pageSize][at%pageSize:]} }

// reader reads what was written to an arena, and so never ends too early.
type reader struct{ b []byte }

func (r *reader) uint() uint64 {
	n, size := binary.Uvarint(r.b)
	r.b = r.b[size:]
	return n
}

func (r *reader) int() int64 {
	n, size := binary.Varint(r.b)
	r.b = r.b[size:]
	return n
}

func (r *reader) fixed32() uint32 {
	n := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return n
}

func (r *reader) fixed() uint64 {
	n := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return n
}

func (r *reader) byte() byte {
	x := r.b[0]
	r.b = r.b[1:]
	return x
}
