package contention

import (
	"strings"

	"github.com/kubevet/kubevet/auditlog"
)

// pathText returns the text of a path, such as data["a.b"] or
// spec.containers[name=web].image.
func pathText(stack []segment) string {
	var b strings.Builder
	for _, s := range stack {
		key := string(auditlog.Unescape(nil, s.key))
		switch {
		case s.set:
			b.WriteString(`["` + clip(key) + `"]`)
		case s.list != "":
			b.WriteString("[" + s.list + "=" + clip(key) + "]")
		default:
			writeKey(&b, key)
		}
		if b.Len() > maxPath {
			break
		}
	}
	return b.String()
}

// writeKey appends the key of an object to a path.
func writeKey(b *strings.Builder, key string) {
	switch {
	case !plainKey(key):
		b.WriteString(`["` + clip(key) + `"]`)
	case b.Len() > 0:
		b.WriteString("." + key)
	default:
		b.WriteString(key)
	}
}

// maxPath is the largest length of a path's text, in bytes. The last key may
// exceed it.
const maxPath = 512

// maxText is the largest length of a name, in bytes.
const maxText = 256

// clip returns at most the first maxText bytes of a name.
func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText]
	}
	return s
}

// plainKey reports whether a key needs no quotes in the text of a path.
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

// text returns the path of the walker's current value.
func (w *walker) text() string { return pathText(w.stack) }
