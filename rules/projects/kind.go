package projects

import (
	_ "embed" // the table of kinds
	"iter"
	"sort"
	"strings"
)

// kindLines is the table of kinds, sorted by group and kind. The line of a kind
// has the form
//
//	GROUP KIND RESOURCE SCOPE PROJECT
//
// The lines below it begin with a tab. "> GROUP KIND" is the kind that replaces
// it. "VERSION STATE FROM-TO WARNING" is the state of a version in a range of
// releases. TO is empty for the newest release. WARNING is empty if the
// definition has no text of its own.
//
// The table is not parsed at start-up, because most runs look up only a few
// kinds.
//
//go:embed zz_generated.kinds.txt
var kindLines string

// Kind is the history of a kind of a project. The zero value is not a kind.
type Kind struct {
	Group, Kind string
	// Resource is the plural name in URLs.
	Resource string
	// Namespaced is set if objects are in namespaces according to the newest
	// definition.
	Namespaced bool

	project string
	lines   string
}

// LookupKind returns a kind by its exact group and name. ok is false if the table
// does not have the kind.
func LookupKind(group, kind string) (_ Kind, ok bool) {
	for k := range inGroup(group) {
		if k.Kind == kind {
			return k, true
		}
	}
	return Kind{}, false
}

// Kinds returns all kinds, sorted by group and kind.
func Kinds() iter.Seq[Kind] { return kindsFrom(0) }

func inGroup(group string) iter.Seq[Kind] {
	start := sort.Search(len(kindLines), func(i int) bool {
		at := recordStart(i)
		return at == len(kindLines) || groupAt(at) >= group
	})
	return func(yield func(Kind) bool) {
		for k := range kindsFrom(recordStart(start)) {
			if k.Group != group || !yield(k) {
				return
			}
		}
	}
}

// groupAt returns the group of the record that starts at byte at of the table.
func groupAt(at int) string {
	group, _, _ := strings.Cut(kindLines[at:], " ")
	return group
}

// kindsFrom yields the kinds of the record at byte at and of all later records.
func kindsFrom(at int) iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for at < len(kindLines) {
			k, end, ok := kindAt(at)
			if !ok || !yield(k) {
				return
			}
			at = end
		}
	}
}

// recordStart returns the start of the first record at or after byte at of the
// table.
func recordStart(at int) int {
	if at == 0 {
		return 0
	}
	for at--; ; at++ {
		n := strings.IndexByte(kindLines[at:], '\n')
		if n < 0 {
			return len(kindLines)
		}
		if at += n; at+1 < len(kindLines) && kindLines[at+1] != '\t' {
			return at + 1
		}
	}
}

// kindAt parses the record that starts at byte at of the table. end is the start
// of the next record. ok is false if there is no record.
func kindAt(at int) (k Kind, end int, ok bool) {
	header, _, ok := strings.Cut(kindLines[at:], "\n")
	if !ok {
		return Kind{}, at, false
	}
	end = recordStart(at + 1)
	f := strings.SplitN(header, " ", 5)
	if len(f) < 5 {
		return Kind{}, end, false
	}
	k = Kind{
		Group: f[0], Kind: f[1], Resource: f[2], Namespaced: f[3] == "Namespaced", project: f[4],
		lines: kindLines[at+len(header)+1 : end],
	}
	return k, end, true
}

// Project returns the project that defines the kind.
func (k Kind) Project() Project {
	p, _ := Lookup(k.project)
	return p
}
