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

// placeholder matches values that a build replaces: {NAME}, @NAME@, %NAME%.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^{$])\{[A-Z][A-Z0-9_]*\}|(^|[\s:=/])@[A-Z][A-Z0-9_]*@|(:\s+)%[A-Z][A-Z0-9_]*%`)
})

// IsTemplate reports whether a document that does not parse is a template
// rather than broken. line is the line, counted from 1, on which the parser
// failed: a placeholder there or on a line beside it is the likely cause.
func IsTemplate(doc []byte, line int) bool {
	if HasMarkup(doc) {
		return true
	}
	for n := 1; len(doc) > 0 && n <= line+1; n++ {
		end := LineEnd(doc, 0)
		if n >= line-1 && bytes.ContainsAny(doc[:end], "{@%") && placeholder().Match(doc[:end]) {
			return true
		}
		doc = doc[end:]
	}
	return false
}

// OpenBlocks returns the number of control statements that a text opens minus
// those that it closes. Documents inside an open block exist only if the
// template says so, even if they have no markup of their own.
func OpenBlocks(text []byte) int {
	open := 0
	for {
		n := bytes.IndexByte(text, '{')
		if n < 0 || n+2 >= len(text) {
			return open
		}
		text = text[n+1:]
		mark := text[0]
		if mark != '{' && mark != '%' {
			continue
		}
		switch word := keyword(text[1:]); {
		case mark == '{' && word == "end", mark == '%' && len(word) > 3 && word[:3] == "end":
			open--
		case mark == '{' && opensGoBlock(word), mark == '%' && opensJinjaBlock(word):
			open++
		}
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
