package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func parse(t testing.TB, text string) apiserver.Request {
	t.Helper()
	obj, err := wire.JSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return apiserver.Request{APIVersion: obj.Get("apiVersion").Text, Kind: obj.Get("kind").Text, New: obj}
}

// texts returns the warnings of an answer, followed by its errors.
func texts(a apiserver.Answer) []string {
	var all []string
	for _, w := range a.Warnings {
		all = append(all, w.Text)
	}
	for _, c := range a.Causes {
		all = append(all, fmt.Sprintf("%d %s: %s", c.Code, c.Field, c.Text))
	}
	return all
}

// TestOrder checks that messages come in the order of the server's phases.
func TestOrder(t *testing.T) {
	const (
		apparmor = `metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead`
		hostname = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"
	)
	labels := map[string]string{"pod-security.kubernetes.io/warn": "baseline", "pod-security.kubernetes.io/enforce": "privileged"}
	for _, test := range []struct {
		name, text string
		minor      lifecycle.Minor
		labels     map[string]string
		want       []string
	}{
		{"every phase", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a.b","zz":1,"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"runtime/default"},"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"},{"apiVersion":"v1","kind":"Node","name":"n","uid":"u"}]},"spec":{"hostNetwork":true,"containers":[{"name":"c","image":"i"}]}}`,
			37, labels, []string{
				`unknown field "metadata.zz"`,
				".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u",
				apparmor, hostname,
				`would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)`,
			}},
		{"a refusal ends it", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a.b","zz":1,"annotations":{"container.apparmor.security.beta.kubernetes.io/c":"runtime/default"}},"spec":{"containers":[{"name":"c","image":"i","lifecycle":{"preStop":{"sleep":{"seconds":31}}}}]}}`,
			37, labels, []string{
				`unknown field "metadata.zz"`, apparmor,
				"422 spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
			}},
		{"the deprecation is said even of a body that does not decode", `{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"selector":5}}`,
			24, nil, []string{
				"policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget",
				`400 : PodDisruptionBudget in version "v1beta1" cannot be handled as a PodDisruptionBudget: json: cannot unmarshal number into Go struct field PodDisruptionBudgetSpec.spec.selector of type v1.LabelSelector`,
			}},
		{"a kind that is not there", `{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"selector":5}}`, 25, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := texts(To(apiserver.Server{Minor: test.minor}, parse(t, test.text), Surroundings{NamespaceLabels: test.labels}))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// BenchmarkTo measures the answer of one server to a correct Deployment of 3 KB.
func BenchmarkTo(b *testing.B) {
	env := strings.TrimSuffix(strings.Repeat(`{"name":"SOME_VARIABLE_%d","value":"some value of it"},`, 40), ",")
	var numbers []any
	for i := range 40 {
		numbers = append(numbers, i)
	}
	text := fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"app":"web"}},"spec":{"replicas":3,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"terminationGracePeriodSeconds":60,"securityContext":{"runAsNonRoot":true,"fsGroup":2000},"containers":[{"name":"c","image":"registry.example/app:1.2.3","env":[`+env+`],"resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},"lifecycle":{"preStop":{"sleep":{"seconds":10}}},"livenessProbe":{"httpGet":{"path":"/healthz","port":8080}},"ports":[{"name":"http","containerPort":8080}],"volumeMounts":[{"name":"conf","mountPath":"/etc/conf"}]},{"name":"proxy","image":"p","ports":[{"containerPort":9090}]}],"volumes":[{"name":"conf","configMap":{"name":"conf"}}]}}}}`, numbers...)
	r := parse(b, text)
	s := apiserver.Server{Minor: 37}
	b.ReportMetric(float64(len(text)), "bytes")
	b.ReportAllocs()
	for b.Loop() {
		if a := To(s, r, Surroundings{}); len(a.Causes)+len(a.Warnings) > 0 {
			b.Fatal(texts(a))
		}
	}
}
