package contention

import "encoding/binary"

// stateStore remembers the states that lone objects were given, each once,
// whoever has it: a great many objects are given the same part. Where there is
// no more room it forgets the half of them that was not asked for lately.
type stateStore struct{ now, before stateHalf }

type stateHalf struct {
	at     map[uint64]uint32 // by hash
	arena  arena
	leaves int
	// Paths have numbers of their own, by which they take less room.
	number map[uint64]uint32
	paths  []uint64
}

// put keeps a state; limit is how many leaves there may be.
func (s *stateStore) put(set *leafSet, limit int) {
	if _, known := s.now.at[set.hash]; known || len(set.leaves) > maxLeaves {
		return
	}
	if s.now.leaves+len(set.leaves) > (limit+1)/2 && s.now.leaves > 0 {
		s.before, s.now = s.now, stateHalf{}
	}
	h := &s.now
	if h.at == nil {
		h.at, h.number = map[uint64]uint32{}, map[uint64]uint32{}
	}
	b := make([]byte, 0, 12*len(set.leaves)+binary.MaxVarintLen32)
	b = binary.AppendUvarint(b, uint64(len(set.leaves)))
	for _, l := range set.leaves {
		n, known := h.number[l.path]
		if !known {
			n = uint32(len(h.paths))
			h.number[l.path] = n
			h.paths = append(h.paths, l.path)
		}
		b = binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, uint64(n)), l.value)
	}
	h.at[set.hash] = h.arena.add(b)
	h.leaves += len(set.leaves)
}

// get gives a state, nil if it is not known any more.
func (s *stateStore) get(hash uint64) *leafSet {
	for _, h := range [...]*stateHalf{&s.now, &s.before} {
		at, ok := h.at[hash]
		if !ok {
			continue
		}
		r := h.arena.from(at)
		leaves := make([]leaf, r.uint())
		for i := range leaves {
			leaves[i].path = h.paths[r.uint()]
			leaves[i].value = r.fixed()
		}
		return &leafSet{hash, leaves}
	}
	return nil
}
