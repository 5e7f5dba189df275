package document

import (
	"bytes"
	"regexp"
	"sync"
)

// HasMarkup reports whether text contains an opening brace of a template
// language: Go and Helm templates, Jinja or ERB.
func HasMarkup(text []byte) bool {
	return bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%")) || bytes.Contains(text, []byte("<%"))
}

// valueToken matches a value such as #{VERSION}, which Octopus Deploy and other
// programs replace. YAML reads it as a comment.
var valueToken = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[^#\n]*(:|-)[ \t]+#\{[A-Za-z_][\w.-]*\}#?[ \t\r]*$`)
})

// HasToken reports whether a document has a value that another program replaces
// and that YAML reads as a comment.
func HasToken(doc []byte) bool {
	return bytes.Contains(doc, []byte(" #{")) && valueToken().Match(doc)
}

// placeholder matches values that a build replaces, such as {NAME}, @NAME@ and
// %NAME%.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^{$])\{[A-Z][A-Z0-9_]*\}|(^|[\s:=/])@[A-Z][A-Z0-9_]*@|(:\s+)%[A-Z][A-Z0-9_]*%`)
})

// HasPlaceholder reports whether a line of a document, from 1, or one of the
// two lines around it has a placeholder of a build. If the parser failed on
// this line, the placeholder is the likely cause.
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

// action is one pair of template braces with its content, such as {{ .a }} or
// {% if b %}.
type action struct {
	start, end int // offsets
	// opens and closes are set if the action begins or ends a control statement.
	opens, closes bool
}

// maxAction is the largest length of an action, in bytes. The search for its
// closing brace ends there.
const maxAction = 4096

// nextAction returns the first action at from or later. An action without a
// closing brace is only the opening brace.
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
		case end == "#}": // such as ${#list} in a shell
			continue
		}
		return a, true
	}
}

// ReplaceActions returns a document with its template actions replaced: by
// spaces if they fill whole lines, and otherwise by letters, which can be a
// value. If the result parses, the document is a template, not broken. Lines
// keep their numbers.
func ReplaceActions(doc []byte) []byte {
	out := bytes.Clone(doc)
	fill := func(start, end int, with byte) {
		for i := start; i < end; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = with
			}
		}
	}
	for a, ok := nextAction(doc, 0); ok; {
		row := []action{a} // actions with only separators between them
		for {
			end := a.end
			a, ok = nextAction(doc, end)
			if !ok || len(bytes.Trim(doc[end:a.start], " \t-,")) > 0 {
				break
			}
			row = append(row, a)
		}
		if start, end := row[0].start, row[len(row)-1].end; fillsLines(doc, start, end) {
			fill(start, end, ' ')
			continue
		}
		for _, one := range row {
			fill(one.start, one.end, 'x')
		}
	}
	return out
}

// fillsLines reports whether there is no other text on the lines from start to
// end. Commas after end are allowed.
func fillsLines(text []byte, start, end int) bool {
	before := bytes.TrimRight(text[:start], " \t\r")
	after := bytes.TrimLeft(text[end:], " \t\r,")
	return (len(before) == 0 || before[len(before)-1] == '\n') && (len(after) == 0 || after[0] == '\n')
}

// MayDependOnTemplate reports whether an error on a line, from 1, can depend on
// a template: the line is in a control statement, or it or the line before it
// has an action.
func MayDependOnTemplate(doc []byte, line int) bool {
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

// statement is the range of a control statement of a template, such as if …
// end, as offsets.
type statement struct{ start, end int }

// statements returns the complete control statements of a text, sorted by their
// ends. Documents in a control statement exist only if its condition is true,
// even if they have no actions.
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
