package customresource

import (
	"strings"
	"sync"
	"sync/atomic"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleFields says which fields of a rule in x-kubernetes-validations a server
// has. The server drops other fields.
type ruleFields uint8

const (
	basicFields     ruleFields = iota // fields rule and message
	withExpressions                   // adds messageExpression, from 1.27 on
	withReasons                       // adds reason and fieldPath, from 1.28 on
	withOptionalOld                   // adds optionalOldSelf, from 1.29 on with a gate
	numRuleFields
)

func fieldsOfRules(s apiserver.Server) ruleFields {
	switch {
	case s.Minor >= 29 && s.Enabled("CRDValidationRatcheting"):
		return withOptionalOld
	case s.Minor >= 28:
		return withReasons
	case s.Minor >= 27:
		return withExpressions
	}
	return basicFields
}

// rulesOf returns the rules of the schema itself, with the given fields.
func (s *Schema) rulesOf(fields ruleFields) apiextensions.ValidationRules {
	list := s.At.Get(rulesKeyword).Elements()
	rules := make(apiextensions.ValidationRules, len(list))
	for i, v := range list {
		rules[i] = readRule(v, fields)
	}
	return rules
}

func readRule(v *wire.Value, known ruleFields) apiextensions.ValidationRule {
	r := apiextensions.ValidationRule{Rule: v.Get("rule").StringOr(""), Message: v.Get("message").StringOr("")}
	if known >= withExpressions {
		r.MessageExpression = v.Get("messageExpression").StringOr("")
	}
	if known >= withReasons {
		if reason := nonNull(v.Get("reason")); reason != nil {
			text := apiextensions.FieldValueErrorReason(reason.StringOr(""))
			r.Reason = &text
		}
		r.FieldPath = v.Get("fieldPath").StringOr("")
	}
	if old := nonNull(v.Get("optionalOldSelf")); known >= withOptionalOld && old != nil {
		optional := old.IsTrue()
		r.OptionalOldSelf = &optional
	}
	return r
}

// structural returns the schema as the server's Go type. It has the types and
// sizes of values, which CEL needs, but no rules.
func (s *Schema) structural() *structuralschema.Structural {
	if s == nil {
		return nil
	}
	out := &structuralschema.Structural{
		Generic: structuralschema.Generic{Type: s.Type, Nullable: s.Nullable},
		Extensions: structuralschema.Extensions{
			XPreserveUnknownFields: s.PreserveUnknownFields, XEmbeddedResource: s.EmbeddedResource,
			XIntOrString: s.IntOrString, XListMapKeys: s.ListMapKeys,
		},
		ValueValidation: &structuralschema.ValueValidation{
			Format: s.Format, MaxLength: s.MaxLength, MaxItems: s.MaxItems, MaxProperties: s.MaxProperties, Required: s.Required,
		},
		Items: s.Items.structural(),
	}
	if s.Default != nil {
		out.Default.Object = plainValue(s.Default)
	}
	if s.ListType != "" {
		out.XListType = &s.ListType
	}
	if s.MapType != "" {
		out.XMapType = &s.MapType
	}
	for _, allowed := range s.Enum {
		out.ValueValidation.Enum = append(out.ValueValidation.Enum, structuralschema.JSON{Object: plainValue(allowed)})
	}
	if s.AllowAdditional || s.ForbidAdditional {
		out.AdditionalProperties = &structuralschema.StructuralOrBool{Structural: s.Additional.structural(), Bool: s.AllowAdditional}
	}
	if len(s.Properties) > 0 {
		out.Properties = make(map[string]structuralschema.Structural, len(s.Properties))
		for i := range s.Properties {
			out.Properties[s.Properties[i].Name] = *s.Properties[i].structural()
		}
	}
	return out
}

const (
	// maxRuleDepth is the maximum depth of a schema that has a rule.
	maxRuleDepth = 500
	// maxRuleNodes is the maximum number of schemas that become CEL types for one
	// version. A rule needs the types of all schemas below its own schema.
	maxRuleNodes = 1 << 20
	// maxRuleWork is the maximum work of compiling the rules of one version, as
	// estimated by compileWork. It takes a few seconds.
	maxRuleWork = 400_000_000
)

// ruleLimits is the remaining number of schemas and the remaining work for the
// rules of one version.
type ruleLimits struct{ nodes, work atomic.Int64 }

func newRuleLimits() *ruleLimits {
	var l ruleLimits
	l.nodes.Store(maxRuleNodes)
	l.work.Store(maxRuleWork)
	return &l
}

// spend subtracts the work for the rules of a schema. It returns false if a limit
// is exceeded.
func (l *ruleLimits) spend(s *Schema) bool {
	if s.depth > maxRuleDepth || l.nodes.Add(-int64(s.size)) < 0 {
		return false
	}
	work := int64(200_000) // work for the environment
	for _, rule := range s.At.Get(rulesKeyword).Elements() {
		work += compileWork(rule.Get("rule").StringOr("")) + compileWork(rule.Get("messageExpression").StringOr(""))
	}
	return l.work.Add(-work) >= 0
}

// compiledRules are the compiled rules of one schema, by ruleFields. They are
// compiled on first use.
type compiledRules struct {
	limits   *ruleLimits
	byFields [numRuleFields]struct {
		once  sync.Once
		rules *nodeRules
	}
}

type nodeRules struct {
	rules apiextensions.ValidationRules
	// validator evaluates the rules. It is nil if the server ignores them.
	validator *cel.Validator
	growth    []growth
	// metadata is set if a rule may read the object's name.
	metadata bool
	// overLimit is set if the rules exceed the limits and are not evaluated.
	overLimit bool
}

// compiled returns the compiled rules of one schema. Errors of compilation are in
// the validator.
func (s *Schema) compiled(fields ruleFields, root bool) *nodeRules {
	at := &s.programs.byFields[fields]
	at.once.Do(func() { at.rules = s.compileRules(fields, root) })
	return at.rules
}

func (s *Schema) compileRules(fields ruleFields, root bool) (n *nodeRules) {
	n = &nodeRules{rules: s.rulesOf(fields)}
	if !s.programs.limits.spend(s) {
		n.overLimit = true
		return n
	}
	// Upstream panics for a path through additionalProperties: true.
	defer func() {
		if recover() != nil {
			n.validator, n.overLimit = nil, true
		}
	}()
	schema := s.structural()
	root = root || s.EmbeddedResource
	if model.SchemaDeclType(schema, root) == nil {
		return n
	}
	schema.XValidations = n.rules
	n.validator = cel.NewValidator(schema, root, celconfig.PerCallLimit)
	for i := range n.rules {
		r := &n.rules[i]
		n.growth = append(n.growth, growthOf(r.Rule), growthOf(r.MessageExpression))
		n.metadata = n.metadata || strings.Contains(r.Rule, "metadata") || strings.Contains(r.MessageExpression, "metadata")
	}
	return n
}
