package manifestlint

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// room is where the parts of trees are. Most trees are looked at and forgotten:
// their memory serves the next one, which saves most of the work of allocating
// it and of collecting it again. The zero value is ready.
type room struct {
	values slabs[wire.Value]
	fields slabs[wire.Field]
	items  slabs[*wire.Value]
	// held is set where somebody keeps a tree.
	held bool
}

// How many parts of a tree a slab has at most, where its room is used again, and
// where it is not, so that what the last slab has left is lost.
const (
	largeSlab = 1024
	smallSlab = 128
)

// Value, Fields and Items make it the room of a parser.
func (r *room) Value() *wire.Value        { return r.values.one(largeSlab) }
func (r *room) Fields(n int) []wire.Field { return r.fields.some(n, largeSlab) }
func (r *room) Items(n int) []*wire.Value { return r.items.some(n, largeSlab) }

// clear makes room for the next trees: unless they are held, those that were
// made are gone.
func (r *room) clear() {
	if r.held {
		*r = room{}
		return
	}
	r.values.clear()
	r.fields.clear()
	r.items.clear()
}

// hold leaves the trees that were made as they are.
func (r *room) hold() { r.held = true }

// slabs hand out parts of slices. What they hand out is zero.
type slabs[T any] struct {
	now  []T   // the slab in use, as far as it is used
	full [][]T // those before it
	free [][]T // those that are used next
	size int   // of the next one
}

// keptSlabs is how many slabs are used again, so that one large document does
// not take memory for the rest of the run.
const keptSlabs = 16

// clear takes back all that was handed out.
func (s *slabs[T]) clear() {
	for _, slab := range s.full {
		s.take(slab)
	}
	clear(s.full)
	s.full = s.full[:0]
	clear(s.now)
	s.now = s.now[:0]
}

// take takes a slab back.
func (s *slabs[T]) take(slab []T) {
	if len(s.free) < keptSlabs && cap(slab) <= largeSlab {
		clear(slab)
		s.free = append(s.free, slab[:0])
	}
}

// one gives room for one part. A slab has most of them at most.
func (s *slabs[T]) one(most int) *T {
	if len(s.now) == cap(s.now) {
		s.more(1, most)
	}
	s.now = s.now[:len(s.now)+1]
	return &s.now[len(s.now)-1]
}

// some gives room for n parts.
func (s *slabs[T]) some(n, most int) []T {
	if n > cap(s.now)-len(s.now) {
		s.more(n, most)
	}
	from := len(s.now)
	s.now = s.now[:from+n]
	return s.now[from : from+n : from+n]
}

// more begins a slab that has room for n parts.
func (s *slabs[T]) more(n, most int) {
	if cap(s.now) > 0 {
		s.full = append(s.full, s.now)
	}
	if last := len(s.free) - 1; last >= 0 && n <= cap(s.free[last]) {
		s.now = s.free[last]
		s.free[last] = nil
		s.free = s.free[:last]
		return
	}
	s.size = min(max(2*s.size, most/16), most)
	s.now = make([]T, 0, max(n, s.size))
}
