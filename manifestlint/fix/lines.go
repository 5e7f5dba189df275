package fix

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// appendLines adds where lines begin behind the line breaks of a text that
// begins at an offset.
func appendLines(lines []int, text []byte, off int) []int {
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return lines
		}
		at += n + 1
		lines = append(lines, off+at)
	}
}

// breaks learns how lines end.
func (l *layout) breaks() {
	l.nl = "\n"
	if bytes.IndexByte(l.text, '\r') < 0 {
		return
	}
	if crlf := bytes.Count(l.text, []byte("\r\n")); crlf > 0 && 2*crlf >= len(l.lines)-1 {
		l.nl = "\r\n"
	}
}

// oddLines reports whether there are line breaks for a YAML parser that are none
// here.
func oddLines(text []byte) bool {
	return bytes.Count(text, []byte{'\r'}) != bytes.Count(text, []byte("\r\n")) ||
		bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029"))
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// offset gives the offset of a line and a column in code points, from 1.
func (l *layout) offset(line, column int) (int, error) {
	line -= l.before
	if line < 1 || line > len(l.lines) || column < 1 {
		return 0, errLost
	}
	off, from := l.lines[line-1], 1
	if l.ascii {
		if off += column - 1; off > len(l.text) {
			return 0, errLost
		}
		return off, nil
	}
	if line == l.seenLine && column >= l.seenColumn {
		off, from = l.seen, l.seenColumn
	}
	for ; from < column; from++ {
		if off >= len(l.text) {
			return 0, errLost
		}
		_, size := utf8.DecodeRune(l.text[off:])
		off += size
	}
	l.seen, l.seenLine, l.seenColumn = off, line, column
	return off, nil
}

// errLost is the refusal of a text that the layout does not understand.
var errLost = &Refusal{"the text is written in a way that is not edited"}

// lineOf gives the index of the line that an offset is on.
func (l *layout) lineOf(off int) int {
	lo, hi := 0, len(l.lines)
	// Most that is asked for is on the line that was asked for last, or on the
	// next one.
	if last := l.lastLine; last < hi && l.lines[last] <= off {
		for range 2 {
			if lo = last; last+1 == hi || off < l.lines[last+1] {
				l.lastLine = last
				return last
			}
			last++
		}
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.lines[mid] <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	l.lastLine = lo
	return lo
}

// lineStart gives where the line of an offset begins, lineEnd where its text
// ends, without the line break, and nextLine where the next one begins.
func (l *layout) lineStart(off int) int { return l.lines[l.lineOf(off)] }

func (l *layout) lineEnd(off int) int {
	end := l.nextLine(off)
	if end > 0 && l.text[end-1] == '\n' && end > l.lineStart(off) {
		end--
		if end > l.lineStart(off) && l.text[end-1] == '\r' {
			end--
		}
	}
	return max(end, off)
}

func (l *layout) nextLine(off int) int {
	if n := l.lineOf(off) + 1; n < len(l.lines) {
		return l.lines[n]
	}
	return len(l.text)
}

// replace makes a text the layout's. In it, lines that begin on a line have come
// into the place of what stood between two offsets.
func (l *layout) replace(line, from, to int, lines, now []byte) {
	by := len(now) - len(l.text)
	behind := line + 1
	for behind < len(l.lines) && l.lines[behind] <= to {
		behind++
	}
	old := len(l.lines)
	rest := l.lines[behind:]
	added := bytes.Count(lines, []byte{'\n'})
	if grow := added - (behind - line - 1); grow > 0 {
		l.lines = slices.Grow(l.lines, grow)[:old+grow]
		l.room.lines = l.lines
		copy(l.lines[behind+grow:], rest)
	} else if grow < 0 {
		copy(l.lines[behind+grow:], rest)
		l.lines = l.lines[:old+grow]
	}
	appendLines(l.lines[:line+1], lines, from)
	for i := line + 1 + added; i < len(l.lines); i++ {
		l.lines[i] += by
	}
	l.text = now
	l.ascii = l.ascii && isASCII(lines)
	l.breaks()
}
