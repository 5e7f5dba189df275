package policydefinition

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Warning is one that a server's controller writes to
// status.typeChecking.expressionWarnings of a ValidatingAdmissionPolicy.
type Warning struct {
	// Field and Text are fieldRef and warning, verbatim. Where the text names a
	// type, the server's has digits after the kind that differ from run to run.
	Field, Text string
	// At is the expression.
	At *wire.Value
	// Kinds are the kinds for which the expression is wrong, and Checked the number
	// of kinds for which it was checked.
	Kinds   []KindWarning
	Checked int
}

// KindWarning is a warning about one kind.
type KindWarning struct {
	schema.GroupVersionKind
	// Messages are the errors of the compiler, without their places.
	Messages []string
	// Works is set if the expression is right for every object of the kind: only
	// the type checker lacks the fields or types.
	Works bool
}

// maxTypes is the number of kinds that the server checks for a rule.
const maxTypes = 10

// TypeCheck returns the warnings about a ValidatingAdmissionPolicy.
//
// It re-states TypeChecker of
// k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go, 1.28 to
// 1.37. Servers to 1.29 do not know variables there, and those to 1.35 do not know
// params of a kind without a schema. Without matchConstraints, or for wildcards,
// nothing is checked.
func (r *Resources) TypeCheck(policy *wire.Value) []Warning {
	spec := policy.Get("spec")
	kinds := r.typesToCheck(spec)
	param := paramKind(spec)
	var checkers []*checker
	for _, gvk := range kinds {
		if c := r.checker(gvk, param, spec); c != nil {
			checkers = append(checkers, c)
		}
	}
	var all []Warning
	add := func(i int, field string, at *wire.Value) {
		if w := r.check(checkers, at.StringOr("")); len(w.Kinds) > 0 {
			w.Field, w.At = fmt.Sprintf("spec.validations[%d].%s", i, field), at
			all = append(all, w)
		}
	}
	for i, v := range spec.Get("validations").Elements() {
		add(i, "expression", v.Get("expression"))
		if message := v.Get("messageExpression"); message.StringOr("") != "" {
			add(i, "messageExpression", message)
		}
	}
	return all
}

// checker checks the expressions of a policy for one kind.
type checker struct {
	gvk     schema.GroupVersionKind
	env     *cel.Env
	exposed func() *cel.Env // with all fields and types; nil if that fails
}

// check checks an expression for every kind.
func (r *Resources) check(checkers []*checker, text string) Warning {
	w := Warning{Checked: len(checkers)}
	var texts []string
	for _, c := range checkers {
		_, issues := c.env.Compile(text)
		if issues == nil {
			continue
		}
		texts = append(texts, fmt.Sprintf("%v: %s\n", c.gvk, issues))
		k := KindWarning{GroupVersionKind: c.gvk}
		for _, e := range issues.Errors() {
			k.Messages = append(k.Messages, e.Message)
		}
		if env := c.exposed(); env != nil {
			_, issues = env.Compile(text)
			k.Works = issues == nil
		}
		w.Kinds = append(w.Kinds, k)
	}
	w.Text = strings.Join(texts, "\n")
	if r.minor < 29 { // the words of cel-go before 0.17
		w.Text = strings.ReplaceAll(w.Text, ": unexpected failed resolution", ": [internal] unexpected failed resolution")
	}
	return w
}

// checker returns a checker with the variables of a policy; nil if the kind's
// schema is not known.
func (r *Resources) checker(gvk, param schema.GroupVersionKind, spec *wire.Value) *checker {
	env := r.env(gvk, param, spec, false)
	if env == nil {
		return nil
	}
	return &checker{gvk: gvk, env: env, exposed: sync.OnceValue(func() *cel.Env { return r.env(gvk, param, spec, true) })}
}

// env returns the environment of a policy's expressions about a kind; nil if the
// kind's schema is not known. Servers to 1.29 have no variables in it.
func (r *Resources) env(gvk, param schema.GroupVersionKind, spec *wire.Value, exposed bool) *cel.Env {
	env, err := r.typedEnv(gvk, param, exposed)
	if env == nil || err != nil || r.minor < 30 && !exposed {
		return env
	}
	variables := apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{})
	if env, err = withVariables(env, r.minor, variables); err != nil {
		return nil
	}
	for _, v := range spec.Get("variables").Elements() {
		var result *cel.Type
		if ast, issues := env.Compile(v.Get("expression").StringOr("")); issues == nil {
			result = ast.OutputType()
		}
		name := v.Get("name").StringOr("")
		variables.Fields[name] = apiservercel.NewDeclField(name, declared(result), true, nil, nil)
	}
	return env
}

