package contention

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// where is what many objects have in common.
type where struct{ group, resource, namespace, version string }

func (c *Collector) where(w where) uint32 {
	i, ok := c.byWhere[w]
	if !ok {
		i = uint32(len(c.wheres))
		c.wheres = append(c.wheres, w)
		c.byWhere[w] = i
	}
	return i
}

// key gives the fingerprint of an object.
func (o *Object) key() uint64 {
	h := fingerprint(pathSeed, []byte(o.Group))
	h = fingerprint(h, []byte(o.Resource))
	h = fingerprint(h, []byte(o.Namespace))
	return fingerprint(h, []byte(o.Name))
}

// A lone object is one that a single client wrote to, and not often: most of
// those in a log. Nobody fights over it yet, but the next log may have another
// writer, so that nothing of it may be left out; it is kept as a chain of
// records of some forty bytes in an arena.
const (
	// maxLone is how many writes a lone object has at most.
	maxLone = 32
	// loneSize is how many bytes lone objects take on average at most.
	loneSize = 64
	// maxHooked is how many webhooks, and fields that they set, one of its writes
	// has at most.
	maxHooked = 64
)

// loneStore remembers lone objects. Where there is no more room it forgets the
// half of them that was not written to lately.
type loneStore struct {
	now, before loneHalf
	states      stateStore
	forgotten   int64 // writes
	record      []byte
	chain       []loneWrite
}

type loneHalf struct {
	last   offsets // where the record of each object's latest write is
	arena  arena
	began  int64 // a time near those of the records
	writes int
}

// loneWrite is a write to a lone object.
type loneWrite struct {
	observation
	where  uint32
	hooked []hookState
	name   string // of the object
}

// fits reports whether a write is as short as those of lone objects are.
func (w *loneWrite) fits() bool {
	n := 0
	for _, h := range w.hooked {
		n += 1 + len(h.leaves)
	}
	return n <= maxHooked && len(w.name) <= maxText
}

// Besides the flags of observations.
const (
	flagState = 1 << 6
	flagHooks = 1 << 7
)

// head is how a record begins.
type head struct {
	before uint32 // where the record of the write before is, plus 1; 0 for none
	count  int    // of the writes up to this one
	how    How
	kind   kind
	flags  uint8
	at     int64
	id     uint32
	writer uint32
}

func (h *loneHalf) head(r *reader) (x head) {
	r.fixed() // the object
	if x.count = int(r.byte()); x.count > 1 {
		x.before = r.fixed32()
	}
	b := r.byte()
	x.how, x.kind = How(b>>4), kind(b&15)
	x.flags = r.byte()
	x.at = h.began + r.int()
	x.id = r.fixed32()
	x.writer = uint32(r.uint())
	return x
}

// add appends the record of a write behind the one at before, and gives where
// it is.
func (s *loneStore) add(h *loneHalf, object uint64, w *loneWrite, before uint32, count int) uint32 {
	if h.arena.size == 0 {
		h.began = w.at
	}
	flags := w.flags
	if w.state != 0 {
		flags |= flagState
	}
	if w.hooks != 0 {
		flags |= flagHooks
	}
	b := binary.LittleEndian.AppendUint64(s.record[:0], object)
	b = append(b, byte(count))
	if count > 1 {
		b = binary.LittleEndian.AppendUint32(b, before)
	}
	b = append(b, byte(w.how)<<4|byte(w.kind), flags)
	b = binary.AppendVarint(b, w.at-h.began)
	b = binary.LittleEndian.AppendUint32(b, w.id)
	for _, n := range [...]uint64{uint64(w.writer), w.version, uint64(w.input), uint64(w.line), uint64(w.where)} {
		b = binary.AppendUvarint(b, n)
	}
	if w.state != 0 {
		b = binary.LittleEndian.AppendUint64(b, w.state)
	}
	if w.hooks != 0 {
		b = binary.LittleEndian.AppendUint64(b, w.hooks)
		b = binary.AppendUvarint(b, uint64(len(w.hooked)))
		for _, x := range w.hooked {
			b = binary.AppendUvarint(b, uint64(x.writer))
			b = binary.AppendUvarint(b, uint64(len(x.leaves)))
			for _, l := range x.leaves {
				b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, l.path), l.value)
			}
		}
	}
	if count == 1 {
		b = append(binary.AppendUvarint(b, uint64(len(w.name))), w.name...)
	}
	s.record = b
	h.writes++
	return h.arena.add(b)
}

