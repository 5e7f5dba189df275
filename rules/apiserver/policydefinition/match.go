package policydefinition

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Unserved returns the resources that a rule names but the server does not serve
// in any of the rule's groups and versions. rule is an item of resourceRules. If
// all is set, the server serves none of the resources, and the rule never
// applies.
//
// A subresource counts as served if its resource is served. If one of the rule's
// groups is a wildcard or a group of custom resources, the result is nil.
func (r *Resources) Unserved(rule *wire.Value) (unserved []*wire.Value, all bool) {
	groups, versions := rule.Get("apiGroups").Strings(), rule.Get("apiVersions").Strings()
	for _, g := range groups {
		if g == "*" || !r.knowsGroup(g) {
			return nil, false
		}
	}
	resources := rule.Get("resources").Elements()
	for _, item := range resources {
		name, _, _ := strings.Cut(item.StringOr("*"), "/")
		if name == "*" || name == "" {
			continue
		}
		if !r.servesAny(groups, versions, name) {
			unserved = append(unserved, item)
		}
	}
	return unserved, len(unserved) > 0 && len(unserved) == len(resources)
}

// servesAny reports whether the server serves a resource in one of the groups and
// versions.
func (r *Resources) servesAny(groups, versions []string, plural string) bool {
	return slices.ContainsFunc(r.builtIn.byName[plural], func(s served) bool {
		return s.plural == plural && slices.Contains(groups, s.Group) &&
			(slices.Contains(versions, s.Version) || slices.Contains(versions, "*"))
	})
}

// Contradiction returns the key of a label on which selectors contradict each
// other, so that no object matches all of them. It returns "" if there is none.
func Contradiction(selectors ...*wire.Value) string {
	type requirement struct {
		in              []string // allowed values; nil means any
		not             []string
		exists, missing bool
	}
	keys := map[string]*requirement{}
	var order []string
	requirementOf := func(key string) *requirement {
		if keys[key] == nil {
			keys[key] = &requirement{}
			order = append(order, key)
		}
		return keys[key]
	}
	in := func(key string, values []string) {
		k := requirementOf(key)
		k.exists = true
		if k.in == nil {
			k.in = append([]string{}, values...)
			return
		}
		k.in = slices.DeleteFunc(k.in, func(v string) bool { return !slices.Contains(values, v) })
	}
	for _, s := range selectors {
		for _, f := range s.Get("matchLabels").Entries() {
			in(f.Name, []string{f.Value.StringOr("")})
		}
		for _, e := range s.Get("matchExpressions").Elements() {
			key, values := e.Get("key").StringOr(""), e.Get("values").Strings()
			switch e.Get("operator").StringOr("") {
			case "In":
				in(key, values)
			case "NotIn":
				requirementOf(key).not = append(requirementOf(key).not, values...)
			case "Exists":
				requirementOf(key).exists = true
			case "DoesNotExist":
				requirementOf(key).missing = true
			}
		}
	}
	for _, key := range order {
		k := keys[key]
		if k.exists && k.missing || k.in != nil && !slices.ContainsFunc(k.in, func(v string) bool { return !slices.Contains(k.not, v) }) {
			return key
		}
	}
	return ""
}

// Constant evaluates a boolean expression that reads no variable. ok is false if
// the expression reads a variable or cannot be evaluated.
func Constant(m lifecycle.Minor, text string) (value, ok bool) {
	env := expression.Environment(m).NewExpressionsEnv()
	checked, issues := env.Compile(text) // fails for an expression that reads a variable
	if issues != nil {
		return false, false
	}
	program, err := env.Program(checked, cel.CostLimit(constantCost))
	if err != nil {
		return false, false
	}
	result, _, err := program.Eval(map[string]any{})
	if err != nil || result.Type() != types.BoolType {
		return false, false
	}
	return result.Value().(bool), true
}

// constantCost limits the cost of evaluating a constant expression to a
// thousandth of the server's limit.
const constantCost = 1000

// Guarded reports whether an expression, or a variable that it reads, checks the
// kind of the object or the presence of fields. Such a check uses has(), an
// optional field, or the name of a kind or resource.
func Guarded(spec *wire.Value, text string) bool {
	env, err := cel.NewEnv(cel.OptionalTypes())
	if err != nil {
		return true
	}
	variables := map[string]string{}
	for _, v := range spec.Get("variables").Elements() {
		variables[v.Get("name").StringOr("")] = v.Get("expression").StringOr("")
	}
	return guarded(env, variables, text)
}

// guarded checks an expression and the variables that it reads. It removes each
// visited variable from the map, so that each is checked once.
func guarded(env *cel.Env, variables map[string]string, text string) (found bool) {
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return true
	}
	var read []string
	ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			s := e.AsSelect()
			operand := s.Operand()
			if operand.Kind() == ast.IdentKind && operand.AsIdent() == "variables" {
				read = append(read, s.FieldName())
			}
			found = found || s.IsTestOnly() || slices.Contains([]string{"kind", "resource", "apiVersion", "subResource"}, s.FieldName())
		case ast.CallKind:
			found = found || strings.HasPrefix(e.AsCall().FunctionName(), "_?") && e.AsCall().FunctionName() != "_?_:_" || e.AsCall().FunctionName() == "@in"
		}
	}))
	for _, name := range read {
		if text, ok := variables[name]; ok && !found {
			delete(variables, name)
			found = guarded(env, variables, text)
		}
	}
	return found
}

// ReadsParams reports whether an expression of a policy reads a field of params,
// and no expression checks whether params is null.
func ReadsParams(spec *wire.Value) bool {
	env, err := cel.NewEnv(cel.OptionalTypes())
	if err != nil {
		return false
	}
	reads, tests := false, false
	var visit func(v *wire.Value, depth int)
	visit = func(v *wire.Value, depth int) {
		if v == nil || depth > 10 {
			return
		}
		for _, item := range v.Elements() {
			visit(item, depth+1)
		}
		for _, f := range v.Entries() {
			if f.Value.Kind != wire.String || !strings.HasSuffix(strings.ToLower(f.Name), "expression") {
				visit(f.Value, depth+1)
				continue
			}
			parsed, issues := env.Parse(f.Value.Text)
			if issues.Err() != nil {
				continue
			}
			ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
				switch e.Kind() {
				case ast.SelectKind:
					reads = reads || isParams(e.AsSelect().Operand())
				case ast.CallKind:
					for _, arg := range e.AsCall().Args() {
						tests = tests || isParams(arg)
					}
				}
			}))
		}
	}
	visit(spec, 0)
	return reads && !tests
}

func isParams(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == "params" }
