package contention

import (
	"slices"

	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// scope has the properties of an object except for its name. Many objects have
// the same scope.
type scope struct{ group, resource, namespace, version string }

// scope returns the number of a scope. ok is false if there are too many
// scopes.
func (c *Collector) scope(s scope) (number uint32, ok bool) {
	if i, ok := c.byScope[s]; ok {
		return i, true
	}
	if len(c.scopes) >= c.limits.Scopes {
		return 0, false
	}
	i := uint32(len(c.scopes))
	c.scopes = append(c.scopes, s)
	c.byScope[s] = i
	return i, true
}

// key returns a fingerprint that identifies the object.
func (o *Object) key() uint64 {
	h := fingerprint.Add(pathSeed, []byte(o.Group))
	h = fingerprint.Add(h, []byte(o.Resource))
	h = fingerprint.Add(h, []byte(o.Namespace))
	return fingerprint.Add(h, []byte(o.Name))
}

// Most objects in a log have only a few writes of a single client. The next log
// may have a second writer, who fights with the first one. So all these writes
// are kept, in a singleObject, which is smaller than an object.
const (
	// maxSingle is the largest number of writes in a singleObject.
	maxSingle = 32
	// maxHooked is the largest number of webhooks that changed the object in
	// one write, plus the number of fields that they set.
	maxHooked = 64
)

// singleObject is an object with a single writer.
type singleObject struct {
	name   []byte        // empty for deletes of a collection (see collections)
	writes []observation // sorted by compareWrites
}

// newWrite is a write that is added to a collector.
type newWrite struct {
	observation
	name   string   // name of the object
	set    *leafSet // state of the object
	hooked []hookState
	left   *leftoverAt
}

// small reports whether the write can be kept in a singleObject.
func (w *newWrite) small() bool {
	n := 0
	for _, h := range w.hooked {
		n += 1 + len(h.leaves)
	}
	return n <= maxHooked && len(w.name) > 0 && len(w.name) <= maxText && w.left == nil
}

// addSingle adds a write to a new object, or to an object with a single writer.
// ok is false if the object does not fit into a singleObject now: it has a
// second writer, too many writes, or a large write. taken is then the object
// before the write; nil if the object is new.
func (c *Collector) addSingle(key uint64, w *newWrite) (taken *singleObject, ok bool) {
	s := &c.singles
	g, e := s.find(key)
	if e == nil {
		if !w.small() {
			return nil, false
		}
		s.put(key, &singleObject{[]byte(w.name), []observation{w.observation}}, c.limits.Single)
		c.keepStates(nil, w)
		return nil, true
	}
	o := s.read(g, e)
	if o.writes[0].writer != w.writer || !w.small() {
		g.remove(e)
		return o, false
	}
	i, known := slices.BinarySearchFunc(o.writes, w.observation, compareWrites)
	switch {
	case known && c.compareInputs(o.writes[i], w.observation) <= 0:
		return nil, true
	case known:
		o.writes[i].input, o.writes[i].line = w.input, w.line
	case len(o.writes) == maxSingle:
		g.remove(e)
		return o, false
	}
	stored := *e
	g.remove(e)
	if rotated := s.makeRoom(c.limits.Single); !known && !rotated && g == &s.recent {
		e.count = stored.count
		g.objects, g.writes = g.objects+1, g.writes+int(e.count)
		g.append(e, &w.observation, nil)
	} else {
		if !known {
			o.writes = slices.Insert(o.writes, i, w.observation)
		}
		s.put(key, o, c.limits.Single)
	}
	c.keepStates(o.writes, w)
	return nil, true
}

// keepStates stores the states that writes refer to. w is the last write, whose
// state may be new.
func (c *Collector) keepStates(writes []observation, w *newWrite) {
	s := &c.singles
	for i := range writes {
		if h := writes[i].hooks; h != 0 && h != w.hooks {
			s.recent.hooks[h] = s.hooked(h)
		}
		if writes[i].state != 0 {
			if set := s.states.get(writes[i].state); set != nil {
				c.keepState(set)
			}
		}
	}
	if w.hooks != 0 {
		s.recent.hooks[w.hooks] = w.hooked
	}
	if w.set != nil {
		c.keepState(w.set)
	}
}

// takeSingle removes an object from the store and returns it; nil if the store
// does not have it. The result is valid until the next call that reads the
// store.
func (c *Collector) takeSingle(key uint64) *singleObject {
	g, e := c.singles.find(key)
	if e == nil {
		return nil
	}
	o := c.singles.read(g, e)
	g.remove(e)
	return o
}

// keepState stores the state of a single-writer object.
func (c *Collector) keepState(set *leafSet) { c.singles.states.put(set, c.limits.Leaves/2) }

// fromSingle converts a singleObject to an object. leaves is the number of the
// object's leaves. unread is the number of writes whose state was dropped.
func (c *Collector) fromSingle(x *singleObject) (o *object, leaves int, unread int64) {
	at := c.scopes[x.writes[0].scope]
	o = &object{Object: Object{at.group, at.resource, at.namespace, string(x.name)}}
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

// toSingle converts an object to a singleObject; nil if this is not possible.
func (c *Collector) toSingle(o *object) *singleObject {
	if o.many || o.left != nil || len(o.forgotten) > 0 || len(o.writes) == 0 || len(o.writes) > maxSingle || len(o.versions) > len(o.writes) || o.Name == "" {
		return nil
	}
	x := &singleObject{[]byte(o.Name), slices.Clone(o.writes)}
	for i, w := range o.writes {
		version := ""
		if len(o.versions) > 0 {
			version = o.versions[min(i, len(o.versions)-1)]
		}
		number, ok := c.scope(scope{o.Group, o.Resource, o.Namespace, version})
		x.writes[i].scope = number
		if n := (&newWrite{name: o.Name, hooked: o.hooks[w.hooks]}); !ok || !n.small() {
			return nil
		}
	}
	return x
}
