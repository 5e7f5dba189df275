package report

import (
	"strings"
	"unicode/utf8"
)

const (
	// longNote is the minimum length in bytes of a note that is printed completely only once.
	longNote = 100
	// shortNote is the length in characters of a shortened note.
	shortNote = 60
	// maxNote and maxNotes are the maximum length in bytes and the maximum number of remembered
	// notes. Other notes are printed completely each time.
	maxNote, maxNotes = 4 << 10, 1000
)

// noteMemory remembers the long notes that a report has printed.
type noteMemory map[string]bool

// text returns a note, or its beginning if it is long and was printed before.
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

// beginning returns the first words of a note, at most shortNote characters.
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
