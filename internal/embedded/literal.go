package embedded

import (
	"bytes"
	"go/ast"
	"go/token"
	"strconv"
	"unicode/utf8"
)

// literal is the text of a string literal, or of a concatenation of literals, with the
// position of each byte in the source.
type literal struct {
	name    string
	fset    *token.FileSet
	src     []byte
	content []byte
	// from has the offset in the source for each byte of content.
	from []int
}

// add appends the text of an expression. It returns false if a part of the expression is
// not a literal.
func (l *literal) add(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.add(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && l.add(e.X) && l.add(e.Y)
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return false
		}
		start := l.fset.PositionFor(e.Pos(), false).Offset
		end := l.fset.PositionFor(e.End(), false).Offset
		if start < 0 || end > len(l.src) || end-start < 2 {
			return false
		}
		body := l.src[start+1 : end-1]
		if l.src[start] == '`' {
			l.raw(body, start+1)
			return true
		}
		return l.interpreted(body, start+1)
	}
	return false
}

// raw appends the body of a raw string. Like the compiler, it drops carriage returns.
func (l *literal) raw(body []byte, at int) {
	for i, c := range body {
		if c != '\r' {
			l.content = append(l.content, c)
			l.from = append(l.from, at+i)
		}
	}
}

// interpreted appends the body of an interpreted string. It returns false if the string
// is malformed.
func (l *literal) interpreted(body []byte, at int) bool {
	for rest := string(body); rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return false
		}
		n := len(l.content)
		if multibyte {
			l.content = utf8.AppendRune(l.content, r)
		} else {
			l.content = append(l.content, byte(r))
		}
		for ; n < len(l.content); n++ {
			l.from = append(l.from, at)
		}
		at += len(rest) - len(tail)
		rest = tail
	}
	return true
}

// text returns the text of the literal, or nil if the literal cannot contain a manifest.
func (l *literal) text() *text {
	if !bytes.Contains(l.content, apiVersion) || !bytes.Contains(l.content, []byte("kind")) {
		return nil
	}
	content := fillPlaceholders(l.content)
	if content == nil {
		return nil
	}
	var starts []int // offsets of the lines in the content
	starts = append(starts, 0)
	for i, c := range content {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return &text{file: l.name, content: content, place: func(line, column int) (int, int) {
		if line < 1 || line > len(starts) {
			return line, column
		}
		at := starts[line-1]
		for ; column > 1 && at < len(content) && content[at] != '\n'; column-- {
			_, size := utf8.DecodeRune(content[at:])
			at += size
		}
		return l.position(at)
	}}
}

// position returns the position in the Go file for an offset in the content. The column
// counts code points.
func (l *literal) position(at int) (line, column int) {
	offset := 0
	switch {
	case at < len(l.from):
		offset = l.from[at]
	case len(l.from) > 0:
		offset = l.from[len(l.from)-1] + 1
	}
	before := l.src[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	first := bytes.TrimPrefix(before[start:], []byte("\xef\xbb\xbf"))
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(first) + 1
}
