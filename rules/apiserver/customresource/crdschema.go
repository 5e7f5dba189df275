package customresource

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// schema checks the schema of a version. unchanged is set if the stored
// definition has this schema for the version. Source:
// validateCustomResourceDefinitionValidation.
func (c *definitionValidator) schema(path string, v *wire.Value, status, unchanged bool) {
	s := openAPI(v)
	if s == nil {
		return
	}
	before := len(c.causes)
	path += ".openAPIV3Schema"
	if status {
		c.rootKeywords(path, s)
	}
	if s.Get("nullable").IsTrue() {
		c.forbidden(path+".nullable", "nullable cannot be true at the root", s.Get("nullable"))
	}
	compiled := false
	walk := c.schemaWalk(s, false)
	if c.beta && !c.allowDefaults && c.minor >= 19 {
		walk.reason = "(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)"
	}
	at := pathFrom(path)
	if c.minor < 25 {
		walk.schema(at, s, true)
	}
	problem := ""
	if c.requireStructural {
		if problem = unsupportedKeyword(s, &c.nodes); problem == "" {
			if causes := c.structural(path, s); len(causes) > 0 {
				c.causes = append(c.causes, causes...)
			} else {
				mark := len(c.causes)
				c.defaults(at, s)
				compiled = len(c.causes) == mark && c.minor >= 25 && c.hasRules
			}
		}
	}
	if compiled {
		walk.compiler = c.schemaWalk(s, true).compiler
		walk.compiler.unchanged = unchanged && c.minor >= 29
	}
	if c.minor >= 25 {
		walk.schema(at, s, true)
	}
	if compiled {
		c.causes = append(c.causes, walk.compiler.causes...)
		c.causes = append(c.causes, walk.compiler.totalCost(path)...)
	}
	if problem != "" && len(c.causes) == before {
		c.invalid(path, "", problem, s)
	}
}

// rootKeywords checks the keywords of a root schema with a status subresource.
// The server ignores the schema of the status.
func (c *definitionValidator) rootKeywords(path string, s *wire.Value) {
	// The keywords have the order of the fields in the server's type
	// JSONSchemaProps.
	for _, k := range [...]struct {
		name    string
		allowed bool
	}{
		{"id", false}, {"$schema", false}, {"$ref", false}, {"description", true}, {"type", true}, {"nullable", false}, {"format", true},
		{"title", true}, {"default", false}, {"enum", false}, {"maxProperties", false}, {"minProperties", false},
		{"allOf", false}, {"oneOf", false}, {"anyOf", false}, {"not", false}, {"additionalProperties", false}, {"patternProperties", false},
		{"dependencies", false}, {"additionalItems", false}, {"definitions", false},
		{"x-kubernetes-embedded-resource", false}, {"x-kubernetes-int-or-string", false}, {"x-kubernetes-list-map-keys", false},
		{"x-kubernetes-list-type", false}, {"x-kubernetes-map-type", false},
	} {
		v := s.Get(k.name)
		if !isSet(v) && (k.name != "default" || v.IsNull()) {
			continue
		}
		if k.name == "type" && v.StringOr("") != "object" {
			c.invalid(path+".type", v.StringOr(""), `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`, v)
			return
		}
		if k.allowed {
			continue
		}
		fields := "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields"
		if c.minor >= 23 {
			fields += " XValidations"
		}
		dump := "apiextensions.JSONSchemaProps{…}"
		if c.minor >= 34 {
			dump = "{…}"
		}
		c.add(path, "Invalid value: "+dump+": only ["+fields+"] fields are allowed at the root of the schema if the status subresource is enabled", v)
		c.causes[len(c.causes)-1].Inexact = true
		return
	}
}

// isSet reports whether the value of a keyword decodes to a value other than the
// zero value.
func isSet(v *wire.Value) bool {
	switch {
	case v.IsNull(), v.Kind == wire.Bool && v.Text == "false", v.Kind == wire.String && v.Text == "":
		return false
	}
	return true
}

// schemaWalk checks a schema and its subschemas. Source:
// ValidateCustomResourceDefinitionOpenAPISchema and the validator
// specStandardValidatorV3.
type schemaWalk struct {
	*definitionValidator
	allowDefaults bool
	reason        string // reason why defaults are not allowed
	insideMeta    bool
	// compiler compiles rules. It is nil if rules are not compiled.
	compiler *ruleCompiler
	// cardinality is the maximum number of values of the schema in one object, or
	// nil if unlimited.
	cardinality *uint64
	// uncorrelatable is the path of the outermost schema whose values cannot be
	// matched with values of the stored object, or "".
	uncorrelatable string
}

// schemaWalk returns the walk for a root schema. The walk also compiles CEL rules if
// compile is set.
func (c *definitionValidator) schemaWalk(root *wire.Value, compile bool) schemaWalk {
	once := uint64(1)
	w := schemaWalk{definitionValidator: c, allowDefaults: c.allowDefaults, cardinality: &once}
	if compile {
		w.compiler = &ruleCompiler{report: report{minor: c.minor}, fields: c.ruleFields, envs: rulesEnvironment(c.minor), stored: c.stored, root: root}
	}
	return w
}

