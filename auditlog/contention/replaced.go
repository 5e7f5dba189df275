package contention

import (
	"maps"
	"slices"
	"strings"
)

// withRemoved returns the leaves in a write. If the write removes or replaces a
// field, it also returns the known leaves below this field, as absent.
func (x *analysis) withRemoved(d delta) delta {
	if !slices.ContainsFunc(d, func(l leaf) bool { return l.value == 0 || l.value == othersAbsent }) {
		return d
	}
	var out delta
	for _, l := range d {
		if l.value != othersAbsent {
			out = append(out, l)
		}
		if l.value != 0 && l.value != othersAbsent {
			continue
		}
		for _, p := range x.below(l.path) {
			if _, stated := d.get(p); !stated {
				out = append(out, leaf{p, 0})
			}
		}
	}
	return out
}

// maxInside is the largest number of fields of one object for which analysis.below
// searches. Each search reads all states of the object.
const maxInside = 32

// below returns the known fields below a field, sorted.
func (x *analysis) below(path uint64) []uint64 {
	if list, known := x.inside[path]; known {
		return list
	}
	if len(x.inside) >= maxInside {
		return nil
	}
	above := x.pathText(path)
	found := map[uint64]bool{}
	add := func(leaves []leaf) {
		for _, l := range leaves {
			rest, inside := strings.CutPrefix(x.pathText(l.path), above)
			if inside && above != "" && len(rest) > 0 && (rest[0] == '.' || rest[0] == '[') {
				found[l.path] = true
			}
		}
	}
	if x.o.base != nil {
		add(x.o.base.leaves)
	}
	for _, states := range [...]map[uint64]delta{x.o.states, x.o.parts} {
		for _, d := range states {
			add(d)
		}
	}
	if x.inside == nil {
		x.inside = map[uint64][]uint64{}
	}
	x.inside[path] = slices.Sorted(maps.Keys(found))
	return x.inside[path]
}
