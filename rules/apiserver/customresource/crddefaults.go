package customresource

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// defaults re-states ValidateDefaults of
// apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go:
// defaults must be what the schema allows. CEL rules are taken to hold, and
// defaults inside metadata are left alone.
func (c *definitionValidator) defaults(path []byte, s *wire.Value) {
	if s.Get("properties") == nil {
		return
	}
	c.defaultsIn(path, s, true, false)
}

func (c *definitionValidator) defaultsIn(path []byte, s *wire.Value, root, insideMeta bool) {
	if c.nodes--; c.nodes < 0 || len(path) > maxSchemaPath || s == nil || s.Kind != wire.Map {
		return
	}
	embedded := s.Get("x-kubernetes-embedded-resource").IsTrue()
	if embedded {
		insideMeta = false
	}
	if def := present(s.Get("default")); def != nil && !insideMeta {
		c.defaultValue(childPath(path, "default"), s, def)
	}
	c.defaultsIn(childPath(path, "items"), s.Get("items"), false, insideMeta)
	properties := s.Get("properties")
	if properties == nil {
		return
	}
	for i := range properties.Fields {
		f := &properties.Fields[i]
		meta := insideMeta || (root || embedded) && isTypeOrObjectMeta(f.Name)
		c.defaultsIn(keyPath(childPath(path, "properties"), f.Name), f.Value, false, meta)
	}
}

// defaultValue validates one default. The schema is read for it alone, so that
// the cost is that of the schemas that have defaults.
func (c *definitionValidator) defaultValue(path []byte, s, def *wire.Value) {
	r := schemaReader{left: min(maxSchemas, c.nodes)}
	given := r.left
	schema := r.read(s)
	if c.nodes -= given - r.left; r.left < 0 {
		return
	}
	if c.requirePrunedDefaults && len(unknownFieldsOf(def, schema)) > 0 {
		c.invalid(string(path), def, "must not have unknown fields", def)
	}
	e := embedder{minor: c.minor}
	if e.value(path, def, schema); e.problem != "" {
		c.add(e.where, e.problem, e.at)
		return
	}
	before := len(c.causes)
	if c.embedded(string(path), def, schema); len(c.causes) > before {
		return
	}
	c.schemaCauses(string(path), def, schema, nil, validator{structural: true})
}

// unknownFieldsOf tells what is pruned from a value that is no object of its
// own.
func unknownFieldsOf(v *wire.Value, s *Schema) []unknownField {
	var p pruner
	p.value(v, s)
	return p.fields
}
