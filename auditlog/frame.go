package auditlog

import (
	"bytes"
	"io"
)

// framer splits a stream into records. A record has one or a few events.
type framer interface {
	// next fills b with the next records. It returns io.EOF after the last
	// record, or the error of reading. In both cases, b has the records that
	// were read before.
	next(b *block) error
}

// block has some consecutive records of one input.
type block struct {
	data []byte
	// records are the positions of the records in data, if a framer found them. nil means that
	// every line is a record.
	records []record
	// escaped says how the lines are escaped, if records is nil.
	escaped escaping
	// off is the offset of data in the input, if records is nil.
	off int64
	// bad has the parts of the text that are not records.
	bad []Damage
	// lines is the number of line breaks that the framer skipped before this block; -1 if the
	// reader counts the lines.
	lines int
}

type record struct {
	start, end int
	line       int // number of the record's first line, from 0
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
	// Line and Column are the position, from 1; 0 if unknown. Column counts
	// bytes.
	Line, Column int
	// Text is a message.
	Text string
}

// maxRecord is the largest record that is read, in bytes. An API server limits
// objects to 3 MiB, and an event has at most two objects. Lists of objects have
// no limit.
const maxRecord = 256 << 20

// newFramer returns the framer for a stream, and the beginning of the stream.
// The framer depends on the beginning of the stream, and on the state of the
// piece. piece is nil for a stream that is not a piece of a growing log.
func newFramer(r io.Reader, piece *Piece) (framer, []byte, error) {
	w := &window{r: r}
	for len(w.bytes()) < blockSize/2 && w.more() {
	}
	if err := w.failure(); err != nil && len(w.bytes()) == 0 {
		return nil, nil, err
	}
	head := w.bytes()
	more := false
	if piece != nil {
		if r := &piece.Before; r.Columns != nil {
			return &tableFramer{w: w, comma: r.Comma, names: r.Columns}, head, nil
		} else if r.Values {
			return &valueFramer{w: w, open: []byte(r.Open), more: !piece.Last}, head, nil
		}
		more = !piece.Last
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		w.drop(3)
		head = w.bytes()
	}
	trimmed := beforeTable(head)
	if t := tableOf(trimmed, w.err != nil); t != nil {
		w.drop(len(head) - len(trimmed))
		return &tableFramer{w: w, line: bytes.Count(head[:len(head)-len(trimmed)], []byte{'\n'}), comma: t.comma}, head, nil
	}
	if part := partOf(trimmed); part != nil {
		return &partialFramer{lineSource: lineSource{w: w}, part: part}, head, nil
	}
	if isYAML(trimmed) {
		return &yamlFramer{lineSource: lineSource{w: w}, item: -1, list: true}, head, nil
	}
	if linesOf(trimmed, w.err != nil) {
		return &lineFramer{w: w, escaped: escapingOf(trimmed)}, head, nil
	}
	return &valueFramer{w: w, more: more}, head, nil
}

// beforeTable returns a text without the white space and the line that a table
// can have before its header.
func beforeTable(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	// Export-Csv in PowerShell writes a type before the table.
	if rest, ok := bytes.CutPrefix(text, []byte("#TYPE ")); ok {
		_, text, _ = bytes.Cut(rest, []byte{'\n'})
	}
	return text
}

// maxSniffed is the number of lines that are read to recognise a format,
// because other lines may be before the first record.
const maxSniffed = 20

// partOf returns the function that joins the parts of messages, if a text has
// lines of a container runtime. Otherwise it returns nil.
func partOf(b []byte) func(line, buf []byte) ([]byte, byte, bool, bool) {
	for n := 0; n < maxSniffed && len(b) > 0; n++ {
		line, rest, _ := bytes.Cut(b, []byte{'\n'})
		if _, _, _, ok := criPart(line, nil); ok {
			return criPart
		}
		if _, _, _, ok := dockerPart(line, nil); ok {
			return dockerPart
		}
		if _, _, _, ok := markedPart(line, nil); ok {
			return markedPart
		}
		b = rest
	}
	for _, mark := range [...]string{`"partial_message":"true"`, `"_LINE_BREAK":"line-max"`, `"split":{"`, `"logtag":"P"`} {
		if bytes.Contains(b, []byte(mark)) {
			return markedPart
		}
	}
	return nil
}

