package customresource

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// unsupportedKeyword returns the error about a keyword that a structural schema
// cannot have, or "". Source: NewStructural in
// apiextensions-apiserver/pkg/apiserver/schema/convert.go.
func unsupportedKeyword(s *wire.Value, nodes *int) string {
	if *nodes--; *nodes < 0 || s == nil || s.Kind != wire.Map {
		return ""
	}
	problem := ""
	below := func(sub *wire.Value) bool {
		problem = unsupportedKeyword(sub, nodes)
		return problem != ""
	}
	if isCommon(s) {
		anySubschema(s, below)
		return problem
	}
	for _, name := range [...]string{"id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"} {
		v := nonNull(s.Get(name))
		if v == nil || v.Kind == wire.String && v.Text == "" || v.Kind == wire.Map && len(v.Fields) == 0 && name != "additionalItems" {
			continue
		}
		return "OpenAPIV3Schema '" + keywordName(name) + "' is not supported"
	}
	if v := s.Get("x-kubernetes-preserve-unknown-fields"); v != nil && v.Kind == wire.Bool && !v.IsTrue() {
		return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
	}
	if len(s.Get("items").Elements()) > 0 {
		return "OpenAPIV3Schema 'items' must be a schema, but is an array"
	}
	anySubschema(s, below)
	return problem
}

func keywordName(name string) string {
	if name == "$schema" {
		return "schema"
	}
	return name
}

// structurals collects the reasons why a schema is not structural.
type structurals struct {
	report
	nodes    *int
	hasRules bool
	patterns patterns
}

// patterns caches the errors of patterns, because many fields of a schema have
// the same pattern.
type patterns map[string]error

// check returns the error of regexp.Compile for a pattern, or nil. It only
// parses, because every pattern that parses also compiles.
func (p patterns) check(pattern string) error {
	err, known := p[pattern]
	if !known {
		_, err = syntax.Parse(pattern, syntax.Perl)
		p[pattern] = err
	}
	return err
}

// structural returns the reasons why a schema is not structural, in the server's
// order. Source: ValidateStructural in
// apiextensions-apiserver/pkg/apiserver/schema/{validation,complete}.go.
func (c *definitionValidator) structural(path string, s *wire.Value) []apiserver.Cause {
	if c.patterns == nil {
		c.patterns = patterns{}
	}
	w := structurals{report{minor: c.minor}, &c.nodes, c.hasRules, c.patterns}
	at := pathFrom(path)
	w.invariants(at, s, levelRoot)
	w.completeness(at, s, pathFrom(path), s)
	slices.SortStableFunc(w.causes, func(a, b apiserver.Cause) int {
		return strings.Compare(a.Field+": "+a.Text, b.Field+": "+b.Text)
	})
	return w.causes
}

// Places of a schema in its parent: the root, the items of a list, or a field.
const (
	levelRoot = iota
	levelItem
	levelField
)

// noType are the errors about a schema without a type, by level.
var noType = [...]string{
	"must not be empty at the root", "must not be empty for specified array items", "must not be empty for specified object fields",
}

func (w *structurals) invariants(path []byte, s *wire.Value, level int) {
	if *w.nodes--; *w.nodes < 0 || len(path) > maxSchemaPath || s == nil || s.Kind != wire.Map {
		return
	}
	typ := s.Get("type").StringOr("")
	item := s.Get("items")
	if typ == "array" && item.IsNull() {
		w.required(string(childPath(path, "items")), "must be specified", s)
	}
	w.invariants(childPath(path, "items"), item, levelItem)
	properties := s.Get("properties")
	if properties != nil {
		for i := range properties.Fields {
			f := &properties.Fields[i]
			w.invariants(keyPath(childPath(path, "properties"), f.Name), orEmptyMap(f.Value), levelField)
		}
	}
	if isCommon(s) {
		if typ == "" {
			w.required(string(childPath(path, "type")), noType[level], s)
		} else if level == levelRoot && typ != "object" {
			w.invalid(string(childPath(path, "type")), typ, "must be object at the root", s.Get("type"))
		}
		w.objectMeta(path, properties, level, level == levelRoot)
		return
	}
	additional := nonNull(s.Get("additionalProperties"))
	if additional != nil {
		if level == levelRoot {
			w.forbidden(string(childPath(path, "additionalProperties")), "must not be used at the root", additional)
		}
		w.invariants(childPath(path, "additionalProperties"), additional, levelField)
	}
	embedded := s.Get("x-kubernetes-embedded-resource").IsTrue()
	preserve := s.Get("x-kubernetes-preserve-unknown-fields").IsTrue()
	intOrString := s.Get("x-kubernetes-int-or-string").IsTrue()
	if intOrString && preserve {
		w.invalid(string(childPath(path, "x-kubernetes-preserve-unknown-fields")), true, "must be false if x-kubernetes-int-or-string is true", s)
	}
	if intOrString && embedded {
		w.invalid(string(childPath(path, "x-kubernetes-embedded-resource")), true, "must be false if x-kubernetes-int-or-string is true", s)
	}
	first := s.Get("allOf")
	skipFirst := len(first.Elements()) > 0 && isIntOrStringAnyOf(first.Items[0].Get("anyOf"))
	w.valueValidation(path, s, isIntOrStringAnyOf(s.Get("anyOf")), skipFirst, level)

	switch {
	case embedded && typ == "":
		w.required(string(childPath(path, "type")), "must be object if x-kubernetes-embedded-resource is true", s)
	case embedded && typ != "object":
		w.invalid(string(childPath(path, "type")), typ, "must be object if x-kubernetes-embedded-resource is true", s.Get("type"))
	case !embedded && typ == "" && !intOrString && !preserve:
		w.required(string(childPath(path, "type")), noType[level], s)
	}
	if embedded && additional != nil {
		w.forbidden(string(childPath(path, "additionalProperties")), "must not be used if x-kubernetes-embedded-resource is set", additional)
	}
	if level == levelRoot && typ != "" && typ != "object" {
		w.invalid(string(childPath(path, "type")), typ, "must be object at the root", s.Get("type"))
	}
	w.objectMeta(path, properties, level, level == levelRoot || embedded)
	if embedded && !preserve && (properties == nil || len(properties.Fields) == 0) {
		w.required(string(childPath(path, "properties")), "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields", s)
	}
}

