package main

import (
	"encoding/json"
	"fmt"
	"time"
)

// answerOf returns a value in JSON, as requests contain it.
func answerOf(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(failure{err})
	}
	return data
}

// fightsOfWorkloads5 returns fights over the scale, the settings and the
// delivery of applications.
func fightsOfWorkloads5() []scene {
	return []scene{
		{"keda-cooldown", "", 4, func(p *play) {
			p.in("mail-queue")
			p.define("keda.example.io", "v1alpha1", "ScaledObject", "Namespaced", "")
			t := p.thing("apiVersion: keda.example.io/v1alpha1\nkind: ScaledObject\nmetadata: {name: mailer}\nspec: {cooldownPeriod: 300, pollingInterval: 30, scaleTargetRef: {name: mailer}}")
			argo, jenkins := p.argoController(), p.person("jenkins", kubectlAgent, "kubectl-patch")
			keda := p.service("keda/keda-operator", "keda/2.18 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, t.object)
			p.together(3*time.Hour, beat{3 * m, func(int) { argo.threeWay(t, t.object) }}, beat{16 * m, func(int) {
				jenkins.kubectl("", "patch", "scaledobject", t.id, "--type=merge", "-p", `{"spec":{"cooldownPeriod":60}}`)
			}}, beat{9 * m, func(i int) {
				keda.mergeStatus(t, fmt.Sprintf(`{"status":{"lastActiveTime":%q}}`, p.now()))
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.cooldownPeriod"}, writers: []*actor{argo, jenkins}, mechanism: "merge patches", real: "kubectl is real",
				why: "A job of the cost team shortens the cool-down of each scaler, Argo CD compares every three minutes and restores it."})
		}},
		{"hpa-stabilization", "", 4, func(p *play) {
			p.in("ticker")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: ticker}\nspec: {minReplicas: 2, maxReplicas: 12, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ticker}, behavior: {scaleDown: {stabilizationWindowSeconds: 300}}}")
			flux, pilot, hpa := p.fluxController(), p.service("autopilot/scale-pilot", "scale-pilot/4.0 Python/3.12 kubernetes-client", ""), p.autoscaler()
			flux.flux(t.object)
			p.together(3*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{7 * m, func(int) {
				if pilot.differs(t, 30, "spec", "behavior", "scaleDown", "stabilizationWindowSeconds") {
					pilot.merge(t, `{"spec":{"behavior":{"scaleDown":{"stabilizationWindowSeconds":30}}}}`)
				}
			}}, beat{15 * m, func(i int) {
				hpa.updateStatus(t, func(o object) {
					o.set(2+i%4, "status", "currentReplicas").set(2+i%4, "status", "desiredReplicas").set(p.now(), "status", "lastScaleTime")
				})
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.behavior.scaleDown.stabilizationWindowSeconds"}, writers: []*actor{flux, pilot}, mechanism: "forced apply against merge patch", real: "Flux's apply is its library",
				why: "A tool for fast scaling shortens a window that Flux applies; the autoscaler itself writes only the status."})
		}},
		{"hash-variable", "", 8, func(p *play) {
			p.in("crm-web")
			t := p.deployment("crm-web", 2)
			argo, reloader := p.argoController(), p.operatorOf("reloader/reloader", "Reloader").reacts(2*sec, 90*sec)
			argo.create(t)
			p.every(14, 25*m, func(i int) {
				argo.list(t)
				argo.replace(t, t.object)
				reloader.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"STAKATER_CRM_DB_SECRET","value":"6b1f0d"}]}]}}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env"}, writers: []*actor{argo, reloader}, winner: reloader, mechanism: "replace against strategic patch",
				why: "Argo CD syncs with Replace=true and so drops the variable with a secret's hash, which Reloader adds again: two restarts at each sync."})
		}},
		{"velero-ttl", "", 8, func(p *play) {
			p.in("velero")
			p.define("velero.example.io", "v1", "Schedule", "Namespaced", "")
			t := p.thing("apiVersion: velero.example.io/v1\nkind: Schedule\nmetadata: {name: nightly}\nspec: {schedule: '0 3 * * *', template: {ttl: 168h0m0s}}")
			ci, law := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.service("compliance/retention-bot", "okhttp/4.12.0", "")
			velero := p.service("velero/velero", "velero-server/v1.17 (linux/amd64) kubernetes/$Format", "")
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.together(7*time.Hour, beat{30 * m, func(int) {
				if law.differs(t, "720h0m0s", "spec", "template", "ttl") {
					law.merge(t, `{"spec":{"template":{"ttl":"720h0m0s"}}}`)
				}
			}}, beat{28 * m, func(int) {
				ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			}}, beat{time.Hour, func(int) { velero.mergeStatus(t, `{"status":{"lastBackup":"`+p.now()+`"}}`) }})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.ttl"}, writers: []*actor{ci, law}, mechanism: "patches", real: "kubectl is real",
				why: "The law demands a month, the team's pipeline a week: two jobs, each twice an hour."})
		}},
		{"ingress-class", "", 10, func(p *play) {
			p.in("intranet")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: intranet}\nspec: {ingressClassName: nginx, rules: [{host: intra.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: intranet, port: {number: 80}}}}]}}]}")
			ci, migrate := p.person("gitlab-runner", "Helm/3.20.1", ""), p.service("edge-migration/class-migrator", "class-migrator/v0.2 (linux/amd64) kubernetes/$Format", "class-migrator").reacts(sec, 20*sec)
			chart := p.chart("intranet", map[string]string{"i.yaml": t.object.yaml()})
			ci.helm("3", "install", "intranet", chart)
			p.every(12, 29*m, func(int) {
				migrate.json(t, `[{"op":"replace","path":"/spec/ingressClassName","value":"envoy"}]`)
				p.sleepBetween(2*m, 14*m)
				ci.helm("3", "upgrade", "intranet", chart)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.ingressClassName"}, writers: []*actor{ci, migrate}, winner: ci, mechanism: "patches", real: "Helm 3 is real",
				why: "A migrator moves all routes to the new proxy, each run of the team's pipeline moves its own back."})
		}},
		{"priority-hook", "", 5, func(p *play) {
			p.in("ad-server")
			p.webhook("priority.tenancy.example.com", "apps", "v1", "deployments", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.text("spec", "template", "spec", "priorityClassName") != "business-critical" {
					return nil
				}
				return []map[string]any{operation("replace", "/spec/template/spec/priorityClassName", "tenant-default")}
			})
			t := p.deployment("ad-server", 3)
			t.object.set("business-critical", "spec", "template", "spec", "priorityClassName")
			argo := p.argoController()
			argo.threeWay(t, t.object)
			p.every(30, 3*m, func(int) { argo.threeWay(t, t.object) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.priorityClassName"}, writers: []*actor{argo}, webhook: "priority.tenancy.example.com", mechanism: "a webhook overwrites a stated value", real: "the webhook is real",
				why: "Git states a priority that the tenancy webhook replaces in each request, so Argo CD never ends healing."})
		}},
		{"agent-image", "", 6, func(p *play) {
			p.in("observability")
			t := p.workload("DaemonSet", "otel-agent", 0)
			with := func(tag string) object {
				o := t.object.clone()
				setImage(o, "registry.example.com/otel-agent:"+tag)
				return o
			}
			op, argo, keel := p.service("otel-system/otel-operator", "opentelemetry-operator/v0.138 (linux/amd64) kubernetes/$Format", "opentelemetry-operator"), p.argoController(), p.service("keel/keel", "keel/0.21 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, with("0.135"))
			p.together(4*time.Hour, beat{21 * m, func(int) { op.apply(t, with("0.138")) }}, beat{8 * m, func(int) { argo.threeWay(t, with("0.135")) }}, beat{13 * m, func(int) {
				if keel.differs(t, "registry.example.com/otel-agent:0.139", "spec", "template", "spec", "containers", "0", "image") {
					keel.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/otel-agent:0.139"}]}}}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].image"}, writers: []*actor{op, argo, keel}, mechanism: "forced apply against patches",
				why: "Three programs know three versions of an agent's image: its operator, Git, and a poller of the registry."})
		}},
		{"parallelism", "", 4, func(p *play) {
			p.in("render-farm")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: film-042}\nspec: {parallelism: 2, completions: 400, template: {spec: {restartPolicy: Never, containers: [{name: frame, image: 'registry.example.com/frame:3'}]}}}")
			carol, budget, jobs := p.person("carol@example.com", kubectlAgent, "kubectl-patch"), p.service("finops/budget-controller", "budget-controller/v0.5 (linux/amd64) kubernetes/$Format", "").reacts(5*sec, 90*sec), p.kcm("job-controller")
			budget.create(t)
			p.every(16, 9*m, func(i int) {
				carol.kubectl("", "patch", "job", t.id, "-p", `{"spec":{"parallelism":40}}`)
				if i%2 == 0 {
					jobs.updateStatus(t, func(o object) {
						o.set(2+i, "status", "active")
						if i == 0 {
							o.set(p.now(), "status", "startTime")
						}
					})
				}
				budget.cached(t, func(o object) { o.set(2, "spec", "parallelism") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.parallelism"}, writers: []*actor{carol, budget}, winner: budget, mechanism: "patch against full update", real: "kubectl is real",
				why: "A script of the artists widens a job, the budget's controller narrows it within a minute and a half."})
		}},
		{"internal-policy", "", 4, func(p *play) {
			p.in("voice")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: sip}\nspec: {internalTrafficPolicy: Cluster, selector: {app: sip}, ports: [{port: 5060, protocol: UDP}]}")
			mesh, topo := p.service("mesh-system/mesh-controller", "mesh-controller/2.9 (linux/amd64) kubernetes/$Format", "").reacts(250*time.Millisecond, 450*time.Millisecond), p.service("topology/locality-operator", "locality-operator/0.3 (linux/amd64) kubernetes/$Format", "").reacts(250*time.Millisecond, 450*time.Millisecond)
			mesh.create(t)
			p.every(3, 45*m, func(int) {
				for range 14 {
					topo.strategic(t, `{"spec":{"internalTrafficPolicy":"Local"}}`)
					mesh.merge(t, `{"spec":{"internalTrafficPolicy":"Cluster"}}`)
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.internalTrafficPolicy"}, writers: []*actor{mesh, topo}, winner: mesh, mechanism: "patches",
				why: "A mesh and an operator for locality answer each other three times a second, in three bursts."})
		}},
		{"hpa-swept", "", 6, func(p *play) {
			p.in("loyalty")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: keda-hpa-points, labels: {managed: 'no'}}\nspec: {minReplicas: 1, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: points}}")
			keda, sweeper := p.service("keda/keda-operator", "keda/2.18 (linux/amd64) kubernetes/$Format", "").reacts(sec, 15*sec), p.service("housekeeping/sweeper", "sweeper/1.3 Python/3.12 kubernetes-client", "")
			keda.create(t)
			p.every(14, 20*m, func(int) {
				sweeper.list(t)
				sweeper.must(sweeper.send("DELETE", t.collection(), "", nil, "labelSelector", "managed=no"))
				keda.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{keda, sweeper}, winner: keda, mechanism: "delete and create",
				why: "A sweeper deletes all autoscalers without an owner in Git, KEDA creates its own again within seconds."})
		}},
		{"releases-lower-memory", "", 11, func(p *play) {
			p.in("recommender")
			t := p.deployment("recommender", 3)
			flux, krr, dc := p.fluxController(), p.service("robusta/krr-enforcer", "krr-enforcer/1.2 Python/3.13 kubernetes-client", "krr"), p.kcm("deployment-controller")
			release := func(i int) object {
				o := t.object.clone()
				setImage(o, tagged("recommender", i))
				return o
			}
			flux.flux(release(0))
			p.every(9, 65*m, func(i int) {
				krr.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"memory":"384Mi"}}}]}}}}`)
				dc.observe(t, 3)
				p.sleepBetween(m, 6*m)
				flux.flux(release(i + 1))
				dc.observe(t, 3)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.requests.memory"}, writers: []*actor{flux, krr}, winner: flux, mechanism: "forced apply against strategic patch", real: "Flux's apply is its library",
				why: "A tool raises a memory request from usage, and each hourly release of new images has the old request."})
		}},
	}
}
