package fix

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// text is a text with the offsets of its lines.
type text struct {
	src   []byte
	lines []int
	// ascii is set if the text is ASCII, so that columns are bytes.
	ascii bool
	// lastPos and lastOffset are the position that was converted last in a text
	// that is not ASCII. A later position on this line is counted from there,
	// because counting from the start of a very long line is slow.
	lastPos    wire.Pos
	lastOffset int
}

func newText(src []byte) text {
	t := text{src: src, lines: []int{0}, ascii: isASCII(src)}
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		t.lines = append(t.lines, at)
	}
	return t
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (t *text) offset(p wire.Pos) (int, error) {
	if p.Line < 1 || p.Line > len(t.lines) || p.Column < 1 {
		return 0, errUnsupported
	}
	off, column := t.lines[p.Line-1], 1
	if t.ascii {
		if off += p.Column - 1; off > len(t.src) {
			return 0, errUnsupported
		}
		return off, nil
	}
	if p.Line == t.lastPos.Line && p.Column >= t.lastPos.Column {
		off, column = t.lastOffset, t.lastPos.Column
	}
	for ; column < p.Column; column++ {
		if off >= len(t.src) {
			return 0, errUnsupported
		}
		_, size := utf8.DecodeRune(t.src[off:])
		off += size
	}
	t.lastPos, t.lastOffset = p, off
	return off, nil
}

func (t *text) pos(off int) wire.Pos {
	line := t.lineOf(off)
	if t.ascii {
		return wire.Pos{Line: line + 1, Column: off - t.lines[line] + 1}
	}
	return wire.Pos{Line: line + 1, Column: utf8.RuneCount(t.src[t.lines[line]:off]) + 1}
}

func (t *text) lineOf(off int) int {
	lo, hi := 0, len(t.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; t.lines[mid] <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// line returns the offset of the line with this index, from 0, or the end of
// the text if there is no such line.
func (t *text) line(index int) int {
	if index < len(t.lines) {
		return t.lines[index]
	}
	return len(t.src)
}

// lineStart returns the offset of the first character in the line that contains
// off.
func (t *text) lineStart(off int) int { return t.lines[t.lineOf(off)] }

// lineEnd returns the offset of the end of the line that contains off, without
// the line break.
func (t *text) lineEnd(off int) int {
	return max(t.withoutBreak(t.lineStart(off), t.nextLine(off)), off)
}

// nextLine returns the offset of the line after the line that contains off.
func (t *text) nextLine(off int) int { return t.line(t.lineOf(off) + 1) }

// withoutBreak returns the offset of the line break that ends at to; to if
// there is none. The result is never before from.
func (t *text) withoutBreak(from, to int) int {
	if to > from && t.src[to-1] == '\n' {
		to--
		if to > from && t.src[to-1] == '\r' {
			to--
		}
	}
	return to
}

// indentation returns the white space at the start of the line that contains
// off.
func (t *text) indentation(off int) string {
	from := t.lineStart(off)
	to := from
	for to < len(t.src) && (t.src[to] == ' ' || t.src[to] == '\t') {
		to++
	}
	return string(t.src[from:to])
}

// dedent returns the lines between two offsets, all but the first without the
// indentation.
func (t *text) dedent(from, to int, indentation string) []string {
	lines := strings.Split(string(t.src[from:to]), "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		n := 0
		for i > 0 && n < len(line) && n < len(indentation) && line[n] == indentation[n] {
			n++
		}
		lines[i] = line[n:]
	}
	return lines
}

// byteAt returns the byte at an offset; 0 at the end of the text.
func (t *text) byteAt(off int) byte {
	if off < len(t.src) {
		return t.src[off]
	}
	return 0
}

// skipBlank returns the offset of the first character at off or later that is
// neither white space nor in a comment.
func (t *text) skipBlank(off int) int {
	for off < len(t.src) {
		switch {
		case isSpace(t.src[off]):
			off++
		case t.src[off] == '#' && (off == 0 || isSpace(t.src[off-1])):
			off = t.nextLine(off)
		default:
			return off
		}
	}
	return off
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
