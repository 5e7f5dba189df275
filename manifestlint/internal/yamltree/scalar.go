package yamltree

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// scalar reads the scalar or flow collection at r.offset into v. parent is the
// column of its key or dash. Lines that continue the scalar are indented
// further than parent.
func (r *reader) scalar(v *wire.Value, parent int) bool {
	switch c := r.line[r.offset]; c {
	case '|', '>':
		return r.blockScalar(v, parent)
	case '"', '\'':
		return r.quoted(v, c, parent)
	case '[', '{':
		end, ok := r.flow(v, r.offset, 0)
		r.unread = false
		return ok && blankOrComment(r.line[end:])
	}
	return r.plain(v, parent)
}

// plain reads a plain scalar with the lines that continue it.
func (r *reader) plain(v *wire.Value, parent int) bool {
	text := r.line[r.offset:]
	if !beginsPlain(text) {
		return false
	}
	n, comment, ok := plainEnd(text)
	if !ok {
		return false
	}
	text = strings.TrimRight(text[:n], " ")
	if wire.IsInfinite(text) {
		return false
	}
	v.Pos, v.End = r.pos(r.offset), r.pos(r.offset+len(text))
	r.unread = false
	if !r.nextContent() {
		return false
	}
	if comment || !r.unread || r.offset <= parent || r.comments > 0 {
		v.Kind, v.Text = wire.Plain(text)
		return true
	}
	return r.continuation(v, text, parent)
}

// continuation reads further lines of a plain scalar. first is the first line,
// and the current line is the second one.
func (r *reader) continuation(v *wire.Value, first string, parent int) bool {
	r.folded = append(r.folded[:0], first...)
	for r.unread && r.offset > parent && r.comments == 0 {
		rest := r.line[r.offset:]
		if _, comment, ok := plainEnd(rest); !ok || comment {
			return false
		}
		r.fold(strings.TrimRight(rest, " "), r.blanks)
		// The library's positions end after the last word, and it uses the white
		// space of Unicode.
		v.End = r.pos(len(strings.TrimRightFunc(r.line, unicode.IsSpace)))
		r.unread = false
		if !r.nextContent() {
			return false
		}
	}
	v.Kind, v.Text = wire.Plain(string(r.folded))
	return true
}

// fold appends the next line of a scalar of several lines. A line break becomes
// a space. After blank lines, each blank line becomes a line break instead.
func (r *reader) fold(text string, blanks int) {
	if blanks == 0 {
		r.folded = append(r.folded, ' ')
	}
	r.addBreaks(blanks)
	r.folded = append(r.folded, text...)
}

func (r *reader) addBreaks(n int) {
	for range n {
		r.folded = append(r.folded, '\n')
	}
}

// beginsPlain reports whether text certainly begins a plain scalar.
func beginsPlain(text string) bool {
	switch c := text[0]; {
	case c == '-':
		return len(text) > 1 && text[1] != ' '
	case c == ':':
		return len(text) > 1 && text[1] != ' '
	case plainByte(c), c >= utf8.RuneSelf:
		return true
	default:
		return strings.IndexByte("()+<=^~;", c) >= 0
	}
}

// plainEnd returns the length of a line of a plain scalar without the comment,
// and whether the line has a comment. ok is false if the line has a key.
func plainEnd(text string) (n int, comment, ok bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '#':
			if i > 0 && text[i-1] == ' ' {
				return i, true, true
			}
		case ':':
			if i+1 == len(text) || text[i+1] == ' ' {
				return 0, false, false
			}
		}
	}
	return len(text), false, true
}

// quoted reads a quoted scalar, which may have several lines.
func (r *reader) quoted(v *wire.Value, quote byte, parent int) bool {
	v.Kind, v.Pos = wire.String, r.pos(r.offset)
	r.unread = false
	body := r.line[r.offset+1:]
	n, closed, ok := closingQuote(body, quote)
	if !ok {
		return false
	}
	if closed {
		v.Text, v.End = unquote(body[:n-1], quote), r.pos(r.offset+1+n)
		return blankOrComment(body[n:])
	}
	r.folded = r.folded[:0]
	escaped, ok := r.quotedLine(body, quote)
	for ok {
		blanks := 0
		if blanks, ok = r.nextQuotedLine(parent); !ok {
			break
		}
		body = r.line[r.indent:]
		if n, closed, ok = closingQuote(body, quote); !ok {
			break
		}
		if blanks == 0 && !escaped {
			r.folded = append(r.folded, ' ')
		}
		r.addBreaks(blanks)
		if closed {
			r.folded = append(r.folded, unquote(body[:n-1], quote)...)
			v.Text, v.End = string(r.folded), r.pos(r.indent+n)
			return blankOrComment(body[n:])
		}
		escaped, ok = r.quotedLine(body, quote)
	}
	return false
}

