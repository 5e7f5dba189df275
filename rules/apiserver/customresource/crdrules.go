package customresource

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/overloads"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// rulesEnvironment returns the CEL environment in which a server compiles new
// rules. It has the release's cost estimates.
func rulesEnvironment(m lifecycle.Minor) *environment.EnvSet {
	if known, ok := environments.Load(m); ok {
		return known.(*environment.EnvSet)
	}
	set := expression.Environment(expression.Created(m))
	if m < 37 {
		if older, err := set.Extend(environment.VersionedOptions{
			IntroducedVersion: version.MajorMinor(1, 0),
			EnvOptions:        []celgo.EnvOption{celgo.CostEstimatorOptions(checker.OverloadCostEstimate(overloads.Matches, cheapMatches))},
		}); err == nil {
			set = older
		}
	}
	known, _ := environments.LoadOrStore(m, set)
	return known.(*environment.EnvSet)
}

// environments caches the results of rulesEnvironment by minor, because each
// takes a millisecond to build.
var environments sync.Map

// cheapMatches returns 1, which is the cost of matches(text, pattern) on servers
// up to 1.36. For text.matches(pattern), all releases estimate the cost from the
// lengths.
func cheapMatches(checker.CostEstimator, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return &checker.CallEstimate{CostEstimate: checker.FixedCostEstimate(1)}
}

// ruleCompiler compiles the CEL rules of one schema and adds their errors.
// Source: ValidateCustomResourceDefinitionOpenAPISchema (1.25–1.37), and
// CELSchemaContext in pkg/apis/apiextensions/validation/cel_validation.go.
type ruleCompiler struct {
	report
	fields ruleFields
	envs   *environment.EnvSet
	stored storedExpressions
	// unchanged is set if the stored definition has the same schema. Then the
	// cost of a single rule is not limited.
	unchanged bool
	root      *wire.Value
	schemas   map[*wire.Value]*Schema // set when the first rule is compiled
	total     uint64
	expensive []ruleCost // the four most expensive rules
}

type ruleCost struct {
	path string
	cost uint64
	at   *wire.Value
}

// storedExpressions are the expressions of the stored definition. They may use
// CEL functions that new expressions may not. Source: preexistingExpressions
// (1.28–1.37).
type storedExpressions struct{ rules, messages map[string]bool }

// RuleEnv implements cel.EnvLoader.
func (s storedExpressions) RuleEnv(envs *environment.EnvSet, expression string) *celgo.Env {
	if s.rules[expression] {
		return envs.StoredExpressionsEnv()
	}
	return envs.NewExpressionsEnv()
}

// MessageExpressionEnv implements cel.EnvLoader.
func (s storedExpressions) MessageExpressionEnv(envs *environment.EnvSet, expression string) *celgo.Env {
	if s.messages[expression] {
		return envs.StoredExpressionsEnv()
	}
	return envs.NewExpressionsEnv()
}

// compile adds the errors in the CEL rules of one schema.
//
//   - at is the schema, and path is its path.
//   - cardinality is the maximum number of values of the schema in one object, or
//     nil if unlimited.
//   - uncorrelatable is "" if the rules can use oldSelf. Otherwise it is the path
//     of the schema that prevents the use.
func (c *ruleCompiler) compile(path []byte, at *wire.Value, cardinality *uint64, uncorrelatable string) {
	node := c.schemaOf(at)
	if node == nil || node.Rules == 0 || !node.programs.limits.spend(node) {
		return
	}
	// Upstream panics for a path through additionalProperties: true.
	defer func() { _ = recover() }()
	where := string(childPath(path, rulesKeyword))
	list := at.Get(rulesKeyword)
	schema := node.structural()
	schema.XValidations = node.rulesOf(c.fields)
	declared := model.SchemaDeclType(schema, at == c.root || node.EmbeddedResource)
	if declared == nil {
		c.withDetail("Internal error", where, "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations", list)
		return
	}
	results, err := cel.Compile(schema, declared, celconfig.PerCallLimit, c.envs, c.stored)
	if err != nil {
		c.withDetail("Internal error", where, err.Error(), list)
		return
	}
	for i := range results {
		c.addResult(fmt.Sprintf("%s[%d].", where, i), &results[i], schema.XValidations[i], list.Items[i], cardinality, uncorrelatable)
	}
}

