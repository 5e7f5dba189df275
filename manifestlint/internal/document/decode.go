package document

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Decode returns text as UTF-8 without a byte order mark and with lines that
// end in a line feed. YAML may be UTF-16 if it begins with a byte order mark,
// and accepts a lone carriage return as a line break. If text cannot be
// decoded, it is returned unchanged, because the parser reports the error.
func Decode(text []byte) []byte {
	if hasByteOrderMark(text) {
		if out, _, err := transform.Bytes(unicode.BOMOverride(unicode.UTF8.NewDecoder()), text); err == nil {
			text = out
		}
	}
	if !hasLoneReturn(text) {
		return text
	}
	out := bytes.Clone(text)
	for i, c := range out {
		if c == '\r' && (i+1 == len(out) || out[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return out
}

// hasLoneReturn reports whether text has a carriage return without a line feed
// after it.
func hasLoneReturn(text []byte) bool {
	for {
		n := bytes.IndexByte(text, '\r')
		if n < 0 {
			return false
		}
		if text = text[n+1:]; len(text) == 0 || text[0] != '\n' {
			return true
		}
	}
}

func hasByteOrderMark(text []byte) bool {
	return len(text) >= 2 && (text[0] == 0xef || text[0] == 0xfe && text[1] == 0xff || text[0] == 0xff && text[1] == 0xfe)
}

// DecodeReader returns a stream as UTF-8 without a byte order mark. Unlike
// Decode, it keeps lone carriage returns.
func DecodeReader(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 4096)
	if head, _ := b.Peek(2); !hasByteOrderMark(head) {
		return b
	}
	return transform.NewReader(b, unicode.BOMOverride(unicode.UTF8.NewDecoder()))
}

// IsJSON reports whether text begins with { or [.
func IsJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// JSON returns the part of a document that can be JSON, without a marker line
// before it; nil for none. line is the line in the document, from 1, on which
// the part begins.
func JSON(doc []byte) (text []byte, line int) {
	line = 1
	if BeginsDocument(doc) {
		end := LineEnd(doc, 0)
		rest := bytes.TrimLeft(bytes.TrimRight(doc[3:end], "\r\n"), " \r")
		if len(rest) > 0 && rest[0] != '#' {
			return nil, 0
		}
		doc, line = doc[end:], 2
	}
	if !IsJSON(doc) {
		return nil, 0
	}
	return doc, line
}
