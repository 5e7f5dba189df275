package contention

import "slices"

// wholePath stands for the object as a whole, which is there or not.
const wholePath = 1

// reversal is one write that gave fields a value back, or made an object anew,
// or deleted it again.
type reversal struct {
	at       int64
	writer   uint32
	how      How
	evidence Evidence
	paths    []uint64
}

// fieldState is what is known of a field while an object's writes are gone
// through.
type fieldState struct {
	known         bool
	value, before uint64
	// setter gave it the value, at that time; -1 where that is not known.
	// beforeKnown says that before is what the value was until then.
	setter      int64
	at          int64
	beforeKnown bool
	// taken says that the last change took the field away in so many words, and
	// returned that it gave it a value back that its writer had given it before.
	taken, returned bool
	// undone is whose value the last change took back, -1 for nobody's.
	undone int64
	// own has the values that each writer gave the field, the latest last.
	own map[uint32][]uint64
}

// flapWindow is how soon a writer takes back its own value if it flaps. What
// takes longer may be a schedule. In microseconds.
const flapWindow = 3600 * 1e6

// anewWindow is how soon an object that was deleted is made anew by one who
// fights for it. What is made later is another object of the same name. In
// microseconds.
const anewWindow = 3600 * 1e6

// maxOwn bounds fieldState.own.
const maxOwn = 8

// pathFight counts what happened to one field.
type pathFight struct {
	reversals int64
	flaps     int64 // of one writer alone
	by        map[uint32]int64
	hooked    bool // a webhook put it back
	// firm are the reversals other than those that insist with a new value.
	firm int64
}

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
