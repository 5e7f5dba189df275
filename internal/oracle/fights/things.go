package main

import (
	"encoding/base64"
	"fmt"
	"time"
)

// every calls f n times, with about d of simulated time before each call.
func (p *play) every(n int, d time.Duration, f func(i int)) {
	for i := range n {
		p.sleep(d)
		f(i)
	}
}

// deployment returns a Deployment with a container "app".
func (p *play) deployment(name string, replicas int) *thing {
	return p.workload("Deployment", name, replicas)
}

func (p *play) workload(kind, name string, replicas int) *thing {
	extra := ""
	if kind == "StatefulSet" {
		extra = "\n  serviceName: " + name
	}
	if kind != "DaemonSet" {
		extra += fmt.Sprintf("\n  replicas: %d", replicas)
	}
	return p.thing(fmt.Sprintf(`
apiVersion: apps/v1
kind: %s
metadata:
  name: %s
  labels: {app: %[2]s}
spec:%s
  selector: {matchLabels: {app: %[2]s}}
  template:
    metadata: {labels: {app: %[2]s}}
    spec:
      containers:
      - name: app
        image: registry.example.com/%[2]s:1.0.0
        ports: [{containerPort: 8080, name: http}]
        resources: {requests: {cpu: 100m, memory: 128Mi}}
`, kind, name, extra))
}

// config returns a ConfigMap with this data.
func (p *play) config(name string, data map[string]any) *thing {
	t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\n")
	t.object["data"] = data
	return t
}

// autoscaler returns an actor for the horizontal pod autoscaler of the
// kube-controller-manager.
func (p *play) autoscaler() *actor {
	return p.kcm("horizontal-pod-autoscaler").reacts(2*time.Second, 15*time.Second)
}

// kcm returns an actor for a controller of the kube-controller-manager, with
// its service account.
func (p *play) kcm(name string) *actor {
	token, err := p.stage.token("kube-system", name, "")
	if err != nil {
		p.fail("%v", err)
	}
	return p.actor("system:serviceaccount:kube-system:"+name, token, "kube-controller-manager/v1.37.1 (linux/amd64) kubernetes/5f2a8c1/system:serviceaccount:kube-system:"+name, "")
}

// define creates a custom resource definition. schema is the schema of spec and
// status in YAML; "" allows all fields.
func (p *play) define(group, version, kind, scope, schema string) {
	if schema == "" {
		schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}"
	}
	name := plural(kind) + "." + group
	body := parse(fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %s, annotations: {api-approved.kubernetes.io: 'https://github.com/kubernetes-sigs/gateway-api'}}
spec:
  group: %s
  scope: %s
  names: {kind: %s, plural: %s}
  versions:
  - name: %s
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
        properties:
          spec: %s
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`, name, group, scope, kind, plural(kind), version, schema))
	p.stage.definition(name, body, "/apis/"+group+"/"+version+"/"+plural(kind))
}

// node returns a Node.
func (p *play) node(name string) *thing {
	return p.thing("apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name + ", kubernetes.io/os: linux}}\nspec: {providerID: 'aws:///eu-west-1a/i-" + name + "'}\n")
}

// b64 returns value n of a secret in base64.
func b64(name string, n int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s-%d", name, n))
}
