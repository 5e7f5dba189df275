package main

import (
	"fmt"
	"time"
)

// calmResources6 returns scenes without a fight over custom resources.
func calmResources6() []scene {
	return []scene{
		{"acme-challenges", "", 10, func(p *play) {
			p.in("public-certs")
			p.define("acme.example.io", "v1", "Challenge", "Namespaced", "")
			orders := p.service("cert-manager/cert-manager", "cert-manager-orders/v1.19.1 (linux/amd64) cert-manager", "cert-manager-orders")
			challenges := p.service("cert-manager/cert-manager", "cert-manager-challenges/v1.19.1 (linux/amd64) cert-manager", "cert-manager-challenges")
			solver := p.service("cert-manager/dns-solver", "dns-solver/v1 (linux/amd64) kubernetes/$Format", "")
			var all []*thing
			p.every(9, 55*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: acme.example.io/v1\nkind: Challenge\nmetadata: {name: www-%d}\nspec: {dnsName: www%d.example.com, token: t%d}", i, i, i))
				all = append(all, t)
				orders.create(t)
				challenges.merge(t, `{"metadata":{"finalizers":["acme.example.io/finalizer"]}}`)
				challenges.mergeStatus(t, `{"status":{"presented":true,"state":"pending"}}`)
				solver.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"dns-solver.example.com/record":"rec-%d"}}}`, i))
				p.sleepBetween(20*sec, 2*m)
				challenges.mergeStatus(t, `{"status":{"presented":false,"state":"valid"}}`)
				orders.delete(t)
				challenges.merge(t, `{"metadata":{"finalizers":null}}`)
			})
			p.lookalike(what{things: all, writers: []*actor{orders, challenges, solver}, why: "Each certificate has a challenge of its own, which is solved and deleted."})
		}},
		{"canary-analysis", "", 8, func(p *play) {
			p.in("podinfo-prod")
			p.define("flagger.example.io", "v1beta1", "Canary", "Namespaced", "")
			t := p.thing("apiVersion: flagger.example.io/v1beta1\nkind: Canary\nmetadata: {name: podinfo}\nspec: {targetRef: {name: podinfo}, analysis: {maxWeight: 50, stepWeight: 10}}")
			flux, flagger, tester := p.fluxController(), p.service("flagger-system/flagger", "flagger/1.41 (linux/amd64) kubernetes/$Format", ""), p.service("flagger-system/loadtester", "loadtester/0.36 Go-http-client", "")
			flux.flux(t.object)
			p.every(5, 80*m, func(i int) {
				flux.flux(t.object.with(fmt.Sprintf("rev-%d", i), "metadata", "labels", "revision"))
				for weight := 0; weight <= 50; weight += 10 {
					flagger.updateStatus(t, func(o object) {
						o.set(weight, "status", "canaryWeight").set("Progressing", "status", "phase")
					})
					p.sleep(m)
				}
				tester.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"loadtester.example.com/run":"%d"}}}`, i))
				flagger.updateStatus(t, func(o object) { o.set(0, "status", "canaryWeight").set("Succeeded", "status", "phase") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, flagger, tester}, real: "Flux's apply is its library", why: "Each of five releases goes through the same weights in the status, which one controller writes."})
		}},
		{"node-claims", "", 8, func(p *play) {
			p.define("karpenter.example.io", "v1", "NodeClaim", "Cluster", "")
			karp, life, ccm := p.service("karpenter/karpenter", "karpenter.provisioning/v1.8 (linux/amd64) kubernetes/$Format", ""), p.service("karpenter/karpenter", "karpenter.lifecycle/v1.8 (linux/amd64) kubernetes/$Format", ""), p.person("system:cloud-controller-manager", "aws-cloud-controller-manager/v1.34 (linux/amd64) kubernetes/$Format", "")
			var all []*thing
			p.every(12, 20*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: karpenter.example.io/v1\nkind: NodeClaim\nmetadata: {name: default-%04x}\nspec: {requirements: [{key: arch, values: [amd64]}]}", 40503*(i+1)%65536))
				all = append(all, t)
				karp.create(t)
				life.merge(t, `{"metadata":{"finalizers":["karpenter.example.io/termination"]}}`)
				life.mergeStatus(t, fmt.Sprintf(`{"status":{"providerID":"aws:///i-%d","conditions":[{"type":"Launched","status":"True"}]}}`, i))
				p.sleepBetween(30*sec, m)
				life.mergeStatus(t, `{"status":{"conditions":[{"type":"Launched","status":"True"},{"type":"Registered","status":"True"}]}}`)
				ccm.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"example.io/instance":"i-%d"}}}`, i))
				if i > 3 {
					karp.delete(all[i-4])
					life.merge(all[i-4], `{"metadata":{"finalizers":null}}`)
				}
			})
			p.lookalike(what{things: all, writers: []*actor{karp, life, ccm}, why: "Nodes are claimed, launched, registered and released, each under a new name."})
		}},
		{"backups-scheduled", "", 10, func(p *play) {
			p.in("backup-system")
			p.define("velero.example.net", "v1", "Backup", "Namespaced", "")
			schedule, velero := p.service("backup-system/velero", "velero-server/v1.17 schedule", ""), p.service("backup-system/velero", "velero-server/v1.17 backup", "").reacts(sec, 9*sec)
			dave := p.person("dave@example.com", kubectlAgent, "kubectl-label")
			var all []*thing
			p.every(11, 50*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: velero.example.net/v1\nkind: Backup\nmetadata: {name: hourly-%02d}\nspec: {ttl: 4h}", i))
				all = append(all, t)
				schedule.create(t)
				for _, phase := range []string{"InProgress", "Finalizing", "Completed"} {
					velero.mergeStatus(t, `{"status":{"phase":"`+phase+`"}}`)
					p.sleepBetween(10*sec, m)
				}
				if i%5 == 2 {
					dave.kubectl("", "label", "backup", t.id, "keep=true")
				} else if i > 3 {
					velero.delete(all[i])
				}
			})
			p.lookalike(what{things: all, writers: []*actor{schedule, velero, dave}, real: "kubectl is real", why: "Each backup goes through its phases, an engineer marks two of them, others are deleted."})
		}},
		{"composed-bucket", "", 5, func(p *play) {
			p.in("crossplane-s3")
			p.define("s3.aws.example.io", "v1beta1", "Bucket", "Namespaced", "")
			t := p.thing("apiVersion: s3.aws.example.io/v1beta1\nkind: Bucket\nmetadata: {name: exports}\nspec: {forProvider: {region: eu-west-1, lifecycleDays: 30}}")
			xr, provider := p.service("crossplane-system/crossplane", "crossplane/v2.0.2 (linux/amd64) kubernetes/$Format", "apiextensions.crossplane.io/composed/exports"), p.service("crossplane-system/provider-aws-s3", "provider-aws-s3/v2.1 (linux/amd64) kubernetes/$Format", "")
			xr.apply(t, t.object)
			p.together(4*time.Hour, beat{4 * m, func(i int) {
				xr.apply(t, t.object.with(30+10*(i/12), "spec", "forProvider", "lifecycleDays"))
			}}, beat{10 * m, func(i int) {
				provider.updateStatus(t, func(o object) { o.set(p.now(), "status", "lastSync") })
				if i%4 == 0 {
					provider.update(t, func(o object) {
						o.set(fmt.Sprintf("exports-%d", i), "metadata", "annotations", "crossplane.example.io/external-create-succeeded")
					})
				}
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{xr, provider}, why: "A composition applies its spec every four minutes, mostly without a change, the provider reports and notes."})
		}},
		{"topic-partitions", "", 9, func(p *play) {
			p.in("event-topics")
			p.define("streams.example.io", "v1", "KafkaTopic", "Namespaced", "")
			t := p.thing("apiVersion: streams.example.io/v1\nkind: KafkaTopic\nmetadata: {name: clicks}\nspec: {partitions: 3, config: {retention.ms: '86400000'}}")
			flux, op, alice := p.fluxController(), p.service("event-topics/topic-operator", "topic-operator/0.48 fabric8-kubernetes-client", "").reacts(sec, 8*sec), p.person("alice@example.com", kubectlAgent, "kubectl-annotate")
			flux.flux(t.object)
			for i, n := range []int{6, 9, 12, 24, 36, 48} {
				p.sleep(70 * m)
				flux.flux(t.object.with(n, "spec", "partitions"))
				op.updateStatus(t, func(o object) { o.set(o.value("metadata", "generation"), "status", "observedGeneration") })
				alice.kubectl("", "annotate", "--overwrite", "kafkatopic", t.id, fmt.Sprintf("load-test=run-%d", i))
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, op, alice}, real: "kubectl is real; Flux's apply is its library", why: "A topic grows with each change in Git, its operator reports, an engineer notes the load tests."})
		}},
		{"tuned-trigger", "", 5, func(p *play) {
			p.in("mail-worker")
			p.define("scaling.example.io", "v1alpha1", "ScaledObject", "Namespaced", "")
			t := p.thing("apiVersion: scaling.example.io/v1alpha1\nkind: ScaledObject\nmetadata: {name: mail-worker}\nspec: {triggers: [{type: rabbitmq, metadata: {value: '20'}}]}")
			alice, frank, keda := p.person("alice@example.com", kubectlAgent, "kubectl-patch"), p.person("frank@example.com", kubectlAgent, "kubectl-patch"), p.service("keda/keda-operator", "keda/2.18 (linux/amd64) kubernetes/$Format", "").reacts(sec, 6*sec)
			alice.create(t)
			for i, value := range []int{50, 80, 65, 70, 75, 72} {
				p.sleep(25 * m)
				[]*actor{alice, frank}[i%2].kubectl("", "patch", "scaledobject", t.id, "--type=merge", "-p", fmt.Sprintf(`{"spec":{"triggers":[{"type":"rabbitmq","metadata":{"value":"%d"}}]}}`, value))
				keda.mergeStatus(t, `{"status":{"lastActiveTime":"`+p.now()+`"}}`)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, frank, keda}, real: "kubectl is real", why: "Two engineers look for the right threshold in turn, each time with a new value."})
		}},
		{"switchover-requested", "", 6, func(p *play) {
			p.in("ledger-pg")
			p.define("ha.example.io", "v1", "PatroniCluster", "Namespaced", "")
			t := p.thing("apiVersion: ha.example.io/v1\nkind: PatroniCluster\nmetadata: {name: ledger}\nspec: {instances: 3}")
			dave, op := p.person("dave@example.com", kubectlAgent, "kubectl-patch"), p.service("ledger-pg/patroni-operator", "patroni-operator/3.0 (linux/amd64) kubernetes/$Format", "").reacts(2*sec, 25*sec)
			op.create(t)
			p.every(8, 30*m, func(i int) {
				target := fmt.Sprintf("ledger-%d", i%3)
				dave.kubectl("", "patch", "patronicluster", t.id, "--type=merge", "-p", `{"spec":{"switchover":{"target":"`+target+`"}}}`)
				op.update(t, func(o object) { delete(o.at("spec"), "switchover") })
				op.updateStatus(t, func(o object) { o.set(target, "status", "primary") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{dave, op}, real: "kubectl is real", why: "An engineer requests a switchover before each maintenance, the operator performs it and removes the request."})
		}},
		{"stored-versions", "", 5, func(p *play) {
			p.in("inventory-crs")
			p.define("stock.example.io", "v1", "Warehouse", "Namespaced", "")
			migrator, op := p.service("kube-system/storage-version-migrator", "migrator/v0.0.5 (linux/amd64) kubernetes/$Format", ""), p.service("inventory-crs/stock-operator", "stock-operator/v4 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, sec)
			var all []*thing
			for i := range 5 {
				t := p.thing(fmt.Sprintf("apiVersion: stock.example.io/v1\nkind: Warehouse\nmetadata: {name: site-%d}\nspec: {shelves: %d}", i, 10*i+10))
				all = append(all, t)
				op.create(t)
			}
			p.every(6, 40*m, func(n int) {
				for _, t := range all {
					migrator.update(t, func(object) {})
				}
				for i, t := range all {
					op.update(t, func(o object) { o.set(10*i+10+n, "spec", "shelves") })
				}
			})
			p.lookalike(what{things: all, writers: []*actor{migrator, op}, why: "A migrator writes each object again without a change, the operator grows them."})
		}},
		{"adopted-databases", "", 4, func(p *play) {
			p.in("db-move")
			p.define("mysql.example.io", "v1", "MySQL", "Namespaced", "")
			old, young := p.service("mysql-legacy/mysql-operator", "mysql-operator/v0.6 (linux/amd64) kubernetes/$Format", ""), p.service("mysql-system/mysql-operator", "mysql-operator/v1.0 (linux/amd64) kubernetes/$Format", "").reacts(sec, 20*sec)
			var all []*thing
			owner := func(kind string) []any {
				return []any{map[string]any{"apiVersion": "mysql.example.io/v1", "kind": kind, "name": "fleet", "uid": "5ab1a0f4-0d4b-4f4e-9f6a-3a0d3e6f2c1" + fmt.Sprint(len(kind)%10), "controller": true}}
			}
			for i := range 6 {
				t := p.thing(fmt.Sprintf("apiVersion: mysql.example.io/v1\nkind: MySQL\nmetadata: {name: db-%d, labels: {operator: legacy}}\nspec: {size: 1}", i))
				t.object.set(owner("Fleet"), "metadata", "ownerReferences")
				all = append(all, t)
				old.create(t)
				old.mergeStatus(t, `{"status":{"ready":true}}`)
			}
			for _, t := range all {
				p.sleep(25 * m)
				old.update(t, func(o object) {
					delete(o.at("metadata"), "ownerReferences")
					delete(o.at("metadata", "labels"), "operator")
				})
				young.update(t, func(o object) {
					o.set(owner("ClusterFleet"), "metadata", "ownerReferences").set("v1", "metadata", "labels", "operator")
				})
				young.mergeStatus(t, `{"status":{"ready":true,"managedBy":"v1"}}`)
			}
			p.lookalike(what{things: all, writers: []*actor{old, young}, why: "An old operator releases six databases one after the other, and the new one adopts each."})
		}},
		{"listener-sets", "", 8, func(p *play) {
			p.in("shared-gateway")
			p.define("gateway.example.net", "v1", "Gateway", "Namespaced", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {listeners: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], x-kubernetes-preserve-unknown-fields: true, properties: {name: {type: string}}}}}}")
			t := p.thing("apiVersion: gateway.example.net/v1\nkind: Gateway\nmetadata: {name: public}\nspec: {gatewayClassName: envoy}")
			shop, blog := p.service("shop-routes/route-operator", "route-operator/v1 (linux/amd64) kubernetes/$Format", "shop-routes"), p.service("blog-routes/route-operator", "route-operator/v1 (linux/amd64) kubernetes/$Format", "blog-routes").reacts(500*time.Millisecond, 5*sec)
			shop.apply(t, t.object)
			listener := func(name, host string, port int) object {
				return parse(fmt.Sprintf("apiVersion: gateway.example.net/v1\nkind: Gateway\nmetadata: {name: public, namespace: shared-gateway}\nspec: {listeners: [{name: %s, hostname: %s, port: %d}]}", name, host, port))
			}
			p.every(12, 35*m, func(i int) {
				shop.apply(t, listener("shop", fmt.Sprintf("shop%d.example.com", i%2), 443))
				blog.apply(t, listener("blog", "blog.example.com", 8443+i%3))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{shop, blog}, toggles: true, why: "Two operators apply a listener each; the list is keyed by name."})
		}},
		{"managed-clusters", "", 4, func(p *play) {
			p.define("fleet.example.io", "v1", "ManagedCluster", "Cluster", "")
			t := p.thing("apiVersion: fleet.example.io/v1\nkind: ManagedCluster\nmetadata: {name: store-0417}\nspec: {hubAcceptsClient: true}")
			hub, agent := p.service("fleet-hub/registration-controller", "registration/v1.0 hub", ""), p.service("fleet-hub/store-0417", "registration/v1.0 agent", "").reacts(5*sec, 30*sec)
			hub.create(t)
			available := func(a *actor, value string) {
				a.updateStatus(t, func(o object) {
					o.set([]any{map[string]any{"type": "Available", "status": value, "lastTransitionTime": p.now()}}, "status", "conditions")
				})
			}
			for range 4 { // the line to the store is cut for some minutes
				p.every(6, 5*m, func(int) { available(agent, "True") })
				p.sleep(12 * m)
				available(hub, "Unknown")
				p.sleep(8 * m)
			}
			available(agent, "True")
			p.lookalike(what{things: []*thing{t}, writers: []*actor{hub, agent}, why: "An agent reports that its cluster is available, the hub notes in the status when the agent is silent."})
		}},
	}
}
