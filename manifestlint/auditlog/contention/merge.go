package contention

// Merge takes what another collector has, as if this one had read its logs as
// well, in whatever order. The other one must not be used afterwards.
//
// Below the limits, merging is commutative and associative: Encode gives the
// same bytes. Writes that both have are one.
func (c *Collector) Merge(o *Collector) {
	c.end = max(c.end, o.end)
	c.forgotten += o.forgotten
	c.unread += o.unread
	c.singles.forgotten += o.singles.forgotten
	for _, p := range o.paths {
		c.path(p)
	}
	writers := make([]uint32, len(o.writers))
	for i, w := range o.writers {
		writers[i] = c.writer(w)
	}
	inputs := make([]uint32, len(o.inputs))
	for i, name := range o.inputs {
		inputs[i] = c.input(name)
	}
	for key, x := range o.objects {
		for i := range x.writes {
			w := &x.writes[i]
			w.writer, w.input = writers[w.writer], inputs[w.input]
		}
		mine := c.objects[key]
		if mine == nil {
			if mine = c.object(key, x.Object); mine == nil {
				c.forgotten += int64(len(x.writes)) - 1
				continue
			}
			if s, ok := c.singles.take(key); ok {
				mine.version(c.wheres[s.where].version)
				c.observe(mine, s.observation())
			}
		}
		c.merge(mine, x, writers, inputs)
	}
	o.singles.all(func(key uint64, s single) bool {
		at := o.wheres[s.where]
		s.writer, s.input, s.where = writers[s.writer], inputs[s.input], c.where(at)
		mine := c.objects[key]
		if mine == nil {
			first, again := c.singles.take(key)
			if again && compareWrites(first.observation(), s.observation()) == 0 {
				s, again = c.least(first, s), false
			}
			if !again {
				c.singles.put(key, s, c.limits.Singles)
				return true
			}
			if mine = c.object(key, Object{at.group, at.resource, at.namespace, s.text}); mine == nil {
				return true
			}
			mine.version(c.wheres[first.where].version)
			c.observe(mine, first.observation())
		}
		mine.version(at.version)
		c.observe(mine, s.observation())
		return true
	})
}

// least gives the one of two copies of a write that stands first.
func (c *Collector) least(a, b single) single {
	if c.compareInputs(a.observation(), b.observation()) <= 0 {
		return a
	}
	return b
}

// merge takes what another collector has of an object. The writers and inputs of
// its writes are c's own already.
func (c *Collector) merge(mine, x *object, writers, inputs []uint32) {
	for _, v := range x.versions {
		mine.version(v)
	}
	for hash, d := range x.states {
		if _, known := mine.states[hash]; !known {
			c.leaves += mine.add(kindFull, &leafSet{hash, d.apply(x.base.leaves)})
		}
	}
	for hash, d := range x.parts {
		c.leaves += mine.add(kindStated, &leafSet{hash, d})
	}
	if mine.hooks == nil && len(x.hooks) > 0 {
		mine.hooks = map[uint64][]hookState{}
	}
	for hash, list := range x.hooks {
		for i := range list {
			list[i].writer = writers[list[i].writer]
		}
		mine.hooks[hash] = list
	}
	if l := x.left; l != nil {
		l.writer, l.input = writers[l.writer], inputs[l.input]
		if mine.left == nil || l.after(mine.left) {
			mine.left = l
		}
	}
	if len(x.forgotten) > 0 && mine.forgotten == nil {
		mine.forgotten = map[uint32]int64{}
	}
	for w, n := range x.forgotten {
		mine.forgotten[writers[w]] += n
	}
	for i := range x.writes {
		c.observe(mine, x.writes[i])
	}
}
