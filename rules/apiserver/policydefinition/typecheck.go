package policydefinition

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Warning is a warning of the server's type checker. A controller of the server
// writes it to status.typeChecking.expressionWarnings of a
// ValidatingAdmissionPolicy.
type Warning struct {
	// Field and Text are the warning's fieldRef and warning, word for word. Only
	// the random digits after the name of a kind are missing.
	Field, Text string
	// At is the expression in the source.
	At *wire.Value
	// Kinds are the kinds for which the expression has errors. Checked is the
	// number of kinds for which it was checked.
	Kinds   []KindWarning
	Checked int
}

// KindWarning is a warning about one kind.
type KindWarning struct {
	schema.GroupVersionKind
	// Messages are the errors of the compiler, without positions.
	Messages []string
	// Works is set if the expression works for every object of the kind. The
	// warning is then only about fields or types that the type checker does not
	// know.
	Works bool
}

// maxTypes is the highest number of kinds that the server checks for a rule.
const maxTypes = 10

// TypeCheck returns the warnings about a ValidatingAdmissionPolicy.
//
// The type checker does not know variables up to 1.29. Up to 1.35, it does not
// know params without a schema. It ignores rules with wildcards, and policies
// without matchConstraints. Source: TypeChecker in
// k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go, 1.28
// to 1.37.
func (r *Resources) TypeCheck(policy *wire.Value) []Warning {
	spec := policy.Get("spec")
	var all []Warning
	var texts []string
	for i, v := range spec.Get("validations").Elements() {
		for _, field := range []string{"expression", "messageExpression"} {
			if at := v.Get(field); field == "expression" || at.StringOr("") != "" {
				all = append(all, Warning{Field: fmt.Sprintf("spec.validations[%d].%s", i, field), At: at})
				texts = append(texts, at.StringOr(""))
			}
		}
	}
	param := paramKind(spec)
	for _, gvk := range r.typesToCheck(spec) {
		r.check(all, texts, envKey{object: gvk, params: param}, spec)
	}
	all = slices.DeleteFunc(all, func(w Warning) bool { return len(w.Kinds) == 0 })
	if r.minor < 29 { // the text of cel-go before 0.17
		for i := range all {
			all[i].Text = strings.ReplaceAll(all[i].Text, ": unexpected failed resolution", ": [internal] unexpected failed resolution")
		}
	}
	return all
}

// check compiles the expressions of a policy for one kind. The errors of
// expression i are added to warning i.
func (r *Resources) check(all []Warning, texts []string, key envKey, spec *wire.Value) {
	env := r.env(key)
	if env == nil {
		return
	}
	found := env.compile(spec, texts)
	failed := make([]string, len(texts)) // texts with errors; "" replaces the others
	for i, issues := range found {
		all[i].Checked++
		if issues == nil {
			continue
		}
		failed[i] = texts[i]
		if all[i].Text != "" {
			all[i].Text += "\n"
		}
		all[i].Text += fmt.Sprintf("%v: %s\n", key.object, display(issues, texts[i]))
		k := KindWarning{GroupVersionKind: key.object}
		for _, e := range issues.Errors() {
			k.Messages = append(k.Messages, e.Message)
		}
		all[i].Kinds = append(all[i].Kinds, k)
	}
	if !slices.ContainsFunc(failed, func(s string) bool { return s != "" }) {
		return
	}
	key.exposed = true
	if env = r.env(key); env == nil {
		return
	}
	for i, issues := range env.compile(spec, failed) {
		if failed[i] != "" {
			all[i].Kinds[len(all[i].Kinds)-1].Works = !fails(issues)
		}
	}
}

// fails reports whether an expression with these errors of the compiler fails at
// evaluation. It does not fail if all errors are about operators for values whose
// types differ only by name, such as the lists containers and initContainers.
func fails(issues *cel.Issues) bool {
	return issues != nil && slices.ContainsFunc(issues.Errors(), func(e *cel.Error) bool { return !typeNameError.MatchString(e.Message) })
}

// typeNameError matches the error about operators whose operands are all objects,
// lists or maps. Such an error depends only on the names of the types.
var typeNameError = regexp.MustCompile(`^found no matching overload for '(_\+_|_==_|_!=_|@in|_\?_:_)' applied to '\((bool, )?` + composite + `(, ` + composite + `)+\)'$`)

