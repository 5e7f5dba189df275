package wire

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// pass goes on to an offset that is in no string.
func (p *parser) pass(offset int) {
	passed := p.data[p.off:offset]
	if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
		p.line, p.lineStart, p.wide = p.line+n, p.off+bytes.LastIndexByte(passed, '\n')+1, 0
		passed = p.data[p.lineStart:offset]
	}
	p.wide += len(passed) - utf8.RuneCount(passed)
	p.off = offset
}

// valueEnd gives the offset behind a value that is valid and begins at another.
func valueEnd(data []byte, off int) int {
	depth := 0
	for ; off < len(data); off++ {
		switch data[off] {
		case '"':
			if off = stringEnd(data, off); depth == 0 {
				return off + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return off
			}
			if depth--; depth == 0 {
				return off + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return off
			}
			for off+9 <= len(data) && binary.LittleEndian.Uint64(data[off+1:]) == ones*' ' {
				off += 8
			}
		}
	}
	return off
}

// stringEnd gives the offset of the quote that ends a string, which is valid and
// begins with another one.
func stringEnd(data []byte, off int) int {
	for end := off + 1; ; end++ {
		n := bytes.IndexByte(data[end:], '"')
		if n < 0 {
			return len(data) - 1
		}
		end += n
		slashes := end
		for data[slashes-1] == '\\' {
			slashes--
		}
		if (end-slashes)%2 == 0 {
			return end
		}
	}
}