// read gives the record at a place, and where the one before it is.
func (h *loneHalf) read(at uint32) (w loneWrite, before uint32) {
	r := h.arena.from(at)
	x := h.head(&r)
	w.at, w.id, w.how, w.kind, w.flags, w.writer = x.at, x.id, x.how, x.kind, x.flags&^(flagState|flagHooks), x.writer
	w.version, w.input, w.line, w.where = r.uint(), uint32(r.uint()), uint32(r.uint()), uint32(r.uint())
	if x.flags&flagState != 0 {
		w.state = r.fixed()
	}
	if x.flags&flagHooks != 0 {
		w.hooks = r.fixed()
		w.hooked = make([]hookState, r.uint())
		for i := range w.hooked {
			w.hooked[i].writer = uint32(r.uint())
			if n := r.uint(); n > 0 {
				l := make([]leaf, n)
				for j := range l {
					l[j] = leaf{r.fixed(), r.fixed()}
				}
				w.hooked[i].leaves = l
			}
		}
	}
	if x.count == 1 {
		n := r.uint()
		w.name = string(r.b[:n])
	}
	return w, x.before
}

// writesAt gives the writes of the object whose latest record is at a place,
// in the order of compareWrites. The next call overwrites them.
func (s *loneStore) writesAt(h *loneHalf, at uint32) []loneWrite {
	s.chain = s.chain[:0]
	for next := at + 1; next != 0; {
		var w loneWrite
		w, next = h.read(next - 1)
		s.chain = append(s.chain, w)
	}
	slices.Reverse(s.chain)
	return s.chain
}

// find gives where a lone object is.
func (s *loneStore) find(object uint64) (h *loneHalf, at uint32) {
	for _, h := range [...]*loneHalf{&s.now, &s.before} {
		if at, ok := h.last.get(object, &h.arena); ok {
			return h, at
		}
	}
	return nil, 0
}

// remove takes an object out.
func (h *loneHalf) remove(object uint64, at uint32) {
	r := h.arena.from(at)
	h.writes -= h.head(&r).count
	h.last.remove(object, &h.arena)
}

// room makes room in the newer half for one more object.
func (s *loneStore) room(limit int) *loneHalf {
	h := &s.now
	if h.last.n >= (limit+1)/2 || h.arena.size >= (limit+1)/2*loneSize+pageSize {
		s.forgotten += int64(s.before.writes)
		s.before, s.now = s.now, loneHalf{}
	}
	return h
}

// keep puts an object with all its writes, which are sorted, into the newer
// half.
func (s *loneStore) keep(object uint64, writes []loneWrite, limit int) {
	h := s.room(limit)
	before, at := uint32(0), uint32(0)
	for i := range writes {
		at = s.add(h, object, &writes[i], before, i+1)
		before = at + 1
	}
	h.last.put(object, at, &h.arena)
}

