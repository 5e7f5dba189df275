package contention

import (
	"cmp"
	"slices"
)

// observation is the record of one write.
type observation struct {
	at int64 // microseconds since 1970
	// version is the object's resource version after the write; 0 if unknown.
	// If flagStated is set, it is the version in the request instead.
	version     uint64
	state       uint64 // hash of the leaves; 0 for none
	hooks       uint64 // hash of the changes of webhooks; 0 for none
	audit       auditID
	id          uint32 // equal for copies of the event
	writer      uint32
	input, line uint32 // position of the event; line counts from 1
	// scope is the number of the object's scope, for objects with a single
	// writer: see Collector.scope.
	scope uint32
	how   How
	kind  kind
	flags uint8
	// instance is a fingerprint of the process that sent the write: of the
	// agent with its versions, and of the pod or address (see versionBits). Two
	// processes can have the same fingerprint.
	instance uint8
}

// kind says which fields of an object an observation has.
type kind uint8

const (
	kindNone    kind = iota
	kindCreated      // the log has a body, which was not read
	kindStated       // some fields after the write; a field can be absent
	kindSent         // the object in the request, without defaults
	kindFull         // the object after the write
)

const (
	flagGuarded  = 1 << iota // the request has a version, and fails if the object has another one
	flagTemplate             // the request does not have the object's UID
	flagAnswer               // the leaves are from the response
	flagFetched              // an apply of an object that was read from the server
	flagMade                 // a patch that created the object
	flagStated               // version is the version in the request
	flagIdle                 // the write changed nothing; only set during the analysis
)

// compareWrites compares the times of two writes. The result is 0 for copies of
// a write.
func compareWrites(a, b observation) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
}

// object has the writes to one object.
type object struct {
	Object
	versions []string // of its API, sorted
	// writes[:sorted] are sorted by compareWrites and have no copies. The other
	// writes are in the order in which they were added.
	writes []observation
	sorted int
	// many is set if more than one client wrote.
	many bool
	// protected is set after protect has kept the texts of the object's values.
	protected bool
	// base is the first complete state of the object. states has all complete
	// states, as differences from base. parts has the fields of writes with
	// only a part of the object in the body.
	base   *leafSet
	states map[uint64]delta
	parts  map[uint64]delta
	hooks  map[uint64][]hookState
	left   *leftoverAt
	// forgotten is the number of dropped writes, by writer.
	forgotten map[uint32]int64
}

// delta is the difference between two states, sorted by path. A leaf with value
// 0 is absent in the second state.
type delta []leaf

// hookState is the change of one webhook. leaves is nil if the change is
// unknown.
type hookState struct {
	writer uint32
	leaves []leaf
	// sent has the values of these fields in the client's request; nil if
	// unknown.
	sent []leaf
}

// leftoverAt is the latest leftover of an object.
type leftoverAt struct {
	leftover
	writer      uint32
	at          int64
	id          uint32
	input, line uint32
}

// maxWrites is the largest number of writes that are kept for one object. The
// latest writes are kept.
const maxWrites = 1024

// differ returns the difference from a to b. Both are sorted by path. If absent
// is set, leaves that b does not have are absent; otherwise they are unknown.
func differ(a, b []leaf, absent bool) (d delta) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].path < b[0].path:
			if absent {
				d = append(d, leaf{a[0].path, 0})
			}
			a = a[1:]
		case len(a) == 0 || b[0].path < a[0].path:
			d = append(d, b[0])
			b = b[1:]
		default:
			if a[0].value != b[0].value {
				d = append(d, b[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	return d
}

// apply returns base with the difference applied.
func (d delta) apply(base []leaf) []leaf {
	out := make([]leaf, 0, len(base)+len(d))
	for len(base) > 0 || len(d) > 0 {
		switch {
		case len(d) == 0 || len(base) > 0 && base[0].path < d[0].path:
			out = append(out, base[0])
			base = base[1:]
		default:
			if len(base) > 0 && base[0].path == d[0].path {
				base = base[1:]
			}
			if d[0].value != 0 {
				out = append(out, d[0])
			}
			d = d[1:]
		}
	}
	return out
}

// get returns the value of a path.
func (d delta) get(path uint64) (uint64, bool) {
	i, ok := slices.BinarySearchFunc(d, path, func(l leaf, p uint64) int { return cmp.Compare(l.path, p) })
	if !ok {
		return 0, false
	}
	return d[i].value, true
}

// add adds a state of the object. It returns the number of new leaves.
func (o *object) add(k kind, s *leafSet) int {
	if k == kindStated {
		if _, known := o.parts[s.hash]; known {
			return 0
		}
		if o.parts == nil {
			o.parts = map[uint64]delta{}
		}
		o.parts[s.hash] = delta(s.leaves)
		return len(s.leaves)
	}
	if _, known := o.states[s.hash]; known {
		return 0
	}
	n := 0
	if o.base == nil {
		o.base, o.states = s, map[uint64]delta{}
		n = len(s.leaves)
	}
	d := differ(o.base.leaves, s.leaves, true)
	o.states[s.hash] = d
	return n + len(d)
}

// state returns the state after a write. ok is false if it is unknown.
func (o *object) state(w *observation) (d delta, ok bool) {
	if w.kind == kindStated {
		d, ok = o.parts[w.state]
		return d, ok
	}
	d, ok = o.states[w.state]
	return d, ok
}

// tidy sorts the writes. If a write has copies, it keeps only the one with the
// first position. Then it drops the oldest writes until keep writes are left,
// and returns the number of dropped writes.
func (o *object) tidy(keep int, place func(a, b observation) int) (forgotten int64) {
	if o.sorted < len(o.writes) {
		slices.SortFunc(o.writes, func(a, b observation) int {
			if n := compareWrites(a, b); n != 0 {
				return n
			}
			return place(a, b)
		})
		o.writes = slices.CompactFunc(o.writes, func(a, b observation) bool { return compareWrites(a, b) == 0 })
		o.sorted = len(o.writes)
	}
	n := len(o.writes) - keep
	if n <= 0 {
		return 0
	}
	if o.forgotten == nil {
		o.forgotten = map[uint32]int64{}
	}
	for _, w := range o.writes[:n] {
		o.forgotten[w.writer]++
	}
	o.writes = slices.Delete(o.writes, 0, n)
	o.sorted = len(o.writes)
	return int64(n)
}

// prune removes the states that no write refers to. It returns the number of
// leaves that this frees.
func (o *object) prune() int {
	whole, parts, hooks := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	for i := range o.writes {
		w := &o.writes[i]
		hooks[w.hooks] = true
		if w.kind == kindStated {
			parts[w.state] = true
		} else {
			whole[w.state] = true
		}
	}
	in := func(m map[uint64]bool) func(uint64) bool { return func(h uint64) bool { return m[h] } }
	return o.drop(in(whole), in(parts), in(hooks))
}

// several reports whether the object has several known writers. Webhooks are
// writers too.
func (o *object) several() bool { return o.many || len(o.hooks) > 0 }

// append adds a write.
func (o *object) append(w observation) {
	n := len(o.writes)
	if o.sorted == n && (n == 0 || compareWrites(o.writes[n-1], w) < 0) {
		o.sorted++
	}
	if n > 0 && o.writes[0].writer != w.writer {
		o.many = true
	}
	o.writes = append(o.writes, w)
}

// hook adds changes of webhooks.
func (o *object) hook(hash uint64, list []hookState) {
	if o.hooks == nil {
		o.hooks = map[uint64][]hookState{}
	}
	if _, known := o.hooks[hash]; !known {
		o.hooks[hash] = list
	}
}
