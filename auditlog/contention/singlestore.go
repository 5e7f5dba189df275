package contention

import (
	"encoding/binary"
	"slices"
)

// singleStore has the objects with a single writer, in two generations. If
// recent is full, it replaces older. In this way, objects without recent writes
// are dropped.
type singleStore struct {
	recent, older generation
	states        stateStore
	forgotten     int64 // number of dropped writes

	// name and writes are buffers for read.
	name   []byte
	writes []observation
}

// generation stores objects as bytes without pointers, because there may be a
// million objects.
type generation struct {
	entries pages[singleEntry]
	index   []uint32 // hash table of positions in entries; positions count from 1
	texts   [][]byte // the records of writes
	hooks   map[uint64][]hookState
	objects int
	writes  int
}

// singleEntry is an object in a generation.
type singleEntry struct {
	key uint64
	// last is the record of the latest write. count is the number of writes; 0
	// for a removed object.
	last, count uint32
}

// pages is a list that grows without copying its elements.
type pages[T any] struct {
	list [][]T
	n    int
}

const pageSize = 1 << 12

func (p *pages[T]) at(i int) *T { return &p.list[i/pageSize][i%pageSize] }

func (p *pages[T]) add(x T) {
	if p.n/pageSize == len(p.list) {
		p.list = append(p.list, make([]T, pageSize))
	}
	*p.at(p.n) = x
	p.n++
}

// find returns the position of an object, from 1; 0 if the generation does not
// have it.
func (g *generation) find(key uint64) uint32 {
	if len(g.index) == 0 {
		return 0
	}
	mask := uint64(len(g.index) - 1)
	for slot := key & mask; ; slot = (slot + 1) & mask {
		at := g.index[slot]
		if at == 0 || g.entries.at(int(at)-1).key == key {
			return at
		}
	}
}

// entry returns the entry of an object, which is added if it is new.
func (g *generation) entry(key uint64) *singleEntry {
	if at := g.find(key); at != 0 {
		return g.entries.at(int(at) - 1)
	}
	g.entries.add(singleEntry{key: key})
	if g.entries.n > len(g.index)/4*3 {
		g.index = make([]uint32, max(1<<10, 2*len(g.index)))
		for i := range g.entries.n {
			g.link(i)
		}
	} else {
		g.link(g.entries.n - 1)
	}
	return g.entries.at(g.entries.n - 1)
}

// link puts an entry into the index.
func (g *generation) link(i int) {
	mask := uint64(len(g.index) - 1)
	slot := g.entries.at(i).key & mask
	for g.index[slot] != 0 {
		slot = (slot + 1) & mask
	}
	g.index[slot] = uint32(i) + 1
}

// textPage is the size of a page of records, in bytes. maxRecord is the largest
// size of a record.
const (
	textPage  = 1 << 18
	maxRecord = 128 + maxText
)

// append adds a write to an object. name is stored with the first write.
func (g *generation) append(e *singleEntry, w *observation, name []byte) {
	n := len(g.texts)
	if n == 0 || len(g.texts[n-1]) > textPage-maxRecord {
		g.texts = append(g.texts, make([]byte, 0, textPage))
		n++
	}
	b := g.texts[n-1]
	at := uint32((n-1)*textPage + len(b))
	b = binary.LittleEndian.AppendUint32(b, e.last)
	b = w.appendTo(b)
	if e.count == 0 {
		b = append(binary.AppendUvarint(b, uint64(len(name))), name...)
	}
	g.texts[n-1] = b
	e.last = at
	e.count++
	g.writes++
}

// remove removes an object from a generation.
func (g *generation) remove(e *singleEntry) {
	g.writes -= int(e.count)
	g.objects--
	e.count = 0
}

// usualText is a size in bytes that two writes and a name seldom exceed.
const usualText = 256

// full reports whether a generation has reached one of its limits. A generation
// is one half of a store for limit objects:
//
//   - half of limit objects
//   - on average, two writes and usualText bytes for each of these objects
//   - on average, two entries for each of these objects, including entries of
//     removed objects
func (g *generation) full(limit int) bool {
	half := (limit + 1) / 2
	return g.objects >= half || g.writes >= 2*half || g.entries.n >= 2*half || len(g.texts)*textPage > textPage+half*usualText
}

// find returns an object and its generation; nil if it is not in the store.
func (s *singleStore) find(key uint64) (*generation, *singleEntry) {
	for _, g := range [...]*generation{&s.recent, &s.older} {
		if at := g.find(key); at != 0 {
			if e := g.entries.at(int(at) - 1); e.count > 0 {
				return g, e
			}
		}
	}
	return nil, nil
}

