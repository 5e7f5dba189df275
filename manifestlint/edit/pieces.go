package edit

import (
	"bytes"
	"strings"
)

// pieces is a text that is being edited: parts of the original, in their
// order, and new text between them.
type pieces struct {
	original []byte
	list     []part
}

// part is the original's text from start to end or, if it is new, text.
type part struct {
	start, end int
	text       string
	isNew      bool
}

func (p part) len() int {
	if p.isNew {
		return len(p.text)
	}
	return p.end - p.start
}

func newPieces(original []byte) *pieces {
	return &pieces{original: original, list: []part{{end: len(original)}}}
}

// apply makes edits whose offsets are those of the text as it is now. They are
// sorted and do not overlap.
func (p *pieces) apply(edits []Edit) error {
	var out []part
	rest := p.list
	at := 0 // offset of rest
	copyTo := func(to int, keep bool) bool {
		for at < to {
			if len(rest) == 0 {
				return false
			}
			first := rest[0]
			n := min(first.len(), to-at)
			head, tail := first, first
			if first.isNew {
				head.text, tail.text = first.text[:n], first.text[n:]
			} else {
				head.end = first.start + n
				tail.start = head.end
			}
			if keep && n > 0 {
				out = append(out, head)
			}
			at += n
			if rest = rest[1:]; tail.len() > 0 {
				rest = append([]part{tail}, rest...)
			}
		}
		return at == to
	}
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || !copyTo(e.Start, true) || !copyTo(e.End, false) {
			return refuse("two changes are in each other's way")
		}
		if e.New != "" {
			out = append(out, part{text: e.New, isNew: true})
		}
	}
	p.list = append(out, rest...)
	return nil
}

func (p *pieces) bytes() []byte {
	var b bytes.Buffer
	for _, part := range p.list {
		if part.isNew {
			b.WriteString(part.text)
		} else {
			b.Write(p.original[part.start:part.end])
		}
	}
	return b.Bytes()
}

// edits gives what lies between the parts of the original. The text ends in a
// line break, nl, if and only if the original does.
func (p *pieces) edits(nl string) []Edit {
	var all []Edit
	at := 0
	var text strings.Builder
	flush := func(to int) {
		if at < to || text.Len() > 0 {
			if e := shrink(p.original, Edit{at, to, text.String()}); e.Start < e.End || e.New != "" {
				if n := len(all) - 1; n >= 0 && all[n].End == e.Start {
					all[n].End, all[n].New = e.End, all[n].New+e.New
				} else {
					all = append(all, e)
				}
			}
		}
		text.Reset()
	}
	for _, part := range p.list {
		if part.isNew {
			text.WriteString(part.text)
			continue
		}
		if part.start > at || text.Len() > 0 {
			flush(part.start)
		}
		at = part.end
	}
	now := p.bytes()
	switch had, has := bytes.HasSuffix(p.original, []byte("\n")), bytes.HasSuffix(now, []byte("\n")); {
	case len(p.original) == 0 || had == has:
	case had:
		text.WriteString(nl)
	default:
		trimmed := strings.TrimRight(text.String(), "\r\n")
		if trimmed == "" {
			// The break before what was taken out goes with it.
			keep := at
			for keep > 0 && (p.original[keep-1] == '\n' || p.original[keep-1] == '\r') {
				keep--
			}
			at = keep
		}
		text.Reset()
		text.WriteString(trimmed)
	}
	flush(len(p.original))
	return all
}

// shrink takes off an edit what it leaves as it was, in whole lines: a fix
// that moves a line shows that line and no other.
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
