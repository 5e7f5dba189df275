package contention

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// magic is the beginning of an encoded collector. Its last byte is the version
// of the format.
const magic = "kubevet contention\x00\x03"

// Encode returns the collected writes. The bytes do not depend on the order of
// the logs or on the number of workers.
func (c *Collector) Encode() []byte { return c.encode(0, 1) }

// Shard returns part i of n parts of the collected writes, with i from 0 to
// n-1; nil for an empty part. All parts together contain the writes that Encode
// returns. An object is in the same part in all collectors, so that the parts
// can be merged one by one.
func (c *Collector) Shard(i, n int) []byte { return c.encode(uint64(i), uint64(n)) }

func (c *Collector) encode(part, parts uint64) []byte {
	e := &encoder{c: c, part: part, parts: parts}
	e.b = append(e.b, magic...)
	inputs := e.order(len(c.inputs), func(i, j int) int { return strings.Compare(c.inputs[i], c.inputs[j]) }, &e.inputs)
	writers := e.order(len(c.writers), func(i, j int) int { return compareWriters(c.writers[i], c.writers[j]) }, &e.writers)
	c.settle()
	used := map[uint64]bool{}
	texts := usedTexts{c: c, used: map[uint64]bool{}, hidden: map[uint64]bool{}}
	keys := slices.Sorted(maps.Keys(c.objects))
	unread := c.unread
	c.singles.all(func(key uint64, o *singleObject) bool {
		if !e.has(key) {
			return true
		}
		keys = append(keys, key)
		for _, w := range o.writes {
			if w.state != 0 {
				if set := c.singles.states.get(w.state); set != nil {
					usePaths(used, set.leaves)
					texts.add(c.resource(&w), set.leaves)
				} else {
					unread++
				}
			}
			for _, h := range c.singles.hooked(w.hooks) {
				usePaths(used, h.leaves)
				texts.add(c.resource(&w), h.leaves)
				texts.add(c.resource(&w), h.sent)
			}
			texts.id(w.audit)
		}
		return true
	})
	keys = slices.DeleteFunc(keys, func(k uint64) bool { return !e.has(k) })
	slices.Sort(keys)
	for _, k := range keys {
		if o := c.objects[k]; o != nil {
			c.leaves -= o.prune()
			o.usedPaths(used)
			texts.object(o)
		}
	}
	c.attempts.settle()
	attempted := slices.DeleteFunc(slices.Sorted(maps.Keys(c.attempts.byObject)), func(k uint64) bool { return !e.has(k) })
	if part > 0 && len(keys)+len(attempted) == 0 {
		return nil
	}
	e.int(c.end)
	for _, n := range [...]int64{c.forgotten, c.singles.forgotten, unread} {
		if part > 0 {
			n = 0 // only the first part has these counters
		}
		e.int(n)
	}
	e.uint(uint64(len(inputs)))
	for _, i := range inputs {
		e.string(c.inputs[i])
	}
	e.uint(uint64(len(writers)))
	for _, i := range writers {
		w := &c.writers[i]
		e.string(w.User)
		e.string(w.Agent)
		e.string(w.Manager)
		e.bool(w.Webhook)
	}
	var paths []pathInfo
	for _, p := range slices.Sorted(maps.Keys(used)) {
		if i, ok := c.paths[p]; ok {
			paths = append(paths, i)
		}
	}
	e.uint(uint64(len(paths)))
	for _, p := range paths {
		e.fixed(p.path)
		e.string(p.text)
		e.bool(p.atomic)
	}
	e.texts(&texts)
	e.clock(&c.clock)
	e.attempts(&c.attempts, attempted)
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		e.fixed(k)
		o := c.objects[k]
		if o == nil {
			o, _, _ = c.fromSingle(c.singles.read(c.singles.find(k)))
		}
		e.object(o)
	}
	return e.b
}

type encoder struct {
	c               *Collector
	b               []byte
	part, parts     uint64   // an object is encoded if its key modulo parts is part
	inputs, writers []uint32 // new number for each old number
}

// order returns the numbers 0 to n-1, sorted by compare. It stores the position
// of each number in numbers.
func (e *encoder) order(n int, compare func(i, j int) int, numbers *[]uint32) []int {
	sorted := make([]int, n)
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortFunc(sorted, compare)
	*numbers = make([]uint32, n)
	for i, old := range sorted {
		(*numbers)[old] = uint32(i)
	}
	return sorted
}

func (o *object) usedPaths(used map[uint64]bool) {
	for _, d := range o.states {
		usePaths(used, d.apply(o.base.leaves))
	}
	for _, d := range o.parts {
		usePaths(used, d)
	}
	for _, h := range o.hooks {
		for _, s := range h {
			usePaths(used, s.leaves)
		}
	}
}

func usePaths(used map[uint64]bool, l []leaf) {
	for _, x := range l {
		used[x.path] = true
	}
}

