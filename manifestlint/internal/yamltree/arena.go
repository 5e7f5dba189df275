package yamltree

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// arena allocates the parts of one tree in large pieces, which is several
// times faster than one by one.
type arena struct {
	values []wire.Value
	fieldA []wire.Field
	itemA  []*wire.Value
	size   int // of the next piece, in values
}

// The bounds for a piece, and the number of bytes of YAML per value in
// typical manifests.
const (
	minPiece      = 8
	maxPiece      = 1024
	bytesPerValue = 24
)

// expect sets the size of the first piece for a document of n bytes.
func (a *arena) expect(n int) { a.size = min(max(n/bytesPerValue, minPiece), maxPiece) }

// value returns a new null without a position.
func (a *arena) value() *wire.Value {
	if len(a.values) == cap(a.values) {
		a.values = make([]wire.Value, 0, a.size)
	}
	a.values = a.values[:len(a.values)+1]
	return &a.values[len(a.values)-1]
}

// fields returns a copy of fields.
func (a *arena) fields(open []wire.Field) []wire.Field {
	n := len(open)
	if n > cap(a.fieldA)-len(a.fieldA) {
		a.fieldA = make([]wire.Field, 0, max(n, a.size))
	}
	from := len(a.fieldA)
	a.fieldA = append(a.fieldA, open...)
	return a.fieldA[from : from+n : from+n]
}

// items returns a copy of items.
func (a *arena) items(open []*wire.Value) []*wire.Value {
	n := len(open)
	if n > cap(a.itemA)-len(a.itemA) {
		a.itemA = make([]*wire.Value, 0, max(n, a.size/8))
	}
	from := len(a.itemA)
	a.itemA = append(a.itemA, open...)
	return a.itemA[from : from+n : from+n]
}
