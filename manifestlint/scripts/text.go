package scripts

import "strings"

// Holes in texts that are known in part.
const (
	hole = "\x00" // any text
	// anyWords stands for words of unknown number, as an unknown variable
	// without quotes does.
	anyWords = "\x01"
)

// Place is a piece of the source, by byte offsets, End exclusive.
type Place struct {
	Start, End int
	// Exact says that the text stands there to the letter.
	Exact bool
	// Stored says that it got to where it is used by way of a variable, and
	// may be used elsewhere.
	Stored bool
}

// text is a string that knows where its bytes were written.
type text struct {
	s     string
	spans []span
}

// span says where the bytes from an offset on come from: one from each of
// from, from+1 and so on if exact, else all of them from between from and to.
type span struct {
	at, from, to  int
	exact, stored bool
}

// whole is a text that is a source.
func whole(s string) text {
	if s == "" {
		return text{}
	}
	return text{s, []span{{to: len(s), exact: true}}}
}

// made is a text that stands for a piece of the source.
func made(s string, p Place) text {
	if s == "" {
		return text{}
	}
	return text{s, []span{{from: p.Start, to: p.End, stored: p.Stored}}}
}

// find gives the index of the span that a byte is in.
func (t text) find(at int) int {
	lo, hi := 0, len(t.spans)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; t.spans[mid].at <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// end is the offset behind a span.
func (t text) end(i int) int {
	if i+1 < len(t.spans) {
		return t.spans[i+1].at
	}
	return len(t.s)
}

// slice cuts a text.
func (t text) slice(i, j int) text {
	i = max(0, min(i, len(t.s)))
	j = max(i, min(j, len(t.s)))
	if i == j {
		return text{}
	}
	out := text{s: t.s[i:j]}
	for k := t.find(i); k < len(t.spans) && t.spans[k].at < j; k++ {
		s := t.spans[k]
		if s.at < i {
			if s.exact {
				s.from += i - s.at
			}
			s.at = i
		}
		if s.exact {
			s.to = s.from + min(t.end(k), j) - s.at
		}
		s.at -= i
		out.spans = append(out.spans, s)
	}
	return out
}

// plus appends a text.
func (t text) plus(u text) text {
	if t.s == "" {
		return u
	}
	if u.s == "" {
		return t
	}
	spans := t.spans[:len(t.spans):len(t.spans)]
	for i, s := range u.spans {
		last := &spans[len(spans)-1]
		if i == 0 && s.exact && last.exact && last.to == s.from && last.stored == s.stored {
			joined := *last
			joined.to = s.to
			spans = append(spans[:len(spans)-1:len(spans)-1], joined)
			continue
		}
		s.at += len(t.s)
		spans = append(spans, s)
	}
	return text{t.s + u.s, spans}
}

// joiner appends many texts.
type joiner struct {
	b     strings.Builder
	spans []span
}

func (j *joiner) add(u text) {
	for _, s := range u.spans {
		s.at += j.b.Len()
		if n := len(j.spans); n > 0 {
			if last := &j.spans[n-1]; s.exact && last.exact && last.to == s.from && last.stored == s.stored {
				last.to = s.to
				continue
			}
		}
		j.spans = append(j.spans, s)
	}
	j.b.WriteString(u.s)
}

func (j *joiner) text() text { return text{j.b.String(), j.spans} }

// keep marks a text as one that a variable holds.
func (t text) keep() text {
	out := text{t.s, make([]span, len(t.spans))}
	copy(out.spans, t.spans)
	for i := range out.spans {
		out.spans[i].stored = true
	}
	return out
}

// place tells where the bytes from i to j were written.
func (t text) place(i, j int) Place {
	if len(t.spans) == 0 {
		return Place{}
	}
	i = max(0, min(i, len(t.s)))
	j = max(i, min(j, len(t.s)))
	first := t.find(i)
	s := t.spans[first]
	p := Place{Start: s.from, End: s.to, Exact: s.exact, Stored: s.stored}
	if s.exact {
		p.Start = s.from + i - s.at
		p.End = p.Start + min(j, t.end(first)) - i
	}
	for k := first + 1; k < len(t.spans) && t.spans[k].at < j; k++ {
		s := t.spans[k]
		end := s.to
		if s.exact {
			end = s.from + min(j, t.end(k)) - s.at
		}
		p.Exact = p.Exact && s.exact && s.from == p.End
		p.Stored = p.Stored || s.stored
		switch {
		case s.from < p.Start:
			// A piece from further up, such as a variable's value: the place is
			// where the text begins.
			p.Exact = false
		default:
			p.End = max(p.End, end)
		}
	}
	return p
}

// cost is what a copy of the text costs, in bytes.
func (t text) cost() int { return len(t.s) + 40*len(t.spans) }

// all is the place of the whole text.
func (t text) all() Place { return t.place(0, len(t.s)) }

// holed reports whether a part of the text is unknown.
func (t text) holed() bool { return strings.ContainsAny(t.s, hole+anyWords) }

// replace gives the text with each piece that f finds, from its start on, put
// in the place of what it covers. f gives the bounds of the next piece.
func (t text) replace(next func(s string, from int) (i, j int, by text)) text {
	var out joiner
	at := 0
	for at <= len(t.s) {
		i, j, by := next(t.s, at)
		if i < 0 || j < i {
			break
		}
		out.add(t.slice(at, i))
		out.add(by)
		if j == at && i == at {
			break
		}
		at = j
	}
	if at == 0 {
		return t
	}
	out.add(t.slice(at, len(t.s)))
	return out.text()
}

// unix gives the text with plain line feeds.
func (t text) unix() text {
	if !strings.Contains(t.s, "\r\n") {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], "\r\n")
		if n < 0 {
			return -1, -1, text{}
		}
		return from + n, from + n + 1, text{}
	})
}

// lines cuts a text behind its line feeds.
func (t text) lines() []text {
	var all []text
	for at := 0; at < len(t.s); {
		end := len(t.s)
		if n := strings.IndexByte(t.s[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		all = append(all, t.slice(at, end))
		at = end
	}
	return all
}
