package contention

import "slices"

// wholePath is the path of the object as a whole. Its value says whether the
// object exists.
const wholePath = 1

// reversal is a write that restored values of fields, created a deleted object,
// or deleted a created one.
type reversal struct {
	at       int64
	writer   uint32
	how      How
	evidence Evidence
	paths    []uint64
}

// fieldState is the state of a field during the analysis of an object's writes.
type fieldState struct {
	known         bool
	value, before uint64
	// setter is the writer that set value at the time at; -1 if unknown. before
	// is the value before that time, if beforeKnown is set.
	setter      int64
	at          int64
	instance    uint8 // instance of the setter
	beforeKnown bool
	// returned is set if the setter had set the same value before.
	returned bool
	// removed is set if the last change explicitly removed the field.
	removed bool
	// revertedWriter is the writer whose value the last change reverted; -1 if
	// it reverted none.
	revertedWriter int64
	// steps counts the changes by the writer that had set the value.
	steps int64
	// values has the values that each writer has set, with the latest at the
	// end.
	values map[uint32][]uint64
}

// flapWindow is the longest time after which a change back counts as flapping,
// in microseconds. A slower change may follow a schedule.
const flapWindow = 600 * 1e6

// scaleWindow replaces flapWindow for writes to the subresource scale, in
// microseconds. An autoscaler waits for minutes before it scales back.
const scaleWindow = 60 * 1e6

// recreateWindow is the longest time between the deletion and the creation of
// an object that counts as a fight, in microseconds. After a longer time, the
// new object merely has the same name.
const recreateWindow = 3600 * 1e6

// maxOwn is the largest number of values that are kept for each writer in
// fieldState.values.
const maxOwn = 8

// pathFight has the numbers of reversals of one field.
type pathFight struct {
	reversals int64
	flaps     int64 // reversals of the writer's own value
	// bothWays counts the flaps that replace a value which the writer had set
	// more than once. The values 1, 2, 1, 2 have such a flap, because both
	// values return. The values 1, 7, 1, 9, 1 have none: only the normal value
	// 1 returns, and it is replaced by new values.
	bothWays int64
	scales   bool // some flaps are by the subresource scale
	by       map[uint32]int64
	hooked   bool // a webhook restored the field
	// firm counts the reversals that restore the writer's old value. The other
	// reversals set a new value.
	firm int64
	// releases counts how often a writer cleared its own value, like the holder
	// of a lock.
	releases int64
	// instances has the process (observation.instance) that set each value of
	// the flaps. mixed is set if several processes set the same value.
	instances map[uint64]uint8
	mixed     bool
	answers   []answer
}

// processPerValue reports whether several processes of the writer alternate:
// each value always comes from one process, and not all values come from the
// same one. A lock, a switch or a cordon is different: one process sets and
// clears it, or any process does.
func (p *pathFight) processPerValue() bool {
	first, several := -1, false
	for _, i := range p.instances {
		several = several || first >= 0 && int(i) != first
		first = int(i)
	}
	return several && !p.mixed
}

// remember adds a value to the values that a writer set.
func (f *fieldState) remember(writer uint32, value uint64) {
	if f.values == nil {
		f.values = map[uint32][]uint64{}
	}
	own := f.values[writer]
	if i := slices.Index(own, value); i >= 0 {
		own = slices.Delete(own, i, i+1)
	} else if len(own) == maxOwn {
		own = slices.Delete(own, 0, 1)
	}
	f.values[writer] = append(own, value)
}
