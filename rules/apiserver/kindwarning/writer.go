package kindwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxWarnings bounds the warnings about one object. A server cuts the texts of an
// answer off at 4096 characters.
const maxWarnings = 1 << 13

// writer collects the warnings about one object.
type writer struct {
	apiserver.Server
	out []apiserver.Warning
}

// say adds a warning with a complete text. field is the path that it is about.
func (w *writer) say(class apiserver.Class, field, text string, at *wire.Value) {
	if len(w.out) < maxWarnings {
		w.out = append(w.out, apiserver.Warning{Field: field, Text: text, At: at, Class: class})
	}
}

// about adds a warning whose text begins with the path.
func (w *writer) about(class apiserver.Class, field, text string, at *wire.Value) {
	w.say(class, field, field+": "+text, at)
}

// ip warns about an IP address.
func (w *writer) ip(v *wire.Value, path string) {
	for _, text := range netvalue.IPWarnings(w.Minor, path, v.StringOr("")) {
		w.say(apiserver.Advice, path, text, v)
	}
}

// cidr warns about a CIDR value.
func (w *writer) cidr(v *wire.Value, path string) {
	for _, text := range netvalue.CIDRWarnings(w.Minor, path, v.StringOr("")) {
		w.say(apiserver.Advice, path, text, v)
	}
}

// annotation returns an annotation. A null counts, because the server turns it into an
// empty string.
func annotation(obj *wire.Value, name string) *wire.Field {
	return obj.At("metadata", "annotations").Field(name)
}
