package gotype

import (
	"math"
	"strconv"
	"strings"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number re-states the integers of iter_int.go.
func (it *iterator) number(s shape) {
	name, limit := "ReadInt64", uint64(math.MaxInt64)
	wide := true
	switch s {
	case integer32:
		name, limit, wide = "ReadInt32", math.MaxInt32, false
	case integer16:
		name, limit, wide = "ReadInt16", math.MaxInt16, false
	case integer8:
		name, limit, wide = "ReadInt8", math.MaxInt8, false
	case unsigned16:
		name, limit, wide = "ReadUint16", math.MaxUint16, false
	case unsigned8:
		name, limit, wide = "ReadUint8", math.MaxUint8, false
	case unsigned32:
		it.digits(it.nextToken(), false)
		return
	case unsigned:
		it.digits(it.nextToken(), true)
		return
	}
	c := it.nextToken()
	if c == '-' && s != unsigned8 && s != unsigned16 {
		c = it.readByte()
		limit++
	}
	if value := it.digits(c, wide); value > limit {
		it.report(name, "overflow: "+strconv.FormatUint(value, 10))
	}
}

// digits re-states readUint64, or readUint32 unless wide: c has been read, the
// rest not.
func (it *iterator) digits(c byte, wide bool) uint64 {
	name, largest := "readUint32", uint64(math.MaxUint32)
	if wide {
		name, largest = "readUint64", math.MaxUint64
	}
	switch {
	case c == '0':
		it.noFraction()
		return 0
	case !isDigit(c):
		it.report(name, "unexpected character: \xff")
		return 0
	}
	value, start := uint64(c-'0'), it.head
	loop := start // where the loop begins that notices an overflow
	if len(it.buf)-start > 10 {
		loop = start + 7
	}
	for i := start; i < len(it.buf); i++ {
		if !isDigit(it.buf[i]) {
			it.head = i
			it.noFraction()
			return value
		}
		next := (value*10 + uint64(it.buf[i]-'0')) & largest
		if i >= loop && value > largest/10-1 && next < value {
			it.head = loop
			it.report(name, "overflow")
			return 0
		}
		value = next
	}
	it.end()
	it.noFraction()
	return value
}

// noFraction is assertInteger.
func (it *iterator) noFraction() {
	if it.head < len(it.buf) && it.buf[it.head] == '.' {
		it.report("assertInteger", "can not decode float as int")
	}
}

// float re-states ReadFloat64 and ReadFloat32 of iter_float.go.
func (it *iterator) float(s shape) {
	name, bits := "readFloat64", 64
	if s == float32 {
		name, bits = "readFloat32", 32
	}
	if it.nextToken() != '-' {
		it.unreadByte()
	}
	if it.head < len(it.buf) {
		switch c := it.buf[it.head]; c {
		case ',', ']', '}', ' ', '\t', '\n':
			it.report(name, "empty number")
			return
		case '.':
			it.report(name, "leading dot is invalid")
			return
		case '0':
			if it.head+1 < len(it.buf) && isDigit(it.buf[it.head+1]) {
				it.report(name, "leading zero is invalid")
				return
			}
		}
	}
	start := it.head
	for it.head < len(it.buf) && (isDigit(it.buf[it.head]) || strings.IndexByte("+-.eE", it.buf[it.head]) >= 0) {
		it.head++
	}
	number := string(it.buf[start:it.head])
	switch {
	case it.failed:
		return
	case number == "":
		it.report("readNumberAsString", "invalid number")
		return
	case number[0] == '-':
		it.report(name+"SlowPath", "-- is not valid")
		return
	}
	if _, err := strconv.ParseFloat(number, bits); err != nil {
		it.failed, it.err = true, err.Error()
	}
}
