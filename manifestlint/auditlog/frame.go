package auditlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A framer cuts a stream into records: what a log holds one event in, or a few.
type framer interface {
	// next fills b with the next records. It returns io.EOF behind the last
	// ones, and any other error where reading failed; b is filled in both
	// cases.
	next(b *block) error
}

// block is some consecutive records of one input.
type block struct {
	data []byte
	// records are the places of the records in data, if a framer found them;
	// nil where every line is one.
	records []record
	// off is where data begins in the input, if records is nil.
	off int64
	// bad are the stretches that are no record.
	bad []Damage
	// lines is how many line breaks a framer that counts them left behind
	// before this block; -1 where the lines are counted by who reads them.
	lines int
}

type record struct {
	start, end int
	line       int // from 0
}

func (b *block) reset() {
	*b = block{data: b.data[:0], records: b.records[:0], bad: b.bad[:0], lines: -1}
}

// Damage is a part of an input that could not be read as an event.
type Damage struct {
	// Line counts from 1, Column in bytes from 1; 0 where it is not known.
	Line, Column int
	// Text says what is wrong.
	Text string
}

// maxRecord is the longest record that is read. An API server's own limit for
// objects is 3 MiB, and an event holds two of them at most; lists are not
// bounded.
const maxRecord = 256 << 20

// newFramer looks at the beginning of a stream and returns the framer that
// cuts it.
func newFramer(r io.Reader) (framer, error) {
	w := &window{r: r}
	for len(w.bytes()) < blockSize/2 && w.more() {
	}
	if err := w.failure(); err != nil && len(w.bytes()) == 0 {
		return nil, err
	}
	head := w.bytes()
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		w.drop(3)
		head = w.bytes()
	}
	switch trimmed := bytes.TrimLeft(head, " \t\r\n"); {
	case len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[':
		if criLine(trimmed) {
			return &partialFramer{w: w, part: criPart}, nil
		}
		return &lineFramer{w: w}, nil
	case dockerLine(trimmed):
		return &partialFramer{w: w, part: dockerPart}, nil
	case oneValuePerLine(trimmed):
		return &lineFramer{w: w}, nil
	}
	return &valueFramer{w: w}, nil
}

// oneValuePerLine reports whether the first line is one object that is no
// container of others.
func oneValuePerLine(b []byte) bool {
	n := bytes.IndexByte(b, '\n')
	if b[0] != '{' {
		return false
	}
	if n < 0 {
		// One long line, or the last: an event in the server's order needs no
		// look at its end.
		return bytes.HasPrefix(b, []byte(serverHead))
	}
	c := cursor{b: b[:n]}
	container := false
	ok := c.object(func(key Text) bool {
		if containers[string(key.raw)] && (c.peek() == '[' || c.peek() == '{') {
			container = true
		}
		return c.skip()
	})
	c.space()
	return ok && c.i == n && !container
}

// containers are the keys under which shapes of logs hold many records.
var containers = map[string]bool{
	"items":     true, // EventList
	"events":    true, // EKS, filter-log-events
	"logEvents": true, // CloudWatch subscriptions
	"records":   true, // Azure Event Hub
	"results":   true, // EKS, get-query-results
	"data":      true, // Loki API: data.result[].values[]
	"result":    true,
	"hits":      true, // Elasticsearch: hits.hits[]
	"value":     true, // Azure REST APIs
	"entries":   true, // Cloud Logging API, entries.list
}

// lineFramer cuts at line breaks only. It reads into the blocks themselves, so
// that only the line at the end of a block is copied.
type lineFramer struct {
	w     *window
	carry []byte // the beginning of the next line
	off   int64  // of carry in the stream
	begun bool
	skip  bool // the rest of a line that is too long
}

func (f *lineFramer) next(b *block) error {
	b.reset()
	b.records = nil
	if !f.begun {
		// What was looked at to recognise the shape.
		f.begun = true
		f.off = f.w.off
		f.carry = append(f.carry, f.w.bytes()...)
	}
	b.off = f.off
	data := append(b.data, f.carry...)
	f.carry = f.carry[:0]
	tried := 0 // up to where data has no line break
	for {
		if f.skip {
			n := bytes.IndexByte(data, '\n')
			if n >= 0 {
				f.skip = false
				n++
			} else {
				n = len(data)
			}
			b.off += int64(n)
			data = append(data[:0], data[n:]...)
			tried = 0
		}
		if len(data) >= blockSize || f.w.err != nil {
			end := len(data)
			if f.w.err == nil {
				end = tried + bytes.LastIndexByte(data[tried:], '\n') + 1
				if end == tried {
					end = 0
				}
			}
			if end > 0 || f.w.err != nil {
				b.data = data[:end]
				f.carry = append(f.carry, data[end:]...)
				f.off = b.off + int64(end)
				if err := f.w.failure(); err != nil {
					return err
				}
				if f.w.err != nil {
					return io.EOF
				}
				return nil
			}
			tried = len(data)
			if len(data) > maxRecord {
				b.data, f.skip = data[:0], true
				b.bad = append(b.bad, Damage{Text: fmt.Sprintf("a line of more than %d MiB is left out", maxRecord>>20)})
				f.off = b.off + int64(len(data))
				return nil
			}
		}
		if cap(data)-len(data) < blockSize/4 {
			data = slices.Grow(data, max(blockSize+blockSize/4-len(data), len(data)))
		}
		n, err := io.ReadAtLeast(f.w.r, data[len(data):cap(data)], 1)
		data, f.w.err = data[:len(data)+n], err
	}
}

