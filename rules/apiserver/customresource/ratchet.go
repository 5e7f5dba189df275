package customresource

import (
	"encoding/json"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// oldField returns the stored value of a field, or nil if the server does not
// match the field with a stored field. With ratcheting, the server ignores errors
// in a value that equals its stored value. The server does not match apiVersion
// and kind of the object itself. Source: pkg/apiserver/validation/ratcheting.go.
func (v *validator) oldField(path *location, old *wire.Value, name string) *wire.Value {
	if !v.ratchet || path == nil && (name == "apiVersion" || name == "kind") {
		return nil
	}
	return old.Get(name)
}

// correlation finds the stored item that belongs to a new item, for lists of type
// map.
type correlation struct {
	keys  []string
	items map[string]*wire.Value
}

func (v *validator) correlate(s *Schema, old *wire.Value) *correlation {
	if !v.ratchet {
		return nil
	}
	return correlateItems(s, old)
}

// correlateItems returns the correlation of a list, or nil if its items cannot be
// matched.
func correlateItems(s *Schema, old *wire.Value) *correlation {
	if old == nil || old.Kind != wire.List || s.ListType != "map" || len(s.ListMapKeys) == 0 {
		return nil
	}
	c := &correlation{s.ListMapKeys, make(map[string]*wire.Value, len(old.Items))}
	for _, item := range old.Items {
		if key, ok := c.key(item); ok && c.items[key] == nil {
			c.items[key] = item
		}
	}
	return c
}

// key returns the key of an item. It returns false if a key field is absent or
// not a scalar.
func (c *correlation) key(item *wire.Value) (string, bool) {
	for _, k := range c.keys {
		if v := item.Get(k); v.IsNull() || !scalar(v) {
			return "", false
		}
	}
	return listKey(item, c.keys), true
}

func (c *correlation) find(item *wire.Value) *wire.Value {
	if c == nil {
		return nil
	}
	if key, ok := c.key(item); ok {
		return c.items[key]
	}
	return nil
}

// listKey returns a text that is the same for items with equal key fields.
func listKey(item *wire.Value, keys []string) string {
	key := make(map[string]any, len(keys))
	for _, k := range keys {
		if f := item.Field(k); f != nil {
			key[k] = plainValue(f.Value)
		}
	}
	text, err := json.Marshal(key)
	if err != nil {
		return ""
	}
	return string(text)
}

// unchanged reports whether a value equals the stored value. The order of items
// in a list of type map does not matter. An object with a field that has no
// schema counts as changed, because the server cannot match this field. Source:
// CachedDeepEqual in apiserver/pkg/cel/common/equality.go.
func (v *validator) unchanged(x, old *wire.Value, s *Schema) bool {
	if x.IsNull() || old.IsNull() {
		return x.IsNull() && old.IsNull()
	}
	switch {
	case x.Kind == wire.Map && old.Kind == wire.Map:
		if len(x.Fields) != len(old.Fields) {
			return false
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			sub, before := s.Property(f.Name), old.Field(f.Name)
			if sub == nil && s != nil {
				sub = s.Additional
			}
			if sub == nil || before == nil || !v.unchanged(f.Value, before.Value, sub) {
				return false
			}
		}
		return true
	case x.Kind == wire.List && old.Kind == wire.List && s != nil && s.ListType == "map" && s.Items != nil:
		if len(x.Items) != len(old.Items) {
			return false
		}
		before := v.correlate(s, old)
		for _, item := range x.Items {
			if o := before.find(item); o == nil || !v.unchanged(item, o, s.Items) {
				return false
			}
		}
		return true
	}
	return equal(x, old)
}

// equal reports whether two values are the same JSON. Numbers are compared as the
// server decodes them. Null equals an absent value.
func equal(a, b *wire.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	if a == b {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case wire.Number:
		return a.Text == b.Text || number(a.Text) == number(b.Text)
	case wire.List:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case wire.Map:
		return equalMaps(a, b)
	}
	return a.Text == b.Text
}

func equalMaps(a, b *wire.Value) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	const small = 16
	var index map[string]*wire.Value
	if len(b.Fields) > small {
		index = make(map[string]*wire.Value, len(b.Fields))
		for i := range b.Fields {
			index[b.Fields[i].Name] = b.Fields[i].Value
		}
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		var other *wire.Value
		found := false
		if index != nil {
			other, found = index[f.Name]
		} else if g := b.Field(f.Name); g != nil {
			other, found = g.Value, true
		}
		if !found || !equal(f.Value, other) {
			return false
		}
	}
	return true
}
