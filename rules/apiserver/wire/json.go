package wire

import (
	"fmt"
	"iter"
	"unsafe"
)

// MaxDepth is how deeply maps and lists may nest, as in encoding/json.
const MaxDepth = 10000

// maxValues bounds the values of one document, so that a small file of a
// million zeros cannot ask for gigabytes. The largest real manifests, lists of
// a whole cluster's objects, stay far below.
const maxValues = 1 << 22

// SyntaxError says where a JSON text stops being one.
type SyntaxError struct {
	// Msg is what is wrong, in the words of encoding/json where it has some.
	Msg string
	// Offset is the byte at which the text is wrong; the length of the text
	// where it ends too early.
	Offset int
	// Pos is the same place.
	Pos Pos
}

// Error gives "line 3, column 7: invalid character '}' looking for …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Column, e.Msg)
}

// Document is one value of a stream of JSON values.
type Document struct {
	// Value is nil where the document is no JSON.
	Value *Value
	// Start and End are its bytes in the stream, without white space around
	// it. Where it is no JSON, End is the end of the stream: nothing after
	// the mistake can be told apart.
	Start, End int
	// Duplicates are what JSONAll tells.
	Duplicates []Duplicate
}

// JSON parses exactly one JSON value, with nothing but white space around it.
// Of a map's fields of one name the last counts, as for kubectl and for the
// API server. The error is a *SyntaxError.
//
// A byte order mark is not white space, as in encoding/json; callers cut it.
// Bytes that are no UTF-8 become U+FFFD, and count as one column each.
func JSON(data []byte) (*Value, error) { return JSONAll(data, nil) }

// JSONAll is JSON and calls dup, if not nil, for each field that repeats the
// name of an earlier one in its map, in the order of the repetitions. It stops
// telling after ten thousand, and cuts paths of more than a kilobyte.
func JSONAll(data []byte, dup func(Duplicate)) (*Value, error) {
	p := parser{data: data, line: 1, dup: dup}
	v, err := p.document()
	if err != nil {
		return nil, err
	}
	if p.space(); p.off < len(p.data) {
		return nil, p.unexpected("after top-level value")
	}
	return v, nil
}

// JSONRepeated is JSON, but for that maps keep all fields of a name, and not
// only the last: what a decoder sees that reads from the start. Such a Value is
// not what the others of this package are: Get finds the first.
func JSONRepeated(data []byte) (*Value, error) {
	p := parser{data: data, line: 1, all: true}
	v, err := p.document()
	if err != nil {
		return nil, err
	}
	if p.space(); p.off < len(p.data) {
		return nil, p.unexpected("after top-level value")
	}
	return v, nil
}

// JSONStream yields the JSON values that follow one another in data, with or
// without white space between them, as kubectl reads a file of them. An empty
// stream has none. The first mistake is yielded as a *SyntaxError beside a
// Document that says where it began, and ends the stream. Values and errors
// have positions in data as a whole, whose first line is firstLine.
func JSONStream(data []byte, firstLine int) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		s := NewStream(nil, data, Pos{Line: firstLine, Column: 1}, false)
		for s.More() {
			d, err := s.Next()
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// Room gives memory for the parts of trees, all of it zero. How long they last is
// for who made it to say.
type Room interface {
	Value() *Value
	Fields(n int) []Field
	Items(n int) []*Value
}

// Stream reads the values that JSONStream yields one by one, or passes over them.
type Stream struct{ p parser }

// NewStream makes a Stream of data, which begins at a place. The trees are in a
// room; nil stands for memory of their own. Where lasting is set, which says that
// nobody writes to data, ever, strings are pieces of it.
func NewStream(room Room, data []byte, at Pos, lasting bool) *Stream {
	before := at.Column - 1
	s := &Stream{parser{data: data, line: at.Line, before: before, wide: -before, room: room}}
	if lasting && len(data) > 0 {
		s.p.text = unsafe.String(&data[0], len(data))
	}
	return s
}

// Leave names fields, at any depth, of which no value is made: they are null. It is
// for values that were read before, since what is left out is not looked at.
func (s *Stream) Leave(names ...string) { s.p.leave = names }

// More reports whether there is another value, or what should be one.
func (s *Stream) More() bool {
	s.p.space()
	return s.p.off < len(s.p.data)
}

// At tells where the next byte stands: after More has reported that there is one,
// the first of the next value.
func (s *Stream) At() (offset int, at Pos) { return s.p.off, s.p.here() }

// Next gives the next value. After a mistake, which is a *SyntaxError, there is
// none.
func (s *Stream) Next() (Document, error) {
	s.p.space()
	d := Document{Start: s.p.off}
	s.p.dup = func(again Duplicate) { d.Duplicates = append(d.Duplicates, again) }
	v, err := s.p.document()
	if err != nil {
		d.End = len(s.p.data)
		return d, err
	}
	d.Value, d.End = v, s.p.off
	return d, nil
}

// Pass goes on to an offset between two values.
func (s *Stream) Pass(offset int) { s.p.pass(offset) }
