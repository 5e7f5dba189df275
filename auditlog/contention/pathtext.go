package contention

import (
	"strings"

	"github.com/kubevet/kubevet/auditlog"
)

// pathText writes a path for people.
func pathText(stack []segment) string {
	var b strings.Builder
	for _, s := range stack {
		key := string(auditlog.Unescape(nil, s.key))
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

// maxText bounds the names that are kept, in bytes.
const maxText = 256

func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText]
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
