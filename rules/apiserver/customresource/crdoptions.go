package customresource

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxSchemaNodes limits the schemas and subschemas of a definition that are
// visited, in all passes together. YAML aliases can create any number.
const maxSchemaNodes = 1 << 22

// maxSchemaPath is the maximum length of the path of a checked schema, in bytes. Real
// paths have a few hundred bytes.
const maxSchemaPath = 4 << 10

// options sets the requirements for a new definition or, if old is not nil, for an
// update of the definition old. An update may violate a requirement that old already
// violates. Source: validationOptions.
func (c *definitionValidator) options(old *definitionSpec) {
	c.nodes = maxSchemaNodes
	c.hasRules, c.ruleFields, c.old = hasRules(c.server), fieldsOfRules(c.server), old
	c.allowDefaults = !c.beta || old != nil && anySchema(old, &c.nodes, hasDefault)
	c.requireReviewVersion, c.requirePrunedDefaults = true, true
	c.requireAtomicSet, c.requireMapKeys = true, c.minor >= 18
	c.requireSchema, c.requireType, c.requireStructural = !c.beta, !c.beta, !c.beta
	if old == nil {
		return
	}
	if c.minor >= 28 {
		c.stored = storedExpressions{rules: map[string]bool{}, messages: map[string]bool{}}
		anySchema(old, &c.nodes, func(s *wire.Value) bool {
			for _, rule := range s.Get(rulesKeyword).Elements() {
				c.stored.rules[rule.Get("rule").StringOr("")] = true
				c.stored.messages[rule.Get("messageExpression").StringOr("")] = true
				if c.minor >= 29 && !rule.Get("optionalOldSelf").IsNull() {
					c.ruleFields = withOptionalOld
				}
			}
			return false
		})
	}
	// The server keeps stored rules even if their gate is off.
	c.hasRules = c.hasRules || c.minor >= 23 && anySchema(old, &c.nodes, func(s *wire.Value) bool { return len(s.Get(rulesKeyword).Elements()) > 0 })
	c.requireSchema = c.requireSchema && (openAPI(old.common.schema) != nil ||
		!slices.ContainsFunc(old.versions, func(v definitionVersion) bool { return openAPI(v.parts.schema) == nil }))
	c.requireType = c.requireType && !anySchema(old, &c.nodes, invalidType)
	c.requireAtomicSet = !anySchema(old, &c.nodes, c.hasNonAtomicItems)
	c.requireMapKeys = c.requireMapKeys && !anySchema(old, &c.nodes, func(s *wire.Value) bool {
		probe := definitionValidator{report: report{minor: c.minor}}
		probe.mapKeys(nil, s)
		return len(probe.causes) > 0
	})
	for _, s := range old.schemas() {
		if s != nil && c.requireStructural {
			probe := definitionValidator{report: report{minor: c.minor}, nodes: c.nodes, hasRules: c.hasRules}
			c.requireStructural = unsupportedKeyword(s, &probe.nodes) == "" && len(probe.structural("", s)) == 0
		}
	}
	if versions := stringsOf(orElse(old.spec.At("conversion", "webhook", "conversionReviewVersions"), &wire.Value{})); len(versions) > 0 {
		c.requireReviewVersion = slices.Contains(versions, "v1") || slices.Contains(versions, "v1beta1")
	}
	c.requirePrunedDefaults = !slices.ContainsFunc(old.schemas(), c.unprunedDefaults)
}

// unprunedDefaults reports whether a structural schema has a default with fields
// that the schema does not describe.
func (c *definitionValidator) unprunedDefaults(s *wire.Value) bool {
	if s == nil || unsupportedKeyword(s, &c.nodes) != "" || len(c.structural("", s)) > 0 {
		return false
	}
	var walk func(*wire.Value) bool
	walk = func(s *wire.Value) bool {
		if c.nodes--; c.nodes < 0 || s.IsNull() {
			return false
		}
		if def := nonNull(s.Get("default")); def != nil {
			if schema := readSchema(s); schema != nil && len(unknownFieldsOf(def, schema)) > 0 {
				return true
			}
		}
		return anySubschema(s, walk)
	}
	return walk(s)
}

