package manifestlint

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fold puts together the text of a scalar that spans lines (YAML 1.2, line
// folding): a line break becomes a space, and each blank line a line break.
type fold struct {
	v      *wire.Value // a plain scalar that may go on
	raw    []byte      // what is known of it
	buf    []byte
	more   bool // it went on
	blanks int  // blank lines since the last text
	escape bool // the last line break was escaped
}

// first begins a plain scalar.
func (f *fold) first(v *wire.Value, text []byte) {
	f.v, f.raw, f.more, f.blanks = v, text, false, 0
}

// blank notes a blank line.
func (f *fold) blank() { f.blanks++ }

// next adds a line to the plain scalar.
func (f *fold) next(text []byte, end wire.Pos) {
	if !f.more {
		f.more = true
		f.buf = append(f.buf[:0], f.raw...)
	}
	f.join(text)
	f.v.End = end
}

// join adds what follows a line break.
func (f *fold) join(text []byte) {
	if f.blanks == 0 && !f.escape {
		f.buf = append(f.buf, ' ')
	}
	f.buf = breaks(f.buf, f.blanks)
	f.blanks, f.escape = 0, false
	f.buf = append(f.buf, text...)
}

// close ends the plain scalar.
func (f *fold) close() {
	if f.more {
		f.v.Kind, f.v.Text = wire.Plain(string(f.buf))
	}
	f.v, f.more = nil, false
}

func breaks(buf []byte, n int) []byte {
	for ; n > 0; n-- {
		buf = append(buf, '\n')
	}
	return buf
}

// goOn adds the line that the skimmer is on to the plain scalar before it.
func (b *builder) goOn(line []byte, number int) {
	text := bytes.Trim(line, " ")
	// The converter looks for the last word, as Unicode has it.
	end := bytes.TrimRightFunc(line, unicode.IsSpace)
	b.fold.next(text, wire.Pos{Line: number + b.firstLine - 1, Column: utf8.RuneCount(end) + 1})
}

// quotedLine adds a line of a quoted scalar that spans several: what stands
// between its indentation, or the opening quote, and its end, or the closing
// quote.
func (b *builder) quotedLine(text []byte, quote byte, first, last bool) {
	f := &b.fold
	escape := false
	if !last {
		trimmed := bytes.TrimRight(text, " ")
		if quote == '"' {
			slashes := len(trimmed) - len(bytes.TrimRight(trimmed, "\\"))
			if escape = slashes%2 == 1; escape {
				if len(trimmed) < len(text) {
					b.bad = true // an escaped space at the end of a line
					return
				}
				trimmed = trimmed[:len(trimmed)-1]
			}
		}
		text = trimmed
	}
	value := unquote(text, quote)
	if first {
		f.blanks = 0
		f.buf = append(f.buf[:0], value...)
	} else {
		f.join([]byte(value))
	}
	f.escape = escape
}

// quotedEnd ends a quoted scalar that spans lines.
func (b *builder) quotedEnd(end wire.Pos) {
	v := b.slot
	v.Text, v.End = string(b.fold.buf), end
	b.fold.escape = false
}

// block makes the value of a block scalar: header is the line from its
// indicator on, text the lines that follow and belong to it. Lines of a folded
// one are joined, but for those that are indented further
// (yaml_parser_scan_block_scalar).
func (b *builder) block(header, text []byte) {
	v := b.value()
	v.Kind, v.Pos, v.End = wire.String, b.at(b.offset(header)), b.at(len(b.line))
	b.blockAnchored(v)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.bad = true // a last line without an end
		return
	}
	out := b.fold.buf[:0]
	indent, blanks, number := -1, 0, b.number
	any, further := false, false // whether a line was read, and began with white space
	for len(text) > 0 {
		end := lineEnd(text, 0)
		line := bytes.TrimSuffix(text[:end-1], []byte{'\r'})
		text = text[end:]
		number++
		rest := bytes.TrimLeft(line, " ")
		if len(rest) == 0 && (indent < 0 || len(line) <= indent) {
			blanks++
			continue
		}
		if indent < 0 {
			indent = len(line) - len(rest)
		}
		space := line[indent] == ' ' || line[indent] == '\t'
		switch {
		case !any:
		case header[0] == '|' || space || further:
			out = append(out, '\n')
		case blanks == 0:
			out = append(out, ' ')
		}
		out = append(breaks(out, blanks), line[indent:]...)
		any, further, blanks = true, space, 0
		if len(rest) > 0 {
			v.End = wire.Pos{Line: number + b.firstLine - 1, Column: utf8.RuneCount(line) + 1}
		}
	}
	keep := len(header) > 1 && header[1] == '+'
	if any && (keep || len(header) < 2 || header[1] != '-') {
		out = append(out, '\n')
	}
	if keep {
		out = breaks(out, blanks)
	}
	v.Text = string(out)
	b.fold.buf = out
}
