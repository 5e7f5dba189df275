package validation

import (
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// deployment is a manifest of about 3 KB with common fields.
const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","labels":{"app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop"},"annotations":{"example.com/owner":"team-a"}},
"spec":{"replicas":3,"revisionHistoryLimit":5,"selector":{"matchLabels":{"app.kubernetes.io/name":"web"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}},
"template":{"metadata":{"labels":{"app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop"},"annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090"}},
"spec":{"serviceAccountName":"web","terminationGracePeriodSeconds":45,"securityContext":{"runAsNonRoot":true,"runAsUser":1000,"fsGroup":2000,"seccompProfile":{"type":"RuntimeDefault"}},
"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app.kubernetes.io/name":"web"}}}}]}},
"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app.kubernetes.io/name":"web"}}}],
"tolerations":[{"key":"dedicated","operator":"Equal","value":"web","effect":"NoSchedule"}],
"initContainers":[{"name":"migrate","image":"registry.example.com/shop/web:1.2.3","command":["/app/migrate"],"env":[{"name":"DB","valueFrom":{"secretKeyRef":{"name":"db","key":"url"}}}],"volumeMounts":[{"name":"config","mountPath":"/etc/web"}]}],
"containers":[{"name":"web","image":"registry.example.com/shop/web:1.2.3","args":["--listen=:8080"],"ports":[{"name":"http","containerPort":8080},{"name":"metrics","containerPort":9090}],
"env":[{"name":"DB","valueFrom":{"secretKeyRef":{"name":"db","key":"url"}}},{"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},{"name":"LOG_LEVEL","value":"info"}],"envFrom":[{"configMapRef":{"name":"web"}}],
"resources":{"requests":{"cpu":"250m","memory":"256Mi"},"limits":{"memory":"512Mi"}},"livenessProbe":{"httpGet":{"path":"/healthz","port":"http"},"periodSeconds":10},"readinessProbe":{"httpGet":{"path":"/readyz","port":"http"}},
"lifecycle":{"preStop":{"exec":{"command":["sleep","5"]}}},"securityContext":{"allowPrivilegeEscalation":false,"readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]}},"volumeMounts":[{"name":"config","mountPath":"/etc/web"},{"name":"tmp","mountPath":"/tmp"}]}],
"volumes":[{"name":"config","configMap":{"name":"web"}},{"name":"tmp","emptyDir":{"sizeLimit":"64Mi"}}]}}}}`

func parse(t testing.TB, body string) apiserver.Request {
	t.Helper()
	v, err := wire.JSON([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
}

func BenchmarkDeployment(b *testing.B) {
	r := parse(b, deployment)
	s := apiserver.Server{Minor: 37}
	if causes := Causes(s, r); len(causes) > 0 {
		b.Fatal(causes)
	}
	b.ReportAllocs()
	for b.Loop() {
		Causes(s, r)
	}
}

// TestManyItems checks that long lists take linear time.
func TestManyItems(t *testing.T) {
	long := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	for _, body := range []string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":` + long(`{"name":"c","image":"i"}`, 100000) + `}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","ports":` + long(`{"containerPort":80,"name":"a","hostPort":1}`, 100000) + `}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","volumeMounts":` + long(`{"name":"v","mountPath":"/a"}`, 100000) + `}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"volumes":` + long(`{"name":"v","emptyDir":{}}`, 100000) + `,"containers":[{"name":"c","image":"i"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"topologySpreadConstraints":` + long(`{"maxSkew":1,"topologyKey":"a","whenUnsatisfiable":"DoNotSchedule"}`, 100000) + `,"containers":[{"name":"c","image":"i"}]}}`,
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"ports":` + long(`{"port":80,"name":"a"}`, 100000) + `}}`,
		`{"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"a"},"provisioner":"p","allowedTopologies":` + long(`{"matchLabelExpressions":[{"key":"a","values":["b"]}]}`, 100000) + `}`,
	} {
		r := parse(t, body)
		start := time.Now()
		if len(Causes(apiserver.Server{Minor: 37}, r)) == 0 {
			t.Errorf("%.60s… is accepted", body)
		}
		t.Logf("%.90s %v", body, time.Since(start))
	}
}

// FuzzCauses looks for panics on values of any type in any field.
func FuzzCauses(f *testing.F) {
	cases := recorded.Lines[recorded.Case](f, "testdata/generated.jsonl.gz")
	for i, c := range cases {
		if i%10 == 0 {
			f.Add(uint8(21+i%17), string(c.Obj), string(c.Old))
		}
	}
	f.Fuzz(func(t *testing.T, minor uint8, body, old string) {
		v, err := wire.JSON([]byte(body))
		if err != nil {
			return
		}
		r := apiserver.Request{APIVersion: v.Get("apiVersion").StringOr(""), Kind: v.Get("kind").StringOr(""), New: v}
		if o, err := wire.JSON([]byte(old)); err == nil {
			r.Old = o
		}
		Causes(apiserver.Server{Minor: lifecycle.Minor(minor)}, r)
	})
}
