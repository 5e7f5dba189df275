package customresource

import (
	"context"
	"math"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	celcommon "k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ruleWalk evaluates the CEL rules of a schema for an object. It calls the
// server's own Validator for the rules of one schema at a time, and visits the
// values in the Validator's order. Only the fields of an object differ: the
// server visits them in random order, ruleWalk in the order of the object.
// Source: apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go
// (1.25–1.37).
type ruleWalk struct {
	report
	validator // matches items of lists
	known     ruleFields
	// budget is the remaining cost, negative if it is exceeded.
	budget int64
	sizes  sizes
	// generated is set if the server generates the object's name.
	generated bool
	warnings  []apiserver.Warning
	// unknown is the reason why rules were not evaluated, or "".
	unknown string
}

func newRuleWalk(s apiserver.Server, obj *wire.Value) *ruleWalk {
	return &ruleWalk{
		report: report{minor: s.Minor}, known: fieldsOfRules(s), budget: celconfig.RuntimeCELCostBudget, sizes: sizesOf(obj),
		generated: obj.At("metadata", "name").StringOr("") == "" && obj.At("metadata", "generateName").StringOr("") != "",
	}
}

// ruleValue is a value for which rules may be evaluated.
type ruleValue struct {
	*wire.Value
	decoded any // the value as the server decodes it
}

func plain(v *wire.Value) ruleValue { return ruleValue{v, plainValue(v)} }

func (v ruleValue) field(f *wire.Field) ruleValue {
	m, _ := v.decoded.(map[string]any)
	return ruleValue{f.Value, m[f.Name]}
}

// child returns the value of a field, or the zero ruleValue.
func (v ruleValue) child(name string) ruleValue {
	if f := v.Value.Field(name); f != nil {
		return v.field(f)
	}
	return ruleValue{}
}

// correlated has a value x of the new object, the matching value old of the
// stored object, and their schema. For a value without a matching stored value,
// ruleWalk uses the closest value around it that has a matching stored value.
type correlated struct {
	x, old *wire.Value
	schema *Schema
}

// value evaluates the rules for a value and for all values in it.
func (w *ruleWalk) value(path []byte, x ruleValue, s *Schema, old ruleValue, enclosing correlated, root bool) {
	if !s.HasRules() || x.IsNull() || w.budget < 0 || len(w.causes) >= maxFailures {
		return
	}
	if s.Rules > 0 {
		w.rules(path, x, s, old, enclosing, root)
	}
	child := func(path []byte, v ruleValue, s *Schema, before ruleValue, name string) {
		below := enclosing
		// apiVersion and kind never change, but releases before 1.30 do not know
		// that.
		if before.Value != nil && w.ratchet && !(root && w.report.minor >= 30 && (name == "apiVersion" || name == "kind")) {
			below = correlated{v.Value, before.Value, s}
		}
		w.value(path, v, s, before, below, false)
	}
	switch x.Kind {
	case wire.Map:
		if s.Additional.HasRules() {
			for i := range x.Fields {
				f := &x.Fields[i]
				child(keyPath(path, f.Name), x.field(f), s.Additional, old.child(f.Name), f.Name)
			}
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			if sub := s.Property(f.Name); sub.HasRules() {
				child(childPath(path, f.Name), x.field(f), sub, old.child(f.Name), f.Name)
			}
		}
	case wire.List:
		if !s.Items.HasRules() {
			return
		}
		plains, _ := x.decoded.([]any)
		items := correlateItems(s, old.Value)
		for i, item := range x.Items {
			var before ruleValue
			if o := items.find(item); o != nil {
				before = plain(o)
			}
			child(indexPath(path, i), ruleValue{item, plains[i]}, s.Items, before, "")
		}
	}
}

// rules evaluates the rules of one schema, without its subschemas.
func (w *ruleWalk) rules(path []byte, x ruleValue, s *Schema, old ruleValue, enclosing correlated, root bool) {
	node := s.compiled(w.known, root)
	switch {
	case node.overLimit:
		w.unknown = "compiling them could take too much time or memory"
		return
	case node.validator == nil:
		return
	case root && w.generated && node.metadata:
		w.unknown = "the server makes the name of the object"
		return
	}
	for _, g := range node.growth {
		if !g.bounded(w.sizes) {
			w.unknown = "a rule could take too much time or memory"
			return
		}
	}
	evaluate := func(ctx context.Context, options ...cel.Option) (field.ErrorList, int64) {
		var at *field.Path
		if len(path) > 0 {
			at = field.NewPath(string(path))
		}
		return node.validator.Validate(ctx, at, nil, x.decoded, old.decoded, w.budget, options...)
	}
	errs, budget := evaluate(context.Background())
	var refusing field.ErrorList
	ratchets := len(errs) > 0 && w.ratchet && enclosing.schema != nil && w.unchanged(enclosing.x, enclosing.old, enclosing.schema)
	if ratchets {
		// The rules are evaluated again with ratcheting. Errors that then
		// disappear become warnings.
		same := cel.WithRatcheting(celcommon.NewCorrelatedObject("", "", nil))
		refusing, _ = evaluate(warning.WithWarningRecorder(context.Background(), noWarnings{}), same)
	}
	w.budget = budget
	prefix := string(path)
	for _, e := range errs {
		c := w.cause(e, x, s, node, path, &prefix)
		if ratchets {
			if len(refusing) == 0 || !sameError(refusing[0], e) {
				w.warnings = append(w.warnings, apiserver.Warning{Field: c.Field, Text: c.Field + ": " + c.Text, At: c.At})
				continue
			}
			refusing = refusing[1:]
		}
		w.causes = append(w.causes, c)
	}
}

type noWarnings struct{}

func (noWarnings) AddWarning(string, string) {}

func sameError(a, b *field.Error) bool {
	return a.Type == b.Type && a.Field == b.Field && a.Detail == b.Detail
}

// cause returns the error of a rule with the release's text. before is the path
// followed by the fieldPaths of all earlier rules. Errors of servers up to 1.29
// have this path, followed by the rule's own fieldPath.
func (w *ruleWalk) cause(e *field.Error, x ruleValue, s *Schema, node *nodeRules, path []byte, before *string) apiserver.Cause {
	e = &field.Error{Type: e.Type, Field: e.Field, BadValue: e.BadValue, Detail: e.Detail}
	at := x.Value
	where := e.Field
	if where == noPath {
		where = ""
	}
	below := strings.TrimPrefix(where, string(path))
	if below != "" {
		at = placeOf(at, strings.TrimPrefix(below, "."), s)
	}
	if w.report.minor < 30 {
		// Up to 1.29, the paths in errors of later rules begin with the fieldPath
		// of this rule, too.
		if below != "" && *before != "" && below[0] != '.' && below[0] != '[' {
			below = "." + below
		}
		*before += below
		if e.Field = *before; e.Field == "" {
			e.Field = noPath
		}
	}
	if w.report.minor < 35 && (e.Type == field.ErrorTypeInvalid || e.Type == field.ErrorTypeDuplicate) {
		e.BadValue = s.Type
	}
	if w.report.minor < 27 {
		e.Detail = untrimmed(e.Detail, node.rules)
	}
	return apiserver.Cause{
		Field: e.Field, Text: e.ErrorBody(), Code: 422, At: at,
		// The server may exceed the budget at another rule, because it visits
		// fields in random order.
		Inexact: strings.HasPrefix(e.Detail, "validation failed due to running out of cost budget"),
	}
}

// untrimmed returns the message of a violated rule with its surrounding white
// space, as servers up to 1.26 do.
func untrimmed(detail string, rules apiextensions.ValidationRules) string {
	for i := range rules {
		if strings.TrimSpace(rules[i].Message) == detail && detail != "" {
			return rules[i].Message
		}
	}
	return detail
}

// placeOf returns the value at a rule's fieldPath, or the last existing value on
// the path.
func placeOf(v *wire.Value, path string, s *Schema) *wire.Value {
	for path != "" {
		if v.IsNull() || v.Kind != wire.Map {
			break
		}
		next, rest := (*wire.Field)(nil), ""
		for i := range v.Fields {
			f := &v.Fields[i]
			step := f.Name
			if s.Property(f.Name) == nil {
				step = "[" + f.Name + "]"
			}
			if after, ok := strings.CutPrefix(path, step); ok && (after == "" || after[0] == '.' || after[0] == '[') && (next == nil || len(after) < len(rest)) {
				next, rest = f, after
			}
		}
		if next == nil || next.Value.IsNull() {
			break
		}
		if sub := s.Property(next.Name); sub != nil {
			s = sub
		} else if s != nil {
			s = s.Additional
		}
		v, path = next.Value, strings.TrimPrefix(rest, ".")
	}
	return v
}

// sizes are upper limits for the strings that a rule can read in an object.
type sizes struct {
	longest int // length of the longest string in bytes
	total   int // length of all strings in bytes, plus the number of values
}

func sizesOf(v *wire.Value) sizes {
	var z sizes
	z.add(v)
	return z
}

func (z *sizes) add(v *wire.Value) {
	if v == nil {
		return
	}
	z.total++
	switch v.Kind {
	case wire.String:
		z.text(v.Text)
	case wire.Map:
		for i := range v.Fields {
			z.text(v.Fields[i].Name)
			z.add(v.Fields[i].Value)
		}
	case wire.List:
		for _, item := range v.Items {
			z.add(item)
		}
	}
}

func (z *sizes) text(s string) {
	z.longest = max(z.longest, len(s))
	z.total = min(z.total, math.MaxInt/2) + len(s)
}
