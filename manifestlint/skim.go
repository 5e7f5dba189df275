package manifestlint

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A skimmer reads a YAML document without building anything: it recognises
// the plain block style that nearly every manifest is written in, proves that
// the document parses and repeats no key, and keeps the few values that
// identify the object. What it does not recognise with certainty it calls
// irregular, and the document is parsed in full; so a skimmer may be narrow
// but must never be wrong. FuzzSkim holds it to that.
//
// The zero value is ready; reuse it to reuse its buffers.
type skimmer struct {
	triggers *triggerSet

	doc        []byte
	pos        int    // start of the line that is read next
	line       int    // number of the current line, from 1
	end, lines int    // of the document that was read
	text       []byte // that line

	levels   []skimLevel
	nextID   uint32
	pending  bool  // the last line opened a value that must follow, or is null
	pendAt   int32 // its key's or dash's column
	pendMap  bool  // it is a map value, so a list may stand at the same column
	more     bool  // the last value is a plain scalar that may go on
	moreAt   int32 // on lines that are indented further than this column
	resolved int   // keys that are no strings
	// moreHead: that value is one of the head's, which must not go on.
	moreHead bool
	marked   bool // the marker line was seen

	seen    keySet
	anchors anchorSet
	b       *builder // makes the tree, if one is wanted

	head   skimHead
	metaID uint32 // id of the metadata map, 0 until it is seen
	inMeta bool   // the pending value is metadata's
	wanted uint64 // the lists of triggers of which one was met, by bit
	scalar uint64 // the lists of which one is met if the pending value is a scalar
	// markup: the document is irregular because the markup of a template
	// stands where a key or a value must begin.
	markup bool
}

// skimLevel is a block collection that is open.
type skimLevel struct {
	indent int32
	id     uint32 // of a map: which one; 0 is a list
}

// skimHead is what identifies an object.
type skimHead struct {
	apiVersion, kind, name, namespace, generateName headValue

	items bool // a root key items exists: the object is a list
	root  bool // the document's root is a map
	empty bool // nothing but comments and blank lines
}

// headValue is a scalar with its place in the document.
type headValue struct {
	text         []byte
	line, column int // from 1; column of the first character, quote included
	width        int // in characters, quotes included
}

// skim reads a document, marker line included, up to the end of the text or to
// the marker of the next document: s.end is where it ends, s.lines how many
// lines it has. It reports false where the document is irregular and must be
// parsed in full; where it ends is then not known.
func (s *skimmer) skim(doc []byte) bool {
	s.doc, s.pos, s.line, s.end = doc, 0, 0, -1
	if !s.document() {
		return false
	}
	s.lines = s.line
	switch {
	case s.end < 0:
		s.end = len(doc)
	case s.end < s.pos:
		s.lines-- // the marker is the next document's
	}
	return s.anchors.aliases == 0 || s.end <= maxAliasDocument
}

func (s *skimmer) document() bool {
	s.levels = s.levels[:0]
	s.nextID = 0
	s.pending, s.more, s.moreHead, s.inMeta, s.marked = false, false, false, false, false
	s.wanted = 0
	s.metaID, s.markup, s.resolved = 0, false, 0
	s.head = skimHead{empty: true}
	s.seen.reset()
	s.anchors.reset()
	for s.pos < len(s.doc) {
		start := s.pos
		line, ok := s.next()
		s.text = line
		indent := 0
		for indent < len(line) && line[indent] == ' ' {
			indent++
		}
		rest := line[indent:]
		if !ok && (len(rest) == 0 || rest[0] != '#' || !tabsOnly(rest)) {
			return false
		}
		if len(rest) == 0 {
			continue
		}
		if rest[0] == '#' {
			s.more = false
			continue
		}
		if indent == 0 && line[0] <= '.' && (!s.head.empty || s.marked) {
			if isMarker(line) {
				s.end = start
				return true
			}
			if markerAt(line, '.') {
				s.end = s.pos
				return blankOrComment(line[3:])
			}
		}
		if s.more && int32(indent) > s.moreAt {
			if s.moreHead || !plainGoesOn(rest) {
				return false
			}
			if s.b != nil {
				s.b.bad = true
			}
			continue
		}
		s.more = false
		if s.head.empty {
			if isMarker(line) {
				if !blankOrComment(line[3:]) {
					return false
				}
				s.marked = true
				continue
			}
			s.head.empty = false
		}
		if !s.structure(rest, indent) {
			return false
		}
	}
	return true
}

