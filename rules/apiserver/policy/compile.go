//go:build !js

package policy

import (
	"sync"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// compiledOnce has the expressions of a policy, which are compiled on first use.
type compiledOnce struct {
	once       sync.Once
	validating *compiledValidating
	mutating   *compiledMutating
}

type compiledValidating struct {
	*validator
	// err is the first error of an expression. The server refuses to create a
	// policy with an error.
	err error
}

// listCompiler compiles the variables and the lists of expressions of a policy.
// err is the first error.
type listCompiler struct {
	*expression.Compiler
	variables int
	err       error
}

func newLists(minor lifecycle.Minor, v expression.Variables, variables []admissionregistration.Variable) (*listCompiler, error) {
	compiler, err := expression.NewCompiler(minor, v)
	if err != nil {
		return nil, err
	}
	l := &listCompiler{Compiler: compiler, variables: len(variables)}
	for i := range variables {
		l.failed(compiler.Variable((*variable)(&variables[i])))
	}
	return l, nil
}

func (l *listCompiler) failed(c expression.Compiled) expression.Compiled {
	if c.Error != nil && l.err == nil {
		l.err = c.Error
	}
	return c
}

// list compiles n expressions with one role.
func (l *listCompiler) list(role role, n int, accessor func(i int) plugincel.ExpressionAccessor) *evaluator {
	e := &evaluator{role: role, compiler: l.Compiler, variables: l.variables, results: make([]expression.Compiled, n)}
	for i := range n {
		e.results[i] = l.failed(l.Compile(accessor(i)))
	}
	return e
}

func (l *listCompiler) matcher(conditions []admissionregistration.MatchCondition, failure *admissionregistration.FailurePolicyType, name string) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	list := l.list(matchConditions, len(conditions), func(i int) plugincel.ExpressionAccessor {
		return (*matchconditions.MatchCondition)(&conditions[i])
	})
	return matchconditions.NewMatcher(list, failure, "policy", "validate", name)
}

// compileValidating compiles a policy on its first use. Source: compilePolicy in
// k8s.io/apiserver/pkg/admission/plugin/policy/validating/plugin.go
// (1.26–1.37).
func (c *Cluster) compileValidating(p *policy[*validatingPolicy, *validatingBinding]) *compiledValidating {
	p.compiled.once.Do(func() {
		spec := &p.spec.Spec
		l, err := newLists(c.server.Minor, expression.Variables{Params: spec.ParamKind != nil, Authorizer: true}, spec.Variables)
		if err != nil {
			p.compiled.validating = &compiledValidating{err: err}
			return
		}
		matcher := l.matcher(spec.MatchConditions, spec.FailurePolicy, p.spec.Name)
		list := l.list(validations, len(spec.Validations), func(i int) plugincel.ExpressionAccessor {
			return (*validation)(&spec.Validations[i])
		})
		texts := l.list(messages, len(spec.Validations), func(i int) plugincel.ExpressionAccessor {
			if spec.Validations[i].MessageExpression != "" {
				return (*messageExpression)(&spec.Validations[i])
			}
			return nil
		})
		annotations := l.list(auditAnnotations, len(spec.AuditAnnotations), func(i int) plugincel.ExpressionAccessor {
			return (*auditAnnotation)(&spec.AuditAnnotations[i])
		})
		p.compiled.validating = &compiledValidating{
			validator: &validator{spec: spec, matcher: matcher, validations: list, messages: texts, annotations: annotations},
			err:       l.err,
		}
	})
	return p.compiled.validating
}
