package document

import "bytes"

var byteOrderMark = []byte("\ufeff")

// plainStarts returns text without byte order marks at the starts of documents,
// and with a space between a marker and a comment, as in "---# a". kubectl reads
// both: it gives each document to a parser of its own, which skips a mark, and
// takes any line that begins with "---" and a comment for a marker
// (apimachinery, pkg/util/yaml/decoder.go, YAMLReader). Lines keep their
// numbers, and all that follows a mark counts columns without it.
func plainStarts(text []byte) []byte {
	if !bytes.Contains(text, byteOrderMark) && !bytes.Contains(text, []byte("---#")) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	begins := true // nothing but comments since the last marker
	for line := range bytes.Lines(text) {
		if plain := bytes.TrimLeft(line, string(byteOrderMark)); begins || isMarker(plain, '-') {
			line = plain
		}
		switch {
		case bytes.HasPrefix(line, []byte("---#")):
			out = append(out, "--- "...)
			line = line[3:]
			begins = true
		case isMarker(line, '-'):
			begins = !hasContent(line[3:])
		case isMarker(line, '.'):
			begins = true
		case hasContent(line):
			begins = false
		}
		out = append(out, line...)
	}
	return out
}