func orEmptyMap(v *wire.Value) *wire.Value {
	if v != nil && v.Kind == wire.Null {
		return &wire.Value{Kind: wire.Map, Pos: v.Pos, End: v.End}
	}
	return v
}

// objectMeta checks the schemas of apiVersion, kind and metadata.
func (w *structurals) objectMeta(path []byte, properties *wire.Value, level int, check bool) {
	property := func(name string) []byte { return keyPath(childPath(path, "properties"), name) }
	for _, name := range [...]string{"kind", "apiVersion"} {
		if p := properties.Field(name); check && p != nil && p.Value.Get("type").StringOr("") != "string" {
			w.invalid(string(childPath(property(name), "type")), p.Value.Get("type").StringOr(""), "must be string", p.Value)
		}
	}
	p := properties.Field("metadata")
	if p == nil {
		return
	}
	if check && p.Value.Get("type").StringOr("") != "object" {
		w.invalid(string(childPath(property("metadata"), "type")), p.Value.Get("type").StringOr(""), "must be object", p.Value)
	}
	if level == levelRoot && !describesOnlyNames(p.Value) {
		w.forbidden(string(property("metadata")), "must not specify anything other than name and generateName, but metadata is implicitly specified", p.Value)
	}
}

// describesOnlyNames reports whether a schema of metadata describes nothing
// except name and generateName.
func describesOnlyNames(s *wire.Value) bool {
	if s == nil {
		return true
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		switch f.Name {
		case "type", "default":
		case "properties":
			if f.Value == nil {
				continue
			}
			for j := range f.Value.Fields {
				if name := f.Value.Fields[j].Name; name != "name" && name != "generateName" {
					return false
				}
			}
		default:
			if isSet(f.Value) {
				return false
			}
		}
	}
	return true
}

// isIntOrStringAnyOf reports whether a list consists of the types integer and
// string. An anyOf with this list is allowed next to x-kubernetes-int-or-string.
func isIntOrStringAnyOf(list *wire.Value) bool {
	if len(list.Elements()) != 2 {
		return false
	}
	for i, want := range [...]string{"integer", "string"} {
		s := list.Items[i]
		if s == nil || s.Get("type").StringOr("") != want {
			return false
		}
		for j := range s.Fields {
			v := s.Fields[j].Value
			empty := v != nil && (v.Kind == wire.Map || v.Kind == wire.List) && len(v.Fields)+len(v.Items) == 0
			if s.Fields[j].Name != "type" && isSet(v) && !empty {
				return false
			}
		}
	}
	return true
}

// valueValidation checks the schemas in anyOf, allOf, oneOf and not, which may
// only restrict values. Source: validateValueValidation.
func (w *structurals) valueValidation(path []byte, s *wire.Value, skipAnyOf, skipFirst bool, level int) {
	if !skipAnyOf {
		for i, sub := range s.Get("anyOf").Elements() {
			w.nested(indexPath(childPath(path, "anyOf"), i), sub, false, level)
		}
	}
	for i, sub := range s.Get("allOf").Elements() {
		w.nested(indexPath(childPath(path, "allOf"), i), sub, skipFirst && i == 0, level)
	}
	for i, sub := range s.Get("oneOf").Elements() {
		w.nested(indexPath(childPath(path, "oneOf"), i), sub, false, level)
	}
	w.nested(childPath(path, "not"), s.Get("not"), false, level)
	if p := s.Get("pattern"); p.StringOr("") != "" {
		if err := w.patterns.check(p.Text); err != nil {
			w.invalid(string(childPath(path, "pattern")), p.Text, "must be a valid regular expression, but isn't: "+err.Error(), p)
		}
	}
}

