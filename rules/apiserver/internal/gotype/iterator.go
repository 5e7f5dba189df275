package gotype

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// iterator re-states github.com/json-iterator/go 1.1.7 to 1.1.11, with which
// 1.16 to 1.22 decode. Its errors quote the bytes around the mistake, and it
// does not stop at one: every type and field that it still comes by adds its
// name, and what it comes by depends on the bytes it has read by then. So it is
// re-stated byte by byte, for texts that are known to be JSON and of which
// another decoder has found that something is wrong.
type iterator struct {
	minor lifecycle.Minor
	buf   []byte
	head  int
	// err is Iterator.Error unless that is io.EOF, which eof stands for.
	err    string
	failed bool
	eof    bool
}

// iteratorError gives the error of decoding a body into a type, and false if
// there is none.
func iteratorError(m lifecycle.Minor, t *typeRecord, body []byte) (string, bool) {
	it := &iterator{minor: m, buf: body}
	it.decode(t, false)
	if it.nextToken() != 0 {
		it.report("Unmarshal", "there are bytes left after unmarshal")
	}
	// The answer is JSON, in which each byte that is no UTF-8 is U+FFFD.
	return string([]rune(it.err)), it.failed
}

// report re-states Iterator.ReportError, of iter.go.
func (it *iterator) report(operation, message string) {
	if it.failed {
		return
	}
	around := func(n int) (string, int) {
		start, end := max(it.head-n, 0), min(it.head+n, len(it.buf))
		return string(it.buf[start:end]), it.head - start
	}
	near, before := around(10)
	context, _ := around(50)
	it.failed = true
	it.err = fmt.Sprintf("%s: %s, error found in #%d byte of ...|%s|..., bigger context ...|%s|...", operation, message, before, near, context)
}

// wrap puts a name before the error, if there is one. Names are few unless the
// text is made for it; beyond some length nobody reads them.
func (it *iterator) wrap(prefix string) {
	const longest = 1 << 13
	if it.failed && len(it.err) < longest {
		it.err = prefix + it.err
	}
}

// decode reads a value of a type: the decoders that reflect.go makes.
func (it *iterator) decode(t *typeRecord, pointer bool) {
	if pointer && it.readNull() {
		return
	}
	switch t.shape {
	case structure:
		it.structure(t)
	case list:
		it.list(t)
		it.wrap(t.name.String() + ": ")
	case dictionary:
		it.dictionary(t)
	case octets:
		it.octets(t)
	case text:
		it.readString()
	case boolean:
		if !it.readNull() {
			it.boolean()
		}
	case float, float32:
		if !it.readNull() {
			it.float(t.shape)
		}
	case anything, quantity, intOrString, timestamp, microTimestamp, schemaOrArray, schemaOrBool, schemaOrStrings:
		it.own(t)
	default:
		if !it.readNull() {
			it.number(t.shape)
		}
	}
}

// structure re-states reflect_struct_decoder.go, which has a decoder of its
// own for each number of fields up to ten.
func (it *iterator) structure(t *typeRecord) {
	known := 0
	all := t.fields()
	for i := range all {
		if all[i].in(it.minor) {
			known++
		}
	}
	if known == 0 {
		if c := it.peek(); c != '{' && c != 'n' {
			it.report("skipObjectDecoder", "expect object or null")
			return
		}
		it.skip()
		return
	}
	if !it.objectStart() {
		return
	}
	if known > 10 {
		it.general(t)
		return
	}
	for {
		if f := it.fieldByHash(t); f != nil {
			it.field(f)
		} else {
			it.skip()
		}
		if it.objectEnd() {
			break
		}
	}
	it.wrap(t.name.String() + ".")
}

// general is generalStructDecoder.
func (it *iterator) general(t *typeRecord) {
	c := byte(',')
	for ; c == ','; c = it.nextToken() {
		f := t.field(it.readString(), it.minor)
		if c := it.nextToken(); c != ':' {
			it.report("ReadObject", "expect : after object field, but found "+string([]byte{c}))
		}
		if f == nil {
			it.skip()
		} else {
			it.field(f)
		}
	}
	it.wrap(t.name.String() + ".")
	if c != '}' {
		it.report("struct Decode", "expect }, but found "+string([]byte{c}))
	}
}

// field reads a field's value.
func (it *iterator) field(f *fieldRecord) {
	it.decode(f.typeOf(), f.pointer != 0)
	if !it.failed {
		return
	}
	it.wrap(f.goFieldName() + ": ")
	if f.embedded != 0 {
		embedded := strings.Split(f.embedded.String(), ".")
		for i := len(embedded) - 1; i >= 0; i-- {
			it.wrap(embedded[i] + ": ")
		}
	}
}

