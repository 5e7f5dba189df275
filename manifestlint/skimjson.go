package manifestlint

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// json skims a JSON value as skim does a YAML document: the one that begins at an
// offset of a text, which is a place of the input; end is where it ends. It reports
// false where only the parser can tell what the value is. The lines of the head are
// the input's. Of a list of objects s.listed are the items.
func (s *skimmer) json(text []byte, start int, at wire.Pos) (end int, ok bool) {
	s.keys, s.nextID, s.wanted, s.metaID, s.markup, s.marked = s.keys[:0], 0, 0, 0, false, false
	s.head, s.listed, s.lists = skimHead{}, s.listed[:0], false
	s.seen.reset()
	r := jsonSkim{s: s, text: text, off: start, at: at, counted: start}
	switch r.next() {
	case '{':
		ok = r.fields(1, true) && r.lists()
	case '[':
		ok = r.items(1)
	}
	return r.off, ok
}

// list reads the items of a list of objects.
func (r *jsonSkim) list(depth int) bool {
	s := r.s
	s.lists = true
	whole, wanted, meta := s.head, s.wanted, s.metaID
	r.off++ // [
	if r.begin() == ']' {
		r.off++
		return true
	}
	for {
		if r.begin() != '{' || len(s.listed) == maxListed {
			return false
		}
		item := listedItem{start: r.off, at: r.place(r.off)}
		s.head, s.wanted, s.metaID = skimHead{}, 0, 0
		if !r.fields(depth+1, true) || s.head.items {
			return false
		}
		item.end, item.said = r.off, s.said(item.start, true)
		s.listed = append(s.listed, item)
		s.head, s.wanted, s.metaID = whole, wanted, meta
		if more, ok := r.another(']'); !more {
			return ok
		}
	}
}

// lists reports whether items, if there are any, say themselves what they are.
func (r *jsonSkim) lists() bool {
	s := r.s
	if !s.head.object() {
		s.head.items, s.listed, s.lists = false, s.listed[:0], false
		return true
	}
	for i := range s.listed {
		if !s.listed[i].said.head.object() {
			return false
		}
	}
	return true
}

// jsonSkim reads one JSON value, by the rules of the parser in package wire.
type jsonSkim struct {
	s    *skimmer
	text []byte
	off  int
	// at is the place of counted.
	at      wire.Pos
	counted int
	values  int
}

// How deeply values nest, and how many there are: far below what the parser takes.
const (
	maxSkimDepth  = 200
	maxSkimValues = 1 << 20
)

// next gives the byte at r.off; 0, which begins nothing, at the end.
func (r *jsonSkim) next() byte {
	if r.off < len(r.text) {
		return r.text[r.off]
	}
	return 0
}

// begin goes to what is no white space, and gives it as next does.
func (r *jsonSkim) begin() byte {
	for r.off < len(r.text) {
		switch c := r.text[r.off]; c {
		case ' ':
			r.off = skipSpaces(r.text, r.off)
		case '\t', '\r', '\n':
			r.off++
		default:
			return c
		}
	}
	return 0
}

// value reads a value that begins at r.off.
func (r *jsonSkim) value(depth int) bool {
	if r.values++; r.values > maxSkimValues {
		return false
	}
	switch c := r.next(); c {
	case '{':
		return depth < maxSkimDepth && r.fields(depth+1, false)
	case '[':
		return depth < maxSkimDepth && r.items(depth+1)
	case '"':
		_, _, ok := r.str()
		return ok
	case 't':
		return r.literal("true")
	case 'f':
		return r.literal("false")
	case 'n':
		return r.literal("null")
	default:
		return r.number()
	}
}

func (r *jsonSkim) literal(word string) bool {
	if !bytes.HasPrefix(r.text[r.off:], []byte(word)) {
		return false
	}
	r.off += len(word)
	return true
}

func (r *jsonSkim) number() bool {
	if r.next() == '-' {
		r.off++
	}
	if r.next() == '0' {
		r.off++
	} else if !r.digits() {
		return false
	}
	if r.next() == '.' {
		if r.off++; !r.digits() {
			return false
		}
	}
	if r.next()|0x20 == 'e' {
		r.off++
		if c := r.next(); c == '+' || c == '-' {
			r.off++
		}
		return r.digits()
	}
	return true
}

// digits reads one digit or more.
func (r *jsonSkim) digits() bool {
	start := r.off
	for c := r.next(); '0' <= c && c <= '9'; c = r.next() {
		r.off++
	}
	return r.off > start
}

