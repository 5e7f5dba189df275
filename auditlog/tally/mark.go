package tally

import (
	"cmp"
	"slices"
	"strings"
)

// mark is where an event stands, and when it was: of several, the earliest is
// quoted, whatever the order in which logs were read.
type mark struct {
	Stamp int64 `json:"stamp"` // microseconds since 1970
	Place
}

func (m mark) compare(o mark) int {
	return cmp.Or(cmp.Compare(m.Stamp, o.Stamp), strings.Compare(m.Input, o.Input), cmp.Compare(m.Line, o.Line))
}

// earlier makes a mark the earlier of two. The zero mark is none.
func (m *mark) earlier(o mark) {
	if m.Place == (Place{}) || o.Place != (Place{}) && o.compare(*m) < 0 {
		*m = o
	}
}

// example is an event that a group quotes.
type example struct {
	Stamp   int64  `json:"stamp"`
	AuditID string `json:"auditID"`
}

func (e example) compare(o example) int {
	return cmp.Or(cmp.Compare(e.Stamp, o.Stamp), strings.Compare(e.AuditID, o.AuditID))
}

// example keeps the earliest few of the examples.
func (g *Group) example(e example) {
	at, found := slices.BinarySearchFunc(g.examples, e, example.compare)
	if found || at == maxExamples {
		return
	}
	g.examples = slices.Insert(g.examples, at, e)
	g.examples = g.examples[:min(len(g.examples), maxExamples)]
}

// least keeps the few that come first of words.
func least(words []string, word string) []string {
	at, found := slices.BinarySearch(words, word)
	if word == "" || found || at == maxListed {
		return words
	}
	words = slices.Insert(words, at, word)
	return words[:min(len(words), maxListed)]
}
