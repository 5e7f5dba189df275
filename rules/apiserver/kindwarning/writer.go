package kindwarning

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxWarnings bounds what is said about one object. A server cuts the texts of
// an answer off at 4096 characters.
const maxWarnings = 1 << 13

// writer collects the warnings about one object.
type writer struct {
	apiserver.Server
	out []apiserver.Warning
}

// say warns with a whole text; field is the path that it is about.
func (w *writer) say(class apiserver.Class, field, text string, at *wire.Value) {
	if len(w.out) < maxWarnings {
		w.out = append(w.out, apiserver.Warning{Field: field, Text: text, At: at, Class: class})
	}
}

// about warns with a text that begins with the path.
func (w *writer) about(class apiserver.Class, field, text string, at *wire.Value) {
	w.say(class, field, field+": "+text, at)
}

// ip warns of an IP address. The path is only made where it is needed.
func (w *writer) ip(v *wire.Value, path func() string) {
	value := v.StringOr("")
	if netvalue.Plain(value) {
		return
	}
	field := path()
	for _, text := range netvalue.IPWarnings(w.Minor, field, value) {
		w.say(apiserver.Advice, field, text, v)
	}
}

// cidr warns of a CIDR value.
func (w *writer) cidr(v *wire.Value, path func() string) {
	value := v.StringOr("")
	if netvalue.PlainCIDR(value) {
		return
	}
	field := path()
	for _, text := range netvalue.CIDRWarnings(w.Minor, field, value) {
		w.say(apiserver.Advice, field, text, v)
	}
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// items gives a list's items.
func items(v *wire.Value) []*wire.Value {
	if v == nil || v.Kind != wire.List {
		return nil
	}
	return v.Items
}

// fields gives a map's fields.
func fields(v *wire.Value) []wire.Field {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	return v.Fields
}

// field gives a field that is there and not null.
func field(v *wire.Value, name string) *wire.Field {
	if f := v.Field(name); f != nil && !f.Value.IsNull() {
		return f
	}
	return nil
}

// annotation gives an annotation. A null counts: the server makes an empty
// string of it.
func annotation(obj *wire.Value, name string) *wire.Field {
	return obj.At("metadata", "annotations").Field(name)
}

// keyOf gives the place of a field's name, which is to blame where the field
// should not be there, whatever its value.
func keyOf(f *wire.Field) *wire.Value {
	return &wire.Value{Kind: wire.String, Text: f.Name, Pos: f.Pos, End: f.End}
}

// or gives the first of its arguments that is there.
func or(values ...*wire.Value) *wire.Value {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
