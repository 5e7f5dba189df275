package contention

// where is what many objects have in common.
type where struct{ group, resource, namespace, version string }

// single is the only write to an object that is known.
type single struct {
	at              int64
	id              uint64
	version, before uint64
	writer          uint32
	input, line     uint32
	where           uint32 // index of Collector.wheres
	how             How
	kind            kind
	flags           uint8
	text            string // the name
}

func (s *single) observation() observation {
	return observation{
		at: s.at, id: s.id, version: s.version, before: s.before, writer: s.writer, input: s.input, line: s.line,
		how: s.how, kind: s.kind, flags: s.flags,
	}
}

// single makes one of a write.
func (c *Collector) single(w *write) single {
	o := &w.obs
	return single{
		at: o.at, id: o.id, version: o.version, before: o.before, writer: o.writer, input: o.input, line: o.line,
		how: o.how, kind: o.kind, flags: o.flags,
		where: c.where(where{w.name.Group, w.name.Resource, w.name.Namespace, w.name.version}), text: w.name.Name,
	}
}

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

// singleTable remembers the write to each object that was written only once, up
// to a limit; then it forgets the older half of them.
type singleTable struct {
	now, before generation
	forgotten   int64
}

// generation is a half of a singleTable. Names are kept in one stretch, so that
// nothing in it points anywhere.
type generation struct {
	byObject map[uint64]entry
	names    []byte
}

// entry is a single without what only matters outside of a table.
type entry struct {
	at                               int64
	id, version, before              uint64
	writer, input, line, where, name uint32
	how                              How
	kind                             kind
	flags                            uint8
	length                           uint8 // of the name; it is at most 253 bytes
}

// meanName is how long names are on average at most, lest those that were taken
// out again fill memory.
const meanName = 64

// put keeps the only write to an object.
func (t *singleTable) put(object uint64, s single, limit int) {
	if t.now.byObject == nil {
		t.now.byObject = map[uint64]entry{}
	}
	if len(t.now.byObject) >= (limit+1)/2 || len(t.now.names) >= (limit+1)*meanName {
		t.forgotten += int64(len(t.before.byObject))
		t.before, t.now = t.now, generation{byObject: map[uint64]entry{}}
	}
	g := &t.now
	if len(s.text) > 255 {
		s.text = s.text[:255]
	}
	g.byObject[object] = entry{
		at: s.at, id: s.id, version: s.version, before: s.before, writer: s.writer, input: s.input, line: s.line,
		where: s.where, name: uint32(len(g.names)), how: s.how, kind: s.kind, flags: s.flags, length: uint8(len(s.text)),
	}
	g.names = append(g.names, s.text...)
}

func (g *generation) single(e entry) single {
	return single{
		at: e.at, id: e.id, version: e.version, before: e.before, writer: e.writer, input: e.input, line: e.line,
		where: e.where, how: e.how, kind: e.kind, flags: e.flags, text: string(g.names[e.name : e.name+uint32(e.length)]),
	}
}

// take takes out what is kept of an object.
func (t *singleTable) take(object uint64) (s single, ok bool) {
	for _, g := range [...]*generation{&t.now, &t.before} {
		if e, ok := g.byObject[object]; ok {
			delete(g.byObject, object)
			return g.single(e), true
		}
	}
	return s, false
}

// all gives every single with its object's fingerprint.
func (t *singleTable) all(yield func(object uint64, s single) bool) {
	for _, g := range [...]*generation{&t.before, &t.now} {
		for object, e := range g.byObject {
			if !yield(object, g.single(e)) {
				return
			}
		}
	}
}

func (t *singleTable) len() int { return len(t.now.byObject) + len(t.before.byObject) }
