package contention

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// span is the range of a value in the body of a request.
type span struct{ start, end int }

// valueText is the beginning of a value as text.
type valueText struct {
	text string // at most maxValue bytes
	size uint32 // size of the whole value in bytes
	raw  bool   // the text is JSON; otherwise it is the content of a string
}

// secret reports whether the text is missing because it may be a credential.
func (t valueText) secret() bool { return t.text == "" && t.size > 0 }

// maxValue is the largest length of a value's text, in bytes.
const maxValue = 64

// maxTexts is the largest size of the texts that a worker passes to the
// collector for one write, in bytes.
const maxTexts = 1 << 16

// texts appends the records of the last object's values to dst, for
// valueStore.put.
func (w *walker) texts(dst []byte) []byte {
	begin := len(dst)
	for i, s := range w.spans {
		if s.end <= s.start || s.end > len(w.b) || len(dst)-begin > maxTexts {
			continue
		}
		text, raw := w.b[s.start:s.end], true
		if n := len(text); n > 1 && text[0] == '"' && text[n-1] == '"' {
			text, raw = w.plain(text[1:n-1]), false
		}
		dst = appendText(dst, w.leaves[i].value, text, raw, credential(text))
	}
	return dst
}

// appendText appends the record of a value. The record has the value's hash,
// whether its text is JSON, its size, the length of the text, and the text. If
// the value is secret, the text is left out.
func appendText(dst []byte, value uint64, text []byte, raw, secret bool) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, value)
	if raw {
		dst = append(dst, 1)
	} else {
		dst = append(dst, 0)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	if secret {
		text = nil
	}
	if len(text) > maxValue {
		text = text[:maxValue]
		for i := 1; i < utf8.UTFMax && i < len(text); i++ { // end at the end of a character
			if c := text[len(text)-i]; utf8.RuneStart(c) {
				if !utf8.FullRune(text[len(text)-i:]) {
					text = text[:len(text)-i]
				}
				break
			}
		}
	}
	return append(append(dst, byte(len(text))), text...)
}

// textHead is the length of a record without its text.
const textHead = 8 + 1 + 4 + 1

// valueStore has the texts of values by hash. If recent is full, it replaces
// older. In this way, texts without recent use are dropped. kept has the values
// of possible fights, which are not dropped.
type valueStore struct{ recent, older, kept map[uint64]valueText }

// maxTextsKept is the largest number of texts in each map of a valueStore.
const maxTextsKept = 1 << 15

// put adds the texts in records of appendText.
func (s *valueStore) put(records []byte) {
	for len(records) >= textHead {
		value := binary.LittleEndian.Uint64(records)
		n := textHead + int(records[textHead-1])
		if n > len(records) {
			return
		}
		if _, known := s.recent[value]; !known {
			s.add(value, valueText{
				text: string(records[textHead:n]), raw: records[8] == 1, size: binary.LittleEndian.Uint32(records[9:]),
			})
		}
		records = records[n:]
	}
}

// add adds a text.
func (s *valueStore) add(value uint64, t valueText) {
	if len(s.recent) >= maxTextsKept {
		s.older, s.recent = s.recent, nil
	}
	if s.recent == nil {
		s.recent = map[uint64]valueText{}
	}
	s.recent[value] = t
}

// get returns the text of a value.
func (s *valueStore) get(value uint64) (t valueText, ok bool) {
	for _, m := range [...]map[uint64]valueText{s.kept, s.recent, s.older} {
		if t, ok = m[value]; ok {
			return t, true
		}
	}
	return t, false
}

// keep prevents later texts from replacing the text of a value.
func (s *valueStore) keep(value uint64) {
	if _, kept := s.kept[value]; kept || len(s.kept) >= maxTextsKept {
		return
	}
	if t, ok := s.get(value); ok {
		if s.kept == nil {
			s.kept = map[uint64]valueText{}
		}
		s.kept[value] = t
	}
}

// merge adds the texts of another store.
func (s *valueStore) merge(o *valueStore) {
	for _, m := range [...]map[uint64]valueText{o.older, o.recent, o.kept} {
		for _, value := range slices.Sorted(maps.Keys(m)) {
			if _, known := s.recent[value]; !known {
				s.add(value, m[value])
			}
		}
	}
}

// protect keeps the texts of values that differ between the writes to an
// object, because the report of a fight shows them. added is the hash of the
// state of the last write. protect does nothing for an object with only one
// writer.
func (c *Collector) protect(o *object, added uint64, k kind) {
	switch {
	case !o.several():
		return
	case o.protected:
		d := o.states[added]
		if k == kindStated {
			d = o.parts[added]
		}
		c.protectValues(o, d)
		return
	}
	o.protected = true
	for _, m := range [...]map[uint64]delta{o.states, o.parts} {
		for _, hash := range slices.Sorted(maps.Keys(m)) {
			c.protectValues(o, m[hash])
		}
	}
}