// linesOf reports whether each line of a text is one record. Otherwise the text
// is a stream of JSON values: a value can have several lines, share a line with
// other values, or contain many records. complete says whether b is the whole
// text.
func linesOf(b []byte, complete bool) bool {
	values := false
	for n := 0; n < maxSniffed && len(b) > 0; n++ {
		line, rest, more := bytes.Cut(b, []byte{'\n'})
		line = bytes.TrimRight(line, " \t\r")
		b = rest
		if len(line) == 0 || line[0] != '{' && line[0] != '[' || line[0] == '[' && !arrayLike(line) {
			continue
		}
		switch whole, container := oneObject(line); {
		case container, line[0] == '[', more && !whole && goesOn(line):
			return false
		case whole:
			return true
		case !more && complete && !several(line):
			// The last line is incomplete.
		default:
			values = true
		}
	}
	return !values
}

// several reports whether a line begins with a JSON value and continues with
// other text.
func several(line []byte) bool {
	c := cursor{b: line}
	return c.skip() && c.i < len(c.b)
}

// goesOn reports whether a value that does not end on its line continues on the
// next line. This is so if the line ends with an opening brace or bracket, a
// colon or a comma. Otherwise the value was truncated.
func goesOn(line []byte) bool {
	return bytes.IndexByte([]byte("{[,:"), line[len(line)-1]) >= 0
}

// arrayLike reports whether a text begins with a JSON array. It returns false
// for texts such as "[0] tag: …" or "[2026/11/21 10:00:00] …".
func arrayLike(b []byte) bool {
	c := cursor{b: b}
	if !c.skip() {
		return c.i >= len(b)
	}
	c.space()
	return c.i >= len(b) || bytes.IndexByte([]byte(",[{"), b[c.i]) >= 0
}

// oneObject reports whether a line is one JSON value (whole), and whether the
// value is an object with many records (container).
func oneObject(line []byte) (whole, container bool) {
	c := cursor{b: line}
	if !c.skip() {
		// The line may be the beginning of a long container.
		return false, line[0] == '{' && lists(&cursor{b: line}, 0)
	}
	c.space()
	whole = c.i == len(line)
	return whole, whole && line[0] == '{' && lists(&cursor{b: line}, 0)
}

// maxLists is the largest number of objects around an array of records.
const maxLists = 3

// lists reports whether an object contains an array of records. The array must
// be under a key in containers, or in an object under such a key.
func lists(c *cursor, depth int) bool {
	found := false
	c.object(func(key Text) bool {
		switch k := string(key.raw); {
		case k == "auditID" || k == "protoPayload":
			return false
		case !containers[k]:
			return c.skip()
		}
		switch c.peek() {
		case '[':
			in := cursor{b: c.b, i: c.i + 1}
			in.space()
			found = bytes.IndexByte([]byte(`{["`), in.peek()) >= 0 && in.i < len(in.b)
		case '{':
			in := *c
			found = depth < maxLists && lists(&in, depth+1)
		}
		return !found && c.skip()
	})
	return found
}

// containers are the keys under which some formats have many records.
var containers = map[string]bool{
	"items":            true, // EventList
	"events":           true, // EKS, filter-log-events
	"logEvents":        true, // CloudWatch subscriptions
	"records":          true, // Azure Event Hub
	"results":          true, // EKS, get-query-results
	"data":             true, // Loki API: data.result[].values[]
	"result":           true,
	"hits":             true, // Elasticsearch: hits.hits[]
	"value":            true, // Azure REST APIs
	"entries":          true, // Cloud Logging API, entries.list
	"receivedMessages": true, // Pub/Sub, pull
}
