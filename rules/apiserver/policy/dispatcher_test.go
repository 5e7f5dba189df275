package policy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/warning"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestAgainstDispatcher compares verdicts about random policies with those of the
// server's dispatcher. Both evaluate the policies in the same order.
func TestAgainstDispatcher(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	denied, warned := 0, 0
	for range 500 {
		var objects []string
		for i := range 1 + random.IntN(3) {
			name := fmt.Sprint("p", i)
			params := pick("", "", "{apiVersion: v1, kind: ConfigMap}", "{apiVersion: v1, kind: Nothing}", "{apiVersion: v1, kind: Namespace}")
			extra := "  failurePolicy: " + pick("Fail", "Fail", "Ignore")
			if params != "" {
				extra += "\n  paramKind: " + params
			}
			extra += pick("", "", "\n  matchConditions: [{name: a, expression: "+pick("'true'", "'false'", "object.spec.missing == 1")+"}]")
			extra += pick("", "", "\n  auditAnnotations: [{key: a, valueExpression: "+pick("object.metadata.name", "'null'", "object.metadata.missing", "string(object.spec.paused)")+"}]")
			text := limit(pick("object.spec.replicas < 5", "true", "object.spec.missing == 1", "request.name == 'x'"), "Deny", extra)
			text = strings.Replace(text, "validations: [", "validations: [{expression: '"+pick("object.metadata.name == object.kind", "true")+"', reason: "+pick("Invalid", "Forbidden", "Unauthorized")+
				pick("", ", message: no", ", messageExpression: object.metadata.name + '!'", ", messageExpression: object.metadata.missing")+"}, ", 1)
			text = strings.Replace(text, "validationActions: [Deny]", "validationActions: ["+pick("Deny", "Warn", "Deny, Audit", "Warn, Audit")+"]"+
				pick("", "", ", paramRef: {name: "+pick("five", "none")+", parameterNotFoundAction: "+pick("Deny", "Allow")+pick("", ", namespace: "+pick("default", "other"))+"}",
					", paramRef: {selector: {matchLabels: {a: "+pick("b", "c")+"}}, parameterNotFoundAction: Allow}")+
				pick("", "", ", matchResources: {objectSelector: {matchLabels: {team: "+pick("a", "b")+"}}}"), 1)
			objects = append(objects, strings.NewReplacer("name: limit", "name: "+name, "policyName: limit", "policyName: "+name, "name: all", "name: b"+name).Replace(text))
		}
		objects = append(objects, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: five, namespace: default, labels: {a: b}}\n")
		text := strings.Join(objects, "\n---\n")
		c := NewCluster(apiserver.Server{Minor: 37}, Options{Complete: true}, values(t, text))
		a := attributes(t, values(t, web)[0], nil)
		a.User = &User{Name: "a"}
		got := c.Validate(a)
		if len(got.Unknown) > 0 {
			continue
		}
		want := serverVerdict(c, a)
		if diff := cmp.Diff(want, outcome(&got)); diff != "" {
			t.Fatalf("-dispatcher +verdict\n%s%s", diff, text)
		}
		denied += len(got.Causes)
		warned += len(got.Warnings)
	}
	if denied < 50 || warned < 50 {
		t.Errorf("%d denied, %d warned", denied, warned)
	}
}

func outcome(v *Verdict) []string {
	var all []string
	for _, w := range v.Warnings {
		all = append(all, w.Text)
	}
	for _, cause := range v.Causes {
		all = append(all, fmt.Sprint(cause.Code, v.Reason, v.Status, cause.Text))
	}
	return all
}

type recorder struct{ texts []string }

// AddWarning implements warning.Recorder.
func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// serverVerdict returns the verdict of the server's dispatcher as lines.
func serverVerdict(c *Cluster, a Attributes) []string {
	r := c.newRequest(&a, a.Object)
	var hooks []validating.PolicyHook
	for _, p := range c.validating {
		hook := validating.PolicyHook{Policy: p.spec, Evaluator: serverValidator(c.compileValidating(p).validator)}
		if p.params != nil {
			hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = informer{paramSource: p.params}, scope(p.params), p.params.err
		}
		for i := range p.bindings {
			hook.Bindings = append(hook.Bindings, p.bindings[i].spec)
		}
		hooks = append(hooks, hook)
	}
	var warnings recorder
	ctx := warning.WithWarningRecorder(context.WithValue(context.Background(), evaluationKey{}, r), &warnings)
	err := validating.NewDispatcher(nil, generic.NewPolicyMatcher(serverMatcher(c))).Dispatch(ctx, r, r, hooks)
	all := warnings.texts
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		s := status.ErrStatus
		all = append(all, fmt.Sprint(s.Code, s.Reason, s.Message, s.Details.Causes[0].Message))
	}
	return all
}

