package contention

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
)

// errDamaged is the error for data that Encode has not written.
var errDamaged = errors.New("damaged contention state")

// Decode returns the collector that Encode has written. limits are as for New.
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
	for range d.count(11) {
		c.values.add(d.fixed(), valueText{text: d.string(), size: d.below(math.MaxUint32), raw: d.byte() == 1})
	}
	d.clock()
	d.attempts()
	for range d.count(12) {
		d.object()
	}
	if d.bad || d.b != "" {
		return nil, errDamaged
	}
	return c, nil
}

// decoder reads data of an encoder. After an error, its methods return zero
// values.
type decoder struct {
	b   string
	c   *Collector
	bad bool

	objects int
	last    uint64 // last object
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

func (d *decoder) fixed32() (n uint32) {
	if len(d.b) < 4 {
		d.fail()
		return 0
	}
	for i := range 4 {
		n |= uint32(d.b[i]) << (8 * i)
	}
	d.b = d.b[4:]
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

// count reads the number of the items that follow. Each item has at least size
// bytes.
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
	return l
}

// attempts reads the attempts of all objects.
func (d *decoder) attempts() {
	for range d.count(19) {
		key, at := d.fixed(), int64(0)
		for range d.count(10) {
			at += d.int()
			d.c.attempts.add(key, attempt{at, d.below(len(d.c.writers)), d.fixed()})
		}
	}
}

// maxTime is the largest time of a clock, in microseconds. It is so small that
// sums of two times cannot overflow.
const maxTime = 1 << 60

// clock reads the intervals and versions of a clock.
func (d *decoder) clock() {
	step := d.int()
	if n := step / clockStep; step != 0 && (n < 1 || n*clockStep != step || n&(n-1) != 0 || step > maxTime) {
		d.fail()
		return
	}
	at := int64(0)
	for range d.count(2) {
		at += d.int()
		if step == 0 || at > maxTime/step || at < -maxTime/step {
			d.fail()
			return
		}
		d.c.clock.add(at, step, d.uint())
	}
}

func (d *decoder) object() {
	c := d.c
	key := d.fixed()
	if d.objects++; d.objects > 1 && key <= d.last {
		d.fail()
	}
	d.last = key
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
	hooks := d.hooks(o)
	n := d.count(31)
	o.writes = make([]observation, 0, n)
	var at int64
	for range n {
		at += d.int()
		w := d.write(at)
		if n := d.below(len(hashes) + 1); n > 0 {
			w.state = hashes[n-1]
		}
		if n := d.below(len(parts) + 1); n > 0 {
			w.state = parts[n-1]
		}
		if n := d.below(len(hooks) + 1); n > 0 {
			w.hooks = hooks[n-1]
		}
		o.append(w)
	}
	for range d.count(2) {
		if o.forgotten == nil {
			o.forgotten = map[uint32]int64{}
		}
		w := d.below(len(c.writers))
		o.forgotten[w] = d.int()
		o.many = o.many || len(o.writes) > 0 && w != o.writes[0].writer
	}
	if d.byte() == 1 {
		o.left = d.leftover()
	}
	if d.bad || len(o.writes) == 0 || o.sorted < len(o.writes) {
		d.fail()
		return
	}
	d.keep(key, o)
}

// hooks reads the changes of webhooks into an object. It returns their hashes in
// the order of the data.
func (d *decoder) hooks(o *object) []uint64 {
	hashes := make([]uint64, d.count(9))
	for i := range hashes {
		hashes[i] = d.fixed()
		if o.hooks == nil {
			o.hooks = map[uint64][]hookState{}
		}
		list := make([]hookState, d.count(4))
		for j := range list {
			list[j] = hookState{writer: d.below(len(d.c.writers)), leaves: d.leaves()}
			known := d.byte() == 1
			if list[j].sent = d.leaves(); known && list[j].sent == nil {
				list[j].sent = []leaf{}
			}
		}
		o.hooks[hashes[i]] = list
	}
	return hashes
}

// write reads a write at this time, without its states.
func (d *decoder) write(at int64) (w observation) {
	w.at, w.id, w.audit, w.version = at, d.fixed32(), auditID{d.fixed(), d.fixed()}, d.uint()
	w.writer, w.input, w.line = d.below(len(d.c.writers)), d.below(len(d.c.inputs)), d.below(math.MaxUint32)
	w.how, w.kind, w.flags, w.instance = How(d.byte()), kind(d.byte()), d.byte(), d.byte()
	if w.how > HowWebhook || w.kind > kindFull || w.flags >= flagIdle {
		d.fail()
	}
	return w
}

func (d *decoder) leftover() *leftoverAt {
	l := &leftoverAt{leftover: leftover{manager: d.string(), update: d.string()}}
	for range d.count(1) {
		l.fields = append(l.fields, d.string())
	}
	l.more = int(d.below(math.MaxInt32))
	l.writer, l.at, l.id = d.below(len(d.c.writers)), d.int(), d.fixed32()
	l.input, l.line = d.below(len(d.c.inputs)), d.below(math.MaxUint32)
	return l
}

// keep adds an object to the collector.
func (d *decoder) keep(key uint64, o *object) {
	c := d.c
	if x := c.toSingle(o); x != nil {
		for hash, d := range o.states {
			c.keepState(&leafSet{hash, d.apply(o.base.leaves)})
		}
		for hash, d := range o.parts {
			c.keepState(&leafSet{hash, d})
		}
		c.singles.put(key, x, c.limits.Single)
		maps.Copy(c.singles.recent.hooks, o.hooks)
		return
	}
	if o.base != nil {
		c.leaves += len(o.base.leaves)
	}
	for _, states := range [...]map[uint64]delta{o.states, o.parts} {
		for _, x := range states {
			c.leaves += len(x)
		}
	}
	c.objects[key] = o
	c.writes += len(o.writes)
	c.protect(o, 0, kindNone)
}
