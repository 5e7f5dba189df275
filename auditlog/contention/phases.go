package contention

import "slices"

// phases reports whether the values of a field are phases of some work, so that
// it is not a fight:
//
//	Running (an hour) → Draining (a minute) → Upgrading (a minute) → Running
//
// There are at least three values. Only one writer sets each value, and each
// value always replaces the same other value. One value stays at least three
// times as long as any other: the field rests there. A field that three writers
// fight for has no such rest, because the writer that responds sooner would
// revert this value.
func (x *analysis) phases(p *pathFight) bool {
	writers, before := map[uint64]uint32{}, map[uint64]uint64{}
	ages := map[uint64][]int64{} // for each value, the ages of the values that it replaced
	for i, a := range p.answers {
		if w, known := writers[a.value]; known && w != a.writer {
			return false
		}
		writers[a.value] = a.writer
		ages[a.value] = append(ages[a.value], a.after)
		if i == 0 {
			continue
		}
		last := p.answers[i-1].value
		if v, known := before[a.value]; known && v != last {
			return false
		}
		before[a.value] = last
	}
	if len(ages) < 3 {
		return false
	}
	var usual []int64
	for _, list := range ages {
		slices.Sort(list)
		usual = append(usual, median(list))
	}
	slices.Sort(usual)
	return usual[len(usual)-1] >= 3*usual[len(usual)-2]
}
