package podwarning

import (
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ordinary is a Deployment of 3 KB without warnings.
const ordinary = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"checkout","namespace":"shop","labels":{"app.kubernetes.io/name":"checkout",
"app.kubernetes.io/instance":"checkout-blue","app.kubernetes.io/version":"1.42.0","app.kubernetes.io/component":"backend","app.kubernetes.io/part-of":"shop"}},
"spec":{"replicas":3,"revisionHistoryLimit":5,"selector":{"matchLabels":{"app.kubernetes.io/name":"checkout","app.kubernetes.io/instance":"checkout-blue"}},
"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}},"template":{"metadata":{"annotations":{"prometheus.io/scrape":"true",
"prometheus.io/port":"9090","checksum/config":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"},"labels":{"app.kubernetes.io/name":"checkout",
"app.kubernetes.io/instance":"checkout-blue"}},"spec":{"serviceAccountName":"checkout","securityContext":{"runAsNonRoot":true,"fsGroup":1000,
"seccompProfile":{"type":"RuntimeDefault"}},"terminationGracePeriodSeconds":60,"nodeSelector":{"kubernetes.io/os":"linux","topology.kubernetes.io/zone":"a"},
"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname",
"labelSelector":{"matchLabels":{"app.kubernetes.io/name":"checkout"}}}}]},"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
{"matchExpressions":[{"key":"kubernetes.io/arch","operator":"In","values":["amd64","arm64"]}]}]}}},"topologySpreadConstraints":[{"maxSkew":1,
"topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app.kubernetes.io/name":"checkout"}}}],
"imagePullSecrets":[{"name":"registry"}],"initContainers":[{"name":"migrate","image":"registry.example.org/checkout:1.42.0","command":["/bin/migrate","up"],
"env":[{"name":"DB_HOST","value":"db"},{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db","key":"password"}}}],"resources":{"requests":{"cpu":"100m",
"memory":"128Mi"},"limits":{"memory":"256Mi"}}}],"containers":[{"name":"checkout","image":"registry.example.org/checkout:1.42.0","ports":[{"name":"http",
"containerPort":8080},{"name":"metrics","containerPort":9090}],"env":[{"name":"DB_HOST","value":"db"},{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{
"name":"db","key":"password"}}},{"name":"LOG_LEVEL","value":"info"},{"name":"REGION","value":"eu"},{"name":"CACHE","value":"redis:6379"}],"resources":{
"requests":{"cpu":"250m","memory":"512Mi","ephemeral-storage":"1Gi"},"limits":{"memory":"1Gi","ephemeral-storage":"2Gi"}},"livenessProbe":{"httpGet":{"path":"/healthz",
"port":"http"},"periodSeconds":10},"readinessProbe":{"httpGet":{"path":"/ready","port":"http"}},"volumeMounts":[{"name":"config","mountPath":"/etc/checkout"},
{"name":"tmp","mountPath":"/tmp"},{"name":"certs","mountPath":"/certs","readOnly":true}],"securityContext":{"allowPrivilegeEscalation":false,
"readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]}}}],"volumes":[{"name":"config","configMap":{"name":"checkout","items":[{"key":"app.yaml",
"path":"app.yaml"},{"key":"log.yaml","path":"log.yaml"}]}},{"name":"tmp","emptyDir":{"sizeLimit":"1Gi"}},{"name":"certs","secret":{"secretName":"certs"}}]}}}}`

func BenchmarkNothingWrong(b *testing.B) {
	obj, err := wire.JSON([]byte(ordinary))
	if err != nil {
		b.Fatal(err)
	}
	s := apiserver.Server{Minor: 37}
	r := requestFor(obj, nil)
	b.ReportAllocs()
	for b.Loop() {
		if len(Prepare(s, r)) > 0 || len(Strategy(s, r)) > 0 {
			b.Fatal("it warns")
		}
	}
}

func BenchmarkUnchanged(b *testing.B) {
	obj, err := wire.JSON([]byte(ordinary))
	if err != nil {
		b.Fatal(err)
	}
	s := apiserver.Server{Minor: 37}
	r := requestFor(obj, obj)
	b.ReportAllocs()
	for b.Loop() {
		Strategy(s, r)
	}
}
