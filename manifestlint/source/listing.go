package source

import (
	"bytes"
	"io/fs"
	"slices"
)

// listing is what a directory holds. Its memory is used again for the next
// directory at the same depth: nearly all names that a search meets are not
// needed for longer.
type listing struct {
	entries []entry
	names   []byte
	// buf is for what the system gives; listings of one search share it.
	buf []byte
}

// entry is what a directory says of a file: its name, which is a part of the
// listing's names, and its type.
type entry struct {
	from, to int
	mode     fs.FileMode
}

func (l *listing) reset() { l.entries, l.names = l.entries[:0], l.names[:0] }

// name is valid until the listing is used again.
func (l *listing) name(e entry) []byte { return l.names[e.from:e.to] }

func (l *listing) add(name []byte, mode fs.FileMode) {
	from := len(l.names)
	l.names = append(l.names, name...)
	l.entries = append(l.entries, entry{from, len(l.names), mode})
}

// addAll adds what package os gives.
func (l *listing) addAll(entries []fs.DirEntry) {
	for _, e := range entries {
		l.add([]byte(e.Name()), e.Type())
	}
}

// sort orders the entries by their names.
func (l *listing) sort() { slices.SortFunc(l.entries, l.compare) }

// compare orders two entries by their names.
func (l *listing) compare(a, b entry) int { return bytes.Compare(l.name(a), l.name(b)) }
