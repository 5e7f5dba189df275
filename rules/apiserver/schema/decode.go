package schema

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Result is what decoding an object's body says. The zero value is that all is
// well.
type Result struct {
	// Causes is at most one cause, of code 400: the server refuses the body
	// and says nothing else of it.
	Causes []apiserver.Cause
	// Warnings are about fields that the server drops, of class UnknownField,
	// in its order. Field is the server's path of an unknown field, and
	// wire.Duplicate's of a repeated one; Key is the field with its name's
	// place.
	Warnings []apiserver.Warning
}

// Decode says what a server answers when it decodes the body of a request: the
// first value of a wrong type, or the fields that it drops because it does not
// know them or because they are repeated. Objects of kinds that are not Known
// get no answer.
//
// A request without a Body is kubectl's, which sends fields in the order of
// their names; a Body's are taken in its own order.
//
// It re-states Create and UpdateResource with transformDecodeError
// (k8s.io/apiserver/pkg/endpoints/handlers/{create,update,rest}.go), Serializer
// (k8s.io/apimachinery/pkg/runtime/serializer/json/json.go) and the decoders
// that it asks, json-iterator up to 1.22 and sigs.k8s.io/json from 1.23 on, in
// 1.16 to 1.37.
func Decode(s apiserver.Server, r apiserver.Request) Result {
	o := gotype.Object{APIVersion: r.APIVersion, Kind: r.Kind, Value: r.New, Duplicates: r.Duplicates, Body: r.Body, Sorted: r.Body == nil}
	got := gotype.Decode(s.Minor, o, s.ReportsDropped(r.Validation))
	if got.Error == "" && Known(r.APIVersion, r.Kind, s.Minor) {
		if text, at := conversionError(r); text != "" {
			got = gotype.Outcome{Error: text, At: at}
		}
	}
	switch {
	case got.Error != "":
		return Result{Causes: []apiserver.Cause{r.Undecoded(got.Error, got.At, got.Inexact)}}
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
// switched on, so that Decode judges its objects. Lists of kinds are not
// known: nobody sends them.
func Known(apiVersion, kind string, m lifecycle.Minor) bool {
	return gotype.Known(apiVersion, kind, m)
}

// HasField reports whether the minor's type of the kind has a field. The path
// is made of the names of JSON fields; what is in a list, or under any key of a
// map, follows the list's or the map's own name. An empty path is the object
// itself.
func HasField(m lifecycle.Minor, apiVersion, kind string, path ...string) bool {
	return gotype.HasField(m, apiVersion, kind, path...)
}

// Suggest gives a hint on an unknown field of a kind, named by its path as
// Decode's warnings have it, in words to be put after the server's: "did you
// mean …?", "known from 1.29 on" or "known up to 1.24". It is empty if there is
// nothing to say.
func Suggest(apiVersion, kind string, m lifecycle.Minor, path string) string {
	return gotype.Suggest(apiVersion, kind, m, path)
}

// ParseQuantity is resource.ParseQuantity for texts that may be anything: it
// is false for those that are no quantity, and for those whose exponent is
// beyond any use, on which the original spends hours (9e-999999999).
func ParseQuantity(text string) (resource.Quantity, bool) { return gotype.ParseQuantity(text) }
