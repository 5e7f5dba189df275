package document

import (
	"bytes"
	"regexp"
)

// These expressions match keys of manifests.
var (
	// topKey matches a key of a document, or of an item in a list.
	topKey = regexp.MustCompile(`(?m)^(?:- +)?["']?(?:apiVersion|kind)["']?[ \t]*:`)
	// versionKey matches an apiVersion with a value such as apps/v1.
	versionKey = regexp.MustCompile(`(?:^|[{,\s])["']?apiVersion["']?\s*:\s*["']?(?:[a-z0-9.-]+/)?v[0-9]`)
	// lineVersion and lineKind match a key at the beginning of a line.
	lineVersion = regexp.MustCompile(`(?m)^[ \t-]*["']?apiVersion["']?[ \t]*:`)
	lineKind    = regexp.MustCompile(`(?m)^[ \t-]*["']?kind["']?[ \t]*:`)
)

// LooksLikeManifest reports whether a text that does not parse has one of these
// signs of a manifest:
//
//   - an apiVersion with a value such as apps/v1
//   - the keys apiVersion and kind at the beginning of lines, one of them a key
//     of the document
//   - the JSON keys kind and metadata
func LooksLikeManifest(text []byte) bool {
	if bytes.IndexByte(text, 0) >= 0 { // UTF-16 without a byte order mark
		text = bytes.ReplaceAll(text, []byte{0}, nil)
	}
	version, kind := bytes.Contains(text, []byte("apiVersion")), bytes.Contains(text, []byte("kind"))
	switch {
	case !version && !kind:
		return false
	case topKey.Match(text), version && versionKey.Match(text):
		return true
	}
	return version && kind && lineVersion.Match(text) && lineKind.Match(text) ||
		bytes.Contains(text, []byte(`"kind"`)) && bytes.Contains(text, []byte(`"metadata"`))
}
