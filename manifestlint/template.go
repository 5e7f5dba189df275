package manifestlint

import (
	"bytes"
	"regexp"
)

// markup reports whether a text has the marks of a template language: Go and
// Helm templates, Jinja, ERB.
func markup(b []byte) bool {
	return bytes.Contains(b, []byte("{{")) || bytes.Contains(b, []byte("{%")) || bytes.Contains(b, []byte("<%"))
}

// placeholder matches values that a build fills in: {NAME}, @NAME@, %NAME%.
var placeholder = regexp.MustCompile(`(^|[^{$])\{[A-Z][A-Z0-9_]*\}|(^|[\s:=/])@[A-Z][A-Z0-9_]*@|(:\s+)%[A-Z][A-Z0-9_]*%`)

// templated reports whether a document that does not parse is a template
// rather than broken. line is the line of b, from 1, at which the parser gave
// up; a placeholder on it, or on one beside it, is what stopped it.
func templated(b []byte, line int) bool {
	if markup(b) {
		return true
	}
	for n := 1; len(b) > 0 && n <= line+1; n++ {
		end := lineEnd(b, 0)
		if n >= line-1 && placeholder.Match(b[:end]) {
			return true
		}
		b = b[end:]
	}
	return false
}

// blockStart and blockEnd match the control statements that enclose text.
var (
	blockStart = regexp.MustCompile(`\{\{-?\s*(if|range|with|define|block)\b|\{%-?\s*(if|for|macro|block|call|filter|raw)\b`)
	blockEnd   = regexp.MustCompile(`\{\{-?\s*end\b|\{%-?\s*end[a-z]+\b`)
)

// openBlocks counts the control statements that a text opens and does not
// close. The documents that follow stand inside them: whether they exist is
// up to the template, even if they have no markup of their own.
func openBlocks(b []byte) int {
	if !markup(b) {
		return 0
	}
	return len(blockStart.FindAllIndex(b, -1)) - len(blockEnd.FindAllIndex(b, -1))
}
