package document

import (
	"bytes"
	"regexp"
	"sync"
)

// HasMarkup reports whether text has the markup of a template language: Go
// and Helm templates, Jinja, ERB.
func HasMarkup(text []byte) bool {
	return bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) || bytes.Contains(text, []byte("<%"))
}

// token matches a value such as #{VERSION}, which Octopus Deploy and other programs
// replace. To YAML it is a comment, and the value is missing.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[^#\n]*(:|-)[ \t]+#\{[A-Za-z_][\w.-]*\}#?[ \t\r]*$`)
})

// HasToken reports whether a document has values that another program fills in
// and that YAML reads as comments.
func HasToken(doc []byte) bool {
	return bytes.Contains(doc, []byte(" #{")) && token().Match(doc)
}

// placeholder matches values that a build replaces: {NAME}, @NAME@, %NAME%.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^{$])\{[A-Z][A-Z0-9_]*\}|(^|[\s:=/])@[A-Z][A-Z0-9_]*@|(:\s+)%[A-Z][A-Z0-9_]*%`)
})

// HasPlaceholder reports whether a line of a document, counted from 1, or one
// beside it has a placeholder of a build: the likely cause if the parser failed
// there.
func HasPlaceholder(doc []byte, line int) bool {
	for n := 1; len(doc) > 0 && n <= line+1; n++ {
		end := LineEnd(doc, 0)
		if n >= line-1 && bytes.ContainsAny(doc[:end], "{@%") && placeholder().Match(doc[:end]) {
			return true
		}
		doc = doc[end:]
	}
	return false
}

// action is a piece of markup in a text, such as {{ .a }} or {% if b %}.
type action struct {
	start, end int // offsets
	// opens and closes report whether it begins or ends a control statement.
	opens, closes bool
}

// maxAction is the length in bytes up to which the end of markup is searched.
const maxAction = 4096

// nextAction returns the first piece of markup from an offset on. Of markup that
// is not closed only the two characters that open it count.
func nextAction(text []byte, from int) (action, bool) {
	for at := from; ; at++ {
		n := bytes.IndexByte(text[at:], '{')
		if n < 0 || at+n+2 > len(text) {
			return action{}, false
		}
		at += n
		a := action{start: at, end: at + 2}
		inner := text[at+2:]
		inner = inner[:min(len(inner), maxAction)]
		word := keyword(inner)
		end := "}}"
		switch text[at+1] {
		case '{':
			a.opens, a.closes = opensGoBlock(word), word == "end"
		case '%':
			end = "%}"
			a.opens, a.closes = opensJinjaBlock(word), len(word) > 3 && word[:3] == "end"
		case '#':
			end = "#}"
		default:
			continue
		}
		n = bytes.Index(inner, []byte(end))
		switch {
		case n >= 0:
			a.end += n + len(end)
		case end == "#}": // ${#list} of a shell
			continue
		}
		return a, true
	}
}

// Neutral returns a document with its markup replaced: by spaces on lines that
// have nothing else, and by letters elsewhere, as a value would be. A document
// that parses then is a template rather than broken. Lines keep their numbers.
func Neutral(doc []byte) []byte {
	out := bytes.Clone(doc)
	fill := func(start, end int, with byte) {
		for i := start; i < end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = with
			}
		}
	}
	for a, ok := nextAction(doc, 0); ok; {
		row := []action{a} // with nothing but separators between them
		for {
			end := a.end
			a, ok = nextAction(doc, end)
			if !ok || len(bytes.Trim(doc[end:a.start], " \t-,")) > 0 {
				break
			}
			row = append(row, a)
		}
		if start, end := row[0].start, row[len(row)-1].end; hasLine(doc, start, end) {
			fill(start, end, ' ')
			continue
		}
		for _, one := range row {
			fill(one.start, one.end, 'x')
		}
	}
	return out
}

// hasLine reports whether the lines of a part of a text have nothing else, except
// for commas behind it.
func hasLine(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t\r")
	after := bytes.TrimLeft(text[end:], " \t\r,")
	return (len(before) == 0 || before[len(before)-1] == '\n') && (len(after) == 0 || after[0] == '\n')
}

// Controlled reports whether a line of a document, counted from 1, is within a control
// statement of a template, or has markup, or follows a line with markup. An error in
// such a line may depend on the template.
func Controlled(doc []byte, line int) bool {
	depth := 0
	from := 0
	for n := 1; n < line-1; n++ {
		from = LineEnd(doc, from)
	}
	to := LineEnd(doc, LineEnd(doc, from))
	for at := 0; ; {
		a, ok := nextAction(doc, at)
		if !ok || a.start >= to {
			return depth > 0
		}
		if a.end > from {
			return true
		}
		switch {
		case a.opens:
			depth++
		case a.closes:
			depth = max(0, depth-1)
		}
		at = a.end
	}
}

// statement is a control statement of a template, as offsets.
type statement struct{ start, end int }

// statements returns the control statements of a text that are closed, in the
// order of their ends. Documents inside one exist only if the template says so,
// even if they have no markup of their own.
func statements(text []byte) []statement {
	var all []statement
	var open []int
	for at := 0; ; {
		a, ok := nextAction(text, at)
		if !ok {
			return all
		}
		switch {
		case a.opens:
			open = append(open, a.start)
		case a.closes && len(open) > 0:
			all = append(all, statement{open[len(open)-1], a.end})
			open = open[:len(open)-1]
		}
		at = a.end
	}
}

// keyword returns the first word of a template action.
func keyword(action []byte) string {
	if len(action) > 0 && (action[0] == '-' || action[0] == '+') {
		action = action[1:]
	}
	action = bytes.TrimLeft(action[:min(len(action), 32)], " \t")
	n := 0
	for n < len(action) && action[n]|0x20 >= 'a' && action[n]|0x20 <= 'z' {
		n++
	}
	return string(action[:n])
}

func opensGoBlock(word string) bool {
	switch word {
	case "if", "range", "with", "define", "block":
		return true
	}
	return false
}

func opensJinjaBlock(word string) bool {
	switch word {
	case "if", "for", "macro", "block", "call", "filter", "raw":
		return true
	}
	return false
}
