package contention

import (
	"maps"
	"math"
	"slices"
)

// Merge adds the writes of the collector o to c. The result is the same as if c
// had read both logs, in any order. o must not be used afterwards.
//
// If no limit is exceeded, merging is commutative and associative: Encode then
// returns the same bytes. A write that both collectors have is counted once.
func (c *Collector) Merge(o *Collector) {
	c.end = max(c.end, o.end)
	c.forgotten += o.forgotten
	c.unread += o.unread
	c.singles.forgotten += o.singles.forgotten
	for _, p := range slices.Sorted(maps.Keys(o.paths)) {
		c.path(o.paths[p])
	}
	c.values.merge(&o.values)
	c.clock.merge(&o.clock)
	m := merging{c: c, writers: make([]uint32, len(o.writers)), inputs: make([]uint32, len(o.inputs)), scopes: make([]uint32, len(o.scopes))}
	for i, w := range o.writers {
		n, ok := c.writer(w)
		if !ok {
			n = noWriter
		}
		m.writers[i] = n
	}
	c.attempts.merge(&o.attempts, m.writers)
	for i, name := range o.inputs {
		m.inputs[i] = c.input(name)
	}
	for i, s := range o.scopes {
		n, ok := c.scope(s)
		if !ok {
			n = noWriter
		}
		m.scopes[i] = n
	}
	for _, key := range slices.Sorted(maps.Keys(o.objects)) {
		m.object(key, o.objects[key])
	}
	o.singles.all(func(key uint64, x *singleObject) bool {
		for _, w := range x.writes {
			if m.knows(w.writer, w.scope) {
				c.keepWrite(key, m.write(o, string(x.name), w))
			}
		}
		return true
	})
}

// merging maps the numbers in another collector to the numbers in c.
type merging struct {
	c                       *Collector
	writers, inputs, scopes []uint32
}

// noWriter replaces the number of a writer or a scope that exceeds the limits
// of c.
const noWriter = math.MaxUint32

// knows reports whether the writer and the scope of a write have numbers. If
// one of them has no number, it counts the write as dropped.
func (m *merging) knows(writer, scope uint32) bool {
	if m.writers[writer] != noWriter && m.scopes[scope] != noWriter {
		return true
	}
	m.c.forgotten++
	return false
}

// hooks replaces the numbers of webhooks by the numbers in c.
func (m *merging) hooks(list []hookState) []hookState {
	for i := range list {
		list[i].writer = m.writers[list[i].writer]
	}
	return slices.DeleteFunc(list, func(h hookState) bool { return h.writer == noWriter })
}

// renumber replaces the numbers in a write by the numbers in c.
func (m *merging) renumber(w *observation) {
	w.writer, w.input = m.writers[w.writer], m.inputs[w.input]
}

// write converts a write of another collector to an object with a single
// writer.
func (m *merging) write(from *Collector, name string, w observation) *newWrite {
	x := &newWrite{observation: w, name: name}
	m.renumber(&x.observation)
	x.scope = m.scopes[w.scope]
	x.hooked = m.hooks(slices.Clone(from.singles.hooked(w.hooks)))
	if w.state != 0 {
		if x.set = from.singles.states.get(w.state); x.set == nil {
			x.state, x.kind = 0, kindCreated
			m.c.unread++
		}
	}
	return x
}

// object adds an object with several writers, which the other collector has.
func (m *merging) object(key uint64, x *object) {
	c := m.c
	mine := c.objects[key]
	if !slices.ContainsFunc(x.writes, func(w observation) bool { return m.writers[w.writer] != noWriter }) {
		c.forgotten += int64(len(x.writes))
		return
	}
	if mine == nil {
		w := &newWrite{name: x.Name}
		number, ok := c.scope(scope{x.Group, x.Resource, x.Namespace, ""})
		if !ok {
			c.forgotten += int64(len(x.writes))
			return
		}
		w.scope = number
		if mine = c.object(key, w, c.takeSingle(key)); mine == nil {
			c.forgotten += int64(len(x.writes)) - 1
			return
		}
	}
	for _, v := range x.versions {
		mine.version(v)
	}
	for _, hash := range slices.Sorted(maps.Keys(x.states)) {
		if _, known := mine.states[hash]; !known {
			c.leaves += mine.add(kindFull, &leafSet{hash, x.states[hash].apply(x.base.leaves)})
		}
	}
	for hash, d := range x.parts {
		c.leaves += mine.add(kindStated, &leafSet{hash, d})
	}
	for hash, list := range x.hooks {
		mine.hook(hash, m.hooks(list))
	}
	if l := x.left; l != nil && m.writers[l.writer] != noWriter {
		l.writer, l.input = m.writers[l.writer], m.inputs[l.input]
		if mine.left == nil || l.after(mine.left) {
			mine.left = l
		}
	}
	mine.many = mine.many || x.many
	if len(x.forgotten) > 0 && mine.forgotten == nil {
		mine.forgotten = map[uint32]int64{}
	}
	for w, n := range x.forgotten {
		if m.writers[w] != noWriter {
			mine.forgotten[m.writers[w]] += n
		}
	}
	for i := range x.writes {
		if m.writers[x.writes[i].writer] == noWriter {
			c.forgotten++
		} else {
			m.renumber(&x.writes[i])
			c.observe(mine, x.writes[i])
		}
	}
	mine.protected = false
	c.protect(mine, 0, kindNone)
}
