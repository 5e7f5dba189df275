package tally

import (
	"cmp"
	"slices"
)

// objectTable has the latest request for each object. It may forget objects,
// but its data is never wrong.
type objectTable struct {
	index     map[uint64]uint32 // position in slots by object
	slots     []objectSlot
	forgotten int64 // number of removed objects whose version was known
}

type objectSlot struct {
	object  uint64
	version uint64 // from the latest response
	stamp   int64  // time of this response
	read    int64  // time of the last read, in microseconds
	reader  uint32 // client of the last read
}

// lately is the longest time, in microseconds, between a read and a write that
// counts as a write after a read.
const lately = 60e6

// maxObjects is the largest number of objects in the table.
const maxObjects = 1 << 17

// forget empties the table.
func (t *objectTable) forget() {
	clear(t.index)
	t.slots = t.slots[:0]
}

// at returns the slot of an object, which is added if it is new. The slot is
// valid until the next call. A full table is emptied first, so that counts
// depend only on the order of the events.
func (t *objectTable) at(object uint64) *objectSlot {
	if i, known := t.index[object]; known {
		return &t.slots[i]
	}
	if len(t.slots) == maxObjects {
		for i := range t.slots {
			if t.slots[i].version != 0 {
				t.forgotten++
			}
		}
		t.forget()
	}
	if t.index == nil {
		t.index = map[uint64]uint32{}
	}
	t.index[object] = uint32(len(t.slots))
	t.slots = append(t.slots, objectSlot{object: object})
	return &t.slots[len(t.slots)-1]
}

// state returns the objects that a later table needs. These are the objects with
// a known version, and those with a request in the minute before last. clients
// has the positions of clients in the state by ID.
func (t *objectTable) state(last int64, clients []int) []stateObject {
	var all []stateObject
	for _, s := range t.slots {
		if s.version != 0 || max(s.read, s.stamp) > last-lately {
			all = append(all, stateObject{s.object, s.version, s.stamp, s.read, clients[s.reader]})
		}
	}
	slices.SortFunc(all, func(a, b stateObject) int { return cmp.Compare(a.Object, b.Object) })
	return all
}

// restore adds the objects of a state.
func (t *objectTable) restore(objects []stateObject, clients []*Client) {
	for _, o := range objects {
		*t.at(o.Object) = objectSlot{o.Object, o.Version, o.Stamp, o.Read, clients[o.Reader].id}
	}
}
