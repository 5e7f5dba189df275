package gotype

import (
	"fmt"
)

// skip is Skip of iter_skip.go and iter_skip_strict.go.
func (it *iterator) skip() {
	switch c := it.nextToken(); c {
	case '"':
		it.skipString()
	case 'n':
		it.literal("ull")
	case 't':
		it.literal("rue")
	case 'f':
		it.literal("alse")
	case '0':
		it.unreadByte()
		it.float(float32)
	case '-', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		it.skipNumber()
	case '[':
		it.unreadByte()
		it.skipArray()
	case '{':
		it.unreadByte()
		it.skipObject()
	default:
		it.report("Skip", fmt.Sprintf("do not know how to skip: %d", c))
	}
}

func (it *iterator) skipString() {
	for i := it.head; i < len(it.buf); i++ {
		switch c := it.buf[i]; {
		case c == '"':
			it.head = i + 1
			return
		case c == '\\':
			it.unreadByte()
			it.readString()
			return
		case c < ' ':
			it.report("trySkipString", fmt.Sprintf("invalid control character found: %d", c))
			return
		}
	}
	it.unreadByte()
	it.readString()
}

// skipNumber passes over a number whose first byte has been read. What follows
// is JSON, so that only what an error leaves unread can be no number.
func (it *iterator) skipNumber() {
	dot := false
scan:
	for i := it.head; i < len(it.buf); i++ {
		switch c := it.buf[i]; c {
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		case '.':
			if dot {
				it.report("validateNumber", "more than one dot found in number")
				return
			}
			if i+1 == len(it.buf) {
				break scan
			}
			if !isDigit(it.buf[i+1]) {
				it.report("validateNumber", "missing digit after dot")
				return
			}
			dot = true
		case ',', ']', '}', ' ', '\t', '\n', '\r':
			if it.head == i {
				break scan
			}
			it.head = i
			return
		default:
			break scan
		}
	}
	it.unreadByte()
	if it.failed {
		return
	}
	it.float(float)
	if it.failed {
		// ReadBigFloat begins where the number ended.
		it.failed, it.err = false, ""
		it.report("readNumberAsString", "invalid number")
	}
}

func (it *iterator) skipArray() {
	switch c := it.nextToken(); c {
	case '[':
	case 'n':
		it.literal("ull")
		return
	default:
		it.report("ReadArrayCB", "expect [ or n, but found "+string([]byte{c}))
		return
	}
	if it.nextToken() == ']' {
		return
	}
	it.unreadByte()
	c := byte(',')
	for ; c == ','; c = it.nextToken() {
		it.skip()
	}
	if c != ']' {
		it.report("ReadArrayCB", "expect ] in the end, but found "+string([]byte{c}))
	}
}

func (it *iterator) skipObject() {
	switch c := it.nextToken(); c {
	case '{':
	case 'n':
		it.literal("ull")
		return
	default:
		it.report("ReadObjectCB", "expect { or n, but found "+string([]byte{c}))
		return
	}
	switch c := it.nextToken(); c {
	case '}':
		return
	case '"':
	default:
		after := "{"
		if it.minor < 19 {
			after = "}"
		}
		it.report("ReadObjectCB", `expect " after `+after+`, but found `+string([]byte{c}))
		return
	}
	it.unreadByte()
	c := byte(',')
	for ; c == ','; c = it.nextToken() {
		it.readString()
		if c := it.nextToken(); c != ':' {
			it.report("ReadObject", "expect : after object field, but found "+string([]byte{c}))
		}
		it.skip()
	}
	if c != '}' {
		it.report("ReadObjectCB", "object not ended with }")
	}
}
