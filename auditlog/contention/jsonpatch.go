package contention

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
)

// operations reads the operations of a JSON patch (RFC 6902) that set or remove
// a field. It returns false if b is not a JSON patch or has too many leaves.
func (w *walker) operations(b []byte) bool {
	w.b, w.i, w.stack, w.patch, w.parts = b, 0, w.stack[:0], true, false
	w.cut(0)
	w.space()
	if w.peek() != '[' {
		return false
	}
	w.i++
	for {
		w.space()
		switch w.peek() {
		case ']':
			return len(w.leaves) <= maxLeaves
		case ',':
			w.i++
		case '{':
			if !w.operation() {
				return false
			}
		default:
			return false
		}
	}
}

// operation reads one operation of a JSON patch.
func (w *walker) operation() bool {
	var op, pointer []byte
	value := -1
	w.i++
	for {
		w.space()
		if w.peek() == '}' {
			w.i++
			break
		}
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
		switch string(key) {
		case "op":
			op, ok = w.str()
		case "path":
			pointer, ok = w.str()
		case "value":
			value = w.i
			ok = w.skip()
		default:
			ok = w.skip()
		}
		if !ok {
			return false
		}
		w.space()
		if w.peek() == ',' {
			w.i++
		}
	}
	if len(pointer) == 0 || pointer[0] != '/' {
		return true
	}
	path := uint64(pathSeed)
	w.stack = w.stack[:0]
	doc := walker{b: w.doc, patch: w.docPatch}
	known := len(w.doc) > 0
	for _, token := range bytes.Split(auditlog.Unescape(nil, pointer[1:]), []byte{'/'}) {
		if bytes.IndexByte(token, '~') >= 0 {
			token = bytes.ReplaceAll(bytes.ReplaceAll(token, []byte("~1"), []byte("/")), []byte("~0"), []byte("~"))
		}
		if w.ignored(token, len(w.stack)) {
			return true
		}
		at := segment{key: token}
		if known {
			if item, ok := doc.into(token); !ok {
				known = false
			} else if item.list != "" {
				at = item
				path = step(path, []byte(item.list))
			}
		}
		path = step(path, at.key)
		w.stack = append(w.stack, at)
		if len(w.stack) > maxWalk {
			return true
		}
	}
	switch string(op) {
	case "remove":
		w.leaf(path, 0)
		w.removeOverridden()
	case "add", "replace":
		if value < 0 {
			return true
		}
		end := w.i
		w.i = value
		if !w.value(path, len(w.stack)) {
			return false
		}
		w.i = end
		w.removeOverridden()
	}
	return true
}

// into moves from a list or object at w.i to the element that token selects:
// the value of a key, or the list item with an index. If the list item has one
// of mergeKeys, item has its path segment.
func (w *walker) into(token []byte) (item segment, ok bool) {
	w.space()
	switch w.peek() {
	case '{':
		return segment{}, w.toField(token)
	case '[':
		n := number(slices.Concat([]byte(`"`), token, []byte(`"`)))
		if n == 0 && string(token) != "0" {
			return segment{}, false
		}
		w.i++
		w.space()
		key := ""
		if w.peek() == '{' {
			key, _ = w.itemKey("")
		}
		for range n {
			if !w.skip() {
				return segment{}, false
			}
			if w.space(); w.peek() != ',' {
				return segment{}, false
			}
			w.i++
			w.space()
		}
		if key == "" || w.peek() != '{' {
			return segment{}, true
		}
		_, id := w.itemKey(key)
		return segment{key: id, list: key}, len(id) > 0
	}
	return segment{}, false
}

// toField moves to the value of a field of the object at w.i. A list in a
// strategic merge patch has only the changed items. For such a list, toField
// moves to the patch's list $setElementOrder, which has the order of all items.
func (w *walker) toField(key []byte) bool {
	if !w.patch {
		return w.toKey(key)
	}
	at := w.i
	if w.toKey(slices.Concat([]byte("$setElementOrder/"), key)) {
		return true
	}
	w.i = at
	return w.toKey(key) && w.peek() != '['
}

// toKey moves to the value of a key of the object at w.i.
func (w *walker) toKey(key []byte) bool {
	w.i++
	for {
		w.space()
		k, ok := w.str()
		if w.space(); !ok || w.peek() != ':' {
			return false
		}
		w.i++
		w.space()
		if bytes.Equal(k, key) {
			return true
		}
		if !w.skip() {
			return false
		}
		if w.space(); w.peek() != ',' {
			return false
		}
		w.i++
	}
}

// removeOverridden removes earlier leaves with the path of the last leaf. Of
// two operations on one field, only the later one has an effect.
func (w *walker) removeOverridden() {
	n := len(w.leaves) - 1
	if n < 1 || n > 256 {
		return
	}
	last := w.leaves[n]
	if i := slices.IndexFunc(w.leaves[:n], func(l leaf) bool { return l.path == last.path }); i >= 0 {
		w.leaves[i], w.spans[i] = last, w.spans[n]
		w.cut(n)
	}
}
