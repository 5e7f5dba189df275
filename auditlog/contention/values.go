package contention

import (
	"slices"
	"strings"
)

// ValueKind says what is known about a value. The zero value is unknown.
type ValueKind uint8

// These are the kinds of values.
const (
	ValueUnknown  ValueKind = iota // the text of the value was dropped
	ValueAbsent                    // the field is absent
	ValueEmpty                     // an object or list without elements
	ValuePresent                   // an item of a set, or the object as a whole
	ValueString                    // Text is the content of a string
	ValueJSON                      // Text is JSON
	ValueRedacted                  // it may be a credential
)

// Value is a value to which a writer sets a field.
type Value struct {
	Kind ValueKind
	// Text is the beginning of the value, at most 64 bytes. It comes from a
	// client, so it is untrusted.
	Text string
	// Size is the size of the whole value in bytes. Sum is a part of the
	// value's fingerprint. It distinguishes values with the same beginning.
	Size int
	Sum  uint16

	hash uint64
}

// Turn is one write in a fight.
type Turn struct {
	At int64 // in microseconds since 1970
	// Side is the index of the writer in Fight.Sides or Turns.Sides.
	Side int
	How  How
	// Place is the position of the event. AuditID is the ID of the event; "" if
	// unknown.
	Place
	AuditID string
}

const (
	// maxTurns is the largest number of turns in a Fight as examples.
	maxTurns = 3
	// maxValues is the largest number of values of one writer and field in a
	// Fight.
	maxValues = 3
	// maxCompared is the largest number of turns whose values are compared.
	maxCompared = 64
)

// show sets the values of the fields and the last turns of a fight. turns are
// the reversals in the order of the writes.
func (c *Collector) show(f *Fight, o *object, writes []observation, paths []uint64, turns []reversal) {
	s := valueFinder{c: c, f: f, o: o, writes: writes, sides: map[uint32]int{}, times: make(map[int64][]int, len(writes))}
	for i := range writes {
		s.times[writes[i].at] = append(s.times[writes[i].at], i)
	}
	for i := range f.Sides {
		s.sides[c.byKey[f.Sides[i].Writer]] = i
	}
	for _, r := range turns[max(0, len(turns)-maxTurns):] {
		side, known := s.sides[r.writer]
		if at := s.writeOf(r); at >= 0 && known {
			w := &writes[at]
			f.Turns = append(f.Turns, Turn{At: w.at, Side: side, How: r.how, Place: c.place(w.input, w.line), AuditID: c.auditIDText(w.audit)})
		}
	}
	if len(paths) == 0 {
		return
	}
	byText := map[string]uint64{}
	for _, p := range paths {
		byText[c.pathText(p)] = p
	}
	for i := range f.Fields {
		s.field(&f.Fields[i], byText[f.Fields[i].Path], turns)
	}
}

// valueFinder finds the values that each side of a fight writes.
type valueFinder struct {
	c      *Collector
	f      *Fight
	o      *object
	writes []observation
	sides  map[uint32]int  // index of the side by writer
	times  map[int64][]int // indices of writes by their time
}

// field sets the values of one field.
func (s *valueFinder) field(x *Field, path uint64, turns []reversal) {
	x.Values = make([][]Value, len(s.f.Sides))
	compared := 0
	for i := len(turns) - 1; i >= 0 && compared < maxCompared; i-- {
		r := turns[i]
		if !slices.Contains(r.paths, path) {
			continue
		}
		compared++
		at := s.writeOf(r)
		if at < 0 {
			continue
		}
		side, known := s.sides[r.writer]
		if v, ok := s.value(at, r.writer, path); ok && known {
			s.add(x, side, path, v)
		}
		if w := &s.writes[at]; w.writer != r.writer { // a webhook changed the request
			if v, ok := s.sentBy(at, path); ok {
				if other, known := s.sides[w.writer]; known {
					s.add(x, other, path, v)
				}
			}
			continue
		}
		s.before(x, at, path, side)
	}
}

// before adds the value that a field had before a write, as a value of the side
// that set it.
func (s *valueFinder) before(x *Field, at int, path uint64, side int) {
	for i := at - 1; i >= 0; i-- {
		author := s.author(i, path)
		v, ok := s.value(i, author, path)
		if !ok {
			continue
		}
		if other, known := s.sides[author]; known && (other != side || s.f.Self) {
			s.add(x, other, path, v)
		}
		return
	}
}

