package manifestlint

import "bytes"

// FieldText gives the text of a field of the root of an object that was
// gathered. Where two objects have the same text of a field, they have the same
// value there. nil: there is no such field, or nothing is known of its text.
func (o *Object) FieldText(name string) []byte {
	if o.packedAt.Line == 0 || o.packedAt.Column > 0 || bytes.IndexByte(o.packed, '&') >= 0 {
		return nil // it is JSON; or an alias may mean what stands elsewhere
	}
	// In a regular document, what begins in the first column is a key of the
	// root, an item of a list in one, a comment or a marker.
	text := o.packed
	for !isKey(text, name) {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return nil
		}
		text = text[n+1:]
	}
	for at := lineEnd(text, 0); at < len(text); at = lineEnd(text, at) {
		switch text[at] {
		case ' ', '\r', '\n', '#':
		case '-':
			if !markerAt(text[at:], '-') {
				return nil
			}
			return text[:at]
		default:
			return text[:at]
		}
	}
	return text
}

// isKey reports whether a line begins with a plain key. One with a colon of its
// own may begin with another.
func isKey(line []byte, name string) bool {
	return len(line) > len(name) && line[len(name)] == ':' && string(line[:len(name)]) == name &&
		(len(line) == len(name)+1 || line[len(name)+1] == ' ' || line[len(name)+1] == '\n' || line[len(name)+1] == '\r')
}
