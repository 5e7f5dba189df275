package gotype

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unknown gives the fields that the minor's type of an object does not have and
// that its server drops, in the order and with the paths of Decode, whether the
// server tells of them or not: up to 1.22 it does not. There are none of an
// object of a kind that is not Known, and a hundred at most.
func Unknown(m lifecycle.Minor, o Object) []Dropped {
	t := typeOf(o.APIVersion, o.Kind, m)
	if t == nil || o.Value == nil || o.Value.Kind != wire.Map {
		return nil
	}
	if (fitter{minor: m}).fits(t, o.Value) {
		return nil
	}
	d := &decoder{minor: max(m, strictPaths), fields: m, strict: true}
	d.read(t, o.Value)
	var all []Dropped
	for _, f := range d.dropped {
		all = append(all, Dropped{Text: f.String(), Field: f.field, Key: f.key})
	}
	return all
}