// partialFramer joins lines whose writer cut them: container runtimes do so
// after 16 KiB.
type partialFramer struct {
	w    *window
	line int
	// part gives the message within a line, and whether it goes on in the next
	// line of the same stream. A line that is no such message is a record as it
	// is.
	part func(line, buf []byte) (text []byte, stream byte, more, ok bool)
	open [2][]byte // what has been joined, by stream
	from [2]int    // its first line
	buf  []byte
}

func (f *partialFramer) next(b *block) error {
	b.reset()
	b.lines = f.line
	for len(b.data) < blockSize {
		data := f.w.bytes()
		n := bytes.IndexByte(data, '\n')
		if n < 0 {
			if len(data) > maxRecord {
				f.w.drop(len(data))
				b.bad = append(b.bad, Damage{Line: f.line + 1, Text: fmt.Sprintf("a line of more than %d MiB is left out", maxRecord>>20)})
				continue
			}
			if f.w.more() {
				continue
			}
			if len(data) > 0 {
				f.take(b, data)
				f.w.drop(len(data))
			}
			f.rest(b)
			if err := f.w.failure(); err != nil {
				return err
			}
			return io.EOF
		}
		f.take(b, data[:n])
		f.w.drop(n + 1)
		f.line++
	}
	return nil
}

func (f *partialFramer) take(b *block, line []byte) {
	text, stream, more, ok := f.part(line, f.buf[:0])
	if !ok {
		b.record(line, f.line)
		return
	}
	f.buf = text[:0]
	open := &f.open[stream]
	if len(*open) == 0 {
		f.from[stream] = f.line
	}
	if more || len(*open) > 0 {
		if len(*open)+len(text) > maxRecord {
			b.bad = append(b.bad, Damage{Line: f.from[stream] + 1, Text: fmt.Sprintf("a message of more than %d MiB is left out", maxRecord>>20)})
			*open = (*open)[:0]
			return
		}
		*open = append(*open, text...)
		if more {
			return
		}
		text = *open
	}
	b.record(text, f.from[stream])
	*open = (*open)[:0]
}

// rest hands out what was begun and never ended.
func (f *partialFramer) rest(b *block) {
	for i := range f.open {
		if len(f.open[i]) > 0 {
			b.record(f.open[i], f.from[i])
			f.open[i] = nil
		}
	}
}

func (b *block) record(data []byte, line int) {
	start := len(b.data)
	b.data = append(b.data, data...)
	b.records = append(b.records, record{start, len(b.data), line})
}

// criLine reports whether a text begins with a line of the Container Runtime
// Interface's log format: time, stream, P or F, message.
func criLine(b []byte) bool {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		n = len(b)
	}
	_, _, _, ok := criPart(b[:n], nil)
	return ok
}

// criPart is partialFramer.part for the Container Runtime Interface
// (kubernetes/kubernetes, pkg/kubelet/kuberuntime/logs).
func criPart(line, _ []byte) (text []byte, stream byte, more, ok bool) {
	stamp, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok || len(stamp) < 20 || stamp[4] != '-' || stamp[10] != 'T' {
		return nil, 0, false, false
	}
	name, rest, ok := bytes.Cut(rest, []byte{' '})
	if !ok || string(name) != "stdout" && string(name) != "stderr" {
		return nil, 0, false, false
	}
	tags, text, ok := bytes.Cut(rest, []byte{' '})
	if !ok || len(tags) == 0 || tags[0] != 'P' && tags[0] != 'F' || len(tags) > 1 && tags[1] != ':' {
		return nil, 0, false, false
	}
	if name[3] == 'e' {
		stream = 1
	}
	return bytes.TrimSuffix(text, []byte{'\r'}), stream, tags[0] == 'P', true
}

// dockerLine reports whether a text begins with a line of Docker's json-file
// log driver.
func dockerLine(b []byte) bool {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		n = len(b)
	}
	_, _, _, ok := dockerPart(b[:n], nil)
	return ok
}

