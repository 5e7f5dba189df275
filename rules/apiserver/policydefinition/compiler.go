// Package policydefinition checks the CEL expressions of admission policies and
// of webhooks' match conditions as a kube-apiserver does when such an object is
// created or updated: whether they compile, and to which type.
//
// The compiler and its libraries are those of k8s.io/apiserver. Package
// validation checks everything else about these objects.
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

// Role is the purpose of an expression. It determines the variables and the type
// of the result.
type Role uint8

// The roles.
const (
	// Condition is a match condition or a validation: a bool.
	Condition Role = iota
	// Message is a messageExpression: a string, without the authorizer.
	Message
	// Annotation is the valueExpression of an audit annotation: a string or null.
	Annotation
	// Value is the expression of a variable: any type.
	Value
	// ApplyConfiguration is an expression that returns an Object.
	ApplyConfiguration
	// JSONPatch is an expression that returns a list of JSONPatch.
	JSONPatch
)

// Expression is a CEL expression of a policy or of a webhook.
type Expression struct {
	Text string
	Role Role
	// Params is set if the policy has a paramKind.
	Params bool
	// Stored is set if the stored object has the same expression. The server then
	// accepts everything that it can evaluate. Otherwise it accepts what a server
	// of the release before it can evaluate, too.
	Stored bool
}

// Problem is the server's error about an expression. The zero value means no error.
type Problem struct {
	// Detail is the error's text, after its type and value.
	Detail string
	// Internal is set if the server reports an internal error, without the value.
	Internal bool
	// Inexact is set if the text may differ from the server's. The compiler of 1.28
	// reports errors that follow from others, which later ones leave out.
	Inexact bool
}

// Compiler compiles the expressions of one object for the servers of one minor.
// It is not safe for concurrent use.
type Compiler struct {
	minor     lifecycle.Minor
	variables *apiservercel.DeclType // nil if the object has no variables
	envs      map[scope]*cel.Env
}

// NewCompiler returns a compiler. composed is set for objects whose expressions
// may read "variables": MutatingAdmissionPolicies, and other policies that have
// some. Match conditions never read them.
func NewCompiler(minor lifecycle.Minor, composed bool) *Compiler {
	c := &Compiler{minor: minor}
	if composed {
		c.variables = apiservercel.NewObjectType("kubernetes.variables", map[string]*apiservercel.DeclField{})
		c.envs = map[scope]*cel.Env{}
	}
	return c
}

// Declare compiles a variable and adds it to those that the expressions after it
// may read. The type of a variable that does not compile is dynamic.
//
// It re-states CompileAndStoreVariable of
// k8s.io/apiserver/pkg/admission/plugin/cel/composition.go. In 1.28 every variable
// is dynamic and may read itself.
func (c *Compiler) Declare(name string, e Expression) Problem {
	add := func(t *apiservercel.DeclType) {
		c.variables.Fields[name] = apiservercel.NewDeclField(name, t, true, nil, nil)
	}
	if c.minor <= 28 {
		add(apiservercel.DynType)
	}
	result, problem := c.compile(e)
	if c.minor > 28 {
		add(declared(result))
	}
	return problem
}

// Check compiles an expression.
func (c *Compiler) Check(e Expression) Problem {
	_, problem := c.compile(e)
	return problem
}

// compile re-states CompileCELExpression of
// k8s.io/apiserver/pkg/admission/plugin/cel/compile.go, 1.28 to 1.37.
func (c *Compiler) compile(e Expression) (result *cel.Type, p Problem) {
	env, err := c.env(e)
	if err != nil {
		return nil, Problem{Detail: "unexpected error loading CEL environment: " + err.Error(), Internal: true}
	}
	if text := quotedName(c.minor, e.Text); text != "" {
		return nil, Problem{Detail: "compilation failed: " + text, Inexact: c.minor < 33}
	}
	ast, issues := compile(env, e.Text)
	if issues != nil {
		return nil, Problem{Detail: "compilation failed: " + display(issues, e.Text), Inexact: c.minor <= 28}
	}
	result = ast.OutputType()
	if want := e.Role.returns(); want != nil && !slices.ContainsFunc(want, result.IsExactType) {
		return result, Problem{Detail: c.wrongType(want, result)}
	}
	if _, err := env.Program(ast); err != nil {
		return result, Problem{Detail: "program instantiation failed: " + err.Error(), Internal: true}
	}
	return result, Problem{}
}

// wrongType returns the error about the type of a result. Servers before 1.32 do
// not say which type it is.
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

// returns returns the types to which an expression may evaluate, or nil if every
// type is allowed: the ReturnTypes methods of
// k8s.io/apiserver/pkg/admission/plugin/{policy,webhook}.
func (r Role) returns() []*cel.Type {
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

// env returns the environment of an expression.
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

// quotedName returns the error about a field's name in backquotes, as in
// object.`a-b`, or "" if there is none. The parser of cel-go 0.29, which 1.37 is
// the first to use, is the first that accepts it. Servers before 1.33 have another
// text.
func quotedName(m lifecycle.Minor, text string) string {
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
