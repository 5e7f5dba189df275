package gotype

import (
	"encoding/base64"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fits returns values that decode where the wrong value does not. The most likely
// correction is first, followed by other values of the type. The last is null,
// which every type accepts.
func (f *failure) fits(m lifecycle.Minor) []*wire.Value {
	var all []*wire.Value
	if f.want != nil {
		for _, v := range candidates(m, f.want, f.at) {
			if v.Pos, v.End = f.at.Pos, f.at.End; fitterFor(m).lenientFits(f.want, &v) {
				all = append(all, &v)
			}
		}
	}
	return append(all, &wire.Value{Kind: wire.Null, Pos: f.at.Pos, End: f.at.End})
}

// lenientFits is like fits but ignores unknown fields.
func (c fitter) lenientFits(t *typeRecord, v *wire.Value) bool {
	c.lenient = true
	return c.fits(t, v)
}

// candidates returns values that may decode into t in place of v, the most likely
// correction first.
func candidates(m lifecycle.Minor, t *typeRecord, v *wire.Value) []wire.Value {
	scalar := v.Kind == wire.Bool || v.Kind == wire.Number || v.Kind == wire.String
	word := ""
	if scalar {
		word = strings.TrimSpace(v.Text)
	}
	texts := func(all ...string) (values []wire.Value) {
		for _, s := range all {
			values = append(values, wire.Value{Kind: wire.String, Text: s})
		}
		return values
	}
	numbers := func(all ...string) (values []wire.Value) {
		for _, s := range all {
			values = append(values, wire.Value{Kind: wire.Number, Text: s})
		}
		return values
	}
	switch t.shape {
	case structure, dictionary:
		return []wire.Value{{Kind: wire.Map}}
	case list:
		return []wire.Value{{Kind: wire.List, Items: []*wire.Value{asItem(m, t.elemType(), v)}}, {Kind: wire.List}}
	case text:
		if scalar {
			return texts(v.Text)
		}
		return texts("x")
	case boolean:
		if strings.EqualFold(word, "false") || strings.EqualFold(word, "no") || strings.EqualFold(word, "off") || word == "0" {
			return []wire.Value{{Kind: wire.Bool, Text: "false"}, {Kind: wire.Bool, Text: "true"}}
		}
		return []wire.Value{{Kind: wire.Bool, Text: "true"}, {Kind: wire.Bool, Text: "false"}}
	case octets:
		return texts(base64.StdEncoding.EncodeToString([]byte(v.Text)))
	case quantity:
		return texts(strings.ReplaceAll(word, " ", ""), "1", "1Ti")
	case intOrString:
		return numbers("1", "0", "40000")
	case timestamp:
		return texts("2020-01-01T00:00:00Z")
	case microTimestamp:
		return texts("2020-01-01T00:00:00.000000Z")
	case schemaOrArray, schemaOrBool, schemaOrStrings, anything:
		return nil
	}
	if fitsNumber(t.shape, &wire.Value{Kind: wire.Number, Text: word}) {
		return numbers(word, "1", "0", "40000")
	}
	return numbers("1", "0", "40000")
}

// asItem returns v as an item of a list, because users forget the brackets around
// a single item. A bool or number becomes a string if the items are strings.
func asItem(m lifecycle.Minor, elem *typeRecord, v *wire.Value) *wire.Value {
	if elem.shape == text && (v.Kind == wire.Bool || v.Kind == wire.Number) {
		return &wire.Value{Kind: wire.String, Text: v.Text, Pos: v.Pos, End: v.End}
	}
	item := *v // a copy, because the caller changes the positions of v
	return &item
}

// FitsMetadata returns Outcome.Fits for the value at in the metadata meta of an
// object of any kind. It returns nil unless at is the first value that does not
// decode.
func FitsMetadata(m lifecycle.Minor, meta, at *wire.Value) []*wire.Value {
	if at == nil || meta == nil {
		return nil
	}
	o := Object{
		APIVersion: "v1", Kind: "ConfigMap", Sorted: true,
		Value: &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: "metadata", Value: meta}}},
	}
	if got := Decode(m, o, false); got.At == at {
		return got.Fits
	}
	return nil
}
