package policydefinition

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// scope selects the libraries and variables that an expression can use. It
// identifies a CEL environment.
type scope struct {
	minor                     lifecycle.Minor // minor whose libraries are available
	params, authorizer, patch bool
}

// scopes caches the environments of scopes. There are at most 8 for each minor.
var scopes sync.Map // from scope to func() (*cel.Env, error)

// env returns the shared environment of a scope. It does not have the variables
// of a policy.
//
// Source: createEnvForOpts in
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go, 1.28 to 1.37.
func (s scope) env() (*cel.Env, error) {
	build, ok := scopes.Load(s)
	if !ok {
		build, _ = scopes.LoadOrStore(s, sync.OnceValues(s.build))
	}
	return build.(func() (*cel.Env, error))()
}

func (s scope) build() (*cel.Env, error) {
	request, namespace := expression.RequestType(), expression.NamespaceType()
	options := []cel.EnvOption{
		cel.Variable(expression.ObjectName, cel.DynType),
		cel.Variable(expression.OldObjectName, cel.DynType),
		cel.Variable(expression.NamespaceName, namespace.CelType()),
		cel.Variable(expression.RequestName, request.CelType()),
	}
	if s.params {
		options = append(options, cel.Variable(expression.ParamsName, cel.DynType))
	}
	if s.authorizer {
		options = append(options,
			cel.Variable(expression.AuthorizerName, library.AuthorizerType),
			cel.Variable(expression.RequestResourceName, library.ResourceCheckType))
	}
	if s.patch {
		options = append(options, common.ResolverEnvOption(&mutation.DynamicTypeResolver{}), library.JSONPatch())
	}
	env := expression.Environment(s.minor).NewExpressionsEnv()
	return extend(env, s.minor, []*apiservercel.DeclType{namespace, request}, options)
}

// withVariables returns an environment with the variables of a policy. Fields may
// be added to the type variables later.
func withVariables(env *cel.Env, minor lifecycle.Minor, variables *apiservercel.DeclType) (*cel.Env, error) {
	return extend(env, minor, []*apiservercel.DeclType{variables},
		[]cel.EnvOption{cel.Variable(expression.VariablesName, variables.CelType())})
}

// extend returns an environment with more types and options. From 1.31 on, fields
// whose names are CEL keywords can be read without an escape. Source: Extend in
// k8s.io/apiserver/pkg/cel/environment/environment.go.
func extend(env *cel.Env, minor lifecycle.Minor, types []*apiservercel.DeclType, options []cel.EnvOption) (*cel.Env, error) {
	provider := apiservercel.NewDeclTypeProvider(types...)
	if minor >= 31 {
		provider.SetRecognizeKeywordAsFieldName(true)
	}
	typeOptions, err := provider.EnvOptions(env.CELTypeProvider())
	if err != nil {
		return nil, err
	}
	return env.Extend(append(append([]cel.EnvOption{}, typeOptions...), options...)...)
}

// declaredType returns the declared type for a variable whose expression has type
// t. The declared type is dynamic for objects and for expressions that do not
// compile. Source: convertCelTypeToDeclType in
// k8s.io/apiserver/pkg/admission/plugin/cel/composition.go, 1.29 to 1.37.
func declaredType(t *cel.Type) *apiservercel.DeclType {
	if t == nil {
		return apiservercel.DynType
	}
	if simple := simpleTypes[t]; simple != nil {
		return simple
	}
	if t.HasTrait(traits.ContainerType) && t.HasTrait(traits.IndexerType) {
		switch parameters := t.Parameters(); len(parameters) {
		case 1:
			return apiservercel.NewListType(declaredType(parameters[0]), -1)
		case 2:
			return apiservercel.NewMapType(declaredType(parameters[0]), declaredType(parameters[1]), -1)
		}
	}
	return apiservercel.DynType
}

var simpleTypes = map[*cel.Type]*apiservercel.DeclType{
	cel.AnyType:       apiservercel.AnyType,
	cel.BoolType:      apiservercel.BoolType,
	cel.BytesType:     apiservercel.BytesType,
	cel.DoubleType:    apiservercel.DoubleType,
	cel.DurationType:  apiservercel.DurationType,
	cel.IntType:       apiservercel.IntType,
	cel.NullType:      apiservercel.NullType,
	cel.StringType:    apiservercel.StringType,
	cel.TimestampType: apiservercel.TimestampType,
	cel.UintType:      apiservercel.UintType,
}
