package report

import (
	"strings"
	"unicode/utf8"
)

const (
	// longNote is the minimal length in bytes of a note that is printed completely only
	// once.
	longNote = 100
	// shortNote is the maximal length in characters of a shortened note.
	shortNote = 60
	// maxNote is the maximal length in bytes of a note that is remembered. maxNotes is
	// the maximal number of remembered notes. Other notes are printed completely each
	// time.
	maxNote, maxNotes = 4 << 10, 1000
)

// noteMemory is the set of long notes that a report has printed.
type noteMemory map[string]bool

// text returns the note, or only its beginning if it is long and was printed before.
func (m noteMemory) text(note string) string {
	switch {
	case len(note) < longNote, len(note) > maxNote:
		return note
	case m[note]:
		return beginning(note) + " … (in full above)"
	case len(m) < maxNotes:
		m[note] = true
	}
	return note
}

func beginning(note string) string {
	end := 0
	for range shortNote {
		_, n := utf8.DecodeRuneInString(note[end:])
		end += n
	}
	if space := strings.LastIndexByte(note[:end], ' '); space > 0 && end < len(note) {
		end = space
	}
	return strings.TrimRight(note[:end], " ,;:.")
}
