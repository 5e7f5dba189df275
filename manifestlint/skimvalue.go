package manifestlint

import (
	"bytes"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// blankOrComment reports whether nothing but white space and a comment follows
// a token.
func blankOrComment(b []byte) bool {
	for i, c := range b {
		if c == '#' {
			return i > 0
		}
		if c != ' ' && c != '\r' {
			return false
		}
	}
	return true
}

// value reads a value that begins on a line. col is its column, parent the
// column of the collection that it belongs to.
func (s *skimmer) value(val []byte, col, parent int32) bool {
	if val[0] == '{' && startsMarkup(val) {
		s.markup = true
		return false
	}
	switch c := val[0]; c {
	case '*':
		if s.b != nil {
			s.b.alias(val)
		}
		return s.anchors.use(val)
	case '|', '>':
		start := s.pos
		if !s.block(val, parent) {
			return false
		}
		if s.b != nil {
			s.b.block(val, s.doc[start:s.pos])
		}
		return true
	case '"', '\'':
		if s.b != nil {
			s.b.scalar(val)
		}
		return s.quoted(val, parent)
	case '[', '{':
		if n, ok := s.flow(val, 0); !ok || !blankOrComment(val[n:]) {
			return s.flowLines(val, parent)
		}
		if s.b != nil {
			s.b.scalar(val)
		}
		return true
	default:
		if c >= utf8.RuneSelf || c == '-' || !keyByte[c] {
			if !plainStart(val) {
				return false
			}
		}
		comment, ok := scanPlain(val)
		if !ok {
			return false
		}
		s.more, s.moreAt = !comment, parent
		if s.b != nil {
			s.b.scalar(val)
		}
		return true
	}
}

// plainStart reports whether a value certainly begins a plain scalar.
func plainStart(val []byte) bool {
	switch c := val[0]; {
	case keyByte[c] && c != '-', c >= utf8.RuneSelf:
		return true
	case c == '-':
		return len(val) > 1 && val[1] != ' '
	}
	switch val[0] {
	case '$', '(', ')', '+', '<', '=', '^', '~', ';':
		return true
	case ':':
		return len(val) > 1 && val[1] != ' '
	}
	return false
}

// scanPlain checks a line of a plain scalar. comment reports that a comment
// ends it.
func scanPlain(val []byte) (comment, ok bool) {
	for i := indexAny2(val, 0, ':', '#'); i < len(val); i = indexAny2(val, i+1, ':', '#') {
		switch {
		case val[i] == '#':
			if i > 0 && val[i-1] == ' ' {
				return true, true
			}
		case i+1 == len(val) || val[i+1] == ' ':
			return false, false
		}
	}
	return false, true
}

// plainGoesOn reports whether a line is certainly the continuation of a plain
// scalar and does not end it.
func plainGoesOn(rest []byte) bool {
	comment, ok := scanPlain(rest)
	return ok && !comment
}

// quoted reads a quoted scalar, over several lines if need be.
func (s *skimmer) quoted(val []byte, parent int32) bool {
	quote := val[0]
	line := val[1:]
	var full []byte // the line with its indentation
	for first := true; ; first = false {
		n, closed, ok := closeQuote(line, quote)
		if !ok {
			return false
		}
		if s.b != nil && !(first && closed) {
			if closed {
				s.b.quotedLine(line[:n-1], quote, false, true)
				s.b.quotedEnd(wire.Pos{Line: s.line + s.b.firstLine - 1, Column: utf8.RuneCount(full[:len(full)-len(line)+n]) + 1})
			} else {
				s.b.quotedLine(line, quote, first, false)
			}
		}
		if closed {
			return blankOrComment(line[n:])
		}
		for {
			if s.pos >= len(s.doc) {
				return false
			}
			var indent int
			if full, indent, ok = s.next(); !ok {
				return false
			}
			if indent < len(full) {
				if int32(indent) <= parent {
					return false
				}
				line = full[indent:]
				break
			}
			if s.b != nil {
				s.b.fold.blank()
			}
		}
	}
}

// closeQuote finds the offset after the closing quote.
func closeQuote(b []byte, quote byte) (n int, closed, ok bool) {
	for i := indexAny2(b, 0, quote, '\\'); i < len(b); i = indexAny2(b, i+1, quote, '\\') {
		switch c := b[i]; {
		case c == '\\' && quote == '"':
			i++
			if i == len(b) { // an escaped line break
				return 0, false, true
			}
			if bytes.IndexByte([]byte(`nt"\/r0 `), b[i]) < 0 {
				return 0, false, false
			}
		case c == quote:
			if quote == '\'' && i+1 < len(b) && b[i+1] == '\'' {
				i++
				continue
			}
			return i + 1, true, true
		}
	}
	return 0, false, true
}

// block reads a literal or folded scalar.
func (s *skimmer) block(val []byte, parent int32) bool {
	n := 1
	if n < len(val) && (val[n] == '-' || val[n] == '+') {
		n++
	}
	if !blankOrComment(val[n:]) {
		return false
	}
	content, blanks := -1, 0
	for s.pos < len(s.doc) {
		start, lineNo := s.pos, s.line
		line, indent, ok := s.next()
		if !ok {
			// Tabs are fine within the text, if nothing else is odd.
			if ok = tabsOnly(line); !ok {
				return false
			}
		}
		switch {
		case indent == len(line):
			if content < 0 {
				blanks = max(blanks, indent)
			}
		case content < 0:
			if int32(indent) <= parent {
				s.pos, s.line = start, lineNo
				return blanks <= int(parent)+1
			}
			if blanks > indent || line[indent] == '\t' {
				return false
			}
			content = indent
		case indent < content:
			if line[indent] == '\t' {
				return false
			}
			s.pos, s.line = start, lineNo
			return true
		}
	}
	return true
}

// tabsOnly reports whether a line that is not clean is so for its tabs alone.
func tabsOnly(line []byte) bool {
	for len(line) > 0 {
		n := bytes.IndexByte(line, '\t')
		if n < 0 {
			return clean(line)
		}
		if !clean(line[:n]) {
			return false
		}
		line = line[n+1:]
	}
	return true
}

// maxFlow bounds the nesting of flow collections that the skimmer reads.
const maxFlow = 8

// flow reads a flow collection that closes on its line and gives the offset
// after it.
func (s *skimmer) flow(b []byte, depth int) (int, bool) {
	if depth == maxFlow {
		return 0, false
	}
	open := b[0]
	shut := byte(']')
	var id uint32
	if open == '{' {
		shut, id = '}', s.newID()
	}
	keys := len(s.keys)
	defer func() { s.keys = s.keys[:keys] }()
	i := skipSpaces(b, 1)
	if i < len(b) && b[i] == shut {
		return i + 1, true
	}
	for i < len(b) {
		if open == '{' {
			key, colon, ok := scanKey(b[i:], false)
			if !ok || i+colon >= len(b) {
				return 0, false
			}
			hash := hashKey(key)
			if s.ambiguous(key, b[i] == '"' || b[i] == '\'') || s.repeated(hash, keys, id) {
				return 0, false
			}
			i = skipSpaces(b, i+colon)
			if i >= len(b) {
				return 0, false
			}
			now, _ := s.triggers.met(hash, key, b[i:], false)
			s.wanted |= now
		}
		n, ok := s.flowItem(b[i:], depth)
		if !ok {
			return 0, false
		}
		i = skipSpaces(b, i+n)
		if i >= len(b) {
			return 0, false
		}
		if b[i] == shut {
			return i + 1, true
		}
		if b[i] != ',' {
			return 0, false
		}
		i = skipSpaces(b, i+1)
	}
	return 0, false
}

// The most lines, and the most bytes, of a flow collection that is read over
// several lines, and how often it is tried whether a line ends it.
const (
	maxFlowLines = 256
	maxFlowBytes = 16 << 10
	maxFlowEnds  = 8
)

// flowLines reads a flow collection that goes on behind its line: what breaks
// its lines and indents them is white space, between its parts and in scalars
// alike. Nobody makes its tree here.
func (s *skimmer) flowLines(val []byte, parent int32) bool {
	text := append(s.flowText[:0], bytes.TrimRight(val, " ")...)
	defer func() { s.flowText = text }()
	switch text[len(text)-1] {
	case '[', '{', ',':
	default:
		return false
	}
	if s.b != nil || bytes.IndexByte(text, '#') >= 0 {
		return false
	}
	for ends, lines := 0, 0; lines < maxFlowLines && len(text) < maxFlowBytes && s.pos < len(s.doc); lines++ {
		line, indent, ok := s.next()
		if !ok || bytes.IndexByte(line, '#') >= 0 {
			return false
		}
		line = bytes.TrimRight(line[indent:], " ")
		if len(line) == 0 {
			continue
		}
		if int32(indent) <= parent {
			return false
		}
		text = append(append(text, ' '), line...)
		if last := line[len(line)-1]; last != ']' && last != '}' {
			continue
		}
		if n, ok := s.flow(text, 0); ok {
			return n == len(text)
		}
		if ends++; ends == maxFlowEnds {
			return false
		}
	}
	return false
}

// flowItem reads one value within a flow collection.
func (s *skimmer) flowItem(b []byte, depth int) (int, bool) {
	switch c := b[0]; {
	case c == '[' || c == '{':
		return s.flow(b, depth+1)
	case c == '"' || c == '\'':
		n, closed, ok := closeQuote(b[1:], c)
		return n + 1, ok && closed
	case keyByte[c] && !isDash(b):
		return flowPlain(b), true
	}
	return 0, false
}

// flowPlain gives the length of a plain scalar within a flow collection.
func flowPlain(b []byte) int {
	n := 0
	for n < len(b) && (keyByte[b[n]] || (b[n] == ' ' || b[n] == ':' && n > 0) && n+1 < len(b) && keyByte[b[n+1]]) {
		n++
	}
	return n
}
