package contention

import (
	"bytes"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// walker reads the leaves of objects, which are the fields that are compared as
// one value. It accepts any JSON value, and stops at the first syntax error.
type walker struct {
	b      []byte
	i      int
	leaves []leaf
	// spans are the ranges in b of the leaves' values, in the same order.
	spans []span
	// patch is set for a merge patch. In a patch, null removes a field, and a
	// key that begins with $ is a directive.
	patch bool
	// addsFinalizers is set for a strategic merge patch that adds or removes
	// finalizers. A merge patch replaces them.
	addsFinalizers bool
	// applies is set while the body of an apply is read.
	applies bool
	// parts is set for a merge patch or an apply, whose body has only a part of
	// an object. Some lists in it replace the object's lists.
	parts bool
	// status is set to read only the status of objects.
	status bool
	// scale is set to read objects of the kind Scale, which omit replicas if it
	// is 0.
	scale bool
	stack []segment
	// doc is the object that a JSON patch changes; nil if unknown. It shows
	// which items the indices in the patch mean.
	doc []byte
	// docPatch is set if doc is a strategic merge patch of the object.
	docPatch bool
	// name is called for each leaf, with the leaf's path and a function that
	// returns the text of the path. It can be nil.
	name func(path uint64, text func() string, atomic bool)
	buf  []byte
	// version is metadata.resourceVersion; 0 if it is absent or not a number.
	version uint64
}

// segment is one element of a path.
type segment struct {
	key  []byte // the key as in the text, without quotes
	list string // the key field of a list item, such as name; "" if it is a field
	set  bool   // key is an item of a list of strings
}

// maxWalk is the largest depth of fields. A deeper object is read as one value.
const maxWalk = 64

// object reads the object at the beginning of b into w.leaves, without ignored
// fields. It returns false if there is no object.
func (w *walker) object(b []byte, patch bool) bool {
	w.b, w.i, w.stack, w.patch, w.parts, w.version = b, 0, w.stack[:0], patch, patch || w.applies, 0
	w.addsFinalizers = patch && addsFinalizers(b)
	w.cut(0)
	w.space()
	if w.peek() != '{' {
		return false
	}
	if !w.fields(pathSeed, 0) {
		return false
	}
	if w.scale {
		w.noReplicas()
	}
	return len(w.leaves) <= maxLeaves
}

// replicasPath is the path of replicas in the subresource scale. zeroReplicas
// is the value if replicas is omitted.
var (
	replicasPath = step(step(pathSeed, []byte("spec")), []byte("replicas"))
	zeroReplicas = fingerprint.Add(scalarSeed, []byte("0"))
)

// noReplicas adds a leaf with 0 replicas, if the object has no replicas.
func (w *walker) noReplicas() {
	for _, l := range w.leaves {
		if l.path == replicasPath {
			return
		}
	}
	w.stack = append(w.stack[:0], segment{key: []byte("spec")}, segment{key: []byte("replicas")})
	w.leaf(replicasPath, zeroReplicas)
	w.stack = w.stack[:0]
}

// space skips white space.
func (w *walker) space() {
	for w.i < len(w.b) {
		switch w.b[w.i] {
		case ' ', '\t', '\n', '\r':
			w.i++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (w *walker) peek() byte {
	if w.i < len(w.b) {
		return w.b[w.i]
	}
	return 0
}

// str reads a string and returns the text between its quotes.
func (w *walker) str() ([]byte, bool) {
	if w.peek() != '"' {
		return nil, false
	}
	start := w.i + 1
	for i := start; ; i++ {
		n := bytes.IndexByte(w.b[i:], '"')
		if n < 0 {
			return nil, false
		}
		i += n
		// A quote after an odd number of backslashes belongs to the string.
		escaped := false
		for j := i - 1; j >= start && w.b[j] == '\\'; j-- {
			escaped = !escaped
		}
		if !escaped {
			w.i = i + 1
			return w.b[start:i], true
		}
	}
}

// fields reads the fields of an object. depth is the depth of the object; 0 for
// the body itself.
func (w *walker) fields(path uint64, depth int) bool {
	w.i++
	w.space()
	if w.peek() == '}' {
		w.i++
		if w.patch && depth > 0 {
			w.leaf(path, emptyValue)
		}
		return true
	}
	for {
		key, ok := w.str()
		if !ok {
			return false
		}
		w.space()
		if w.peek() != ':' {
			return false
		}
		w.i++
		w.space()
		if w.ignored(key, depth) || w.patch && len(key) > 0 && key[0] == '$' {
			if start := w.i; depth == 1 && string(key) == "resourceVersion" {
				ok = w.skip()
				w.version = number(w.b[start:w.i])
			} else {
				ok = w.skip()
			}
		} else {
			w.stack = append(w.stack, segment{key: key})
			ok = w.value(step(path, key), depth+1)
			w.stack = w.stack[:len(w.stack)-1]
		}
		if !ok {
			return false
		}
		w.space()
		switch w.peek() {
		case ',':
			w.i++
			w.space()
		case '}':
			w.i++
			return true
		default:
			return false
		}
	}
}

// emptyValue is the value of an object without fields.
const emptyValue = 2

// othersAbsent is the value of a leaf whose write removes all fields below its
// path, except for the fields that the write sets.
const othersAbsent = 3

// value reads a value. path is the path of the value.
func (w *walker) value(path uint64, depth int) bool {
	if depth >= maxWalk || len(w.leaves) > maxLeaves {
		start := w.i
		ok := w.skip()
		w.add(path, fingerprint.Add(listSeed, w.b[start:w.i]), start, false)
		return ok
	}
	switch w.peek() {
	case '{':
		return w.fields(path, depth)
	case '[':
		return w.list(path, depth)
	case '"':
		start := w.i
		s, ok := w.str()
		w.add(path, fingerprint.Add(valueSeed, w.plain(s)), start, false)
		return ok
	}
	start := w.i
	if !w.scalar() {
		return false
	}
	raw := w.b[start:w.i]
	if string(raw) == "null" {
		if w.patch {
			w.leaf(path, 0)
		}
		return true
	}
	w.add(path, fingerprint.Add(scalarSeed, raw), start, false)
	return true
}

func (w *walker) scalar() bool {
	start := w.i
	for w.i < len(w.b) {
		switch c := w.b[w.i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '+', c == '.':
			w.i++
			continue
		}
		break
	}
	return w.i > start
}

// plain returns the content of a string without escapes.
func (w *walker) plain(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	w.buf = auditlog.Unescape(w.buf[:0], s)
	return w.buf
}

// skip skips a value.
func (w *walker) skip() bool {
	depth := 0
	for w.i < len(w.b) {
		switch c := w.b[w.i]; c {
		case '"':
			if _, ok := w.str(); !ok {
				return false
			}
		case '{', '[':
			depth++
			w.i++
			continue
		case '}', ']':
			depth--
			w.i++
			if depth < 0 {
				return false
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return false
			}
			w.i++
			continue
		default:
			if !w.scalar() {
				return false
			}
		}
		if depth == 0 {
			return true
		}
	}
	return false
}

// leaf adds a leaf for a value that has no text.
func (w *walker) leaf(path, value uint64) { w.add(path, value, w.i, false) }

// add adds a leaf whose value is the text from start to w.i.
func (w *walker) add(path, value uint64, start int, atomic bool) {
	w.leaves = append(w.leaves, leaf{path, value})
	w.spans = append(w.spans, span{start, w.i})
	if w.name != nil {
		w.name(path, w.text, atomic)
	}
}

// cut keeps only the first n leaves.
func (w *walker) cut(n int) { w.leaves, w.spans = w.leaves[:n], w.spans[:n] }

// number returns the decimal number in a quoted string; 0 for another string.
func number(quoted []byte) (n uint64) {
	if len(quoted) < 3 || len(quoted) > 21 || quoted[0] != '"' {
		return 0
	}
	for _, c := range quoted[1 : len(quoted)-1] {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}
