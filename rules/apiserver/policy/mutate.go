//go:build !js

package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// Mutate applies the MutatingAdmissionPolicies of the cluster to the object of a
// request. It skips a mutation if its result is unknown.
//
// If a policy changes the object, the built-in plugins and the policies with the
// reinvocation policy IfNeeded run again. Source:
// k8s.io/apiserver/pkg/admission/reinvocation.go, and the dispatcher in
// k8s.io/apiserver/pkg/admission/plugin/policy/mutating (1.32–1.37).
func (c *Cluster) Mutate(a Attributes) Mutation {
	result := Mutation{Object: a.Object, Value: a.Request.New}
	if c == nil || len(c.mutating) == 0 || a.Object == nil {
		return result
	}
	m := &mutation{request: c.newRequest(&a, a.Object.DeepCopyObject())}
	if m.exempt() {
		return result
	}
	err := m.admit()
	if again := m.GetReinvocationContext(); err == nil && again.ShouldReinvoke() {
		again.SetIsReinvoke()
		if a.Again != nil {
			m.replace(a.Again(m.GetObject()))
		}
		err = m.admit()
	}
	result.Unknown = m.tally.all
	if err != nil {
		result.setRefusal(err)
		return result
	}
	if len(m.changes) == 0 {
		return result
	}
	result.Changes, result.Unknown = m.changes, m.unknownFacts()
	result.Object = m.GetObject()
	before, err := fieldsOf(a.Object)
	after, err2 := fieldsOf(result.Object)
	if err != nil || err2 != nil {
		result.Unknown = append(result.Unknown, Unknown{Mutating: true, Index: -1, What: "mutated object", Count: 1})
		return result
	}
	result.Value = merged(before, after, a.Request.New)
	return result
}

// setRefusal sets the result to the answer of a server that refuses the request
// with err.
func (m *Mutation) setRefusal(err error) {
	var denied *apierrors.StatusError
	if !errors.As(err, &denied) {
		denied = apierrors.NewInternalError(err)
	}
	m.Status, m.Reason = denied.ErrStatus.Message, string(denied.ErrStatus.Reason)
	code := int(denied.ErrStatus.Code)
	if code == 0 {
		code = http.StatusInternalServerError
	}
	inexact := len(m.Unknown) > 0
	if details := denied.ErrStatus.Details; details != nil {
		for _, cause := range details.Causes {
			m.Causes = append(m.Causes, apiserver.Cause{Text: cause.Message, Code: code, At: m.Value, Inexact: inexact})
		}
	}
	if len(m.Causes) == 0 {
		m.Causes = []apiserver.Cause{{Text: m.Status, Code: code, At: m.Value, Inexact: inexact}}
	}
}

// mutation is a request while policies change its object.
type mutation struct {
	*request
	tally        tally
	changes      []Change
	reinvocation reinvocation
	refusals     []refusal // refusals of the current run
}

// replace replaces the object of the request. It overwrites the struct, as the
// server's plugins do.
func (m *mutation) replace(object runtime.Object) {
	if object != nil && object != m.GetObject() {
		_ = convertor{m.request}.Convert(object, m.GetObject(), nil) // no error, because both have the same type
	}
	m.values = nil
}

// admit runs all policies once. It skips a binding if it is unknown whether the
// binding applies.
func (m *mutation) admit() error {
	m.evaluation = newEvaluation(m.cluster.server, m.sent)
	m.refusals = nil
	var all []invocation
	for _, p := range m.cluster.mutating {
		matched := m.matches(p.criteria)
		if matched.err == nil && p.params != nil && matched.applies && len(matched.unknown) == 0 {
			matched.err = p.params.err
		}
		switch {
		case matched.err != nil:
			m.recordError(p.spec, "", "", fmt.Errorf("failed to configure policy: %w", matched.err))
		case matched.applies:
			for i := range p.bindings {
				all = append(all, m.invocations(p, &p.bindings[i], matched)...)
				if p.params != nil && p.params.err != nil {
					break // record a policy's unknown fact only once
				}
			}
		}
	}
	ctx, stop := m.cluster.slow.start(context.WithValue(context.Background(), evaluationKey{}, m.request))
	defer stop()
	return m.dispatch(ctx, all)
}

