package auditlog

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// decodeUTF16 returns a reader of UTF-8 for a text in UTF-16, with or without a
// byte order mark. Windows PowerShell writes such files. Other text is read
// unchanged.
func decodeUTF16(r io.Reader, head []byte) io.Reader {
	order, is := unicode.LittleEndian, true
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}): // UTF-32
		is = false
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		order = unicode.BigEndian
	case len(head) >= 4 && head[0] > ' ' && head[1] == 0 && head[2] > ' ' && head[3] == 0:
	case len(head) >= 4 && head[0] == 0 && head[1] > ' ' && head[2] == 0 && head[3] > ' ':
		order = unicode.BigEndian
	default:
		is = false
	}
	if !is {
		return r
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r)
}
