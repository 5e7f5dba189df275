package contention

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/auditlog"
)

// Limits bound memory. A zero value stands for the default.
type Limits struct {
	// Objects is how many objects that were written more than once are kept,
	// Singles how many that were written once.
	Objects, Singles int
	// Writes is how many writes of all objects are kept, Leaves how many fields
	// in all their states.
	Writes, Leaves int
}

// The default limits.
const (
	DefaultObjects = 1 << 18
	DefaultSingles = 1 << 20
	DefaultWrites  = 1 << 21
	DefaultLeaves  = 1 << 22
)

func (l Limits) orDefaults() Limits {
	for _, p := range [...]struct {
		at  *int
		def int
	}{{&l.Objects, DefaultObjects}, {&l.Singles, DefaultSingles}, {&l.Writes, DefaultWrites}, {&l.Leaves, DefaultLeaves}} {
		if *p.at <= 0 {
			*p.at = p.def
		}
	}
	return l
}

// Collector keeps the writes of objects. Its workers may run at the same time;
// its other methods may not.
type Collector struct {
	limits Limits
	keep   func(e *auditlog.Event, at int64) bool
	pool   sync.Pool // *[]write

	writers []Writer
	byKey   map[Writer]uint32
	inputs  []string
	byInput map[string]uint32
	paths   map[uint64]pathInfo

	singles singleTable
	wheres  []where
	byWhere map[where]uint32
	objects map[uint64]*object

	writes, leaves    int // kept
	perObject         int
	full              bool // no more room for leaves can be made
	forgotten, unread int64
	end               int64 // when the last write was

	current map[*Writer]uint32 // of workers, lately
}

// New makes an empty collector.
func New(cfg Config) *Collector {
	return &Collector{
		limits: cfg.Limits.orDefaults(), keep: cfg.Keep, perObject: maxWrites,
		byKey: map[Writer]uint32{}, byInput: map[string]uint32{}, byWhere: map[where]uint32{}, paths: map[uint64]pathInfo{},
		objects: map[uint64]*object{}, current: map[*Writer]uint32{},
	}
}

// Add takes what one block holds. input and line say where the block is: after
// how many lines of what.
func (c *Collector) Add(p Part, input string, line int) {
	c.end = max(c.end, p.end)
	for _, i := range p.paths {
		c.path(i)
	}
	if len(p.writes) == 0 {
		return
	}
	in := c.input(input)
	for i := range p.writes {
		w := &p.writes[i]
		w.obs.input, w.obs.line = in, uint32(line)+uint32(w.line)+1
		c.write(w)
	}
	clear(p.writes)
	c.pool.Put(&p.writes)
}

// maxPaths bounds the texts of paths.
const maxPaths = 1 << 20

func (c *Collector) path(i pathInfo) {
	if len(c.paths) < maxPaths {
		c.paths[i.path] = i
	}
}

func (c *Collector) input(name string) uint32 {
	if i, ok := c.byInput[name]; ok {
		return i
	}
	i := uint32(len(c.inputs))
	c.inputs = append(c.inputs, name)
	c.byInput[name] = i
	return i
}

func (c *Collector) writer(w Writer) uint32 {
	if i, ok := c.byKey[w]; ok {
		return i
	}
	i := uint32(len(c.writers))
	c.writers = append(c.writers, w)
	c.byKey[w] = i
	return i
}

