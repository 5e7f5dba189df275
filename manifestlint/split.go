package manifestlint

import "bytes"

// document is one YAML document, or one JSON value in a stream of them, as
// bytes of its input.
type document struct {
	data  []byte
	line  int // of the block, from 1, on which data begins
	index int // in the block, from 0
}

// splitter cuts a text into YAML documents at their markers. A marker is a
// line that begins with "---" or "..." and is not longer or goes on with white
// space; in a valid document no such line can be anything else (YAML 1.2,
// rule c-forbidden), so the cut needs no parser. A document's data begins
// with its marker line.
type splitter struct {
	data  []byte
	pos   int
	line  int
	index int
}

func newSplitter(data []byte) *splitter { return &splitter{data: data, line: 1} }

// next gives the next document. Comments, blank lines and directives before a
// marker belong to the document that the marker begins, and are none on their
// own.
func (s *splitter) next() (document, bool) {
	if s.pos >= len(s.data) {
		return document{}, false
	}
	start := s.pos
	explicit := markerAt(s.data[start:], '-')
	end := s.documentEnd()
	if !explicit {
		for !hasContent(s.data[start:end]) {
			if s.pos = end; end == len(s.data) {
				s.line += bytes.Count(s.data[start:], []byte{'\n'})
				return document{}, false
			}
			explicit = markerAt(s.data[end:], '-')
			end = s.documentEnd()
			if explicit {
				break
			}
		}
	}
	d := document{data: s.data[start:end], line: s.line, index: s.index}
	s.line += bytes.Count(d.data, []byte{'\n'})
	s.pos = end
	s.index++
	return d, true
}

// rest is the text that is not cut yet.
func (s *splitter) rest() []byte { return s.data[s.pos:] }

// take gives a document that is known to end after so many bytes and lines.
func (s *splitter) take(end, lines int) document {
	d := document{data: s.data[s.pos : s.pos+end], line: s.line, index: s.index}
	s.pos += end
	s.line += lines
	s.index++
	return d
}

// documentEnd finds where the document at s.pos ends: before the next "---",
// or after the next "..." line.
func (s *splitter) documentEnd() int {
	from := s.pos
	if markerAt(s.data[from:], '.') {
		return lineEnd(s.data, from)
	}
	end := nextMarker(s.data, from, '-')
	if end < 0 {
		end = len(s.data)
	}
	if dots := nextMarker(s.data[:end], from, '.'); dots >= 0 {
		return lineEnd(s.data, dots)
	}
	return end
}

// nextMarker finds the first line after from's that is a marker of dashes or
// dots, and gives its offset, or -1.
func nextMarker(data []byte, from int, c byte) int {
	needle := [3]byte{c, c, c} // a rarer sight than a line break
	for start := from; ; {
		n := bytes.Index(data[from:], needle[:])
		if n < 0 {
			return -1
		}
		at := from + n
		if at > start && data[at-1] == '\n' && markerAt(data[at:], c) {
			return at
		}
		for from = at + 1; from < len(data) && data[from] == c; from++ {
			// A long rule of dashes is one look.
		}
	}
}

// markerAt reports whether a text begins with a marker line.
func markerAt(b []byte, c byte) bool {
	if len(b) < 3 || b[0] != c || b[1] != c || b[2] != c {
		return false
	}
	return len(b) == 3 || b[3] == ' ' || b[3] == '\t' || b[3] == '\n' || b[3] == '\r'
}

func lineEnd(data []byte, from int) int {
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(data)
}

// hasContent reports whether a text has anything but blank lines, comments,
// directives and an end marker.
func hasContent(b []byte) bool {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\n')
		line := b
		if n >= 0 {
			line, b = b[:n], b[n+1:]
		} else {
			b = nil
		}
		directive := len(line) > 0 && line[0] == '%'
		line = bytes.TrimLeft(line, " \t\r\ufeff")
		if len(line) == 0 || line[0] == '#' || directive || markerAt(line, '.') {
			continue
		}
		return true
	}
	return false
}
