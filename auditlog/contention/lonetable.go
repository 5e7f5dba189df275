package contention

import "encoding/binary"

// offsets is a hash table from objects to places in an arena, where each
// object's fingerprint is as well: four bytes for each of its slots, of which
// at least a quarter is free. The zero value is empty.
type offsets struct {
	slots []uint32 // places, plus 1; 0 for none
	n     int
}

// slot gives where an object is, or where it would be.
func (t *offsets) slot(object uint64, a *arena) int {
	mask := len(t.slots) - 1
	for i := int(scramble(object)) & mask; ; i = (i + 1) & mask {
		if t.slots[i] == 0 || a.key(t.slots[i]-1) == object {
			return i
		}
	}
}

// key gives the eight bytes at a place.
func (a *arena) key(at uint32) uint64 {
	return binary.LittleEndian.Uint64(a.pages[at/pageSize][at%pageSize:])
}

// get gives where an object's record is.
func (t *offsets) get(object uint64, a *arena) (at uint32, ok bool) {
	if t.n == 0 {
		return 0, false
	}
	at = t.slots[t.slot(object, a)]
	return at - 1, at != 0
}

// put says where an object's record is now.
func (t *offsets) put(object uint64, at uint32, a *arena) {
	if 4*(t.n+1) > 3*len(t.slots) {
		old := t.slots
		t.slots = make([]uint32, max(2*len(old), 1<<8))
		for _, x := range old {
			if x != 0 {
				t.slots[t.slot(a.key(x-1), a)] = x
			}
		}
	}
	i := t.slot(object, a)
	if t.slots[i] == 0 {
		t.n++
	}
	t.slots[i] = at + 1
}

// remove takes an object out that is in the table, and closes the gap.
func (t *offsets) remove(object uint64, a *arena) {
	mask := len(t.slots) - 1
	gap := t.slot(object, a)
	for i := (gap + 1) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		home := int(scramble(a.key(t.slots[i]-1))) & mask
		// What is at home behind the gap stays.
		if (i-home)&mask >= (i-gap)&mask {
			t.slots[gap] = t.slots[i]
			gap = i
		}
	}
	t.slots[gap] = 0
	t.n--
}
