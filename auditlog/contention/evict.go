package contention

import (
	"cmp"
	"maps"
	"slices"
)

// drop removes states of objects, partial states and changes of webhooks.
// keepWhole, keepPart and keepHooks report by hash which of them to keep. drop
// returns the number of leaves that it frees.
func (o *object) drop(keepWhole, keepPart, keepHooks func(hash uint64) bool) (freed int) {
	for _, m := range [...]struct {
		states map[uint64]delta
		used   func(uint64) bool
	}{{o.states, keepWhole}, {o.parts, keepPart}} {
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
	maps.DeleteFunc(o.hooks, func(h uint64, _ []hookState) bool { return !keepHooks(h) })
	return freed
}

// thin removes the fields of objects with a single writer. It reports whether
// this freed more than a quarter of the leaves.
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

// evict removes an eighth of the objects: first those with a single writer,
// then those with too few writes for a fight, then others. Within each of these
// groups, the objects that were not written for the longest time are first.
func (c *Collector) evict() bool {
	type aged struct {
		key  uint64
		kind int
		at   int64
	}
	all := make([]aged, 0, len(c.objects))
	for k, o := range c.objects {
		x := aged{key: k}
		for i := range o.writes {
			x.at = max(x.at, o.writes[i].at)
		}
		if o.several() {
			x.kind++
			if len(o.writes) > DefaultMinReversals {
				x.kind++
			}
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b aged) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key))
	})
	all = all[:(len(all)+7)/8]
	none := func(uint64) bool { return false }
	for _, x := range all {
		o := c.objects[x.key]
		c.leaves -= o.drop(none, none, none)
		c.writes -= len(o.writes)
		c.forgotten += int64(len(o.writes))
		delete(c.objects, x.key)
	}
	return len(all) > 0
}
