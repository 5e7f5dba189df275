package contention

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// magic begins an encoded collector; its last byte is the version of the form.
const magic = "kubevet contention\x00\x01"

// Encode gives everything that was collected, in a form that depends on nothing
// else: not on the order in which it came, nor on how many workers there were.
func (c *Collector) Encode() []byte { return c.encode(0, 1) }

// Shard gives part i of n of what was collected, as Encode does of all: what
// concerns the objects that fall into it. The same objects fall into a part in
// every collector, so that parts can be merged apart from each other; merged
// together they are the whole. It is nil for a part that has nothing.
func (c *Collector) Shard(i, n int) []byte { return c.encode(uint64(i), uint64(n)) }

func (c *Collector) encode(part, of uint64) []byte {
	e := &encoder{c: c, part: part, of: of}
	e.b = append(e.b, magic...)
	inputs := e.order(len(c.inputs), func(i, j int) int { return strings.Compare(c.inputs[i], c.inputs[j]) }, &e.inputs)
	c.renumber(inputs, e.inputs)
	writers := e.order(len(c.writers), func(i, j int) int { return compareWriters(c.writers[i], c.writers[j]) }, &e.writers)
	used := map[uint64]bool{}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(c.objects)), func(k uint64) bool { return !e.has(k) })
	c.settle()
	for _, k := range keys {
		o := c.objects[k]
		c.leaves -= o.prune()
		o.usedPaths(used)
	}
	singles := e.sortedSingles()
	if part > 0 && len(keys)+len(singles) == 0 {
		return nil
	}
	e.int(c.end)
	for _, n := range [...]int64{c.forgotten, c.singles.forgotten, c.unread} {
		if part > 0 {
			n = 0 // the first part counts them
		}
		e.int(n)
	}
	e.uint(uint64(len(c.inputs)))
	for _, name := range c.inputs {
		e.string(name)
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
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		e.fixed(k)
		e.object(c.objects[k])
	}
	e.singles(singles)
	return e.b
}

type encoder struct {
	c               *Collector
	b               []byte
	part, of        uint64   // which objects are encoded
	inputs, writers []uint32 // new numbers by old ones
}

// order sorts numbers and gives them in their new order; numbers gets the new
// ones by old ones.
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

// renumber puts inputs into the order of their names.
func (c *Collector) renumber(sorted []int, numbers []uint32) {
	names := make([]string, len(sorted))
	for i, old := range sorted {
		names[i] = c.inputs[old]
		c.byInput[names[i]] = uint32(i)
	}
	c.inputs = names
	for _, o := range c.objects {
		for i := range o.writes {
			o.writes[i].input = numbers[o.writes[i].input]
		}
		o.sorted = 0
		if o.left != nil {
			o.left.input = numbers[o.left.input]
		}
	}
	for _, g := range [...]*generation{&c.singles.now, &c.singles.before} {
		for k, s := range g.byObject {
			s.input = numbers[s.input]
			g.byObject[k] = s
		}
	}
}

func (o *object) usedPaths(used map[uint64]bool) {
	add := func(l []leaf) {
		for _, x := range l {
			used[x.path] = true
		}
	}
	for _, d := range o.states {
		add(d.apply(o.base.leaves))
	}
	for _, d := range o.parts {
		add(d)
	}
	for _, h := range o.hooks {
		for _, s := range h {
			add(s.leaves)
		}
	}
}

func (e *encoder) uint(n uint64)   { e.b = binary.AppendUvarint(e.b, n) }
func (e *encoder) int(n int64)     { e.b = binary.AppendVarint(e.b, n) }
func (e *encoder) fixed(n uint64)  { e.b = binary.LittleEndian.AppendUint64(e.b, n) }
func (e *encoder) string(s string) { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) byte(b byte)     { e.b = append(e.b, b) }
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

func (e *encoder) object(o *object) {
	e.string(o.Group)
	e.string(o.Resource)
	e.string(o.Namespace)
	e.string(o.Name)
	e.uint(uint64(len(o.versions)))
	for _, v := range o.versions {
		e.string(v)
	}
	// States are told apart from the one with the least hash, whichever came
	// first.
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
		}
	}
	e.uint(uint64(len(o.writes)))
	var at int64
	for i := range o.writes {
		w := &o.writes[i]
		e.int(w.at - at)
		at = w.at
		e.fixed(w.id)
		e.uint(w.version)
		e.uint(w.before)
		e.uint(uint64(e.writers[w.writer]))
		e.uint(uint64(w.input))
		e.uint(uint64(w.line))
		e.b = append(e.b, byte(w.how), byte(w.kind), w.flags)
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
	if l := o.left; l != nil {
		e.string(l.manager)
		e.string(l.update)
		e.uint(uint64(len(l.fields)))
		for _, f := range l.fields {
			e.string(f)
		}
		e.uint(uint64(l.more))
		e.uint(uint64(e.writers[l.writer]))
		e.int(l.at)
		e.fixed(l.id)
		e.uint(uint64(l.input))
		e.uint(uint64(l.line))
	}
}

