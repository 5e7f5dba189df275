package yamltree

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// arena allocates the parts of a tree in large pieces, which is several times
// faster than allocating each part. If Reader.Reuse is set, the next tree uses
// this memory again.
type arena struct {
	values pieces[wire.Value]
	fields pieces[wire.Field]
	items  pieces[*wire.Value]
}

// pieces allocates slices of zero values from larger slices.
type pieces[T any] struct {
	free []T // the rest of the current piece
	size int // size of the next piece
	used int // number of values taken since the last reset
	kept []T // piece that is used again for the next tree
}

// minPiece and maxPiece are the smallest and largest size of a piece, in
// values. maxKept is the largest piece that is used again. bytesPerValue is the
// number of bytes of YAML for each value in typical manifests.
const (
	minPiece      = 8
	maxPiece      = 1024
	maxKept       = 1 << 15
	bytesPerValue = 24
)

// begin prepares for the tree of a document of n bytes. If reuse is false,
// earlier trees keep their memory.
func (a *arena) begin(n int, reuse bool) {
	size := min(max(n/bytesPerValue, minPiece), maxPiece)
	a.values.reset(size, reuse)
	a.fields.reset(size, reuse)
	a.items.reset(size/8, reuse)
}

func (p *pieces[T]) take(n int) []T {
	if n > len(p.free) {
		p.free = make([]T, max(n, p.size))
	}
	taken := p.free[:n:n]
	p.free = p.free[n:]
	p.used += n
	return taken
}

// reset makes the kept piece free again, or makes a larger one if more values
// were taken since the last reset. If reuse is false, no piece is kept. size is
// the size of the next piece.
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

// copyOf returns a copy of open in memory of the arena.
func (p *pieces[T]) copyOf(open []T) []T {
	if len(open) == 0 {
		return nil
	}
	taken := p.take(len(open))
	copy(taken, open)
	return taken
}
