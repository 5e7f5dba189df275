package main

import (
	"fmt"
	"net/http"
	"time"
)

// calmPlatforms3 returns scenes without a fight: writes by Kubernetes itself
// and by operators.
func calmPlatforms3() []scene {
	return []scene{
		{"ingress-election", "", 3, func(p *play) {
			p.in("ingress-nginx")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: ingress-nginx-leader}\nspec: {leaseDurationSeconds: 30, leaseTransitions: 0}")
			const agent = "nginx-ingress-controller/v1.13 (linux/amd64)"
			a, b := p.replica("ingress-nginx/ingress-nginx", "ingress-nginx-controller-5f7-aaaaa", agent, ""), p.replica("ingress-nginx/ingress-nginx", "ingress-nginx-controller-5f7-bbbbb", agent, "")
			a.create(t)
			for round := range 6 { // the node of the leader is drained now and then
				who, name := a, "a"
				if round%2 == 1 {
					who, name = b, "b"
				}
				p.every(22, 60*sec, func(i int) {
					who.update(t, func(o object) {
						o.set("ingress-nginx-controller-5f7-"+name, "spec", "holderIdentity").set(p.micro(), "spec", "renewTime").set(round, "spec", "leaseTransitions")
					})
				})
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two replicas of an ingress controller hold its lease in turn while nodes are drained."})
		}},
		{"certificate-reload", "", 12, func(p *play) {
			p.in("portal")
			t := p.deployment("portal", 2)
			secret := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: portal-tls}\ntype: kubernetes.io/tls\ndata: {tls.crt: '" + b64("crt", 0) + "', tls.key: '" + b64("key", 0) + "'}")
			flux, cm, reloader := p.fluxController(), p.service("cert-manager/cert-manager", "cert-manager-certificates-issuing/v1.18 (linux/amd64) cert-manager", "cert-manager-certificates-issuing"), p.service("reloader/reloader", "Reloader/v1.4 (linux/amd64)", "").reacts(300*time.Millisecond, 2*sec)
			flux.flux(t.object)
			cm.apply(secret, secret.object)
			p.together(11*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{57 * m, func(i int) {
				cm.apply(secret, secret.object.with(b64("crt", i+1), "data", "tls.crt").with(b64("key", i+1), "data", "tls.key"))
				reloader.update(t, func(o object) {
					o.set(fmt.Sprintf("hash-%d", i), "spec", "template", "metadata", "annotations", "reloader.stakater.com/last-reloaded-from")
				})
			}})
			p.lookalike(what{things: []*thing{t, secret}, writers: []*actor{flux, cm, reloader}, real: realFlux, why: "Short-lived certificates are renewed each hour, and a reloader restarts the pods that use them."})
		}},
		{"token-refresh", "", 8, func(p *play) {
			p.in("feed")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: registry-token}\ndata: {token: '" + b64("t", 0) + "'}")
			eso, argo := p.operatorOf("external-secrets/external-secrets", "external-secrets"), p.argoController()
			eso.create(t)
			p.together(7*time.Hour, beat{15 * m, func(i int) {
				eso.update(t, func(o object) { o.set(b64("t", i+1), "data", "token") })
			}}, beat{65 * m, func(i int) {
				argo.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: registry-token, namespace: feed, labels: {release: '%s'}}", version(i))))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{eso, argo}, why: "External Secrets writes a new token each quarter of an hour; Argo CD only labels the secret."})
		}},
		{"soft-taints", "", 11, func(p *play) {
			t := p.node("ip-10-9-2-41")
			kubelet, ca := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64)", "")
			kubelet.create(t)
			p.together(10*time.Hour, beat{5 * m, func(int) {
				kubelet.strategicStatus(t, fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":%q}]}}`, p.now()))
			}}, beat{37 * m, func(i int) {
				ca.update(t, func(o object) {
					o.at("spec")["taints"] = nil
					if i%2 == 0 {
						o.at("spec")["taints"] = []any{map[string]any{"key": "DeletionCandidateOfClusterAutoscaler", "value": fmt.Sprint(p.clock.time().Unix()), "effect": "PreferNoSchedule"}}
					}
				})
			}})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{kubelet, ca}, why: "The autoscaler marks a node when it is little used, and takes the mark back when it is busy."})
		}},
		{"backup-runs", "", 14, func(p *play) {
			p.in("vault")
			p.define("backup.example.io", "v1", "BackupRun", "Namespaced", "")
			t := p.thing("apiVersion: backup.example.io/v1\nkind: BackupRun\nmetadata: {name: adhoc}\nspec: {target: vault-0}")
			dave, op := p.person("dave@example.com", kubectlAgent, "kubectl-create"), p.operatorOf("backup/backup-operator", "backup-operator")
			text := t.object.yaml()
			p.every(7, 95*m, func(i int) {
				dave.kubectl(text, "create", "-f", "-")
				op.cached(t, func(o object) { o.set([]any{"backup.example.io/cleanup"}, "metadata", "finalizers") })
				p.sleep(4 * m)
				op.mergeStatus(t, fmt.Sprintf(`{"status":{"phase":"Done","bytes":%d}}`, 1000+i))
				p.sleep(9 * m)
				dave.kubectl("", "delete", "backuprun", "adhoc", "--wait=false")
				op.cached(t, func(o object) { delete(o.at("metadata"), "finalizers") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{dave, op}, real: "kubectl is real", why: "An engineer makes a backup under the usual name and deletes the request; the operator holds it by a finalizer until it has cleaned up."})
		}},
		{"tenant-conflicts", "", 5, func(p *play) {
			p.in("saas")
			p.define("saas.example.io", "v1", "Customer", "Namespaced", "")
			t := p.thing("apiVersion: saas.example.io/v1\nkind: Customer\nmetadata: {name: acme}\nspec: {seats: 10}")
			billing, quota := p.operatorOf("saas/billing-operator", "billing-operator"), p.operatorOf("saas/quota-operator", "quota-operator")
			billing.create(t)
			p.every(34, 8*m, func(i int) {
				stale := quota.get(t)
				billing.update(t, func(o object) { o.set(version(i), "metadata", "annotations", "billing/period") })
				quota.send(http.MethodPut, t.path(), "", stale.with(100+i, "spec", "storage"))
				quota.update(t, func(o object) { o.set(100+i, "spec", "storage") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{billing, quota}, why: "Two operators change fields of their own, collide, and repeat the refused update."})
		}},
		{"cluster-conditions", "", 6, func(p *play) {
			p.in("fleet")
			p.define("cluster.example.io", "v1beta2", "Cluster", "Namespaced", "")
			t := p.thing("apiVersion: cluster.example.io/v1beta2\nkind: Cluster\nmetadata: {name: edge-7}\nspec: {paused: false}")
			core, infra, erin := p.operatorOf("capi-system/capi-controller-manager", "manager"), p.operatorOf("capa-system/capa-controller-manager", "manager"), p.person("erin@example.com", kubectlAgent, "kubectl-annotate")
			erin.create(t)
			p.together(5*time.Hour, beat{6 * m, func(i int) {
				core.mergeStatus(t, fmt.Sprintf(`{"status":{"observedAt":%q,"workers":%d}}`, p.now(), 3+i/9))
			}}, beat{9 * m, func(i int) {
				infra.mergeStatus(t, fmt.Sprintf(`{"status":{"infrastructure":{"checked":%q,"healthy":%t}}}`, p.now(), i%7 != 3))
			}}, beat{80 * m, func(i int) {
				erin.kubectl("", "annotate", "--overwrite", "cluster.cluster.example.io", "edge-7", "note=checked-"+fmt.Sprint(i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{core, infra, erin}, real: "kubectl is real", why: "Two controllers report different parts of a status, a human takes notes."})
		}},
		{"scaler-report", "", 4, func(p *play) {
			p.in("scaling-system")
			t := p.config("cluster-autoscaler-status", map[string]any{"status": "starting"})
			ca, erin := p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64)", ""), p.person("erin@example.com", kubectlAgent, "kubectl-label")
			ca.create(t)
			p.together(3*time.Hour, beat{100 * sec, func(i int) {
				ca.update(t, func(o object) {
					o.set(fmt.Sprintf("time: %s\nnodes: {ready: %d, unready: %d}\n", p.now(), 40+i%3, i%2), "data", "status").set(p.now(), "metadata", "annotations", "cluster-autoscaler.kubernetes.io/last-updated")
				})
			}}, beat{70 * m, func(i int) {
				erin.kubectl("", "label", "--overwrite", "configmap", t.id, "reviewed="+version(i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ca, erin}, real: "kubectl is real", why: "The autoscaler reports every minute or two, a human labels the report."})
		}},
		{"mesh-revision", "", 12, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: mesh-tenant-4, labels: {istio.io/rev: 1-26-3}}")
			dave, tf := p.person("dave@example.com", kubectlAgent, "kubectl-label"), p.person("terraform", "HashiCorp/1.0 Terraform/1.12.2", "Terraform")
			tf.create(t)
			revs := map[int]string{2: "1-27-1", 4: "1-26-3", 9: "1-27-2"}
			p.every(11, 55*m, func(i int) {
				tf.get(t)
				tf.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: mesh-tenant-4, labels: {cost-center: 'cc-%d'}}", 40+i/3)))
				if revs[i] != "" {
					p.sleep(11 * m)
					dave.kubectl("", "label", "--overwrite", "namespace", t.id, "istio.io/rev="+revs[i])
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{dave, tf}, real: "kubectl is real", why: "A namespace moves to a new mesh, back, and to the next; Terraform states other labels."})
		}},
		{"pod-security-defaults", "", 9, func(p *play) {
			p.in("invoices")
			t := p.deployment("invoices", 2)
			p.webhook("defaults.policies.example.com", "apps", "v1", "deployments", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.value("spec", "template", "spec", "securityContext", "runAsNonRoot") != nil {
					return nil
				}
				return []map[string]any{operation("add", "/spec/template/spec/securityContext", map[string]any{"runAsNonRoot": true})}
			})
			flux, kcm := p.fluxController(), p.kcm("deployment-controller")
			stated := t.object
			p.every(48, 10*m, func(i int) {
				if i%6 == 0 {
					stated = stated.clone()
					setImage(stated, tagged("invoices", i))
				}
				flux.flux(stated)
				if i%6 == 0 {
					kcm.observe(t, 2)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, kcm}, webhook: "defaults.policies.example.com", real: realFlux, why: "A webhook adds a default that nobody states; Flux applies releases."})
		}},
		{"balancer-service", "", 11, func(p *play) {
			p.in("tickets")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: tickets}\nspec: {type: LoadBalancer, selector: {app: tickets}, ports: [{name: https, port: 443}]}")
			ci, lb := p.person("jenkins", "Helm/3.20.1", "helm"), p.service("kube-system/aws-load-balancer-controller", "elbv2.k8s.aws/v2.14 aws-load-balancer-controller (linux/amd64)", "controller").reacts(sec, 8*sec)
			ci.create(t)
			lb.merge(t, `{"metadata":{"finalizers":["service.k8s.aws/resources"]}}`)
			lb.mergeStatus(t, `{"status":{"loadBalancer":{"ingress":[{"hostname":"k8s-tickets-1.elb.example.com"}]}}}`)
			p.every(9, 70*m, func(i int) {
				ci.get(t)
				ci.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"helm.sh/chart":"tickets-1.%d"}},"spec":{"ports":[{"$patch":"delete","port":%d},{"name":"extra","port":%d}]}}`, i, 7999+i, 8000+i))
				lb.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"service.k8s.aws/checkpoint":"c%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, lb}, why: "A pipeline changes ports of a service, the controller of the load balancer notes its checkpoint each time."})
		}},
	}
}
