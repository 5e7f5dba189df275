//go:build !js

package policy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// Validate evaluates the ValidatingAdmissionPolicies of the cluster for a
// request.
//
// Policies and bindings are evaluated by name; a server's order is random.
// Source: Dispatch in
// k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go
// (1.30–1.37; in 1.26–1.29 it is in plugin/validatingadmissionpolicy).
func (c *Cluster) Validate(a Attributes) Verdict {
	if c == nil || len(c.validating) == 0 || a.Object == nil {
		return Verdict{}
	}
	d := dispatch{request: c.newRequest(&a, a.Object), versioned: map[schema.GroupVersionKind]*admission.VersionedAttributes{}}
	if d.exempt() {
		return Verdict{}
	}
	for _, p := range c.validating {
		d.policy(p)
	}
	d.setDenial()
	d.verdict.Unknown = d.tally.all
	return d.verdict
}

// dispatch evaluates all policies for one request.
type dispatch struct {
	*request
	versioned map[schema.GroupVersionKind]*admission.VersionedAttributes
	verdict   Verdict
	tally     tally
}

// policy evaluates one policy with all its bindings.
func (d *dispatch) policy(p *policy[*validatingPolicy, *validatingBinding]) {
	m := d.matches(p.criteria)
	if m.err != nil {
		d.recordError(p, "", m.err)
		return
	}
	if !m.applies {
		return
	}
	if p.params != nil && p.params.err != nil {
		d.reportOrRecord(m.unknown, p.spec.Name, "", func() { d.recordError(p, "", p.params.err) })
		return
	}
	if p.params != nil && p.params.unknown {
		d.tally.add(Unknown{Policy: p.spec.Name, Index: -1, What: "kind " + p.params.kind.Kind + " of its parameters"})
		return
	}
	compiled := d.cluster.compileValidating(p)
	if compiled.err != nil {
		d.tally.add(Unknown{Policy: p.spec.Name, Index: -1, What: "effect of an expression that does not compile"})
		return
	}
	for i := range p.bindings {
		d.binding(p, &p.bindings[i], m)
	}
}

// reportOrRecord calls report if there are no unknown facts. Otherwise it records
// the facts for the policy and the binding.
func (d *dispatch) reportOrRecord(unknown []string, policy, binding string, report func()) {
	if len(unknown) == 0 {
		report()
		return
	}
	for _, fact := range unknown {
		d.tally.add(Unknown{Policy: policy, Binding: binding, Index: -1, What: fact})
	}
}

// binding evaluates a policy with one binding.
func (d *dispatch) binding(p *policy[*validatingPolicy, *validatingBinding], b *binding[*validatingBinding], m match) {
	name, unknown := b.spec.Name, m.unknown
	if b.criteria != nil {
		bm := d.matches(b.criteria)
		if bm.err != nil {
			d.reportOrRecord(unknown, p.spec.Name, name, func() { d.recordError(p, name, bm.err) })
			return
		}
		if !bm.applies {
			return
		}
		for _, fact := range bm.unknown {
			if !slices.Contains(unknown, fact) {
				unknown = append(slices.Clip(unknown), fact)
			}
		}
	}
	params, missing, err := d.paramsFor(p.spec.Spec.ParamKind, b.spec.Spec.ParamRef, p.params)
	if missing != "" {
		d.tally.add(Unknown{Policy: p.spec.Name, Binding: name, Index: -1, What: missing})
		return
	}
	if err == nil && len(params) > 0 {
		err = d.convert(m.kind)
	}
	if errors.Is(err, errConversion) {
		d.tally.add(Unknown{Policy: p.spec.Name, Binding: name, Index: -1, What: "conversion to " + m.kind.GroupVersion().String()})
		return
	}
	if err != nil {
		d.reportOrRecord(unknown, p.spec.Name, name, func() { d.recordError(p, name, err) })
		return
	}
	for _, param := range params {
		d.evaluate(p, b, m, param, unknown)
	}
}

// convert converts the object of the request to the version that a policy's rules
// select. It converts only once to each version.
func (d *dispatch) convert(kind schema.GroupVersionKind) error {
	if d.versioned[kind] != nil {
		return nil
	}
	versioned, err := admission.NewVersionedAttributes(d.request, kind, d.request)
	if err != nil {
		return fmt.Errorf("failed to convert object version: %w", err)
	}
	d.versioned[kind] = versioned
	return nil
}