// TestAgainstMutatingDispatcher compares mutations by random policies with those
// of the server's dispatcher. Both apply the policies in the same order.
func TestAgainstMutatingDispatcher(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	changed, denied, again := 0, 0, 0
	for range 400 {
		var objects []string
		for i := range 1 + random.IntN(3) {
			expression := pick(
				`jsonPatch: {expression: '[JSONPatch{op: "add", path: "/metadata/labels/l`+fmt.Sprint(i)+`", value: "a"}]'}`,
				`jsonPatch: {expression: '[JSONPatch{op: "replace", path: "/spec/replicas", value: object.spec.replicas + 1}]'}`,
				`jsonPatch: {expression: 'object.spec.replicas > 7 ? [JSONPatch{op: "add", path: "/metadata/labels/large", value: "yes"}] : []'}`,
				`jsonPatch: {expression: '[JSONPatch{op: "replace", path: "/spec/missing/a", value: 1}]'}`,
				`jsonPatch: {expression: '[JSONPatch{op: "test", path: "/spec/replicas", value: 1}, JSONPatch{op: "remove", path: "/spec/replicas"}]'}`,
				`applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"applied": "p`+fmt.Sprint(i)+`"}}}'}`,
				`applyConfiguration: {expression: 'Object{spec: Object.spec{replicas: object.spec.missing}}'}`,
				`applyConfiguration: {expression: 'Object{spec: Object.spec{replicas: params.data.size == "5" ? 5 : 6}}'}`)
			patchType := "JSONPatch"
			if strings.HasPrefix(expression, "apply") {
				patchType = "ApplyConfiguration"
			}
			params := pick("{apiVersion: v1, kind: ConfigMap}", "{apiVersion: v1, kind: Nothing}", "")
			if strings.Contains(expression, "params") {
				params = "{apiVersion: v1, kind: ConfigMap}"
			}
			spec := "  failurePolicy: " + pick("Fail", "Ignore") + "\n  reinvocationPolicy: " + pick("Never", "IfNeeded") + "\n"
			if params != "" {
				spec += "  paramKind: " + params + "\n"
			}
			spec += pick("", "", "  matchConditions: [{name: a, expression: "+pick("'true'", "object.spec.replicas > 7", "object.spec.missing == 1")+"}]\n")
			spec += "  mutations:\n  - patchType: " + patchType + "\n    " + expression + "\n"
			text := mutatingObjects(fmt.Sprint("p", i), "v1", spec)
			text = strings.Replace(text, "spec: {policyName: ", "spec: {"+pick("", "", "matchResources: {objectSelector: {matchLabels: {team: "+pick("a", "b")+"}}}, ")+
				pick("", "paramRef: {name: "+pick("five", "none")+", parameterNotFoundAction: "+pick("Deny", "Allow")+"}, ",
					"paramRef: {selector: {matchLabels: {a: "+pick("b", "c")+"}}, parameterNotFoundAction: Allow}, ")+"policyName: ", 1)
			objects = append(objects, text)
		}
		for _, name := range []string{"five", "six"} {
			objects = append(objects, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "+name+", namespace: default, labels: {a: b}}\ndata: {size: '5'}\n")
		}
		text := strings.Join(objects, "\n---\n")
		c := NewCluster(apiserver.Server{Minor: 37}, Options{Complete: true}, values(t, text))
		a := attributes(t, values(t, web)[0], nil)
		got := c.Mutate(a)
		if slices.ContainsFunc(got.Unknown, func(u Unknown) bool { return !strings.HasPrefix(u.What, "order of policies") }) {
			continue
		}
		object, err, reinvoked := serverMutated(c, a)
		var status *apierrors.StatusError
		if errors.As(err, &status) {
			var causes []string
			for _, cause := range got.Causes {
				causes = append(causes, fmt.Sprint(cause.Code, cause.Text))
			}
			var want []string
			for _, cause := range status.ErrStatus.Details.Causes {
				want = append(want, fmt.Sprint(status.ErrStatus.Code, cause.Message))
			}
			if got.Status != status.ErrStatus.Message || got.Reason != string(status.ErrStatus.Reason) || !slices.Equal(causes, want) {
				t.Fatalf("%+v, want %+v\n%s", got, status.ErrStatus, text)
			}
			denied++
			continue
		}
		if err != nil || got.Status != "" {
			t.Fatalf("%v, and %s\n%s", err, got.Status, text)
		}
		if diff := cmp.Diff(object, got.Object); diff != "" {
			t.Fatalf("-dispatcher +mutation\n%s%s", diff, text)
		}
		changed += min(len(got.Changes), 1)
		if reinvoked {
			again++
		}
	}
	if changed < 50 || denied < 50 || again < 20 {
		t.Errorf("%d changed, %d denied, %d invoked again", changed, denied, again)
	}
}

// serverMutated returns an object after the server's dispatcher ran all policies
// on it.
func serverMutated(c *Cluster, a Attributes) (_ runtime.Object, err error, reinvoked bool) {
	m := &mutation{request: c.newRequest(&a, a.Object.DeepCopyObject())}
	for range 2 {
		m.evaluation = newEvaluation(c.server, &a)
		var hooks []mutating.PolicyHook
		for _, p := range c.mutating {
			compiled := c.compileMutating(p)
			hook := mutating.PolicyHook{Policy: p.spec, Evaluator: mutating.PolicyEvaluator{Matcher: compiled.matcher, Mutators: compiled.patchers}}
			if p.params != nil {
				hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = informer{paramSource: p.params}, scope(p.params), p.params.err
			}
			for i := range p.bindings {
				hook.Bindings = append(hook.Bindings, p.bindings[i].spec)
			}
			hooks = append(hooks, hook)
		}
		ctx := context.WithValue(context.Background(), evaluationKey{}, m.request)
		err = mutating.NewDispatcher(nil, serverMatcher(c), typeConverters{c}).Dispatch(ctx, m, m.request, hooks)
		if err != nil || !m.GetReinvocationContext().ShouldReinvoke() {
			break
		}
		reinvoked = true
		m.GetReinvocationContext().SetIsReinvoke()
		m.values = nil
	}
	return m.GetObject(), err, reinvoked
}
