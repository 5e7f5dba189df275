package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

func (p *parser) stringValue() (string, error) {
	start := p.off
	simple, err := p.skipString()
	if err != nil {
		return "", err
	}
	if simple {
		return p.text[start+1 : p.off-1], nil
	}
	return p.unquote(start, p.off)
}

// unquote decodes the string literal between two offsets, which include the
// quotes.
func (p *parser) unquote(start, end int) (string, error) {
	token := p.data[start:end]
	p.wide += len(token) - utf8.RuneCount(token)
	if bytes.IndexByte(token, '\\') < 0 && utf8.Valid(token) {
		return p.text[start+1 : end-1], nil
	}
	// strconv decodes most of JSON's escapes correctly.
	if s, err := strconv.Unquote(string(token)); err == nil && utf8.ValidString(s) {
		return s, nil
	}
	// encoding/json decodes other escapes, single surrogates and invalid UTF-8.
	var s string
	if err := json.Unmarshal(token, &s); err != nil {
		return "", p.errorAt(start, "%s", err.Error())
	}
	return s, nil
}

// skipString skips the string literal that begins at p.off. simple is set if it
// has only ASCII characters and no escapes.
func (p *parser) skipString() (simple bool, err error) {
	simple = true
	for p.off++; p.off < len(p.data); {
		switch c := p.data[p.off]; {
		case c == '"':
			p.off++
			return simple, nil
		case c < ' ':
			return false, p.unexpected("in string literal")
		case c == '\\':
			simple = false
			p.off++
			if err := p.escape(); err != nil {
				return false, err
			}
		default:
			simple = simple && c < utf8.RuneSelf
			p.off++
		}
	}
	return false, p.unexpected("")
}

// escape skips the rest of an escape sequence, after the backslash.
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
