package schemas

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

type groupVersionKind struct{ group, version, kind string }

// isJSONSchema reports whether a document is a JSON Schema. It returns false
// for an object.
func isJSONSchema(v *wire.Value) bool {
	if v == nil || v.Kind != wire.Map || v.Get("kind").StringOr("") != "" {
		return false
	}
	for _, keyword := range []string{"properties", "$ref", "allOf", "oneOf", "anyOf"} {
		if at := v.Get(keyword); at != nil && (at.Kind == wire.Map || at.Kind == wire.List || keyword == "$ref") {
			return true
		}
	}
	return v.Get("type").StringOr("") == "object" || v.Get(keyGVK) != nil
}

// keyGVK is the field in which Kubernetes writes the kinds that a schema
// describes.
const keyGVK = "x-kubernetes-group-version-kind"

// declaredKinds returns the kinds that a schema describes, according to the
// field keyGVK, or else to the allowed values of the fields apiVersion and
// kind.
func declaredKinds(v *wire.Value) []groupVersionKind {
	list := v.Get(keyGVK).Elements()
	if one := v.Get(keyGVK); one != nil && one.Kind == wire.Map {
		list = []*wire.Value{one}
	}
	if len(list) > maxKinds {
		list = list[:maxKinds]
	}
	var all []groupVersionKind
	for _, item := range list {
		gvk := groupVersionKind{item.Get("group").StringOr(""), item.Get("version").StringOr(""), item.Get("kind").StringOr("")}
		if gvk.version != "" && gvk.kind != "" {
			all = append(all, gvk)
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, apiVersion := range allowedValues(v.At("properties", "apiVersion")) {
		group, version, ok := strings.Cut(apiVersion, "/")
		if !ok {
			group, version = "", apiVersion
		}
		for _, kind := range allowedValues(v.At("properties", "kind")) {
			all = append(all, groupVersionKind{group, version, kind})
		}
	}
	return all
}

// maxKinds is the largest number of kinds, and of values of apiVersion and
// kind, that are read from one schema. DeleteOptions has a hundred kinds.
const maxKinds = 16

// allowedValues returns the values that a string's schema allows; nil if the
// schema allows all values or too many.
func allowedValues(v *wire.Value) []string {
	if text := v.Get("const").StringOr(""); text != "" {
		return []string{text}
	}
	texts := v.Get("enum").Strings()
	if len(texts) > maxKinds {
		return nil
	}
	return texts
}
