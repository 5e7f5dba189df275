package auditlog

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// valueFramer reads a stream of JSON values, with or without separators. A
// record is an element of an array in a value, or the value itself if it has no
// array of records. After text that is not JSON, it continues at the next line
// that begins with a brace.
type valueFramer struct {
	w    *window
	line int
	// open has one byte for each open container: an object, or an array whose
	// elements are records.
	open []byte // '{' or '['
	// more is set for a piece of a growing log, whose values can continue in
	// the next piece.
	more bool
	// reread is the number of bytes that were read a second time after values
	// without an end.
	reread int
}

// maxOpenValues is the largest number of open containers around a record.
const maxOpenValues = 16

// maxReread is the largest number of bytes that are read a second time.
const maxReread = 1 << 30

// salvage handles a value that the end of the stream truncated. It goes to the
// next line that begins with a value, and returns false if there is none.
func (f *valueFramer) salvage() bool {
	f.reread += len(f.w.bytes())
	if len(f.w.bytes()) == 0 || f.reread > maxReread {
		return false
	}
	f.resync()
	return len(f.w.bytes()) > 0
}

var errNoJSON = errors.New("no JSON")

func (f *valueFramer) next(b *block) error {
	b.reset()
	b.lines = f.line
	for len(b.data) < blockSize {
		switch err := f.step(b); {
		case err == nil:
		case errors.Is(err, errNoJSON):
			b.bad = append(b.bad, Damage{Line: f.line + 1, Column: 0, Text: "not JSON"})
			f.resync()
		default:
			if len(f.open) > 0 && !f.more || len(bytes.TrimSpace(f.w.bytes())) > 0 {
				b.bad = append(b.bad, Damage{Line: f.line + 1, Text: "the text ends in the middle of a value"})
			}
			if f.salvage() {
				continue
			}
			if failure := f.w.failure(); failure != nil {
				return failure
			}
			return io.EOF
		}
	}
	return nil
}

// drop skips n bytes and counts their lines.
func (f *valueFramer) drop(n int) {
	f.line += bytes.Count(f.w.bytes()[:n], []byte{'\n'})
	f.w.drop(n)
}

// peek returns the next byte that is not white space. It returns io.EOF at the
// end.
func (f *valueFramer) peek() (byte, error) {
	for {
		data := f.w.bytes()
		for i, c := range data {
			switch c {
			case ' ', '\t', '\r', '\n':
				continue
			}
			f.drop(i)
			return c, nil
		}
		f.drop(len(data))
		if !f.w.more() {
			return 0, io.EOF
		}
	}
}

// value reads one value into memory and returns its bytes. They are valid until the next read.
func (f *valueFramer) value() ([]byte, error) {
	end, state := 0, valueState{}
	for {
		data := f.w.bytes()
		n, done := state.scan(data[end:])
		end += n
		if done && end == 0 {
			return nil, errNoJSON // a closing bracket without an opening one
		}
		if done {
			return data[:end], nil
		}
		if len(data) > maxRecord {
			return nil, errNoJSON
		}
		if !f.w.more() {
			if state.atom && f.w.failure() == nil {
				return f.w.bytes(), nil
			}
			return nil, io.EOF
		}
	}
}

// step opens or closes one container, or reads one record.
func (f *valueFramer) step(b *block) error {
	c, err := f.peek()
	if err != nil {
		return err
	}
	if len(f.open) == 0 {
		if c == ',' {
			f.drop(1) // the brackets around the values are missing
			return nil
		}
		if c != '{' && c != '[' && c != '"' {
			return f.text(b)
		}
		return f.element(b, c)
	}
	in := f.open[len(f.open)-1]
	switch {
	case c == ',':
		f.drop(1)
		return nil
	case c == '}' && in == '{' || c == ']' && in == '[':
		f.drop(1)
		f.open = f.open[:len(f.open)-1]
		return nil
	case in == '[':
		return f.element(b, c)
	case c != '"':
		return errNoJSON
	}
	key, err := f.value()
	if err != nil {
		return err
	}
	container := containers[string(bytes.Trim(key, `"`))]
	f.drop(len(key))
	if c, err = f.peek(); err != nil {
		return err
	} else if c != ':' {
		return errNoJSON
	}
	f.drop(1)
	if c, err = f.peek(); err != nil {
		return err
	}
	if container && (c == '[' && f.records(`{["`) || c == '{' && f.container()) {
		f.push(c)
		return nil
	}
	line := f.line
	v, err := f.value()
	if err == nil {
		if mentions(v) {
			b.record(v, line) // a value beside the array of records
		}
		f.drop(len(v))
	}
	return err
}

// text reads the rest of a line that is not JSON as a record.
func (f *valueFramer) text(b *block) error {
	for {
		data := f.w.bytes()
		n := bytes.IndexByte(data, '\n')
		if n < 0 && len(data) <= maxRecord && f.w.more() {
			continue
		}
		if n < 0 {
			n = len(data)
		}
		b.record(data[:n], f.line)
		f.drop(n)
		return nil
	}
}

// records reports whether the first element of the next array begins with one
// of these bytes.
func (f *valueFramer) records(first string) bool {
	for {
		c := cursor{b: f.w.bytes(), i: 1}
		c.space()
		if c.i < len(c.b) || !f.w.more() {
			return c.i < len(c.b) && strings.IndexByte(first, c.b[c.i]) >= 0
		}
	}
}

func (f *valueFramer) push(c byte) {
	f.drop(1)
	f.open = append(f.open, c)
}

// element reads an element as a record. If the element is a container, it opens
// the container.
func (f *valueFramer) element(b *block, c byte) error {
	if len(f.open) > maxOpenValues {
		return errNoJSON
	}
	switch c {
	case '[':
		if len(f.open) == 0 && f.records(`{[`) {
			f.push(c)
			return nil
		}
		// A row of a query's result is a record. A pair of a tag and an event
		// is also a record.
	case '{':
		if f.container() {
			f.push(c)
			return nil
		}
	case '"':
	default:
		v, err := f.value()
		if err == nil {
			f.drop(len(v)) // a number beside records
		}
		return err
	}
	line := f.line
	v, err := f.value()
	if err != nil {
		return err
	}
	b.record(v, line)
	f.drop(len(v))
	return nil
}

// container reports whether the next object contains an array of records. It
// checks only the keys at the beginning of the object.
func (f *valueFramer) container() bool {
	for {
		c := cursor{b: f.w.bytes()}
		if lists(&c, 0) {
			return true
		}
		if c.i < len(c.b) || len(c.b) > blockSize || !f.w.more() {
			return false
		}
	}
}

// resync goes to the next line that begins with a brace or bracket.
func (f *valueFramer) resync() {
	f.open = f.open[:0]
	for {
		data := f.w.bytes()
		n := bytes.IndexByte(data, '\n')
		if n < 0 {
			f.drop(len(data))
			if !f.w.more() {
				return
			}
			continue
		}
		if n+1 == len(data) {
			f.w.more()
			data = f.w.bytes()
		}
		f.drop(n + 1)
		if n+1 < len(data) && (data[n+1] == '{' || data[n+1] == '[') {
			return
		}
	}
}