// nextQuotedLine goes to the next line of a quoted scalar that is not blank. It
// returns the number of blank lines before this line.
func (r *reader) nextQuotedLine(parent int) (blanks int, ok bool) {
	for {
		more, ok := r.nextLine()
		if !more || !ok {
			return 0, false
		}
		if r.indent < len(r.line) {
			return blanks, r.indent > parent
		}
		blanks++
	}
}

// quotedLine appends a line of a quoted scalar that continues on the next line.
// escaped is true if the line break is escaped.
func (r *reader) quotedLine(body string, quote byte) (escaped, ok bool) {
	text := strings.TrimRight(body, " ")
	if quote == '"' {
		slashes := len(text) - len(strings.TrimRight(text, `\`))
		if escaped = slashes%2 == 1; escaped {
			if len(text) < len(body) {
				return false, false // an escaped space at the end of a line
			}
			text = text[:len(text)-1]
		}
	}
	r.folded = append(r.folded, unquote(text, quote)...)
	return escaped, true
}

// closingQuote returns the offset after the closing quote. closed is false if
// the line has no closing quote. ok is false for an escape that the reader does
// not support.
func closingQuote(body string, quote byte) (n int, closed, ok bool) {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\' && quote == '"':
			i++
			if i == len(body) { // the line break is escaped
				return 0, false, true
			}
			if strings.IndexByte(`nt"\/r0 `, body[i]) < 0 {
				return 0, false, false
			}
		case c == quote:
			if quote == '\'' && i+1 < len(body) && body[i+1] == '\'' {
				i++
				continue
			}
			return i + 1, true, true
		}
	}
	return 0, false, true
}

// unquote replaces the escapes in a quoted scalar, or in a part of it.
func unquote(text string, quote byte) string {
	if quote == '\'' {
		return strings.ReplaceAll(text, "''", "'")
	}
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			i++
			switch c = text[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// blockScalar reads a literal or folded scalar. In a folded scalar, lines are
// joined, except lines that are indented further.
func (r *reader) blockScalar(v *wire.Value, parent int) bool {
	header := r.line[r.offset:]
	v.Kind, v.Pos, v.End = wire.String, r.pos(r.offset), r.pos(len(r.line))
	chomp, rest := byte(0), header[1:]
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		chomp, rest = rest[0], rest[1:]
	}
	if !blankOrComment(rest) {
		return false
	}
	text := blockText{r: r, v: v, folding: header[0] == '>', parent: parent, column: -1}
	if !text.read() {
		return false
	}
	if text.lines > 0 && chomp != '-' {
		r.addBreaks(1)
	}
	if chomp == '+' {
		r.addBreaks(text.blanks)
	}
	v.Text = string(r.folded)
	return true
}

type blockText struct {
	r       *reader
	v       *wire.Value
	folding bool
	parent  int
	column  int // column of the text in each line; -1 before the first line
	lines   int
	blanks  int  // number of blank lines since the last line of text
	spaces  int  // length of the longest blank line before the text
	indents bool // the last line of text began with white space
}

// read reads up to the first line after the scalar.
func (b *blockText) read() bool {
	r := b.r
	r.folded, r.unread = r.folded[:0], false
	for {
		before := r.next
		more, ok := r.nextLine()
		if !more {
			return strings.HasSuffix(r.src, "\n") // the library reads a last line without a line break differently
		}
		if !ok && !printableExceptTabs(r.line) {
			return false
		}
		blank := r.indent == len(r.line)
		switch {
		case blank && (b.column < 0 || r.indent <= b.column):
			if b.blanks++; b.column < 0 {
				b.spaces = max(b.spaces, r.indent)
			}
			continue
		case !blank && r.indent < b.column, b.column < 0 && r.indent <= b.parent:
			r.next = before
			r.number--
			return b.isAfterScalar()
		case b.column < 0:
			if b.spaces > r.indent || r.line[r.indent] == '\t' {
				return false
			}
			b.column = r.indent
		}
		b.add(r.line[b.column:])
		if !blank {
			b.v.End = r.pos(len(r.line))
		}
	}
}

// isAfterScalar reports whether the current line is certainly after the scalar.
func (b *blockText) isAfterScalar() bool {
	if b.column < 0 {
		return b.spaces <= b.parent+1
	}
	return b.r.line[b.r.indent] != '\t'
}

func (b *blockText) add(text string) {
	r := b.r
	indents := text[0] == ' ' || text[0] == '\t'
	switch {
	case b.lines == 0:
	case !b.folding || indents || b.indents:
		r.addBreaks(1)
	case b.blanks == 0:
		r.folded = append(r.folded, ' ')
	}
	r.addBreaks(b.blanks)
	r.folded = append(r.folded, text...)
	b.lines, b.blanks, b.indents = b.lines+1, 0, indents
}
