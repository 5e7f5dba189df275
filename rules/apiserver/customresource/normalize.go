package customresource

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// normalizer returns an object as the server validates it: without unknown fields
// and forbidden nulls, and with defaults. The result shares unchanged values with
// the original object. Source: prune in apiserver/schema/pruning,
// PruneNonNullableNullsWithoutDefaults and Default in
// apiserver/schema/defaulting.
type normalizer struct {
	prune      bool // whether to drop unknown fields
	pruneNulls bool // whether to drop forbidden nulls, as 1.20 to 1.37 do
	remaining  int  // number of values that defaults may still add
}

// maxDefaulted is the maximum number of values that defaults may add to one object.
const maxDefaulted = 1 << 18

// object normalizes the whole object or an embedded resource. It keeps
// apiVersion, kind and metadata even if the schema does not describe them.
func (n *normalizer) object(v *wire.Value, s *Schema, embedded bool) *wire.Value {
	preserve := !n.prune || s != nil && s.PreserveUnknownFields
	out := v
	edit := func() {
		if out == v {
			clone := *v
			clone.Fields = append(make([]wire.Field, 0, len(v.Fields)+4), v.Fields...)
			out = &clone
		}
	}
	removed := false
	for i := range v.Fields {
		f := &v.Fields[i]
		if embedded && isTypeOrObjectMeta(f.Name) {
			continue
		}
		sub, known := s.field(f.Name)
		value := f.Value
		switch {
		case !known && preserve:
		case !known:
			value = nil
		case value.IsNull() && sub != nil && !sub.Nullable && sub.Default != nil:
			value = n.defaulted(sub, v)
		case value.IsNull() && sub != nil && !sub.Nullable && n.pruneNulls:
			value = nil
		default:
			value = n.value(value, sub)
		}
		if value != f.Value {
			edit()
			out.Fields[i].Value = value
			removed = removed || value == nil
		}
	}
	if s != nil {
		has := fieldLookup(v, len(s.defaults))
		for _, i := range s.defaults {
			if p := &s.Properties[i]; !has(p.Name) {
				edit()
				out.Fields = append(out.Fields, wire.Field{Name: p.Name, Pos: v.Pos, End: v.End, Value: n.defaulted(p.Schema, v)})
			}
		}
	}
	if removed {
		kept := out.Fields[:0]
		for _, f := range out.Fields {
			if f.Value != nil {
				kept = append(kept, f)
			}
		}
		out.Fields = kept
	}
	return out
}

func (n *normalizer) value(v *wire.Value, s *Schema) *wire.Value {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case wire.Map:
		return n.object(v, s, s != nil && s.EmbeddedResource)
	case wire.List:
		out := v
		var items *Schema
		if s != nil {
			items = s.Items
		}
		if items == nil && (!n.prune || s != nil && s.PreserveUnknownFields) {
			return v // the whole list is kept
		}
		for i, item := range v.Items {
			value := n.value(item, items)
			if item.IsNull() && items != nil && items.Default != nil && !items.Nullable {
				value = n.defaulted(items, v)
			}
			if value != item {
				if out == v {
					clone := *v
					clone.Items = append([]*wire.Value(nil), v.Items...)
					out = &clone
				}
				out.Items[i] = value
			}
		}
		return out
	}
	return v
}

// fieldLookup returns a function that reports whether a map has a field. calls is
// the expected number of its calls.
func fieldLookup(v *wire.Value, calls int) func(name string) bool {
	const maxLinear = 16
	if calls <= maxLinear || len(v.Fields) <= maxLinear {
		return func(name string) bool { return v.Field(name) != nil }
	}
	names := make(map[string]bool, len(v.Fields))
	for i := range v.Fields {
		names[v.Fields[i].Name] = true
	}
	return func(name string) bool { return names[name] }
}

// field returns the schema of a field. known is set if the schema describes the
// field.
func (s *Schema) field(name string) (sub *Schema, known bool) {
	if s == nil {
		return nil, false
	}
	if p := s.Property(name); p != nil {
		return p, true
	}
	return s.Additional, s.AllowAdditional || s.ForbidAdditional
}

// defaulted returns the default value of a schema. Fields that are missing in the
// default value get their own defaults, and nothing is pruned. The result has the
// position of at, the object that lacks the value.
func (n *normalizer) defaulted(s *Schema, at *wire.Value) *wire.Value {
	inside := normalizer{remaining: n.remaining}
	value := inside.value(inside.movedTo(s.Default, at), s)
	n.remaining = inside.remaining
	return value
}

// movedTo returns a copy of v with the position of at. The default v is in the
// definition, which is another document.
func (n *normalizer) movedTo(v, at *wire.Value) *wire.Value {
	if n.remaining--; v == nil || n.remaining < 0 {
		return &wire.Value{Pos: at.Pos, End: at.End}
	}
	clone := &wire.Value{Kind: v.Kind, Text: v.Text, Pos: at.Pos, End: at.End}
	for i := range v.Fields {
		clone.Fields = append(clone.Fields, wire.Field{Name: v.Fields[i].Name, Pos: at.Pos, End: at.End, Value: n.movedTo(v.Fields[i].Value, at)})
	}
	for _, item := range v.Items {
		clone.Items = append(clone.Items, n.movedTo(item, at))
	}
	return clone
}
