package manifestlint

import "bytes"

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
	known    *knownKeys

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
	named    bool  // it has an anchor, so it is no alias
	more     bool  // the last value is a plain scalar that may go on
	moreAt   int32 // on lines that are indented further than this column
	resolved int   // keys that are no strings
	// moreHead: that value is one of the head's, which must not go on.
	moreHead bool
	marked   bool // the marker line was seen
	scalars  bool // the document is a scalar

	keys     []uint64 // the hashes of the keys of the maps that are open, level by level
	seen     keySet   // those of maps with more of them than are looked through
	anchors  anchorSet
	flowText []byte   // that of a flow collection over several lines
	b        *builder // makes the tree, if one is wanted
	leave    outline  // what is left out of the tree
	// decide says by the apiVersion and the kind whether the tree is worth making.
	decide func(*skimHead) bool
	// proven is set where a text was skimmed before: no key is repeated in it,
	// and the triggers are known. lasting is set where its memory stays as it is.
	proven, lasting bool

	head   skimHead
	lists  bool         // it is a list of objects
	listed []listedItem // those
	list   skimList
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
	keys   int32  // where its keys begin
}

// skim reads a document, marker line included, up to the end of the text or to
// the marker of the next document: s.end is where it ends, s.lines how many
// lines it has. It reports false where the document is irregular and must be
// parsed in full; where it ends is then not known.
func (s *skimmer) skim(doc []byte) bool {
	// The capacity is the end of what may be read.
	s.doc, s.pos, s.line, s.end = doc[:len(doc):len(doc)], 0, 0, -1
	if !s.document() {
		return false
	}
	s.endOfList()
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
	s.levels, s.keys = s.levels[:0], s.keys[:0]
	s.nextID = 0
	s.pending, s.more, s.moreHead, s.inMeta, s.marked, s.scalars = false, false, false, false, false, false
	s.wanted = 0
	if s.known == nil {
		s.known = new(knownKeys)
	}
	s.metaID, s.markup, s.resolved = 0, false, 0
	s.head = skimHead{empty: true}
	s.lists, s.listed, s.list = false, s.listed[:0], skimList{}
	s.seen.reset()
	s.anchors.reset()
	for s.pos < len(s.doc) {
		if s.leave.b != nil && s.proven {
			s.passOver()
		}
		start := s.pos
		s.list.line = start
		line, indent, ok := s.next()
		s.text = line
		rest := line[indent:]
		if !ok && (len(rest) == 0 || rest[0] != '#' || !tabsOnly(rest)) {
			return false
		}
		if len(rest) == 0 {
			if s.b != nil && s.more {
				s.b.fold.blank()
			}
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
			if s.moreHead && !s.odd() || !plainGoesOn(rest) {
				return false
			}
			if s.b != nil {
				s.b.goOn(line, s.line)
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

// structure reads a line that begins a key or a list item.
func (s *skimmer) structure(rest []byte, indent int) bool {
	if rest[0] == '{' && startsMarkup(rest) {
		s.markup = true
		return false
	}
	if s.b != nil {
		s.b.fold.close()
		s.b.line, s.b.number = s.text, s.line
	}
	col := int32(indent)
	if len(s.anchors.all) > 0 {
		s.anchors.line(col, isDash(rest))
	}
	if !isDash(rest) {
		key, colon, known, isKey := s.key(rest)
		switch {
		case isKey:
			if !s.enter(col, false) {
				return false
			}
			if s.list.level > 0 {
				s.listLine()
			}
			return s.entry(key, known, rest, colon, col)
		case s.pending && col > s.pendAt:
			// The value of the last line's key stands on a line of its own.
			s.pending, s.inMeta, s.list.next = false, false, false
			s.wanted |= s.scalar
			if s.named && rest[0] == '*' {
				return false
			}
			return s.value(rest, col, s.pendAt)
		}
		return s.rootScalar(rest, col)
	}
	if !s.enter(col, true) {
		return false
	}
	item := false // of the list of objects
	if s.list.level > 0 {
		s.listLine()
		if item = len(s.levels) == s.list.level; item {
			s.list.dashes++
		}
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
		if key, colon, known, ok := s.key(rest); ok {
			id := s.newID()
			if item && len(s.levels) == s.list.level {
				s.beginItem(id, col)
			}
			s.push(col, id)
			return s.entry(key, known, rest, colon, col)
		}
		if rest[0] == '&' {
			return false
		}
		return s.value(rest, col, s.top().indent)
	}
}

// rootScalar reads the first line of a document that is a plain scalar, such as
// text that is no YAML but passes for it. Nobody wants its tree.
func (s *skimmer) rootScalar(rest []byte, col int32) bool {
	if len(s.levels) > 0 || s.scalars || s.b != nil && s.decide == nil ||
		!keyByte[rest[0]] || rest[0] == '-' || markerAt(rest, '.') || resolvesInYAML11(bytes.TrimRight(rest, " ")) {
		return false
	}
	s.scalars, s.b = true, nil
	return s.value(rest, col, -1)
}

// enter closes and opens levels for a line at a column.
func (s *skimmer) enter(col int32, dash bool) bool {
	pending := s.pending
	s.pending = false
	inMeta, listed := s.inMeta, s.list.next
	s.inMeta, s.list.next = false, false
	if len(s.levels) == 0 {
		if col != 0 && !s.proven || s.scalars {
			return false // where it is proven, it may be an item of a list
		}
		id := s.newID() // 1 is the root map's, even where there is none
		if dash {
			id = 0
		}
		s.push(col, id)
		s.head.root = !dash
		return true
	}
	if pending && (col > s.pendAt || dash && s.pendMap && col == s.pendAt) {
		if dash {
			s.push(col, 0)
			if listed {
				s.list.level = len(s.levels)
			}
			return true
		}
		id := s.newID()
		if inMeta {
			s.metaID = id
		}
		s.push(col, id)
		return true
	}
	top := &s.levels[len(s.levels)-1]
	for top.indent > col {
		if s.pop(); len(s.levels) == 0 {
			return false
		}
		top = &s.levels[len(s.levels)-1]
	}
	if top.indent != col {
		return false
	}
	if !dash && top.id == 0 {
		// A list may stand at the column of the key that holds it; the next
		// key closes it.
		if s.pop(); len(s.levels) == 0 || s.top().indent != col {
			return false
		}
	}
	if s.leave.b != nil {
		s.resume()
	}
	return dash == (s.levels[len(s.levels)-1].id == 0)
}

func (s *skimmer) top() skimLevel { return s.levels[len(s.levels)-1] }

func (s *skimmer) push(indent int32, id uint32) {
	s.levels = append(s.levels, skimLevel{indent, id, int32(len(s.keys))})
	if s.b != nil {
		s.b.open(int(indent), id == 0)
	}
}

func (s *skimmer) pop() {
	n := len(s.levels) - 1
	s.keys = s.keys[:s.levels[n].keys]
	s.levels = s.levels[:n]
	if s.b != nil {
		s.b.close(len(s.levels))
	}
}

func (s *skimmer) newID() uint32 {
	s.nextID++
	return s.nextID
}

func (s *skimmer) open(col int32, mapValue bool) {
	s.pending, s.pendAt, s.pendMap, s.named = true, col, mapValue, false
}

// entry reads a map's key, of which something may be known, and what follows its
// colon on the line.
func (s *skimmer) entry(key []byte, known *knownKey, rest []byte, colon int, col int32) bool {
	top := &s.levels[len(s.levels)-1]
	id := top.id
	root := id == 1 || id == s.list.id
	var hash uint64
	if !s.proven {
		resolves := true
		if known != nil {
			hash, resolves = known.hash, known.resolves
		} else {
			hash = hashKey(key)
		}
		if resolves && s.ambiguous(key, rest[0] == '"' || rest[0] == '\'') || s.repeated(hash, int(top.keys), id) {
			return false
		}
	}
	if s.b != nil {
		s.b.field(rest, key, colon)
		if s.leave.names != nil {
			s.pause(key)
		}
	}
	after := colon
	for after < len(rest) && rest[after] == ' ' {
		after++
	}
	val := rest[after:]
	if !s.proven {
		s.scalar = 0
		if s.triggers.first[hash&63] {
			now, scalar := s.triggers.met(hash, key, val, root)
			s.wanted |= now
			s.scalar = scalar
		}
	}
	none, named := len(val) == 0 || val[0] == '#', false
	if !none && val[0] == '&' && (s.list.id != 0 || !(root && isHeadKey(key, true)) && !(id == s.metaID && isHeadKey(key, false))) {
		n, ok := s.anchors.define(val, col)
		if !ok {
			return false
		}
		switch {
		case s.b != nil:
			s.b.anchor(val)
		case s.leave.b != nil:
			s.leave.b.bad = true // an alias outside may mean it
		}
		named = true
		after += n
		val = val[n:]
		if none = len(val) == 0 || val[0] == '#'; !none && val[0] == '*' {
			return false // an alias is no node of its own that could be named
		}
	}
	s.moreHead = false
	if root || id == s.metaID {
		if !s.headKey(key, val, none, int(col)+after+1, root) && (s.markup || !s.odd()) {
			return false
		}
	}
	if none {
		s.open(col, true)
		s.named = named
		return true
	}
	return s.value(val, col+int32(after), col)
}
