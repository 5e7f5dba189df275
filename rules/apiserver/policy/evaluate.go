//go:build !js

package policy

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/expression"
)

// role is the purpose of a list of expressions.
type role uint8

const (
	matchConditions role = iota
	validations
	messages
	auditAnnotations
	mutations
	roles
)

// evaluation has the values of the variables for one request, and the unknown
// facts on which results depend.
type evaluation struct {
	unknowns unknowns
	// fields and oldFields mask the values of object and oldObject that only a
	// server knows.
	fields, oldFields *mask
	userKnown         bool
	values            map[runtime.Object]ref.Val
	server            apiserver.Server
	update            bool
	generated         bool    // whether the server generates the name
	ownNamespace      ref.Val // namespaceObject of all policies
	review            struct {
		kind     metav1.GroupVersionKind
		resource metav1.GroupVersionResource
		value    ref.Val
	}
	// unknown has the unknown facts on which the results of the current policy
	// depend, by the index of the expression.
	unknown [roles]map[int][]string
	// validationFailed is set if a validation of the current policy fails.
	validationFailed bool
}

type evaluationKey struct{}

func newEvaluation(s apiserver.Server, a *Attributes) evaluation {
	e := evaluation{server: s, userKnown: a.User != nil, values: map[runtime.Object]ref.Val{}}
	unknown, old := append(slices.Clip(a.Unknowable), managedFields), append(slices.Clip(a.UnknowableOld), managedFields)
	if e.update = a.Old != nil; e.update {
		unknown = append(unknown, missingStoredKeys(a.Object)...)
		old = append(old, missingStoredKeys(a.Old)...)
	}
	e.fields, e.oldFields = newMask(unknown), newMask(old)
	// An expression can compare object with oldObject, so their masks must have
	// the same shape.
	e.fields.addShape(e.oldFields)
	e.oldFields.addShape(e.fields)
	return e
}

// managedFields is a field of every object in admission, because the server's
// request handlers set it earlier. Source:
// k8s.io/apiserver/pkg/endpoints/handlers/create.go and patch.go (1.22–1.37).
const managedFields = "metadata.managedFields"

// storedKeys are the fields of metadata that every stored object has.
var storedKeys = [...]string{"uid", "creationTimestamp", "resourceVersion"}

// missingStoredKeys returns the paths of storedKeys that an object lacks.
func missingStoredKeys(object runtime.Object) (paths []string) {
	m, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	created := m.GetCreationTimestamp()
	for i, isSet := range [...]bool{m.GetUID() != "", !created.IsZero(), m.GetResourceVersion() != ""} {
		if !isSet {
			paths = append(paths, "metadata."+storedKeys[i])
		}
	}
	return paths
}

// reset removes what evaluation recorded for the last policy.
func (e *evaluation) reset() { e.unknown, e.validationFailed = [roles]map[int][]string{}, false }

func (e *evaluation) note(r role, index int, what []string) {
	if e.unknown[r] == nil {
		e.unknown[r] = map[int][]string{}
	}
	e.unknown[r][index] = what
}

// evaluator evaluates a list of expressions with variables that may be unknown.
// The server's code calls it as a plugincel.ConditionEvaluator. If a result is
// unknown, the evaluator records the reason and returns a harmless result.
type evaluator struct {
	role     role
	compiler *expression.Compiler
	results  []expression.Compiled
	// variables is the number of variables of the policy.
	variables int
}

// CompilationErrors implements plugincel.ConditionEvaluator.
func (e *evaluator) CompilationErrors() (all []error) {
	for i := range e.results {
		if err := e.results[i].Error; err != nil {
			all = append(all, err)
		}
	}
	return all
}

// ForInput implements plugincel.ConditionEvaluator.
func (e *evaluator) ForInput(ctx context.Context, attributes *admission.VersionedAttributes, review *admissionv1.AdmissionRequest, inputs plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) ([]plugincel.EvaluationResult, int64, error) {
	evaluations := make([]plugincel.EvaluationResult, len(e.results))
	if len(e.results) == 0 {
		return evaluations, budget, nil
	}
	r := ctx.Value(evaluationKey{}).(*request)
	if e.role == messages && !r.validationFailed && e.withinBudget(budget) {
		return evaluations, budget, nil // messages are needed only if a validation fails
	}
	composition := e.compiler.CreateContext(ctx)
	variables, err := r.variables(e.role, attributes, review, inputs, namespace)
	if err != nil {
		return nil, -1, err
	}
	variables.variables = composition.Variables(variables)
	for i := range e.results {
		evaluations[i], budget, err = evaluate(composition, variables, &e.results[i], budget)
		if ctx.Err() != nil && e.results[i].ExpressionAccessor != nil {
			r.note(e.role, i, []string{tooSlow})
			evaluations[i].EvalResult, evaluations[i].Error = harmlessResults[e.role], nil
			continue
		}
		if err != nil {
			return nil, -1, err
		}
		if facts := r.unknowns.factsOf(evaluations[i].EvalResult); facts != nil || r.causedByMask(evaluations[i].Error) {
			if facts == nil {
				facts, evaluations[i].Error = []string{"object"}, nil
			}
			r.note(e.role, i, facts)
			evaluations[i].EvalResult = harmlessResults[e.role]
		}
		if e.role == validations && evaluations[i].EvalResult != types.True {
			r.validationFailed = true
		}
	}
	return evaluations, budget, nil
}

