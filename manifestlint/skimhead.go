package manifestlint

import (
	"bytes"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// skimHead is what identifies an object.
type skimHead struct {
	apiVersion, kind, name, namespace, generateName headValue

	items bool // a root key items exists: the object is a list
	root  bool // the document's root is a map
	empty bool // nothing but comments and blank lines
}

// object reports whether the head is an object's.
func (h *skimHead) object() bool {
	return h.root && len(h.apiVersion.text) > 0 && len(h.kind.text) > 0
}

// headValue is a scalar with its place in the document.
type headValue struct {
	text         []byte
	line, column int // from 1; column of the first character, quote included
	width        int // in characters, quotes included
}

// isHeadKey reports whether a key of the root or of metadata identifies the
// object or leads to what does.
func isHeadKey(key []byte, root bool) bool {
	switch string(key) {
	case "apiVersion", "kind", "metadata", "items":
		return root
	case "name", "namespace", "generateName":
		return !root
	}
	return false
}

// headKey keeps the values that identify the object. It reports false where
// only the parser can tell what they are.
func (s *skimmer) headKey(key, val []byte, none bool, column int, root bool) bool {
	if s.markup = startsMarkup(val); s.markup {
		return false
	}
	var into *headValue
	if root {
		switch string(key) {
		case "apiVersion":
			into = &s.head.apiVersion
		case "kind":
			into = &s.head.kind
		case "metadata":
			s.inMeta = none
			return none || len(val) > 1 && val[0] == '{' && val[1] == '}'
		case "items":
			s.head.items = true
			s.list.next = none && s.b == nil && s.list.id == 0
			return true
		}
	} else {
		switch string(key) {
		case "name":
			into = &s.head.name
		case "namespace":
			into = &s.head.namespace
		case "generateName":
			into = &s.head.generateName
		}
	}
	if into == nil {
		return true
	}
	if none {
		return false
	}
	text, width, ok := headScalar(val)
	if !ok {
		return false
	}
	*into = headValue{text, s.line, column, width}
	s.moreHead = true
	if root && s.b != nil && s.decide != nil && len(s.head.apiVersion.text) > 0 && len(s.head.kind.text) > 0 && !s.decide(&s.head) {
		s.b = nil
	}
	return true
}

// headScalar reads a scalar that is certainly a string and ends on its line.
func headScalar(val []byte) (text []byte, width int, ok bool) {
	if c := val[0]; c == '"' || c == '\'' {
		n := bytes.IndexByte(val[1:], c)
		if n < 1 || bytes.IndexByte(val[1:n+1], '\\') >= 0 || !ascii(val[1:n+1]) {
			return nil, 0, false
		}
		return val[1 : n+1], n + 2, blankOrComment(val[n+2:])
	}
	comment, ok := scanPlain(val)
	if !ok || !keyByte[val[0]] && val[0] != ':' || isDash(val) {
		return nil, 0, false
	}
	if comment {
		val = val[:bytes.Index(val, []byte(" #"))]
	}
	val = bytes.TrimRight(val, " ")
	return val, len(val), ascii(val) && !resolvesInYAML11(val)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// resolvesInYAML11 reports whether a plain scalar is anything but a string: a
// number, a boolean or null.
func resolvesInYAML11(b []byte) bool {
	if b[0] >= 'A' && (len(b) > 5 || bytes.IndexByte([]byte("yYnNtTfFoO"), b[0]) < 0) {
		return false
	}
	kind, _ := wire.Plain(string(b))
	return kind != wire.String
}
