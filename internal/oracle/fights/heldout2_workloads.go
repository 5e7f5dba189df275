package main

import (
	"fmt"
	"net/http"
	"time"
)

// workloadScenes2 returns scenes with workloads, and with programs that scale
// them, queue them or roll them out.
func workloadScenes2() []scene {
	return []scene{
		{"dns-replicas-fleet", "dns-replicas", 6, func(p *play) {
			p.in("edge-dns")
			t := p.deployment("rke2-coredns", 2)
			fleet, scaler := p.service("cattle-fleet-system/fleet-agent", "fleetagent/v0.13 (linux/amd64) kubernetes/$Format", ""), p.service("kube-system/cluster-proportional-autoscaler", "cluster-proportional-autoscaler/v1.9 (linux/amd64)", "").reacts(sec, 10*sec)
			fleet.create(t)
			p.every(19, 15*m, func(i int) {
				fleet.get(t)
				fleet.strategic(t, `{"spec":{"replicas":2}}`)
				scaler.scale(t, 5)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{fleet, scaler}, winner: scaler, mechanism: "scale", why: "Fleet's chart says two replicas, an autoscaler scales with the number of nodes."})
		}},
		{"dns-replicas-alone", "dns-replicas", 8, func(p *play) {
			p.in("edge-dns-eu")
			t := p.deployment("rke2-coredns", 2)
			fleet, scaler := p.service("cattle-fleet-system/fleet-agent", "fleetagent/v0.13 (linux/amd64) kubernetes/$Format", ""), p.service("kube-system/cluster-proportional-autoscaler", "cluster-proportional-autoscaler/v1.9 (linux/amd64)", "").reacts(sec, 10*sec)
			fleet.create(t)
			p.every(17, 25*m, func(i int) {
				fleet.get(t)
				fleet.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"fleet/bundle":"b-%d"}}}`, i))
				scaler.scale(t, 3+i)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{fleet, scaler}, why: "Fleet labels its bundles while the cluster, and so its DNS, grows."})
		}},
		{"cost-maximum", "cost-control", 7, func(p *play) {
			p.in("search-api")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: search}\nspec: {minReplicas: 3, maxReplicas: 30, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: search}}")
			bot, argo := p.service("finops/savings-bot", "kubernetes-client/python 33.1.0", ""), p.argoController().reacts(2*sec, 25*sec)
			argo.threeWay(t, t.object)
			p.every(20, 20*m, func(i int) {
				bot.get(t)
				bot.merge(t, `{"spec":{"maxReplicas":12}}`)
				p.sleep(3 * m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.maxReplicas"}, writers: []*actor{bot, argo}, winner: argo, mechanism: "patches", why: "A savings bot lowers a maximum that Argo CD puts back within minutes."})
		}},
		{"cost-tuned", "cost-control", 13, func(p *play) {
			p.in("search-web")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: search}\nspec: {minReplicas: 3, maxReplicas: 30, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: search}}")
			bot, argo := p.service("finops/savings-bot", "kubernetes-client/python 33.1.0", ""), p.argoController()
			argo.threeWay(t, t.object)
			stated := t.object
			p.every(16, 30*m, func(i int) {
				bot.get(t)
				bot.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"finops/monthly-cost":"%d"}}}`, 800+3*i))
				p.sleep(15 * m)
				stated = stated.with(fmt.Sprintf("r-%d", i), "metadata", "labels", "release")
				argo.threeWay(t, stated)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{bot, argo}, why: "A bot notes costs, Argo CD releases: patches of different fields in turn."})
		}},
		{"queue-suspends", "queueing", 1, func(p *play) {
			p.in("research")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/train:1}]}}}")
			kueue, op := p.operatorOf("kueue-system/kueue-controller-manager", "kueue").reacts(200*time.Millisecond, 1500*time.Millisecond), p.operatorOf("research/train-operator", "train-operator").reacts(200*time.Millisecond, 1500*time.Millisecond)
			op.create(t)
			p.every(9, 5*m, func(i int) {
				for range 4 {
					op.merge(t, `{"spec":{"suspend":false}}`)
					kueue.cached(t, func(o object) { o.set(true, "spec", "suspend") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.suspend"}, writers: []*actor{kueue, op}, winner: kueue, mechanism: "patch against full update", why: "The queue suspends a job without quota that its operator starts again."})
		}},
		{"queue-admits", "queueing", 10, func(p *play) {
			p.in("research-eu")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/train:1}]}}}")
			kueue, flow := p.operatorOf("kueue-system/kueue-controller-manager", "kueue"), p.service("research-eu/flow", "dagster/1.11 kubernetes-client/python", "")
			p.every(10, 45*m, func(i int) {
				flow.create(t)
				p.sleep(2 * m)
				kueue.cached(t, func(o object) { o.set(false, "spec", "suspend") })
				p.sleep(8 * m)
				flow.must(flow.send(http.MethodDelete, t.path(), "", background))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kueue, flow}, why: "A workflow makes a suspended job, the queue admits it, the workflow deletes it: each hour anew."})
		}},
		{"late-init", "composed", 2, func(p *play) {
			p.define("rds.example.io", "v1", "Tenant", "Cluster", "")
			t := p.thing("apiVersion: rds.example.io/v1\nkind: Tenant\nmetadata: {name: orders-db}\nspec: {forProvider: {storage: 20}}")
			xp, provider := p.service("crossplane-system/crossplane", "crossplane/v2.0 (linux/amd64)", "apiextensions.crossplane.io/composed"), p.operatorOf("crossplane-system/provider-rds", "provider").reacts(300*time.Millisecond, 4*sec)
			xp.apply(t, t.object)
			p.every(44, 65*sec, func(i int) {
				xp.apply(t, t.object)
				provider.cached(t, func(o object) { o.set(25, "spec", "forProvider", "storage") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.forProvider.storage"}, writers: []*actor{xp, provider}, winner: provider, mechanism: "full update against forced apply", why: "A provider writes the grown size of a database into the spec, the composition states the old one."})
		}},
		{"late-init-once", "composed", 6, func(p *play) {
			p.define("s3.example.io", "v1", "Tenant", "Cluster", "")
			t := p.thing("apiVersion: s3.example.io/v1\nkind: Tenant\nmetadata: {name: orders-bucket}\nspec: {forProvider: {}}")
			xp, provider := p.service("crossplane-system/crossplane", "crossplane/v2.0 (linux/amd64)", "apiextensions.crossplane.io/composed"), p.operatorOf("crossplane-system/provider-s3", "provider").reacts(300*time.Millisecond, 4*sec)
			xp.apply(t, t.object)
			provider.cached(t, func(o object) { o.set("eu-1", "spec", "forProvider", "region") })
			p.every(30, 10*m, func(i int) {
				xp.apply(t, t.object)
				if i%3 == 2 {
					provider.cached(t, func(o object) { o.set(p.now(), "metadata", "annotations", "provider/observed") })
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{xp, provider}, why: "The composition applies what is there; the provider notes now and then what it observed."})
		}},
		{"cron-scales-up", "event-scaling", 5, func(p *play) {
			p.in("ticks")
			t := p.deployment("consumer", 1)
			cron, keda := p.service("ticks/scale-cron", kubectlAgent, ""), p.service("keda/keda-operator", "keda/v2.18 (linux/amd64)", "").reacts(8*sec, 30*sec)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(16, 15*m, func(i int) {
				cron.kubectl("", "scale", "deployment", "consumer", "--replicas=10")
				keda.scale(t, 1)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{cron, keda}, winner: keda, mechanism: "scale", real: "kubectl is real", why: "A cron job scales a consumer up each quarter of an hour and KEDA scales it down by the length of its queue."})
		}},
		{"paused-by-hand", "event-scaling", 14, func(p *play) {
			p.in("ticks-eu")
			t := p.deployment("consumer", 1)
			human, keda := p.person("dave@example.com", kubectlAgent, "kubectl-annotate"), p.service("keda/keda-operator", "keda/v2.18 (linux/amd64)", "").reacts(8*sec, 30*sec)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(12, 65*m, func(i int) {
				human.kubectl("", "annotate", "--overwrite", "deployment", "consumer", fmt.Sprintf("incident=INC-%d", 200+i))
				keda.scale(t, []int{2, 6, 3, 9}[i%4]+i)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{human, keda}, real: "kubectl is real", why: "A human notes incidents while the autoscaler follows the load."})
		}},
		{"machines-replicas", "machine-sets", 3, func(p *play) {
			p.in("clusters")
			p.define("machines.example.com", "v1beta2", "MachineDeployment", "Namespaced", "")
			t := p.thing("apiVersion: machines.example.com/v1beta2\nkind: MachineDeployment\nmetadata: {name: workers}\nspec: {replicas: 3}")
			topology, ca := p.operatorOf("capi-system/capi-manager", "manager").reacts(sec, 9*sec), p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64)", "")
			topology.manager = "capi-topology"
			topology.apply(t, t.object)
			p.every(28, 4*m, func(i int) {
				ca.update(t, func(o object) { o.set(6, "spec", "replicas") })
				topology.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{topology, ca}, winner: topology, mechanism: "full update against forced apply", why: "The cluster's topology states a number of machines that the autoscaler raises."})
		}},
		{"machines-versions", "machine-sets", 8, func(p *play) {
			p.in("clusters-eu")
			p.define("machines.example.org", "v1beta2", "MachineDeployment", "Namespaced", "")
			t := p.thing("apiVersion: machines.example.org/v1beta2\nkind: MachineDeployment\nmetadata: {name: workers}\nspec: {version: v1}")
			topology, ca := p.operatorOf("capi-system/capi-manager", "manager").reacts(sec, 9*sec), p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64)", "")
			topology.manager = "capi-topology"
			topology.apply(t, t.object)
			p.every(15, 28*m, func(i int) {
				ca.update(t, func(o object) { o.set(4+i, "spec", "replicas") })
				topology.apply(t, t.object.with(fmt.Sprintf("v1.%d", i), "spec", "version"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{topology, ca}, why: "The topology states versions, the autoscaler counts machines."})
		}},
		{"roll-partitions", "stateful-roll", 12, func(p *play) {
			p.in("brokers")
			t := p.workload("StatefulSet", "broker", 3)
			ci, op := p.person("github-actions", "Helm/3.18.4", "helm"), p.operatorOf("brokers/broker-operator", "broker-operator").reacts(sec, 6*sec)
			ci.create(t)
			p.every(8, 80*m, func(i int) {
				ci.get(t)
				ci.strategic(t, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/broker:3.%d"}]}}}}`, i))
				for _, n := range []int{2, 1, 0, 3} {
					op.cached(t, func(o object) { o.set(n, "spec", "updateStrategy", "rollingUpdate", "partition") })
					p.sleep(2 * m)
				}
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{ci, op}, why: "Eight releases, each of which the operator rolls out pod by pod and then holds again."})
		}},
		{"roll-pods", "stateful-roll", 12, func(p *play) {
			p.in("brokers-eu")
			t := p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: broker-0}\nspec: {containers: [{name: c, image: registry.example.com/broker:1}]}")
			op, sts := p.operatorOf("brokers-eu/broker-operator", "broker-operator"), p.kcm("statefulset-controller")
			sts.create(t)
			p.every(9, 75*m, func(i int) {
				op.must(op.send(http.MethodDelete, t.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}`))
				t.object.set(fmt.Sprint(i), "metadata", "annotations", "broker/generation")
				sts.create(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{op, sts}, why: "The operator rolls a broker by deleting its pod; the StatefulSet makes it again with the new template."})
		}},
	}
}