// str reads a string and gives what is between its quotes. plain reports that it
// has no escapes and nothing beyond ASCII.
func (r *jsonSkim) str() (body []byte, plain, ok bool) {
	start := r.off + 1
	i := start
	beyond, escapes := uint64(0), false
	for {
		for i+8 <= len(r.text) {
			w := binary.LittleEndian.Uint64(r.text[i:])
			quote, slash := w^ones*'"', w^ones*'\\'
			// As in indexAny2; and a byte below 0x20 borrows a high bit that it
			// has not.
			mark := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
			if mark == 0 {
				beyond |= w
				i += 8
				continue
			}
			n := bits.TrailingZeros64(mark) &^ 7
			beyond |= w & (1<<n - 1)
			i += n / 8
			break
		}
		if i >= len(r.text) {
			return nil, false, false
		}
		switch c := r.text[i]; {
		case c == '"':
			r.off = i + 1
			return r.text[start:i], !escapes && beyond&highs == 0, true
		case c < ' ':
			return nil, false, false
		case c == '\\':
			escapes = true
			if i = r.escape(i + 1); i < 0 {
				return nil, false, false
			}
		default: // one of the last bytes
			beyond |= uint64(c)
			i++
		}
	}
}

// escape reads what follows a backslash and gives the offset behind it; less than
// 0 if it is no escape.
func (r *jsonSkim) escape(i int) int {
	if i >= len(r.text) {
		return -1
	}
	switch r.text[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for n := range 4 {
			if i+1+n >= len(r.text) || !isHex(r.text[i+1+n]) {
				return -1
			}
		}
		return i + 5
	}
	return -1
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// another reads what stands behind an item or a field: a comma, and then there is
// another one, or the end; ok is false if it is something else.
func (r *jsonSkim) another(end byte) (more, ok bool) {
	switch r.begin() {
	case ',':
		r.off++
		return true, true
	case end:
		r.off++
		return false, true
	}
	return false, false
}

func (r *jsonSkim) items(depth int) bool {
	r.off++ // [
	if r.begin() == ']' {
		r.off++
		return true
	}
	for {
		if r.begin(); !r.value(depth) {
			return false
		}
		if more, ok := r.another(']'); !more {
			return ok
		}
	}
}

// fields reads a map. root is set for one that may be an object.
func (r *jsonSkim) fields(depth int, root bool) bool {
	r.off++ // {
	s := r.s
	id, keys := s.newID(), len(s.keys)
	meta := id == s.metaID
	s.head.root = s.head.root || root
	if r.begin() == '}' {
		r.off++
		return true
	}
	for {
		if r.begin() != '"' {
			return false
		}
		key, plain, ok := r.str()
		if !ok || !plain { // it may spell another one
			return false
		}
		hash := hashKey(key)
		if s.repeated(hash, keys, id) || r.begin() != ':' {
			return false
		}
		r.off++
		r.begin()
		start := r.off
		switch {
		case root || meta:
			if !r.headValue(key, depth, root) {
				return false
			}
		case !r.value(depth):
			return false
		}
		if s.triggers.first[hash&63] {
			// Of a map or a list its bracket is all there is to see.
			end := r.off
			if c := r.text[start]; c == '{' || c == '[' {
				end = start + 1
			}
			now, _ := s.triggers.met(hash, key, r.text[start:end], root)
			s.wanted |= now
		}
		if more, ok := r.another('}'); !more {
			s.keys = s.keys[:keys]
			return ok
		}
	}
}

// headValue reads the value of a key of the root or of metadata, and keeps it if
// it identifies the object. It reports false where only the parser can tell what
// that is.
func (r *jsonSkim) headValue(key []byte, depth int, root bool) bool {
	if !isHeadKey(key, root) {
		return r.value(depth)
	}
	head := &r.s.head
	var into *headValue
	switch string(key) {
	case "metadata":
		if r.next() != '{' {
			return false
		}
		r.s.metaID = r.s.nextID + 1
		return r.value(depth)
	case "items":
		head.items = true
		if r.next() == '[' {
			return depth == 1 && r.list(depth)
		}
		return r.value(depth)
	case "apiVersion":
		into = &head.apiVersion
	case "kind":
		into = &head.kind
	case "name":
		into = &head.name
	case "namespace":
		into = &head.namespace
	case "generateName":
		into = &head.generateName
	}
	if r.next() != '"' {
		return false
	}
	start := r.off
	body, plain, ok := r.str()
	if !ok || !plain {
		return false
	}
	at := r.place(start)
	*into = headValue{body, at.Line, at.Column, len(body) + 2}
	if decide := r.s.decide; root && decide != nil && len(head.apiVersion.text) > 0 && len(head.kind.text) > 0 {
		return !decide(head) // or its tree is wanted
	}
	return true
}

// place gives the place of an offset. Offsets are asked for in ascending order.
func (r *jsonSkim) place(off int) wire.Pos {
	passed := r.text[r.counted:off]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		r.at.Line, r.at.Column = r.at.Line+n, 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	r.at.Column += utf8.RuneCount(passed)
	r.counted = off
	return r.at
}
