package tally

// idSet is a set of fingerprints of limited size. When it is full, it removes
// the older half.
type idSet struct {
	now, before []uint64
	used        int
	forgotten   int64
	loaded      uint64 // unused result of load
	limit       int    // largest number of slots in one half
}

// maxIDs and maxLiveIDs are the largest numbers of slots in one half of an
// idSet. They limit the memory of a half to 256 MiB, and to 8 MiB in a live
// run. At most three quarters of the slots are used.
const (
	maxIDs     = 1 << 25
	maxLiveIDs = 1 << 20
)

// add adds a fingerprint and reports whether it is new.
func (s *idSet) add(id uint64) bool {
	if id == 0 {
		id = 1
	}
	if len(s.now) == 0 {
		s.now = make([]uint64, 1<<12)
	}
	if s.used >= len(s.now)/4*3 {
		s.grow()
	}
	if !put(s.now, id) || s.before != nil && find(s.before, id) {
		return false
	}
	s.used++
	return true
}

// load brings the slots of records into the processor's cache. Loads that do not
// depend on each other are much faster than one after the other.
func (s *idSet) load(records []record) {
	if len(s.now) == 0 {
		return
	}
	for i := range records {
		s.loaded += s.now[records[i].id&uint64(len(s.now)-1)]
	}
}

// has reports whether the set has a fingerprint.
func (s *idSet) has(id uint64) bool {
	if id == 0 {
		id = 1
	}
	return len(s.now) > 0 && find(s.now, id) || s.before != nil && find(s.before, id)
}

func (s *idSet) grow() {
	if len(s.now) >= s.limit {
		if s.before != nil {
			s.forgotten += int64(len(s.before) / 4 * 3)
			clear(s.before)
		} else {
			s.before = make([]uint64, len(s.now))
		}
		s.now, s.before = s.before, s.now
		s.used = 0
		return
	}
	old := s.now
	s.now = make([]uint64, 2*len(old))
	clear(s.now) // touches each page by a write; a read before the first write would cause a second page fault
	for _, id := range old {
		if id != 0 {
			put(s.now, id)
		}
	}
}

func put(slots []uint64, id uint64) bool {
	mask := uint64(len(slots) - 1)
	for i := id & mask; ; i = (i + 1) & mask {
		switch slots[i] {
		case 0:
			slots[i] = id
			return true
		case id:
			return false
		}
	}
}

func find(slots []uint64, id uint64) bool {
	mask := uint64(len(slots) - 1)
	for i := id & mask; ; i = (i + 1) & mask {
		switch slots[i] {
		case 0:
			return false
		case id:
			return true
		}
	}
}
