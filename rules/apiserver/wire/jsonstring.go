package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// piece gives a part of the text.
func (p *parser) piece(start, end int) string {
	if p.text != "" {
		return p.text[start:end]
	}
	return string(p.data[start:end])
}

// name reads a field's name.
func (p *parser) name() (string, error) {
	start, end, easy, err := p.quoted()
	if err != nil {
		return "", err
	}
	if !easy {
		return p.unquote(start, end)
	}
	body := p.data[start+1 : end-1]
	if p.text != "" || len(body) == 0 {
		return p.piece(start+1, end-1), nil
	}
	known := &p.names[(len(body)*7+int(body[0])+int(body[len(body)-1])*3)%len(p.names)]
	if *known != string(body) {
		*known = string(body)
	}
	return *known, nil
}

// str reads a string.
func (p *parser) str() (string, error) {
	start, end, easy, err := p.quoted()
	if err != nil {
		return "", err
	}
	if easy {
		return p.piece(start+1, end-1), nil
	}
	return p.unquote(start, end)
}

// unquote gives the string that stands, with its quotes, between two offsets.
func (p *parser) unquote(start, end int) (string, error) {
	token := p.data[start:end]
	p.wide += len(token) - utf8.RuneCount(token)
	if bytes.IndexByte(token, '\\') < 0 && utf8.Valid(token) {
		return p.piece(start+1, end-1), nil
	}
	// Go's escapes are JSON's, of those that Go has.
	if s, err := strconv.Unquote(string(token)); err == nil && utf8.ValidString(s) {
		return s, nil
	}
	// Other escapes, lone surrogates and broken UTF-8 are encoding/json's.
	var s string
	if err := json.Unmarshal(token, &s); err != nil {
		return "", p.errorAt(start, "%s", err.Error())
	}
	return s, nil
}

// Eight bytes are looked at at a time: each of a word's bytes is one of them.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// quoted reads a string from its opening quote on: up to end. easy reports that
// it has nothing but ASCII and no escapes.
func (p *parser) quoted() (start, end int, easy bool, err error) {
	start = p.off
	off := start + 1
	beyond, plain := uint64(0), true
	for {
		for off+8 <= len(p.data) {
			w := binary.LittleEndian.Uint64(p.data[off:])
			beyond |= w // maybe of bytes behind the string, too: then it is not easy
			// A byte below 0x20 borrows a high bit that it has not, and so does a
			// quote or a backslash that was made zero. The first is certain.
			quote, slash := w^ones*'"', w^ones*'\\'
			mark := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
			if mark != 0 {
				off += bits.TrailingZeros64(mark) / 8
				break
			}
			off += 8
		}
		if off >= len(p.data) {
			p.off = off
			return 0, 0, false, p.unexpected("")
		}
		switch c := p.data[off]; {
		case c == '"':
			p.off = off + 1
			return start, p.off, plain && beyond&highs == 0, nil
		case c < ' ':
			p.off = off
			return 0, 0, false, p.unexpected("in string literal")
		case c == '\\':
			plain = false
			p.off = off + 1
			if err := p.escape(); err != nil {
				return 0, 0, false, err
			}
			off = p.off
		default: // one of the last bytes
			beyond |= uint64(c)
			off++
		}
	}
}

// escape reads what follows a backslash.
func (p *parser) escape() error {
	if p.off >= len(p.data) {
		return p.unexpected("")
	}
	switch p.data[p.off] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.off++
		return nil
	case 'u':
		p.off++
		for range 4 {
			if p.off >= len(p.data) || !isHex(p.data[p.off]) {
				return p.unexpected("in \\u hexadecimal character escape")
			}
			p.off++
		}
		return nil
	}
	return p.unexpected("in string escape code")
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
