package podwarning

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Limits for one object. A server sends at most 4096 characters of warnings and
// refuses bodies of more than 3 MB.
const (
	maxWarnings = 4096
	maxPairs    = 4 << 20 // number of comparisons of two ports or paths
)

type writer struct {
	apiserver.Server
	// prefix is the path of the pod template, such as "spec.template.". It is
	// empty for a Pod.
	prefix string
	// place is the value to which all warnings point if they are about the stored
	// object, which the user does not see. Otherwise it is nil.
	place    *wire.Value
	warnings []apiserver.Warning
	pairs    int
}

// warnField adds a warning whose text begins with the path of the field.
func (w *writer) warnField(class apiserver.Class, field, text string, at *wire.Value) {
	w.warn(class, field, field+": "+text, at)
}

// warn adds a warning with exactly this text.
func (w *writer) warn(class apiserver.Class, field, text string, at *wire.Value) {
	if len(w.warnings) >= maxWarnings {
		return
	}
	if w.place != nil {
		at = w.place
	}
	w.warnings = append(w.warnings, apiserver.Warning{Field: field, Text: text, At: at, Class: class})
}

// countPair counts a comparison. It returns false if the limit is reached.
func (w *writer) countPair() bool {
	w.pairs++
	return w.pairs <= maxPairs && len(w.warnings) < maxWarnings
}

// integer returns v as an integer, or 0 if v is not an integer.
func integer(v *wire.Value) int64 {
	n, _ := v.Int()
	return n
}

// dictionary is a map that finds fields by name in constant time.
type dictionary struct {
	v     *wire.Value
	index map[string]*wire.Field
}

func dictionaryOf(v *wire.Value) dictionary {
	d := dictionary{v: v}
	const searchable = 32
	if v != nil && len(v.Fields) > searchable {
		d.index = make(map[string]*wire.Field, len(v.Fields))
		for i := range v.Fields {
			d.index[v.Fields[i].Name] = &v.Fields[i]
		}
	}
	return d
}

func (d dictionary) field(name string) *wire.Field {
	if d.index != nil {
		return d.index[name]
	}
	return d.v.Field(name)
}

// prefixed returns the field whose name is prefix followed by name, or nil.
func (d dictionary) prefixed(prefix, name string) *wire.Field {
	if d.index != nil {
		return d.index[prefix+name]
	}
	if d.v == nil {
		return nil
	}
	for i := range d.v.Fields {
		if n := d.v.Fields[i].Name; len(n) == len(prefix)+len(name) && n[:len(prefix)] == prefix && n[len(prefix):] == name {
			return &d.v.Fields[i]
		}
	}
	return nil
}

type names struct {
	list []string
	set  map[string]struct{}
}

// repeated adds a string to the set, and reports whether the set already had it.
func (n *names) repeated(s string) bool {
	const searchable = 16
	if n.set == nil {
		for _, have := range n.list {
			if have == s {
				return true
			}
		}
		if n.list = append(n.list, s); len(n.list) > searchable {
			n.set = make(map[string]struct{}, 4*searchable)
			for _, have := range n.list {
				n.set[have] = struct{}{}
			}
		}
		return false
	}
	if _, ok := n.set[s]; ok {
		return true
	}
	n.set[s] = struct{}{}
	return false
}