// fieldByHash reads a field's name and colon: readFieldHash of iter_object.go,
// on the assumption that no two hashes are equal.
func (it *iterator) fieldByHash(t *typeRecord) *fieldRecord {
	if c := it.nextToken(); c != '"' {
		it.report("readFieldHash", `expect ", but found `+string([]byte{c}))
		return nil
	}
	start := it.head
	for i := start; i < len(it.buf); i++ {
		switch it.buf[i] {
		case '\\':
			name := string(it.buf[start:i])
			it.head = i
			return it.colon(t, name+it.slowString())
		case '"':
			it.head = i + 1
			return it.colon(t, string(it.buf[start:i]))
		}
	}
	it.end()
	it.report("readFieldHash", "incomplete field name")
	return nil
}

func (it *iterator) colon(t *typeRecord, name string) *fieldRecord {
	if c := it.nextToken(); c != ':' {
		it.report("readFieldHash", "expect :, but found "+string([]byte{c}))
		return nil
	}
	return t.field(name, it.minor)
}

func (it *iterator) objectStart() bool {
	switch c := it.nextToken(); c {
	case '{':
		if it.nextToken() == '}' {
			return false
		}
		it.unreadByte()
		return true
	case 'n':
		it.literal("ull")
	default:
		it.report("readObjectStart", "expect { or n, but found "+string([]byte{c}))
	}
	return false
}

func (it *iterator) objectEnd() bool {
	c := it.nextToken()
	if c != ',' && c != '}' {
		it.report("isObjectEnd", "object ended prematurely, unexpected char "+string([]byte{c}))
	}
	return c != ','
}

// list is sliceDecoder.doDecode of reflect_slice.go.
func (it *iterator) list(t *typeRecord) {
	c := it.nextToken()
	switch c {
	case 'n':
		it.literal("ull")
		return
	case '[':
	default:
		it.report("decode slice", "expect [ or n, but found "+string([]byte{c}))
		return
	}
	if it.nextToken() == ']' {
		return
	}
	it.unreadByte()
	elem, pointer := t.elemType(), strings.HasPrefix(t.name.String(), "[]*")
	if t.shape == octets {
		elem = nil
	}
	for c = ','; c == ','; c = it.nextToken() {
		switch {
		case elem != nil:
			it.decode(elem, pointer)
		case !it.readNull():
			it.number(unsigned8)
		}
	}
	if c != ']' {
		it.report("decode slice", "expect ], but found "+string([]byte{c}))
	}
}

// dictionary is mapDecoder of reflect_map.go.
func (it *iterator) dictionary(t *typeRecord) {
	switch c := it.nextToken(); c {
	case 'n':
		it.literal("ull")
		return
	case '{':
	default:
		it.report("ReadMapCB", "expect { or n, but found "+string([]byte{c}))
		return
	}
	switch c := it.nextToken(); {
	case c == '}':
		return
	case c != '"' && it.minor < 19:
		it.report("ReadMapCB", `expect " after }, but found `+string([]byte{c}))
		return
	}
	it.unreadByte()
	elem, pointer := t.elemType(), strings.Contains(t.name.String(), "]*")
	c := byte(',')
	for ; c == ','; c = it.nextToken() {
		it.readString()
		if c := it.nextToken(); c != ':' {
			it.report("ReadMapCB", "expect : after object field, but found "+string([]byte{c}))
			return
		}
		it.decode(elem, pointer)
	}
	if c != '}' {
		it.report("ReadMapCB", "expect }, but found "+string([]byte{c}))
	}
}

// octets is base64Codec of reflect_native.go.
func (it *iterator) octets(t *typeRecord) {
	if it.readNull() {
		return
	}
	switch it.peek() {
	case '"':
		if err := base64Error(it.readString()); err != nil {
			it.report("decode base64", err.Error())
		}
	case '[':
		it.list(t)
		it.wrap(t.name.String() + ": ")
	default:
		it.report("base64Codec", "invalid input")
	}
}

// own is unmarshalerDecoder of reflect_marshaler.go.
func (it *iterator) own(t *typeRecord) {
	it.nextToken()
	it.unreadByte()
	start := it.head
	it.skip()
	if it.failed || it.head < start {
		return
	}
	v, err := wire.JSON(it.buf[start:it.head])
	if err != nil || v.IsNull() {
		return
	}
	var f *failure
	switch t.shape {
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		f = schemaError(it.minor, false, t, v)
	case quantity, intOrString, timestamp, microTimestamp:
		f = ownError(t.shape, v)
	}
	if f != nil {
		it.report("unmarshalerDecoder", f.Error())
	}
}
