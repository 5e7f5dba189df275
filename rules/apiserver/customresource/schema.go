package customresource

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Schema is an OpenAPI v3 schema of a CustomResourceDefinition. A nil *Schema
// allows everything, and all methods accept it.
type Schema struct {
	// Type is object, array, string, integer, number or boolean, or empty.
	Type   string
	Format string
	// Nullable allows null.
	Nullable bool
	// Default is the default for an absent field, or nil.
	Default *wire.Value
	// Required are the required fields, in the schema's order.
	Required []string
	// Properties are an object's fields, sorted by name.
	Properties []Property
	// Additional is the schema for the fields of an object that are not in
	// Properties. AllowAdditional is set if additionalProperties is a schema or
	// true, and ForbidAdditional if it is false.
	Additional                        *Schema
	AllowAdditional, ForbidAdditional bool
	// Items is the schema of a list's items.
	Items *Schema

	// Enum are the allowed values. If it is empty, all values are allowed.
	Enum []*wire.Value
	// Limits for numbers, strings, lists and maps. A pointer is nil if the limit
	// is not set.
	Minimum, Maximum, MultipleOf       *float64
	ExclusiveMinimum, ExclusiveMaximum bool
	MinLength, MaxLength               *int64
	MinItems, MaxItems                 *int64
	MinProperties, MaxProperties       *int64
	Pattern                            string
	AllOf, AnyOf, OneOf                []*Schema
	Not                                *Schema

	// These are set if the keyword x-kubernetes-preserve-unknown-fields,
	// x-kubernetes-embedded-resource or x-kubernetes-int-or-string is true.
	PreserveUnknownFields, EmbeddedResource, IntOrString bool
	// ListType is x-kubernetes-list-type: atomic, set or map. Empty means atomic.
	ListType string
	// ListMapKeys is x-kubernetes-list-map-keys.
	ListMapKeys []string
	// MapType is x-kubernetes-map-type: granular or atomic. Empty means granular.
	MapType string
	// Rules is the number of CEL rules in x-kubernetes-validations.
	Rules int
	// At is the schema in the definition.
	At *wire.Value

	texts   sync.Once
	allowed map[string]bool // the strings in Enum

	compile sync.Once
	regexp  *regexp.Regexp
	invalid error
	// rules, embedded and lists are set if this schema or a schema inside it has
	// CEL rules, embedded resources, or lists of unique items.
	rules, embedded, lists bool
	defaults               []int // indices of the Properties that have a default
	// size is the number of schemas in this schema, and depth is its depth.
	size, depth int
	// programs are the compiled rules of this schema. It is nil if the schema has
	// no rules.
	programs *compiledRules
}

func (s *Schema) inEnum(text string) bool {
	s.texts.Do(func() {
		s.allowed = make(map[string]bool, len(s.Enum))
		for _, v := range s.Enum {
			if v.Kind == wire.String {
				s.allowed[v.Text] = true
			}
		}
	})
	return s.allowed[text]
}

// Property is a field of an object with its schema.
type Property struct {
	Name string
	*Schema
}

// maxSchemas is the maximum number of subschemas of one schema. Real schemas have
// a few thousand, but YAML aliases can create any number.
const maxSchemas = 1 << 19

// readSchema parses a schema. It returns nil if v is nil or too large.
func readSchema(v *wire.Value) *Schema {
	if v == nil {
		return nil
	}
	r := schemaReader{remaining: maxSchemas}
	s := r.read(v)
	if r.remaining < 0 {
		return nil
	}
	return s
}

type schemaReader struct {
	remaining int
	limits    *ruleLimits // created for the first schema with rules
}

func (r *schemaReader) read(v *wire.Value) *Schema {
	if r.remaining--; r.remaining < 0 || v == nil || v.Kind != wire.Map {
		return nil
	}
	s := &Schema{At: v}
	for i := range v.Fields {
		r.keyword(s, v.Fields[i].Name, v.Fields[i].Value)
	}
	s.rules, s.embedded, s.lists = s.Rules > 0, s.EmbeddedResource, s.ListType == "set" || s.ListType == "map"
	s.size = 1
	s.addSubschema(s.Items)
	s.addSubschema(s.Additional)
	for i := range s.Properties {
		s.addSubschema(s.Properties[i].Schema)
		if s.Properties[i].Default != nil {
			s.defaults = append(s.defaults, i)
		}
	}
	if s.depth++; s.Rules > 0 {
		if r.limits == nil {
			r.limits = newRuleLimits()
		}
		s.programs = &compiledRules{limits: r.limits}
	}
	return s
}

// addSubschema updates the size, the depth and the flags of s for a subschema.
func (s *Schema) addSubschema(below *Schema) {
	if below != nil {
		s.rules = s.rules || below.rules
		s.embedded = s.embedded || below.embedded
		s.lists = s.lists || below.lists
		s.size += below.size
		s.depth = max(s.depth, below.depth)
	}
}

