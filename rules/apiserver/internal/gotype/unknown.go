package gotype

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unknown returns the fields of an object that the minor's type does not have, at
// most a hundred, with the order and paths of Decode. Unlike Decode, it also
// works for servers up to 1.22, which drop unknown fields silently. It returns
// nil if the kind is not Known.
func Unknown(m lifecycle.Minor, o Object) []Dropped {
	t := typeOf(o.APIVersion, o.Kind, m)
	if t == nil || o.Value == nil || o.Value.Kind != wire.Map {
		return nil
	}
	d := &decoder{minor: m, strict: true}
	d.read(t, o.Value)
	var all []Dropped
	for _, f := range d.dropped {
		all = append(all, Dropped{Text: f.String(), Field: f.field, Key: f.key})
	}
	return all
}
