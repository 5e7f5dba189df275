package contention

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// leaf is a field and its value, as fingerprints. The value 0 is none: the
// field is absent.
type leaf struct{ path, value uint64 }

// leafSet is a state of an object, or a part of it, in the order of paths. It
// is never changed.
type leafSet struct {
	hash   uint64
	leaves []leaf
}

// A walker reads objects into leaves. It accepts whatever JSON is, and stops
// where a text is none.
type walker struct {
	b      []byte
	i      int
	leaves []leaf
	// patch says that the text is a merge patch: null takes a field away, and
	// keys that begin with $ are directives.
	patch bool
	stack []segment
	// name, if not nil, is called with every leaf's path and its text.
	name func(path uint64, text func() string, atomic bool)
	buf  []byte
	// version is metadata.resourceVersion, 0 where there is none or where it is
	// no number.
	version uint64
}

// segment is one step of a path.
type segment struct {
	key  []byte // as it stands in the text, without quotes
	list string // the key of a list's item, as in name; "" for a field
	set  bool   // a list's item that is a string
}

// maxWalk bounds nesting; what is deeper is one value.
const maxWalk = 64

// maxLeaves bounds the leaves of one state.
const maxLeaves = 4096

const (
	pathSeed  = 0x6b75626576657401
	valueSeed = 0x6b75626576657402
)

// object reads the object that b begins with into w.leaves and reports whether
// it was one. Fields that the server keeps of its own are left out.
func (w *walker) object(b []byte, patch bool) bool {
	w.b, w.i, w.leaves, w.stack, w.patch, w.version = b, 0, w.leaves[:0], w.stack[:0], patch, 0
	w.space()
	if w.peek() != '{' {
		return false
	}
	return w.fields(pathSeed, 0) && len(w.leaves) <= maxLeaves
}

// operations reads a JSON patch (RFC 6902), as far as it says what a field's
// value is afterwards.
func (w *walker) operations(b []byte) bool {
	w.b, w.i, w.leaves, w.stack, w.patch = b, 0, w.leaves[:0], w.stack[:0], true
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
	for _, token := range bytes.Split(unescape(nil, pointer[1:]), []byte{'/'}) {
		if bytes.IndexByte(token, '~') >= 0 {
			token = bytes.ReplaceAll(bytes.ReplaceAll(token, []byte("~1"), []byte("/")), []byte("~0"), []byte("~"))
		}
		if w.own(token, len(w.stack)) {
			return true
		}
		path = step(path, token)
		w.stack = append(w.stack, segment{key: token})
		if len(w.stack) > maxWalk {
			return true
		}
	}
	switch string(op) {
	case "remove":
		w.leaf(path, 0)
		w.override()
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
		w.override()
	}
	return true
}

// override makes the last leaf the only one of its path: of two operations on
// one field the later counts.
func (w *walker) override() {
	n := len(w.leaves) - 1
	if n < 1 || n > 256 {
		return
	}
	last := w.leaves[n]
	if i := slices.IndexFunc(w.leaves[:n], func(l leaf) bool { return l.path == last.path }); i >= 0 {
		w.leaves[i] = last
		w.leaves = w.leaves[:n]
	}
}

// set gives the leaves that were read as a set.
func (w *walker) set() *leafSet {
	h := stateHash(w.leaves)
	l := slices.Clone(w.leaves)
	slices.SortFunc(l, compareLeaves)
	l = slices.CompactFunc(l, func(a, b leaf) bool { return a.path == b.path })
	return &leafSet{h, l}
}

func compareLeaves(a, b leaf) int {
	switch {
	case a.path < b.path:
		return -1
	case a.path > b.path:
		return 1
	case a.value < b.value:
		return -1
	case a.value > b.value:
		return 1
	}
	return 0
}

// stateHash does not depend on the order of leaves.
func stateHash(leaves []leaf) uint64 {
	h := uint64(1)
	for _, l := range leaves {
		h += scramble(l.path ^ scramble(l.value))
	}
	if h == 0 {
		h = 1
	}
	return h
}

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

func (w *walker) peek() byte {
	if w.i < len(w.b) {
		return w.b[w.i]
	}
	return 0
}

// str steps over a string and gives what is between its quotes.
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
		// A quote behind an odd number of backslashes is part of the string.
		odd := false
		for j := i - 1; j >= start && w.b[j] == '\\'; j-- {
			odd = !odd
		}
		if !odd {
			w.i = i + 1
			return w.b[start:i], true
		}
	}
}