// isCommon reports whether a schema has only common keywords, and items that are
// not a list of schemas. The checks of definitions then read only type, items and
// properties.
func isCommon(s *wire.Value) bool {
	if s == nil || s.Kind != wire.Map {
		return false
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		switch f.Name {
		case "description", "type", "format", "properties", "required", "enum", "title",
			"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems":
		case "items":
			if f.Value == nil || f.Value.Kind == wire.List {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// anySubschema reports whether f returns true for a direct subschema of a schema.
func anySubschema(s *wire.Value, f func(*wire.Value) bool) bool {
	each := func(list *wire.Value) bool { return slices.ContainsFunc(list.Elements(), f) }
	named := func(m *wire.Value) bool {
		return m != nil && slices.ContainsFunc(m.Fields, func(field wire.Field) bool { return f(field.Value) })
	}
	single := func(v *wire.Value) bool { return v != nil && v.Kind == wire.Map && f(v) }
	if isCommon(s) {
		return single(s.Get("items")) || named(s.Get("properties"))
	}
	if list := s.Get("items"); list != nil && list.Kind == wire.List && each(list) || single(s.Get("items")) {
		return true
	}
	return each(s.Get("allOf")) || each(s.Get("anyOf")) || each(s.Get("oneOf")) || single(s.Get("not")) ||
		named(s.Get("properties")) || single(s.Get("additionalProperties")) || named(s.Get("patternProperties")) ||
		single(s.Get("additionalItems")) || named(s.Get("definitions"))
}

// anySchema reports whether f returns true for a schema or subschema of a
// definition. It returns false when *nodes reaches zero.
func anySchema(d *definitionSpec, nodes *int, f func(*wire.Value) bool) bool {
	var walk func(*wire.Value) bool
	walk = func(s *wire.Value) bool {
		if *nodes--; *nodes < 0 || s.IsNull() {
			return false
		}
		return f(s) || anySubschema(s, walk)
	}
	return slices.ContainsFunc(d.schemas(), walk)
}

func hasDefault(s *wire.Value) bool { return nonNull(s.Get("default")) != nil }

// hasExtension reports whether a schema has x-kubernetes keywords. Source:
// schemaHasKubernetesExtensions.
func (c *definitionValidator) hasExtension(s *wire.Value) bool {
	if isCommon(s) {
		return false
	}
	return s.Get("x-kubernetes-embedded-resource").IsTrue() || nonNull(s.Get("x-kubernetes-preserve-unknown-fields")) != nil ||
		s.Get("x-kubernetes-int-or-string").IsTrue() || len(s.Get("x-kubernetes-list-map-keys").Elements()) > 0 ||
		nonNull(s.Get("x-kubernetes-list-type")) != nil || c.hasRules && len(s.Get("x-kubernetes-validations").Elements()) > 0
}

func invalidType(s *wire.Value) bool {
	typ := s.Get("type").StringOr("")
	return typ != "" && !slices.Contains(openAPITypes, typ)
}

// openAPITypes are the types of OpenAPI v3, in the order of the server's error.
var openAPITypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// hasNonAtomicItems reports whether a schema is a list of the list type set whose
// items are lists or maps that are not atomic.
func (c *definitionValidator) hasNonAtomicItems(s *wire.Value) bool {
	item := s.Get("items")
	if s.Get("x-kubernetes-list-type").StringOr("") != "set" || item == nil || item.Kind != wire.Map {
		return false
	}
	switch item.Get("type").StringOr("") {
	case "array":
		list := nonNull(item.Get("x-kubernetes-list-type"))
		return list != nil && list.StringOr("") != "atomic"
	case "object":
		return c.minor < 17 || item.Get("x-kubernetes-map-type").StringOr("") != "atomic"
	}
	return false
}

// sameSchema reports whether the stored definition has the same schema for a
// version. Source: findVersionsWithUnchangedSchemas (1.29–1.37).
func (c *definitionValidator) sameSchema(version string, schema *wire.Value) bool {
	if c.old == nil || schema == nil {
		return false
	}
	for i := range c.old.versions {
		if v := &c.old.versions[i]; v.name == version {
			return samePart(schema, orElse(v.parts.schema, c.old.common.schema))
		}
	}
	return false
}
