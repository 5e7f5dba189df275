package main

import (
	"fmt"
	"time"
)

// calmWorkloads5 returns scenes without a fight in applications: scaling,
// releases, queues and tests.
func calmWorkloads5() []scene {
	return []scene{
		{"scaled-and-released", "", 10, func(p *play) {
			p.in("feed")
			t := p.deployment("feed", 4)
			argo, hpa, dc, vpa := p.argoController(), p.autoscaler(), p.kcm("deployment-controller"), p.service("kube-system/vpa-recommender", "recommender/v1.5 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, t.object.without("spec", "replicas"))
			p.together(9*time.Hour, beat{25 * m, func(i int) {
				n := []int{4, 6, 9, 6, 4, 3}[i%6]
				hpa.scale(t, n)
				dc.observe(t, n)
			}}, beat{70 * m, func(i int) {
				o := t.object.without("spec", "replicas")
				setImage(o, tagged("feed", i))
				argo.threeWay(t, o)
			}}, beat{40 * m, func(i int) {
				vpa.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"vpa.example.com/target-cpu":"%dm"}}}`, 300+17*i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, hpa, dc, vpa}, why: "An autoscaler follows the load, releases leave the replicas out, and a recommender notes what it would do."})
		}},
		{"flagger-targets", "", 12, func(p *play) {
			p.in("basket-api")
			t := p.deployment("basket-api", 0)
			flux, flagger, dc := p.fluxController(), p.service("flagger-system/flagger", "flagger/1.42 (linux/amd64) kubernetes/$Format", ""), p.kcm("deployment-controller")
			release := func(i int) object {
				o := t.object.without("spec", "replicas")
				setImage(o, tagged("basket-api", i))
				return o
			}
			flux.flux(release(0))
			p.every(8, 65*m, func(i int) {
				flux.flux(release(i + 1))
				p.sleepBetween(5*sec, m)
				flagger.update(t, func(o object) { o.set(3, "spec", "replicas") })
				dc.observe(t, 3)
				p.sleepBetween(8*m, 20*m)
				flagger.update(t, func(o object) { o.set(0, "spec", "replicas") })
				dc.observe(t, 0)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, flagger, dc}, toggles: true, real: "Flux's apply is its library", why: "Flagger scales a target up for each release that Flux applies, and to nothing after it."})
		}},
		{"weights-released", "", 10, func(p *play) {
			p.in("reviews-api")
			p.define("split.example.io", "v1alpha2", "TrafficSplit", "Namespaced", "")
			t := p.thing("apiVersion: split.example.io/v1alpha2\nkind: TrafficSplit\nmetadata: {name: reviews}\nspec: {service: reviews, timeout: 5s, canaryWeight: 0}")
			rollouts, helm, frank := p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8.3 (linux/amd64) kubernetes/$Format", ""), p.service("flux-system/helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm-controller"), p.person("frank@example.com", kubectlAgent, "kubectl-patch")
			helm.create(t)
			p.every(6, 80*m, func(i int) {
				helm.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"chart":"reviews-1.%d.0"}}}`, i))
				for _, w := range []int{20, 50, 80, 100, 0} {
					p.sleepBetween(m, 3*m)
					rollouts.update(t, func(o object) { o.set(w, "spec", "canaryWeight") })
				}
				if i == 2 {
					frank.kubectl("", "patch", "trafficsplit", t.id, "--type=merge", "-p", `{"spec":{"timeout":"8s"}}`)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{rollouts, helm, frank}, real: "kubectl is real", why: "Each of six releases goes through the same weights, set by one controller."})
		}},
		{"jobs-admitted", "", 8, func(p *play) {
			p.in("genomics")
			bob, kueue, jobs := p.person("bob@example.com", kubectlAgent, "kubectl-create"), p.service("kueue-system/kueue-controller-manager", "kueue/v0.14 (linux/amd64) kubernetes/$Format", "kueue"), p.kcm("job-controller")
			var all []*thing
			p.every(10, 40*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: batch/v1\nkind: Job\nmetadata: {name: align-%d, labels: {kueue.x-k8s.io/queue-name: lab}}\nspec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/align:1'}]}}}", i))
				all = append(all, t)
				bob.kubectl(t.object.yaml(), "create", "-f", "-")
				kueue.merge(t, `{"spec":{"suspend":false}}`)
				jobs.updateStatus(t, func(o object) { o.set(1, "status", "active").set(p.now(), "status", "startTime") })
				if i%3 == 1 { // preempted, then admitted again
					p.sleepBetween(3*m, 9*m)
					kueue.merge(t, `{"spec":{"suspend":true}}`)
					jobs.updateStatus(t, func(o object) {
						o.set(0, "status", "active")
						delete(o.at("status"), "startTime")
					})
					p.sleepBetween(3*m, 9*m)
					kueue.merge(t, `{"spec":{"suspend":false}}`)
				}
			})
			p.lookalike(what{things: all, writers: []*actor{bob, kueue, jobs}, real: "kubectl is real", why: "Jobs are created suspended and admitted by the queue, a few are preempted once and admitted again."})
		}},
		{"chaos-marks", "", 8, func(p *play) {
			p.in("orders-stage")
			t := p.workload("StatefulSet", "orders", 3)
			mesh, slo, erin := p.service("chaos-mesh/chaos-controller-manager", "chaos-controller-manager/2.8 (linux/amd64) kubernetes/$Format", ""), p.service("slo-system/slo-recorder", "slo-recorder/1.9 (linux/amd64) kubernetes/$Format", "slo-recorder"), p.person("erin@example.com", kubectlAgent, "kubectl-client-side-apply")
			erin.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(14, 28*m, func(i int) {
				mesh.merge(t, `{"metadata":{"labels":{"chaos":"active"}}}`)
				p.sleepBetween(2*m, 5*m)
				mesh.merge(t, `{"metadata":{"labels":{"chaos":null}}}`)
				slo.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"slo.example.com/recovery":"%ds"}}}`, 20+i*3))
			})
			erin.kubectl(t.object.with("2", "metadata", "labels", "round").yaml(), "apply", "-f", "-")
			p.lookalike(what{things: []*thing{t}, writers: []*actor{mesh, slo, erin}, toggles: true, real: "kubectl is real", why: "A chaos tool marks its target during each experiment and removes its mark itself, a recorder notes the recovery."})
		}},
		{"two-stages-promote", "", 12, func(p *play) {
			p.in("argocd-apps")
			p.define("argoproj.example.io", "v1alpha1", "Application", "Namespaced", "")
			t := p.thing("apiVersion: argoproj.example.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: {targetRevision: 1.0.0}}")
			candidate, final, argo := p.person("gitlab-runner", "argocd-cli/3.1", ""), p.service("kargo/kargo-controller", "kargo/v1.8 (linux/amd64) kubernetes/$Format", "kargo"), p.argoController()
			candidate.create(t)
			p.every(8, 55*m, func(i int) {
				candidate.merge(t, fmt.Sprintf(`{"spec":{"source":{"targetRevision":"1.%d.0-rc"}}}`, i+1))
				argo.merge(t, fmt.Sprintf(`{"status":{"sync":{"revision":"1.%d.0-rc"}}}`, i+1))
				p.sleepBetween(10*m, 25*m)
				final.merge(t, fmt.Sprintf(`{"spec":{"source":{"targetRevision":"1.%d.0"}}}`, i+1))
				argo.merge(t, fmt.Sprintf(`{"status":{"sync":{"revision":"1.%d.0"}}}`, i+1))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{candidate, final, argo}, why: "One pipeline deploys each candidate, another promotes it: one field, two writers in turn, always a new version."})
		}},
		{"workflow-results", "", 5, func(p *play) {
			p.in("pipelines")
			p.define("workflow.example.io", "v1alpha1", "Workflow", "Namespaced", "")
			ctl, exec, alice := p.service("pipelines/argo", "argo-workflows/v3.7 argo-controller", ""), p.service("pipelines/default-runner", "argo-workflows/v3.7 argo-executor", "argo-executor"), p.person("alice@example.com", kubectlAgent, "kubectl-create")
			var all []*thing
			p.every(8, 30*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: workflow.example.io/v1alpha1\nkind: Workflow\nmetadata: {name: etl-%d}\nspec: {entrypoint: main}", i))
				all = append(all, t)
				alice.kubectl(t.object.yaml(), "create", "-f", "-")
				for k := range 4 {
					ctl.update(t, func(o object) {
						o.set("Running", "metadata", "labels", "phase").set(fmt.Sprintf("%d/4", k), "progress")
					})
					p.sleepBetween(4*sec, 80*sec)
					exec.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"outputs-%d":"done"}}}`, k))
				}
				ctl.update(t, func(o object) { o.set("Succeeded", "metadata", "labels", "phase").set("4/4", "progress") })
			})
			p.lookalike(what{things: all, writers: []*actor{ctl, exec, alice}, real: "kubectl is real", why: "A controller and the executors of its steps write one workflow in turn, each its own fields."})
		}},
		{"environments-expire", "", 12, func(p *play) {
			p.in("review-apps")
			p.define("env.example.io", "v1", "Environment", "Namespaced", "")
			t := p.thing("apiVersion: env.example.io/v1\nkind: Environment\nmetadata: {name: mr-1290, annotations: {janitor/ttl: 45m}}\nspec: {branch: login}")
			ci, janitor, op := p.person("gitlab-runner", kubectlAgent, "kubectl-create"), p.service("janitor/kube-janitor", "kube-janitor/23.7 pykube", ""), p.operatorOf("env-system/env-operator", "env-operator")
			p.every(7, 50*m, func(i int) {
				ci.kubectl(t.object.with(fmt.Sprintf("c%d", i), "spec", "commit").yaml(), "create", "-f", "-")
				op.merge(t, `{"metadata":{"finalizers":["env.example.io/teardown"]}}`)
				op.updateStatus(t, func(o object) { o.set("Ready", "status", "phase") })
				p.sleep(46 * m)
				janitor.delete(t)
				op.merge(t, `{"metadata":{"finalizers":null}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, janitor, op}, real: "kubectl is real", why: "Each push creates the environment of a branch, which expires after three quarters of an hour."})
		}},
		{"threshold-edited", "", 12, func(p *play) {
			p.in("alerts-team")
			p.define("monitoring.example.io", "v1", "AlertRule", "Namespaced", "")
			t := p.thing("apiVersion: monitoring.example.io/v1\nkind: AlertRule\nmetadata: {name: latency}\nspec: {threshold: 250, for: 5m}")
			flux, carol, eval := p.fluxController(), p.person("carol@example.com", kubectlAgent, "kubectl-patch"), p.service("alerts-team/rule-evaluator", "rule-evaluator/0.4 (linux/amd64) kubernetes/$Format", "")
			flux.flux(t.object)
			o := t.object
			for i := range 40 {
				p.sleep(15 * m)
				if i == 6 || i == 18 {
					carol.kubectl("", "patch", "alertrule", t.id, "--type=merge", "-p", fmt.Sprintf(`{"spec":{"threshold":%d}}`, 400+i))
					p.sleep(5 * m)
				}
				if i == 22 {
					o = t.object.with(418, "spec", "threshold")
				}
				if i%4 == 0 {
					eval.mergeStatus(t, fmt.Sprintf(`{"status":{"lastEvaluation":%q}}`, p.now()))
				}
				flux.flux(o)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, carol, eval}, real: "kubectl is real; Flux's apply is its library", why: "An engineer tries two thresholds by hand, Flux takes each back once, and then Git has the second."})
		}},
		{"office-hours", "", 20, func(p *play) {
			p.in("backoffice")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: backoffice}\nspec: {minReplicas: 2, maxReplicas: 20, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: backoffice}}")
			cron, hpa, argo := p.service("kube-cron/cron-scaler", "cron-scaler/1.2 (linux/amd64) kubernetes/$Format", "cron-scaler"), p.autoscaler(), p.argoController()
			cron.create(t)
			p.every(9, 2*time.Hour, func(i int) {
				cron.merge(t, fmt.Sprintf(`{"spec":{"minReplicas":%d}}`, []int{10, 4, 2}[i%3]))
				hpa.updateStatus(t, func(o object) {
					o.set(10-i, "status", "currentReplicas").set(10-i, "status", "desiredReplicas").set(p.now(), "status", "lastScaleTime")
				})
				p.sleep(3 * m)
				argo.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"release":"r%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{cron, hpa, argo}, why: "A schedule moves an autoscaler's minimum with the office hours of three continents; others write the status and a label."})
		}},
		{"hooks-suspended", "", 9, func(p *play) {
			p.in("invoice-runs")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: invoices}\nspec: {schedule: '*/10 * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/invoices:1'}]}}}}}")
			ci, cron, ann := p.person("jenkins", kubectlAgent, "kubectl-patch"), p.kcm("cronjob-controller"), p.service("invoice-runs/audit-trail", "audit-trail/1.0 (linux/amd64) kubernetes/$Format", "audit-trail")
			ci.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(9, 52*m, func(i int) {
				ci.kubectl("", "patch", "cronjob", t.id, "-p", `{"spec":{"suspend":true}}`)
				ann.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"audit.example.com/closed":"period-%d"}}}`, i))
				p.sleepBetween(2*m, 4*m)
				ci.kubectl("", "patch", "cronjob", t.id, "-p", `{"spec":{"suspend":false}}`)
				cron.updateStatus(t, func(o object) { o.set(p.now(), "status", "lastScheduleTime") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, cron, ann}, toggles: true, real: "kubectl is real", why: "A pipeline suspends the invoices while it closes a period and resumes them itself; an audit trail notes it between the two."})
		}},
	}
}
