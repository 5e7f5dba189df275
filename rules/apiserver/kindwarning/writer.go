package kindwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxWarnings limits the number of warnings about one object. A server sends at
// most 4096 characters of warnings.
const maxWarnings = 1 << 13

type writer struct {
	apiserver.Server
	warnings []apiserver.Warning
}

// warn adds a warning with exactly this text.
func (w *writer) warn(class apiserver.Class, field, text string, at *wire.Value) {
	if len(w.warnings) < maxWarnings {
		w.warnings = append(w.warnings, apiserver.Warning{Field: field, Text: text, At: at, Class: class})
	}
}

// warnField adds a warning whose text begins with the path of the field.
func (w *writer) warnField(class apiserver.Class, field, text string, at *wire.Value) {
	w.warn(class, field, field+": "+text, at)
}

// ip adds the warnings about the text of an IP address.
func (w *writer) ip(v *wire.Value, path string) {
	for _, text := range netvalue.IPWarnings(w.Minor, path, v.StringOr("")) {
		w.warn(apiserver.Advice, path, text, v)
	}
}

// cidr adds the warnings about the text of a CIDR value.
func (w *writer) cidr(v *wire.Value, path string) {
	for _, text := range netvalue.CIDRWarnings(w.Minor, path, v.StringOr("")) {
		w.warn(apiserver.Advice, path, text, v)
	}
}

// annotation returns an annotation of an object, or nil. It also returns an
// annotation that is null, because for the server that is an empty string.
func annotation(obj *wire.Value, name string) *wire.Field {
	return obj.At("metadata", "annotations").Field(name)
}
