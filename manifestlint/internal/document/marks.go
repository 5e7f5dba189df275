package document

import "bytes"

var byteOrderMark = []byte("\ufeff")

// normalizeStarts changes the starts of documents so that the YAML library
// reads them like kubectl. It removes byte order marks, and adds a space
// between a marker and a comment, as in "---# a".
//
// kubectl parses each document alone and skips its byte order mark. It reads
// each line that begins with "---" and a comment as a marker (apimachinery,
// pkg/util/yaml/decoder.go, YAMLReader). Lines keep their numbers. Columns on a
// line do not count a byte order mark.
func normalizeStarts(text []byte) []byte {
	if !bytes.Contains(text, byteOrderMark) && !bytes.Contains(text, []byte("---#")) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	begins := true // only comments were read since the last marker
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
