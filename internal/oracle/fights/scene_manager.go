package main

import (
	"fmt"
	"time"
)

const realManager = "the kube-controller-manager is real; "

func managerScenes() []scene {
	return []scene{{"kcm", "kcm-workloads", 12, func(p *play) {
		p.in("kcm-apps")
		p.manager()
		p.aggregated()
		p.revisions()
		p.podsByHand()
		p.podsByGuard()
		p.scaledReplicaSet()
		p.releases()
		p.reruns()
	}}}
}

// aggregated plays Argo CD, which empties the rules of an aggregated role.
func (p *play) aggregated() {
	part := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: logs-part, labels: {aggregate: logs}}\nrules: [{apiGroups: [''], resources: [pods/log], verbs: [get]}]")
	t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: logs-reader}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: logs}}]}\nrules: []")
	argo := p.argoController()
	argo.create(part)
	argo.create(t)
	p.calm()
	p.every(12, 5*m, func(i int) { argo.replace(t, t.object); p.calm() })
	kcm := p.managed("clusterrole-aggregation-controller", "clusterrole-aggregation-controller", t)
	p.fight(what{id: "kcm-aggregated-role", things: []*thing{t}, fields: []string{"rules"}, writers: []*actor{argo, kcm}, winner: kcm, mechanism: "full update against forced apply", real: realManager + "Argo CD's requests are emulated",
		why: "A replacing sync empties an aggregated role and the aggregation controller fills it."})
}

// revisions plays an operator that removes the deployment controller's
// annotation.
func (p *play) revisions() {
	t := p.deployment("gate", 0)
	op := p.service("kcm-apps/gate-operator", "gate-operator/v1.3.0 (linux/amd64) kubernetes/$Format", "")
	op.create(t)
	p.calm()
	p.every(12, 6*m, func(i int) {
		op.update(t, func(o object) { o.at("metadata")["annotations"] = map[string]any{"gate/sync": fmt.Sprint(i)} })
		p.calm()
	})
	kcm := p.managed("deployment-controller", "", t)
	p.fight(what{id: "kcm-revision-dropped", things: []*thing{t}, fields: []string{`metadata.annotations["deployment.kubernetes.io/revision"]`}, writers: []*actor{op, kcm}, winner: kcm, mechanism: "full update", real: realManager + "the operator's requests are emulated",
		why: "The operator replaces all annotations, and the deployment controller writes its revision again."})
}

func (p *play) stateful(name string) (*thing, *thing) {
	t := p.workload("StatefulSet", name, 1)
	t.object.set(0.0, "spec", "template", "spec", "terminationGracePeriodSeconds")
	pod := p.pod0(name + "-0")
	return t, pod
}

func (p *play) podsByHand() {
	t, pod := p.stateful("broker")
	human := p.person("carol@example.com", kubectlAgent, "")
	p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
	p.calm()
	p.every(7, 15*m, func(i int) {
		human.kubectl("", "delete", "pod", pod.id, "--wait=false", "--grace-period=0", "--force")
		p.calm()
	})
	p.lookalike(what{id: "kcm-pods-by-hand", things: []*thing{pod}, writers: []*actor{human, p.managed("statefulset-controller", "", pod)}, real: realManager + "kubectl is real",
		why: "A human restarts the pod of a StatefulSet by deleting it, seven times."})
}

func (p *play) podsByGuard() {
	t, pod := p.stateful("ledger")
	guard := p.service("mesh/sidecar-enforcer", "sidecar-enforcer/v1.1.0 (linux/amd64) kubernetes/$Format", "")
	p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
	p.calm()
	p.every(16, 8*time.Second, func(i int) {
		guard.must(guard.send("DELETE", pod.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}`))
		p.calm()
	})
	kcm := p.managed("statefulset-controller", "", pod)
	p.fight(what{id: "kcm-pods-by-guard", things: []*thing{pod}, writers: []*actor{guard, kcm}, winner: kcm, mechanism: "delete and create", real: realManager + "the enforcer's requests are emulated",
		why: "An enforcer deletes a pod without a sidecar as soon as the StatefulSet has made it."})
}

func (p *play) scaledReplicaSet() {
	t := p.deployment("queue", 0)
	human := p.person("dave@example.com", kubectlAgent, "")
	p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
	p.calm()
	sets := p.thing("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: x}")
	name := human.list(sets).object().first(func(o object) bool {
		labels, _ := o.value("metadata", "labels").(map[string]any)
		return labels["app"] == "queue"
	}).text("metadata", "name")
	set := sets.named(name)
	p.every(8, 5*m, func(i int) {
		human.kubectl("", "scale", "replicaset", name, "--replicas=1")
		p.calm()
	})
	kcm := p.managed("deployment-controller", "", set)
	p.fight(what{id: "kcm-replicaset-scaled", things: []*thing{set}, fields: []string{"spec.replicas"}, writers: []*actor{human, kcm}, winner: kcm, mechanism: "scale", real: realManager + "kubectl is real", debatable: true,
		why: "A human scales a ReplicaSet whose Deployment scales it back at once, eight times."})
}

func (p *play) releases() {
	t := p.deployment("site", 0)
	ci := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply")
	for i := range 6 {
		o := t.object.clone()
		setImage(o, fmt.Sprintf("registry.example.com/site:5.%d", i))
		ci.kubectl(o.yaml(), "apply", "-f", "-")
		p.calm()
		p.sleep(30 * m)
	}
	p.lookalike(what{id: "kcm-releases", things: []*thing{t}, writers: []*actor{ci, p.managed("deployment-controller", "", t)}, real: realManager + "kubectl is real",
		why: "Six releases, numbered by the deployment controller."})
}

func (p *play) reruns() {
	t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: m, image: registry.example.com/migrate:1}]}}}")
	ci := p.person("gitlab-runner", "Helm/3.18.4", "helm")
	for range 6 {
		ci.create(t)
		p.calm()
		p.sleep(20 * m)
		ci.delete(t)
		p.calm()
		p.sleep(20 * m)
	}
	p.lookalike(what{id: "kcm-job-reruns", things: []*thing{t}, writers: []*actor{ci, p.managed("job-controller", "", t)}, real: realManager + "the pipeline's requests are emulated",
		why: "A pipeline runs a job six times under one name, and the job controller writes its status."})
}

// managed returns an actor that stands for a controller of the running manager
// in the ledger.
func (p *play) managed(account, manager string, t *thing) *actor {
	return &actor{play: p, user: "system:serviceaccount:kube-system:" + account, agent: "kube-controller-manager", manager: manager}
}

// first returns the first item of a list for which f is true.
func (o object) first(f func(o object) bool) object {
	items, _ := o["items"].([]any)
	for _, item := range items {
		if x, ok := item.(map[string]any); ok && f(x) {
			return x
		}
	}
	return object{}
}
