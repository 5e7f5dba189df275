package auditlog

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
)

// maxLook is the number of bytes from the beginning of a text that are used to
// describe it.
const maxLook = 4096

// kinds has the first bytes of files in formats that are not supported.
var kinds = []struct{ magic, name string }{
	{"PAR1", "a Parquet file"}, {"ORC", "an ORC file"}, {"Obj\x01", "an Avro file"}, {"SQLite format 3", "an SQLite database"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"Rar!", "a RAR archive"}, {"\xff\x06\x00\x00sNaPpY", "compressed with Snappy"},
	{"\x1f\x9d", "compressed with compress(1)"}, {"LZIP", "compressed with lzip"},
	{"%PDF", "a PDF file"}, {"\x7fELF", "a program"}, {"age-encryption.org", "encrypted with age"}, {"-----BEGIN PGP", "encrypted with PGP"},
	{"\xff\xfe\x00\x00", "UTF-32 text"}, {"\x00\x00\xfe\xff", "UTF-32 text"}, {"LPKSHHRH", "a binary journal of systemd"},
}

// lookOf describes a text without events. head is the beginning of the text.
func lookOf(head []byte) string {
	if len(head) == 0 {
		return "is empty"
	}
	for _, k := range kinds {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return "looks like " + k.name
		}
	}
	if c := codecOf(head); c != nil {
		return fmt.Sprintf("is compressed more than %d times, the innermost with %s", maxLayers, c.name)
	}
	text := trim(head)
	if len(text) == 0 {
		return "has only blank lines"
	}
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	switch {
	case bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:max(0, len(head)-utf8.UTFMax)]):
		return "looks like a binary file"
	case text[0] == '{':
		if keys := keysOf(text); len(keys) > 0 {
			return "looks like JSON objects with the keys " + list(keys)
		}
	case text[0] == '<':
		return "looks like XML or HTML"
	case text[0] == '[' && arrayLike(line):
		return "looks like a JSON array" + elements(text)
	case bytes.HasPrefix(text, []byte("---")) || yamlLine(line):
		return "looks like YAML"
	}
	for _, comma := range commas {
		r := csv.NewReader(bytes.NewReader(line))
		r.Comma = comma
		if names, err := r.Read(); err == nil && len(names) > 1 && header(names) {
			if again := bytes.Count(text, []byte{byte(comma)}); again > len(names) {
				return "looks like a CSV with the columns " + list(names)
			}
		}
	}
	if base64Like(line) {
		return "looks like base64: decode it first"
	}
	return "looks like text that begins " + short(string(line))
}

// keysOf returns the keys of the object at the beginning of a text.
func keysOf(text []byte) (keys []string) {
	c := cursor{b: text}
	c.object(func(key Text) bool {
		keys = append(keys, key.String())
		return len(keys) < 50 && c.skip()
	})
	return keys
}

// elements describes the first element of an array.
func elements(text []byte) string {
	first := bytes.TrimLeft(text, "[ \t\r\n")
	if keys := keysOf(first); len(first) > 0 && first[0] == '{' && len(keys) > 0 {
		return " of objects with the keys " + list(keys)
	}
	return ""
}

// yamlLine reports whether a line is a key of YAML.
func yamlLine(line []byte) bool {
	key, value, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("- ")), []byte{':'})
	return ok && len(key) > 0 && len(key) < 64 && !bytes.ContainsAny(key, " \t{}[]\"=/.-0123456789") && (len(trim(value)) == 0 || value[0] == ' ')
}

// list returns the first eight names as text.
func list(names []string) string {
	const most = 8
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(short(name))
	}
	return b.String()
}

// short quotes the beginning of a text.
func short(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return `"` + quote.Text(s) + `"`
}