// invocations returns one invocation of a policy for each parameter of a binding.
// It returns none if the binding does not apply, or if it is unknown whether it
// applies.
func (m *mutation) invocations(p *policy[*mutatingPolicy, *mutatingBinding], b *binding[*mutatingBinding], matched match) []invocation {
	unknown := func(facts ...string) []invocation {
		for _, fact := range facts {
			m.tally.add(Unknown{Policy: p.spec.Name, Binding: b.spec.Name, Mutating: true, Index: -1, What: fact})
		}
		return nil
	}
	if len(matched.unknown) > 0 {
		return unknown(matched.unknown...)
	}
	if p.params != nil && p.params.unknown {
		return unknown("kind " + p.params.kind.Kind + " of its parameters")
	}
	bound := match{applies: true}
	if b.criteria != nil {
		if bound = m.matches(b.criteria); bound.err == nil && !bound.applies {
			return nil
		} else if len(bound.unknown) > 0 {
			return unknown(bound.unknown...)
		}
	}
	params, missing, err := m.paramsFor(p.spec.Spec.ParamKind, b.spec.Spec.ParamRef, p.params)
	if missing != "" {
		return unknown(missing)
	}
	if _, err := admission.NewVersionedAttributes(m, matched.kind, m.request); err != nil {
		return unknown("conversion to " + matched.kind.GroupVersion().String())
	}
	if m.cluster.typeConverter(matched.kind) == nil {
		return unknown("schema of kind " + matched.kind.Kind)
	}
	if m.cluster.slow.exhausted() {
		return unknown(tooSlow)
	}
	compiled := m.cluster.compileMutating(p)
	if compiled.err != nil {
		return unknown("effect of an expression that does not compile")
	}
	if err = cmp.Or(bound.err, err); err != nil {
		m.recordError(p.spec, b.spec.Name, "", fmt.Errorf("failed to configure binding: %w", err))
		return nil
	}
	policyObserver := observer{mutation: m, policy: p.spec.Name, binding: b.spec.Name}
	template := invocation{policy: p.spec, binding: b.spec.Name, match: matched}
	if compiled.matcher != nil {
		template.matcher = observedMatcher{policyObserver, compiled.matcher}
	}
	for i, patcher := range compiled.patchers {
		template.patchers = append(template.patchers, observedPatcher{policyObserver, i, patcher})
	}
	var all []invocation
	for _, param := range params {
		template.param = param
		all = append(all, template)
	}
	return all
}

// observer records what a policy does with one of its bindings.
type observer struct {
	*mutation
	policy, binding string
}

func (o *observer) unknown(index int, facts []string) {
	for _, fact := range facts {
		o.tally.add(Unknown{Policy: o.policy, Binding: o.binding, Mutating: true, Index: index, What: fact})
	}
}

// observedMatcher evaluates match conditions and records unknown results.
type observedMatcher struct {
	observer
	matchconditions.Matcher
}

// Match implements matchconditions.Matcher.
func (o observedMatcher) Match(ctx context.Context, attributes *admission.VersionedAttributes, params runtime.Object, authz authorizer.UnconditionalAuthorizer) matchconditions.MatchResult {
	o.reset()
	result := o.Matcher.Match(ctx, attributes, params, authz)
	if result.Error != nil || result.Matches {
		for _, index := range sortedIndexes(o.evaluation.unknown[matchConditions]) {
			o.observer.unknown(-1, o.evaluation.unknown[matchConditions][index])
			result = matchconditions.MatchResult{}
		}
	}
	return result
}

// observedPatcher applies one mutation and records its changes, or why they are
// unknown.
type observedPatcher struct {
	observer
	index   int
	patcher patch.Patcher
}

// Patch implements patch.Patcher.
func (o observedPatcher) Patch(ctx context.Context, r patch.Request, budget int64) (runtime.Object, error) {
	before := r.VersionedAttributes.VersionedObject.Object()
	o.reset()
	after, err := o.patcher.Patch(ctx, r, budget)
	facts := o.evaluation.unknown[mutations][0]
	var part errUnknown
	if errors.As(err, &part) {
		facts = append(slices.Clip(facts), string(part))
	}
	if facts != nil {
		o.observer.unknown(o.index, facts)
		return before.DeepCopyObject(), nil
	}
	if err == nil {
		err = o.record(before, after)
	}
	return after, err
}

// record adds the paths that differ between before and after to the changes of
// the policy.
func (o *observedPatcher) record(before, after runtime.Object) error {
	oldFields, err := fieldsOf(before)
	if err != nil {
		return err
	}
	newFields, err := fieldsOf(after)
	if err != nil {
		return err
	}
	paths := changedPaths(oldFields, newFields)
	if len(paths) == 0 {
		return nil
	}
	n := len(o.changes) - 1
	if n < 0 || o.changes[n].Policy != o.policy || o.changes[n].Binding != o.binding {
		o.changes = append(o.changes, Change{Policy: o.policy, Binding: o.binding})
		n++
	}
	for _, path := range paths {
		if !slices.Contains(o.changes[n].Paths, path) {
			o.changes[n].Paths = append(o.changes[n].Paths, path)
		}
	}
	return nil
}

// unknownFacts returns the unknown facts. It adds a fact if several policies
// change one field: the result then depends on the server's order of policies,
// which is random.
func (m *mutation) unknownFacts() []Unknown {
	for i := range m.changes {
		for j := range i {
			a, b := &m.changes[j], &m.changes[i]
			if (a.Policy != b.Policy || a.Binding != b.Binding) && overlap(a.Paths, b.Paths) {
				m.tally.add(Unknown{Policy: b.Policy, Binding: b.Binding, Mutating: true, Index: -1, What: "order of policies that change the same field"})
			}
		}
	}
	return m.tally.all
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return isBelow(x, y) || isBelow(y, x) })
	})
}

// isBelow reports whether path equals other or is below it.
func isBelow(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
