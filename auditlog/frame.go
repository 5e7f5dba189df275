package auditlog

import (
	"bytes"
	"io"
)

// A framer splits a stream into records. A record has one or a few events.
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
	// before this block; -1 if the reader counts the lines.
	lines int
}

type record struct {
	start, end int
	line       int // from 0
}

func (b *block) reset() {
	*b = block{data: b.data[:0], records: b.records[:0], bad: b.bad[:0], lines: -1}
}

// record adds a record.
func (b *block) record(data []byte, line int) {
	start := len(b.data)
	b.data = append(b.data, data...)
	b.records = append(b.records, record{start, len(b.data), line})
}

// Damage is a part of an input that could not be read as an event.
type Damage struct {
	// Line counts from 1, Column in bytes from 1; 0 where it is not known.
	Line, Column int
	// Text describes the error.
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
