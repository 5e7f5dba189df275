package main

import (
	"fmt"
	"time"
)

func rhythmScenes() []scene {
	return []scene{
		{"crashloop-defaults", "crash-loops", 4, func(p *play) {
			p.in("flaky")
			t := p.config("agent-config", map[string]any{"level": "info"})
			crash, flux := p.service("flaky/agent-operator", "agent-operator/v0.3.0 (linux/amd64)", ""), p.fluxController()
			flux.apply(t, t.object)
			for i := range 24 {
				p.sleep(min(5*m, 10*sec<<min(i, 5)))
				crash.update(t, func(o object) { o.set("debug", "data", "level") })
				p.sleep(3 * m)
				flux.apply(t, t.object)
			}
			p.fight(what{things: []*thing{t}, fields: []string{"data.level"}, writers: []*actor{crash, flux}, winner: flux, mechanism: "full update against forced apply",
				why: "An operator in a crash loop writes its default at each start, and Flux applies git's value."})
		}},
		{"crashloop-noops", "crash-loops", 4, func(p *play) {
			p.in("flaky-eu")
			t := p.config("agent-config", map[string]any{"level": "info"})
			crash, flux := p.service("flaky-eu/agent-operator", "agent-operator/v0.3.0 (linux/amd64)", ""), p.fluxController()
			flux.apply(t, t.object)
			for i := range 24 {
				p.sleep(min(5*m, 10*sec<<min(i, 5)))
				crash.update(t, func(o object) { o.set(p.now(), "metadata", "annotations", "agent/started") })
				p.sleep(3 * m)
				flux.apply(t, t.object)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{crash, flux}, why: "An operator in a crash loop notes each start; Flux does not state that annotation."})
		}},
		{"slow-half-hour", "slow-fights", 23, func(p *play) {
			p.in("slow")
			t := p.deployment("billing", 2)
			argo, op := p.argoController(), p.service("slow/billing-operator", "billing-operator/v1 (linux/amd64)", "billing-operator")
			argo.threeWay(t, t.object)
			p.every(22, 30*m, func(i int) {
				op.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/billing:1.0.0-patched"}]}}}}`)
				p.sleep(30 * m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{argo, op}, winner: argo, mechanism: "patches", why: "An operator's resync and Argo CD's take each other back, every half hour."})
		}},
		{"slow-three-hours", "slow-fights", 23.5, func(p *play) {
			p.in("slow-eu")
			t := p.config("billing", map[string]any{"rate": "5"})
			flux, op := p.fluxController(), p.service("slow-eu/rate-sync", "rate-sync/v1 (linux/amd64)", "")
			flux.flux(t.object)
			p.every(7, 100*m, func(i int) {
				op.update(t, func(o object) { o.set("7", "data", "rate") })
				p.sleep(90 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.rate"}, writers: []*actor{flux, op}, winner: flux, mechanism: "full update against forced apply", real: realFlux, why: "Seven turns each in a day, an hour and a half apart."})
		}},
		{"slow-nightly-jobs", "slow-fights", 23.5, func(p *play) {
			p.in("slow-us")
			t := p.config("billing", map[string]any{"day": "0", "report": "0"})
			a, b := p.service("slow-us/importer", "importer/v1 (linux/amd64)", ""), p.service("slow-us/reporter", "reporter/v1 (linux/amd64)", "")
			a.create(t)
			p.every(11, 120*m, func(i int) {
				a.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "day") })
				p.sleep(m)
				b.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "report") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two jobs in turn, each with its own key, every two hours."})
		}},
		{"resync-answers", "resyncs", 10, func(p *play) {
			p.in("resync")
			t := p.workload("DaemonSet", "node-agent", 0)
			helm, op := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.service("resync/agent-operator", "agent-operator/v2 (linux/amd64)", "").reacts(200*time.Millisecond, 5*sec)
			helm.create(t)
			p.every(12, 45*m, func(i int) {
				helm.strategic(t, `{"spec":{"template":{"spec":{"hostNetwork":false}}}}`)
				op.update(t, func(o object) { o.set(true, "spec", "template", "spec", "hostNetwork") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.hostNetwork"}, writers: []*actor{helm, op}, winner: op, mechanism: "patch against full update", why: "Helm's drift correction takes hostNetwork away and the operator sets it again within seconds."})
		}},
		{"resync-without-change", "resyncs", 23, func(p *play) {
			p.in("resync-eu")
			t := p.workload("DaemonSet", "node-agent", 0)
			helm, op := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.service("resync-eu/agent-operator", "agent-operator/v2 (linux/amd64)", "")
			helm.create(t)
			p.every(12, 100*m, func(i int) {
				op.update(t, func(o object) { o.set(false, "spec", "template", "spec", "hostNetwork") })
				p.sleep(10 * m)
				helm.strategic(t, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/node-agent:1.%d"}]}}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{helm, op}, why: "An operator's resync writes what is there; Helm rolls out new images."})
		}},
		{"root-ca-overwritten", "background", 6, func(p *play) {
			p.in("root-ca")
			t := p.config("kube-root-ca.crt", map[string]any{"ca.crt": "cluster"})
			kcm, mesh := p.kcm("root-ca-cert-publisher").reacts(10*time.Millisecond, 300*time.Millisecond), p.service("istio-system/istiod", "pilot-discovery/1.27.0 (linux/amd64) istio/$Format", "")
			p.stage.ask("DELETE", t.path(), "")
			kcm.create(t)
			p.every(24, 12*m, func(i int) {
				mesh.update(t, func(o object) { o.set("mesh", "data", "ca.crt") })
				kcm.update(t, func(o object) { o.set("cluster", "data", "ca.crt") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["ca.crt"]`}, writers: []*actor{kcm, mesh}, winner: kcm, mechanism: "full updates", why: "A mesh writes its own authority into the config map that the root CA publisher resets at once."})
		}},
		{"background-leases", "background", 1, func(p *play) {
			p.in("kube-node-lease")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: worker-2}\nspec: {holderIdentity: worker-2, leaseDurationSeconds: 40}")
			kubelet := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			kubelet.create(t)
			p.every(120, 10*sec, func(i int) { kubelet.update(t, func(o object) { o.set(p.micro(), "spec", "renewTime") }) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet}, why: "A kubelet renews its lease."})
		}},
		{"background-events", "background", 4, func(p *play) {
			p.in("noisy")
			t := p.thing("apiVersion: v1\nkind: Event\nmetadata: {name: web-0.17a1}\ninvolvedObject: {kind: Pod, name: web-0, namespace: noisy}\nreason: BackOff\nmessage: back-off\ntype: Warning\ncount: 1")
			kubelet, sched := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.person("system:kube-scheduler", "kube-scheduler/v1.37.1 (linux/amd64) kubernetes/5f2a8c1/scheduler", "")
			kubelet.create(t)
			p.every(40, 5*m, func(i int) {
				[]*actor{kubelet, sched}[i%2].strategic(t, fmt.Sprintf(`{"count":%d,"lastTimestamp":"%s"}`, i+2, p.now()))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, sched}, why: "Two components count one event up."})
		}},
	}
}

func identityScenes() []scene {
	return []scene{
		{"impersonated-tenants", "impersonation", 5, func(p *play) {
			p.in("multi")
			t := p.deployment("shared", 2)
			a, b := p.service("flux-system/kustomize-controller", "kustomize-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "kustomize-controller"), p.service("flux-system/kustomize-controller", "kustomize-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "kustomize-controller")
			a.as, b.as = "system:serviceaccount:team-a:reconciler", "system:serviceaccount:team-b:reconciler"
			other := t.object.clone()
			setImage(other, "registry.example.com/shared:2.0.0")
			p.every(20, 7*m, func(i int) {
				a.apply(t, t.object)
				p.sleep(4 * m)
				b.apply(t, other)
			})
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{a, b}, winner: b, mechanism: "shared manager", why: "Two Kustomizations, which Flux applies as two impersonated tenants, hold one Deployment."})
		}},
		{"impersonated-support", "impersonation", 9, func(p *play) {
			p.in("multi-eu")
			t := p.config("limits", map[string]any{"a": "1"})
			a := p.person("dave@example.com", kubectlAgent, "kubectl-patch")
			a.create(t)
			b := p.person("dave@example.com", kubectlAgent, "kubectl-patch")
			b.as = "alice@example.com"
			p.every(12, 35*m, func(i int) {
				[]*actor{a, b}[i%2].merge(t, fmt.Sprintf(`{"data":{"a":"%d"}}`, i+2))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "A human writes new values, sometimes as another user."})
		}},
		{"upgraded-in-a-fight", "client-upgrades", 8, func(p *play) {
			p.in("upgrade")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {selector: {role: primary}, ports: [{port: 5432}], sessionAffinity: None}")
			helm, op := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.service("upgrade/db-operator", "db-operator/v1.2.0 (linux/amd64)", "").reacts(100*time.Millisecond, 3*sec)
			helm.create(t)
			p.every(24, 15*m, func(i int) {
				if i == 12 {
					op.agent = "db-operator/v1.3.0 (linux/amd64)"
				}
				helm.strategic(t, `{"spec":{"sessionAffinity":"None"}}`)
				op.update(t, func(o object) { o.set("ClientIP", "spec", "sessionAffinity") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.sessionAffinity"}, follows: []string{"spec.sessionAffinityConfig"}, writers: []*actor{helm, op}, winner: op, mechanism: "patch against full update", why: "The fight goes on while the operator is upgraded."})
		}},
		{"upgraded-once", "client-upgrades", 8, func(p *play) {
			p.in("upgrade-eu")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: db}\nspec: {selector: {role: primary}, ports: [{port: 5432}]}")
			op := p.service("upgrade-eu/db-operator", "db-operator/v1.2.0 (linux/amd64)", "")
			op.create(t)
			p.every(16, 20*m, func(i int) {
				op.agent = []string{"db-operator/v1.2.0 (linux/amd64)", "db-operator/v1.3.0 (linux/amd64)"}[i/8]
				op.update(t, func(o object) {
					o.set([]string{"None", "ClientIP"}[i/8], "spec", "sessionAffinity").set(fmt.Sprint(i), "metadata", "annotations", "db/rev")
				})
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{op}, why: "An upgrade changes a default once."})
		}},
		{"shared-account-fight", "shared-accounts", 5, func(p *play) {
			p.in("tools")
			t := p.config("registry", map[string]any{"mirror": "a"})
			a, b := p.replica("tools/default", "mirror-sync-0", "mirror-sync/v1 (linux/amd64)", "mirror-sync"), p.replica("tools/default", "cache-warmer-0", "cache-warmer/v3 (linux/amd64)", "cache-warmer").reacts(sec, 9*sec)
			a.create(t)
			p.every(24, 9*m, func(i int) {
				a.merge(t, `{"data":{"mirror":"a"}}`)
				b.merge(t, `{"data":{"mirror":"b"}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.mirror"}, writers: []*actor{a, b}, winner: b, mechanism: "patches", why: "Two programs that share the default service account of their namespace undo each other."})
		}},
		{"shared-account-own-keys", "shared-accounts", 5, func(p *play) {
			p.in("tools-eu")
			t := p.config("registry", map[string]any{"mirror": "a", "cache": "0"})
			a, b := p.replica("tools-eu/default", "mirror-sync-0", "mirror-sync/v1 (linux/amd64)", ""), p.replica("tools-eu/default", "cache-warmer-0", "cache-warmer/v3 (linux/amd64)", "")
			a.create(t)
			p.every(24, 9*m, func(i int) {
				a.merge(t, fmt.Sprintf(`{"data":{"mirror":"a%d"}}`, i))
				b.merge(t, fmt.Sprintf(`{"data":{"cache":"%d"}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two programs share an account and write their own keys."})
		}},
		{"scripts-curl", "scripts", 5, func(p *play) {
			p.in("scripted")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: legacy}\nspec: {selector: {app: legacy}, ports: [{port: 80}], externalTrafficPolicy: Cluster, type: NodePort}")
			a, b := p.service("scripted/cron-a", "curl/8.14.1", ""), p.service("scripted/cron-b", "curl/8.14.1", "")
			a.create(t)
			p.every(26, 10*m, func(i int) {
				[]*actor{a, b}[i%2].json(t, fmt.Sprintf(`[{"op":"replace","path":"/spec/externalTrafficPolicy","value":"%s"}]`, []string{"Local", "Cluster"}[i%2]))
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.externalTrafficPolicy"}, writers: []*actor{a, b}, winner: b, mechanism: "patches", why: "Two cron jobs with curl set one policy otherwise."})
		}},
		{"scripts-tests", "scripts", 5, func(p *play) {
			p.in("scripted-eu")
			t := p.config("toggle", map[string]any{"mode": "a"})
			a := p.person("jenkins", "python-requests/2.32.3", "")
			a.create(t)
			p.every(12, 20*m, func(i int) {
				a.json(t, `[{"op":"test","path":"/data/mode","value":"a"},{"op":"replace","path":"/data/mode","value":"b"}]`)
				p.sleep(3 * m)
				a.json(t, `[{"op":"test","path":"/data/mode","value":"b"},{"op":"replace","path":"/data/mode","value":"a"}]`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a}, debatable: true, why: "One script changes a mode for each of its test runs and changes it back."})
		}},
	}
}
