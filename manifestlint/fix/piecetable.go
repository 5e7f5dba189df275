package fix

import (
	"bytes"
	"strings"
)

// pieceTable is a text during editing: parts of the original text, and new
// texts.
type pieceTable struct {
	original []byte
	pieces   []piece
}

// piece is the original text from start (included) to end (excluded), or text
// if isNew is set.
type piece struct {
	start, end int
	text       string
	isNew      bool
}

func (p piece) len() int {
	if p.isNew {
		return len(p.text)
	}
	return p.end - p.start
}

// split splits a piece after n bytes.
func (p piece) split(n int) (head, tail piece) {
	head, tail = p, p
	if p.isNew {
		head.text, tail.text = p.text[:n], p.text[n:]
	} else {
		head.end = p.start + n
		tail.start = head.end
	}
	return head, tail
}

func newPieceTable(original []byte) *pieceTable {
	return &pieceTable{original: original, pieces: []piece{{end: len(original)}}}
}

// apply applies edits to the current text. The edits must be sorted and must
// not overlap.
func (t *pieceTable) apply(edits []Edit) error {
	var out []piece
	rest, at := t.pieces, 0
	// takeTo returns the pieces before an offset, and removes them from rest.
	takeTo := func(to int) (taken []piece, ok bool) {
		for at < to && len(rest) > 0 {
			head, tail := rest[0].split(min(rest[0].len(), to-at))
			taken = append(taken, head)
			at += head.len()
			if rest[0] = tail; tail.len() == 0 {
				rest = rest[1:]
			}
		}
		return taken, at == to
	}
	for _, e := range edits {
		kept, ok := takeTo(e.Start)
		_, removed := takeTo(e.End)
		if !ok || !removed {
			return refuse("two changes are in each other's way")
		}
		if out = append(out, kept...); e.New != "" {
			out = append(out, piece{text: e.New, isNew: true})
		}
	}
	t.pieces = append(out, rest...)
	return nil
}

// text returns the current text.
func (t *pieceTable) text() []byte {
	var text []byte
	for _, p := range t.pieces {
		if p.isNew {
			text = append(text, p.text...)
		} else {
			text = append(text, t.original[p.start:p.end]...)
		}
	}
	return text
}

// edits returns the edits that change the original text to the current text.
// The last edit adds or removes a line break at the end, so that the edited
// text ends with a line break (nl) if and only if the original text does.
func (t *pieceTable) edits(nl string) []Edit {
	var all []Edit
	at, text := 0, ""
	flush := func(to int) {
		e := shrink(t.original, Edit{at, to, text})
		text = ""
		switch n := len(all) - 1; {
		case e.Start == e.End && e.New == "":
		case n >= 0 && all[n].End == e.Start:
			all[n].End, all[n].New = e.End, all[n].New+e.New
		default:
			all = append(all, e)
		}
	}
	for _, p := range t.pieces {
		if p.isNew {
			text += p.text
			continue
		}
		flush(p.start)
		at = p.end
	}
	switch oldEnds, newEnds := bytes.HasSuffix(t.original, []byte("\n")), t.endsLine(); {
	case len(t.original) == 0 || oldEnds == newEnds:
	case oldEnds:
		text += nl
	default:
		if text = strings.TrimRight(text, "\r\n"); text == "" {
			// The line break before the removed text must be removed too.
			at = len(bytes.TrimRight(t.original[:at], "\r\n"))
		}
	}
	flush(len(t.original))
	return all
}

// shrink removes unchanged whole lines from the start and the end of an edit.
func shrink(original []byte, e Edit) Edit {
	old := string(original[e.Start:e.End])
	for {
		n := strings.IndexByte(old, '\n') + 1
		if n == 0 || !strings.HasPrefix(e.New, old[:n]) {
			break
		}
		old, e.New = old[n:], e.New[n:]
		e.Start += n
	}
	for {
		trimmed := strings.TrimSuffix(old, "\n")
		if trimmed == old {
			break
		}
		n := strings.LastIndexByte(trimmed, '\n') + 1
		if n == 0 && e.Start > 0 && original[e.Start-1] != '\n' || !strings.HasSuffix(e.New, old[n:]) {
			break
		}
		if rest := len(e.New) - len(old[n:]); rest > 0 && e.New[rest-1] != '\n' {
			break
		}
		e.New = e.New[:len(e.New)-len(old[n:])]
		e.End -= len(old[n:])
		old = old[:n]
	}
	return e
}

// endsLine reports whether the current text ends with a line break.
func (t *pieceTable) endsLine() bool {
	for i := len(t.pieces) - 1; i >= 0; i-- {
		switch last := t.pieces[i]; {
		case last.len() == 0:
		case last.isNew:
			return strings.HasSuffix(last.text, "\n")
		default:
			return t.original[last.end-1] == '\n'
		}
	}
	return false
}