// write keeps a write.
func (c *Collector) write(w *write) {
	id, ok := c.current[w.writer]
	if !ok {
		if len(c.current) >= maxCached {
			clear(c.current)
		}
		id = c.writer(*w.writer)
		c.current[w.writer] = id
	}
	w.obs.writer = id
	o := c.objects[w.object]
	if o == nil {
		first, again := c.singles.take(w.object)
		switch {
		case again && compareWrites(first.observation(), w.obs) == 0 && w.state == nil && w.hooks == nil && w.left == nil:
			c.singles.put(w.object, c.least(first, c.single(w)), c.limits.Singles)
			return
		case !again && w.state == nil && w.hooks == nil && w.left == nil:
			// The only write to most objects is the one that creates them.
			c.singles.put(w.object, c.single(w), c.limits.Singles)
			return
		}
		if o = c.object(w.object, w.name.Object); o == nil {
			return
		}
		if again {
			o.version(c.wheres[first.where].version)
			c.observe(o, first.observation())
		}
	}
	o.version(w.name.version)
	if w.state != nil {
		if c.leaves < c.limits.Leaves || c.makeRoom() {
			c.leaves += o.add(w.obs.kind, w.state)
			w.obs.state = w.state.hash
		} else {
			c.unread++
			w.obs.kind = kindNone
		}
	}
	if w.hooks != nil {
		w.obs.hooks = c.hooks(o, w.hooks)
	}
	if w.left != nil {
		l := &leftoverAt{*w.left, id, w.obs.at, w.obs.id, w.obs.input, w.obs.line}
		if o.left == nil || l.after(o.left) {
			o.left = l
		}
	}
	c.observe(o, w.obs)
}

// version notes a version of the object's API.
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

// maxVersions bounds the versions of an API.
const maxVersions = 16

func (l *leftoverAt) after(o *leftoverAt) bool {
	return l.at > o.at || l.at == o.at && l.id > o.id
}

// object makes the record of an object, nil where there is no room.
func (c *Collector) object(key uint64, n Object) *object {
	if len(c.objects) >= c.limits.Objects && !c.evict() {
		c.forgotten++
		return nil
	}
	o := &object{Object: n}
	c.objects[key] = o
	return o
}

// observe adds a write to an object.
func (c *Collector) observe(o *object, w observation) {
	if o.sorted == len(o.writes) && (len(o.writes) == 0 || compareWrites(o.writes[len(o.writes)-1], w) < 0) {
		o.sorted++
	}
	o.writes = append(o.writes, w)
	c.writes++
	if len(o.writes) >= 2*c.perObject {
		c.tidy(o)
	}
	if c.writes > c.limits.Writes {
		c.shrink()
	}
}

func (c *Collector) tidy(o *object) {
	before := len(o.writes)
	if n := o.tidy(c.perObject, c.compareInputs); n > 0 {
		c.forgotten += n
		c.leaves -= o.prune()
	}
	c.writes -= before - len(o.writes)
}

// compareInputs orders copies of a write by where they stand.
func (c *Collector) compareInputs(a, b observation) int {
	return cmp.Or(strings.Compare(c.inputs[a.input], c.inputs[b.input]), cmp.Compare(a.line, b.line))
}

// settle tidies all objects.
func (c *Collector) settle() {
	for _, o := range c.objects {
		c.tidy(o)
	}
}

// shrink makes room by keeping fewer writes of each object.
func (c *Collector) shrink() {
	for c.writes > c.limits.Writes/4*3 && c.perObject > 16 {
		c.settle()
		if c.writes > c.limits.Writes/4*3 {
			c.perObject /= 2
		}
	}
	if c.writes > c.limits.Writes/4*3 {
		c.limits.Writes *= 2 // there are that many objects: Limits.Objects bounds them
	}
}

// makeRoom makes room for more leaves, as long as that helps.
func (c *Collector) makeRoom() bool {
	if c.full {
		return false
	}
	c.full = !c.thin()
	return !c.full
}

// hooks keeps what webhooks did in a write and gives its hash.
func (c *Collector) hooks(o *object, hooks []hookWrite) uint64 {
	list := make([]hookState, len(hooks))
	h := uint64(pathSeed)
	for i, x := range hooks {
		list[i].writer = c.writer(x.hook)
		h = fingerprint(fingerprint(h, []byte(x.hook.User)), []byte(x.hook.Agent))
		if x.state != nil {
			list[i].leaves = x.state.leaves
			h = scramble(h ^ x.state.hash)
		}
	}
	if h == 0 {
		h = 1
	}
	if o.hooks == nil {
		o.hooks = map[uint64][]hookState{}
	}
	if _, known := o.hooks[h]; !known {
		o.hooks[h] = list
	}
	return h
}
