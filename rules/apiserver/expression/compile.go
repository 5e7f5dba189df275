//go:build !js

package expression

import (
	"sync"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Variables selects the variables that an expression about a request may use,
// besides object, oldObject, request and namespaceObject.
type Variables struct {
	// Params allows params. It is set for policies with a paramKind.
	Params bool
	// Authorizer allows authorizer. It is set for all expressions except
	// messageExpressions.
	Authorizer bool
	// Patches allows the types Object and JSONPatch. It is set for mutations.
	Patches bool
}

type environmentKey struct {
	minor lifecycle.Minor
	Variables
}

var environments sync.Map // from environmentKey to func() *environment.EnvSet

// Admission returns the CEL environment of a minor's servers for expressions
// about a request. The environment is built on first use and cached.
//
// Upstream builds the environments for all combinations of variables in advance.
// Source: createEnvForOpts in
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (1.26–1.37).
func Admission(minor lifecycle.Minor, v Variables) *environment.EnvSet {
	minor = min(max(minor, oldest), lifecycle.Newest)
	build, _ := environments.LoadOrStore(environmentKey{minor, v}, sync.OnceValue(func() *environment.EnvSet {
		return admission(minor, v)
	}))
	return build.(func() *environment.EnvSet)()
}

// always is the version for options that every release has.
var always = version.MajorMinor(1, 0)

func admission(minor lifecycle.Minor, v Variables) *environment.EnvSet {
	request, namespace := RequestType(), NamespaceType()
	options := []cel.EnvOption{
		cel.Variable(ObjectName, cel.DynType),
		cel.Variable(OldObjectName, cel.DynType),
		cel.Variable(NamespaceName, namespace.CelType()),
		cel.Variable(RequestName, request.CelType()),
	}
	if v.Params {
		options = append(options, cel.Variable(ParamsName, cel.DynType))
	}
	if v.Authorizer {
		options = append(options,
			cel.Variable(AuthorizerName, library.AuthorizerType),
			cel.Variable(RequestResourceName, library.ResourceCheckType))
	}
	set := extended(Environment(minor), environment.VersionedOptions{
		IntroducedVersion: always,
		EnvOptions:        options,
		DeclTypes:         []*apiservercel.DeclType{namespace, request},
	}, environment.StrictCostOpt)
	if v.Patches {
		// The resolver must come last, because it wraps the provider of types.
		set = extended(set, environment.VersionedOptions{
			IntroducedVersion: always,
			EnvOptions: []cel.EnvOption{
				common.ResolverEnvOption(&mutation.DynamicTypeResolver{}),
				environment.UnversionedLib(library.JSONPatch),
			},
		})
	}
	return set
}

// extended adds options to a set of environments. It panics on errors: only a
// mistake in this package can cause them.
func extended(set *environment.EnvSet, options ...environment.VersionedOptions) *environment.EnvSet {
	set, err := set.Extend(options...)
	if err != nil {
		panic("environment of requests: " + err.Error())
	}
	return set
}

// Compiler compiles the expressions of one policy or webhook. It remembers the
// policy's variables, so it cannot be used for another policy. It must not be
// used concurrently.
type Compiler struct {
	*plugincel.CompositedCompiler
	variables Variables
	reads     map[string]analysis // by the name of the policy's variable
	asts      *compiler
}

// Compiled is a compiled expression.
type Compiled struct {
	plugincel.CompilationResult
	// Reads are the parts of the request that the expression reads, including
	// those that the policy's variables read. It is empty if there is an error.
	Reads []Path
}

// NewCompiler returns a compiler for a minor's servers.
func NewCompiler(minor lifecycle.Minor, v Variables) (*Compiler, error) {
	composited, err := plugincel.NewCompositedCompilerForTypeChecking(Admission(minor, v))
	if err != nil {
		return nil, err
	}
	env, err := composited.Env(environment.NewExpressions)
	if err != nil {
		return nil, err
	}
	asts := &compiler{env: env}
	composited.Compiler = asts
	return &Compiler{CompositedCompiler: composited, variables: v, reads: map[string]analysis{}, asts: asts}, nil
}

// Compile compiles an expression. For a nil accessor it returns the zero value.
func (c *Compiler) Compile(accessor plugincel.ExpressionAccessor) Compiled {
	if accessor == nil {
		return Compiled{}
	}
	result := Compiled{CompilationResult: c.asts.CompileCELExpression(accessor, plugincel.OptionalVariableDeclarations{}, environment.NewExpressions)}
	if result.Error == nil && c.asts.ast != nil {
		result.Reads = readsOf(c.asts.ast, c.reads).allPaths()
	}
	return result
}

// Variable compiles a variable of the policy. Expressions that are compiled later
// can use the variable.
func (c *Compiler) Variable(accessor plugincel.NamedExpressionAccessor) Compiled {
	result := Compiled{CompilationResult: c.CompileAndStoreVariable(accessor, plugincel.OptionalVariableDeclarations{}, environment.NewExpressions)}
	if result.Error == nil && c.asts.ast != nil {
		r := readsOf(c.asts.ast, c.reads)
		c.reads[accessor.GetName()] = r
		result.Reads = r.allPaths()
	}
	return result
}

// compiler is a plugincel.Compiler with one environment. It keeps the last syntax
// tree in ast.
type compiler struct {
	env *cel.Env
	ast *cel.Ast
}

// CompileCELExpression compiles an expression for the policy code of
// k8s.io/apiserver. Source: the method of the same name in
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go (1.26–1.37).
func (c *compiler) CompileCELExpression(accessor plugincel.ExpressionAccessor, _ plugincel.OptionalVariableDeclarations, _ environment.Type) plugincel.CompilationResult {
	c.ast = nil
	failed := func(kind apiservercel.ErrorType, text string, cause error) plugincel.CompilationResult {
		return plugincel.CompilationResult{
			ExpressionAccessor: accessor,
			Error:              &apiservercel.Error{Type: kind, Detail: text, Cause: cause},
		}
	}
	ast, issues := c.env.Compile(accessor.GetExpression())
	if issues != nil {
		return failed(apiservercel.ErrorTypeInvalid, "compilation failed: "+issues.String(), apiservercel.NewCompilationError(issues))
	}
	if !returns(ast.OutputType(), accessor.ReturnTypes()) {
		return failed(apiservercel.ErrorTypeInvalid, wrongType(ast.OutputType(), accessor.ReturnTypes()), nil)
	}
	program, err := c.env.Program(ast, cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		return failed(apiservercel.ErrorTypeInternal, "program instantiation failed: "+err.Error(), nil)
	}
	c.ast = ast
	return plugincel.CompilationResult{Program: program, ExpressionAccessor: accessor, OutputType: ast.OutputType()}
}

func returns(got *cel.Type, allowed []*cel.Type) bool {
	for _, t := range allowed {
		if got.IsExactType(t) || cel.AnyType.IsExactType(t) {
			return true
		}
	}
	return false
}