// add adds a value of a side, unless the side has the value or too many values.
func (s *valueFinder) add(x *Field, side int, path, value uint64) {
	list := x.Values[side]
	if len(list) == maxValues || slices.ContainsFunc(list, func(v Value) bool { return v.hash == value }) {
		return
	}
	x.Values[side] = append(list, s.c.value(s.o.Object, path, value))
}

// writeOf returns the index of the write that made a reversal; -1 for none.
func (s *valueFinder) writeOf(r reversal) int {
	for _, i := range s.times[r.at] {
		w := &s.writes[i]
		if w.writer == r.writer || slices.ContainsFunc(s.o.hooks[w.hooks], func(h hookState) bool { return h.writer == r.writer }) {
			return i
		}
	}
	return -1
}

// author returns the writer that set a field in a write: a webhook or the
// client. Only a response shows whether the webhook's value was stored.
func (s *valueFinder) author(at int, path uint64) uint32 {
	w := &s.writes[at]
	v, ok := s.stored(at, path)
	for _, h := range s.o.hooks[w.hooks] {
		for _, l := range h.leaves {
			if l.path == path && (!ok || w.kind != kindFull || l.value == v) {
				return h.writer
			}
		}
	}
	return w.writer
}

// value returns the value to which a writer set a field in a write.
func (s *valueFinder) value(at int, writer uint32, path uint64) (uint64, bool) {
	w := &s.writes[at]
	if w.writer == writer {
		return s.stored(at, path)
	}
	for _, h := range s.o.hooks[w.hooks] {
		if v, ok := delta(h.leaves).get(path); ok && h.writer == writer {
			return v, true
		}
	}
	return 0, false
}

// stored returns the value of a field after a write.
func (s *valueFinder) stored(at int, path uint64) (uint64, bool) {
	w := &s.writes[at]
	if path == wholePath {
		switch {
		case w.how == HowDelete:
			return 0, true
		case w.how == HowCreate || w.flags&flagMade != 0:
			return 1, true
		}
		return 0, false
	}
	d, ok := s.o.state(w)
	if !ok {
		return 0, false
	}
	if v, ok := d.get(path); ok || w.kind == kindStated {
		return v, ok
	}
	return baseValue(s.o.base, path), true
}

// sentBy returns the value in the client's request, for a field that a webhook
// changed.
func (s *valueFinder) sentBy(at int, path uint64) (uint64, bool) {
	if indexed(s.c.paths[path].text) {
		return 0, false
	}
	for _, h := range s.o.hooks[s.writes[at].hooks] {
		if v, ok := delta(h.sent).get(path); ok {
			return v, true
		}
	}
	return 0, false
}

// indexed reports whether a path in a JSON patch has an index of a list. Such a
// path differs from the path in the object.
func indexed(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if name != "" && strings.Trim(name, "0123456789") == "" || name == "-" {
			return true
		}
	}
	return false
}

// value returns the text of a value for reports.
func (c *Collector) value(o Object, path, value uint64) Value {
	v := Value{hash: value}
	text := c.pathText(path)
	switch {
	case value == 0:
		v.Kind = ValueAbsent
	case path == wholePath:
		v.Kind = ValuePresent
	case value == emptyValue:
		if v.Kind = ValueEmpty; strings.HasPrefix(text, `metadata.finalizers["`) {
			v.Kind = ValuePresent
		}
	default:
		t, ok := c.values.get(value)
		harmless := t.raw && (t.text == "true" || t.text == "false")
		switch {
		case c.redact || t.secret() || !harmless && (Redacted(o, text) || c.paths[path].text == ""):
			v.Kind = ValueRedacted
		case !ok && path == replicasPath && value == zeroReplicas:
			v.Text, v.Size, v.Kind = "0", 1, ValueJSON
		case !ok:
			v.Kind = ValueUnknown
		default:
			v.Text, v.Size, v.Sum, v.Kind = t.text, int(t.size), uint16(value>>48), ValueString
			if t.raw {
				v.Kind = ValueJSON
			}
		}
	}
	return v
}