// causedByMask reports whether an error results from a value with unknown parts,
// and not from the expression itself.
func (e *evaluation) causedByMask(err error) bool {
	return err != nil && !e.fields.empty() && strings.Contains(err.Error(), "*policy.masked")
}

// withinBudget reports whether the expressions keep within a budget, even if each
// has the highest possible cost.
func (e *evaluator) withinBudget(budget int64) bool {
	return int64(len(e.results)+e.variables) <= budget/celconfig.PerCallLimit
}

// tooSlow is the unknown fact if an expression is stopped. The server limits only
// estimated costs, but some expressions below these limits take many seconds.
const tooSlow = "result of an expression that takes too long"

// harmlessResults replace unknown results. A condition is true, a validation
// succeeds, and there is no message or annotation.
var harmlessResults = [roles]ref.Val{
	matchConditions:  types.True,
	validations:      types.True,
	messages:         types.NullValue,
	auditAnnotations: types.NullValue,
	mutations:        types.NullValue,
}

// evaluate evaluates one expression and returns the rest of the budget. Source:
// evaluationActivation.Evaluate in
// k8s.io/apiserver/pkg/admission/plugin/cel/activation.go (1.26–1.37).
func evaluate(composition plugincel.CompositionContext, variables interpreter.Activation, compiled *expression.Compiled, budget int64) (plugincel.EvaluationResult, int64, error) {
	result := plugincel.EvaluationResult{ExpressionAccessor: compiled.ExpressionAccessor}
	if compiled.ExpressionAccessor == nil {
		return result, budget, nil
	}
	text := compiled.ExpressionAccessor.GetExpression()
	switch {
	case compiled.Error != nil:
		result.Error = &apiservercel.Error{Type: apiservercel.ErrorTypeInvalid, Detail: fmt.Sprintf("compilation error: %v", compiled.Error), Cause: compiled.Error}
		return result, budget, nil
	case compiled.Program == nil:
		result.Error = &apiservercel.Error{Type: apiservercel.ErrorTypeInternal, Detail: "unexpected internal error compiling expression"}
		return result, budget, nil
	}
	value, details, err := compiled.Program.ContextEval(composition, variables)
	cost := composition.GetAndResetCost()
	if cost > budget {
		return result, -1, outOfBudget("validation failed due to running out of cost budget, no further validation rules will be run")
	}
	budget -= cost
	if details == nil {
		return result, -1, &apiservercel.Error{Type: apiservercel.ErrorTypeInternal, Detail: "runtime cost could not be calculated for expression: " + text + ", no further expression will be run"}
	}
	actual := details.ActualCost()
	if actual == nil {
		return result, -1, outOfBudget("runtime cost could not be calculated for expression: " + text + ", no further expression will be run")
	}
	if *actual > math.MaxInt64 || int64(*actual) > budget {
		return result, -1, outOfBudget("validation failed due to running out of cost budget, no further validation rules will be run")
	}
	budget -= int64(*actual)
	if err != nil {
		result.Error = &apiservercel.Error{Type: apiservercel.ErrorTypeInvalid, Detail: fmt.Sprintf("expression '%v' resulted in error: %v", text, err)}
	} else {
		result.EvalResult = value
	}
	return result, budget, nil
}

func outOfBudget(text string) error {
	return &apiservercel.Error{Type: apiservercel.ErrorTypeInvalid, Detail: text, Cause: apiservercel.ErrOutOfBudget}
}

// activation has the values of an expression's variables. An unknown value is a
// *types.Unknown.
type activation struct {
	object, oldObject, params, request, namespace, authorizer, variables any
}

// ResolveName implements interpreter.Activation.
func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case plugincel.ObjectVarName:
		return a.object, true
	case plugincel.OldObjectVarName:
		return a.oldObject, true
	case plugincel.ParamsVarName:
		return a.params, true
	case plugincel.RequestVarName:
		return a.request, true
	case plugincel.NamespaceVarName:
		return a.namespace, true
	case plugincel.AuthorizerVarName, plugincel.RequestResourceAuthorizerVarName:
		return a.authorizer, true
	case plugincel.VariableVarName:
		return a.variables, true
	}
	return nil, false
}

