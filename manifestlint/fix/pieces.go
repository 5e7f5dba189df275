package fix

import (
	"bytes"
	"slices"
	"strings"
)

// pieces is a text that is being edited: parts of the original, in their
// order, and new text between them.
type pieces struct {
	original []byte
	list     []part
	spare    []part // room for those that change
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

// cut gives a part's first bytes and the rest.
func (p part) cut(n int) (head, tail part) {
	head, tail = p, p
	if p.isNew {
		head.text, tail.text = p.text[:n], p.text[n:]
	} else {
		head.end = p.start + n
		tail.start = head.end
	}
	return head, tail
}

// begin makes the text an original.
func (p *pieces) begin(original []byte) {
	p.original = original
	p.list = append(p.list[:0], part{end: len(original)})
}

// apply makes edits whose offsets are those of the text as it is now. They are
// sorted and do not overlap.
func (p *pieces) apply(edits []Edit) error {
	begin, at := 0, 0 // the first part that changes, and its offset
	for len(edits) > 0 && begin < len(p.list) && at+p.list[begin].len() < edits[0].Start {
		at += p.list[begin].len()
		begin++
	}
	out := p.spare[:0]
	end := begin   // behind the last part that changes
	var first part // what is left of the part before
	copyTo := func(to int, keep bool) bool {
		for at < to {
			for first.len() == 0 {
				if end == len(p.list) {
					return false
				}
				first = p.list[end]
				end++
			}
			var head part
			head, first = first.cut(min(first.len(), to-at))
			if at += head.len(); keep {
				out = append(out, head)
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
	if first.len() > 0 {
		out = append(out, first)
	}
	p.spare, p.list = out, slices.Replace(p.list, begin, end, out...)
	return nil
}

// appendTo adds the text as it is now.
func (p *pieces) appendTo(text []byte) []byte {
	for _, part := range p.list {
		if part.isNew {
			text = append(text, part.text...)
		} else {
			text = append(text, p.original[part.start:part.end]...)
		}
	}
	return text
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
	switch had, has := bytes.HasSuffix(p.original, []byte("\n")), p.endsLine(); {
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

// endsLine reports whether the text ends in a line break.
func (p *pieces) endsLine() bool {
	for i := len(p.list) - 1; i >= 0; i-- {
		switch last := p.list[i]; {
		case last.len() == 0:
		case last.isNew:
			return strings.HasSuffix(last.text, "\n")
		default:
			return p.original[last.end-1] == '\n'
		}
	}
	return false
}