// next gives the next line without its line break. It reports false where the
// line holds bytes that only the parser can judge.
func (s *skimmer) next() ([]byte, bool) {
	rest := s.doc[s.pos:]
	n, odd := scanLine(rest)
	s.line++
	if !odd {
		s.pos += n + 1
		if n == len(rest) {
			s.pos--
		}
		return rest[:n], true
	}
	if n = bytes.IndexByte(rest, '\n'); n < 0 {
		n = len(rest)
		s.pos += n
	} else {
		s.pos += n + 1
	}
	line := rest[:n]
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, clean(line)
}

// scanLine finds the end of a line, eight bytes at a time. odd reports that
// there is a byte before it that is not printable ASCII.
func scanLine(b []byte) (n int, odd bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(b); n += 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		// A byte below 0x20 borrows its high bit, 0x7f carries into it. The
		// first byte that has it is certain: nothing before it did either.
		if mark := (w | (w - ones*0x20) | (w + ones)) & highs; mark != 0 {
			n += bits.TrailingZeros64(mark) / 8
			return n, b[n] != '\n'
		}
	}
	for ; n < len(b); n++ {
		if c := b[n]; c < 0x20 || c >= 0x7f {
			return n, c != '\n'
		}
	}
	return n, false
}

// clean reports whether a line has only characters that YAML takes as they
// are: no control characters (tabs neither), and of those beyond ASCII none
// that is a line break, a byte order mark or not printable.
func clean(line []byte) bool {
	for i := 0; i < len(line); {
		if b := line[i]; b < utf8.RuneSelf {
			if b < 0x20 || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029,
			r == 0xfeff, r >= 0xfff0 && r <= 0xffff:
			return false
		}
		i += size
	}
	return true
}

// structure reads a line that begins a key or a list item.
func (s *skimmer) structure(rest []byte, indent int) bool {
	if s.markup = startsMarkup(rest); s.markup {
		return false
	}
	if s.b != nil {
		s.b.line, s.b.number = s.text, s.line
	}
	col := int32(indent)
	if len(s.anchors.all) > 0 {
		s.anchors.line(col)
	}
	if !isDash(rest) {
		key, colon, isKey := scanKey(rest, true)
		switch {
		case isKey:
			return s.enter(col, false) && s.entry(key, rest, colon, col)
		case s.pending && col > s.pendAt:
			// The value of the last line's key stands on a line of its own.
			s.pending, s.inMeta = false, false
			s.wanted |= s.scalar
			return s.value(rest, col, s.pendAt)
		}
		return false
	}
	if !s.enter(col, true) {
		return false
	}
	for {
		if s.b != nil {
			s.b.item(int(col) + 1)
		}
		after := 1
		for after < len(rest) && rest[after] == ' ' {
			after++
		}
		if after == len(rest) || rest[after] == '#' {
			s.open(col, false)
			return true
		}
		rest = rest[after:]
		col += int32(after)
		if isDash(rest) {
			s.push(col, 0)
			continue
		}
		if key, colon, ok := scanKey(rest, true); ok {
			s.push(col, s.newID())
			return s.entry(key, rest, colon, col)
		}
		if rest[0] == '&' {
			return false
		}
		return s.value(rest, col, s.top().indent)
	}
}

