package webhook

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestConditions evaluates match conditions of a webhook for a Pod.
func TestConditions(t *testing.T) {
	for _, test := range []struct {
		expression, failure string
		minor               int
		want                Match
	}{
		{"object.metadata.name == 'p'", "Fail", 37, Yes},
		{"object.metadata.name != 'p'", "Fail", 37, No},
		{"object.metadata.name != 'p'", "Fail", 27, Yes}, // the gate is off
		{"object.metadata.name != 'p'", "Fail", 28, No},
		{"request.namespace == 'shop' && request.operation == 'CREATE'", "Fail", 37, Yes},
		{"request.userInfo.username == 'a'", "Fail", 37, May},
		{"request.userInfo.username == 'a' && false", "Fail", 37, No},
		{"authorizer.group('').resource('pods').check('get').allowed()", "Fail", 37, May},
		{"object.metadata.missing == 'a'", "Fail", 37, May},
		{"object.metadata.missing == 'a'", "Ignore", 37, No},
		{"nobody == 'a'", "Fail", 37, May},
	} {
		text := fmt.Sprintf(`{"metadata":{"name":"c"},"webhooks":[{"name":"h","failurePolicy":%q,
			"rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"]}],
			"matchConditions":[{"name":"c","expression":%q}]}]}`, test.failure, test.expression)
		v, err := wire.JSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		c := Read(group+"/v1", "ValidatingWebhookConfiguration", v)
		h := c.Hooks[0]
		r := request(t, pod)
		server := apiserver.Server{Minor: lifecycle.Minor(test.minor)}
		o := NewObject(server, r, Cluster{})
		if got := h.Matches(o); got != May {
			t.Errorf("%s without an object: %v", test.expression, got)
		}
		obj := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop"}}
		obj.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
		o.Evaluate(policy.NewCluster(server, policy.Options{}, nil), policy.Attributes{Request: r, Object: obj, DryRun: true})
		if got := h.Matches(o); got != test.want {
			t.Errorf("%s with failures %s in 1.%d: %v, want %v", test.expression, test.failure, test.minor, got, test.want)
		}
		var texts Texts
		h.SideEffects = "Some"
		c.Strip(&texts)
		if got := c.Hooks[0].Matches(o); got != test.want {
			t.Errorf("%s, stripped: %v, want %v", test.expression, got, test.want)
		}
	}
}
