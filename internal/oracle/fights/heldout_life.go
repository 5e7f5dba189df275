package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func quantity(s string) resource.Quantity { return resource.MustParse(s) }

const background = `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"}`

func lifeScenes() []scene {
	return []scene{
		{"recreated-by-operator", "delete-create", 6, func(p *play) {
			p.in("tenants")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: default-deny}\nspec: {podSelector: {}}")
			human, op := p.person("jenkins", kubectlAgent, ""), p.operatorOf("tenants/tenant-operator", "tenant-operator")
			op.controller(t, nil, func(ctx context.Context, c client.Client, o client.Object) error {
				if o != nil {
					return nil
				}
				u := &unstructured.Unstructured{Object: t.object.clone()}
				return client.IgnoreAlreadyExists(c.Create(ctx, u))
			})
			op.create(t)
			p.settle(t)
			p.every(15, 20*m, func(i int) {
				human.kubectl("", "delete", "networkpolicy", t.id, "--wait=false")
				time.Sleep(150 * time.Millisecond)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{human, op}, winner: op, mechanism: "delete and create", real: "kubectl is real, the operator is a real controller-runtime program", why: "A pipeline deletes a policy in its way at each run, and the operator makes it again at once."})
		}},
		{"recreated-by-cleanup-policy", "delete-create", 20, func(p *play) {
			p.in("sandbox")
			t := p.config("scratch", map[string]any{"a": "b"})
			kyverno, argo := p.service("kyverno/kyverno-cleanup-controller", "cleanup-controller/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.argoController()
			argo.create(t)
			p.every(16, 60*m, func(i int) {
				kyverno.delete(t)
				p.sleep(3 * m)
				argo.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{kyverno, argo}, winner: argo, mechanism: "delete and create", why: "A cleanup policy deletes each hour what Argo CD makes again."})
		}},
		{"recreated-by-pipeline", "delete-create", 10, func(p *play) {
			p.in("smoke")
			t := p.deployment("probe", 1)
			ci := p.person("gitlab-runner", "Helm/3.18.4", "helm")
			p.every(20, 25*m, func(i int) {
				ci.create(t)
				p.sleep(4 * m)
				ci.delete(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, why: "One pipeline installs and uninstalls a smoke test at each run."})
		}},
		{"recreated-in-two-steps", "delete-create", 12, func(p *play) {
			p.in("smoke-eu")
			t := p.config("probe-input", map[string]any{"n": "0"})
			starter, cleaner := p.service("smoke-eu/starter", "argo-workflows/v3.7.0 (linux/amd64)", ""), p.service("smoke-eu/cleaner", "argo-workflows/v3.7.0 (linux/amd64)", "")
			p.every(18, 35*m, func(i int) {
				t.object.set(fmt.Sprint(i), "data", "n")
				starter.create(t)
				p.sleep(5 * m)
				cleaner.delete(t)
			})
			p.lookalike(what{debatable: true, things: []*thing{t}, writers: []*actor{starter, cleaner}, why: "Two steps of one workflow: the first makes an input, the last deletes it; each time after half an hour anew."})
		}},
		{"finalizer-pulled-off", "finalizers", 5, func(p *play) {
			p.in("buckets")
			p.define("storage.example.com", "v1", "Bucket", "Namespaced", "")
			t := p.thing("apiVersion: storage.example.com/v1\nkind: Bucket\nmetadata: {name: archive}\nspec: {size: 1}")
			op, script := p.service("buckets/bucket-operator", "bucket-operator/v0.0.0 (linux/amd64)", "").reacts(80*time.Millisecond, sec), p.person("ci-bot", kubectlAgent, "kubectl-patch")
			op.create(t)
			p.every(14, 18*m, func(i int) {
				op.update(t, func(o object) { o.set([]string{"storage.example.com/cleanup"}, "metadata", "finalizers") })
				p.sleep(2 * m)
				script.kubectl("", "patch", "buckets.storage.example.com", "archive", "--type=merge", "-p", `{"metadata":{"finalizers":null}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.finalizers"}, writers: []*actor{op, script}, winner: script, mechanism: "patch against full update", real: "kubectl is real", why: "A script pulls off a finalizer that the operator puts on again."})
		}},
		{"finalizer-two-lists", "finalizers", 5, func(p *play) {
			p.in("buckets-eu")
			p.define("storage.example.eu", "v1", "Bucket", "Namespaced", "")
			t := p.thing("apiVersion: storage.example.eu/v1\nkind: Bucket\nmetadata: {name: archive}\nspec: {size: 1}")
			a, b := p.service("buckets-eu/bucket-operator", "bucket-operator/v0.0.0 (linux/amd64)", ""), p.service("buckets-eu/backup-operator", "backup-operator/v0.0.0 (linux/amd64)", "").reacts(500*time.Millisecond, 5*sec)
			a.create(t)
			p.every(20, 12*m, func(i int) {
				a.merge(t, `{"metadata":{"finalizers":["storage.example.eu/cleanup"]}}`)
				b.merge(t, `{"metadata":{"finalizers":["backup.example.eu/protect"]}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.finalizers"}, writers: []*actor{a, b}, winner: b, mechanism: "list replaced as a whole", why: "Two operators set finalizers by merge patches, which replace the list and so drop the other's."})
		}},
		{"finalizer-lifecycle", "finalizers", 8, func(p *play) {
			p.in("buckets-us")
			p.define("storage.example.us", "v1", "Bucket", "Namespaced", "")
			t := p.thing("apiVersion: storage.example.us/v1\nkind: Bucket\nmetadata: {name: scratch}\nspec: {size: 1}")
			ci, op := p.person("github-actions", "terraform-provider-kubernetes/2.38", ""), p.service("buckets-us/bucket-operator", "bucket-operator/v0.0.0 (linux/amd64)", "").reacts(80*time.Millisecond, sec)
			p.every(12, 30*m, func(i int) {
				ci.create(t)
				op.update(t, func(o object) { o.set([]string{"storage.example.us/cleanup"}, "metadata", "finalizers") })
				p.sleep(6 * m)
				ci.delete(t)
				op.update(t, func(o object) { delete(o.at("metadata"), "finalizers") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, op}, why: "The life of a resource, twelve times: made, protected, deleted, released."})
		}},
		{"handshake-drain", "handshake", 12, func(p *play) {
			t := p.node("worker-17")
			p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			mcd, mcc := p.service("openshift-machine-config-operator/machine-config-daemon", "machine-config-daemon/v4.19 (linux/amd64)", ""), p.service("openshift-machine-config-operator/machine-config-controller", "machine-config-controller/v4.19 (linux/amd64)", "").reacts(2*sec, 60*sec)
			mcd.merge(t, `{"metadata":{"annotations":{"machineconfiguration.openshift.io/desiredDrain":"uncordon","machineconfiguration.openshift.io/lastAppliedDrain":"uncordon"}}}`)
			p.every(7, 80*m, func(i int) {
				mcd.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"machineconfiguration.openshift.io/desiredDrain":"drain-%d"}}}`, i))
				mcc.merge(t, `{"spec":{"unschedulable":true}}`)
				mcc.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"machineconfiguration.openshift.io/lastAppliedDrain":"drain-%d"}}}`, i))
				p.sleep(9 * m)
				mcd.merge(t, `{"metadata":{"annotations":{"machineconfiguration.openshift.io/desiredDrain":"uncordon"}}}`)
				mcc.merge(t, `{"spec":{"unschedulable":null}}`)
				mcc.merge(t, `{"metadata":{"annotations":{"machineconfiguration.openshift.io/lastAppliedDrain":"uncordon"}}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{mcd, mcc}, why: "A daemon asks for a drain by one annotation and a controller says by another that it is done."})
		}},
		{"handshake-phase", "handshake", 8, func(p *play) {
			p.in("pipelines")
			p.define("ci.example.com", "v1", "Build", "Namespaced", "")
			t := p.thing("apiVersion: ci.example.com/v1\nkind: Build\nmetadata: {name: nightly}\nspec: {branch: main}")
			queue, runner := p.service("pipelines/queue", "queue/v2 (linux/amd64)", ""), p.service("pipelines/runner", "runner/v2 (linux/amd64)", "").reacts(sec, 10*sec)
			queue.create(t)
			p.every(16, 28*m, func(i int) {
				queue.mergeStatus(t, `{"status":{"phase":"Pending"}}`)
				runner.mergeStatus(t, `{"status":{"phase":"Running"}}`)
				p.sleep(4 * m)
				runner.mergeStatus(t, `{"status":{"phase":"Done"}}`)
			})
			p.lookalike(what{debatable: true, things: []*thing{t}, writers: []*actor{queue, runner}, why: "A state machine of two programs: pending, running, done, and again at the next build."})
		}},
		{"handshake-operation", "handshake", 10, func(p *play) {
			p.in("argocd-ops")
			p.define("argoproj.io", "v1alpha1", "Application", "Namespaced", "")
			t := p.thing("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {project: default}")
			ci, argo := p.person("github-actions", "argocd-client/v3.1.0", ""), p.argoController().reacts(sec, 10*sec)
			ci.create(t)
			p.every(15, 30*m, func(i int) {
				ci.merge(t, `{"operation":{"sync":{"revision":"HEAD"}}}`)
				argo.merge(t, `{"operation":null,"status":{"operationState":{"phase":"Succeeded"}}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, argo}, why: "A pipeline asks for the same sync each time, and the controller takes the request when it is done."})
		}},
		{"jobs-rerun", "jobs", 10, func(p *play) {
			p.in("ci-jobs")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: m, image: registry.example.com/migrate:1}]}}}")
			ci := p.person("gitlab-runner", kubectlAgent, "kubectl-create")
			p.every(9, 50*m, func(i int) {
				ci.kubectl("", "delete", "job", t.id, "--ignore-not-found", "--wait=false")
				ci.kubectl(t.object.yaml(), "create", "-f", "-")
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, real: "kubectl is real", why: "A pipeline deletes and makes its migration job at each deployment."})
		}},
		{"jobs-ttl", "jobs", 14, func(p *play) {
			p.in("cron")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: hourly}\nspec: {ttlSecondsAfterFinished: 60, template: {spec: {restartPolicy: Never, containers: [{name: m, image: registry.example.com/hourly:1}]}}}")
			ci, ttl := p.service("cron/scheduler", "airflow/3.0.1 Python-urllib/3.12", ""), p.kcm("ttl-after-finished-controller")
			p.every(12, 60*m, func(i int) {
				ci.create(t)
				p.sleep(5 * m)
				ttl.must(ttl.send("DELETE", t.path(), "", background))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, ttl}, why: "A scheduler makes a job each hour and the TTL controller deletes it when it is done, as it was told."})
		}},
		{"jobs-suspended", "jobs", 6, func(p *play) {
			p.in("cron-eu")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: billing}\nspec: {schedule: '0 * * * *', suspend: false, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: registry.example.com/billing:1}]}}}}}")
			ops, flux := p.person("dave@example.com", kubectlAgent, "kubectl-edit"), p.fluxController()
			flux.flux(t.object)
			p.every(9, 30*m, func(i int) {
				ops.strategic(t, `{"spec":{"suspend":true}}`)
				p.sleep(9 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.suspend"}, writers: []*actor{ops, flux}, winner: flux, mechanism: "patch against forced apply", real: realFlux, why: "A script suspends a CronJob and Flux resumes it ten minutes later, nine times."})
		}},
		{"jobs-killed", "jobs", 3, func(p *play) {
			p.in("cron-us")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: reindex}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: registry.example.com/reindex:1}]}}}")
			guard, op := p.service("cost/job-reaper", "job-reaper/v1 (linux/amd64)", ""), p.service("cron-us/search-operator", "search-operator/v1 (linux/amd64)", "").reacts(sec, 4*sec)
			op.create(t)
			p.every(25, 5*m, func(i int) { guard.delete(t); op.create(t) })
			p.fight(what{things: []*thing{t}, writers: []*actor{guard, op}, winner: op, mechanism: "delete and create", why: "A reaper deletes a job that the operator needs, and the operator starts it again."})
		}},
	}
}
