package gotype

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// writer writes random bodies of a kind. Most values fit their types, and some do
// not. Some fields are unknown or repeated.
type writer struct {
	r     *rand.Rand
	minor lifecycle.Minor
	b     strings.Builder
	// wrong, unknown and repeated are numbers per thousand: of values of another
	// type, of unknown fields, and of repeated fields.
	wrong, unknown, repeated int
	values                   int // number of values still to write, so that the body ends
}

func (w *writer) chance(perMille int) bool { return w.r.IntN(1000) < perMille }

// space writes random space between two tokens, usually none.
func (w *writer) space() {
	if w.chance(20) {
		w.b.WriteString([]string{" ", "\n", "\t", "  "}[w.r.IntN(4)])
	}
}

func (w *writer) quote(s string) {
	text, _ := json.Marshal(s)
	w.b.Write(text)
}

func (w *writer) body(apiVersion, kind string) string {
	w.b.Reset()
	w.b.WriteString(`{"apiVersion":`)
	w.quote(apiVersion)
	w.b.WriteString(`,"kind":`)
	w.quote(kind)
	t := typeOf(apiVersion, kind, w.minor)
	for range 1 + w.r.IntN(4) {
		w.b.WriteByte(',')
		w.field(t, 0)
	}
	w.b.WriteByte('}')
	return w.b.String()
}

// field writes one known or unknown field of a structure, sometimes twice.
func (w *writer) field(t *typeRecord, depth int) {
	var f *fieldRecord
	if all := t.fields(); len(all) > 0 && !w.chance(w.unknown) {
		for range 20 {
			if c := &all[w.r.IntN(len(all))]; c.existsIn(w.minor) && (depth > 0 || c.embedded.String() != "TypeMeta") {
				f = c
				break
			}
		}
	}
	if f == nil {
		name := []string{"x", "Foo", "a.b", "names", "é\"<", "kind2", "Spec"}[w.r.IntN(7)]
		// Do not change names in the object itself: the decoder takes APIVERSION
		// for apiVersion.
		if all := t.fields(); depth > 0 && len(all) > 0 && w.chance(300) {
			name = strings.ToUpper(all[w.r.IntN(len(all))].name.String())
		}
		w.quote(name)
		w.space()
		w.b.WriteByte(':')
		w.space()
		w.randomValue(depth)
		return
	}
	n := 1
	if w.chance(w.repeated) {
		n = 2
	}
	for i := range n {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.quote(f.name.String())
		w.space()
		w.b.WriteByte(':')
		w.space()
		w.value(f.typeOf(), depth+1)
	}
}

var keys = []string{"a", "app", "a.b/c", "k8s.io/x", "b[0]", "ü", "cpu"}

func (w *writer) value(t *typeRecord, depth int) {
	if w.values--; w.values < 0 || depth > 14 {
		w.b.WriteString("null")
		return
	}
	if w.chance(w.wrong) {
		w.randomValue(depth)
		return
	}
	if w.chance(30) {
		w.b.WriteString("null")
		return
	}
	pick := func(texts ...string) { w.b.WriteString(texts[w.r.IntN(len(texts))]) }
	switch t.shape {
	case structure:
		w.b.WriteByte('{')
		for i := range w.r.IntN(5) {
			if i > 0 {
				w.b.WriteByte(',')
			}
			w.field(t, depth+1)
			w.space()
		}
		w.b.WriteByte('}')
	case list:
		w.b.WriteByte('[')
		for i := range w.r.IntN(3) {
			if i > 0 {
				w.b.WriteByte(',')
			}
			w.space()
			w.value(t.elemType(), depth+1)
		}
		w.b.WriteByte(']')
	case dictionary:
		w.b.WriteByte('{')
		for i := range w.r.IntN(3) {
			if i > 0 {
				w.b.WriteByte(',')
			}
			key := keys[i*3+w.r.IntN(3)]
			if w.chance(w.repeated) {
				key = "app"
			}
			w.quote(key)
			w.b.WriteByte(':')
			w.value(t.elemType(), depth+1)
		}
		w.b.WriteByte('}')
	case octets:
		pick(`"YWJj"`, `""`, `"YQ=="`)
	case text:
		w.quote([]string{"", "abc", "nginx:1.2", "ünïcode", "a\"b\\c", "x y"}[w.r.IntN(6)])
	case boolean:
		pick("true", "false")
	case float, float32:
		pick("1", "1.5", "-0.25", "1e3", "0")
	case quantity:
		pick(`"1"`, `"100m"`, "5", "0.5", `"1Gi"`, `"1e3"`, `"-3"`)
	case intOrString:
		pick(`"50%"`, "8080", `"http"`, "-1", "0")
	case timestamp:
		pick(`"2020-01-02T03:04:05Z"`, `"2020-01-02T03:04:05+02:00"`)
	case microTimestamp:
		pick(`"2020-01-02T03:04:05.000000Z"`, `"2020-01-02T03:04:05.123456+02:00"`)
	case anything:
		w.randomValue(depth)
	case schemaOrArray:
		if w.chance(300) {
			w.b.WriteByte('[')
			w.value(t.elemType(), depth+1)
			w.b.WriteByte(']')
			return
		}
		w.value(t.elemType(), depth+1)
	case schemaOrBool:
		if w.chance(300) {
			pick("true", "false")
			return
		}
		w.value(t.elemType(), depth+1)
	case schemaOrStrings:
		if w.chance(300) {
			pick(`["a"]`, `[]`, `["a",5]`)
			return
		}
		w.value(t.elemType(), depth+1)
	default:
		w.b.WriteString(strconv.Itoa(w.r.IntN(100)))
	}
}

// randomValue writes a random JSON value, whatever the type of the field.
func (w *writer) randomValue(depth int) {
	texts := []string{
		"5", "0", "-1", "1.5", "1e1", "-0", "0.0", "2147483648", "9223372036854775808", "300", "99999999999", "123456789012345678901234", "1e400",
		`"x"`, `""`, `"5"`, `"true"`, `"!"`, `"a\"b"`, `"\u00fc\n"`, `"2020"`, "true", "false", "[]", "{}", "null", "[5]", `["x"]`, `{"a":1}`, `{"a":1,"a":2}`, `[{"b":{"c":[null]}}]`,
	}
	s := texts[w.r.IntN(len(texts))]
	if depth > 12 && (s[0] == '[' || s[0] == '{') {
		s = "5"
	}
	w.b.WriteString(s)
}