// dockerPart is partialFramer.part for Docker's json-file driver: a message
// that does not end in a line break goes on.
func dockerPart(line, buf []byte) (text []byte, stream byte, more, ok bool) {
	c := cursor{b: line}
	var log, name Text
	known := true
	ok = c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "log":
			log, ok = c.text()
		case "stream":
			name, ok = c.text()
		case "time", "attrs":
			ok = c.skip()
		default:
			known, ok = false, true
			ok = c.skip()
		}
		return ok
	})
	if !ok || !known || log.IsZero() || !name.Is("stdout") && !name.Is("stderr") {
		return nil, 0, false, false
	}
	if name.Is("stderr") {
		stream = 1
	}
	text = log.AppendTo(buf)
	more = !bytes.HasSuffix(text, []byte{'\n'})
	return bytes.TrimRight(text, "\r\n"), stream, more, true
}

// valueFramer cuts a stream of JSON values, with or without anything between
// them, into the elements of the arrays that they consist of: a record is an
// element, or a whole value that holds no such array. What is no JSON is
// skipped to the next line that begins with a brace.
type valueFramer struct {
	w    *window
	line int
	// depth counts the containers that are open: objects and arrays whose
	// elements are records.
	open []byte // '{' or '['
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
			if failure := f.w.failure(); failure != nil {
				return failure
			}
			if len(f.open) > 0 || len(bytes.TrimSpace(f.w.bytes())) > 0 {
				b.bad = append(b.bad, Damage{Line: f.line + 1, Text: "the text ends in the middle of a value"})
			}
			return io.EOF
		}
	}
	return nil
}

// drop steps over n bytes and counts their lines.
func (f *valueFramer) drop(n int) {
	f.line += bytes.Count(f.w.bytes()[:n], []byte{'\n'})
	f.w.drop(n)
}

// peek gives the next byte that is no space, and io.EOF at the end.
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

// value reads one whole value into memory and gives its bytes, which are valid
// until something more is read.
func (f *valueFramer) value() ([]byte, error) {
	end, state := 0, valueState{}
	for {
		data := f.w.bytes()
		n, done := state.scan(data[end:])
		end += n
		if done && end == 0 {
			return nil, errNoJSON // a bracket that closes nothing
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

// step does one thing: opens or closes a container, or takes a record.
func (f *valueFramer) step(b *block) error {
	c, err := f.peek()
	if err != nil {
		return err
	}
	if len(f.open) == 0 {
		if c == ',' {
			f.drop(1) // values in a list whose brackets were cut off
			return nil
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
	if container && (c == '[' || c == '{') {
		f.push(c)
		return nil
	}
	v, err := f.value()
	if err == nil {
		f.drop(len(v))
	}
	return err
}

func (f *valueFramer) push(c byte) {
	f.drop(1)
	f.open = append(f.open, c)
}

// element takes a record, or opens it if it is a container.
func (f *valueFramer) element(b *block, c byte) error {
	if len(f.open) > 16 {
		return errNoJSON
	}
	switch c {
	case '[':
		if len(f.open) == 0 {
			f.push(c)
			return nil
		}
		// A row of a result is a record.
	case '{':
		if f.container() {
			f.push(c)
			return nil
		}
	case '"':
	default:
		if len(f.open) == 0 {
			return errNoJSON
		}
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

// container reports whether the object that comes next holds an array of
// records, by the keys at its beginning.
func (f *valueFramer) container() bool {
	for {
		c := cursor{b: f.w.bytes()}
		found := false
		c.object(func(key Text) bool {
			if string(key.raw) == "auditID" || string(key.raw) == "protoPayload" {
				return false
			}
			if containers[string(key.raw)] && (c.peek() == '[' || c.peek() == '{') {
				found = true
				return false
			}
			return c.skip()
		})
		if found {
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

// valueState finds the end of a JSON value whose beginning may be in memory
// already.
type valueState struct {
	depth  int
	string bool
	escape bool
	atom   bool
	begun  bool
}

// scan goes on at b and reports how far the value reaches and whether it ends
// there.
func (s *valueState) scan(b []byte) (n int, done bool) {
	for i := 0; i < len(b); i++ {
		if s.string {
			if s.escape {
				s.escape = false
				continue
			}
			if i += plainRun(b[i:]); i == len(b) {
				return i, false
			}
			switch b[i] {
			case '\\':
				s.escape = true
			case '"':
				s.string = false
				if s.depth == 0 {
					return i + 1, true
				}
			}
			continue
		}
		switch c := b[i]; c {
		case '"':
			s.string, s.begun = true, true
		case '{', '[':
			if s.atom {
				return i, true
			}
			s.depth++
			s.begun = true
		case '}', ']':
			if s.depth == 0 {
				return i, true
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if s.depth == 0 && s.begun {
				return i, true
			}
		default:
			if s.depth == 0 {
				s.atom, s.begun = true, true
			}
		}
	}
	return len(b), false
}
