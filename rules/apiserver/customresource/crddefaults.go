package customresource

import (
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// defaults checks that a schema allows its own defaults. Defaults inside metadata
// are not checked. Source: ValidateDefaults in
// apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go.
func (c *definitionValidator) defaults(path []byte, s *wire.Value) {
	c.defaultBudget = celconfig.RuntimeCELCostBudget
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
	if def := nonNull(s.Get("default")); def != nil && !insideMeta {
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

// defaultValue validates one default. It parses only this default's schema, so
// schemas without defaults take no time.
func (c *definitionValidator) defaultValue(path []byte, s, def *wire.Value) {
	r := schemaReader{remaining: min(maxSchemas, c.nodes)}
	available := r.remaining
	schema := r.read(s)
	if c.nodes -= available - r.remaining; r.remaining < 0 {
		return
	}
	if c.requirePrunedDefaults && len(unknownFieldsOf(def, schema)) > 0 {
		c.invalid(string(path), def, "must not have unknown fields", def)
	}
	e := embedder{minor: c.minor}
	if e.value(path, def, schema); e.problem != "" {
		c.add(e.problemPath, e.problem, e.at)
		return
	}
	before := len(c.causes)
	if c.embedded(string(path), def, schema); len(c.causes) > before {
		return
	}
	c.schemaCauses(string(path), def, schema, nil, validator{structural: true})
	if len(c.causes) == before && schema.HasRules() && c.hasRules && c.minor >= 25 {
		c.defaultRules(path, schema, plain(def))
	}
}

// defaultRules evaluates the CEL rules about a default, with the default itself
// as oldSelf. With ratcheting, it evaluates the rules a second time without an
// old value. All defaults of a schema share one cost budget.
func (c *definitionValidator) defaultRules(path []byte, s *Schema, def ruleValue) {
	budgetBefore := c.defaultBudget
	olds := []ruleValue{def, {}}
	if c.minor < 29 || !c.server.Enabled("CRDValidationRatcheting") {
		olds = olds[:1]
	}
	for _, old := range olds {
		if c.defaultBudget < 0 {
			return
		}
		w := ruleWalk{report: report{minor: c.minor}, known: c.ruleFields, budget: budgetBefore, sizes: sizesOf(def.Value)}
		w.value(path, def, s, old, correlated{}, false)
		c.defaultBudget = min(c.defaultBudget, w.budget)
		if c.causes = append(c.causes, w.causes...); len(w.causes) > 0 {
			return
		}
	}
}

// unknownFieldsOf returns the fields of a value that the server prunes.
func unknownFieldsOf(v *wire.Value, s *Schema) []unknownField {
	var p pruner
	p.value(v, s)
	return p.fields
}