// schemaOf returns the parsed schema for a part of the definition, or nil.
func (c *ruleCompiler) schemaOf(at *wire.Value) *Schema {
	if c.schemas == nil {
		c.schemas = map[*wire.Value]*Schema{}
		c.index(readSchema(c.root))
	}
	return c.schemas[at]
}

func (c *ruleCompiler) index(s *Schema) {
	if !s.HasRules() {
		return
	}
	c.schemas[s.At] = s
	c.index(s.Items)
	c.index(s.Additional)
	for i := range s.Properties {
		c.index(s.Properties[i].Schema)
	}
}

// addResult adds the errors of one compiled rule. Their paths begin with prefix.
func (c *ruleCompiler) addResult(prefix string, r *cel.CompilationResult, rule apiextensions.ValidationRule, v *wire.Value, cardinality *uint64, uncorrelatable string) {
	place := func(name string) *wire.Value { return orElse(v.Get(name), v) }
	cost := r.MaxCardinality
	if cardinality != nil {
		cost = *cardinality
	}
	c.addCost(prefix+"rule", "estimated rule cost", saturatingProduct(r.MaxCost, cost), place("rule"))
	if r.Error != nil {
		if r.Error.Type == apiservercel.ErrorTypeRequired {
			c.required(prefix+"rule", r.Error.Detail, place("rule"))
		} else {
			c.addCompileError(prefix+"rule", rule, r.Error.Detail, place("rule"))
		}
	}
	if e := r.MessageExpressionError; e != nil {
		c.addCompileError(prefix+"messageExpression", rule, e.Detail, place("messageExpression"))
	} else if r.MessageExpression != nil {
		c.addCost(prefix+"messageExpression", "estimated messageExpression cost", r.MessageExpressionMaxCost, place("messageExpression"))
	}
	if r.UsesOldSelf && uncorrelatable != "" {
		c.invalid(prefix+"rule", rule.Rule, "oldSelf cannot be used on the uncorrelatable portion of the schema within "+uncorrelatable, place("rule"))
	}
	if !r.UsesOldSelf && rule.OptionalOldSelf != nil && c.minor >= 29 {
		c.invalid(prefix+"optionalOldSelf", *rule.OptionalOldSelf, "may not be set if oldSelf is not used in rule", place("optionalOldSelf"))
	}
}

// Limits for the estimated costs of one rule and of one schema. Source:
// pkg/apis/apiextensions/validation/validation.go (1.23–1.37).
const (
	maxRuleCost   = 10_000_000
	maxSchemaCost = 100_000_000
)

// addCost adds the estimated cost of an expression to the total of the schema,
// and an error if the cost is too high.
func (c *ruleCompiler) addCost(path, name string, cost uint64, at *wire.Value) {
	if !c.unchanged && cost > maxRuleCost {
		c.forbidden(path, costMessage(name, cost, maxRuleCost), at)
	}
	if c.total += cost; c.total < cost {
		c.total = math.MaxUint64
	}
	if cost < maxSchemaCost/100 {
		return
	}
	c.expensive = append(c.expensive, ruleCost{path, cost, at})
	sort.SliceStable(c.expensive, func(i, j int) bool { return c.expensive[i].cost > c.expensive[j].cost })
	c.expensive = c.expensive[:min(len(c.expensive), 4)]
}