// evaluate evaluates a policy with one parameter. unknown are facts that decide
// whether the policy applies.
func (d *dispatch) evaluate(p *policy[*validatingPolicy, *validatingBinding], b *binding[*validatingBinding], m match, param runtime.Object, unknown []string) {
	d.reset()
	compiled := p.compiled.validating
	if p.slow.exhausted() {
		d.tally.add(Unknown{Policy: p.spec.Name, Binding: b.spec.Name, Index: -1, What: tooSlow})
		return
	}
	ctx, stop := p.slow.start(context.WithValue(context.Background(), evaluationKey{}, d.request))
	defer stop()
	decisions, annotations := compiled.validate(ctx, m.resource, d.versioned[m.kind], param, d.namespaceObject(), celconfig.RuntimeCELCostBudget)
	for _, index := range sortedIndexes(d.unknown[matchConditions]) {
		unknown = append(slices.Clip(unknown), d.unknown[matchConditions][index]...)
	}
	at := Failure{Policy: p.spec.Name, Binding: b.spec.Name, Param: nameOf(param)}
	for i := range decisions {
		decision := &decisions[i]
		if facts := d.unknown[validations][i]; facts != nil {
			for _, fact := range facts {
				d.tally.add(Unknown{Policy: at.Policy, Binding: at.Binding, Index: i, What: fact})
			}
			continue
		}
		if !decision.denied {
			continue
		}
		f := at
		f.Index, f.Message, f.Error = i, decision.message, decision.failed
		f.Reason, f.Code = reasonOf(decision.reason)
		if len(decisions) != len(compiled.validations.results) {
			f.Index = -1 // the failure is about the whole policy
		} else {
			f.Expression = p.spec.Spec.Validations[i].Expression
			d.setPlace(&f, compiled.validations.results[i].Reads)
		}
		f.Inexact = d.unknown[messages][i] != nil ||
			f.Index >= 0 && d.formatsExponent(p.spec.Spec.Validations[i].MessageExpression)
		if len(unknown) > 0 {
			for _, fact := range unknown {
				d.tally.add(Unknown{Policy: at.Policy, Binding: at.Binding, Index: f.Index, What: fact})
			}
			continue
		}
		for _, action := range b.spec.Spec.ValidationActions {
			switch action {
			case admissionregistration.Deny:
				f.Deny = true
			case admissionregistration.Audit:
				f.Audit = true
			case admissionregistration.Warn:
				f.Warn = true
			}
		}
		d.addFailure(f)
	}
	for _, message := range annotations {
		f := at
		f.Index, f.Message, f.Error, f.Deny = -1, message, true, true
		f.Reason, f.Code = reasonOf("")
		d.reportOrRecord(unknown, at.Policy, at.Binding, func() { d.addFailure(f) })
	}
	for _, index := range sortedIndexes(d.unknown[auditAnnotations]) {
		for _, fact := range d.unknown[auditAnnotations][index] {
			d.tally.add(Unknown{Policy: at.Policy, Binding: at.Binding, Index: -1, What: fact})
		}
	}
}

// formatsExponent reports whether the result of an expression may contain a number
// with an exponent ("%e"), and the release is before 1.33. Those releases write
// other spaces around the exponent (cel-go ext/formatting.go).
func (r *request) formatsExponent(expression string) bool {
	return r.cluster.server.Minor < 33 && strings.Contains(expression, ".format(") && exponent.MatchString(expression)
}

var exponent = regexp.MustCompile(`%(\.[0-9]+)?e`)

// namespaceObject returns the Namespace of the request, or nil if the object is
// not namespaced.
func (r *request) namespaceObject() *corev1.Namespace {
	if r.GetNamespace() == "" || r.GetKind().Kind == "Namespace" && r.GetKind().GroupVersion().String() == "v1" {
		return nil
	}
	return r.cluster.namespace(r.GetNamespace())
}

