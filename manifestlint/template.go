package manifestlint

import (
	"bytes"
	"regexp"
	"sync"
)

// markup reports whether a text has the marks of a template language: Go and
// Helm templates, Jinja, ERB.
func markup(b []byte) bool {
	return bytes.Contains(b, []byte("{{")) || bytes.Contains(b, []byte("{%")) || bytes.Contains(b, []byte("<%"))
}

// placeholder matches values that a build fills in: {NAME}, @NAME@, %NAME%.
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[^{$])\{[A-Z][A-Z0-9_]*\}|(^|[\s:=/])@[A-Z][A-Z0-9_]*@|(:\s+)%[A-Z][A-Z0-9_]*%`)
})

// templated reports whether a document that does not parse is a template
// rather than broken. line is the line of b, from 1, at which the parser gave
// up; a placeholder on it, or on one beside it, is what stopped it.
func templated(b []byte, line int) bool {
	if markup(b) {
		return true
	}
	for n := 1; len(b) > 0 && n <= line+1; n++ {
		end := lineEnd(b, 0)
		if n >= line-1 && bytes.ContainsAny(b[:end], "{@%") && placeholder().Match(b[:end]) {
			return true
		}
		b = b[end:]
	}
	return false
}

// startsMarkup reports whether a text begins with the markup of a template.
// Where YAML wants a key or a value, a document that has it cannot be one: a
// flow map whose first key is a map has no JSON form, and "{%" is no YAML.
func startsMarkup(b []byte) bool {
	return len(b) > 2 && b[0] == '{' && (b[1] == '{' || b[1] == '%')
}

// openBlocks counts the control statements that a text opens and does not
// close. The documents that follow stand inside them: whether they exist is
// up to the template, even if they have no markup of their own.
func openBlocks(b []byte) int {
	open := 0
	for {
		n := bytes.IndexByte(b, '{')
		if n < 0 || n+2 >= len(b) {
			return open
		}
		b = b[n+1:]
		mark := b[0]
		if mark != '{' && mark != '%' {
			continue
		}
		switch word := keyword(b[1:]); {
		case mark == '{' && word == "end", mark == '%' && len(word) > 3 && word[:3] == "end":
			open--
		case mark == '{' && goBlock(word), mark == '%' && jinjaBlock(word):
			open++
		}
	}
}

// keyword gives the first word of a template action.
func keyword(b []byte) string {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	b = bytes.TrimLeft(b[:min(len(b), 32)], " \t")
	n := 0
	for n < len(b) && letterByte(b[n]) {
		n++
	}
	return string(b[:n])
}

func letterByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func goBlock(word string) bool {
	switch word {
	case "if", "range", "with", "define", "block":
		return true
	}
	return false
}

func jinjaBlock(word string) bool {
	switch word {
	case "if", "for", "macro", "block", "call", "filter", "raw":
		return true
	}
	return false
}
