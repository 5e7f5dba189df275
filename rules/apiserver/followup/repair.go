package followup

import (
	"slices"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// objectPath is a path in an object: names of fields and indices of items.
type objectPath []string

// place is the path of a repaired value and its error.
type place struct {
	path  objectPath
	cause *apiserver.Cause
}

// repairer copies an object and replaces the wrong values in it.
type repairer struct {
	causes  map[*wire.Value]*apiserver.Cause
	variant int
	places  []place
	at      objectPath
}

// repair returns a copy of an object in which values that fit replace the wrong
// values. It uses Fits[variant] of each error, or the last fit. It also returns
// the places of the wrong values. A value that YAML aliases repeat has several
// places.
func repair(v *wire.Value, wrong []apiserver.Cause, variant int) (*wire.Value, []place) {
	r := repairer{causes: make(map[*wire.Value]*apiserver.Cause, len(wrong)), variant: variant}
	for i := range wrong {
		r.causes[wrong[i].At] = &wrong[i]
	}
	return r.value(v), r.places
}

// size returns the number of values in v, which is at least 1.
func size(v *wire.Value) int {
	n := 1
	if v == nil {
		return n
	}
	for i := range v.Fields {
		n += size(v.Fields[i].Value)
	}
	for _, item := range v.Items {
		n += size(item)
	}
	return n
}

// value returns a copy of v with the wrong values replaced, or v itself if it has
// none.
func (r *repairer) value(v *wire.Value) *wire.Value {
	if v == nil {
		return nil
	}
	if c := r.causes[v]; c != nil {
		r.places = append(r.places, place{slices.Clone(r.at), c})
		v = c.Fits[min(r.variant, len(c.Fits)-1)] // may itself contain a value to repair
	}
	result := v
	copyOnce := func() {
		if result == v {
			copied := *v
			copied.Fields, copied.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
			result = &copied
		}
	}
	for i := range v.Fields {
		r.at = append(r.at, v.Fields[i].Name)
		if by := r.value(v.Fields[i].Value); by != v.Fields[i].Value {
			copyOnce()
			result.Fields[i].Value = by
		}
		r.at = r.at[:len(r.at)-1]
	}
	for i, item := range v.Items {
		r.at = append(r.at, strconv.Itoa(i))
		if by := r.value(item); by != item {
			copyOnce()
			result.Items[i] = by
		}
		r.at = r.at[:len(r.at)-1]
	}
	return result
}
