package gotype

import (
	"fmt"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func (it *iterator) nextToken() byte {
	for i := it.head; i < len(it.buf); i++ {
		switch c := it.buf[i]; c {
		case ' ', '\n', '\t', '\r':
		default:
			it.head = i + 1
			return c
		}
	}
	it.end()
	return 0
}

// end is loadMore without a reader.
func (it *iterator) end() {
	if !it.failed && !it.eof {
		it.head = len(it.buf)
		it.eof = true
	}
}

func (it *iterator) readByte() byte {
	if it.head >= len(it.buf) {
		it.end()
		return 0
	}
	it.head++
	return it.buf[it.head-1]
}

// unreadByte does nothing after an error, so that a byte is lost then.
func (it *iterator) unreadByte() {
	if !it.failed && !it.eof {
		it.head--
	}
}

func (it *iterator) peek() byte {
	c := it.nextToken()
	it.unreadByte()
	return c
}

// literal reads the rest of null, true or false.
func (it *iterator) literal(rest string) {
	for i := range len(rest) {
		if it.readByte() != rest[i] {
			name := "skipThreeBytes"
			if len(rest) == 4 {
				name = "skipFourBytes"
			}
			it.report(name, "expect "+rest)
			return
		}
	}
}

// readNull reads null and reports whether it was there.
func (it *iterator) readNull() bool {
	if it.nextToken() == 'n' {
		it.literal("ull")
		return true
	}
	it.unreadByte()
	return false
}

// readString is ReadString of iter_str.go.
func (it *iterator) readString() string {
	switch c := it.nextToken(); c {
	case '"':
		for i := it.head; i < len(it.buf); i++ {
			switch c := it.buf[i]; {
			case c == '"':
				s := string(it.buf[it.head:i])
				it.head = i + 1
				return s
			case c == '\\':
				return it.slowString()
			case c < ' ':
				it.report("ReadString", fmt.Sprintf("invalid control character found: %d", c))
				return ""
			}
		}
		return it.slowString()
	case 'n':
		it.literal("ull")
	default:
		it.report("ReadString", `expects " or n, but found `+string([]byte{c}))
	}
	return ""
}

// slowString is readStringSlowPath: it gives up at once after an error.
func (it *iterator) slowString() string {
	start := it.head
	for !it.failed && !it.eof {
		switch it.readByte() {
		case '"':
			quoted := append([]byte{'"'}, it.buf[start:it.head]...)
			if v, err := wire.JSON(quoted); err == nil {
				return v.Text
			}
			return ""
		case '\\':
			it.readByte()
		}
	}
	it.report("readStringSlowPath", "unexpected end of input")
	return ""
}

func (it *iterator) boolean() {
	switch c := it.nextToken(); c {
	case 't':
		it.literal("rue")
	case 'f':
		it.literal("alse")
	default:
		it.report("ReadBool", "expect t or f, but found "+string([]byte{c}))
	}
}
