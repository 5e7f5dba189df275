// Package document splits text into YAML documents, and streams into blocks of
// whole documents. It also decodes text to UTF-8 and recognises templates. It
// does not parse documents.
package document

import (
	"bytes"
	"slices"
)

// Document is one YAML document, or one value in a stream of JSON values.
type Document struct {
	// Data are the document's bytes, from its marker line on, if there is one.
	Data []byte
	// Line is the line in the text, from 1, on which Data begins.
	Line int
	// Index is the index of the document in the text, from 0.
	Index int
	// start is the offset of Data in the Splitter's text.
	start int
}

// Splitter splits text into YAML documents at their markers. A marker is a line
// that begins with "---" or "..." followed by white space or the end of the
// line. A valid document contains no other line like that (YAML 1.2, rule
// c-forbidden), so splitting needs no parser.
type Splitter struct {
	data  []byte
	pos   int
	line  int
	index int
	// rest is the text after the last document. restLine is the first line of
	// rest.
	rest     []byte
	restLine int
	// nextDashes is the offset of the first "---" after the previous document. It
	// is kept, so that each marker is searched for once.
	nextDashes int
	// statements are the control statements that TemplateEnd has not used yet, in
	// order; nil before its first call.
	statements []statement
}

// NewSplitter returns a Splitter for text. The documents are parts of text, or
// of a copy if normalizeStarts changes text.
func NewSplitter(text []byte) *Splitter { return &Splitter{data: normalizeStarts(text), line: 1} }

// Next returns the next document. Comments, blank lines and directives before a
// marker belong to the document after the marker.
func (s *Splitter) Next() (Document, bool) {
	if s.pos >= len(s.data) {
		return Document{}, false
	}
	start := s.pos
	explicit := isMarker(s.data[start:], '-')
	end := s.end(start)
	for !explicit && !hasContent(s.data[s.pos:end]) {
		if s.pos = end; end == len(s.data) {
			s.rest, s.restLine = s.data[start:], s.line
			s.line += bytes.Count(s.data[start:], []byte{'\n'})
			return Document{}, false
		}
		explicit = isMarker(s.data[end:], '-')
		end = s.end(end)
	}
	d := Document{Data: s.data[start:end], Line: s.line, Index: s.index, start: start}
	s.line += bytes.Count(d.Data, []byte{'\n'})
	s.pos = end
	s.index++
	return d, true
}

// Rest returns the comments and blank lines after the last document, and the
// line on which they begin. It is valid after Next has returned false.
func (s *Splitter) Rest() (text []byte, line int) { return s.rest, s.restLine }

// TemplateEnd returns the end of the last template control statement (such as
// if … end) that begins in d, or the end of d if that is later. A document that
// begins before this offset is a part of the template. TemplateEnd must be
// called for documents in their order.
func (s *Splitter) TemplateEnd(d Document) int {
	if s.statements == nil {
		s.statements = []statement{}
		for _, found := range statements(s.data[d.start:]) {
			s.statements = append(s.statements, statement{found.start + d.start, found.end + d.start})
		}
		slices.SortFunc(s.statements, func(a, b statement) int { return a.start - b.start })
	}
	reach := d.start + len(d.Data)
	end := reach
	for ; len(s.statements) > 0 && s.statements[0].start < end; s.statements = s.statements[1:] {
		reach = max(reach, s.statements[0].end)
	}
	return reach
}

// Before reports whether a document begins before an offset that TemplateEnd
// returned.
func (d Document) Before(end int) bool { return d.start < end }

// Done reports whether the last document ends at the end of the text.
func (s *Splitter) Done() bool { return s.pos == len(s.data) }

// end returns the end of the document that begins at from. It is before the
// next "---" line, or after the next "..." line.
func (s *Splitter) end(from int) int {
	if isMarker(s.data[from:], '.') {
		return LineEnd(s.data, from)
	}
	if s.nextDashes <= from {
		if s.nextDashes = nextMarker(s.data, from, '-'); s.nextDashes < 0 {
			s.nextDashes = len(s.data)
		}
	}
	if dots := nextMarker(s.data[:s.nextDashes], from, '.'); dots >= 0 {
		return LineEnd(s.data, dots)
	}
	return s.nextDashes
}

// nextMarker returns the offset of the first marker after the line at from; -1
// for none. c is '-' for the marker "---", and '.' for "...".
func nextMarker(data []byte, from int, c byte) int {
	needle := [3]byte{c, c, c} // three bytes are rarer than a line break
	for start := from; ; {
		n := bytes.Index(data[from:], needle[:])
		if n < 0 {
			return -1
		}
		at := from + n
		if at > start && data[at-1] == '\n' && isMarker(data[at:], c) {
			return at
		}
		for from = at + 1; from < len(data) && data[from] == c; from++ {
			// Skip the rest of a long line of dashes.
		}
	}
}

// isMarker reports whether text begins with a marker line of three characters
// c.
func isMarker(text []byte, c byte) bool {
	if len(text) < 3 || text[0] != c || text[1] != c || text[2] != c {
		return false
	}
	return len(text) == 3 || text[3] == ' ' || text[3] == '\t' || text[3] == '\n' || text[3] == '\r'
}

// BeginsDocument reports whether text begins with a "---" line.
func BeginsDocument(text []byte) bool { return isMarker(text, '-') }

// LineEnd returns the offset after the line of data that contains from.
func LineEnd(data []byte, from int) int {
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(data)
}

// Line returns line n of text, from 1, with its line break.
func Line(text []byte, n int) []byte {
	for ; n > 1 && len(text) > 0; n-- {
		text = text[LineEnd(text, 0):]
	}
	return text[:LineEnd(text, 0)]
}

// hasContent reports whether text has lines other than blank lines, comments,
// directives and end markers.
func hasContent(text []byte) bool {
	for line := range bytes.Lines(text) {
		directive := line[0] == '%'
		line = bytes.TrimLeft(bytes.TrimSuffix(line, []byte{'\n'}), " \t\r\ufeff")
		if len(line) > 0 && line[0] != '#' && !directive && !isMarker(line, '.') {
			return true
		}
	}
	return false
}
