package contention

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// mergeKeys are the fields that identify list items in the types of Kubernetes
// (patchMergeKey and x-kubernetes-list-map-keys).
var mergeKeys = [...]string{"name", "mountPath", "devicePath", "containerPort", "port", "type", "ip", "topologyKey", "uid", "key"}

// list reads a list. There are three cases:
//
//   - A list whose items are identified by one of mergeKeys is read item by
//     item, and so are finalizers.
//   - The list of owners in a patch is one value, if one of the owners is the
//     controller.
//   - Any other list is one value, because a client that changes one item
//     writes the whole list.
func (w *walker) list(path uint64, depth int) bool {
	start, before := w.i, len(w.leaves)
	if w.replaced() {
		w.leaf(path, othersAbsent)
	} else if w.patch && len(w.stack) == 2 && string(w.stack[0].key) == "metadata" && w.replacesMetadata() {
		return w.wholeList(path)
	}
	if depth == 2 && len(w.stack) == 2 && string(w.stack[0].key) == "metadata" && string(w.stack[1].key) == "finalizers" && w.strings(path) {
		return true
	}
	w.i = start + 1
	if !w.replaced() {
		w.cut(before)
	}
	w.space()
	if w.peek() == ']' {
		w.i++
		if w.patch && !w.replaced() {
			w.leaf(path, emptyValue)
		}
		return true
	}
	key := ""
	for {
		if w.peek() == '{' {
			k, id := w.itemKey(key)
			if k != "" {
				key = k
				w.stack = append(w.stack, segment{key: id, list: k})
				ok := w.fields(step(step(path, []byte(k)), id), depth+1)
				w.stack = w.stack[:len(w.stack)-1]
				if !ok {
					return false
				}
				w.space()
				switch w.peek() {
				case ',':
					w.i++
					w.space()
					continue
				case ']':
					w.i++
					return true
				}
				return false
			}
		}
		w.i = start
		w.cut(before)
		return w.wholeList(path)
	}
}

// replaced reports whether the list at w.i, in a patch or an apply, replaces
// the list of the object:
//
//   - Taints and tolerations do, because these lists are atomic and have no merge
//     key (k8s.io/api, core/v1).
//   - Finalizers do in a merge patch.
func (w *walker) replaced() bool {
	n := len(w.stack)
	if !w.parts || n < 2 {
		return false
	}
	switch parent := string(w.stack[n-2].key); string(w.stack[n-1].key) {
	case "finalizers":
		return w.patch && n == 2 && parent == "metadata" && !w.addsFinalizers
	case "taints":
		return n == 2 && parent == "spec"
	case "tolerations":
		return parent == "spec"
	}
	return false
}

// addsFinalizers reports whether a patch is a strategic merge patch that adds
// or removes finalizers. An event does not have the type of a patch, but
// clients write one of these two directives in a strategic merge patch
// (k8s.io/apimachinery/pkg/util/strategicpatch).
func addsFinalizers(patch []byte) bool {
	return bytes.Contains(patch, []byte(`"$setElementOrder/finalizers"`)) || bytes.Contains(patch, []byte(`"$deleteFromPrimitiveList/finalizers"`))
}

// replacesMetadata reports whether a list in the metadata of a patch replaces
// the list of the object. Only two lists are added to the list of the object
// instead: finalizers in a strategic merge patch, and owners without a
// controller. An object can have only one controller among its owners, so a new
// controller replaces the former one.
func (w *walker) replacesMetadata() bool {
	key := string(w.stack[1].key)
	if key != "ownerReferences" {
		return key != "finalizers" || !w.addsFinalizers
	}
	start := w.i
	w.skip()
	list := w.b[start:w.i]
	w.i = start
	return bytes.Contains(list, []byte(`"controller":true`))
}

// wholeList reads a list as one value.
func (w *walker) wholeList(path uint64) bool {
	start := w.i
	if !w.skip() {
		return false
	}
	w.add(path, fingerprint.Add(listSeed, w.b[start:w.i]), start, true)
	return true
}

// strings reads a list of strings as a set.
func (w *walker) strings(path uint64) bool {
	w.i++
	for {
		w.space()
		switch w.peek() {
		case ']':
			w.i++
			return true
		case ',':
			w.i++
		case '"':
			s, ok := w.str()
			if !ok {
				return false
			}
			w.stack = append(w.stack, segment{key: s, set: true})
			w.leaf(step(path, s), emptyValue)
			w.stack = w.stack[:len(w.stack)-1]
		default:
			return false
		}
	}
}

// itemKey returns the name of the key field that identifies the list item at
// w.i, and the value of this field. If want is not empty, only the field want
// counts. key is "" if no key field identifies the item.
func (w *walker) itemKey(want string) (key string, id []byte) {
	at := w.i
	defer func() { w.i = at }()
	best := len(mergeKeys)
	w.i++
	for {
		w.space()
		k, ok := w.str()
		if !ok {
			break
		}
		w.space()
		if w.peek() != ':' {
			return "", nil
		}
		w.i++
		w.space()
		n := slices.IndexFunc(mergeKeys[:best], func(m string) bool { return m == string(k) && (want == "" || m == want) })
		start := w.i
		var v []byte
		switch c := w.peek(); {
		case n < 0 || c == '{' || c == '[':
			n = -1
			ok = w.skip()
		case c == '"':
			v, ok = w.str()
		default:
			ok = w.scalar()
			v = w.b[start:w.i]
		}
		if !ok {
			return "", nil
		}
		if n >= 0 {
			best, key, id = n, mergeKeys[n], v
			if n == 0 || want != "" {
				return key, id
			}
		}
		w.space()
		if w.peek() != ',' {
			break
		}
		w.i++
	}
	return key, id
}
