package contention

import (
	"maps"
	"slices"
)

// versionBits are the bits of an instance that identify the version of a
// program. The other bits identify the pod or address.
const versionBits = 0xf0

// sideBySide returns the fields that two versions of one program set to
// different values.
func (x *analysis) sideBySide(paths []uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(paths), func(path uint64) bool {
		p := x.paths[path]
		return !p.processPerValue() || len(versionsOf(p)) < 2
	})
}

// versionsOf returns the versions that set the values of a field, sorted.
func versionsOf(p *pathFight) []uint8 {
	known := map[uint8]bool{}
	for _, i := range p.instances {
		known[i&versionBits] = true
	}
	return slices.Sorted(maps.Keys(known))
}

// versionsFight returns the fight between two versions of one program. In the
// log, both versions are one writer. So the fight has a side for each version,
// and all sides have the same name.
func (c *Collector) versionsFight(o *object, x *analysis, writes []observation, paths []uint64) Fight {
	f := c.newFight(o, x, writes, paths, x.flaps, true)
	f.Self = false
	versions := versionsOf(x.paths[paths[0]])
	sideAt := map[int64]int{} // index of the side by the time of its write
	one := f.Sides[0]
	one.Writes, one.Reversals, one.Wins = 0, 0, 0
	f.Sides = slices.Repeat([]Side{one}, len(versions))
	for i := range writes {
		w := &writes[i]
		if side, ok := slices.BinarySearch(versions, w.instance&versionBits); ok && c.writers[w.writer] == one.Writer {
			sideAt[w.at] = side
			f.Sides[side].Writes++
			f.Winner = side
		}
	}
	if f.Winner >= 0 {
		f.Sides[f.Winner].Wins = int64(len(paths))
	}
	for i := range f.Timeline {
		f.Timeline[i].Reversals = make([]int64, len(versions))
	}
	for _, r := range x.flaps {
		side := sideAt[r.at]
		f.Sides[side].Reversals++
		if r.at >= f.First && r.at <= f.Last {
			f.Timeline[(r.at-f.First)/f.Step].Reversals[side]++
		}
	}
	for i := range f.Turns {
		f.Turns[i].Side = sideAt[f.Turns[i].At]
	}
	byText := map[string]uint64{}
	for _, p := range paths {
		byText[c.pathText(p)] = p
	}
	for i := range f.Fields {
		values := f.Fields[i].Values
		f.Fields[i].Values = make([][]Value, len(versions))
		for _, v := range slices.Concat(values...) {
			instance := x.paths[byText[f.Fields[i].Path]].instances[v.hash]
			if side, ok := slices.BinarySearch(versions, instance&versionBits); ok {
				f.Fields[i].Values[side] = append(f.Fields[i].Values[side], v)
			}
		}
	}
	f.Cause = advise(SideBySide, &f)
	return f
}