// totalCost returns the errors if all rules of a schema together are too
// expensive. The server reports them after all other errors.
func (c *ruleCompiler) totalCost(path string) (causes []apiserver.Cause) {
	if c.total <= maxSchemaCost {
		return nil
	}
	total := report{minor: c.minor}
	for _, e := range c.expensive {
		total.forbidden(e.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema", e.at)
	}
	total.forbidden(path, costMessage("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", c.total, maxSchemaCost), c.root)
	return total.causes
}

// costMessage returns the text of an error about a cost. Source:
// getCostErrorMessage.
func costMessage(name string, cost, limit uint64) string {
	factor := float64(cost) / float64(limit)
	text := strconv.FormatFloat(factor, 'f', 1, 64)
	switch {
	case factor > 100:
		return fmt.Sprintf(costAdvice, name, "more than 100x")
	case factor < 1.5:
		text = strconv.FormatFloat(factor, 'f', 6, 64)
	}
	return fmt.Sprintf(costAdvice, name, text+"x")
}

const costAdvice = "%s exceeds budget by factor of %s (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"

// saturatingProduct returns a*b, or the greatest number if the product overflows.
func saturatingProduct(a, b uint64) uint64 {
	if a != 0 && math.MaxUint64/a < b {
		return math.MaxUint64
	}
	return a * b
}

// subschemaCardinality returns the maximum number of values of a direct subschema
// of s in one object, or nil if unlimited. cardinality is that number for s
// itself.
func subschemaCardinality(s *wire.Value, cardinality *uint64) *uint64 {
	limit := ""
	switch s.Get("type").StringOr("") {
	case "object":
		if s.Get("additionalProperties").IsNull() {
			return cardinality
		}
		limit = "maxProperties"
	case "array":
		limit = "maxItems"
	default:
		return cardinality
	}
	n := intOf(orElse(s.Get(limit), &wire.Value{}))
	if n == nil || cardinality == nil {
		return nil
	}
	product := saturatingProduct(*cardinality, uint64(max(*n, 0)))
	return &product
}

// selfType matches the server's name for the type of self. Its digits differ from
// run to run.
var selfType = regexp.MustCompile(`selfType\d+`)

// addCompileError adds the error for a rule that does not compile. The error
// quotes the whole rule.
func (c *ruleCompiler) addCompileError(path string, rule apiextensions.ValidationRule, detail string, at *wire.Value) {
	quoted, exact := quoteRule(c.minor, rule)
	if strings.Contains(detail, "selfType") {
		detail, exact = selfType.ReplaceAllString(detail, "selfType0"), false
	}
	c.add(path, errInvalid+": "+quoted+": "+detail, at)
	c.causes[len(c.causes)-1].Inexact = !exact
}

// quoteRule formats a rule as the server's error does. exact is false if the
// server's text contains a memory address.
func quoteRule(m lifecycle.Minor, r apiextensions.ValidationRule) (text string, exact bool) {
	if m >= 34 {
		return jsonText(struct {
			Rule, Message, MessageExpression string
			Reason                           *apiextensions.FieldValueErrorReason
			FieldPath                        string
			OptionalOldSelf                  *bool
		}{r.Rule, r.Message, r.MessageExpression, r.Reason, r.FieldPath, r.OptionalOldSelf}), true
	}
	pointer := func(typ string, null bool) string {
		if null {
			return "(*" + typ + ")(nil)"
		}
		return "(*" + typ + ")(0x0)"
	}
	fields := []string{"Rule:" + strconv.Quote(r.Rule), "Message:" + strconv.Quote(r.Message)}
	if m >= 27 {
		fields = append(fields, "MessageExpression:"+strconv.Quote(r.MessageExpression))
	}
	if m >= 28 {
		fields = append(fields, "Reason:"+pointer("apiextensions.FieldValueErrorReason", r.Reason == nil), "FieldPath:"+strconv.Quote(r.FieldPath))
	}
	if m >= 29 {
		fields = append(fields, "OptionalOldSelf:"+pointer("bool", r.OptionalOldSelf == nil))
	}
	return "apiextensions.ValidationRule{" + strings.Join(fields, ", ") + "}", r.Reason == nil && r.OptionalOldSelf == nil
}

// refusal caches whether servers of a minor refuse the rules of a version.
type refusal struct {
	once    sync.Once
	refused bool
}

// refusesRules reports whether a server refuses the definition because of the
// rules of this version.
func (v *Version) refusesRules(s apiserver.Server) bool {
	entry, _ := v.refused.LoadOrStore(s.Minor, new(refusal))
	r := entry.(*refusal)
	r.once.Do(func() {
		c := definitionValidator{report: report{minor: s.Minor}, server: s, nodes: maxSchemaNodes, hasRules: true, allowDefaults: true}
		c.ruleFields = fieldsOfRules(s)
		w := c.schemaWalk(v.schemaAt, true)
		w.schema(nil, v.schemaAt, true)
		r.refused = len(w.compiler.causes)+len(w.compiler.totalCost("")) > 0 ||
			slices.ContainsFunc(c.causes, func(c apiserver.Cause) bool { return strings.Contains(c.Field, rulesKeyword) })
	})
	return r.refused
}