// Parent implements interpreter.Activation.
func (a *activation) Parent() interpreter.Activation { return nil }

// variables returns the values of the variables for expressions of a role. Match
// conditions have no namespaceObject. Source: newActivation in
// k8s.io/apiserver/pkg/admission/plugin/cel/activation.go (1.26–1.37).
func (r *request) variables(role role, attributes *admission.VersionedAttributes, review *admissionv1.AdmissionRequest, inputs plugincel.OptionalVariableBindings, namespace *corev1.Namespace) (*activation, error) {
	object, err := r.value(attributes.VersionedObject.Object())
	if err != nil {
		return nil, fmt.Errorf("failed to prepare object variable for evaluation: %w", err)
	}
	old, err := r.value(attributes.VersionedOldObject.Object())
	if err != nil {
		return nil, fmt.Errorf("failed to prepare oldObject variable for evaluation: %w", err)
	}
	u := &r.unknowns
	a := &activation{authorizer: u.value("authorizer")}
	if object != nil {
		a.object = masked(object, r.fields, u, "object")
	}
	if old != nil {
		a.oldObject = masked(old, r.oldFields, u, "oldObject")
	}
	if param, ok := inputs.VersionedParams.(*unstructured.Unstructured); ok && param != nil {
		a.params = masked(asStored(param.Object), serverOnly, u, "params")
	}
	a.request = r.requestValue(review)
	switch {
	case role == matchConditions || namespace == nil:
		a.namespace = types.NullValue
	case r.unknownNamespace:
		a.namespace = u.value(r.namespaceName())
	default:
		if r.ownNamespace == nil {
			r.ownNamespace = masked(common.SchemalessTypedToVal(namespace), serverOnly, u, "namespaceObject")
		}
		a.namespace = r.ownNamespace
	}
	return a, nil
}

// requestValue returns the value of the variable request. The value depends on the
// policy only by the kind and resource that the policy's rules select.
func (e *evaluation) requestValue(review *admissionv1.AdmissionRequest) ref.Val {
	if e.review.value != nil && e.review.kind == review.Kind && e.review.resource == review.Resource {
		return e.review.value
	}
	value := common.SchemalessTypedToVal(review)
	switch {
	case !e.userKnown && e.generated:
		value = masked(value, userAndName, &e.unknowns, "request")
	case !e.userKnown:
		value = masked(value, userOnly, &e.unknowns, "request")
	case e.generated:
		value = masked(value, nameOnly, &e.unknowns, "request")
	}
	e.review.kind, e.review.resource, e.review.value = review.Kind, review.Resource, value
	return value
}

var (
	userOnly    = newMask([]string{"userInfo"})
	nameOnly    = newMask([]string{"name"})
	userAndName = newMask([]string{"userInfo", "name"})
	serverOnly  = newMask(serverOnlyFields)
)

// asStored returns a parameter as a read from the server returns it.
func asStored(object map[string]any) ref.Val { return withMetadata(object, storedKeys[:]) }

// asAdmitted returns an object as admission plugins see it.
func (e *evaluation) asAdmitted(object map[string]any) ref.Val {
	if e.update {
		return withMetadata(object, append([]string{"managedFields"}, storedKeys[:]...))
	}
	return withMetadata(object, []string{"managedFields"})
}

// withMetadata returns an object whose metadata has the given keys. A missing key
// gets a placeholder, which a mask hides.
func withMetadata(object map[string]any, keys []string) ref.Val {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return types.DefaultTypeAdapter.NativeToValue(object)
	}
	complete := make(map[string]any, len(metadata)+len(keys))
	for _, key := range keys {
		complete[key] = ""
	}
	for key, value := range metadata {
		if value != nil || complete[key] == nil {
			complete[key] = value
		}
	}
	shown := maps.Clone(object)
	shown["metadata"] = complete
	return types.DefaultTypeAdapter.NativeToValue(shown)
}

// value returns an object as expressions see it. It converts each object only
// once.
func (e *evaluation) value(object runtime.Object) (ref.Val, error) {
	if object == nil {
		return nil, nil
	}
	if v, ok := e.values[object]; ok {
		return v, nil
	}
	fields, err := admitted.Fields(e.server, object)
	if err != nil {
		return nil, err
	}
	v := e.asAdmitted(fields)
	e.values[object] = v
	return v, nil
}

// fieldsOf returns an object's fields. Callers must not change the result.
func fieldsOf(object runtime.Object) (map[string]any, error) {
	if u, ok := object.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(object)
}