// enter closes and opens levels for a line at a column.
func (s *skimmer) enter(col int32, dash bool) bool {
	pending := s.pending
	s.pending = false
	inMeta := s.inMeta
	s.inMeta = false
	if len(s.levels) == 0 {
		if col != 0 {
			return false
		}
		id := s.newID() // 1 is the root map's, even where there is none
		if dash {
			id = 0
		}
		s.push(0, id)
		s.head.root = !dash
		return true
	}
	if pending && (col > s.pendAt || dash && s.pendMap && col == s.pendAt) {
		if dash {
			s.push(col, 0)
			return true
		}
		id := s.newID()
		if inMeta {
			s.metaID = id
		}
		s.push(col, id)
		return true
	}
	for s.top().indent > col {
		if s.pop(); len(s.levels) == 0 {
			return false
		}
	}
	if s.top().indent != col {
		return false
	}
	if !dash && s.top().id == 0 {
		// A list may stand at the column of the key that holds it; the next
		// key closes it.
		if s.pop(); len(s.levels) == 0 || s.top().indent != col {
			return false
		}
	}
	return dash == (s.top().id == 0)
}

func (s *skimmer) top() skimLevel { return s.levels[len(s.levels)-1] }

func (s *skimmer) push(indent int32, id uint32) {
	s.levels = append(s.levels, skimLevel{indent, id})
	if s.b != nil {
		s.b.open(int(indent), id == 0)
	}
}

func (s *skimmer) pop() {
	s.levels = s.levels[:len(s.levels)-1]
	if s.b != nil {
		s.b.close(len(s.levels))
	}
}

func (s *skimmer) newID() uint32 {
	s.nextID++
	return s.nextID
}

func (s *skimmer) open(col int32, mapValue bool) {
	s.pending, s.pendAt, s.pendMap = true, col, mapValue
}

func isDash(b []byte) bool { return b[0] == '-' && (len(b) == 1 || b[1] == ' ') }

