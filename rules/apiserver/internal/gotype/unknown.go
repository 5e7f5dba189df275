package gotype

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unknown returns the fields that the minor's type of an object does not have,
// in the order and with the paths of Decode, at most a hundred. Servers up to
// 1.22 drop them without reporting them. There are none if the kind is not
// Known.
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
