//go:build !js

package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// validator evaluates a compiled ValidatingAdmissionPolicy. Source: validator.go
// in k8s.io/apiserver/pkg/admission/plugin/policy/validating (1.26–1.37).
type validator struct {
	spec                               *admissionregistration.ValidatingAdmissionPolicySpec
	matcher                            matchconditions.Matcher // nil without match conditions
	validations, messages, annotations *evaluator
}

// decision is the result of one validation. The zero value admits the request.
type decision struct {
	denied bool
	// failed is set if the validation could not be evaluated.
	failed  bool
	message string
	// reason is empty if failed is set.
	reason metav1.StatusReason
}

// validate evaluates the policy for a request. It returns one decision for each
// validation, a single decision if the whole policy fails, and none if the match
// conditions exclude the request. annotations are errors in audit annotations;
// each denies the request.
func (v *validator) validate(ctx context.Context, resource schema.GroupVersionResource, attributes *admission.VersionedAttributes, param runtime.Object, namespace *corev1.Namespace, budget int64) (decisions []decision, annotations []string) {
	if v.matcher != nil {
		matched := v.matcher.Match(ctx, attributes, param, nil)
		if matched.Error != nil {
			return []decision{v.failure(matched.Error)}, nil
		}
		if !matched.Matches {
			return nil, nil
		}
	}
	inputs := plugincel.OptionalVariableBindings{VersionedParams: param}
	review := plugincel.CreateAdmissionRequest(attributes.Attributes, metav1.GroupVersionResource(resource), metav1.GroupVersionKind(attributes.VersionedKind))
	shown := plugincel.CreateNamespaceObject(namespace)
	results, remaining, err := v.validations.ForInput(ctx, attributes, review, inputs, shown, budget)
	if err != nil {
		return []decision{v.failure(err)}, nil
	}
	texts, _, err := v.messages.ForInput(ctx, attributes, review, inputs, shown, remaining)
	for i := range results {
		var message *plugincel.EvaluationResult
		if i < len(texts) {
			message = &texts[i]
		}
		decisions = append(decisions, v.decide(i, &results[i], message, err))
	}
	annotations, err = v.annotate(ctx, attributes, review, inputs, namespace, budget)
	if err != nil {
		return []decision{v.failure(err)}, nil
	}
	return decisions, annotations
}

// failure returns the decision for a validation that cannot be evaluated.
func (v *validator) failure(err error) decision {
	return decision{denied: !v.ignoresFailures(), failed: true, message: err.Error()}
}

// ignoresFailures reports whether the failure policy is Ignore.
func (v *validator) ignoresFailures() bool {
	return *v.spec.FailurePolicy == admissionregistration.Ignore
}

// decide returns the decision of validation i. result and message are the results
// of its expression and its messageExpression. messagesErr is the error that
// stopped the evaluation of all message expressions, or nil.
func (v *validator) decide(i int, result, message *plugincel.EvaluationResult, messagesErr error) decision {
	switch {
	case result.Error != nil:
		return v.failure(result.Error)
	case errors.Is(messagesErr, apiservercel.ErrInternal) || errors.Is(messagesErr, apiservercel.ErrOutOfBudget):
		return v.failure(fmt.Errorf("failed messageExpression: %s", messagesErr))
	case result.EvalResult == types.True:
		return decision{}
	}
	d := decision{denied: true, reason: metav1.StatusReasonInvalid}
	validation := &v.spec.Validations[i]
	if validation.Reason != nil {
		d.reason = *validation.Reason
	}
	if message != nil && message.Error == nil && message.EvalResult != nil {
		d.message = messageText(message.EvalResult.Value())
	}
	if d.message == "" && validation.Message != "" {
		d.message = strings.TrimSpace(validation.Message)
	}
	if d.message == "" {
		d.message = "failed expression: " + strings.TrimSpace(validation.Expression)
	}
	return d
}

// messageText returns the text of an evaluated message. It returns "" if the
// value is not a short line; decide then uses another text, as the server does.
func messageText(value any) string {
	text, _ := value.(string)
	text = strings.TrimSpace(text)
	if len(text) > celconfig.MaxEvaluatedMessageExpressionSizeBytes || strings.Contains(text, "\n") {
		return ""
	}
	return text
}

// annotate evaluates the audit annotations. It returns the errors that deny the
// request.
func (v *validator) annotate(ctx context.Context, attributes *admission.VersionedAttributes, review *admissionv1.AdmissionRequest, inputs plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) (denying []string, err error) {
	results, _, err := v.annotations.ForInput(ctx, attributes, review, inputs, namespace, budget)
	if err != nil {
		return nil, err
	}
	for i := range results {
		result := &results[i]
		switch {
		case result.ExpressionAccessor == nil:
		case result.Error != nil:
			if !v.ignoresFailures() {
				denying = append(denying, result.Error.Error())
			}
		case result.EvalResult.Type() != types.StringType && result.EvalResult.Type() != types.NullType:
			denying = append(denying, fmt.Sprintf("valueExpression '%v' resulted in unsupported return type: %v. "+
				"Return type must be either string or null.", result.ExpressionAccessor.GetExpression(), result.EvalResult.Type()))
		}
	}
	return denying, nil
}
