package policy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/warning"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// TestAgainstDispatcher compares verdicts with those of the server's dispatcher,
// for random policies in one order.
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
		want := dispatched(c, a)
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

// recorder collects warnings.
type recorder struct{ texts []string }

// AddWarning implements warning.Recorder.
func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// dispatched returns what the server's dispatcher says.
func dispatched(c *Cluster, a Attributes) []string {
	r := c.newRequest(&a, a.Object)
	var hooks []validating.PolicyHook
	for _, p := range c.validating {
		hook := validating.PolicyHook{Policy: p.spec, Evaluator: c.compileValidating(p).validator}
		if p.params != nil {
			hook.ParamInformer, hook.ParamScope, hook.ConfigurationError = p.params, p.params.scope, p.params.err
		}
		for i := range p.bindings {
			hook.Bindings = append(hook.Bindings, p.bindings[i].spec)
		}
		hooks = append(hooks, hook)
	}
	var warnings recorder
	ctx := warning.WithWarningRecorder(context.WithValue(context.Background(), evaluationKey{}, r), &warnings)
	err := validating.NewDispatcher(nil, generic.NewPolicyMatcher(c.matcher)).Dispatch(ctx, r, r, hooks)
	all := warnings.texts
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		s := status.ErrStatus
		all = append(all, fmt.Sprint(s.Code, s.Reason, s.Message, s.Details.Causes[0].Message))
	}
	return all
}
