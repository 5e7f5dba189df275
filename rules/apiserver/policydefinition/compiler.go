// Package policydefinition checks the CEL expressions of admission policies, and
// the match conditions of webhooks: whether each expression compiles, and to
// which type. A kube-apiserver makes these checks when such an object is created
// or updated.
//
// The code of the compiler and its libraries is in k8s.io/apiserver. Package
// validation checks the other fields of these objects.
package policydefinition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/parser"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Role is the purpose of an expression. It determines the type of the result, and
// the variables that the expression can use.
type Role uint8

// The roles.
const (
	// Condition is a match condition or a validation. The result is a bool.
	Condition Role = iota
	// Message is a messageExpression. The result is a string, and the authorizer
	// is not available.
	Message
	// Annotation is the valueExpression of an audit annotation. The result is a
	// string or null.
	Annotation
	// Value is the expression of a variable. The result has any type.
	Value
	// ApplyConfiguration is a mutation that returns an Object.
	ApplyConfiguration
	// JSONPatch is a mutation that returns a list of JSONPatch.
	JSONPatch
)

// Expression is a CEL expression of a policy or of a webhook.
type Expression struct {
	Text string
	Role Role
	// Params is set if the policy has a paramKind.
	Params bool
	// Stored is set if the stored object has this expression. A stored expression
	// only needs to compile for the server itself. A new expression must also
	// compile for servers of the previous release.
	Stored bool
}

// Problem is the server's error about an expression. The zero value means no error.
type Problem struct {
	// Detail is the end of the error's text, after the type and the value.
	Detail string
	// Internal marks an internal error of the server. Its text does not contain
	// the value.
	Internal bool
	// Inexact is set if the text may differ from the server's, for example
	// because 1.28 also reports consequential errors.
	Inexact bool
}

// Compiler compiles the expressions of one object for the servers of one minor.
// It is not safe for concurrent use.
type Compiler struct {
	minor     lifecycle.Minor
	variables *apiservercel.DeclType // nil if the object has no variables
	envs      map[scope]*cel.Env
}

// NewCompiler returns a compiler for the servers of a minor. composed is set if
// expressions can read "variables", as in MutatingAdmissionPolicies and in other
// policies with variables. Match conditions of webhooks never read them.
func NewCompiler(minor lifecycle.Minor, composed bool) *Compiler {
	c := &Compiler{minor: minor}
	if composed {
		c.variables = apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{})
		c.envs = map[scope]*cel.Env{}
	}
	return c
}

// Declare compiles a variable for the expressions that are compiled later. A
// variable that does not compile has a dynamic type.
//
// In 1.28 all variables are dynamic, and a variable may read itself. Source:
// CompileAndStoreVariable in
// k8s.io/apiserver/pkg/admission/plugin/cel/composition.go.
func (c *Compiler) Declare(name string, e Expression) Problem {
	add := func(t *apiservercel.DeclType) {
		c.variables.Fields[name] = apiservercel.NewDeclField(name, t, true, nil, nil)
	}
	if c.minor <= 28 {
		add(apiservercel.DynType)
	}
	result, problem := c.compile(e)
	if c.minor > 28 {
		add(declaredType(result))
	}
	return problem
}

// Check compiles an expression and returns its problem.
func (c *Compiler) Check(e Expression) Problem {
	_, problem := c.compile(e)
	return problem
}

// compile compiles an expression and returns the type of its result. Source:
// CompileCELExpression in k8s.io/apiserver/pkg/admission/plugin/cel/compile.go,
// 1.28 to 1.37.
func (c *Compiler) compile(e Expression) (result *cel.Type, p Problem) {
	env, err := c.env(e)
	if err != nil {
		return nil, Problem{Detail: "unexpected error loading CEL environment: " + err.Error(), Internal: true}
	}
	if text := backquoteError(c.minor, e.Text); text != "" {
		return nil, Problem{Detail: "compilation failed: " + text, Inexact: c.minor < 33}
	}
	ast, issues := compile(env, e.Text)
	if issues != nil {
		return nil, Problem{Detail: "compilation failed: " + display(issues, e.Text), Inexact: c.minor <= 28}
	}
	result = ast.OutputType()
	if want := e.Role.resultTypes(); want != nil && !slices.ContainsFunc(want, result.IsExactType) {
		return result, Problem{Detail: c.wrongType(want, result)}
	}
	if _, err := env.Program(ast); err != nil {
		return result, Problem{Detail: "program instantiation failed: " + err.Error(), Internal: true}
	}
	return result, Problem{}
}

// wrongType returns the error about a result of type got. want are the allowed
// types. Servers before 1.32 do not name got.
func (c *Compiler) wrongType(want []*cel.Type, got *cel.Type) string {
	text := "must evaluate to " + want[0].String()
	if len(want) > 1 {
		text = fmt.Sprintf("must evaluate to one of %v", want)
	}
	if c.minor >= 32 {
		text += " but got " + got.String()
	}
	return text
}

// resultTypes returns the allowed types of an expression's result, or nil if
// every type is allowed. Source: the ReturnTypes methods in
// k8s.io/apiserver/pkg/admission/plugin/{policy,webhook}.
func (r Role) resultTypes() []*cel.Type {
	switch r {
	case Condition:
		return []*cel.Type{cel.BoolType}
	case Message:
		return []*cel.Type{cel.StringType}
	case Annotation:
		return []*cel.Type{cel.StringType, cel.NullType}
	case ApplyConfiguration:
		return []*cel.Type{cel.ObjectType("Object")}
	case JSONPatch:
		return []*cel.Type{cel.ListType(cel.ObjectType("JSONPatch"))}
	}
	return nil
}

func (c *Compiler) env(e Expression) (*cel.Env, error) {
	minor := expression.Created(c.minor)
	if e.Stored {
		minor = c.minor
	}
	s := scope{minor: minor, params: e.Params, authorizer: e.Role != Message, patch: e.Role == ApplyConfiguration || e.Role == JSONPatch}
	if c.variables == nil {
		return s.env()
	}
	if env := c.envs[s]; env != nil {
		return env, nil
	}
	base, err := s.env()
	if err != nil {
		return nil, err
	}
	env, err := withVariables(base, minor, c.variables)
	if err == nil {
		c.envs[s] = env
	}
	return env, err
}

// backquoteError returns the error about a field name in backquotes, as in
// object.`a-b`, or "" if there is none. Servers before 1.37, with cel-go before
// 0.29, refuse such names. Servers before 1.33 have another text.
func backquoteError(m lifecycle.Minor, text string) string {
	if m >= 37 || !strings.Contains(text, "`") {
		return ""
	}
	p, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true), parser.EnableIdentEscapeSyntax(false))
	if err != nil {
		return ""
	}
	if _, errs := p.Parse(common.NewTextSource(text)); errs != nil && len(errs.GetErrors()) > 0 {
		return errs.ToDisplayString()
	}
	return ""
}