func (e *encoder) uint(n uint64)    { e.b = binary.AppendUvarint(e.b, n) }
func (e *encoder) int(n int64)      { e.b = binary.AppendVarint(e.b, n) }
func (e *encoder) fixed(n uint64)   { e.b = binary.LittleEndian.AppendUint64(e.b, n) }
func (e *encoder) string(s string)  { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) fixed32(n uint32) { e.b = binary.LittleEndian.AppendUint32(e.b, n) }
func (e *encoder) byte(b byte)      { e.b = append(e.b, b) }
func (e *encoder) bool(b bool) {
	if b {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

func (e *encoder) leaves(l []leaf) {
	e.uint(uint64(len(l)))
	for _, x := range l {
		e.fixed(x.path)
		e.fixed(x.value)
	}
}

// attempts writes the attempts (dry runs and refused updates) of the objects with
// these keys.
func (e *encoder) attempts(l *attempts, keys []uint64) {
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		e.fixed(k)
		list := slices.Clone(l.byObject[k])
		slices.SortFunc(list, func(a, b attempt) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(e.writers[a.writer], e.writers[b.writer]), cmp.Compare(a.refused, b.refused))
		})
		e.uint(uint64(len(list)))
		last := int64(0)
		for _, x := range list {
			e.int(x.at - last)
			last = x.at
			e.uint(uint64(e.writers[x.writer]))
			e.fixed(x.refused)
		}
	}
}

// clock writes the intervals and versions of a clock.
func (e *encoder) clock(c *clock) {
	e.int(c.step)
	e.uint(uint64(len(c.max)))
	last := int64(0)
	for _, at := range slices.Sorted(maps.Keys(c.max)) {
		e.int(at - last)
		e.uint(c.max[at])
		last = at
	}
}

func (e *encoder) object(o *object) {
	e.string(o.Group)
	e.string(o.Resource)
	e.string(o.Namespace)
	e.string(o.Name)
	e.uint(uint64(len(o.versions)))
	for _, v := range o.versions {
		e.string(v)
	}
	// Each state is written as the difference from the state with the smallest
	// hash. That state does not depend on the order in which states were added.
	hashes := slices.Sorted(maps.Keys(o.states))
	e.uint(uint64(len(hashes)))
	var base []leaf
	for i, h := range hashes {
		e.fixed(h)
		full := o.states[h].apply(o.base.leaves)
		if i == 0 {
			base = full
			e.leaves(full)
			continue
		}
		e.leaves(differ(base, full, true))
	}
	parts := slices.Sorted(maps.Keys(o.parts))
	e.uint(uint64(len(parts)))
	for _, h := range parts {
		e.fixed(h)
		e.leaves(o.parts[h])
	}
	hooks := slices.Sorted(maps.Keys(o.hooks))
	e.uint(uint64(len(hooks)))
	for _, h := range hooks {
		e.fixed(h)
		list := o.hooks[h]
		e.uint(uint64(len(list)))
		for _, s := range list {
			e.uint(uint64(e.writers[s.writer]))
			e.leaves(s.leaves)
			e.bool(s.sent != nil)
			e.leaves(s.sent)
		}
	}
	e.uint(uint64(len(o.writes)))
	var at int64
	for i := range o.writes {
		w := &o.writes[i]
		e.int(w.at - at)
		at = w.at
		e.write(w)
		e.index(hashes, w.state, w.kind != kindStated)
		e.index(parts, w.state, w.kind == kindStated)
		e.index(hooks, w.hooks, true)
	}
	lost := slices.SortedFunc(maps.Keys(o.forgotten), func(a, b uint32) int { return cmp.Compare(e.writers[a], e.writers[b]) })
	e.uint(uint64(len(lost)))
	for _, w := range lost {
		e.uint(uint64(e.writers[w]))
		e.int(o.forgotten[w])
	}
	e.bool(o.left != nil)
	if o.left != nil {
		e.leftover(o.left)
	}
}

// write writes a write without its time and its states.
func (e *encoder) write(w *observation) {
	e.fixed32(w.id)
	e.fixed(w.audit[0])
	e.fixed(w.audit[1])
	e.uint(w.version)
	e.uint(uint64(e.writers[w.writer]))
	e.uint(uint64(e.inputs[w.input]))
	e.uint(uint64(w.line))
	e.b = append(e.b, byte(w.how), byte(w.kind), w.flags, w.instance)
}

func (e *encoder) leftover(l *leftoverAt) {
	e.string(l.manager)
	e.string(l.update)
	e.uint(uint64(len(l.fields)))
	for _, f := range l.fields {
		e.string(f)
	}
	e.uint(uint64(l.more))
	e.uint(uint64(e.writers[l.writer]))
	e.int(l.at)
	e.fixed32(l.id)
	e.uint(uint64(e.inputs[l.input]))
	e.uint(uint64(l.line))
}

// index writes the position of hash in the sorted hashes, counted from 1. It
// writes 0 if hash is missing, or if wanted is false.
func (e *encoder) index(hashes []uint64, hash uint64, wanted bool) {
	at, ok := slices.BinarySearch(hashes, hash)
	if !wanted || !ok || hash == 0 {
		e.uint(0)
		return
	}
	e.uint(uint64(at) + 1)
}

// has reports whether an object is in the encoded part.
func (e *encoder) has(key uint64) bool { return key%e.parts == e.part }
