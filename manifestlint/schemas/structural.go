package schemas

import (
	"net/url"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Limits of the conversion. A short document can be very large after its
// references are replaced.
const (
	maxNodes    = 1 << 19       // values in a schema; real schemas have at most a tenth
	maxDocument = 64 * maxNodes // values in all schemas of a document
	maxNesting  = 500           // depth of a schema
	textPiece   = 64            // bytes of a string that count as one value
	fieldsPiece = 16            // keywords of a schema that count as one value
)

type converter struct {
	root *wire.Value
	// remainingInAll is the number of values that all further schemas of the
	// document may have. remaining is the number for the current schema; if it is
	// negative, the schema is too large.
	remainingInAll, remaining int
	// expanding has the references that are being replaced, to find recursion.
	expanding []string
	nesting   int
	// names caches the fields of maps that references contain.
	names map[*wire.Value]map[string]*wire.Value
	// patterns caches whether Go can parse a pattern.
	patterns map[string]bool
}

func newConverter(doc *wire.Value) *converter {
	return &converter{root: doc, remainingInAll: maxDocument, names: map[*wire.Value]map[string]*wire.Value{}, patterns: map[string]bool{}}
}

// structural converts a schema of the document to one that a
// CustomResourceDefinition can have:
//
//   - Each reference is replaced by the schema that it names. A recursive
//     reference allows everything, as does a reference to another document.
//   - "additionalProperties: false" is dropped. Programs that convert a
//     definition to a JSON Schema add it wherever there are properties. A
//     definition cannot have it, and the server removes unknown fields anyway.
//   - A schema that a definition cannot express, such as one without a type,
//     allows everything.
//
// Descriptions are left out. ok is false if the schema is too large.
func (c *converter) structural(v *wire.Value) (schema *wire.Value, ok bool) {
	c.remaining = min(maxNodes, c.remainingInAll)
	c.remainingInAll -= c.remaining
	schema = c.schema(v, false)
	if c.remaining < 0 {
		return nil, false
	}
	c.remainingInAll += c.remaining
	c.objectRoot(schema)
	return schema, true
}

// copiedKeywords are the keywords with equal meaning in a JSON Schema and in a
// CustomResourceDefinition.
var copiedKeywords = map[string]bool{
	"nullable": true, "default": true, "required": true, "format": true, "enum": true, "minimum": true, "maximum": true,
	"multipleOf": true, "minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minProperties": true, "maxProperties": true,
	"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": true,
	"x-kubernetes-list-type": true, "x-kubernetes-list-map-keys": true, "x-kubernetes-map-type": true,
	"x-kubernetes-validations": true,
}

// schema converts one schema. alternative is set for a schema in one of the
// keywords allOf, anyOf, oneOf and not. A definition does not allow the
// keywords default and x-kubernetes-preserve-unknown-fields there.
func (c *converter) schema(v *wire.Value, alternative bool) *wire.Value {
	c.remaining--
	if v != nil {
		c.remaining -= len(v.Fields) / fieldsPiece
	}
	if c.remaining < 0 || v == nil || v.Kind != wire.Map || c.nesting == maxNesting {
		return anything()
	}
	c.nesting++
	defer func() { c.nesting-- }()
	if ref := v.Get("$ref"); ref != nil {
		return c.reference(ref.StringOr(""), v, alternative)
	}
	if isIntOrString(v) {
		return object("x-kubernetes-int-or-string", yes())
	}
	out := &wire.Value{Kind: wire.Map}
	for i := range v.Fields {
		if c.remaining < 0 {
			break
		}
		c.keyword(out, v.Fields[i].Name, v.Fields[i].Value, alternative)
	}
	if limit := v.Get("exclusiveMinimum"); limit != nil && limit.Kind == wire.Number {
		set(out, "minimum", limit)
	}
	if limit := v.Get("exclusiveMaximum"); limit != nil && limit.Kind == wire.Number {
		set(out, "maximum", limit)
	}
	if !alternative && c.mustPreserve(v, out) {
		set(out, "x-kubernetes-preserve-unknown-fields", yes())
	}
	if out.Get("x-kubernetes-embedded-resource").IsTrue() {
		withoutMeta(out.Get("properties"))
	}
	return out
}

func (c *converter) keyword(out *wire.Value, name string, v *wire.Value, alternative bool) {
	if v == nil {
		return
	}
	switch name {
	case "type":
		c.types(out, v)
	case "properties":
		set(out, name, c.properties(v, alternative))
	case "additionalProperties":
		switch {
		case v.Kind == wire.Map:
			set(out, name, c.schema(v, alternative))
		case v.IsTrue() && !alternative:
			set(out, "x-kubernetes-preserve-unknown-fields", yes())
		}
	case "items":
		if v.Kind == wire.Map {
			set(out, name, c.schema(v, alternative))
		}
	case "allOf", "anyOf", "oneOf":
		if v.Kind == wire.List && len(v.Items) > 0 {
			list := &wire.Value{Kind: wire.List}
			for _, item := range v.Items {
				if c.remaining < 0 {
					break
				}
				list.Items = append(list.Items, c.schema(item, true))
			}
			set(out, name, list)
		}
	case "not":
		if v.Kind == wire.Map {
			set(out, name, c.schema(v, true))
		}
	case "const":
		c.spend(v)
		set(out, "enum", &wire.Value{Kind: wire.List, Items: []*wire.Value{v}})
	case "pattern":
		// The server refuses a pattern that Go cannot parse. JSON Schema allows
		// patterns in another syntax.
		c.spend(v)
		if c.remaining >= 0 && c.isPattern(v.StringOr("")) {
			set(out, name, v)
		}
	case "exclusiveMinimum", "exclusiveMaximum":
		if v.Kind == wire.Bool || v.Kind == wire.Number { // a number since draft 6 of JSON Schema, a bool before
			set(out, name, &wire.Value{Kind: wire.Bool, Text: boolText(v.Kind == wire.Number || v.IsTrue())})
		}
	default:
		if copiedKeywords[name] && !(alternative && name == "default") {
			c.spend(v)
			set(out, name, v)
		}
	}
}

func (c *converter) isPattern(text string) bool {
	ok, cached := c.patterns[text]
	if !cached {
		_, err := syntax.Parse(text, syntax.Perl)
		ok = err == nil
		c.patterns[text] = ok
	}
	return ok
}

// spend subtracts the values of v, which is copied unchanged, from the limit.
func (c *converter) spend(v *wire.Value) {
	if v == nil || c.remaining < 0 {
		return
	}
	c.remaining -= 1 + len(v.Text)/textPiece
	for i := range v.Fields {
		c.remaining -= len(v.Fields[i].Name) / textPiece
		c.spend(v.Fields[i].Value)
	}
	for _, item := range v.Items {
		c.spend(item)
	}
}

// types sets the type of out from the keyword type in v. A definition cannot
// have a list of types, except for a value that may also be null, or that is an
// integer or a string.
func (c *converter) types(out, v *wire.Value) {
	if c.remaining -= len(v.Items); c.remaining < 0 {
		return
	}
	var names []string
	for _, name := range v.Strings() {
		if name == "null" {
			set(out, "nullable", yes())
		} else {
			names = append(names, name)
		}
	}
	switch {
	case v.Kind == wire.String && v.Text != "" && v.Text != "null":
		set(out, "type", v)
	case len(names) == 1:
		set(out, "type", text(names[0]))
	case len(names) == 2 && slices.Contains(names, "integer") && slices.Contains(names, "string"):
		set(out, "x-kubernetes-int-or-string", yes())
	}
}

// properties converts the fields of a schema. It leaves out fields whose schema
// is the boolean false. Converters add such a field, named
// "additionalProperties", if a resource has a field named "properties".
func (c *converter) properties(v *wire.Value, alternative bool) *wire.Value {
	out := &wire.Value{Kind: wire.Map}
	for _, f := range v.Entries() {
		if c.remaining < 0 {
			break
		}
		if f.Value != nil && f.Value.Kind == wire.Bool && !f.Value.IsTrue() {
			c.remaining--
			continue
		}
		c.remaining -= len(f.Name) / textPiece
		out.Fields = append(out.Fields, wire.Field{Name: f.Name, Value: c.schema(f.Value, alternative)})
	}
	return out
}

// mustPreserve reports whether out, the converted schema, would refuse values
// that v allows. The server must then preserve unknown fields.
func (c *converter) mustPreserve(v, out *wire.Value) bool {
	described := out.Get("properties") != nil || out.Get("additionalProperties") != nil || out.Get("items") != nil
	typ := out.Get("type").StringOr("")
	switch {
	case typ == "" && !described && !out.Get("x-kubernetes-int-or-string").IsTrue():
		return true
	case typ == "array" && out.Get("items") == nil:
		return true
	case v.Get("patternProperties") != nil || v.Get("prefixItems") != nil:
		return true
	}
	var names map[string]*wire.Value
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		for _, alternative := range out.Get(name).Elements() {
			if names == nil {
				names = fieldsOf(out.Get("properties"))
			}
			for _, f := range alternative.Get("properties").Entries() {
				if names[f.Name] == nil {
					return true
				}
			}
			if alternative.Get("items") != nil && out.Get("items") == nil || alternative.Get("additionalProperties") != nil && !described {
				return true
			}
		}
	}
	return false
}