// recordError records the failure of a policy or binding that cannot be
// evaluated, unless the failure policy is Ignore.
func (d *dispatch) recordError(p *policy[*validatingPolicy, *validatingBinding], binding string, err error) {
	if *p.spec.Spec.FailurePolicy == admissionregistration.Ignore {
		return
	}
	part := "policy"
	if binding != "" {
		part = "binding"
	}
	f := Failure{Policy: p.spec.Name, Binding: binding, Index: -1, Message: fmt.Sprintf("failed to configure %s: %v", part, err), Deny: true, Error: true}
	if *p.spec.Spec.FailurePolicy != admissionregistration.Fail {
		f.Message = fmt.Sprintf("unrecognized failure policy: '%v'", *p.spec.Spec.FailurePolicy)
	}
	f.Reason, f.Code = reasonOf("")
	d.addFailure(f)
}

// addFailure adds a failure to the verdict. For the action Warn it also adds the
// warning.
func (d *dispatch) addFailure(f Failure) {
	f.Text = f.text("denied request")
	if f.At == nil {
		f.At = d.sent.Request.New
	}
	if f.Warn {
		d.verdict.Warnings = append(d.verdict.Warnings, apiserver.Warning{
			Field: f.Field, At: f.At, Class: apiserver.Policy, Inexact: f.Inexact,
			Text: fmt.Sprintf("Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s", f.Policy, f.Binding, f.Message),
		})
	}
	d.verdict.Failures = append(d.verdict.Failures, f)
}

func (f *Failure) text(verb string) string {
	if f.Binding == "" {
		return fmt.Sprintf("ValidatingAdmissionPolicy '%s' %s: %s", f.Policy, verb, f.Message)
	}
	return fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' %s: %s", f.Policy, f.Binding, verb, f.Message)
}

// setDenial sets the server's answer to the first failure that denies the
// request. The answer is inexact if the server may report another failure: the
// server's order of policies and bindings is random, and an unknown result may be a
// failure.
func (d *dispatch) setDenial() {
	var first *Failure
	inexact := false
	for i := range d.verdict.Failures {
		f := &d.verdict.Failures[i]
		switch {
		case !f.Deny:
		case first == nil:
			first = f
		case f.Policy != first.Policy || f.Binding != first.Binding || f.Param != first.Param:
			inexact = inexact || f.Text != first.Text
		}
	}
	if first == nil {
		return
	}
	inexact = inexact || first.Inexact || len(d.tally.all) > 0
	d.verdict.Status = status(d.request, first.Text)
	d.verdict.Reason = first.Reason
	d.verdict.Causes = []apiserver.Cause{{Text: first.Text, Code: first.Code, At: first.At, Inexact: inexact}}
}

// status returns the message of a denial. Source: NewForbidden in
// k8s.io/apiserver/pkg/admission/errors.go (1.26–1.37).
func status(a admission.Attributes, text string) string {
	var err *apierrors.StatusError
	if errors.As(admission.NewForbidden(a, errors.New(text)), &err) {
		return err.ErrStatus.Message
	}
	return text
}

// reasonOf returns the reason and the HTTP status of the answer for a validation's
// reason. Source: reasonToCode in
// k8s.io/apiserver/pkg/admission/plugin/policy/validating/policy_decision.go
// (1.26–1.37).
func reasonOf(reason metav1.StatusReason) (string, int) {
	switch reason {
	case metav1.StatusReasonForbidden:
		return string(reason), http.StatusForbidden
	case metav1.StatusReasonUnauthorized:
		return string(reason), http.StatusUnauthorized
	case metav1.StatusReasonRequestEntityTooLarge:
		return string(reason), http.StatusRequestEntityTooLarge
	case "":
		reason = metav1.StatusReasonInvalid
	}
	return string(reason), http.StatusUnprocessableEntity
}

// tally counts unknown facts.
type tally struct{ all []Unknown }

func (t *tally) add(u Unknown) {
	for i := range t.all {
		same := t.all[i]
		same.Count = 0
		if same == u {
			t.all[i].Count++
			return
		}
	}
	u.Count = 1
	t.all = append(t.all, u)
}

func sortedIndexes(m map[int][]string) []int {
	var all []int
	for i := range m {
		all = append(all, i)
	}
	slices.Sort(all)
	return all
}
