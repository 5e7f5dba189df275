package contention

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// Limits are the limits of a collector's memory. Zero means the default.
type Limits struct {
	// Objects is the largest number of objects with several clients or with
	// many writes. Single is the largest number of other objects: they have a
	// few writes of one client, and take about two hundred bytes each.
	Objects, Single int
	// Writes and Leaves limit the objects counted by Objects: the number of
	// their writes, and the number of fields in their states. The states of the
	// objects counted by Single can have half as many fields.
	Writes, Leaves int
	// Writers is the largest number of writers. Scopes is the largest number of
	// combinations of a kind, a version and a namespace. Writes of further
	// writers or scopes are dropped.
	Writers, Scopes int
}

// These are the default limits.
const (
	DefaultObjects = 1 << 18
	DefaultSingle  = 1 << 20
	DefaultWrites  = 1 << 21
	DefaultLeaves  = 1 << 22
	DefaultWriters = 1 << 17
	DefaultScopes  = 1 << 17
)

func (l Limits) orDefaults() Limits {
	for _, p := range [...]struct {
		at  *int
		def int
	}{{&l.Objects, DefaultObjects}, {&l.Single, DefaultSingle}, {&l.Writes, DefaultWrites}, {&l.Leaves, DefaultLeaves}, {&l.Writers, DefaultWriters}, {&l.Scopes, DefaultScopes}} {
		if *p.at <= 0 {
			*p.at = p.def
		}
	}
	return l
}

// Collector stores the writes to objects. Its workers can run concurrently. Its
// other methods must not be called concurrently.
type Collector struct {
	limits Limits
	keep   func(e *auditlog.Event, at int64) bool
	redact bool
	status bool      // whether statuses are collected
	pool   sync.Pool // *[]write
	arenas sync.Pool // *[]byte

	writers  []Writer
	byKey    map[Writer]uint32
	inputs   []string
	byInput  map[string]uint32
	paths    map[uint64]pathInfo
	values   valueStore
	clock    clock
	attempts attempts

	singles singleStore
	scopes  []scope
	byScope map[scope]uint32
	objects map[uint64]*object

	writes, leaves int // numbers of writes and leaves in objects
	// perObject is the largest number of writes that are kept for an object
	// with several writers, and perOwned for an object with a single writer.
	perObject, perOwned int
	full                bool // no more leaves can be freed
	forgotten, unread   int64
	end                 int64 // time of the last write
}

// New returns a collector without writes.
func New(cfg Config) *Collector {
	return &Collector{
		limits: cfg.Limits.orDefaults(), keep: cfg.Keep, redact: cfg.Redact, status: cfg.Status, perObject: maxWrites, perOwned: maxWrites,
		byKey: map[Writer]uint32{}, byInput: map[string]uint32{}, byScope: map[scope]uint32{}, paths: map[uint64]pathInfo{},
		objects: map[uint64]*object{},
	}
}

// Add adds the records of one block. line is the number of lines before the
// block in the input.
func (c *Collector) Add(p Part, input string, line int) {
	c.end = max(c.end, p.end)
	for _, i := range p.paths {
		c.path(i)
	}
	for _, t := range p.ticks {
		c.clock.add(t.at, clockStep, t.version)
	}
	for _, x := range p.attempts {
		if c.number(x.writer) {
			c.attempts.add(x.object, attempt{x.at, x.writer.number - 1, x.refused})
		}
	}
	if len(p.writes) == 0 {
		return
	}
	in := c.input(input)
	for i := range p.writes {
		w := &p.writes[i]
		w.obs.input, w.obs.line = in, uint32(line)+uint32(w.line)+1
		c.write(w, p.names[w.nameFrom:w.nameTo], p.texts[w.from:w.to])
	}
	clear(p.writes)
	c.pool.Put(&p.writes)
	if cap(p.texts) > 0 {
		c.arenas.Put(&p.texts)
	}
}

// maxPaths is the largest number of path texts that are kept.
const maxPaths = 1 << 20

func (c *Collector) path(i pathInfo) {
	if len(c.paths) < maxPaths {
		c.paths[i.path] = i
	}
}

// maxInputs is the largest number of input names that are kept. Further inputs
// share the name "".
const maxInputs = 1 << 16

// input returns the number of an input.
func (c *Collector) input(name string) uint32 {
	if _, known := c.byInput[name]; !known && len(c.inputs) >= maxInputs {
		name = ""
	}
	if i, ok := c.byInput[name]; ok {
		return i
	}
	i := uint32(len(c.inputs))
	c.inputs = append(c.inputs, name)
	c.byInput[name] = i
	return i
}

// writer returns the number of a writer. ok is false if there are too many
// writers.
func (c *Collector) writer(w Writer) (number uint32, ok bool) {
	if i, ok := c.byKey[w]; ok {
		return i, true
	}
	if len(c.writers) >= c.limits.Writers {
		return 0, false
	}
	i := uint32(len(c.writers))
	c.writers = append(c.writers, w)
	c.byKey[w] = i
	return i, true
}

// number sets the number of a worker's writer. It returns false if there are
// too many writers.
func (c *Collector) number(w *knownWriter) bool {
	if w.number == 0 {
		i, ok := c.writer(w.Writer)
		if !ok {
			return false
		}
		w.number = i + 1
	}
	return true
}

