package contention

// stateStore has the states of objects with a single writer. Objects with equal
// states share one. If recent is full, it becomes older, and the states that were
// in older are dropped.
type stateStore struct{ recent, older states }

type states struct {
	byHash map[uint64]*leafSet
	leaves int
}

// put adds a state. limit is the largest number of leaves in both generations.
func (s *stateStore) put(set *leafSet, limit int) {
	if _, known := s.recent.byHash[set.hash]; known || len(set.leaves) > maxLeaves {
		return
	}
	if s.recent.leaves+len(set.leaves) > (limit+1)/2 && s.recent.leaves > 0 {
		s.older, s.recent = s.recent, states{}
	}
	if s.recent.byHash == nil {
		s.recent.byHash = map[uint64]*leafSet{}
	}
	s.recent.byHash[set.hash] = set
	s.recent.leaves += len(set.leaves)
}

// get returns the state with a hash; nil if it was dropped.
func (s *stateStore) get(hash uint64) *leafSet {
	if set := s.recent.byHash[hash]; set != nil {
		return set
	}
	return s.older.byHash[hash]
}
