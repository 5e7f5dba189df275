package main

import (
	"fmt"
	"time"
)

// calmOperators5 returns scenes without a fight in which operators, tools for
// secrets and policy engines work together.
func calmOperators5() []scene {
	return []scene{
		{"short-certificates", "", 12, func(p *play) {
			p.in("grpc-edge")
			cert := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: grpc-tls}\ntype: Opaque\ndata: {tls.crt: " + b64("c", 0) + "}")
			ca := p.config("ca-roots", map[string]any{"ca.crt": "root-0"})
			d := p.deployment("grpc-edge", 2)
			cm, trust, reloader, argo := p.service("cert-manager/cert-manager", "cert-manager-certificates-issuing/v1.19.1 (linux/amd64) cert-manager", "cert-manager-certificates-issuing"), p.service("cert-manager/trust-manager", "trust-manager/v0.19 (linux/amd64) kubernetes/$Format", "trust-manager"), p.operatorOf("reloader/reloader", "Reloader"), p.argoController()
			cm.create(cert)
			trust.create(ca)
			argo.threeWay(d, d.object)
			p.every(10, time.Hour, func(i int) {
				cm.apply(cert, parse(fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: grpc-tls, namespace: grpc-edge, annotations: {cert-manager.io/revision: '%d'}}\ndata: {tls.crt: %s}", i+2, b64("c", i+1))))
				reloader.strategic(d, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"reloader.stakater.com/last-reloaded-from":"%x"}}}}}`, 7919*(i+1)))
				if i%4 == 3 {
					trust.apply(ca, parse(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ca-roots, namespace: grpc-edge}\ndata: {ca.crt: root-%d}", i)))
				}
				p.sleepBetween(m, 20*m)
				argo.threeWay(d, d.object)
				argo.merge(cert, fmt.Sprintf(`{"metadata":{"labels":{"refreshed":"%d"}}}`, i/2))
			})
			p.lookalike(what{things: []*thing{cert, ca, d}, writers: []*actor{cm, trust, reloader, argo}, why: "A short-lived certificate is renewed each hour and its consumer restarted; Argo CD leaves the hash alone."})
		}},
		{"secrets-refreshed", "", 9, func(p *play) {
			p.in("ledger-db")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: ledger-db}\ntype: Opaque\ndata: {password: " + b64("p", 0) + "}")
			eso, argo, scan := p.service("external-secrets/external-secrets", "external-secrets/v0.20 (linux/amd64) kubernetes/$Format", "externalsecrets.external-secrets.io/ledger-db"), p.argoController(), p.service("security/secret-scanner", "secret-scanner/1.0 node-fetch", "")
			eso.create(t)
			p.together(8*time.Hour, beat{20 * m, func(i int) {
				eso.update(t, func(o object) {
					o.set(b64("p", i/2+1), "data", "password").set(fmt.Sprint(i/2+1), "metadata", "annotations", "reconcile.external-secrets.io/data-hash")
				})
			}}, beat{45 * m, func(i int) {
				argo.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"argocd.example.com/revision":"r%d"}}}`, i))
			}}, beat{30 * m, func(i int) {
				scan.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"scanner.example.com/age":"%dm"}}}`, 30*i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{eso, argo, scan}, why: "External Secrets copies a password that rotates in the vault, two tools note things of their own."})
		}},
		{"dynamic-credentials", "", 8, func(p *play) {
			p.in("analytics-api")
			s := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: pg-dynamic}\ntype: Opaque\ndata: {username: " + b64("v-token", 0) + "}")
			d := p.deployment("analytics-api", 3)
			vso, hpa, helm := p.service("vault-secrets-operator/vso", "vault-secrets-operator/v1.0 (linux/amd64) kubernetes/$Format", ""), p.autoscaler(), p.person("ci-bot", "Helm/3.20.1", "")
			vso.create(s)
			chart := func(i int) string {
				o := d.object.without("spec", "replicas")
				setImage(o, tagged("analytics-api", i))
				return p.chart(fmt.Sprintf("analytics-%d", i), map[string]string{"d.yaml": o.yaml()})
			}
			helm.helm("3", "install", "analytics", chart(0))
			p.every(12, 35*m, func(i int) {
				vso.update(s, func(o object) { o.set(b64("v-token", i+1), "data", "username") })
				vso.strategic(d, `{"spec":{"template":{"metadata":{"annotations":{"vso.secrets.hashicorp.com/restartedAt":"`+p.now()+`"}}}}}`)
				hpa.scale(d, 2+(i*5)%7)
				if i%4 == 3 {
					p.sleep(5 * m)
					helm.helm("3", "upgrade", "analytics", chart(i))
				}
			})
			p.lookalike(what{things: []*thing{s, d}, writers: []*actor{vso, hpa, helm}, real: "Helm 3 is real", why: "Credentials rotate and restart a deployment that an autoscaler scales and a pipeline releases, each by its own fields."})
		}},
		{"balancers-provisioned", "", 8, func(p *play) {
			p.in("preview-77")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: web-lb}\nspec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80, nodePort: 31877}]}")
			ci, ccm, dns := p.person("github-actions", kubectlAgent, "kubectl-create"), p.person("system:cloud-controller-manager", "aws-cloud-controller-manager/v1.34 (linux/amd64) kubernetes/$Format", "").reacts(sec, 40*sec), p.service("preview-tools/dns-note", "dns-note/1 (linux/amd64)", "dns-note")
			const fin = "service.example.io/load-balancer-cleanup"
			p.every(6, 70*m, func(i int) {
				ci.kubectl(t.object.yaml(), "create", "-f", "-")
				ccm.strategic(t, `{"metadata":{"finalizers":["`+fin+`"]}}`)
				ccm.strategicStatus(t, fmt.Sprintf(`{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.%d"}]}}}`, 60+i))
				dns.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"dns-note.example.com/ip":"192.0.2.%d"}}}`, 60+i))
				p.sleep(8 * m)
				ci.kubectl("", "delete", "--wait=false", "service", t.id)
				ccm.merge(t, `{"metadata":{"finalizers":null}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, ccm, dns}, real: "kubectl is real", why: "A preview's balancer is made, protected, used, deleted and released, six times under one name."})
		}},
		{"label-sharded", "", 7, func(p *play) {
			p.in("tenants-db")
			t := p.thing("apiVersion: db.example.io/v1\nkind: TenantDatabase\nmetadata: {name: acme, labels: {shard: blue}}\nspec: {size: 3}")
			p.define("db.example.io", "v1", "TenantDatabase", "Namespaced", "")
			admin := p.person("kubernetes-admin", kubectlAgent, "kubectl-label")
			blue, green := p.service("db-blue/db-operator", "db-operator/v3.1 (linux/amd64) kubernetes/$Format", ""), p.service("db-green/db-operator", "db-operator/v3.2 (linux/amd64) kubernetes/$Format", "")
			admin.kubectl(t.object.yaml(), "create", "-f", "-")
			n := 0
			for i, op := range []*actor{blue, green, blue, green} {
				admin.kubectl("", "label", "--overwrite", "tenantdatabase", t.id, "shard="+[]string{"blue", "green"}[i%2])
				p.every(7, 12*m, func(int) {
					n++
					op.update(t, func(o object) {
						o.set(op.agent[:16], "metadata", "annotations", "db.example.io/operator").set(fmt.Sprint(n), "metadata", "annotations", "db.example.io/checkpoint")
					})
				})
				p.sleep(5 * m)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{admin, blue, green}, real: "kubectl is real", why: "An administrator moves a database between two operators three times; each works only while the label names it."})
		}},
		{"generated-copies", "", 9, func(p *play) {
			p.in("platform-config")
			source := p.config("proxy-settings", map[string]any{"no_proxy": ".svc"})
			alice, kyverno, argo := p.person("alice@example.com", kubectlAgent, "kubectl-patch"), p.service("kyverno/kyverno-background-controller", "background-controller/v1.15 (linux/amd64) kubernetes/$Format", ""), p.argoController()
			alice.kubectl(source.object.yaml(), "create", "-f", "-")
			all := []*thing{source}
			for i := range 4 {
				c := p.thing(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: proxy-settings, namespace: app-%d-clone}\ndata: {no_proxy: .svc}", i))
				kyverno.create(c)
				all = append(all, c)
			}
			p.every(10, 48*m, func(i int) {
				value := []string{".svc,.corp", ".svc"}[i%2]
				alice.kubectl("", "patch", "configmap", source.id, "--type=merge", "-p", `{"data":{"no_proxy":"`+value+`"}}`)
				for _, c := range all[1:] {
					kyverno.update(c, func(o object) { o.set(value, "data", "no_proxy") })
				}
				p.sleep(6 * m)
				for _, c := range all[1:3] {
					argo.strategic(c, fmt.Sprintf(`{"metadata":{"labels":{"sync-wave":"%d"}}}`, i))
				}
			})
			p.lookalike(what{things: all, writers: []*actor{alice, kyverno, argo}, toggles: true, real: "kubectl is real", why: "A policy copies a config map that one engineer changes back and forth; Argo CD labels some copies."})
		}},
		{"fenced-for-backup", "", 11, func(p *play) {
			p.in("erp-db")
			p.define("pg.example.io", "v1", "Cluster", "Namespaced", "")
			t := p.thing("apiVersion: pg.example.io/v1\nkind: Cluster\nmetadata: {name: erp}\nspec: {instances: 3, fenced: false}")
			k10, cnpg := p.service("kasten-io/k10-k10", "executor/8.0 Go-http-client/2.0", "k10"), p.service("cnpg-system/cnpg-manager", "manager/v1.27 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 5*sec)
			cnpg.create(t)
			p.every(10, time.Hour, func(i int) {
				k10.merge(t, `{"spec":{"fenced":true}}`)
				cnpg.updateStatus(t, func(o object) { o.set("fenced", "status", "phase") })
				p.sleepBetween(m, 4*m)
				k10.merge(t, `{"spec":{"fenced":false}}`)
				cnpg.updateStatus(t, func(o object) { o.set("healthy", "status", "phase") })
				cnpg.update(t, func(o object) { o.set(fmt.Sprintf("wal-%d", i), "metadata", "annotations", "pg.example.io/wal") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{k10, cnpg}, toggles: true, why: "A backup fences a database and releases it itself, the operator reports the phase."})
		}},
		{"rolling-requested", "", 10, func(p *play) {
			p.in("events-kafka")
			p.define("strimzi.example.io", "v1", "PodSet", "Namespaced", "")
			t := p.thing("apiVersion: strimzi.example.io/v1\nkind: PodSet\nmetadata: {name: brokers, annotations: {strimzi.example.io/generation: '1'}}\nspec: {pods: 3}")
			carol, op := p.person("carol@example.com", kubectlAgent, "kubectl-annotate"), p.operatorOf("strimzi/strimzi-cluster-operator", "strimzi-cluster-operator")
			op.create(t)
			p.every(8, 65*m, func(i int) {
				carol.kubectl("", "annotate", "--overwrite", "podset", t.id, "strimzi.io/manual-rolling-update=true")
				p.sleepBetween(m, 9*m)
				op.update(t, func(o object) {
					delete(o.at("metadata", "annotations"), "strimzi.io/manual-rolling-update")
					o.set(p.now(), "metadata", "annotations", "strimzi.example.io/rolled")
				})
				op.updateStatus(t, func(o object) { o.set(i+1, "status", "rolls") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{carol, op}, real: "kubectl is real", why: "An engineer asks for rolling restarts by an annotation, which the operator removes when it has done what it says."})
		}},
		{"secret-copies", "", 9, func(p *play) {
			p.in("vault-source")
			rotator, mirror, tf := p.service("vault-source/rotator", "rotator/0.5 (linux/amd64) kubernetes/$Format", ""), p.operatorOf("mittwald/replicator", "replicator"), p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", "Terraform")
			text := func(ns string) string {
				return "apiVersion: v1\nkind: Secret\nmetadata: {name: smtp, namespace: " + ns + "}\ntype: Opaque\ndata: {password: " + b64("smtp", 0) + "}"
			}
			all := []*thing{p.thing(text("vault-source")), p.thing(text("mail-a")), p.thing(text("mail-b")), p.thing(text("mail-c"))}
			for i, t := range all {
				[]*actor{rotator, mirror, mirror, tf}[i].create(t)
			}
			p.every(9, 50*m, func(i int) {
				rotator.update(all[0], func(o object) { o.set(b64("smtp", i+1), "data", "password") })
				for _, t := range all[1:] {
					mirror.update(t, func(o object) { o.set(b64("smtp", i+1), "data", "password") })
				}
				p.sleep(10 * m)
				tf.merge(all[3], fmt.Sprintf(`{"metadata":{"annotations":{"terraform.example.com/run":"run-%d"}}}`, 900+i))
			})
			p.lookalike(what{things: all, writers: []*actor{rotator, mirror, tf}, why: "A replicator copies each rotated password, Terraform notes its runs on one copy."})
		}},
		{"machine-phases", "", 8, func(p *play) {
			p.in("capi")
			p.define("capi.example.io", "v1", "Machine", "Namespaced", "")
			t := p.thing("apiVersion: capi.example.io/v1\nkind: Machine\nmetadata: {name: cp-0}\nspec: {version: v1.33.0, phase: Running}")
			dave := p.person("dave@example.com", kubectlAgent, "kubectl-patch")
			upgrade, drain, node := p.service("capi/control-plane", "manager/kcp-v1.11 (linux/amd64) kubernetes/$Format", ""), p.service("capi/drainer", "drainer/v1.11 (linux/amd64) kubernetes/$Format", ""), p.service("capi/infra", "manager/infra-v2 (linux/amd64) kubernetes/$Format", "")
			dave.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(9, 40*m, func(i int) {
				dave.kubectl("", "patch", "machine", t.id, "--type=merge", "-p", fmt.Sprintf(`{"spec":{"version":"v1.33.%d"}}`, i+1))
				for k, a := range []*actor{upgrade, drain, node} {
					p.sleepBetween(5*sec, 2*m)
					a.update(t, func(o object) { o.set([]string{"Draining", "Upgrading", "Running"}[k], "spec", "phase") })
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{dave, upgrade, drain, node}, real: "kubectl is real", why: "Each new version takes a machine through the phases of its life, and each phase has its controller."})
		}},
		{"quota-market", "", 6, func(p *play) {
			p.in("shared-gpu")
			t := p.thing("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: gpus}\nspec: {hard: {requests.nvidia.com/gpu: '40'}}")
			a, b, quota := p.service("market/bidder-nlp", "bidder/2.0 (linux/amd64) kubernetes/$Format", ""), p.service("market/bidder-vision", "bidder/2.0 (linux/amd64) kubernetes/$Format", ""), p.kcm("resourcequota-controller")
			a.create(t)
			n := 40
			bid := func(w *actor) func(int) {
				return func(int) {
					n++
					w.merge(t, fmt.Sprintf(`{"spec":{"hard":{"requests.nvidia.com/gpu":"%d"}}}`, n))
					quota.updateStatus(t, func(o object) {
						o.set(map[string]any{"requests.nvidia.com/gpu": fmt.Sprint(n)}, "status", "hard")
					})
				}
			}
			p.together(4*time.Hour, beat{15 * m, bid(a)}, beat{16 * m, bid(b)})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b, quota}, why: "Two bidders raise one quota in turn, by one card each time; no value comes back."})
		}},
	}
}
