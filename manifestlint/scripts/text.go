package scripts

import (
	"slices"
	"strings"
)

// These bytes mean unknown parts of a text.
const (
	hole     = "\x01" // any text in a word
	anyWords = "\x02" // any number of words, such as an unknown variable without quotes
	unknown  = hole + anyWords
)

// Place is a range of the source, in byte offsets. End is exclusive.
type Place struct {
	Start, End int
	// Exact is set if the source has an equal text in this range.
	Exact bool
	// Stored is set if the text was the value of a variable, which other commands
	// may use too.
	Stored bool
}

// origin is the range of the source from which one byte comes.
type origin struct {
	from, to      int32
	exact, stored bool
}

// text is a string with the origin of each byte.
type text struct {
	s       string
	origins []origin
}

// sourceText returns a part of the source as a text.
func sourceText(source string, from, to int) text {
	t := text{source[from:to], make([]origin, to-from)}
	for i := range t.origins {
		t.origins[i] = origin{from: int32(from + i), to: int32(from + i + 1), exact: true}
	}
	return t
}

// textAt returns a text that replaces the range p of the source.
func textAt(s string, p Place) text {
	return text{s, slices.Repeat([]origin{{from: int32(p.Start), to: int32(p.End), stored: p.Stored}}, len(s))}
}

// slice returns a part of the text.
func (t text) slice(i, j int) text { return text{t.s[i:j], t.origins[i:j:j]} }

func join(parts ...text) text {
	if len(parts) == 1 {
		return parts[0]
	}
	var s strings.Builder
	var at []origin
	for _, p := range parts {
		s.WriteString(p.s)
		at = append(at, p.origins...)
	}
	return text{s.String(), at}
}

// joinWords returns texts joined by spaces.
func joinWords(words []text) text {
	var parts []text
	for i, word := range words {
		if i > 0 {
			parts = append(parts, textAt(" ", word.place(0, 0)))
		}
		parts = append(parts, word)
	}
	return join(parts...)
}

// asValue returns a copy of the text that is marked as the value of a variable.
func (t text) asValue() text {
	kept := text{t.s, append([]origin(nil), t.origins...)}
	for i := range kept.origins {
		kept.origins[i].stored = true
	}
	return kept
}

// place returns the range of the source that contains the bytes from i
// (included) to j (excluded). If the bytes come from several ranges, the result
// goes from the first byte's range to the last of the others. Ranges that begin
// before the first byte's range are left out.
func (t text) place(i, j int) Place {
	if len(t.origins) == 0 {
		return Place{}
	}
	if i >= len(t.origins) {
		end := int(t.origins[len(t.origins)-1].to)
		return Place{Start: end, End: end}
	}
	first := t.origins[i]
	p := Place{Start: int(first.from), End: int(first.to), Exact: first.exact, Stored: first.stored}
	if i >= j {
		p.End = p.Start
	}
	for k := i + 1; k < min(j, len(t.origins)); k++ {
		o := t.origins[k]
		p.Exact = p.Exact && o.exact && int(o.from) == p.End
		p.Stored = p.Stored || o.stored
		if int(o.from) >= p.Start {
			p.End = max(p.End, int(o.to))
		}
	}
	return p
}

// wholePlace returns the place of the whole text.
func (t text) wholePlace() Place { return t.place(0, len(t.s)) }

// known reports whether the text has no unknown part.
func (t text) known() bool { return !strings.ContainsAny(t.s, unknown) }

// replace replaces parts of a text. next returns the range of the first part at
// from or later, and the new text; a negative i ends the search.
func (t text) replace(next func(s string, from int) (i, j int, by text)) text {
	var parts []text
	at := 0
	for at < len(t.s) {
		i, j, by := next(t.s, at)
		if i < 0 || j <= at {
			break
		}
		parts = append(parts, t.slice(at, i), by)
		at = j
	}
	if at == 0 {
		return t
	}
	return join(append(parts, t.slice(at, len(t.s)))...)
}

// mask replaces each text between two marks with a hole. A template engine or a
// CI system replaces this text before a shell reads it.
func (t text) mask(open, shut string) text {
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.Index(s[from:], open)
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		end := strings.Index(s[i:], shut)
		if end < 0 {
			return -1, -1, text{}
		}
		j := i + end + len(shut)
		return i, j, textAt(hole, t.place(i, j))
	})
}

// maskTemplates masks the expressions of GitHub Actions and of templates.
func (t text) maskTemplates() text { return t.mask("${{", "}}").mask("{{", "}}") }
