package wire

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// indexLines sets c.lines to the offsets of all lines.
func (c *converter) indexLines() {
	c.lines = append(c.lines, 0)
	for i := 0; ; {
		n := bytes.IndexByte(c.src[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		c.lines = append(c.lines, i)
	}
}

// pos returns the position of a node in the input.
func (c *converter) pos(n *yaml.Node) Pos {
	return Pos{Line: n.Line + c.firstLine - 1, Column: n.Column}
}

// scalarEnd returns the position after the last character of a scalar. indent is
// the column of the block that contains the scalar, as in the method value.
func (c *converter) scalarEnd(n *yaml.Node, indent int) Pos {
	start := c.pos(n)
	off, ok := c.offset(n.Line, n.Column)
	if !ok || n.Kind != yaml.ScalarNode {
		return start
	}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return c.blockEnd(n.Line, indent)
	case n.Style&yaml.TaggedStyle != 0 || n.Anchor != "":
		return c.lineEnd(n.Line)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return c.quoteEnd(n, off, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return c.quoteEnd(n, off, '\'')
	}
	if bytes.HasPrefix(c.src[off:], []byte(n.Value)) {
		return Pos{start.Line, start.Column + utf8.RuneCountInString(n.Value)}
	}
	return c.plainEnd(n)
}

// plainEnd returns the end of a plain scalar with several lines, which is the end
// of its last word. It skips the words one by one: a search for the last word
// could read the rest of the document for every scalar.
func (c *converter) plainEnd(n *yaml.Node) Pos {
	off, _ := c.offset(n.Line, n.Column)
	line := n.Line
	for _, word := range strings.Fields(n.Value) {
		rest := bytes.TrimLeftFunc(c.src[off:], unicode.IsSpace)
		if !bytes.HasPrefix(rest, []byte(word)) {
			return c.lineEnd(n.Line)
		}
		begin := len(c.src) - len(rest)
		line += bytes.Count(c.src[off:begin], []byte{'\n'})
		off = begin + len(word)
	}
	return c.posAt(line, off)
}

// quoteEnd returns the end of a quoted scalar that begins at offset off.
func (c *converter) quoteEnd(n *yaml.Node, off int, quote byte) Pos {
	line := n.Line
	for i := off + 1; i < len(c.src); i++ {
		switch b := c.src[i]; {
		case b == '\n':
			line++
		case b == '\\' && quote == '"':
			i++
			if i < len(c.src) && c.src[i] == '\n' {
				line++
			}
		case b == quote && quote == '\'' && i+1 < len(c.src) && c.src[i+1] == quote:
			i++
		case b == quote:
			return c.posAt(line, i+1)
		}
	}
	return c.lineEnd(n.Line)
}

// blockEnd returns the end of the last line of a block scalar. header is the line
// with | or >.
func (c *converter) blockEnd(header, indent int) Pos {
	last, content := header, 0
	for line := header + 1; line <= len(c.lines); line++ {
		text := c.line(line)
		rest := bytes.TrimLeft(text, " ")
		if len(rest) == 0 {
			continue
		}
		spaces := len(text) - len(rest)
		if spaces <= indent || spaces < content {
			break
		}
		if content == 0 && !explicitIndent(c.line(header)) {
			content = spaces
		}
		last = line
	}
	return c.lineEnd(last)
}

// explicitIndent reports whether the header of a block scalar may have an
// indentation indicator, such as the 2 in |2.
func explicitIndent(header []byte) bool {
	at := bytes.LastIndexAny(header, "|>")
	return at >= 0 && bytes.ContainsAny(header[at:], "123456789")
}

// line returns line n of src without its line break. Lines count from 1.
func (c *converter) line(n int) []byte {
	if n < 1 || n > len(c.lines) {
		return nil
	}
	text := c.src[c.lines[n-1]:]
	if n < len(c.lines) {
		text = c.src[c.lines[n-1] : c.lines[n]-1]
	}
	return bytes.TrimSuffix(text, []byte{'\r'})
}

// lineEnd returns the position after the last character of line n of src.
func (c *converter) lineEnd(n int) Pos {
	if c.lastLineEnd.line != n {
		c.lastLineEnd = place{line: n, column: utf8.RuneCount(c.line(n)) + 1}
	}
	return Pos{n + c.firstLine - 1, c.lastLineEnd.column}
}

// posAt returns the position of the offset off on a line of src. If off is not on
// this line, it returns the end of the line.
func (c *converter) posAt(line, off int) Pos {
	if line < 1 || line > len(c.lines) || off < c.lines[line-1] {
		return c.lineEnd(min(max(line, 1), len(c.lines)))
	}
	p := place{line, 1, c.lines[line-1]}
	if c.lastPlace.line == line && c.lastPlace.off <= off {
		p = c.lastPlace
	}
	p.column += utf8.RuneCount(c.src[p.off:off])
	p.off = off
	if off == len(c.src) || utf8.RuneStart(c.src[off]) {
		c.lastPlace = p
	}
	return Pos{line + c.firstLine - 1, p.column}
}

// offset returns the offset in src of a line and a column in code points. It
// returns false if the position is outside of src.
func (c *converter) offset(line, column int) (int, bool) {
	if line < 1 || line > len(c.lines) {
		return 0, false
	}
	p := place{line, 1, c.lines[line-1]}
	if c.lastPlace.line == line && c.lastPlace.column <= column {
		p = c.lastPlace
	}
	for ; p.column < column && p.off < len(c.src); p.column++ {
		_, size := utf8.DecodeRune(c.src[p.off:])
		p.off += size
	}
	c.lastPlace = p
	return p.off, p.off < len(c.src)
}

// place is a position in src. line and column count from 1, column in code
// points; off is the byte offset. The zero value means no position.
type place struct{ line, column, off int }