func (c *Collector) protectValues(o *object, d delta) {
	for _, l := range d {
		c.values.keep(l.value)
		c.values.keep(baseValue(o.base, l.path))
	}
}

// knowsState reports whether the collector has the state of a write to an
// object with a single writer. If it has the state, it also has the texts of
// the values.
func (c *Collector) knowsState(w *write) bool {
	if o := c.objects[w.object]; o != nil {
		return false // put the texts again, so that texts of other objects do not replace them
	}
	return c.singles.states.get(w.state.hash) != nil
}

// auditID is the ID of an event. A UUID is stored as it is. For any other ID,
// the first half is 0, and Collector.values has the text under the second half.
type auditID [2]uint64

// readAuditID returns the ID of an event. If the ID has a text, it appends the
// record of the text to records.
func readAuditID(e *auditlog.Event, buf, records []byte) (id auditID, all []byte) {
	text := e.AuditID.Bytes(buf)
	if id, ok := parseUUID(text); ok {
		return id, records
	}
	if len(text) == 0 {
		return auditID{}, records
	}
	hash := fingerprint.Add(auditSeed, text)
	return auditID{0, hash}, appendText(records, hash, text, false, false)
}

// parseUUID parses a UUID in the form of servers. ok is false for other texts,
// and for a UUID whose first half is 0.
func parseUUID(s []byte) (id auditID, ok bool) {
	if len(s) != 36 {
		return id, false
	}
	n := 0
	for i, c := range s {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return id, false
			}
			continue
		}
		d := bytes.IndexByte([]byte("0123456789abcdef"), c)
		if d < 0 {
			return id, false
		}
		id[n/16] = id[n/16]<<4 | uint64(d)
		n++
	}
	return id, id[0] != 0
}

// auditIDText returns the text of an ID; "" if it is unknown.
func (c *Collector) auditIDText(id auditID) string {
	if id[0] == 0 {
		t, _ := c.values.get(id[1])
		return t.text
	}
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 36)
	for n := range 32 {
		if n == 8 || n == 12 || n == 16 || n == 20 {
			out = append(out, '-')
		}
		out = append(out, digits[id[n/16]>>(60-4*(n%16))&15])
	}
	return string(out)
}

// resource returns the group and the resource of a write's object.
func (c *Collector) resource(w *observation) Object {
	s := c.scopes[w.scope]
	return Object{Group: s.group, Resource: s.resource}
}

// usedTexts collects the values whose texts are encoded: the values of kept
// writes that reports can show.
type usedTexts struct {
	c      *Collector
	used   map[uint64]bool // values whose texts are needed
	hidden map[uint64]bool // whether the values of a path are hidden
}

// add adds the values of some leaves of an object.
func (u *usedTexts) add(o Object, leaves []leaf) {
	if u.c.redact {
		return
	}
	for _, l := range leaves {
		if l.value > emptyValue && !u.used[l.value] && !u.isHidden(o, l.path) {
			u.used[l.value] = true
		}
	}
}

// isHidden reports whether reports never show the values of a path.
func (u *usedTexts) isHidden(o Object, path uint64) bool {
	secret := o.Resource == "secrets" && o.Group == ""
	hidden, known := u.hidden[path]
	if known && !secret {
		return hidden
	}
	p, known := u.c.paths[path]
	hidden = !known || Redacted(o, p.text)
	if !secret {
		u.hidden[path] = hidden
	}
	return hidden
}

// id adds the text of an audit ID.
func (u *usedTexts) id(id auditID) {
	if id[0] == 0 {
		u.used[id[1]] = true
	}
}

// object adds the values of an object.
func (u *usedTexts) object(o *object) {
	if o.base != nil {
		_, whole := o.states[o.base.hash]
		if whole {
			u.add(o.Object, o.base.leaves)
		}
		for _, d := range o.states {
			if !whole { // no write has the state base any longer
				d = d.apply(o.base.leaves)
			}
			u.add(o.Object, d)
		}
	}
	for _, d := range o.parts {
		u.add(o.Object, d)
	}
	for _, list := range o.hooks {
		for _, h := range list {
			u.add(o.Object, h.leaves)
			u.add(o.Object, h.sent)
		}
	}
	for i := range o.writes {
		u.id(o.writes[i].audit)
	}
}

// texts encodes the texts of the used values.
func (e *encoder) texts(u *usedTexts) {
	var values []uint64
	for v := range u.used {
		if _, ok := e.c.values.get(v); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	e.uint(uint64(len(values)))
	for _, v := range values {
		t, _ := e.c.values.get(v)
		e.fixed(v)
		e.string(t.text)
		e.uint(uint64(t.size))
		e.bool(t.raw)
	}
}
