package gotype

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// deployment is a Deployment of about 3 KB, with the fields that users commonly
// set.
const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","labels":{"app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop","app.kubernetes.io/managed-by":"helm"},"annotations":{"example.com/owner":"team-a","example.com/description":"serves the shop's pages and the assets that they need"}},
"spec":{"replicas":3,"revisionHistoryLimit":5,"selector":{"matchLabels":{"app.kubernetes.io/name":"web"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}},
"template":{"metadata":{"labels":{"app.kubernetes.io/name":"web"},"annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9090"}},
"spec":{"serviceAccountName":"web","terminationGracePeriodSeconds":45,"securityContext":{"runAsNonRoot":true,"fsGroup":2000,"seccompProfile":{"type":"RuntimeDefault"}},
"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app.kubernetes.io/name":"web"}}}}]}},
"tolerations":[{"key":"dedicated","operator":"Equal","value":"web","effect":"NoSchedule"}],
"initContainers":[{"name":"migrate","image":"registry.example/shop/migrate:1.4.2","command":["/migrate","--up"],"env":[{"name":"DSN","valueFrom":{"secretKeyRef":{"name":"db","key":"dsn"}}}],"resources":{"requests":{"cpu":"50m","memory":"64Mi"},"limits":{"memory":"128Mi"}}}],
"containers":[{"name":"web","image":"registry.example/shop/web:1.4.2","imagePullPolicy":"IfNotPresent","args":["--listen=:8080","--metrics=:9090"],"ports":[{"name":"http","containerPort":8080},{"name":"metrics","containerPort":9090}],
"env":[{"name":"LOG_LEVEL","value":"info"},{"name":"DSN","valueFrom":{"secretKeyRef":{"name":"db","key":"dsn"}}},{"name":"POD_NAME","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
"resources":{"requests":{"cpu":"250m","memory":"256Mi"},"limits":{"cpu":"1","memory":"512Mi"}},
"livenessProbe":{"httpGet":{"path":"/healthz","port":"http"},"initialDelaySeconds":10,"periodSeconds":10},"readinessProbe":{"httpGet":{"path":"/ready","port":"http"},"periodSeconds":5,"failureThreshold":3},
"lifecycle":{"preStop":{"sleep":{"seconds":10}}},"securityContext":{"allowPrivilegeEscalation":false,"readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]}},
"volumeMounts":[{"name":"config","mountPath":"/etc/web","readOnly":true},{"name":"tmp","mountPath":"/tmp"}]},
{"name":"proxy","image":"registry.example/proxy:2.0.1","ports":[{"name":"https","containerPort":8443}],"resources":{"requests":{"cpu":"100m","memory":"64Mi"}},"volumeMounts":[{"name":"certs","mountPath":"/certs","readOnly":true}]}],
"volumes":[{"name":"config","configMap":{"name":"web","items":[{"key":"web.yaml","path":"web.yaml"}]}},{"name":"tmp","emptyDir":{"sizeLimit":"1Gi"}},{"name":"certs","secret":{"secretName":"web-tls","defaultMode":288}}]}}}}`

func parse(t testing.TB, text string) Object {
	t.Helper()
	o := Object{Body: []byte(text)}
	var err error
	if o.Value, err = wire.JSONAll(o.Body, func(d wire.Duplicate) { o.Duplicates = append(o.Duplicates, d) }); err != nil {
		t.Fatal(err)
	}
	o.APIVersion, o.Kind = o.Value.Get("apiVersion").StringOr(""), o.Value.Get("kind").StringOr("")
	return o
}

func BenchmarkDecode(b *testing.B) {
	misspelt := strings.Replace(deployment, `"replicas"`, `"replica"`, 1)
	wrong := strings.Replace(deployment, `"defaultMode":288`, `"defaultMode":"0440"`, 1)
	for _, bench := range []struct {
		name, body string
		minor      lifecycle.Minor
	}{
		{"nothing", deployment, 37}, {"unknown", misspelt, 37}, {"wrong", wrong, 37}, {"iterator", wrong, 21},
	} {
		b.Run(bench.name, func(b *testing.B) {
			o := parse(b, bench.body)
			o.Body, o.Sorted = nil, true
			b.ReportAllocs()
			for b.Loop() {
				Decode(bench.minor, o, true)
			}
		})
	}
}

// TestHostile checks that large bodies with errors everywhere are decoded in an
// acceptable time.
func TestHostile(t *testing.T) {
	const n = 100_000
	bodies := map[string]string{
		"unknown fields": `{"apiVersion":"v1","kind":"ConfigMap",` + repeat(n, func(i int) string { return fmt.Sprintf(`"f%d":1`, i) }) + `}`,
		"wrong items":    `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[` + repeat(n, func(int) string { return `{"name":5,"x":1}` }) + `]}}`,
		"wrong values":   `{"apiVersion":"v1","kind":"ConfigMap","data":{` + repeat(n, func(i int) string { return fmt.Sprintf(`"f%d":1`, i) }) + `}}`,
		"repeated":       `{"apiVersion":"v1","kind":"Pod","spec":{` + repeat(n, func(int) string { return `"nodeName":5` }) + `}}`,
		"deep":           `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":` + strings.Repeat(`{"items":`, 3000) + "5" + strings.Repeat("}", 3000) + `}}]}}`,
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, body := range bodies {
		o := parse(t, body)
		for _, m := range []lifecycle.Minor{21, 23, 37} {
			if got := Decode(m, o, true); len(got.Dropped) > maxDropped || len(got.Dropped) > 0 && got.Error != "" {
				t.Errorf("%s in %s: %d fields dropped, error %.100s", name, m, len(got.Dropped), got.Error)
			}
		}
	}
}

func repeat(n int, one func(int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = one(i)
	}
	return strings.Join(parts, ",")
}