func (w schemaWalk) schema(path []byte, s *wire.Value, root bool) {
	if w.nodes--; w.nodes < 0 || len(path) > maxSchemaPath || s == nil || s.Kind != wire.Map {
		return
	}
	saved, mark := w, len(w.causes)
	if w.compiler != nil {
		w.cardinality = subschemaCardinality(s, w.cardinality)
	}
	if isCommon(s) {
		w.commonSchema(path, s, root)
		return
	}
	w.keywords(path, s)
	if u := s.Get("uniqueItems"); u.IsTrue() {
		w.forbidden(string(childPath(path, "uniqueItems")), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic", u)
	}
	properties := s.Get("properties")
	if a := nonNull(s.Get("additionalProperties")); a != nil {
		if properties != nil && len(properties.Fields) > 0 && !a.IsTrue() {
			w.forbidden(string(childPath(path, "additionalProperties")), "additionalProperties and properties are mutual exclusive", a)
		}
		sub := w
		if w.insideMeta {
			sub.allowDefaults, sub.reason = false, "inside additionalProperties applying to object metadata"
		}
		sub.schema(childPath(path, "additionalProperties"), a, false)
	}
	if properties != nil {
		for i := range properties.Fields {
			f := &properties.Fields[i]
			sub := w
			if typ := nonNull(s.Get("x-kubernetes-map-type")); typ != nil && typ.StringOr("") != "granular" && typ.StringOr("") != "atomic" && w.uncorrelatable == "" {
				sub.uncorrelatable = string(path)
			}
			if isTypeOrObjectMeta(f.Name) && (root || s.Get("x-kubernetes-embedded-resource").IsTrue()) {
				sub.insideMeta = true
				if root {
					sub.allowDefaults, sub.reason = false, "in top-level "+f.Name
				}
			}
			sub.schema(keyPath(childPath(path, "properties"), f.Name), f.Value, false)
		}
	}
	plain := w
	plain.compiler = nil
	plain.schema(childPath(path, "not"), s.Get("not"), false)
	for _, name := range [...]string{"allOf", "oneOf", "anyOf"} {
		for i, sub := range s.Get(name).Elements() {
			plain.schema(indexPath(childPath(path, name), i), sub, false)
		}
	}
	if definitions := s.Get("definitions"); definitions != nil {
		for i := range definitions.Fields {
			f := &definitions.Fields[i]
			plain.schema(keyPath(childPath(path, "definitions"), f.Name), f.Value, false)
		}
	}
	if list := s.Get("items"); list != nil {
		sub := w.items(path, s)
		sub.schema(childPath(path, "items"), list, false)
		for i, item := range list.Elements() {
			sub.schema(indexPath(childPath(path, "items"), i), item, false)
		}
	}
	if p := s.Get("x-kubernetes-preserve-unknown-fields"); p != nil && p.Kind == wire.Bool && !p.IsTrue() {
		w.invalid(string(childPath(path, "x-kubernetes-preserve-unknown-fields")), false, "must be true or undefined", p)
	}
	w.mapType(path, s)
	w.listType(path, s)
	if w.requireMapKeys {
		w.mapKeys(path, s)
	}
	w.rules(path, s)
	if w.compiler != nil && len(w.causes) == mark && len(s.Get(rulesKeyword).Elements()) > 0 {
		w.compiler.compile(path, s, saved.cardinality, w.uncorrelatable)
	}
}

// items returns the walk for the items of a list. Only items of a list of type
// map can be matched with the stored object.
func (w schemaWalk) items(path []byte, s *wire.Value) schemaWalk {
	if w.uncorrelatable == "" && s.Get("x-kubernetes-list-type").StringOr("") != "map" {
		w.uncorrelatable = string(path)
	}
	return w
}

// commonSchema checks a schema for which isCommon returns true, as the method
// schema does for other schemas.
func (w schemaWalk) commonSchema(path []byte, s *wire.Value, root bool) {
	typ := s.Get("type").StringOr("")
	if w.requireType && invalidType(s) {
		w.notSupported(string(childPath(path, "type")), typ, openAPITypes, s.Get("type"))
	}
	if typ == "null" {
		w.forbidden(string(childPath(path, "type")), nullType, s.Get("type"))
	}
	if properties := s.Get("properties"); properties != nil {
		for i := range properties.Fields {
			f := &properties.Fields[i]
			sub := w
			if root && isTypeOrObjectMeta(f.Name) {
				sub.insideMeta = true
				sub.allowDefaults, sub.reason = false, "in top-level "+f.Name
			}
			sub.schema(keyPath(childPath(path, "properties"), f.Name), f.Value, false)
		}
	}
	w.items(path, s).schema(childPath(path, "items"), s.Get("items"), false)
}

// nullType is the server's error about the type null.
const nullType = "type cannot be set to null, use nullable as an alternative"

// keywords checks the keywords of one schema. Source:
// specStandardValidatorV3.validate.
func (w schemaWalk) keywords(path []byte, s *wire.Value) {
	typ := s.Get("type").StringOr("")
	if w.requireType && invalidType(s) {
		w.notSupported(string(childPath(path, "type")), typ, openAPITypes, s.Get("type"))
	}
	if def := nonNull(s.Get("default")); def != nil && !w.allowDefaults {
		detail := "must not be set"
		if w.reason != "" {
			detail += " " + w.reason
		}
		w.forbidden(string(childPath(path, "default")), detail, def)
	}
	for _, name := range [...]string{"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"} {
		v := nonNull(s.Get(name))
		if v == nil || v.Kind == wire.Map && len(v.Fields) == 0 && name != "additionalItems" && name != "dependencies" || name == "id" && v.StringOr("") == "" {
			continue
		}
		w.forbidden(string(childPath(path, name)), name+" is not supported", v)
	}
	if typ == "null" {
		w.forbidden(string(childPath(path, "type")), nullType, s.Get("type"))
	}
	if list := s.Get("items"); len(list.Elements()) > 0 {
		w.forbidden(string(childPath(path, "items")), "items must be a schema object and not an array", list)
	}
	if e := s.Get("x-kubernetes-embedded-resource"); w.insideMeta && e.IsTrue() {
		w.forbidden(string(childPath(path, "x-kubernetes-embedded-resource")), "must not be used inside of resource meta", e)
	}
}