const rulesKeyword = "x-kubernetes-validations"

// nestedForbidden are the keywords that a schema inside anyOf, allOf, oneOf or
// not cannot have, with the server's errors.
var nestedForbidden = [...]struct {
	name, detail string
	since        int
}{
	{"type", "must be empty to be structural", 0},
	{"additionalProperties", "must be undefined to be structural", 0},
	{"default", "must be undefined to be structural", 0},
	{"title", "must be empty to be structural", 0},
	{"description", "must be empty to be structural", 0},
	{"nullable", "must be false to be structural", 0},
	{"x-kubernetes-preserve-unknown-fields", "must be false to be structural", 0},
	{"x-kubernetes-embedded-resource", "must be false to be structural", 0},
	{"x-kubernetes-int-or-string", "must be false to be structural", 0},
	{"x-kubernetes-list-map-keys", "must be empty to be structural", 0},
	{"x-kubernetes-list-type", "must be undefined to be structural", 0},
	{"x-kubernetes-map-type", "must be undefined to be structural", 17},
	{rulesKeyword, "must be empty to be structural", 0},
}

// nested checks a schema inside anyOf, allOf, oneOf or not. Source:
// validateNestedValueValidation.
func (w *structurals) nested(path []byte, s *wire.Value, skipAnyOf bool, level int) {
	if *w.nodes--; *w.nodes < 0 || len(path) > maxSchemaPath || s == nil || s.Kind != wire.Map {
		return
	}
	w.valueValidation(path, s, skipAnyOf, false, level)
	w.nested(childPath(path, "items"), s.Get("items"), false, level)
	properties := s.Get("properties")
	if properties != nil {
		for i := range properties.Fields {
			f := &properties.Fields[i]
			w.nested(keyPath(childPath(path, "properties"), f.Name), f.Value, false, levelField)
		}
	}
	for _, f := range nestedForbidden {
		v := s.Get(f.name)
		set := isSet(v) && (v.Kind != wire.List || len(v.Items) > 0)
		if f.name == "additionalProperties" && w.minor < 31 {
			set = nonNull(v) != nil // false also counts as set
		}
		if set && int(w.minor) >= f.since && (f.name != rulesKeyword || w.hasRules) {
			w.forbidden(string(childPath(path, f.name)), f.detail, v)
		}
	}
	if p := properties.Field("metadata"); p != nil {
		w.forbidden(string(keyPath(childPath(path, "properties"), "metadata")), "must not be specified in a nested context", p.Value)
	}
}

// completeness checks the schemas in allOf, anyOf, oneOf and not of s. Each field
// that these schemas restrict must also be in outer, the schema of the same value
// outside of these keywords. Source: validateStructuralCompleteness.
func (w *structurals) completeness(outerPath []byte, outer *wire.Value, path []byte, s *wire.Value) {
	for _, name := range [...]string{"allOf", "anyOf", "oneOf"} {
		for i, sub := range s.Get(name).Elements() {
			w.completeNested(outerPath, outer, indexPath(childPath(path, name), i), sub)
		}
	}
	w.completeNested(outerPath, outer, childPath(path, "not"), s.Get("not"))
}

func (w *structurals) completeNested(outerPath []byte, outer *wire.Value, path []byte, s *wire.Value) {
	if *w.nodes--; *w.nodes < 0 || len(path) > maxSchemaPath || s == nil || s.Kind != wire.Map {
		return
	}
	if outer == nil || outer.Kind != wire.Map {
		w.required(string(outerPath), "because it is defined in "+string(path), s)
		return
	}
	w.completeness(outerPath, outer, path, s)
	w.completeNested(childPath(outerPath, "items"), outer.Get("items"), childPath(path, "items"), s.Get("items"))
	properties := s.Get("properties")
	if properties == nil {
		return
	}
	for i := range properties.Fields {
		f := &properties.Fields[i]
		at, inner := keyPath(childPath(outerPath, "properties"), f.Name), keyPath(childPath(path, "properties"), f.Name)
		if sub := outer.Get("properties").Field(f.Name); sub == nil {
			w.required(string(at), "because it is defined in "+string(inner), f.Value)
		} else {
			w.completeNested(at, orEmptyMap(sub.Value), inner, f.Value)
		}
	}
}
