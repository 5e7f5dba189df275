package contention

import (
	"cmp"
	"maps"
	"slices"
)

// drop forgets states that no write has any more, and gives how many leaves
// that frees.
func (o *object) drop(whole, parts, hooks func(hash uint64) bool) (freed int) {
	for _, m := range [...]struct {
		states map[uint64]delta
		used   func(uint64) bool
	}{{o.states, whole}, {o.parts, parts}} {
		maps.DeleteFunc(m.states, func(h uint64, d delta) bool {
			if m.used(h) {
				return false
			}
			freed += len(d)
			return true
		})
	}
	if len(o.states) == 0 && o.base != nil {
		freed += len(o.base.leaves)
		o.base, o.states = nil, nil
	}
	maps.DeleteFunc(o.hooks, func(h uint64, _ []hookState) bool { return !hooks(h) })
	return freed
}

// thin forgets the fields of objects that have one writer only, whom nobody can
// fight. It reports whether that made room.
func (c *Collector) thin() bool {
	before := c.leaves
	for _, o := range c.objects {
		if len(o.states)+len(o.parts) == 0 || o.several() {
			continue
		}
		none := func(uint64) bool { return false }
		c.leaves -= o.drop(none, none, func(uint64) bool { return true })
		for i := range o.writes {
			if w := &o.writes[i]; w.state != 0 {
				w.state, w.kind = 0, kindCreated
				c.unread++
			}
		}
	}
	return c.leaves < before/4*3
}

// evict forgets the older half of the objects that have one writer only. It
// reports whether that made room.
func (c *Collector) evict() bool {
	type aged struct {
		key uint64
		at  int64
	}
	var old []aged
	for k, o := range c.objects {
		if !o.several() {
			old = append(old, aged{k, o.writes[len(o.writes)-1].at})
		}
	}
	slices.SortFunc(old, func(a, b aged) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	old = old[:(len(old)+1)/2]
	for _, x := range old {
		o := c.objects[x.key]
		none := func(uint64) bool { return false }
		c.leaves -= o.drop(none, none, none)
		c.writes -= len(o.writes)
		c.forgotten += int64(len(o.writes))
		delete(c.objects, x.key)
	}
	return len(old) > 0
}