// index writes which of the sorted hashes it is, from 1 on; 0 for none.
func (e *encoder) index(hashes []uint64, hash uint64, wanted bool) {
	at, ok := slices.BinarySearch(hashes, hash)
	if !wanted || !ok || hash == 0 {
		e.uint(0)
		return
	}
	e.uint(uint64(at) + 1)
}

// has reports whether an object is encoded.
func (e *encoder) has(key uint64) bool { return key%e.of == e.part }

// keyed is the only write to an object, with the object's fingerprint.
type keyed struct {
	key uint64
	single
}

func (e *encoder) sortedSingles() (all []keyed) {
	e.c.singles.all(func(key uint64, s single) bool {
		if e.has(key) {
			all = append(all, keyed{key, s})
		}
		return true
	})
	slices.SortFunc(all, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	return all
}

func (e *encoder) singles(all []keyed) {
	e.uint(uint64(len(all)))
	for i := range all {
		s := &all[i]
		at := e.c.wheres[s.where]
		e.fixed(s.key)
		e.string(at.group)
		e.string(at.resource)
		e.string(at.namespace)
		e.string(at.version)
		e.string(s.text)
		e.int(s.at)
		e.fixed(s.id)
		e.uint(s.version)
		e.uint(s.before)
		e.uint(uint64(e.writers[s.writer]))
		e.uint(uint64(s.input))
		e.uint(uint64(s.line))
		e.b = append(e.b, byte(s.how), byte(s.kind), s.flags)
	}
}

// errDamaged is what is wrong with bytes that Encode did not make.
var errDamaged = errors.New("damaged contention state")

// Decode gives the collector that was encoded. limits bound it as New's do.
func Decode(data []byte, limits Limits) (c *Collector, err error) {
	rest, ok := strings.CutPrefix(string(data), magic[:len(magic)-1])
	switch {
	case !ok || rest == "":
		return nil, errDamaged
	case rest[0] != magic[len(magic)-1]:
		return nil, fmt.Errorf("contention state of another version (%d)", rest[0])
	}
	d := &decoder{b: rest[1:], c: New(Config{Limits: limits})}
	c = d.c
	c.end, c.forgotten, c.singles.forgotten, c.unread = d.int(), d.int(), d.int(), d.int()
	for range d.count(1) {
		c.inputs = append(c.inputs, d.string())
		c.byInput[c.inputs[len(c.inputs)-1]] = uint32(len(c.inputs) - 1)
	}
	for range d.count(4) {
		w := Writer{User: d.string(), Agent: d.string(), Manager: d.string(), Webhook: d.byte() == 1}
		c.byKey[w] = uint32(len(c.writers))
		c.writers = append(c.writers, w)
	}
	for range d.count(10) {
		p := d.fixed()
		c.path(pathInfo{p, d.string(), d.byte() == 1})
	}
	for range d.count(12) {
		d.object()
	}
	for range d.count(16) {
		d.single()
	}
	if d.bad || d.b != "" {
		return nil, errDamaged
	}
	return c, nil
}

// decoder reads what encoder writes. After the first thing that is wrong it
// gives zeros.
type decoder struct {
	b   string
	c   *Collector
	bad bool
}

func (d *decoder) fail() { d.bad, d.b = true, "" }

func (d *decoder) uint() uint64 {
	var n uint64
	for i := 0; i < len(d.b) && i < binary.MaxVarintLen64; i++ {
		x := d.b[i]
		n |= uint64(x&0x7f) << (7 * i)
		if x < 0x80 {
			d.b = d.b[i+1:]
			return n
		}
	}
	d.fail()
	return 0
}

func (d *decoder) int() int64 {
	n := d.uint()
	x := int64(n >> 1)
	if n&1 != 0 {
		x = ^x
	}
	return x
}

func (d *decoder) fixed() (n uint64) {
	if len(d.b) < 8 {
		d.fail()
		return 0
	}
	for i := range 8 {
		n |= uint64(d.b[i]) << (8 * i)
	}
	d.b = d.b[8:]
	return n
}

func (d *decoder) byte() byte {
	if d.b == "" {
		d.fail()
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

func (d *decoder) string() string {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return ""
	}
	s := strings.Clone(d.b[:n])
	d.b = d.b[n:]
	return s
}

// count reads how many things follow, each of at least size bytes.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.b)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

// below reads a number that must be less than n.
func (d *decoder) below(n int) uint32 {
	x := d.uint()
	if x >= uint64(n) || x > math.MaxUint32 {
		d.fail()
		return 0
	}
	return uint32(x)
}

func (d *decoder) leaves() []leaf {
	n := d.count(16)
	if n == 0 {
		return nil
	}
	l := make([]leaf, n)
	for i := range l {
		l[i] = leaf{d.fixed(), d.fixed()}
		if i > 0 && l[i].path <= l[i-1].path {
			d.fail()
			return nil
		}
	}
	d.c.leaves += n
	return l
}

func (d *decoder) object() {
	c := d.c
	key := d.fixed()
	o := &object{Object: Object{d.string(), d.string(), d.string(), d.string()}}
	for range d.count(1) {
		o.version(d.string())
	}
	hashes := make([]uint64, d.count(9))
	for i := range hashes {
		hashes[i] = d.fixed()
		l := d.leaves()
		if i == 0 {
			o.base, o.states = &leafSet{hashes[0], l}, map[uint64]delta{hashes[0]: nil}
			continue
		}
		o.states[hashes[i]] = l
	}
	parts := make([]uint64, d.count(9))
	for i := range parts {
		parts[i] = d.fixed()
		if o.parts == nil {
			o.parts = map[uint64]delta{}
		}
		o.parts[parts[i]] = d.leaves()
	}
	hooks := make([]uint64, d.count(9))
	for i := range hooks {
		hooks[i] = d.fixed()
		if o.hooks == nil {
			o.hooks = map[uint64][]hookState{}
		}
		list := make([]hookState, d.count(2))
		for j := range list {
			list[j] = hookState{d.below(len(c.writers)), d.leaves()}
		}
		o.hooks[hooks[i]] = list
	}
	o.writes = make([]observation, d.count(20))
	var at int64
	for i := range o.writes {
		w := &o.writes[i]
		at += d.int()
		w.at, w.id, w.version, w.before = at, d.fixed(), d.uint(), d.uint()
		w.writer, w.input, w.line = d.below(len(c.writers)), d.below(len(c.inputs)), d.below(math.MaxUint32)
		w.how, w.kind, w.flags = How(d.byte()), kind(d.byte()), d.byte()
		if w.how > HowWebhook || w.kind > kindFull {
			d.fail()
		}
		if n := d.below(len(hashes) + 1); n > 0 {
			w.state = hashes[n-1]
		}
		if n := d.below(len(parts) + 1); n > 0 {
			w.state = parts[n-1]
		}
		if n := d.below(len(hooks) + 1); n > 0 {
			w.hooks = hooks[n-1]
		}
	}
	for range d.count(2) {
		if o.forgotten == nil {
			o.forgotten = map[uint32]int64{}
		}
		o.forgotten[d.below(len(c.writers))] = d.int()
	}
	if d.byte() == 1 {
		l := &leftoverAt{leftover: leftover{manager: d.string(), update: d.string()}}
		for range d.count(1) {
			l.fields = append(l.fields, d.string())
		}
		l.more = int(d.below(math.MaxInt32))
		l.writer, l.at, l.id = d.below(len(c.writers)), d.int(), d.fixed()
		l.input, l.line = d.below(len(c.inputs)), d.below(math.MaxUint32)
		o.left = l
	}
	if d.bad || len(o.writes) == 0 {
		d.fail()
		return
	}
	c.objects[key] = o
	c.writes += len(o.writes)
}

func (d *decoder) single() {
	c := d.c
	key := d.fixed()
	at := where{d.string(), d.string(), d.string(), d.string()}
	s := single{text: d.string()}
	s.at, s.id, s.version, s.before = d.int(), d.fixed(), d.uint(), d.uint()
	s.writer, s.input, s.line = d.below(len(c.writers)), d.below(len(c.inputs)), d.below(math.MaxUint32)
	s.how, s.kind, s.flags = How(d.byte()), kind(d.byte()), d.byte()
	if d.bad || s.how > HowWebhook || s.kind > kindFull {
		d.fail()
		return
	}
	s.where = c.where(at)
	c.singles.put(key, s, c.limits.Singles)
}