// lone keeps a write to an object that is lone, or not known yet, with the
// state that it gave it. It reports false where the object is neither with this
// write; what it had until then is in taken.
func (c *Collector) lone(object uint64, w *loneWrite, set *leafSet) (taken []loneWrite, ok bool) {
	s := &c.alone
	h, at := s.find(object)
	if h == nil {
		if !w.fits() {
			return nil, false
		}
		s.keep(object, []loneWrite{*w}, c.limits.Lone)
		c.loneState(set)
		return nil, true
	}
	r := h.arena.from(at)
	last := h.head(&r)
	if last.writer != w.writer || !w.fits() {
		return c.takeLone(object), false
	}
	if h == &s.now && last.count < maxLone && (last.at < w.at || last.at == w.at && last.id < w.id) {
		h.last.put(object, s.add(h, object, w, at+1, last.count+1), &h.arena)
		c.loneState(set)
		return nil, true
	}
	writes := s.writesAt(h, at)
	i, known := slices.BinarySearchFunc(writes, w, func(a loneWrite, b *loneWrite) int { return compareWrites(a.observation, b.observation) })
	switch {
	case known && c.compareInputs(writes[i].observation, w.observation) <= 0:
		return nil, true
	case known:
		writes[i].input, writes[i].line = w.input, w.line
	case len(writes) == maxLone:
		return c.takeLone(object), false
	default:
		name := writes[0].name
		writes = slices.Insert(writes, i, *w)
		writes[0].name = name
		s.chain = writes
	}
	if h == &s.before {
		for i := range writes {
			if old := s.states.get(writes[i].state); old != nil {
				c.loneState(old) // so that it is not forgotten before the object
			}
		}
	}
	h.remove(object, at)
	s.keep(object, writes, c.limits.Lone)
	c.loneState(set)
	return nil, true
}

// takeLone takes out a lone object's writes, none if it has none.
func (c *Collector) takeLone(object uint64) []loneWrite {
	h, at := c.alone.find(object)
	if h == nil {
		return nil
	}
	writes := c.alone.writesAt(h, at)
	h.remove(object, at)
	return writes
}

// loneState keeps the state of a lone object.
func (c *Collector) loneState(set *leafSet) {
	if set != nil {
		c.alone.states.put(set, c.limits.Leaves/2)
	}
}

// whole makes the record of an object of its writes, as those have that are not
// lone. It gives how many leaves that has and of how many writes the states are
// no longer known.
func (c *Collector) whole(writes []loneWrite) (o *object, leaves int, unread int64) {
	at := c.wheres[writes[0].where]
	o = &object{Object: Object{at.group, at.resource, at.namespace, writes[0].name}}
	for i := range writes {
		w := &writes[i]
		o.version(c.wheres[w.where].version)
		if w.state != 0 {
			if set := c.alone.states.get(w.state); set != nil {
				leaves += o.add(w.kind, set)
			} else {
				w.state, w.kind = 0, kindCreated
				unread++
			}
		}
		if w.hooks != 0 {
			o.hook(w.hooks, slices.Clone(w.hooked))
		}
		o.append(w.observation)
	}
	return o, leaves, unread
}

// unwhole gives the writes of an object that can be lone; ok is false for others.
func (c *Collector) unwhole(o *object) (writes []loneWrite, ok bool) {
	if o.many || o.left != nil || len(o.forgotten) > 0 || len(o.writes) > maxLone {
		return nil, false
	}
	writes = make([]loneWrite, len(o.writes))
	for i, w := range o.writes {
		version := ""
		if len(o.versions) > 0 {
			version = o.versions[min(i, len(o.versions)-1)]
		}
		writes[i] = loneWrite{observation: w, where: c.where(where{o.Group, o.Resource, o.Namespace, version}), hooked: o.hooks[w.hooks], name: o.Name}
		if !writes[i].fits() {
			return nil, false
		}
	}
	return writes, len(writes) > 0 && len(o.versions) <= len(writes)
}

// places gives where every lone object is, those first that were not written to
// lately.
func (s *loneStore) places(yield func(object uint64, h *loneHalf, at uint32) bool) {
	for _, h := range [...]*loneHalf{&s.before, &s.now} {
		places := make([]uint32, 0, h.last.n)
		for _, x := range h.last.slots {
			if x != 0 {
				places = append(places, x-1)
			}
		}
		slices.SortFunc(places, func(a, b uint32) int { return cmp.Compare(h.arena.key(a), h.arena.key(b)) })
		for _, at := range places {
			if !yield(h.arena.key(at), h, at) {
				return
			}
		}
	}
}

// all gives every lone object with its writes, in the order of places. The
// writes are overwritten with the next.
func (s *loneStore) all(yield func(object uint64, writes []loneWrite) bool) {
	s.places(func(object uint64, h *loneHalf, at uint32) bool { return yield(object, s.writesAt(h, at)) })
}

func (s *loneStore) len() int { return s.now.writes + s.before.writes }
