package wire

import (
	"fmt"
	"iter"
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
	p := parser{data: data, line: 1, column: 1, dup: dup}
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
	p := parser{data: data, line: 1, column: 1, all: true}
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
	return JSONStreamIn(nil, data, firstLine)
}

// Room gives memory for the parts of trees, all of it zero. How long they last is
// for who made it to say.
type Room interface {
	Value() *Value
	Fields(n int) []Field
	Items(n int) []*Value
}

// JSONStreamIn is JSONStream, with the trees in a room; nil stands for memory of
// their own.
func JSONStreamIn(room Room, data []byte, firstLine int) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		p := parser{data: data, line: firstLine, column: 1, room: room}
		for {
			if p.space(); p.off >= len(p.data) {
				return
			}
			d := Document{Start: p.off}
			p.dup = func(again Duplicate) { d.Duplicates = append(d.Duplicates, again) }
			v, err := p.document()
			if err != nil {
				d.End = len(data)
				yield(d, err)
				return
			}
			d.Value, d.End = v, p.off
			if !yield(d, nil) {
				return
			}
		}
	}
}
