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
	// Causes has at most one cause, of code 400. If there is a cause, Warnings is
	// empty.
	Causes []apiserver.Cause
	// Warnings are about dropped fields, in the server's order. Their class is
	// UnknownField. Field is the server's path for an unknown field, and
	// wire.Duplicate's path for a repeated field. Key is the field.
	Warnings []apiserver.Warning
}

// Decode returns a server's answer to the decoding of a body. The answer is the
// error about the first value of a wrong type. If there is none, it is the
// warnings about unknown and repeated fields, which the server drops. For kinds
// that are not Known, the result is empty. If Body is nil, the client is kubectl,
// which sorts fields by name.
//
// Source: Create and UpdateResource with transformDecodeError
// (k8s.io/apiserver/pkg/endpoints/handlers/{create,update,rest}.go), and
// Serializer (k8s.io/apimachinery/pkg/runtime/serializer/json/json.go). Its
// decoder is sigs.k8s.io/json from 1.23 to 1.37. The texts of json-iterator, up
// to 1.22, are not reproduced.
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

// Known reports whether the minor can serve the kind, even if it is off by
// default. List kinds such as PodList are not known, because clients do not send
// them.
func Known(apiVersion, kind string, m lifecycle.Minor) bool {
	return gotype.Known(apiVersion, kind, m)
}

// HasField reports whether the kind has a field in the minor. The path consists
// of JSON field names, without list indices and map keys. An empty path is the
// object itself.
func HasField(m lifecycle.Minor, apiVersion, kind string, path ...string) bool {
	return gotype.HasField(m, apiVersion, kind, path...)
}

// Suggest returns a hint for an unknown field of a kind, or "". The hint follows
// the server's text: "did you mean …?", "known from 1.29 on" or "known up to
// 1.24". path is the field's path in Decode's warnings.
func Suggest(apiVersion, kind string, m lifecycle.Minor, path string) string {
	return gotype.Suggest(apiVersion, kind, m, path)
}

// ParseQuantity parses untrusted text with resource.ParseQuantity. ok is false if
// the text is not a quantity. ok is also false for numbers such as 9e-999999999,
// for which resource.ParseQuantity takes hours.
func ParseQuantity(text string) (_ resource.Quantity, ok bool) { return gotype.ParseQuantity(text) }
