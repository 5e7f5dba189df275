package podwarning

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/schema"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// generationChanges reports whether an update increases the object's generation.
// WarningsOnUpdate warns only then. For a Deployment, annotations count, too.
// Source: PrepareForUpdate in pkg/registry/{core,apps,batch}/*/strategy.go, which
// compares the field at kind.watched.
func (w *writer) generationChanges(k *kind, r apiserver.Request) bool {
	c := comparer{w: w, apiVersion: r.APIVersion, kind: r.Kind, path: slices.Clone(k.watched)}
	watched := k.spec
	if k.watched[len(k.watched)-1] == "template" {
		watched = podTemplate
	}
	if !c.same(watched, r.Old.At(k.watched...), r.New.At(k.watched...)) {
		return true
	}
	annotations := []string{"metadata", "annotations"}
	return k.name == "Deployment" && !c.same(stringMap, r.Old.At(annotations...), r.New.At(annotations...))
}

// comparer compares values of the stored and the new object as the server does
// after it set defaults and dropped fields. Source:
// apiequality.Semantic.DeepEqual.
type comparer struct {
	w                *writer
	apiVersion, kind string
	path             []string // field names that lead to the compared values
}

// same reports whether two values of a type are equal. A null counts as absent.
func (c *comparer) same(t structure, a, b *wire.Value) bool {
	if a.IsNull() {
		a = nil
	}
	if b.IsNull() {
		b = nil
	}
	switch {
	case a == nil && b == nil:
		return true
	case a == nil || b == nil:
		return c.empty(t, cmp.Or(a, b))
	case t == amount:
		return sameAmount(a, b)
	case a.Kind != b.Kind:
		return false
	}
	switch a.Kind {
	case wire.Map:
		return c.sameFields(t, a, b)
	case wire.List:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !c.same(t, orEmpty(a.Items[i]), orEmpty(b.Items[i])) {
				return false
			}
		}
		return true
	}
	return a.Text == b.Text
}

// empty reports whether a value equals an absent value: an empty list or map, a
// zero, or a struct that has only zeros and defaults.
func (c *comparer) empty(t structure, v *wire.Value) bool {
	switch v.Kind {
	case wire.Map:
		return c.sameFields(t, emptyMap, v)
	case wire.List:
		return len(v.Items) == 0
	case wire.Bool:
		return v.Text == "false"
	case wire.Number:
		return v.Text == "0" || v.Text == "-0"
	}
	return v.Text == ""
}

var emptyMap = &wire.Value{Kind: wire.Map}

// orEmpty returns an item of a list. For null, it returns an empty map, as the
// server does.
func orEmpty(v *wire.Value) *wire.Value {
	if v.IsNull() {
		return emptyMap
	}
	return v
}

// sameFields reports whether two maps are equal.
func (c *comparer) sameFields(t structure, a, b *wire.Value) bool {
	inA, inB := dictionaryOf(a), dictionaryOf(b)
	if t == stringMap || t == amounts {
		// In a map with arbitrary keys, an element that is null counts, too.
		if len(a.Fields) != len(b.Fields) {
			return false
		}
		for i := range a.Fields {
			f := &a.Fields[i]
			other := inB.field(f.Name)
			if other == nil || t == amounts && !sameAmount(f.Value, other.Value) || t == stringMap && f.Value.StringOr("") != other.Value.StringOr("") {
				return false
			}
		}
		return true
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		var other *wire.Value
		if g := inB.field(f.Name); g != nil {
			other = g.Value
		}
		if !c.sameField(t, f.Name, a, b, f.Value, other) {
			return false
		}
	}
	for i := range b.Fields {
		if f := &b.Fields[i]; inA.field(f.Name) == nil && !c.sameField(t, f.Name, a, b, nil, f.Value) {
			return false
		}
	}
	return true
}

// sameField reports whether a field is equal in the structs a and b. x and y are
// its values.
func (c *comparer) sameField(t structure, name string, a, b, x, y *wire.Value) bool {
	if ignored(t, name) {
		return true
	}
	x, y = c.orDefault(t, name, a, x), c.orDefault(t, name, b, y)
	if t == podSpec && name == "volumes" {
		x, y = c.w.keptVolumes(a), c.w.keptVolumes(b)
	}
	c.path = append(c.path, name)
	same := ((x == nil) == (y == nil) || !optional(t, name, cmp.Or(x, y))) && c.same(t.field(name), x, y)
	same = same || c.w.gatedOff(t, name) || !schema.HasField(c.w.Minor, c.apiVersion, c.kind, c.path...)
	c.path = c.path[:len(c.path)-1]
	return same
}

// keptVolumes returns the volumes of a pod that the server keeps.
func (w *writer) keptVolumes(spec *wire.Value) *wire.Value {
	return &wire.Value{Kind: wire.List, Items: w.volumesOf(spec)}
}

// orDefault returns a field's value, or its default if the field is unset or "".
func (c *comparer) orDefault(t structure, name string, owner, v *wire.Value) *wire.Value {
	if !v.IsNull() && (v.Kind != wire.String || v.Text != "") {
		return v
	}
	if d := c.w.defaultOf(t, name, owner); d != nil {
		return d
	}
	if v.IsNull() {
		return nil
	}
	return v
}

// sameAmount compares two quantities as Semantic.DeepEqual does: by value, after
// rounding up to thousandths.
func sameAmount(a, b *wire.Value) bool {
	if a != nil && b != nil && a.Text == b.Text {
		return true
	}
	x, okX := amountOf(a)
	y, okY := amountOf(b)
	return okX && okY && x.Cmp(y) == 0
}

func amountOf(v *wire.Value) (q resource.Quantity, ok bool) {
	if v.IsNull() {
		return q, true
	}
	text := strings.TrimSpace(v.Text)
	if len(text) > maxQuantityLength {
		return q, false
	}
	q, ok = schema.ParseQuantity(text)
	if !ok {
		return q, false
	}
	q.RoundUp(resource.Milli)
	return q, true
}