// envKey identifies an environment without the variables of a policy.
type envKey struct {
	object, params schema.GroupVersionKind
	exposed        bool
}

// typedEnv returns an environment whose variables have types. It is shared, and nil
// if the kind's schema is not known.
func (r *Resources) typedEnv(gvk, param schema.GroupVersionKind, exposed bool) (*cel.Env, error) {
	key := envKey{gvk, param, exposed}
	build, ok := r.envs.Load(key)
	if !ok {
		build, _ = r.envs.LoadOrStore(key, sync.OnceValues(func() (*cel.Env, error) { return r.buildEnv(key) }))
	}
	return build.(func() (*cel.Env, error))()
}

func (r *Resources) buildEnv(key envKey) (*cel.Env, error) {
	object, params := r.declType(key.object, key.exposed), r.declType(key.params, key.exposed)
	if object == nil {
		return nil, nil
	}
	namespace, request := plugincel.BuildNamespaceType(), plugincel.BuildRequestType()
	types := []*apiservercel.DeclType{namespace, request, object}
	options := []cel.EnvOption{
		cel.Variable(plugincel.NamespaceVarName, namespace.CelType()),
		cel.Variable(plugincel.RequestVarName, request.CelType()),
		cel.Variable(plugincel.ObjectVarName, object.CelType()),
		cel.Variable(plugincel.OldObjectVarName, object.CelType()),
		cel.Variable(plugincel.AuthorizerVarName, library.AuthorizerType),
	}
	if key.exposed {
		options = append(options, cel.Variable(plugincel.RequestResourceAuthorizerVarName, library.ResourceCheckType))
	}
	switch {
	case params != nil:
		types = append(types, params)
		options = append(options, cel.Variable(plugincel.ParamsVarName, params.CelType()))
	case !key.params.Empty() && (key.exposed || r.minor >= 36):
		options = append(options, cel.Variable(plugincel.ParamsVarName, cel.DynType))
	}
	return extend(expression.Environment(r.minor).NewExpressionsEnv(), r.minor, types, options)
}

// typesToCheck returns the kinds for which the server checks a policy, in its
// order. If one rule selects too many, it ignores the rules after it.
func (r *Resources) typesToCheck(spec *wire.Value) []schema.GroupVersionKind {
	found := map[schema.GroupVersionKind]bool{}
	for _, rule := range spec.At("matchConstraints", "resourceRules").Elements() {
		groups, versions := withoutWildcards(rule.Get("apiGroups")), withoutWildcards(rule.Get("apiVersions"))
		resources := slices.DeleteFunc(rule.Get("resources").Strings(), func(s string) bool { return strings.ContainsAny(s, "*/") })
		sort.Strings(resources)
		count := 0
		for _, g := range groups {
			for _, v := range versions {
				for _, resource := range resources {
					for _, gvk := range r.kindsFor(g, v, resource) {
						found[gvk] = true
						if count++; count == maxTypes {
							return sorted(found)
						}
					}
				}
			}
		}
	}
	return sorted(found)
}

// withoutWildcards returns the sorted texts of a list, or nil if one of them is a
// wildcard.
func withoutWildcards(list *wire.Value) []string {
	texts := slices.Clone(list.Strings())
	if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "*") }) {
		return nil
	}
	sort.Strings(texts)
	return texts
}

func sorted(set map[schema.GroupVersionKind]bool) []schema.GroupVersionKind {
	all := make([]schema.GroupVersionKind, 0, len(set))
	for gvk := range set {
		all = append(all, gvk)
	}
	slices.SortFunc(all, func(a, b schema.GroupVersionKind) int {
		return slices.Compare([]string{a.Group, a.Version, a.Kind}, []string{b.Group, b.Version, b.Kind})
	})
	return all
}

// paramKind returns the kind of a policy's params; empty for none.
func paramKind(spec *wire.Value) schema.GroupVersionKind {
	kind := spec.Get("paramKind")
	gv, err := schema.ParseGroupVersion(kind.Get("apiVersion").StringOr(""))
	if kind.IsNull() || err != nil {
		return schema.GroupVersionKind{}
	}
	return gv.WithKind(kind.Get("kind").StringOr(""))
}
