package auditlog

import (
	"bytes"
	"encoding/binary"
)

// A memo remembers what stretches of text mean, so that one which comes again
// need not be read again: a client's description takes a third of an event,
// and the same few hundred are repeated for ever.
//
// A stretch is found by some of its bytes and compared in full, so a memo is
// never wrong; what it does not hold is read. Its size is fixed.
type memo[V any] struct {
	sets [][memoWays]memoSlot[V]
	next uint8
}

type memoSlot[V any] struct {
	raw   []byte
	value V
}

const (
	memoSets = 512
	memoWays = 4
	// maxMemo is the longest stretch that is kept.
	maxMemo = 2 << 10
)

// at hashes some bytes behind the start of a stretch of unknown length.
func (m *memo[V]) at(b []byte) *[memoWays]memoSlot[V] {
	if m.sets == nil {
		m.sets = make([][memoWays]memoSlot[V], memoSets)
	}
	h := uint64(0x9e3779b97f4a7c15)
	for _, off := range [...]int{14, 32, 44, 60, 84, 120} {
		if off+8 > len(b) {
			break
		}
		h = (h ^ binary.LittleEndian.Uint64(b[off:])) * 0xbf58476d1ce4e5b9
		h ^= h >> 29
	}
	return &m.sets[h%memoSets]
}

// find gives the length and meaning of the stretch that b begins with.
func (m *memo[V]) find(b []byte) (n int, v *V) {
	set := m.at(b)
	for i := range set {
		s := &set[i]
		if n := len(s.raw); n > 0 && n < len(b) && bytes.Equal(s.raw, b[:n]) {
			return n, &s.value
		}
	}
	return 0, nil
}

// add remembers the first n bytes of b. What is found there must not depend on
// what follows them.
func (m *memo[V]) add(b []byte, n int, v V) {
	if n > maxMemo {
		return
	}
	set := m.at(b)
	for i := range set {
		if set[i].raw == nil {
			set[i] = memoSlot[V]{bytes.Clone(b[:n]), v}
			return
		}
	}
	m.next++
	set[m.next%memoWays] = memoSlot[V]{bytes.Clone(b[:n]), v}
}
