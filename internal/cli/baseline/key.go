package baseline

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// A key consists of fields. endOfField follows each field. inField follows each NUL byte
// in a field. So keys sort like their fields.
const (
	endOfField = "\x00\x01"
	inField    = "\x00\x02"
)

// key returns a string that identifies the finding of an entry. Entries are sorted by it.
func key(e *Entry) string {
	var o rules.ObjectRef
	if e.Object != nil {
		o = *e.Object
	}
	fields := [...]string{e.File, o.Kind, o.Namespace, o.Name, o.APIVersion, e.Rule, e.Path, e.Message}
	size := 0
	for _, f := range fields {
		size += len(f) + len(endOfField)
	}
	var b strings.Builder
	b.Grow(size)
	for _, f := range fields {
		if strings.IndexByte(f, 0) >= 0 {
			f = strings.ReplaceAll(f, "\x00", inField)
		}
		b.WriteString(f)
		b.WriteString(endOfField)
	}
	return b.String()
}

// decodeKey is the inverse of key. It returns the entry for a key and a count.
func decodeKey(key string, count int) Entry {
	e := Entry{Count: count}
	var o rules.ObjectRef
	for _, f := range [...]*string{&e.File, &o.Kind, &o.Namespace, &o.Name, &o.APIVersion, &e.Rule, &e.Path, &e.Message} {
		*f, key, _ = strings.Cut(key, endOfField)
		if strings.IndexByte(*f, 0) >= 0 {
			*f = strings.ReplaceAll(*f, inField, "\x00")
		}
	}
	if o != (rules.ObjectRef{}) {
		e.Object = &o
	}
	return e
}
