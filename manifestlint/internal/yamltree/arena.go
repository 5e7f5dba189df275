package yamltree

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// arena allocates the parts of a tree in large pieces, which is several times
// faster than one by one. A Reader with Reuse allocates the next tree in the
// same memory.
type arena struct {
	values pieces[wire.Value]
	fields pieces[wire.Field]
	items  pieces[*wire.Value]
}

// pieces allocates slices of zero values from larger slices.
type pieces[T any] struct {
	free []T // the rest of the current piece
	size int // of the next piece
	used int // since the last reset
	kept []T // the piece that is used again
}

// The bounds for the size of a piece, for the size of a piece that is used
// again, and the number of bytes of YAML per value in typical manifests.
const (
	minPiece      = 8
	maxPiece      = 1024
	maxKept       = 1 << 15
	bytesPerValue = 24
)

// begin prepares for the tree of a document of n bytes. Unless reuse is set,
// it leaves the memory to the trees before.
func (a *arena) begin(n int, reuse bool) {
	size := min(max(n/bytesPerValue, minPiece), maxPiece)
	a.values.reset(size, reuse)
	a.fields.reset(size, reuse)
	a.items.reset(size/8, reuse)
}

// take returns n zero values.
func (p *pieces[T]) take(n int) []T {
	if n > len(p.free) {
		p.free = make([]T, max(n, p.size))
	}
	taken := p.free[:n:n]
	p.free = p.free[n:]
	p.used += n
	return taken
}

// reset makes the kept piece free again, or one that is large enough for what
// was taken since the last reset.
func (p *pieces[T]) reset(size int, reuse bool) {
	p.size = size
	switch {
	case !reuse:
		p.kept = nil
	case p.used > len(p.kept) && p.used <= maxKept:
		p.kept = make([]T, p.used)
	default:
		clear(p.kept[:min(p.used, len(p.kept))])
	}
	p.free, p.used = p.kept, 0
}

// copyOf returns a copy of open.
func (p *pieces[T]) copyOf(open []T) []T {
	if len(open) == 0 {
		return nil
	}
	taken := p.take(len(open))
	copy(taken, open)
	return taken
}
