//go:build !js

package policy

import (
	"context"
	"errors"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubevet/kubevet/rules/apiserver/expression"
)

type compiledMutating struct {
	matcher  matchconditions.Matcher
	patchers []patch.Patcher
	err      error
}

// compileMutating compiles a policy on its first use. Source: compilePolicy in
// k8s.io/apiserver/pkg/admission/plugin/policy/mutating/compilation.go
// (1.32–1.37).
func (c *Cluster) compileMutating(p *policy[*mutatingPolicy, *mutatingBinding]) *compiledMutating {
	p.compiled.once.Do(func() {
		spec := &p.spec.Spec
		l, err := newLists(c.server.Minor, expression.Variables{Params: spec.ParamKind != nil, Authorizer: true, Patches: true}, spec.Variables)
		if err != nil {
			p.compiled.mutating = &compiledMutating{err: err}
			return
		}
		m := &compiledMutating{matcher: l.matcher(spec.MatchConditions, spec.FailurePolicy, p.spec.Name)}
		for i := range spec.Mutations {
			if patcher := l.patcher(&spec.Mutations[i]); patcher != nil {
				m.patchers = append(m.patchers, patcher)
			}
		}
		if m.err = l.err; len(m.patchers) != len(spec.Mutations) && m.err == nil {
			m.err = errSkipped // the server refuses such a mutation
		}
		p.compiled.mutating = m
	})
	return p.compiled.mutating
}

func (l *listCompiler) patcher(m *admissionregistration.Mutation) patch.Patcher {
	switch {
	case m.PatchType == admissionregistration.PatchTypeJSONPatch && m.JSONPatch != nil:
		return patch.NewJSONPatcher(l.mutator(&patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}))
	case m.PatchType == admissionregistration.PatchTypeApplyConfiguration && m.ApplyConfiguration != nil:
		return patch.NewApplyConfigurationPatcher(l.mutator(&patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}))
	}
	return nil
}

func (l *listCompiler) mutator(accessor plugincel.ExpressionAccessor) *mutator {
	list := l.list(mutations, 1, func(int) plugincel.ExpressionAccessor { return accessor })
	return &mutator{list}
}

// errSkipped is the error of a mutation that is skipped because its result is
// unknown.
var errSkipped = errors.New("mutation is not known")

// mutator evaluates the expression of one mutation.
type mutator struct{ *evaluator }

// ForInput implements plugincel.MutatingEvaluator. If the result is unknown, it
// returns errSkipped; observedPatcher records the reason.
func (m *mutator) ForInput(ctx context.Context, attributes *admission.VersionedAttributes, review *admissionv1.AdmissionRequest, inputs plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) (plugincel.EvaluationResult, int64, error) {
	results, budget, err := m.evaluator.ForInput(ctx, attributes, review, inputs, namespace, budget)
	if err != nil {
		return plugincel.EvaluationResult{}, -1, err
	}
	if ctx.Value(evaluationKey{}).(*request).unknown[mutations] != nil {
		results[0].Error = errSkipped
	}
	return results[0], budget, nil
}

// converters caches the converters for the custom resources of a cluster.
type converters struct{ byKind sync.Map }

// builtIn returns the converter for built-in kinds. It has the schema of the
// newest release.
var builtIn = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// typeConverter returns the converter for a kind, or nil if its schema is not
// known.
func (c *Cluster) typeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	if scheme.Scheme.Recognizes(kind) {
		return builtIn()
	}
	build, _ := c.converters.byKind.LoadOrStore(kind, sync.OnceValue(func() managedfields.TypeConverter {
		return customConverter(c.definitions[kind.GroupKind()], kind)
	}))
	converter := build.(func() managedfields.TypeConverter)()
	return converter
}