func fieldsOf(v *wire.Value) map[string]*wire.Value {
	fields := make(map[string]*wire.Value, len(v.Entries()))
	for _, f := range v.Entries() {
		fields[f.Name] = f.Value
	}
	return fields
}

// reference returns the converted schema that a reference names. siblings has
// the keywords next to the reference.
func (c *converter) reference(ref string, siblings *wire.Value, alternative bool) *wire.Value {
	if c.remaining -= len(ref) / textPiece; c.remaining < 0 {
		return anything()
	}
	target := c.find(ref)
	if target == nil || slices.Contains(c.expanding, ref) {
		return anything()
	}
	c.expanding = append(c.expanding, ref)
	out := c.schema(target, alternative)
	c.expanding = c.expanding[:len(c.expanding)-1]
	for _, name := range []string{"nullable", "default"} {
		if v := siblings.Get(name); v != nil && !alternative {
			c.spend(v)
			set(out, name, v)
		}
	}
	return out
}

// find returns the value that a reference within the document names, such as
// #/definitions/Name; nil for none.
func (c *converter) find(ref string) *wire.Value {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	at := c.root
	for step := range strings.SplitSeq(pointer, "/") {
		if decoded, err := url.PathUnescape(step); err == nil {
			step = decoded
		}
		if c.names[at] == nil {
			c.names[at] = fieldsOf(at)
		}
		at = c.names[at][strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")]
	}
	return at
}

// objectRoot removes from a schema what a CustomResourceDefinition must not
// describe: the type and the metadata of a whole object, except for the name.
func (c *converter) objectRoot(schema *wire.Value) {
	properties := schema.Get("properties")
	if properties == nil {
		// The server publishes an object's schema without properties if the
		// definition has no schema, or if it preserves unknown fields.
		set(schema, "x-kubernetes-preserve-unknown-fields", yes())
		return
	}
	metadata := properties.Get("metadata")
	withoutMeta(properties)
	var named []wire.Field
	for _, f := range metadata.Get("properties").Entries() {
		if f.Name == "name" || f.Name == "generateName" {
			named = append(named, f)
		}
	}
	if len(named) > 0 {
		set(properties, "metadata", object("properties", &wire.Value{Kind: wire.Map, Fields: named}))
	}
}

// withoutMeta removes the fields that every object has.
func withoutMeta(properties *wire.Value) {
	if properties != nil {
		properties.Fields = slices.DeleteFunc(properties.Fields, func(f wire.Field) bool {
			return f.Name == "apiVersion" || f.Name == "kind" || f.Name == "metadata"
		})
	}
}

// isIntOrString reports whether a schema has one of the forms in which
// converters write the type "integer or string".
func isIntOrString(v *wire.Value) bool {
	if v.Get("type").StringOr("string") == "string" && v.Get("format").StringOr("") == "int-or-string" {
		return true
	}
	if v.Get("type") != nil || v.Get("x-kubernetes-int-or-string") != nil {
		return false
	}
	for _, name := range []string{"oneOf", "anyOf"} {
		both := v.Get(name).Elements()
		if len(both) == 2 && isPlain(both[0]) && isPlain(both[1]) {
			a, b := both[0].Get("type").StringOr(""), both[1].Get("type").StringOr("")
			if a == "string" && b == "integer" || a == "integer" && b == "string" {
				return true
			}
		}
	}
	return false
}

// isPlain reports whether a schema has the keyword type and no other keywords.
func isPlain(v *wire.Value) bool { return len(v.Entries()) == 1 && v.Get("type") != nil }

// anything returns a schema that allows everything.
func anything() *wire.Value { return object("x-kubernetes-preserve-unknown-fields", yes()) }

func set(m *wire.Value, name string, v *wire.Value) {
	if f := m.Field(name); f != nil {
		f.Value = v
		return
	}
	m.Fields = append(m.Fields, wire.Field{Name: name, Value: v})
}

func yes() *wire.Value { return &wire.Value{Kind: wire.Bool, Text: "true"} }

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func text(s string) *wire.Value { return &wire.Value{Kind: wire.String, Text: s} }

func object(name string, v *wire.Value) *wire.Value {
	return &wire.Value{Kind: wire.Map, Fields: []wire.Field{{Name: name, Value: v}}}
}
