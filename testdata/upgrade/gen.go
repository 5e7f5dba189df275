//go:build ignore

// gen writes the logs of the cases, and all of the case of a platform team with forty
// owners. Run it in this directory: go run gen.go
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// request is a request in an audit log.
type request struct {
	user, agent, verb, group, version, resource, namespace string
	code                                                   int
	annotations                                            map[string]string
}

// auditLog returns requests as an API server logs them, one in each interval.
func auditLog(begin time.Time, every time.Duration, list []request) string {
	var b strings.Builder
	for i, r := range list {
		at := begin.Add(time.Duration(i) * every)
		uri := "/api/" + r.version
		if r.group != "" {
			uri = "/apis/" + r.group + "/" + r.version
		}
		if r.namespace != "" {
			uri += "/namespaces/" + r.namespace
		}
		stamp := at.UTC().Format("2006-01-02T15:04:05.000000Z")
		line, err := json.Marshal(map[string]any{
			"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "Metadata", "auditID": fmt.Sprintf("00000000-0000-4000-8000-%012d", i+1), "stage": "ResponseComplete",
			"requestURI": uri + "/" + r.resource, "verb": r.verb, "user": map[string]any{"username": r.user}, "sourceIPs": []string{"10.0.1.7"}, "userAgent": r.agent,
			"objectRef":      map[string]any{"resource": r.resource, "namespace": r.namespace, "apiGroup": r.group, "apiVersion": r.version},
			"responseStatus": map[string]any{"code": r.code}, "requestReceivedTimestamp": stamp, "stageTimestamp": stamp, "annotations": r.annotations,
		})
		if err != nil {
			log.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func deprecated(release string) map[string]string {
	return map[string]string{"k8s.io/deprecated": "true", "k8s.io/removed-release": release}
}

func write(name, text string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
}

func main() {
	eksShop()
	platform()
	edge()
}

// server is what shows the release of the server that wrote a log.
func server(release string) request {
	return request{"system:apiserver", "kube-apiserver/v" + release + ".4 (linux/amd64) kubernetes/abcdef0", "list", "", "v1", "services", "", 200, nil}
}

func eksShop() {
	const group = "flowcontrol.apiserver.k8s.io"
	tuner := request{"system:serviceaccount:platform:apf-tuner", "apf-tuner/v0.4.0 (linux/amd64) kubernetes/$Format", "list", group, "v1beta3", "flowschemas", "", 200, deprecated("1.32")}
	list := []request{server("1.28")}
	for range 20 {
		list = append(list, tuner, request{"arn:aws:sts::123456789012:assumed-role/ci/deploy", "Terraform/1.9.8 (+https://www.terraform.io)", "get", group, "v1beta3", "prioritylevelconfigurations", "", 200, deprecated("1.32")},
			request{"system:serviceaccount:shop:web", "web/v1.4.2 (linux/amd64) kubernetes/$Format", "get", "", "v1", "configmaps", "shop", 200, nil})
	}
	write("eks-shop/logs/audit.log", auditLog(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), 5*time.Second, list))
}

// platform is a team that runs clusters for forty others, each with a directory that
// Argo CD deploys and with owners in CODEOWNERS or a label.
func platform() {
	var owners strings.Builder
	list := []request{server("1.24")}
	for i := range 40 {
		team := fmt.Sprintf("team-%02d", i+1)
		dir := "platform/tenants/" + team
		label := ""
		switch i % 4 {
		case 0, 1:
			fmt.Fprintf(&owners, "/%s/ @platform/%s\n", strings.TrimPrefix(dir, "platform/"), team)
		case 2:
			label = fmt.Sprintf("  labels: {example.com/team: %s}\n", team)
		default:
			write("platform/argocd/"+team+".yaml", fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: %s, namespace: argocd}\nspec:\n  source: {repoURL: \"https://git.example.com/platform.git\", path: %s}\n", team, strings.TrimPrefix(dir, "platform/")))
		}
		budget := "policy/v1"
		if i%3 != 0 {
			budget = "policy/v1beta1"
		}
		write(dir+"/pdb.yaml", fmt.Sprintf("apiVersion: %s\nkind: PodDisruptionBudget\nmetadata:\n  name: api\n  namespace: %s\n%sspec:\n  minAvailable: 1\n  selector:\n    matchLabels: {app: api}\n", budget, team, label))
		if i%2 == 0 {
			version := []string{"autoscaling/v2beta1", "autoscaling/v2beta2", "autoscaling/v2"}[i/2%3]
			write(dir+"/hpa.yaml", fmt.Sprintf("apiVersion: %s\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: api\n  namespace: %s\n%sspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}\n  minReplicas: 2\n  maxReplicas: 6\n", version, team, label))
		}
		if i%5 == 0 {
			write(dir+"/backup.yaml", fmt.Sprintf("apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: backup\n  namespace: %s\n%sspec:\n  schedule: \"0 3 * * *\"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          containers:\n          - {name: backup, image: \"registry.example.com/%s/backup:2\"}\n", team, label, team))
		}
		if i%7 == 0 {
			write(dir+"/ingress.yaml", fmt.Sprintf("apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata:\n  name: api\n  namespace: %s\n%sspec:\n  backend: {serviceName: api, servicePort: 80}\n", team, label))
		}
		if i%6 == 0 {
			list = append(list, request{"system:serviceaccount:" + team + ":scaler", "scaler/v1.2.0 (linux/amd64) kubernetes/$Format", "list", "policy", "v1beta1", "poddisruptionbudgets", team, 200, deprecated("1.25")})
		}
	}
	write("platform/CODEOWNERS", owners.String())
	write("platform/args", "--from 1.24 --to 1.28 --owner-label example.com/team --audit logs tenants argocd\n")
	for range 3 {
		list = append(list, list[1:]...)
	}
	write("platform/logs/audit.log", auditLog(time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC), time.Hour, list[:min(len(list), 30)]))
}

// edge is a small cluster with k3s.
func edge() {
	write("edge-k3s/args", "--from 1.24 --to 1.27 manifests\n")
	write("edge-k3s/manifests/traefik.yaml", "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: traefik, namespace: kube-system}\nspec:\n  chart: https://%{KUBERNETES_API}%/static/charts/traefik-20.3.1.tgz\n")
	write("edge-k3s/manifests/sensors.yaml", "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: sensors\n  labels: {app.kubernetes.io/managed-by: ansible}\nspec:\n  schedule: \"*/5 * * * *\"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: OnFailure\n          containers:\n          - {name: read, image: \"registry.example.com/edge/sensors:7\"}\n")
	write("edge-k3s/manifests/storage.yaml", "apiVersion: storage.k8s.io/v1beta1\nkind: CSIStorageCapacity\nmetadata:\n  name: local\n  namespace: kube-system\nstorageClassName: local-path\n")
}