// write adds a write of a worker to the object with this name. texts has the
// texts of the values.
func (c *Collector) write(w *write, name string, texts []byte) {
	if w.scope.number == 0 {
		if i, ok := c.scope(w.scope.scope); ok {
			w.scope.number = i + 1
		}
	}
	if w.scope.number == 0 || !c.number(w.writer) {
		c.forgotten++
		return
	}
	w.obs.writer, w.obs.scope = w.writer.number-1, w.scope.number-1
	x := newWrite{observation: w.obs, name: name, set: w.state}
	if len(texts) > 0 && (w.state == nil || w.hooks != nil || w.obs.audit[0] == 0 || !c.knowsState(w)) {
		c.values.put(texts)
	}
	if w.state != nil {
		x.state = w.state.hash
	}
	if w.hooks != nil {
		x.hooks, x.hooked = c.hooks(w.hooks)
	}
	if w.left != nil {
		x.left = &leftoverAt{*w.left, w.obs.writer, w.obs.at, w.obs.id, w.obs.input, w.obs.line}
	}
	c.keepWrite(w.object, &x)
}

// keepWrite adds a write to an object.
func (c *Collector) keepWrite(key uint64, w *newWrite) {
	o := c.objects[key]
	if o == nil {
		taken, ok := c.addSingle(key, w)
		if ok {
			return
		}
		if o = c.object(key, w, taken); o == nil {
			return
		}
	}
	o.version(c.scopes[w.scope].version)
	if w.set != nil {
		if c.leaves < c.limits.Leaves || c.freeLeaves() {
			c.leaves += o.add(w.kind, w.set)
		} else {
			c.unread++
			w.kind, w.state = kindNone, 0
		}
	}
	if w.hooks != 0 {
		o.hook(w.hooks, w.hooked)
	}
	if w.left != nil && (o.left == nil || w.left.after(o.left)) {
		o.left = w.left
	}
	c.observe(o, w.observation)
	c.protect(o, w.state, w.kind)
}

// version records a version of the API in which the object was written.
func (o *object) version(v string) {
	at, known := slices.BinarySearch(o.versions, v)
	if known {
		return
	}
	o.versions = slices.Insert(o.versions, at, v)
	if len(o.versions) > maxVersions {
		o.versions = o.versions[:maxVersions]
	}
}

// maxVersions is the largest number of versions that are kept for an object.
const maxVersions = 16

// after reports whether l is later than o.
func (l *leftoverAt) after(o *leftoverAt) bool {
	return l.at > o.at || l.at == o.at && l.id > o.id
}

// object adds the object of a write. taken is the object's record if it had a
// single writer until now, and otherwise nil. object returns nil if there is no
// memory for the object.
func (c *Collector) object(key uint64, w *newWrite, taken *singleObject) *object {
	if len(c.objects) >= c.limits.Objects && !c.evict() {
		c.forgotten++
		if taken != nil {
			c.forgotten += int64(len(taken.writes))
		}
		return nil
	}
	var o *object
	if taken != nil {
		var leaves int
		var unread int64
		o, leaves, unread = c.fromSingle(taken)
		c.leaves += leaves
		c.unread += unread
		c.writes += len(o.writes)
	} else {
		at := c.scopes[w.scope]
		o = &object{Object: Object{at.group, at.resource, at.namespace, strings.Clone(w.name)}}
	}
	c.objects[key] = o
	return o
}

// observe adds a write to an object.
func (c *Collector) observe(o *object, w observation) {
	o.append(w)
	c.writes++
	if len(o.writes) >= 2*c.kept(o) {
		c.tidy(o)
	}
	if c.writes > c.limits.Writes {
		c.shrink()
	}
}

// kept returns the largest number of writes that are kept for an object.
func (c *Collector) kept(o *object) int {
	if o.many {
		return c.perObject
	}
	return min(c.perObject, c.perOwned)
}

// tidy sorts the writes of an object, and drops writes beyond the limit.
func (c *Collector) tidy(o *object) {
	before := len(o.writes)
	if n := o.tidy(c.kept(o), c.compareInputs); n > 0 {
		c.forgotten += n
		c.leaves -= o.prune()
	}
	c.writes -= before - len(o.writes)
}

// compareInputs compares the positions of two copies of a write.
func (c *Collector) compareInputs(a, b observation) int {
	return cmp.Or(strings.Compare(c.inputs[a.input], c.inputs[b.input]), cmp.Compare(a.line, b.line))
}

// settle tidies all objects.
func (c *Collector) settle() {
	for _, o := range c.objects {
		c.tidy(o)
	}
}

// shrink frees memory. It keeps fewer writes for each object, first for objects
// with a single writer.
func (c *Collector) shrink() {
	full := func() bool { return c.writes > c.limits.Writes/4*3 }
	for _, per := range [...]*int{&c.perOwned, &c.perObject} {
		for full() && *per > 16 {
			if c.settle(); full() {
				*per /= 2
			}
		}
	}
	if c.settle(); full() {
		c.limits.Writes *= 2 // Limits.Objects still limits the memory
	}
}

// freeLeaves frees the memory of leaves. It returns false if this is not
// possible.
func (c *Collector) freeLeaves() bool {
	if c.full {
		return false
	}
	c.full = !c.thin()
	return !c.full
}

// hooks converts the changes of webhooks in a write to the form in which
// objects store them. It also returns their hash.
func (c *Collector) hooks(hooks []hookWrite) (uint64, []hookState) {
	list := make([]hookState, 0, len(hooks))
	h := uint64(pathSeed)
	for _, x := range hooks {
		writer, ok := c.writer(x.hook)
		if !ok {
			continue
		}
		s := hookState{writer: writer}
		h = fingerprint.Add(fingerprint.Add(h, []byte(x.hook.User)), []byte(x.hook.Agent))
		if x.state != nil {
			s.leaves, s.sent = x.state.leaves, x.sent
			h = scramble(h ^ x.state.hash)
			if x.sent != nil {
				h = scramble(h ^ stateHash(x.sent))
			}
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return 0, nil
	}
	if h == 0 {
		h = 1
	}
	return h, list
}
