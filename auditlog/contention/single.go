package contention

import (
	"maps"
	"slices"

	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// scope is what many objects have in common: everything but the name.
type scope struct{ group, resource, namespace, version string }

// scope returns the number of a scope.
func (c *Collector) scope(s scope) uint32 {
	i, ok := c.byScope[s]
	if !ok {
		i = uint32(len(c.scopes))
		c.scopes = append(c.scopes, s)
		c.byScope[s] = i
	}
	return i
}

// key returns the fingerprint of an object.
func (o *Object) key() uint64 {
	h := fingerprint.Add(pathSeed, []byte(o.Group))
	h = fingerprint.Add(h, []byte(o.Resource))
	h = fingerprint.Add(h, []byte(o.Namespace))
	return fingerprint.Add(h, []byte(o.Name))
}

// Most objects of a log are written a few times, by a single client. Nobody
// fights over such an object yet, but the next log may have a second writer. So
// all its writes are kept, in a form that is smaller than an object's.
const (
	// maxSingle is how many writes a single-writer object has at most.
	maxSingle = 32
	// maxHooked bounds the webhooks, and the fields that they set, of one write
	// to a single-writer object.
	maxHooked = 64
)

// singleObject is an object that a single client wrote to.
type singleObject struct {
	name   string
	writes []observation // in the order of compareWrites
}

// newWrite is a write that is added to a collector.
type newWrite struct {
	observation
	name   string   // of the object
	set    *leafSet // its state
	hooked []hookState
	left   *leftoverAt
}

// small reports whether a single-writer object may have the write.
func (w *newWrite) small() bool {
	n := 0
	for _, h := range w.hooked {
		n += 1 + len(h.leaves)
	}
	return n <= maxHooked && len(w.name) <= maxText && w.left == nil
}

// singleStore keeps single-writer objects in two generations. When the recent
// one is full, it replaces the older one: objects that were not written to for
// long are forgotten.
type singleStore struct {
	recent, older generation
	states        stateStore
	forgotten     int64 // writes
}

type generation struct {
	objects map[uint64]*singleObject
	hooks   map[uint64][]hookState // by hash
	writes  int
}

// find returns an object and its generation; nil if it is not in the store.
func (s *singleStore) find(key uint64) (*generation, *singleObject) {
	for _, g := range [...]*generation{&s.recent, &s.older} {
		if o := g.objects[key]; o != nil {
			return g, o
		}
	}
	return nil, nil
}

// put adds an object to the recent generation. limit bounds the objects of both
// generations, which have two writes each on average at most.
func (s *singleStore) put(key uint64, o *singleObject, limit int) {
	if half := (limit + 1) / 2; len(s.recent.objects) >= half || s.recent.writes >= 2*half {
		s.forgotten += int64(s.older.writes)
		s.older, s.recent = s.recent, generation{}
	}
	g := &s.recent
	if g.objects == nil {
		g.objects, g.hooks = map[uint64]*singleObject{}, map[uint64][]hookState{}
	}
	g.objects[key] = o
	g.writes += len(o.writes)
}

// remove takes an object out of a generation.
func (g *generation) remove(key uint64) {
	g.writes -= len(g.objects[key].writes)
	delete(g.objects, key)
}

// all calls yield with every object, those of the older generation first.
func (s *singleStore) all(yield func(key uint64, o *singleObject) bool) {
	for _, g := range [...]*generation{&s.older, &s.recent} {
		for _, key := range slices.Sorted(maps.Keys(g.objects)) {
			if !yield(key, g.objects[key]) {
				return
			}
		}
	}
}

// hooked returns the changes of webhooks with a hash.
func (s *singleStore) hooked(hash uint64) []hookState {
	if list, ok := s.recent.hooks[hash]; ok {
		return list
	}
	return s.older.hooks[hash]
}

// len returns the number of writes.
func (s *singleStore) len() int { return s.recent.writes + s.older.writes }

// addSingle adds a write to a single-writer object, or to an object that is not
// known yet. It returns false if the object is neither after this write; taken
// is then its record in the store, if any.
func (c *Collector) addSingle(key uint64, w *newWrite) (taken *singleObject, ok bool) {
	s := &c.singles
	g, o := s.find(key)
	if o == nil {
		if !w.small() {
			return nil, false
		}
		c.putSingle(key, &singleObject{w.name, []observation{w.observation}}, w)
		return nil, true
	}
	if o.writes[0].writer != w.writer || !w.small() {
		return c.takeSingle(key), false
	}
	i, known := slices.BinarySearchFunc(o.writes, w.observation, compareWrites)
	switch {
	case known && c.compareInputs(o.writes[i], w.observation) <= 0:
		return nil, true
	case known:
		o.writes[i].input, o.writes[i].line = w.input, w.line
	case len(o.writes) == maxSingle:
		return c.takeSingle(key), false
	}
	g.remove(key)
	if !known {
		o.writes = slices.Insert(o.writes, i, w.observation)
	}
	c.putSingle(key, o, w)
	return nil, true
}

// putSingle puts an object into the recent generation, with the states that its
// writes refer to. w is the write that changed it.
func (c *Collector) putSingle(key uint64, o *singleObject, w *newWrite) {
	s := &c.singles
	s.put(key, o, c.limits.Single)
	for i := range o.writes {
		if h := o.writes[i].hooks; h != 0 && h != w.hooks {
			s.recent.hooks[h] = s.hooked(h)
		}
		if set := s.states.get(o.writes[i].state); set != nil {
			c.keepState(set)
		}
	}
	if w.hooks != 0 {
		s.recent.hooks[w.hooks] = w.hooked
	}
	if w.set != nil {
		c.keepState(w.set)
	}
}

// takeSingle removes an object from the store and returns it; nil if it is not
// there.
func (c *Collector) takeSingle(key uint64) *singleObject {
	g, o := c.singles.find(key)
	if o != nil {
		g.remove(key)
	}
	return o
}

// keepState keeps the state of a single-writer object.
func (c *Collector) keepState(set *leafSet) { c.singles.states.put(set, c.limits.Leaves/2) }

// fromSingle makes an object of a single-writer object. It returns the number of
// leaves of the object, and of writes whose state was forgotten.
func (c *Collector) fromSingle(x *singleObject) (o *object, leaves int, unread int64) {
	at := c.scopes[x.writes[0].scope]
	o = &object{Object: Object{at.group, at.resource, at.namespace, x.name}}
	for _, w := range x.writes {
		o.version(c.scopes[w.scope].version)
		if w.state != 0 {
			if set := c.singles.states.get(w.state); set != nil {
				leaves += o.add(w.kind, set)
			} else {
				w.state, w.kind = 0, kindCreated
				unread++
			}
		}
		if w.hooks != 0 {
			o.hook(w.hooks, slices.Clone(c.singles.hooked(w.hooks)))
		}
		o.append(w)
	}
	return o, leaves, unread
}

// toSingle returns an object as a single-writer object; nil if it is not one.
func (c *Collector) toSingle(o *object) *singleObject {
	if o.many || o.left != nil || len(o.forgotten) > 0 || len(o.writes) == 0 || len(o.writes) > maxSingle || len(o.versions) > len(o.writes) {
		return nil
	}
	x := &singleObject{o.Name, slices.Clone(o.writes)}
	for i, w := range o.writes {
		version := ""
		if len(o.versions) > 0 {
			version = o.versions[min(i, len(o.versions)-1)]
		}
		x.writes[i].scope = c.scope(scope{o.Group, o.Resource, o.Namespace, version})
		if n := (&newWrite{name: o.Name, hooked: o.hooks[w.hooks]}); !n.small() {
			return nil
		}
	}
	return x
}
