package manifestlint

import (
	"bytes"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// listedItem is an item of a list of objects: an object, by what its head says.
type listedItem struct {
	start, end int      // of its text; in YAML, of the lines that it is on
	at         wire.Pos // where it begins; in YAML its line counts from the document's start
	said       skimmed
}

// maxListed is how many items of a list are kept.
const maxListed = 1 << 15

// skimList is a list of objects that is read.
type skimList struct {
	next   bool   // the pending value is that of items
	level  int    // how many levels are open with it; 0: it is not there, or over
	dashes int    // how many items it has
	odd    bool   // some are no objects, or lists
	id     uint32 // of the item's map
	// line is the offset of the line that is read.
	line int
	// whole is what was said of the document before the first item, wanted which
	// triggers were met before the one at hand.
	whole  skimHead
	wanted uint64
	begun  bool
}

// listLine ends the item, or the list, that a line is no part of.
func (s *skimmer) listLine() {
	if len(s.levels) <= s.list.level {
		s.endItem(s.list.line)
	}
	if len(s.levels) < s.list.level {
		s.endList()
	}
}

// beginItem begins an item whose map has its first key at a column.
func (s *skimmer) beginItem(id uint32, col int32) {
	l := &s.list
	if !l.begun {
		l.begun, l.whole = true, s.head
	}
	l.wanted |= s.wanted
	if len(s.listed) == maxListed {
		l.odd = true
		return
	}
	s.listed = append(s.listed, listedItem{start: l.line, at: wire.Pos{Line: s.line, Column: int(col) + 1}})
	s.head, s.wanted, s.metaID, l.id = skimHead{root: true}, 0, 0, id
}

// odd notes that the list must be parsed as a whole. It reports whether there is
// an item at all of which that is to be said.
func (s *skimmer) odd() bool {
	s.list.odd = true
	return s.list.id != 0
}

func (s *skimmer) endItem(end int) {
	if s.list.id == 0 {
		return
	}
	item := &s.listed[len(s.listed)-1]
	item.end, item.said = end, s.said(0, true)
	s.list.odd = s.list.odd || !s.head.object() || s.head.items
	s.list.id = 0
}

func (s *skimmer) endList() {
	if l := &s.list; l.begun {
		s.head, s.wanted, s.metaID = l.whole, s.wanted|l.wanted, 0
	}
	s.list.level = 0
}

// endOfList is called at the end of a document. What stands in a list with
// anchors may be meant elsewhere.
func (s *skimmer) endOfList() {
	if !s.list.begun {
		return
	}
	if s.list.level > 0 {
		end := s.list.line
		if s.end < 0 {
			end = len(s.doc)
		}
		s.endItem(end)
		s.endList()
	}
	s.lists = !s.list.odd && s.list.dashes == len(s.listed) && len(s.anchors.all) == 0 && s.head.object()
}

// itemDocument gives the text of an item of a list in YAML as a document of its
// own, in which all has the columns that it has in the list.
func itemDocument(doc []byte, item *listedItem) []byte {
	text := bytes.Clone(doc[item.start:item.end])
	for i := range item.at.Column - 1 {
		text[i] = ' '
	}
	return text
}
