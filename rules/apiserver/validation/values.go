package validation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// The functions below format values other than strings and numbers for "Invalid
// value: …", as the server does. They return Go syntax (%#v) up to 1.33, and
// JSON from 1.34 on. Source: ErrorBody in
// k8s.io/apimachinery/pkg/util/validation/field/errors.go.

// stringList formats a list of strings, which may be nil.
func (v *validator) stringList(texts []string) string {
	var b strings.Builder
	if v.minor >= 34 {
		if texts == nil {
			return "null"
		}
		b.WriteByte('[')
		for i, s := range texts {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonString(s))
		}
		b.WriteByte(']')
		return b.String()
	}
	if texts == nil {
		return "[]string(nil)"
	}
	b.WriteString("[]string{")
	for i, s := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(s))
	}
	b.WriteByte('}')
	return b.String()
}

// stringMap formats a map of strings, sorted by key.
func (v *validator) stringMap(m node) string {
	if !m.isSet() {
		if v.minor >= 34 {
			return "null"
		}
		return "map[string]string(nil)"
	}
	values := map[string]string{}
	keys := []string{}
	for k, value := range m.entries {
		values[k] = value.text()
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	quote, open, colon, comma := strconv.Quote, "map[string]string{", ":", ", "
	if v.minor >= 34 {
		quote, open, comma = jsonString, "{", ","
	}
	b.WriteString(open)
	for i, k := range keys {
		if i > 0 {
			b.WriteString(comma)
		}
		b.WriteString(quote(k) + colon + quote(values[k]))
	}
	b.WriteByte('}')
	return b.String()
}

// selector formats a *metav1.LabelSelector.
func (v *validator) selector(s node) string {
	if !s.isSet() {
		return "null"
	}
	labels, expressions := s.get("matchLabels"), s.get("matchExpressions")
	var b strings.Builder
	if v.minor >= 34 {
		b.WriteByte('{')
		if labels.length() > 0 {
			b.WriteString(`"matchLabels":` + v.stringMap(labels))
		}
		if expressions.length() > 0 {
			if labels.length() > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"matchExpressions":[`)
			for i, e := range expressions.items {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(`{"key":` + jsonString(e.str("key")) + `,"operator":` + jsonString(e.str("operator")))
				if e.get("values").length() > 0 {
					b.WriteString(`,"values":` + v.stringList(e.get("values").texts()))
				}
				b.WriteByte('}')
			}
			b.WriteByte(']')
		}
		b.WriteByte('}')
		return b.String()
	}
	b.WriteString("v1.LabelSelector{MatchLabels:" + v.stringMap(labels) + ", MatchExpressions:")
	if !expressions.isSet() {
		b.WriteString("[]v1.LabelSelectorRequirement(nil)}")
		return b.String()
	}
	b.WriteString("[]v1.LabelSelectorRequirement{")
	for i, e := range expressions.items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("v1.LabelSelectorRequirement{Key:" + strconv.Quote(e.str("key")) + ", Operator:" + strconv.Quote(e.str("operator")) + ", Values:" + v.stringList(orEmpty(e.get("values"))) + "}")
	}
	b.WriteString("}}")
	return b.String()
}

// orEmpty returns the strings of a list. The result is nil only if the list is
// absent.
func orEmpty(n node) []string {
	if !n.isSet() {
		return nil
	}
	return append([]string{}, n.texts()...)
}

// dump formats a whole struct: goSyntax up to 1.33, and value as JSON later. The
// text is not exactly the text of the server.
func (v *validator) dump(goSyntax string, value *wire.Value) string {
	if v.minor < 34 {
		return goSyntax
	}
	return jsonOf(value)
}

// jsonOf formats a value as JSON.
func jsonOf(v *wire.Value) string {
	if v.IsNull() {
		return "null"
	}
	var b strings.Builder
	writeJSON(&b, v, 0)
	return b.String()
}

// maxDump is the maximum length in bytes of the text of a value.
const maxDump = 1 << 16

func writeJSON(b *strings.Builder, v *wire.Value, depth int) {
	if b.Len() > maxDump || depth > 100 {
		b.WriteString("…")
		return
	}
	switch {
	case v == nil || v.Kind == wire.Null:
		b.WriteString("null")
	case v.Kind == wire.String:
		b.WriteString(jsonString(v.Text))
	case v.Kind == wire.List:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, item, depth+1)
		}
		b.WriteByte(']')
	case v.Kind == wire.Map:
		b.WriteByte('{')
		for i := range v.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonString(v.Fields[i].Name))
			b.WriteByte(':')
			writeJSON(b, v.Fields[i].Value, depth+1)
		}
		b.WriteByte('}')
	default:
		b.WriteString(v.Text)
	}
}
