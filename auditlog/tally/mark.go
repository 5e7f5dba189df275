package tally

import (
	"cmp"
	"slices"
	"strings"
)

// mark is the position and the time of an event. Reports show the earliest
// event, so the order in which logs are read does not matter.
type mark struct {
	Stamp int64 `json:"stamp"` // microseconds since 1970
	Place
}

func (m mark) compare(o mark) int {
	return cmp.Or(cmp.Compare(m.Stamp, o.Stamp), strings.Compare(m.Input, o.Input), cmp.Compare(m.Line, o.Line))
}

// earlier sets m to the earlier of two marks. The zero mark means that the
// event is unknown.
func (m *mark) earlier(o mark) {
	if m.Place == (Place{}) || o.Place != (Place{}) && o.compare(*m) < 0 {
		*m = o
	}
}

// example is an event whose audit ID a report shows for a group.
type example struct {
	Stamp   int64  `json:"stamp"`
	AuditID string `json:"auditID"`
}

func (e example) compare(o example) int {
	return cmp.Or(cmp.Compare(e.Stamp, o.Stamp), strings.Compare(e.AuditID, o.AuditID))
}

// example adds an example. Only the earliest maxExamples are kept.
func (g *Group) example(e example) {
	at, found := slices.BinarySearchFunc(g.examples, e, example.compare)
	if found || at == maxExamples {
		return
	}
	g.examples = slices.Insert(g.examples, at, e)
	g.examples = g.examples[:min(len(g.examples), maxExamples)]
}

// addSorted adds a word to a sorted list, of which it keeps only the first
// maxListed words.
func addSorted(words []string, word string) []string {
	at, found := slices.BinarySearch(words, word)
	if word == "" || found || at == maxListed {
		return words
	}
	words = slices.Insert(words, at, word)
	return words[:min(len(words), maxListed)]
}
