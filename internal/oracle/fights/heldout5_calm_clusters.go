package main

import (
	"fmt"
	"time"
)

// calmClusters5 returns scenes without a fight over nodes, networks and other
// objects of a cluster.
func calmClusters5() []scene {
	return []scene{
		{"eviction-annotations", "", 5, func(p *play) {
			t := p.node("ip-10-6-1-90")
			kubelet := p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			ca, desched, karp := p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64) kubernetes/$Format", ""), p.service("kube-system/descheduler", "descheduler/v0.34 (linux/amd64) kubernetes/$Format", ""), p.service("karpenter/karpenter", "karpenter/v1.8 (linux/amd64) kubernetes/$Format", "")
			kubelet.create(t)
			own := func(a *actor, key string, values ...string) func(int) {
				return func(i int) {
					a.merge(t, `{"metadata":{"annotations":{"`+key+`":"`+values[i%len(values)]+`"}}}`)
				}
			}
			p.together(4*time.Hour, beat{9 * m, own(ca, "cluster-autoscaler.example.com/utilization", "low", "high", "low", "middle")}, beat{12 * m, own(desched, "descheduler.example.com/last-pass", "clean", "evicted-2")}, beat{20 * m, func(i int) {
				karp.update(t, func(o object) { o.set(p.now(), "metadata", "annotations", "karpenter.example.com/seen") })
			}}, beat{5 * m, func(int) {
				kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"MemoryPressure","status":"False","lastHeartbeatTime":"`+p.now()+`"}]}}`)
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ca, desched, karp, kubelet}, toggles: true, why: "Each of three tools notes what it last saw of a node under a key of its own."})
		}},
		{"fresh-nodes", "", 4, func(p *play) {
			ccm, cilium := p.person("system:cloud-controller-manager", "aws-cloud-controller-manager/v1.34 (linux/amd64) kubernetes/$Format", ""), p.service("kube-system/cilium-operator", "cilium-operator/1.18.2 (linux/amd64) kubernetes/$Format", "")
			kubelet := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			var all []*thing
			taints := func(keys ...string) []any {
				var list []any
				for _, k := range keys {
					list = append(list, map[string]any{"key": k, "value": "true", "effect": "NoSchedule"})
				}
				return list
			}
			p.every(7, 25*m, func(i int) {
				t := p.node(fmt.Sprintf("spot-%d", 40+i))
				t.object.set(taints("node.cloudprovider.kubernetes.io/uninitialized", "node.cilium.io/agent-not-ready"), "spec", "taints")
				all = append(all, t)
				kubelet.create(t)
				p.sleepBetween(sec, 9*sec)
				ccm.strategicStatus(t, fmt.Sprintf(`{"status":{"addresses":[{"type":"InternalIP","address":"10.6.2.%d"}]}}`, 10+i))
				ccm.merge(t, `{"metadata":{"labels":{"topology.kubernetes.io/zone":"eu-west-1b"}},"spec":{"taints":`+string(answerOf(taints("node.cilium.io/agent-not-ready")))+`}}`)
				p.sleepBetween(5*sec, 50*sec)
				cilium.json(t, `[{"op":"test","path":"/spec/taints/0/key","value":"node.cilium.io/agent-not-ready"},{"op":"remove","path":"/spec/taints"}]`)
				if i > 2 {
					ccm.delete(all[i-3])
				}
			})
			p.lookalike(what{things: all, writers: []*actor{ccm, cilium, kubelet}, why: "Each new node loses two taints, one by the cloud's controller and one by the network's."})
		}},
		{"upgrade-plan", "", 4, func(p *play) {
			suc, job := p.service("system-upgrade/system-upgrade-controller", "system-upgrade-controller/v0.17 (linux/amd64) kubernetes/$Format", "system-upgrade-controller"), p.service("system-upgrade/system-upgrade", "kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9", "kubectl-cordon")
			var all []*thing
			for i := range 6 {
				t := p.node(fmt.Sprintf("metal-%02d", i+1))
				all = append(all, t)
				suc.create(t)
			}
			p.every(12, 17*m, func(i int) {
				t := all[i%6]
				job.strategic(t, `{"spec":{"unschedulable":true}}`)
				p.sleepBetween(2*m, 6*m)
				suc.update(t, func(o object) {
					o.set(fmt.Sprintf("hash-%d", i/6), "metadata", "labels", "plan.upgrade.cattle.io/k3s")
					delete(o.at("spec"), "unschedulable")
				})
			})
			p.lookalike(what{things: all, writers: []*actor{suc, job}, why: "The jobs of two upgrade plans cordon each node once, the controller notes the plan and uncordons it."})
		}},
		{"address-moves", "", 12, func(p *play) {
			p.in("lan")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: nas, annotations: {kube-vip.example.io/host: rack-a}}\nspec: {type: LoadBalancer, selector: {app: nas}, ports: [{name: smb, port: 445, nodePort: 31445}]}")
			bob := p.person("bob@example.com", kubectlAgent, "kubectl-create")
			hosts := []*actor{}
			for _, h := range []string{"rack-a", "rack-b", "rack-c"} {
				hosts = append(hosts, p.replica("kube-system/kube-vip", "kube-vip-"+h, "kube-vip/v1.0 (linux/amd64) kubernetes/$Format", ""))
			}
			lease := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: kubevip-nas}\nspec: {holderIdentity: rack-a, leaseDurationSeconds: 15}")
			bob.kubectl(t.object.yaml(), "create", "-f", "-")
			hosts[0].create(lease)
			for _, k := range []int{1, 0, 1, 2, 0, 2} { // nodes reboot in the night
				p.sleep(100 * m)
				hosts[k].update(lease, func(o object) {
					o.set([]string{"rack-a", "rack-b", "rack-c"}[k], "spec", "holderIdentity").set(p.micro(), "spec", "acquireTime")
				})
				hosts[k].update(t, func(o object) {
					o.set([]string{"rack-a", "rack-b", "rack-c"}[k], "metadata", "annotations", "kube-vip.example.io/host")
				})
			}
			p.lookalike(what{things: []*thing{t, lease}, writers: hosts, why: "An address moves to another node when its node reboots, six times in ten hours; each new leader notes its own name."})
		}},
		{"gateway-health", "", 4, func(p *play) {
			p.in("edge-eu")
			t := p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: envoy-0, labels: {app: envoy}}\nspec: {readinessGates: [{conditionType: target-health.example.com/tg}], containers: [{name: c, image: registry.example.com/envoy:1}]}")
			kubelet, lb, dev := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.service("kube-system/aws-load-balancer-controller", "aws-load-balancer-controller/v2.14 (linux/amd64) kubernetes/$Format", ""), p.person("frank@example.com", kubectlAgent, "kubectl-annotate")
			dev.kubectl(t.object.yaml(), "create", "-f", "-")
			condition := func(a *actor, kind string, n int) func(int) {
				return func(i int) {
					status := "True"
					if i%n == n-1 {
						status = "False"
					}
					a.strategicStatus(t, `{"status":{"conditions":[{"type":"`+kind+`","status":"`+status+`","lastTransitionTime":"`+p.now()+`"}]}}`)
				}
			}
			p.together(3*time.Hour, beat{7 * m, condition(kubelet, "Ready", 5)}, beat{9 * m, condition(lb, "target-health.example.com/tg", 3)})
			dev.kubectl("", "annotate", "pod", t.id, "debugged-by=frank")
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, lb, dev}, toggles: true, real: "kubectl is real", why: "The kubelet and a load balancer report a condition each."})
		}},
		{"injected-jobs", "", 6, func(p *play) {
			p.in("imports")
			p.webhook("injector.mesh.example.com", "batch", "v1", "jobs", `["CREATE"]`, func(o object) []map[string]any {
				return []map[string]any{operation("add", "/spec/template/spec/initContainers", []any{map[string]any{"name": "mesh-proxy", "image": "registry.example.com/proxy:7", "restartPolicy": "Always"}})}
			})
			cron, jobs, ttl := p.kcm("cronjob-controller"), p.kcm("job-controller"), p.kcm("ttl-after-finished-controller")
			var all []*thing
			p.every(11, 30*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: batch/v1\nkind: Job\nmetadata: {name: import-%d}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/import:1'}]}}}", 29380000+i*30))
				all = append(all, t)
				cron.create(t)
				jobs.updateStatus(t, func(o object) { o.set(1, "status", "active").set(p.now(), "status", "startTime") })
				p.sleepBetween(m, 5*m)
				jobs.updateStatus(t, func(o object) { o.set(0, "status", "active").set(1, "status", "succeeded") })
				if i > 1 {
					ttl.delete(all[i-2])
				}
			})
			p.lookalike(what{things: all, writers: []*actor{cron, jobs, ttl}, real: "the webhook is real", why: "A mesh injects its proxy into jobs of ever new names; nobody states another value."})
		}},
		{"enforced-after-terraform", "", 8, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-maps, labels: {team: maps}}")
			tf, enforcer := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", "Terraform"), p.service("governance/namespace-labeler", "namespace-labeler/0.7 (linux/amd64) kubernetes/$Format", "namespace-labeler")
			tf.create(t)
			p.every(12, 36*m, func(i int) {
				tf.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-maps, labels: {team: maps, cost-center: 'cc-%d'}}", 310+i)))
				p.sleepBetween(sec, 9*sec)
				enforcer.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"governance.example.com/checked":"rev-%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tf, enforcer}, why: "Terraform moves a cost centre on, and an enforcer answers within seconds with a label of its own."})
		}},
		{"certificate-requests", "", 6, func(p *play) {
			p.in("pki")
			p.define("pki.example.io", "v1", "CertificateRequest", "Namespaced", "")
			asker, approver, signer := p.service("pki/cert-manager", "cert-manager-certificaterequests/v1.19.1 (linux/amd64) cert-manager", ""), p.service("pki/approver-policy", "approver-policy/v0.22 (linux/amd64) kubernetes/$Format", "approver-policy"), p.service("pki/issuer", "issuer/v1 (linux/amd64) kubernetes/$Format", "")
			var all []*thing
			p.every(12, 25*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: pki.example.io/v1\nkind: CertificateRequest\nmetadata: {name: web-%d}\nspec: {request: r%d}", i+1, i))
				all = append(all, t)
				asker.create(t)
				approver.mergeStatus(t, `{"status":{"approved":true}}`)
				signer.updateStatus(t, func(o object) { o.set(b64("certificate", i), "status", "certificate") })
				asker.updateStatus(t, func(o object) { o.set("Issued", "status", "phase") })
			})
			p.lookalike(what{things: all, writers: []*actor{asker, approver, signer}, why: "Each request is approved and signed once."})
		}},
		{"claims-snapshotted", "", 12, func(p *play) {
			p.in("gitea")
			t := p.thing("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: repos, finalizers: [kubernetes.io/pvc-protection]}\nspec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 50Gi}}}")
			snap, op, resize := p.service("kube-system/snapshot-controller", "snapshot-controller/v8.3 (linux/amd64) kubernetes/$Format", ""), p.service("gitea/gitea-operator", "gitea-operator/2.0 (linux/amd64) kubernetes/$Format", "gitea-operator"), p.service("storage/pvc-autoresizer", "pvc-autoresizer/0.19 (linux/amd64) kubernetes/$Format", "")
			const guard = "snapshot.example.io/pvc-as-source-protection"
			op.create(t)
			p.every(11, time.Hour, func(i int) {
				snap.update(t, func(o object) {
					o.set([]any{"kubernetes.io/pvc-protection", guard}, "metadata", "finalizers")
				})
				p.sleepBetween(10*sec, 2*m)
				snap.update(t, func(o object) { o.set([]any{"kubernetes.io/pvc-protection"}, "metadata", "finalizers") })
				resize.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"resize.example.com/last-usage":"%d%%"}}}`, 50+2*i))
				if i == 5 {
					op.merge(t, `{"metadata":{"labels":{"app.example.com/version":"1.25"}}}`)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{snap, op, resize}, toggles: true, why: "The snapshot controller protects a claim during each hourly snapshot and releases it itself; others note things."})
		}},
		{"clusters-heartbeat", "", 3, func(p *play) {
			p.in("mesh-federation")
			t := p.config("members", map[string]any{"eu": "up", "us": "up", "ap": "up", "sa": "up"})
			var all []*actor
			var beats []beat
			for k, region := range []string{"eu", "us", "ap", "sa"} {
				a := p.service("mesh-federation/agent-"+region, "federation-agent/1.4 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*sec)
				all = append(all, a)
				beats = append(beats, beat{time.Duration(5+k) * m, func(i int) {
					a.update(t, func(o object) { o.set([]string{"up", "degraded", "up", "down"}[i%4], "data", region) })
				}})
			}
			all[0].create(t)
			p.together(2*time.Hour, beats...)
			p.lookalike(what{things: []*thing{t}, writers: all, toggles: true, why: "The agents of four clusters report their state under a key each, by updates of the whole object."})
		}},
		{"dns-endpoint", "", 8, func(p *play) {
			p.in("dns-app")
			p.define("externaldns.example.io", "v1alpha1", "DNSEndpoint", "Namespaced", "")
			t := p.thing("apiVersion: externaldns.example.io/v1alpha1\nkind: DNSEndpoint\nmetadata: {name: app}\nspec: {endpoints: [{dnsName: app.example.com, recordTTL: 60, targets: [192.0.2.10]}]}")
			gslb, dns, erin := p.service("k8gb/k8gb", "k8gb/v0.15 (linux/amd64) kubernetes/$Format", ""), p.service("dns-app/external-dns", "external-dns/v0.19 (linux/amd64) kubernetes/$Format", ""), p.person("erin@example.com", kubectlAgent, "kubectl-annotate")
			gslb.create(t)
			p.every(13, 30*m, func(i int) {
				gslb.update(t, func(o object) {
					o.at("spec", "endpoints", "0")["targets"] = []any{[]string{"192.0.2.10", "198.51.100.10"}[(i+1)%2]}
				})
				p.sleepBetween(2*sec, m)
				dns.updateStatus(t, func(o object) { o.set(o.value("metadata", "generation"), "status", "observedGeneration") })
				if i == 6 {
					erin.kubectl("", "annotate", "dnsendpoint", t.id, "reviewed=yes")
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{gslb, dns, erin}, toggles: true, real: "kubectl is real", why: "One controller moves a name between two sites as their health changes, another reports what it has published."})
		}},
	}
}