const composite = `((list|map)\(.*\)|[A-Z][A-Za-z0-9]*(\.[^(), ]+)*)`

// typedEnv is a CEL environment with the types of a kind. compile sets the
// variables of the policy before each use.
type typedEnv struct {
	*cel.Env
	mu        sync.Mutex
	variables *apiservercel.DeclType // nil if expressions cannot read variables
}

// compile compiles the variables of a policy and then its expressions. It returns
// the issues of each expression, or nil. It skips empty expressions.
func (e *typedEnv) compile(spec *wire.Value, texts []string) []*cel.Issues {
	if e.variables != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		clear(e.variables.Fields)
		for _, v := range spec.Get("variables").Elements() {
			var result *cel.Type
			if ast, issues := compile(e.Env, v.Get("expression").StringOr("")); issues == nil {
				result = ast.OutputType()
			}
			name := v.Get("name").StringOr("")
			e.variables.Fields[name] = apiservercel.NewDeclField(name, declaredType(result), true, nil, nil)
		}
	}
	all := make([]*cel.Issues, len(texts))
	for i, text := range texts {
		if text != "" {
			_, all[i] = compile(e.Env, text)
		}
	}
	return all
}

type envKey struct {
	object, params schema.GroupVersionKind
	exposed        bool
}

// env returns the shared environment for a key, or nil if the kind's schema is
// not known.
func (r *Resources) env(key envKey) *typedEnv {
	build, ok := r.envs.Load(key)
	if !ok {
		build, _ = r.envs.LoadOrStore(key, sync.OnceValue(func() *typedEnv { return r.buildEnv(key) }))
	}
	return build.(func() *typedEnv)()
}

// buildEnv builds the CEL environment for a key, or returns nil if the kind's
// schema is not known. Up to 1.29 it does not have the policy's variables.
func (r *Resources) buildEnv(key envKey) *typedEnv {
	object, params := r.declType(key.object, key.exposed), r.declType(key.params, key.exposed)
	if object == nil {
		return nil
	}
	namespace, request := expression.NamespaceType(), expression.RequestType()
	types := []*apiservercel.DeclType{namespace, request, object}
	options := []cel.EnvOption{
		cel.Variable(expression.NamespaceName, namespace.CelType()),
		cel.Variable(expression.RequestName, request.CelType()),
		cel.Variable(expression.ObjectName, object.CelType()),
		cel.Variable(expression.OldObjectName, object.CelType()),
		cel.Variable(expression.AuthorizerName, library.AuthorizerType),
	}
	keywords := r.minor
	if key.exposed {
		options = append(options, cel.Variable(expression.RequestResourceName, library.ResourceCheckType))
		keywords = lifecycle.Newest // values of unknown types can have fields of any name
	}
	switch {
	case params != nil:
		types = append(types, params)
		options = append(options, cel.Variable(expression.ParamsName, params.CelType()))
	case !key.params.Empty() && (key.exposed || r.minor >= 36):
		options = append(options, cel.Variable(expression.ParamsName, cel.DynType))
	}
	typed := &typedEnv{}
	if r.minor >= 30 || key.exposed {
		typed.variables = apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{})
		types = append(types, typed.variables)
		options = append(options, cel.Variable(expression.VariablesName, typed.variables.CelType()))
	}
	env, err := extend(expression.Environment(r.minor).NewExpressionsEnv(), keywords, types, options)
	if err != nil {
		return nil
	}
	typed.Env = env
	return typed
}

// typesToCheck returns the kinds for which the server checks a policy, in the
// server's order. It stops after a rule that selects too many kinds.
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

// withoutWildcards returns the texts of a list in sorted order, or nil if a text
// has a wildcard.
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

// paramKind returns the kind of a policy's params, or the zero value if the
// policy has none.
func paramKind(spec *wire.Value) schema.GroupVersionKind {
	kind := spec.Get("paramKind")
	gv, err := schema.ParseGroupVersion(kind.Get("apiVersion").StringOr(""))
	if kind.IsNull() || err != nil {
		return schema.GroupVersionKind{}
	}
	return gv.WithKind(kind.Get("kind").StringOr(""))
}