func (r *schemaReader) keyword(s *Schema, name string, v *wire.Value) {
	if v.IsNull() {
		return
	}
	switch name {
	case "type":
		s.Type = v.StringOr("")
	case "format":
		s.Format = v.StringOr("")
	case "nullable":
		s.Nullable = v.IsTrue()
	case "default":
		s.Default = v
	case "required":
		s.Required = stringsOf(v)
	case "properties":
		s.Properties = make([]Property, 0, len(v.Fields))
		for i := range v.Fields {
			p := r.read(v.Fields[i].Value)
			if p == nil {
				p = &Schema{At: v.Fields[i].Value}
			}
			s.Properties = append(s.Properties, Property{v.Fields[i].Name, p})
		}
		slices.SortFunc(s.Properties, func(a, b Property) int { return cmp.Compare(a.Name, b.Name) })
	case "additionalProperties":
		s.Additional = r.read(v)
		s.ForbidAdditional = v.Kind == wire.Bool && v.Text == "false"
		s.AllowAdditional = !s.ForbidAdditional
	case "items":
		s.Items = r.read(v)
	case "enum":
		s.Enum = v.Items
	case "minimum":
		s.Minimum = floatOf(v)
	case "maximum":
		s.Maximum = floatOf(v)
	case "multipleOf":
		s.MultipleOf = floatOf(v)
	case "exclusiveMinimum":
		s.ExclusiveMinimum = v.IsTrue()
	case "exclusiveMaximum":
		s.ExclusiveMaximum = v.IsTrue()
	case "minLength":
		s.MinLength = intOf(v)
	case "maxLength":
		s.MaxLength = intOf(v)
	case "minItems":
		s.MinItems = intOf(v)
	case "maxItems":
		s.MaxItems = intOf(v)
	case "minProperties":
		s.MinProperties = intOf(v)
	case "maxProperties":
		s.MaxProperties = intOf(v)
	case "pattern":
		s.Pattern = v.StringOr("")
	case "allOf":
		s.AllOf = r.list(v)
	case "anyOf":
		s.AnyOf = r.list(v)
	case "oneOf":
		s.OneOf = r.list(v)
	case "not":
		s.Not = r.read(v)
	case "x-kubernetes-preserve-unknown-fields":
		s.PreserveUnknownFields = v.IsTrue()
	case "x-kubernetes-embedded-resource":
		s.EmbeddedResource = v.IsTrue()
	case "x-kubernetes-int-or-string":
		s.IntOrString = v.IsTrue()
	case "x-kubernetes-list-type":
		s.ListType = v.StringOr("")
	case "x-kubernetes-list-map-keys":
		s.ListMapKeys = stringsOf(v)
	case "x-kubernetes-map-type":
		s.MapType = v.StringOr("")
	case "x-kubernetes-validations":
		s.Rules = len(v.Items)
	}
}

func (r *schemaReader) list(v *wire.Value) []*Schema {
	var list []*Schema
	for _, item := range v.Items {
		s := r.read(item)
		if s == nil {
			s = &Schema{At: item}
		}
		list = append(list, s)
	}
	return list
}

// Property returns the schema of a field, or nil.
func (s *Schema) Property(name string) *Schema {
	if s == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(s.Properties, name, func(p Property, name string) int { return cmp.Compare(p.Name, name) })
	if !ok {
		return nil
	}
	return s.Properties[i].Schema
}

// HasRules reports whether the schema or a schema below it has CEL rules.
func (s *Schema) HasRules() bool { return s != nil && s.rules }

// pattern returns the compiled pattern of the schema. It is compiled on first
// use.
func (s *Schema) pattern() (*regexp.Regexp, error) {
	s.compile.Do(func() { s.regexp, s.invalid = regexp.Compile(s.Pattern) })
	return s.regexp, s.invalid
}

// typeNames returns the type as the server's errors name it. For an int-or-string
// it is "integer,string".
func (s *Schema) typeNames() string {
	if s.IntOrString {
		return "integer,string"
	}
	return s.Type
}

func (s *Schema) allows(typ string) bool {
	if s.IntOrString {
		return typ == "integer" || typ == "string"
	}
	return s.Type == typ
}

func stringsOf(v *wire.Value) []string {
	var texts []string
	for _, item := range v.Items {
		if item != nil && item.Kind == wire.String {
			texts = append(texts, item.Text)
		}
	}
	return texts
}

func floatOf(v *wire.Value) *float64 {
	if v.Kind != wire.Number {
		return nil
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return nil
	}
	return &f
}

// intOf returns v as an integer, or nil if v is not an integer.
func intOf(v *wire.Value) *int64 {
	if n, ok := v.Int(); ok {
		return &n
	}
	return nil
}
