package customresource

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// mapType checks x-kubernetes-map-type (1.17–1.37).
func (w schemaWalk) mapType(path []byte, s *wire.Value) {
	v := nonNull(s.Get("x-kubernetes-map-type"))
	if v == nil || w.minor < 17 {
		return
	}
	w.checkType(path, s, "object", "x-kubernetes-map-type")
	if text := v.StringOr(""); text != "atomic" && text != "granular" {
		w.notSupported(string(childPath(path, "x-kubernetes-map-type")), text, []string{"atomic", "granular"}, v)
	}
}

// checkType reports whether a schema has the type that one of its keywords
// requires. If not, it adds an error.
func (w schemaWalk) checkType(path []byte, s *wire.Value, want, keyword string) (ok bool) {
	typ := s.Get("type")
	detail := "must be " + want + " if " + keyword + " is specified"
	switch typ.StringOr("") {
	case want:
		return true
	case "":
		w.required(string(childPath(path, "type")), detail, s)
	default:
		w.invalid(string(childPath(path, "type")), typ.Text, detail, typ)
	}
	return false
}

// listType checks x-kubernetes-list-type and x-kubernetes-list-map-keys.
func (w schemaWalk) listType(path []byte, s *wire.Value) {
	v, keys := nonNull(s.Get("x-kubernetes-list-type")), s.Get("x-kubernetes-list-map-keys")
	if v == nil && len(keys.Elements()) == 0 {
		return
	}
	item := s.Get("items")
	const keyword = "x-kubernetes-list-type"
	where := string(childPath(path, keyword))
	typ := v.StringOr("")
	if v != nil && w.checkType(path, s, "array", keyword) && w.requireAtomicSet && w.hasNonAtomicItems(s) {
		w.nonAtomic(childPath(path, "items"), item)
	}
	if v != nil && typ != "atomic" && typ != "set" && typ != "map" {
		w.notSupported(where, typ, []string{"atomic", "set", "map"}, v)
	}
	if len(keys.Elements()) > 0 {
		const detail = "must be map if x-kubernetes-list-map-keys is non-empty"
		if v == nil {
			w.required(where, detail, keys)
		} else if typ != "map" {
			w.invalid(where, typ, detail, v)
		}
	}
	if v == nil || typ != "map" {
		return
	}
	if len(keys.Elements()) == 0 {
		w.required(string(childPath(path, "x-kubernetes-list-map-keys")), "must not be empty if x-kubernetes-list-type is map", v)
	}
	switch {
	case item.IsNull():
		w.required(string(childPath(path, "items")), "must have a schema if x-kubernetes-list-type is map", v)
	case item.Kind != wire.Map:
		w.addWithValue(errInvalid, string(childPath(path, "items")), "…", "must only have a single schema if x-kubernetes-list-type is map", item)
		w.causes[len(w.causes)-1].Inexact = true
	case item.Get("type").StringOr("") != "object":
		w.invalid(string(childPath(childPath(path, "items"), "type")), item.Get("type").StringOr(""), "must be object if parent array's x-kubernetes-list-type is map", item)
	default:
		w.keysExist(path, item, stringsOf(orElse(keys, &wire.Value{})), orElse(keys, v))
	}
}

func (w schemaWalk) nonAtomic(path []byte, item *wire.Value) {
	keyword := "x-kubernetes-list-type"
	value := quotable(item.Get(keyword))
	if item.Get("type").StringOr("") == "object" {
		if w.minor < 17 {
			w.invalid(string(childPath(path, "type")), "object", "must be a scalar or atomic type as item of a list with x-kubernetes-list-type=set", item)
			return
		}
		keyword = "x-kubernetes-map-type"
	}
	w.invalid(string(childPath(path, keyword)), value, "must be atomic as item of a list with x-kubernetes-list-type=set", item)
}

func (w schemaWalk) keysExist(path []byte, item *wire.Value, keys []string, at *wire.Value) {
	seen := map[string]bool{}
	where := string(childPath(path, "x-kubernetes-list-map-keys"))
	for _, key := range keys {
		if p := item.At("properties").Field(key); p != nil {
			if typ := p.Value.Get("type").StringOr(""); typ == "array" || typ == "object" {
				name := keyPath(childPath(childPath(path, "items"), "properties"), key)
				w.invalid(string(childPath(name, "type")), "object", "must be a scalar type if parent array's x-kubernetes-list-type is map", p.Value)
			}
		} else {
			w.addWithValue(errInvalid, where, keys, "entries must all be names of item properties", at)
		}
		if seen[key] {
			w.addWithValue(errInvalid, where, keys, "must not contain duplicate entries", at)
		}
		seen[key] = true
	}
}

// mapKeys checks that items of sets and maps cannot be null, and that their keys
// cannot be absent. Source: validateMapListKeysMapSet (1.18–1.37).
func (c *definitionValidator) mapKeys(at []byte, s *wire.Value) {
	item := s.Get("items")
	typ := s.Get("x-kubernetes-list-type").StringOr("")
	if item == nil || item.Kind != wire.Map || typ != "set" && typ != "map" {
		return
	}
	path := string(at)
	if n := item.Get("nullable"); n.IsTrue() {
		c.forbidden(path+".items.nullable", "cannot be nullable when x-kubernetes-list-type is "+typ, n)
	}
	if typ != "map" {
		return
	}
	required := stringsOf(orElse(item.Get("required"), &wire.Value{}))
	for _, key := range stringsOf(orElse(s.Get("x-kubernetes-list-map-keys"), &wire.Value{})) {
		p := item.At("properties").Field(key)
		if p == nil {
			continue
		}
		where := path + ".items.properties[" + key + "]"
		if !slices.Contains(required, key) && nonNull(p.Value.Get("default")) == nil {
			c.required(where+".default", "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property", p.Value)
		}
		if n := p.Value.Get("nullable"); n.IsTrue() {
			c.forbidden(where+".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable", n)
		}
	}
}
