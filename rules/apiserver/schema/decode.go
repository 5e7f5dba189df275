package schema

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Result is the result of decoding a body. The zero value is a success without
// warnings.
type Result struct {
	// Causes has at most one cause, of code 400. The server's answer then has
	// nothing else.
	Causes []apiserver.Cause
	// Warnings are about dropped fields, of class UnknownField, in the server's
	// order. Field is the server's path of an unknown field, or
	// wire.Duplicate's of a repeated one. Key is the field.
	Warnings []apiserver.Warning
}

// Decode returns a server's answer to the decoding of a body: the first value
// of a wrong type, or the unknown and repeated fields, which the server drops.
// The result is empty for kinds that are not Known.
//
// A request without a Body is kubectl's, which sends fields in the order of
// their names.
//
// It re-states Create and UpdateResource with transformDecodeError
// (k8s.io/apiserver/pkg/endpoints/handlers/{create,update,rest}.go), Serializer
// (k8s.io/apimachinery/pkg/runtime/serializer/json/json.go) and its decoders:
// json-iterator up to 1.22, whose texts are not reproduced, and
// sigs.k8s.io/json in 1.23 to 1.37.
func Decode(s apiserver.Server, r apiserver.Request) Result {
	o := gotype.Object{APIVersion: r.APIVersion, Kind: r.Kind, Value: r.New, Duplicates: r.Duplicates, Body: r.Body, Sorted: r.Body == nil}
	got := gotype.Decode(s.Minor, o, s.ReportsDropped(r.Validation))
	if got.Error == "" && Known(r.APIVersion, r.Kind, s.Minor) {
		if text, at := conversionError(r); text != "" {
			got = gotype.Outcome{Error: text, At: at, Fits: []*wire.Value{{Kind: wire.String, Text: "1", Pos: at.Pos, End: at.End}}}
		}
	}
	switch {
	case got.Error != "":
		cause := r.Undecoded(got.Error, got.At, got.Inexact)
		cause.Fits = got.Fits
		return Result{Causes: []apiserver.Cause{cause}}
	case len(got.Dropped) == 0:
		return Result{}
	case r.Validation == apiserver.Strict:
		texts := make([]string, len(got.Dropped))
		for i := range got.Dropped {
			texts[i] = got.Dropped[i].Text
		}
		return Result{Causes: []apiserver.Cause{r.Undecoded("strict decoding error: "+strings.Join(texts, ", "), got.Dropped[0].Key.Value, false)}}
	}
	warnings := make([]apiserver.Warning, len(got.Dropped))
	for i := range got.Dropped {
		d := &got.Dropped[i]
		warnings[i] = apiserver.Warning{Field: d.Field, Text: d.Text, At: d.Key.Value, Key: &d.Key, Class: apiserver.UnknownField}
	}
	return Result{Warnings: warnings}
}

// Known reports whether the minor serves the kind, by default or if it is
// enabled. Lists of kinds are not known: clients do not send them.
func Known(apiVersion, kind string, m lifecycle.Minor) bool {
	return gotype.Known(apiVersion, kind, m)
}

// HasField reports whether the minor's type of the kind has a field. The path
// consists of the names of JSON fields, without list indices and map keys. An
// empty path is the object itself.
func HasField(m lifecycle.Minor, apiVersion, kind string, path ...string) bool {
	return gotype.HasField(m, apiVersion, kind, path...)
}

// Suggest returns a hint on an unknown field of a kind, for the end of the
// server's text: "did you mean …?", "known from 1.29 on" or "known up to 1.24".
// path is the field's path in Decode's warnings. It is empty if there is no
// hint.
func Suggest(apiVersion, kind string, m lifecycle.Minor, path string) string {
	return gotype.Suggest(apiVersion, kind, m, path)
}

// ParseQuantity parses untrusted text with resource.ParseQuantity. ok is false
// if the text is not a quantity, or if its exponent is so large that the
// original takes hours (9e-999999999).
func ParseQuantity(text string) (resource.Quantity, bool) { return gotype.ParseQuantity(text) }
