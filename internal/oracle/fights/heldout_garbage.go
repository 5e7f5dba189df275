package main

func garbageScenes() []scene {
	return []scene{{"kcm-gc", "kcm-garbage", 10, func(p *play) {
		p.in("gc-apps")
		p.manager()
		p.lostOwner()
		p.cascades()
		p.finishedOwner()
	}}}
}

// lostOwner plays an operator that creates an object with an owner that does
// not exist.
func (p *play) lostOwner() {
	t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rendered, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: parent, uid: 0f0f0f0f-1111-2222-3333-444444444444}]}\ndata: {a: b}")
	op := p.service("gc-apps/render-operator", "render-operator/v1.3.0 (linux/amd64) kubernetes/$Format", "")
	op.create(t)
	p.calm()
	p.every(14, 12*m, func(i int) { op.create(t); p.calm() })
	gc := p.managed("generic-garbage-collector", "", t)
	p.fight(what{id: "gc-lost-owner", things: []*thing{t}, writers: []*actor{op, gc}, winner: gc, mechanism: "delete and create", real: realManager + "the operator's requests are emulated",
		why: "The owner that the operator writes does not exist in this namespace, so the garbage collector deletes the object each time."})
}

// cascades plays a pipeline that installs and uninstalls a Deployment.
func (p *play) cascades() {
	t := p.deployment("preview", 0)
	ci := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply")
	var set *thing
	for range 7 {
		ci.kubectl(t.object.yaml(), "apply", "-f", "-")
		p.calm()
		sets := p.thing("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: x}")
		set = sets.named(ci.list(sets).object().first(func(o object) bool {
			labels, _ := o.value("metadata", "labels").(map[string]any)
			return labels["app"] == "preview"
		}).text("metadata", "name"))
		p.sleep(20 * m)
		ci.kubectl("", "delete", "deployment", t.id, "--wait=false")
		p.calm()
		p.sleep(20 * m)
	}
	p.lookalike(what{id: "gc-cascades", things: []*thing{t, set}, writers: []*actor{ci, p.managed("deployment-controller", "", set), p.managed("generic-garbage-collector", "", set)}, real: realManager + "kubectl is real",
		why: "A pipeline makes and deletes a Deployment seven times; its ReplicaSet, of the same name each time, is made by one controller and collected by another."})
}

// finishedOwner plays a workflow whose outputs are deleted with it.
func (p *play) finishedOwner() {
	owner := p.config("run", map[string]any{"n": "1"})
	t := p.config("run-output", map[string]any{"n": "1"})
	wf := p.service("gc-apps/workflow-controller", "argo-workflows/v3.7.0 (linux/amd64)", "workflow-controller")
	for range 7 {
		uid := wf.create(owner).object().text("metadata", "uid")
		child := *t
		child.object = t.object.with([]any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "run", "uid": uid}}, "metadata", "ownerReferences")
		wf.create(&child)
		p.calm()
		p.sleep(10 * m)
		wf.delete(owner)
		p.calm()
		p.sleep(30 * m)
	}
	p.lookalike(what{id: "gc-outputs", things: []*thing{t}, writers: []*actor{wf, p.managed("generic-garbage-collector", "", t)}, real: realManager + "the workflow controller's requests are emulated",
		why: "A workflow's output is collected with its owner and made again by the next run."})
}