// fields reads an object's fields; depth counts from 0 for the body itself.
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
		if w.own(key, depth) || w.patch && len(key) > 0 && key[0] == '$' {
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

// own reports whether a key is one that the server writes itself or that says
// what the object is, or one that is made to change hands.
func (w *walker) own(key []byte, depth int) bool {
	switch depth {
	case 0:
		switch string(key) {
		case "apiVersion", "kind", "status", "operation":
			return true
		}
	case 1:
		if string(w.stack[0].key) != "metadata" {
			return false
		}
		switch string(key) {
		case "managedFields", "resourceVersion", "uid", "generation", "creationTimestamp", "selfLink",
			"deletionTimestamp", "deletionGracePeriodSeconds", "name", "namespace", "generateName":
			return true
		}
	case 2:
		if string(w.stack[0].key) != "metadata" || string(w.stack[1].key) != "annotations" {
			return false
		}
		return passedAround(key)
	}
	return false
}

// passedAround reports whether an annotation is a copy of what was applied, a
// lock, or a request that whoever serves it takes away.
func passedAround(key []byte) bool {
	switch string(key) {
	case "kubectl.kubernetes.io/last-applied-configuration", "control-plane.alpha.kubernetes.io/leader",
		"argocd.argoproj.io/refresh", "argocd.argoproj.io/hydrate":
		return true
	}
	return false
}

// emptyValue is an object without fields.
const emptyValue = 2

// value reads any value below a path.
func (w *walker) value(path uint64, depth int) bool {
	if depth >= maxWalk || len(w.leaves) > maxLeaves {
		start := w.i
		ok := w.skip()
		w.leaf(path, fingerprint(valueSeed, w.b[start:w.i]))
		return ok
	}
	switch w.peek() {
	case '{':
		return w.fields(path, depth)
	case '[':
		return w.list(path, depth)
	case '"':
		s, ok := w.str()
		w.leaf(path, fingerprint(valueSeed, w.plain(s)))
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
	w.leaf(path, fingerprint(valueSeed+1, raw))
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

// plain gives a string without escapes.
func (w *walker) plain(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	w.buf = unescape(w.buf[:0], s)
	return w.buf
}

// mergeKeys are what the items of lists are told apart by, in Kubernetes' own
// types (patchMergeKey and x-kubernetes-list-map-keys).
var mergeKeys = [...]string{"name", "mountPath", "devicePath", "containerPort", "port", "type", "ip", "topologyKey", "uid", "key"}

// list reads a list: item by item where the items are objects that one of
// mergeKeys tells apart or where it is the finalizers, otherwise as one value,
// since whoever writes one item of it then writes all.
func (w *walker) list(path uint64, depth int) bool {
	start, before := w.i, len(w.leaves)
	if depth == 2 && len(w.stack) == 2 && string(w.stack[0].key) == "metadata" && string(w.stack[1].key) == "finalizers" && w.strings(path) {
		return true
	}
	w.i, w.leaves = start+1, w.leaves[:before]
	w.space()
	if w.peek() == ']' {
		w.i++
		if w.patch {
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
		w.leaves = w.leaves[:before]
		if !w.skip() {
			return false
		}
		w.leaves = append(w.leaves, leaf{path, fingerprint(valueSeed+2, w.b[start:w.i])})
		if w.name != nil {
			w.name(path, w.text, true)
		}
		return true
	}
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

// itemKey finds what tells the object at w.i apart from the other items of a
// list, want where that is known already. It gives "" where nothing does.
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

// skip steps over a value.
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

// leaf adds a leaf.
func (w *walker) leaf(path, value uint64) {
	w.leaves = append(w.leaves, leaf{path, value})
	if w.name != nil {
		w.name(path, w.text, false)
	}
}

// number reads a string that is a decimal number, or gives 0.
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

// step gives the path of a field below another.
func step(path uint64, key []byte) uint64 { return fingerprint(path, key) }

// fingerprint hashes bytes. It is the same for ever: states that were saved
// hold it.
func fingerprint(h uint64, b []byte) uint64 {
	h ^= uint64(len(b)) * 0x9e3779b97f4a7c15
	for len(b) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0xbf58476d1ce4e5b9
		h ^= h >> 31
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * 0x94d049bb133111eb
	return h ^ h>>29
}

// scramble spreads the bits of a number.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pathText writes a path for people.
func pathText(stack []segment) string {
	var b strings.Builder
	for _, s := range stack {
		key := string(unescape(nil, s.key))
		switch {
		case s.set:
			b.WriteString(`["` + clip(key) + `"]`)
		case s.list != "":
			b.WriteString("[" + s.list + "=" + clip(key) + "]")
		case plainKey(key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(key)
		default:
			b.WriteString(`["` + clip(key) + `"]`)
		}
		if b.Len() > maxPath {
			break
		}
	}
	return b.String()
}

// maxPath bounds the text of a path, roughly.
const maxPath = 512

// unescape appends a JSON string's contents without escapes.
func unescape(dst, s []byte) []byte {
	for {
		n := bytes.IndexByte(s, '\\')
		if n < 0 || n+1 >= len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:n]...)
		c := s[n+1]
		s = s[n+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, ok := hex4(s)
			if !ok {
				return dst
			}
			s = s[4:]
			if utf16.IsSurrogate(r) && len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				if low, ok := hex4(s[2:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						r, s = pair, s[6:]
					}
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n), err == nil
}

func clip(s string) string {
	if len(s) > 256 {
		return s[:256]
	}
	return s
}

func plainKey(key string) bool {
	if key == "" || len(key) > 64 {
		return false
	}
	for _, c := range []byte(key) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// text is the path that the walker is at.
func (w *walker) text() string { return pathText(w.stack) }
