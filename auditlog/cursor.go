package auditlog

import (
	"encoding/binary"
	"math/bits"
)

// cursor reads one JSON text and accepts the same texts as encoding/json. It builds
// no tree. If a method returns false, i is the position of the error.
type cursor struct {
	b []byte
	i int
}

// maxDepth is the largest nesting that encoding/json accepts.
const maxDepth = 10000

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// at reports whether the next byte is x. If so, it skips the byte.
func (c *cursor) at(x byte) bool {
	if c.i < len(c.b) && c.b[c.i] == x {
		c.i++
		return true
	}
	return false
}

// peek returns the next byte, or 0 at the end.
func (c *cursor) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return 0
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str reads a string and its quotes.
func (c *cursor) str() (Text, bool) {
	b, i := c.b, c.i
	if i >= len(b) || b[i] != '"' {
		return Text{}, false
	}
	i++
	start := i
	escaped := false
	for {
		// Check eight bytes at a time for a quote, a backslash or a control
		// character. mark has a bit for each such byte. Only its lowest bit is
		// used, because a borrow can set bits above it by mistake.
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			q := w ^ ones*'"'
			s := w ^ ones*'\\'
			if mark := ((q-ones)&^q | (s-ones)&^s | (w-ones*0x20)&^w) & highs; mark != 0 {
				i += bits.TrailingZeros64(mark) / 8
				break
			}
			i += 8
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
			i++
		}
		if i == len(b) {
			c.i = i
			return Text{}, false
		}
		switch b[i] {
		case '"':
			c.i = i + 1
			return Text{b[start:i], escaped}, true
		case '\\':
			escaped = true
			n := escape(b[i:])
			if n == 0 {
				c.i = i
				return Text{}, false
			}
			i += n
		default:
			c.i = i
			return Text{}, false
		}
	}
}

// plainRun returns the number of bytes before the first quote, backslash or control
// character.
func plainRun(b []byte) int {
	i := 0
	// Check eight bytes at a time, as str does. mark has a bit for each byte
	// that ends the run. Only its lowest bit is used, because a borrow can set
	// bits above it by mistake.
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		q := w ^ ones*'"'
		s := w ^ ones*'\\'
		if mark := ((q-ones)&^q | (s-ones)&^s | (w-ones*0x20)&^w) & highs; mark != 0 {
			return i + bits.TrailingZeros64(mark)/8
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		i++
	}
	return i
}

// escape returns the length of an escape sequence; 0 if it is invalid.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex4(b[2:]) >= 0 {
			return 6
		}
	}
	return 0
}

// skip steps over one value.
func (c *cursor) skip() bool {
	return c.value(0)
}

func (c *cursor) value(depth int) bool {
	c.space()
	switch c.peek() {
	case '"':
		_, ok := c.str()
		return ok
	case '{':
		return c.collection(depth, '}')
	case '[':
		return c.collection(depth, ']')
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	}
	return c.number()
}

// collection skips an object or array without recursion. Its stack has one bit
// for each level, which is set if the level is an object.
func (c *cursor) collection(depth int, shut byte) bool {
	var small [4]uint64 // one bit for each level; 1 means an object
	kinds := small[:]
	level := 0
	push := func(object bool) bool {
		level++
		if level+depth > maxDepth {
			return false
		}
		if level/64 == len(kinds) {
			kinds = append(kinds, 0)
		}
		if object {
			kinds[level/64] |= 1 << (level % 64)
		} else {
			kinds[level/64] &^= 1 << (level % 64)
		}
		return true
	}
	object := shut == '}'
	if !push(object) {
		return false
	}
	c.i++
	first := true
	for {
		c.space()
		if object {
			if first && c.at('}') {
				goto closed
			}
			if _, ok := c.str(); !ok {
				return false
			}
			c.space()
			if !c.at(':') {
				return false
			}
			c.space()
		} else if first && c.at(']') {
			goto closed
		}
		switch c.peek() {
		case '{', '[':
			object = c.b[c.i] == '{'
			if !push(object) {
				return false
			}
			c.i++
			first = true
			continue
		case '"':
			if _, ok := c.str(); !ok {
				return false
			}
		case 't':
			if !c.word("true") {
				return false
			}
		case 'f':
			if !c.word("false") {
				return false
			}
		case 'n':
			if !c.word("null") {
				return false
			}
		default:
			if !c.number() {
				return false
			}
		}
	next:
		c.space()
		first = false
		if c.at(',') {
			continue
		}
		if object && !c.at('}') || !object && !c.at(']') {
			return false
		}
	closed:
		level--
		if level == 0 {
			return true
		}
		object = kinds[level/64]&(1<<(level%64)) != 0
		goto next
	}
}

// word skips a literal text. It returns false if another text is next.
func (c *cursor) word(w string) bool {
	if len(c.b)-c.i < len(w) || string(c.b[c.i:c.i+len(w)]) != w {
		return false
	}
	c.i += len(w)
	return true
}

// number skips a number in JSON syntax.
func (c *cursor) number() bool {
	c.at('-')
	switch d := c.peek(); {
	case d == '0':
		c.i++
	case d >= '1' && d <= '9':
		c.digits()
	default:
		return false
	}
	if c.at('.') && !c.digits() {
		return false
	}
	if d := c.peek(); d == 'e' || d == 'E' {
		c.i++
		if !c.at('+') {
			c.at('-')
		}
		if !c.digits() {
			return false
		}
	}
	return true
}

func (c *cursor) digits() bool {
	start := c.i
	for c.i < len(c.b) && c.b[c.i] >= '0' && c.b[c.i] <= '9' {
		c.i++
	}
	return c.i > start
}

// small reads a small integer, such as a status code. It skips any other value
// and returns 0.
func (c *cursor) small() (int, bool) {
	c.space()
	start := c.i
	n := 0
	for c.i < len(c.b) && c.b[c.i] >= '0' && c.b[c.i] <= '9' && c.i-start < 9 {
		n = n*10 + int(c.b[c.i]-'0')
		c.i++
	}
	if c.i > start && (c.b[start] != '0' || c.i == start+1) {
		switch c.peek() {
		case ',', '}', ' ', '\n', '\r', '\t':
			return n, true
		}
	}
	c.i = start
	return 0, c.skip()
}

// text reads a string and steps over any other value.
func (c *cursor) text() (Text, bool) {
	if c.peek() == '"' {
		return c.str()
	}
	return Text{}, c.skip()
}

// scalar reads a string, or a number as its text, and steps over any other value.
func (c *cursor) scalar() (Text, bool) {
	if c.peek() == '"' {
		return c.str()
	}
	raw, ok := c.raw()
	if len(raw) > 0 && raw[0] >= '0' && raw[0] <= '9' {
		return plainText(raw), ok
	}
	return Text{}, ok
}

// raw skips a value and returns its bytes.
func (c *cursor) raw() ([]byte, bool) {
	c.space()
	start := c.i
	ok := c.skip()
	return c.b[start:c.i], ok
}
