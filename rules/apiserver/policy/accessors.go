//go:build !js

package policy

import (
	"github.com/google/cel-go/cel"
	admissionregistration "k8s.io/api/admissionregistration/v1"
)

// The types in this file pass the text and the allowed result types of an
// expression to the compiler of k8s.io/apiserver. They repeat types of the
// server, because importing the server's package would link its clients, caches
// and tracing. Source: interface.go and message.go in
// k8s.io/apiserver/pkg/admission/plugin/policy/validating (1.26–1.37).

// validation is the expression of a validation.
type validation admissionregistration.Validation

// GetExpression implements plugincel.ExpressionAccessor.
func (v *validation) GetExpression() string { return v.Expression }

// ReturnTypes implements plugincel.ExpressionAccessor.
func (v *validation) ReturnTypes() []*cel.Type { return []*cel.Type{cel.BoolType} }

// messageExpression is the messageExpression of a validation.
type messageExpression admissionregistration.Validation

// GetExpression implements plugincel.ExpressionAccessor.
func (v *messageExpression) GetExpression() string { return v.MessageExpression }

// ReturnTypes implements plugincel.ExpressionAccessor.
func (v *messageExpression) ReturnTypes() []*cel.Type { return []*cel.Type{cel.StringType} }

// auditAnnotation is the expression of an audit annotation.
type auditAnnotation admissionregistration.AuditAnnotation

// GetExpression implements plugincel.ExpressionAccessor.
func (a *auditAnnotation) GetExpression() string { return a.ValueExpression }

// ReturnTypes implements plugincel.ExpressionAccessor.
func (a *auditAnnotation) ReturnTypes() []*cel.Type {
	return []*cel.Type{cel.StringType, cel.NullType}
}

// variable is the expression of a variable.
type variable admissionregistration.Variable

// GetName implements plugincel.NamedExpressionAccessor.
func (v *variable) GetName() string { return v.Name }

// GetExpression implements plugincel.ExpressionAccessor.
func (v *variable) GetExpression() string { return v.Expression }

// ReturnTypes implements plugincel.ExpressionAccessor.
func (v *variable) ReturnTypes() []*cel.Type { return []*cel.Type{cel.AnyType, cel.DynType} }
