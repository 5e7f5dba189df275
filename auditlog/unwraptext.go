package auditlog

import (
	"bytes"
	"encoding/base64"
	"io"

	"github.com/klauspost/compress/gzip"
)

// maxPrefix is the maximum length of the time and the words before an event in the legacy format.
const maxPrefix = 512

// maxTries is the maximum number of positions between two events on a line that are tried as the
// beginning of JSON.
const maxTries = 64

// text reads a text that does not begin like JSON. It can be an event after a
// time, a node's name, labels, a syslog header or NUL bytes. It can also be the
// server's legacy format.
func (d *decoder) text(b, whole []byte, depth int) {
	if d.legacy(b) || depth < maxWraps && d.encoded(b, depth) {
		return
	}
	if d.events == 0 {
		d.kind = ForeignText
	}
	for tries, before := 0, d.events; tries < maxTries; tries++ {
		at, kind := jsonIn(b)
		if at < 0 {
			return
		}
		if d.events > before {
			tries, before = 0, d.events
		}
		quoted := at > 0 && b[at-1] == '\''
		b = b[at:]
		c := cursor{b: b}
		switch whole := whole; kind {
		case plainJSON:
			if !c.skip() {
				// The text may not be JSON. Another event can follow on the
				// line.
				n := d.broken(b, whole, c.i, max(depth, 1))
				b = b[min(max(n, 1), len(b)):]
				continue
			}
			d.object(d.single(b[:c.i:c.i], quoted), nil, depth)
		case escapedJSON:
			t, ok := c.str()
			if !ok {
				b = b[1:]
				continue
			}
			d.string(t, depth)
		case doubledJSON:
			cell, n := csvCell(b)
			d.any(cell, nil, depth+1)
			c.i = n
		}
		b = b[c.i:]
	}
}

// single replaces doubled single quotes by one if quoted is set: SQL doubles
// them in a string in single quotes.
func (d *decoder) single(b []byte, quoted bool) []byte {
	if !quoted || d.undone || !bytes.Contains(b, []byte("''")) {
		return b
	}
	return bytes.ReplaceAll(b, []byte("''"), []byte("'"))
}

// These are the notations of a JSON object within a text.
const (
	plainJSON   = iota // {"a":…
	escapedJSON        // "{\"a\":…
	doubledJSON        // "{""a"":…
)

// jsonIn returns the position and the notation of the first JSON object in a
// text; -1 if there is none. An object that begins like a server's event has
// precedence.
func jsonIn(b []byte) (at, kind int) {
	if at := bytes.Index(b, []byte(serverHead)); at >= 0 {
		return at, plainJSON
	}
	for at := 0; ; at++ {
		n := bytes.IndexByte(b[at:], '{')
		if n < 0 {
			return -1, 0
		}
		at += n
		next := bytes.TrimLeft(b[at+1:min(len(b), at+100)], " ")
		quoted := at > 0 && b[at-1] == '"'
		switch {
		case quoted && bytes.HasPrefix(next, []byte(`\"`)):
			return at - 1, escapedJSON
		case quoted && bytes.HasPrefix(next, []byte(`""`)):
			return at - 1, doubledJSON
		case len(next) > 0 && next[0] == '"':
			return at, plainJSON
		}
	}
}

// csvCell returns the text of the quoted CSV cell at the beginning of b, and
// the length of the cell.
func csvCell(b []byte) (cell []byte, n int) {
	for n = 1; n < len(b); n++ {
		if b[n] == '"' {
			if n+1 == len(b) || b[n+1] != '"' {
				return cell, n + 1
			}
			n++
		}
		cell = append(cell, b[n])
	}
	return cell, len(b)
}

// minEncoded is the smallest length of a text that is decoded as base64, in
// bytes.
const minEncoded = 64

// base64Like reports whether a text can be base64. It checks only the first
// characters.
func base64Like(b []byte) bool {
	if len(b) < minEncoded {
		return false
	}
	for _, c := range b[:minEncoded] {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '+', c == '/', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// encoded reads a text in base64, which may be compressed with gzip, as in Pub/Sub, Kinesis and
// Lambda. It returns false for any other text.
func (d *decoder) encoded(b []byte, depth int) bool {
	b = bytes.TrimRight(b, "=\r\n \t")
	if !base64Like(b) {
		return false
	}
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(b, "-_") {
		encoding = base64.RawURLEncoding
	}
	buf := &d.bufs[depth][1]
	var err error
	if *buf, err = encoding.AppendDecode((*buf)[:0], b); err != nil {
		return false
	}
	text := *buf
	if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return false
		}
		defer z.Close()
		if text, err = io.ReadAll(io.LimitReader(z, maxInflated+1)); err != nil || len(text) > maxInflated {
			d.fault(-1, "compressed text within JSON is damaged, or longer than 64 MiB")
			return true
		}
	}
	if len(text) == 0 || text[0] != '{' && text[0] != '[' && !mentions(text) {
		return false
	}
	d.any(text, nil, depth+1)
	return true
}

// maxInflated is the largest decompressed size, in bytes, of a compressed text
// in JSON.
const maxInflated = 64 << 20

// byteArray appends the bytes in an array of numbers. journalctl writes a text
// with control characters as such an array. n is the length of the array in b;
// 0 for other arrays.
func byteArray(b, dst []byte) (text []byte, n int) {
	c := cursor{b: b, i: 1}
	for {
		c.space()
		start, v := c.i, 0
		for c.i < len(b) && b[c.i] >= '0' && b[c.i] <= '9' && v < 256 {
			v = v*10 + int(b[c.i]-'0')
			c.i++
		}
		if c.i == start || v > 255 {
			return nil, 0
		}
		dst = append(dst, byte(v))
		c.space()
		if c.at(']') {
			break
		}
		if !c.at(',') {
			return nil, 0
		}
	}
	if len(dst) < minEncoded {
		return nil, 0
	}
	return dst, c.i
}
