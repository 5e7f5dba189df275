package auditlog

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// decodeUTF16 returns a reader of UTF-8 for a text in UTF-16, with or without a
// byte order mark. Windows PowerShell writes such files. Other text is read
// unchanged.
func decodeUTF16(r io.Reader, head []byte) io.Reader {
	order := unicode.LittleEndian
	switch EncodingOf(head) {
	case UTF8:
		return r
	case UTF16BE:
		order = unicode.BigEndian
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r)
}

// Encoding is the encoding of a log.
type Encoding string

// These are the encodings of logs. The zero value is UTF8.
const (
	UTF8    Encoding = ""
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
)

// EncodingOf returns the encoding of a text from its beginning, with or without
// a byte order mark. It needs four bytes.
func EncodingOf(head []byte) Encoding {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}): // UTF-32
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return UTF16LE
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return UTF16BE
	case len(head) >= 4 && head[0] > ' ' && head[1] == 0 && head[2] > ' ' && head[3] == 0:
		return UTF16LE
	case len(head) >= 4 && head[0] == 0 && head[1] > ' ' && head[2] == 0 && head[3] > ' ':
		return UTF16BE
	}
	return UTF8
}

// Decode returns a text in UTF-8, with its byte order mark. It leaves out an
// incomplete character at the end.
func (e Encoding) Decode(text []byte) []byte {
	if e == UTF8 {
		return text
	}
	var order binary.ByteOrder = binary.LittleEndian
	if e == UTF16BE {
		order = binary.BigEndian
	}
	out := make([]byte, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		r := rune(order.Uint16(text[i:]))
		if utf16.IsSurrogate(r) {
			if r < 0xdc00 && i+3 >= len(text) {
				break
			}
			low := rune(utf8.RuneError)
			if i+3 < len(text) {
				low = rune(order.Uint16(text[i+2:]))
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// Size returns the size in bytes of a text that Decode returned, before it was
// decoded.
func (e Encoding) Size(text []byte) int {
	if e == UTF8 {
		return len(text)
	}
	n := 0
	for _, r := range string(text) {
		n += 2 * utf16.RuneLen(r)
	}
	return n
}
