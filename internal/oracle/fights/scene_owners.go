package main

import (
	"fmt"
	"time"
)

func ownerScenes() []scene {
	owner := func(kind, name, uid string, controller bool) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":%q,"name":%q,"uid":%q,"controller":%v}`, kind, name, uid, controller)
	}
	const uidA, uidB = "11111111-2222-3333-4444-555555555555", "99999999-8888-7777-6666-555555555555"
	return []scene{
		{"owners-two-controllers", "owner-references", 4, func(p *play) {
			p.in("adopted")
			t := p.config("shared-settings", map[string]any{"a": "b"})
			a, b := p.service("adopted/blue-operator", "blue-operator/v1.0.0 (linux/amd64) kubernetes/$Format", ""), p.service("adopted/green-operator", "green-operator/v2.1.0 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, 2*sec)
			a.create(t)
			p.every(25, 7*m, func(i int) {
				a.merge(t, `{"metadata":{"ownerReferences":[`+owner("ConfigMap", "blue", uidA, true)+`]}}`)
				b.merge(t, `{"metadata":{"ownerReferences":[`+owner("ConfigMap", "green", uidB, true)+`]}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.ownerReferences"}, writers: []*actor{a, b}, winner: b, mechanism: "list replaced as a whole",
				why: "Two operators make themselves the controller of one config map and remove each other's reference."})
		}},
		{"owners-update-adopts", "owner-references", 6, func(p *play) {
			p.in("adopted-eu")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: shared-credentials}\ntype: Opaque\ndata: {a: Yg==}")
			a, b := p.service("adopted-eu/tenant-operator", "tenant-operator/v1.0.0 (linux/amd64) kubernetes/$Format", ""), p.service("adopted-eu/backup-operator", "backup-operator/v2.1.0 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, 2*sec)
			a.create(t)
			p.every(15, 20*m, func(i int) {
				a.update(t, func(o object) {
					o.set([]any{parse(owner("Secret", "tenant", uidA, true))}, "metadata", "ownerReferences")
				})
				b.update(t, func(o object) {
					o.set([]any{parse(owner("Secret", "backup", uidB, true))}, "metadata", "ownerReferences")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.ownerReferences"}, writers: []*actor{a, b}, winner: b, mechanism: "full updates",
				why: "Two operators replace the owner of one Secret by full updates."})
		}},
		{"owners-side-by-side", "owner-references", 8, func(p *play) {
			p.in("coowned")
			t := p.config("shared-ca", map[string]any{"ca": "1"})
			a, b := p.service("coowned/issuer", "issuer/v1.0.0 (linux/amd64) kubernetes/$Format", ""), p.service("coowned/consumer", "consumer/v2.1.0 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, 2*sec)
			a.create(t)
			p.every(12, 35*m, func(i int) {
				a.strategic(t, fmt.Sprintf(`{"metadata":{"ownerReferences":[%s]},"data":{"ca":"%d"}}`, owner("ConfigMap", "issuer", uidA, false), i))
				b.strategic(t, fmt.Sprintf(`{"metadata":{"ownerReferences":[%s],"annotations":{"consumer/seen":"%d"}}}`, owner("ConfigMap", "consumer", uidB, false), i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two owners add references by strategic merge, which joins them by uid: both stay."})
		}},
		{"deletecollection-operator", "deletecollection", 10, func(p *play) {
			p.in("preview")
			t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: seed, labels: {env: preview}}\ndata: {a: b}")
			janitor := p.service("preview/janitor", "python-requests/2.32.3", "")
			op := p.service("preview/preview-operator", "preview-operator/v0.4.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*sec)
			op.create(t)
			p.every(18, 30*m, func(i int) {
				janitor.must(janitor.send("DELETE", t.collection(), "", nil, "labelSelector", "env=preview"))
				op.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{janitor, op}, winner: op, mechanism: "delete and create",
				why: "A janitor deletes all preview objects by a label, and the operator makes its own again at once."})
		}},
		{"deletecollection-harness", "deletecollection", 5, func(p *play) {
			p.in("e2e")
			t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixture, labels: {suite: e2e}}\ndata: {a: b}")
			ci := p.person("github-actions", "e2e.test/v0.0.0 (linux/amd64) kubernetes/$Format -- suite", "")
			p.every(25, 9*m, func(i int) {
				ci.create(t)
				p.sleep(90 * sec)
				ci.must(ci.send("DELETE", t.collection(), "", nil, "labelSelector", "suite=e2e"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, why: "A test suite makes its fixtures and deletes them by a label, with one identity."})
		}},
		{"deletecollection-argo-prune", "deletecollection", 12, func(p *play) {
			p.in("preview-eu")
			t := p.thing("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: pr, labels: {env: preview}}\nspec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}")
			cleaner, argo := p.person("ci-bot", kubectlAgent, ""), p.argoController().reacts(sec, 6*sec)
			argo.create(t)
			p.every(12, 45*m, func(i int) {
				cleaner.must(cleaner.send("DELETE", t.collection(), "", `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`, "labelSelector", "env=preview"))
				argo.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{cleaner, argo}, winner: argo, mechanism: "delete and create",
				why: "A cleaning job deletes a collection that Argo CD's self-heal makes again."})
		}},
		{"pods-deleted-by-hand", "pod-restarts", 5, func(p *play) {
			p.in("kafka-eu")
			t := p.pod0("broker-0")
			sre, sts := p.person("carol@example.com", kubectlAgent, ""), p.kcm("statefulset-controller").reacts(200*time.Millisecond, 2*sec)
			sts.create(t)
			p.every(7, 30*m, func(i int) {
				sre.kubectl("", "delete", "pod", t.id, "--wait=false", "--grace-period=0", "--force")
				sts.create(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{sre, sts}, real: "kubectl is real; the controller is emulated", why: "A human restarts a pod of a StatefulSet by deleting it, seven times."})
		}},
		{"pods-evicted", "pod-restarts", 8, func(p *play) {
			p.in("queues")
			t := p.pod0("queue-1")
			sts := p.kcm("statefulset-controller").reacts(200*time.Millisecond, 2*sec)
			desched := p.service("kube-system/descheduler", "descheduler/v0.34.0 (linux/amd64) kubernetes/$Format", "")
			sts.create(t)
			p.every(15, 30*m, func(i int) {
				desched.must(desched.send("POST", t.path()+"/eviction", "", `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"queue-1","namespace":"queues"},"deleteOptions":{"gracePeriodSeconds":0}}`))
				sts.create(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{desched, sts}, debatable: true, why: "The descheduler evicts a pod every half hour and its controller makes it again, as it is meant to."})
		}},
		{"pods-wrong-sidecar", "pod-restarts", 2, func(p *play) {
			p.in("injected")
			t := p.pod0("db-0")
			sts := p.kcm("statefulset-controller").reacts(200*time.Millisecond, 2*sec)
			guard := p.service("mesh/sidecar-enforcer", "sidecar-enforcer/v1.1.0 (linux/amd64) kubernetes/$Format", "").reacts(500*time.Millisecond, 3*sec)
			sts.create(t)
			p.every(40, 3*sec, func(i int) {
				guard.must(guard.send("DELETE", t.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}`))
				sts.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{guard, sts}, winner: sts, mechanism: "delete and create",
				why: "An enforcer deletes each pod that lacks a sidecar, and the StatefulSet makes it again without one, every few seconds."})
		}},
	}
}

// pod0 returns a pod of a StatefulSet.
func (p *play) pod0(name string) *thing {
	return p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", labels: {app: x}}\nspec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: registry.example.com/c:1}]}")
}
