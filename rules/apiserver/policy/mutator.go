//go:build !js

package policy

import (
	"context"
	"errors"
	"fmt"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// invocation is one run of a mutating policy, with one binding and one parameter
// that select the request.
type invocation struct {
	policy   *mutatingPolicy
	binding  string
	match    match
	param    runtime.Object          // nil if the policy has no parameter
	matcher  matchconditions.Matcher // nil if the policy has no match conditions
	patchers []patch.Patcher         // one patcher for each mutation
}

// invocationKey identifies an invocation in both runs of the policies.
type invocationKey struct{ policy, binding, param string }

// reinvocation decides which policies run a second time. Source:
// reinvocationcontext.go in k8s.io/apiserver/pkg/admission/plugin/policy/mutating
// (1.32–1.37).
type reinvocation struct {
	// output is the object after the first run.
	output runtime.Object
	// invoked has the invocations with the reinvocation policy IfNeeded that ran
	// after the last change of the object. toRepeat has the invocations that the
	// second run repeats.
	invoked, toRepeat map[invocationKey]bool
}

// repeatInvoked adds all invocations in invoked to toRepeat.
func (r *reinvocation) repeatInvoked() {
	for key := range r.invoked {
		if r.toRepeat == nil {
			r.toRepeat = map[invocationKey]bool{}
		}
		r.toRepeat[key] = true
	}
	r.invoked = map[invocationKey]bool{}
}

// dispatch runs the invocations in order. If the server refuses the request,
// dispatch returns the server's answer as an error. Source: dispatchInvocations
// in k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go
// (1.32–1.37).
func (m *mutation) dispatch(ctx context.Context, all []invocation) error {
	if len(all) == 0 {
		return m.denial()
	}
	run := m.GetReinvocationContext()
	if run.IsReinvoke() && !apiequality.Semantic.DeepEqual(m.reinvocation.output, m.GetObject()) {
		m.reinvocation.repeatInvoked() // the built-in plugins changed the object
	}
	defer func() { m.reinvocation.output = m.GetObject().DeepCopyObject() }()
	versions := map[schema.GroupVersionKind]*admission.VersionedAttributes{}
	for i := range all {
		kind := all[i].match.kind
		if versions[kind] != nil {
			continue
		}
		versioned, err := admission.NewVersionedAttributes(m, kind, m.request)
		if err != nil {
			return apierrors.NewInternalError(err)
		}
		versions[kind] = versioned
	}
	var last *admission.VersionedAttributes
	for i := range all {
		versioned := versions[all[i].match.kind]
		invoked, err := m.invoke(ctx, &all[i], versioned)
		if err != nil {
			return err
		}
		if invoked && len(all[i].patchers) > 0 {
			last = versioned
		}
	}
	if last != nil && last.Dirty {
		m.reinvocation.repeatInvoked()
		run.SetShouldReinvoke()
		if err := m.GetObjectConvertor().Convert(last.VersionedObject.Object(), m.GetObject(), nil); err != nil {
			return apierrors.NewInternalError(fmt.Errorf("failed to convert object: %w", err))
		}
	}
	return m.denial()
}

// invoke applies the mutations of one invocation. invoked is false if the match
// conditions or the reinvocation policy exclude the invocation, or if the match
// conditions fail. invoke records errors of the policy and returns other errors.
func (m *mutation) invoke(ctx context.Context, v *invocation, versioned *admission.VersionedAttributes) (invoked bool, err error) {
	if v.matcher != nil {
		matched := v.matcher.Match(ctx, versioned, v.param, nil)
		if matched.Error != nil {
			m.recordError(v.policy, v.binding, metav1.StatusReasonInvalid, matched.Error)
			return false, nil
		}
		if !matched.Matches {
			return false, nil
		}
	}
	run, key := m.GetReinvocationContext(), invocationKey{v.policy.Name, v.binding, nameOf(v.param)}
	if run.IsReinvoke() && !m.reinvocation.toRepeat[key] {
		return false, nil
	}
	before := versioned.VersionedObject.Object()
	for _, patcher := range v.patchers {
		err := m.patch(ctx, patcher, v, versioned)
		var status *apierrors.StatusError
		switch {
		case errors.As(err, &status):
			return true, status
		case err != nil:
			m.recordError(v.policy, v.binding, metav1.StatusReasonInvalid, err)
		}
	}
	if !apiequality.Semantic.DeepEqual(before, versioned.VersionedObject.Object()) {
		m.reinvocation.repeatInvoked()
		run.SetShouldReinvoke()
	}
	if v.policy.Spec.ReinvocationPolicy == admissionregistration.IfNeededReinvocationPolicy {
		if m.reinvocation.invoked == nil {
			m.reinvocation.invoked = map[invocationKey]bool{}
		}
		m.reinvocation.invoked[key] = true
	}
	return true, nil
}

// patch applies one mutation and sets the defaults of the result.
func (m *mutation) patch(ctx context.Context, patcher patch.Patcher, v *invocation, versioned *admission.VersionedAttributes) error {
	object, err := patcher.Patch(ctx, patch.Request{
		MatchedResource:     v.match.resource,
		VersionedAttributes: versioned,
		ObjectInterfaces:    m.request,
		OptionalVariables:   plugincel.OptionalVariableBindings{VersionedParams: v.param},
		Namespace:           m.namespaceObject(),
		TypeConverter:       m.cluster.typeConverter(v.match.kind),
	}, celconfig.RuntimeCELCostBudget)
	if err != nil {
		return err
	}
	if !isUnstructured(versioned.VersionedObject.Object()) {
		if object, err = m.GetObjectConvertor().ConvertToVersion(object, versioned.GetKind().GroupVersion()); err != nil {
			return err
		}
	}
	m.GetObjectDefaulter().Default(object)
	versioned.UpdateObject(object)
	return nil
}

// refusal is the error of a policy that refuses the request because its failure
// policy is Fail.
type refusal struct {
	text   string
	reason metav1.StatusReason
}

// recordError records the error of a policy, or of a binding if binding is not
// empty. It records nothing if the failure policy is Ignore.
func (m *mutation) recordError(p *mutatingPolicy, binding string, reason metav1.StatusReason, err error) {
	if *p.Spec.FailurePolicy == admissionregistration.Ignore {
		return
	}
	text := fmt.Sprintf("policy %q denied request: %s", p.Name, err)
	if binding != "" {
		text = fmt.Sprintf("policy '%s' with binding '%s' denied request: %s", p.Name, binding, err)
	}
	m.refusals = append(m.refusals, refusal{text, reason})
}

// denial returns the server's answer as an error if a policy failed, and nil
// otherwise. Source: the end of Dispatch in
// k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
// (1.32–1.37).
func (m *mutation) denial() error {
	if len(m.refusals) == 0 {
		return nil
	}
	var err *apierrors.StatusError
	if !errors.As(admission.NewForbidden(m, errors.New("admission request denied by policy")), &err) {
		return apierrors.NewInternalError(errors.New("failed to create status error"))
	}
	err.ErrStatus.Message = m.refusals[0].text
	if reason := m.refusals[0].reason; reason != "" {
		err.ErrStatus.Reason = reason
	}
	for _, r := range m.refusals {
		err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Message: r.text})
	}
	return err
}
