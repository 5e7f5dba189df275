package wire

import (
	"fmt"
	"iter"
)

// MaxDepth is the maximum nesting depth of maps and lists, the same as in
// encoding/json.
const MaxDepth = 10000

// maxValues is the maximum number of values in one document. It bounds memory: a
// file with many millions of zeros would need gigabytes. The largest real
// manifests, dumps of whole clusters, have far fewer values.
const maxValues = 1 << 22

// SyntaxError is an error in a JSON text, with its position.
type SyntaxError struct {
	// Msg is the text of the error. If encoding/json also reports the error, Msg
	// is its text.
	Msg string
	// Offset is the byte offset of the error. It is the length of the text if the
	// text ends too early.
	Offset int
	// Pos is the position of Offset.
	Pos Pos
}

// Error returns the position and Msg, such as "line 3, column 7: invalid
// character '}' looking for …".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Column, e.Msg)
}

// Document is one value of a stream of JSON values.
type Document struct {
	// Value is the parsed value, or nil if the document is not JSON.
	Value *Value
	// Start and End are the offsets of the document in the stream, without white
	// space around it. If it is not JSON, End is the end of the stream, because
	// the rest cannot be split into documents.
	Start, End int
	// Duplicates are the repeated fields, as JSONAll reports them.
	Duplicates []Duplicate
}

// JSON parses a text that consists of one JSON value and white space. If a map
// repeats a name, the last field is used, as in kubectl and in the API server.
// The error is a *SyntaxError.
//
// As in encoding/json, a byte order mark is an error, so callers must remove it.
// Invalid UTF-8 becomes U+FFFD, and each invalid byte counts as one column.
func JSON(data []byte) (*Value, error) { return JSONAll(data, nil) }

// JSONAll parses a text like JSON. If dup is not nil, JSONAll calls dup for each
// field that repeats an earlier name of its map. The calls are in source order,
// and at most ten thousand. Paths of more than a kilobyte are shortened.
func JSONAll(data []byte, dup func(Duplicate)) (*Value, error) {
	p := newParser(data, 1)
	p.dup = dup
	return p.single()
}

// JSONRepeated parses a text like JSON, but keeps all fields of a repeated name,
// as the server's decoder does. Get returns the first.
func JSONRepeated(data []byte) (*Value, error) {
	p := newParser(data, 1)
	p.keepRepeated = true
	return p.single()
}

// JSONStream yields the JSON values in data, which follow each other with or
// without white space, as in files that kubectl reads. An empty stream yields
// nothing. The first syntax error ends the stream. It is yielded as a
// *SyntaxError, with a Document that begins at the wrong value. firstLine is the
// line number of data's first byte.
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

// next parses the next value of a stream.
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

// single parses a text that consists of one value.
func (p *parser) single() (*Value, error) {
	v, err := p.document()
	if err != nil {
		return nil, err
	}
	if p.space(); p.off < len(p.data) {
		return nil, p.unexpected("after top-level value")
	}
	return v, nil
}