// read returns an object. It is valid until the next call.
func (s *singleStore) read(g *generation, e *singleEntry) *singleObject {
	s.writes = s.writes[:0]
	at := e.last
	var rest []byte
	for range e.count {
		page := g.texts[at/textPage][at%textPage:]
		at = binary.LittleEndian.Uint32(page)
		var w observation
		rest = w.read(page[4:])
		s.writes = append(s.writes, w)
	}
	length, n := binary.Uvarint(rest)
	s.name = append(s.name[:0], rest[n:n+int(length)]...)
	slices.Reverse(s.writes)
	if !slices.IsSortedFunc(s.writes, compareWrites) {
		slices.SortFunc(s.writes, compareWrites)
	}
	return &singleObject{s.name, s.writes}
}

// put adds an object to the recent generation. limit is the largest number of
// objects in both generations.
func (s *singleStore) put(key uint64, o *singleObject, limit int) {
	s.makeRoom(limit)
	e := s.recent.entry(key)
	s.recent.objects++
	for i := range o.writes {
		s.recent.append(e, &o.writes[i], o.name)
	}
}

// makeRoom starts a new generation if the recent one is full. It reports
// whether it started one.
func (s *singleStore) makeRoom(limit int) bool {
	full := s.recent.full(limit)
	if full {
		s.forgotten += int64(s.older.writes)
		s.older, s.recent = s.recent, generation{}
	}
	if s.recent.hooks == nil {
		s.recent.hooks = map[uint64][]hookState{}
	}
	return full
}

// all yields each object, with the objects of the older generation first. An
// object is valid until yield returns.
func (s *singleStore) all(yield func(key uint64, o *singleObject) bool) {
	for _, g := range [...]*generation{&s.older, &s.recent} {
		for i := range g.entries.n {
			if e := g.entries.at(i); e.count > 0 && !yield(e.key, s.read(g, e)) {
				return
			}
		}
	}
}

// hooked returns the changes of webhooks with this hash.
func (s *singleStore) hooked(hash uint64) []hookState {
	if list, ok := s.recent.hooks[hash]; ok {
		return list
	}
	return s.older.hooks[hash]
}

// len returns the number of writes.
func (s *singleStore) len() int { return s.recent.writes + s.older.writes }

// appendTo appends a write as bytes. It is the inverse of read.
func (w *observation) appendTo(b []byte) []byte {
	b = binary.AppendVarint(b, w.at)
	for _, n := range [...]uint64{w.version, uint64(w.writer), uint64(w.input), uint64(w.line), uint64(w.scope)} {
		b = binary.AppendUvarint(b, n)
	}
	b = binary.LittleEndian.AppendUint32(b, w.id)
	has := byte(0)
	if w.state != 0 {
		has |= hasState
	}
	if w.hooks != 0 {
		has |= hasHooks
	}
	b = append(b, byte(w.how), byte(w.kind), w.flags, w.instance, has)
	b = binary.LittleEndian.AppendUint64(b, w.audit[0])
	b = binary.LittleEndian.AppendUint64(b, w.audit[1])
	if w.state != 0 {
		b = binary.LittleEndian.AppendUint64(b, w.state)
	}
	if w.hooks != 0 {
		b = binary.LittleEndian.AppendUint64(b, w.hooks)
	}
	return b
}

const (
	hasState = 1 << iota
	hasHooks
)

// read sets w to the write at the beginning of b and returns the rest.
func (w *observation) read(b []byte) []byte {
	at, n := binary.Varint(b)
	w.at, b = at, b[n:]
	number := func() uint64 {
		x, n := binary.Uvarint(b)
		b = b[n:]
		return x
	}
	w.version = number()
	w.writer, w.input, w.line, w.scope = uint32(number()), uint32(number()), uint32(number()), uint32(number())
	w.id = binary.LittleEndian.Uint32(b)
	w.how, w.kind, w.flags, w.instance = How(b[4]), kind(b[5]), b[6], b[7]
	has := b[8]
	w.audit = auditID{binary.LittleEndian.Uint64(b[9:]), binary.LittleEndian.Uint64(b[17:])}
	b = b[25:]
	if has&hasState != 0 {
		w.state, b = binary.LittleEndian.Uint64(b), b[8:]
	}
	if has&hasHooks != 0 {
		w.hooks, b = binary.LittleEndian.Uint64(b), b[8:]
	}
	return b
}
