package manifestlint

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decodeText gives a text as UTF-8 without byte order mark and with lines that
// end in a line feed. YAML may be UTF-16 if it begins with a mark, and takes a
// lone carriage return for a line break too.
func decodeText(data []byte) []byte {
	if hasBOM(data) {
		if out, _, err := transform.Bytes(unicode.BOMOverride(unicode.UTF8.NewDecoder()), data); err == nil {
			data = out // else the parser says what is wrong
		}
	}
	for i := 0; ; {
		n := bytes.IndexByte(data[i:], '\r')
		if n < 0 {
			return data
		}
		if i += n + 1; i == len(data) || data[i] != '\n' {
			break
		}
	}
	out := bytes.Clone(data)
	for i, c := range out {
		if c == '\r' && (i+1 == len(out) || out[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return out
}

func hasBOM(data []byte) bool {
	return len(data) >= 2 && (data[0] == 0xef || data[0] == 0xfe && data[1] == 0xff || data[0] == 0xff && data[1] == 0xfe)
}

// decodeReader is decodeText for a stream.
func decodeReader(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 4096)
	if head, _ := b.Peek(2); !hasBOM(head) {
		return b
	}
	return transform.NewReader(b, unicode.BOMOverride(unicode.UTF8.NewDecoder()))
}

// isJSONStream reports whether a text begins as JSON does.
func isJSONStream(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}
