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

// SyntaxError is an error in a JSON text, with its position.
type SyntaxError struct {
	// Msg describes the error, with the text of encoding/json if it has one.
	Msg string
	// Offset is the byte offset of the error; the length of the text if it
	// ends too early.
	Offset int
	// Pos is the position of Offset.
	Pos Pos
}

// Error returns "line 3, column 7: invalid character '}' looking for …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Column, e.Msg)
}

// Document is one value of a stream of JSON values.
type Document struct {
	// Value is nil if the document is not JSON.
	Value *Value
	// Start and End are its bytes in the stream, without white space around
	// it. If it is not JSON, End is the end of the stream: what follows the
	// mistake cannot be split.
	Start, End int
	// Duplicates are the repeated fields, as JSONAll reports them.
	Duplicates []Duplicate
}

// JSON parses a text of one JSON value and white space.
// If a map repeats a name, the last field counts, as for kubectl and for the
// API server. The error is a *SyntaxError.
//
// A byte order mark is not white space, as in encoding/json; callers remove
// it. Invalid UTF-8 becomes U+FFFD; each such byte counts as one column.
func JSON(data []byte) (*Value, error) { return JSONAll(data, nil) }

// JSONAll is JSON and calls dup, if not nil, for each field that repeats the
// name of an earlier one in its map, in the order of the repetitions. It
// reports at most ten thousand, and shortens paths of more than a kilobyte.
func JSONAll(data []byte, dup func(Duplicate)) (*Value, error) {
	p := newParser(data, 1)
	p.dup = dup
	return p.only()
}

// JSONRepeated is JSON, except that maps keep all fields of a name, not only
// the last. A decoder that reads from the start sees them all. Get returns the
// first.
func JSONRepeated(data []byte) (*Value, error) {
	p := newParser(data, 1)
	p.all = true
	return p.only()
}

// JSONStream yields the JSON values that follow one another in data, with or
// without white space between them, as kubectl reads a file of them. An empty
// stream has none. The first mistake is yielded as a *SyntaxError together
// with a Document whose Start is its beginning, and it ends the stream. Values
// and errors have positions in data, whose first line is firstLine.
func JSONStream(data []byte, firstLine int) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		p := newParser(data, firstLine)
		for p.space(); p.off < len(p.data); p.space() {
			d, err := p.next()
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// next reads the next value of a stream.
func (p *parser) next() (Document, error) {
	d := Document{Start: p.off}
	p.dup = func(again Duplicate) { d.Duplicates = append(d.Duplicates, again) }
	v, err := p.document()
	if err != nil {
		d.End = len(p.data)
		return d, err
	}
	d.Value, d.End = v, p.off
	return d, nil
}

// only reads a text that is one value.
func (p *parser) only() (*Value, error) {
	v, err := p.document()
	if err != nil {
		return nil, err
	}
	if p.space(); p.off < len(p.data) {
		return nil, p.unexpected("after top-level value")
	}
	return v, nil
}
