package contention

import "slices"

// wholePath is the path of the object as a whole, which exists or not.
const wholePath = 1

// reversal is a write that restored values of fields, or that recreated or
// deleted an object again.
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
	// setter set the value, at time at; -1 if it is unknown. before is the
	// previous value, if beforeKnown.
	setter      int64
	at          int64
	instance    uint8 // of the setter
	beforeKnown bool
	// returned is set if the setter had set the value before, as well.
	returned bool
	// taken is set if the last change removed the field explicitly.
	taken bool
	// undone is the writer whose value the last change reverted, or -1.
	undone int64
	// own has the values that each writer set, the latest last.
	own map[uint32][]uint64
}

// flapWindow is the time, in microseconds, in which a flapping writer reverts its
// own value. Slower changes may follow a schedule.
const flapWindow = 600 * 1e6

// scaleWindow is the same for subresource scale. An autoscaler waits for minutes
// before it scales back.
const scaleWindow = 60 * 1e6

// recreateWindow is the time, in microseconds, in which a fighting writer
// recreates a deleted object. A later one is another object of the same name.
const recreateWindow = 3600 * 1e6

// maxOwn bounds fieldState.own.
const maxOwn = 8

// pathFight counts the reversals of one field.
type pathFight struct {
	reversals int64
	flaps     int64 // by the same writer
	// bothWays counts the flaps from a value that the writer had set before. A state
	// that returns to rest between new values only flaps back to rest.
	bothWays int64
	scales   bool // some of the flaps by subresource scale
	by       map[uint32]int64
	hooked   bool // a webhook restored it
	// firm counts the reversals except those that insist with a new value.
	firm int64
	// releases counts the changes in which a writer cleared its own value, as the
	// holder of a lock does.
	releases int64
	// instances has the instance that set each of the values between which a single writer flaps.
	// mixed is set if several instances set the same value.
	instances map[uint64]uint8
	mixed     bool
	answers   []answer
}

// processes reports whether one process of the writer always set one value, and another process
// always set the other. A lock, a switch or a cordon is set and cleared by one process, or by any.
func (p *pathFight) processes() bool {
	first, several := -1, false
	for _, i := range p.instances {
		several = several || first >= 0 && int(i) != first
		first = int(i)
	}
	return several && !p.mixed
}

// remember adds a value to the values that a writer set.
func (f *fieldState) remember(writer uint32, value uint64) {
	if f.own == nil {
		f.own = map[uint32][]uint64{}
	}
	own := f.own[writer]
	if i := slices.Index(own, value); i >= 0 {
		own = slices.Delete(own, i, i+1)
	} else if len(own) == maxOwn {
		own = slices.Delete(own, 0, 1)
	}
	f.own[writer] = append(own, value)
}
