package contention

import (
	"slices"

	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// leaf has the fingerprints of a field's path and of its value. The value 0
// means that the field is absent.
type leaf struct{ path, value uint64 }

// leafSet is the state of an object or of a part of it, sorted by path. It is
// immutable.
type leafSet struct {
	hash   uint64
	leaves []leaf
}

// maxLeaves is the largest number of leaves in a state.
const maxLeaves = 4096

const (
	pathSeed  = 0x6b75626576657401
	valueSeed = 0x6b75626576657402
)

// These are the seeds for fingerprints of texts that are not strings. They
// differ in their first bytes, because otherwise many short texts would have
// equal hashes.
const (
	scalarSeed = 0x1b75626576657403
	listSeed   = 0x2b75626576657404
	auditSeed  = 0x3b75626576657405
)

// set returns the leaves of the object that the walker read last.
func (w *walker) set() *leafSet {
	h := stateHash(w.leaves)
	l := slices.Clone(w.leaves)
	slices.SortFunc(l, compareLeaves)
	l = slices.CompactFunc(l, func(a, b leaf) bool { return a.path == b.path })
	return &leafSet{h, l}
}

func compareLeaves(a, b leaf) int {
	switch {
	case a.path < b.path:
		return -1
	case a.path > b.path:
		return 1
	case a.value < b.value:
		return -1
	case a.value > b.value:
		return 1
	}
	return 0
}

// stateHash returns a hash that does not depend on the order of the leaves.
func stateHash(leaves []leaf) uint64 {
	h := uint64(1)
	for _, l := range leaves {
		h += scramble(l.path ^ scramble(l.value))
	}
	if h == 0 {
		h = 1
	}
	return h
}

// step returns the fingerprint of a child's path.
func step(path uint64, key []byte) uint64 { return fingerprint.Add(path, key) }

// scramble mixes the bits of a number.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