// isMarker reports whether a line is a document marker.
func isMarker(line []byte) bool {
	return len(line) >= 3 && line[0] == '-' && line[1] == '-' && line[2] == '-' &&
		(len(line) == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r')
}

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

// keyByte marks the bytes of a plain key that need no further thought.
var keyByte = func() (t [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-$" {
		t[c] = true
	}
	return t
}()

// maxKey is below the 1024 characters within which YAML wants a key's colon.
const maxKey = 512

// keyKind tells which bytes a plain key may hold behind its first one: inKey
// everywhere, inBlockKey only where it is no flow collection's.
var keyKind = func() (t [256]uint8) {
	for c := range keyByte {
		if keyByte[c] {
			t[c] = inKey | inBlockKey
		}
	}
	for _, c := range "{}[],\"'@%&*!|<>=+~^();" {
		t[c] = inBlockKey
	}
	return t
}()

const (
	inKey uint8 = 1 << iota
	inBlockKey
)

// scanKey reads "key:" at the start of a text, of a block or of a flow
// collection, and gives the key without its quotes and the offset after the
// colon.
func scanKey(b []byte, block bool) (key []byte, colon int, ok bool) {
	i := 0
	switch c := b[0]; {
	case c == '"' || c == '\'':
		for i = 1; i < len(b) && b[i] != c; i++ {
			if b[i] == '\\' {
				return nil, 0, false
			}
		}
		i++
		if i >= len(b) || b[i] == c {
			return nil, 0, false
		}
		key = b[1 : i-1]
	case c == '-' || !keyByte[c]:
		return nil, 0, false
	default:
		kind := inKey
		if block {
			kind = inBlockKey
		}
		for {
			for i < len(b) && keyKind[b[i]]&kind != 0 {
				i++
			}
			// Managed fields are named f:spec and k:{"name":"web"}.
			if i+1 < len(b) && b[i] == ':' && keyKind[b[i+1]]&kind != 0 {
				i++
				continue
			}
			break
		}
		key = b[:i]
	}
	if i >= len(b) || i > maxKey || b[i] != ':' || i+1 < len(b) && b[i+1] != ' ' {
		return nil, 0, false
	}
	return key, i + 1, true
}

// mayResolve marks the first bytes of keys that are no strings.
var mayResolve = func() (t [256]bool) {
	for c := range 'A' {
		t[c] = true
	}
	for _, c := range "yYnNtTfFoO~" {
		t[c] = true
	}
	return t
}()

// keyResolves reports whether a key may be a number, a boolean or null, so
// that another spelling of it has the same JSON name.
func keyResolves(key []byte) bool {
	if len(key) > 0 && !mayResolve[key[0]] {
		return false
	}
	if len(key) == 0 || key[0] < 'A' {
		return len(key) == 0 || key[0] != '$' && key[0] != '/' && string(key) != "."
	}
	if len(key) > 5 {
		return false
	}
	switch string(key) {
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF",
		"true", "True", "TRUE", "false", "False", "FALSE", "null", "Null", "NULL":
		return true
	}
	return false
}

// ambiguous takes note of a key that resolves. One per document is harmless;
// where there are more, two may be the same.
func (s *skimmer) ambiguous(key []byte, quoted bool) bool {
	if !keyResolves(key) {
		return false
	}
	if len(key) == 0 || key[0] < 'A' {
		return !quoted // 010 and 8 are one key, and 8 may be quoted
	}
	s.resolved++
	return s.resolved > 1
}

// entry reads a map's key and what follows its colon on the line.
func (s *skimmer) entry(key, rest []byte, colon int, col int32) bool {
	id := s.top().id
	hash := hashKey(key)
	if s.ambiguous(key, rest[0] == '"' || rest[0] == '\'') || s.seen.add(hash, id) {
		return false
	}
	if s.b != nil {
		s.b.field(rest, key, colon)
	}
	after := colon
	for after < len(rest) && rest[after] == ' ' {
		after++
	}
	val := rest[after:]
	now, scalar := s.triggers.met(hash, key, val, id == 1)
	s.wanted |= now
	s.scalar = scalar
	none := len(val) == 0 || val[0] == '#'
	if !none && val[0] == '&' && !(id == 1 && isHeadKey(key, true)) && !(id == s.metaID && isHeadKey(key, false)) {
		n, ok := s.anchors.define(val, col)
		if !ok {
			return false
		}
		if s.b != nil {
			s.b.bad = true
		}
		after += n
		val = val[n:]
		none = len(val) == 0 || val[0] == '#'
	}
	s.moreHead = false
	if id == 1 || id == s.metaID {
		if !s.headKey(key, val, none, int(col)+after+1, id == 1) {
			return false
		}
	}
	if none {
		s.open(col, true)
		return true
	}
	return s.value(val, col+int32(after), col)
}

// isHeadKey reports whether a key of the root or of metadata identifies the
// object or leads to what does.
func isHeadKey(key []byte, root bool) bool {
	switch string(key) {
	case "apiVersion", "kind", "metadata", "items":
		return root
	case "name", "namespace", "generateName":
		return !root
	}
	return false
}

// headKey keeps the values that identify the object. It reports false where
// only the parser can tell what they are.
func (s *skimmer) headKey(key, val []byte, none bool, column int, root bool) bool {
	if s.markup = startsMarkup(val); s.markup {
		return false
	}
	var into *headValue
	if root {
		switch string(key) {
		case "apiVersion":
			into = &s.head.apiVersion
		case "kind":
			into = &s.head.kind
		case "metadata":
			s.inMeta = none
			return none
		case "items":
			s.head.items = true
			return true
		}
	} else {
		switch string(key) {
		case "name":
			into = &s.head.name
		case "namespace":
			into = &s.head.namespace
		case "generateName":
			into = &s.head.generateName
		}
	}
	if into == nil {
		return true
	}
	if none {
		return false
	}
	text, width, ok := headScalar(val)
	if !ok {
		return false
	}
	*into = headValue{text, s.line, column, width}
	s.moreHead = true
	return true
}

// headScalar reads a scalar that is certainly a string and ends on its line.
func headScalar(val []byte) (text []byte, width int, ok bool) {
	if c := val[0]; c == '"' || c == '\'' {
		n := bytes.IndexByte(val[1:], c)
		if n < 1 || bytes.IndexByte(val[1:n+1], '\\') >= 0 || !ascii(val[1:n+1]) {
			return nil, 0, false
		}
		return val[1 : n+1], n + 2, blankOrComment(val[n+2:])
	}
	comment, ok := scanPlain(val)
	if !ok || !keyByte[val[0]] && val[0] != ':' || isDash(val) {
		return nil, 0, false
	}
	if comment {
		val = val[:bytes.Index(val, []byte(" #"))]
	}
	val = bytes.TrimRight(val, " ")
	return val, len(val), ascii(val) && !resolvesInYAML11(val)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// resolvesInYAML11 reports whether a plain scalar might be anything but a
// string: a number, a boolean or null.
func resolvesInYAML11(b []byte) bool {
	switch c := b[0]; {
	case c < 'A':
		return true
	default:
		return len(b) <= 5 && bytes.IndexByte([]byte("yYnNtTfFoO"), c) >= 0
	}
}

// value reads a value that begins on a line. col is its column, parent the
// column of the collection that it belongs to.
func (s *skimmer) value(val []byte, col, parent int32) bool {
	if s.markup = startsMarkup(val); s.markup {
		return false
	}
	switch c := val[0]; c {
	case '*':
		if s.b != nil {
			s.b.bad = true
		}
		return s.anchors.use(val)
	case '|', '>':
		start := s.pos
		if !s.block(val, parent) {
			return false
		}
		if s.b != nil {
			s.b.literal(val, s.doc[start:s.pos])
		}
		return true
	case '"', '\'':
		if s.b != nil {
			s.b.scalar(val)
		}
		return s.quoted(val, parent)
	case '[', '{':
		if n, ok := s.flow(val, 0); !ok || !blankOrComment(val[n:]) {
			return false
		}
		if s.b != nil {
			s.b.scalar(val)
		}
		return true
	default:
		if !plainStart(val) {
			return false
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
	for i := 0; i < len(val); i++ {
		switch val[i] {
		case ':':
			if i+1 == len(val) || val[i+1] == ' ' {
				return false, false
			}
		case '#':
			if i > 0 && val[i-1] == ' ' {
				return true, true
			}
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
	for {
		n, closed, ok := closeQuote(line, quote)
		if !ok {
			return false
		}
		if closed {
			return blankOrComment(line[n:])
		}
		for {
			if s.pos >= len(s.doc) {
				return false
			}
			if line, ok = s.next(); !ok {
				return false
			}
			indent := 0
			for indent < len(line) && line[indent] == ' ' {
				indent++
			}
			if indent < len(line) {
				if int32(indent) <= parent {
					return false
				}
				line = line[indent:]
				break
			}
		}
	}
}

// closeQuote finds the offset after the closing quote.
func closeQuote(b []byte, quote byte) (n int, closed, ok bool) {
	for i := 0; i < len(b); i++ {
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
		line, ok := s.next()
		if !ok {
			// Tabs are fine within the text, if nothing else is odd.
			if ok = tabsOnly(line); !ok {
				return false
			}
		}
		indent := 0
		for indent < len(line) && line[indent] == ' ' {
			indent++
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
			if s.ambiguous(key, b[i] == '"' || b[i] == '\'') || s.seen.add(hash, id) {
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
	for n < len(b) && (keyByte[b[n]] || b[n] == ' ' && n+1 < len(b) && keyByte[b[n+1]]) {
		n++
	}
	return n
}

func skipSpaces(b []byte, i int) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}
