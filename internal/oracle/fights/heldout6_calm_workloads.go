package main

import (
	"fmt"
	"time"
)

// calmWorkloads6 returns scenes without a fight over workloads, nodes and other
// objects of Kubernetes itself.
func calmWorkloads6() []scene {
	return []scene{
		{"shop-day", "", 12, func(p *play) {
			p.in("shop-api")
			t := p.deployment("shop-api", 4)
			alice, hpa, dc := p.person("alice@example.com", kubectlAgent, "kubectl-client-side-apply"), p.autoscaler(), p.kcm("deployment-controller")
			alice.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(22, 30*m, func(i int) {
				n := []int{4, 5, 8, 12, 9, 6, 4, 3, 7, 11, 8}[i%11]
				hpa.scale(t, n)
				dc.observe(t, n)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, hpa, dc}, toggles: true, real: "kubectl is real", why: "One autoscaler follows two peaks of a day, the deployment controller reports."})
		}},
		{"kernel-updates", "", 4, func(p *play) {
			ci, dave := p.person("ci-bot", kubectlAgent, "kubectl-cordon"), p.person("dave@example.com", kubectlAgent, "kubectl-label")
			kubelet := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			var all []*thing
			for i := range 6 {
				t := p.node(fmt.Sprintf("rack7-%02d", i))
				all = append(all, t)
				kubelet.create(t)
			}
			for i, t := range all {
				p.sleep(20 * m)
				ci.kubectl("", "cordon", t.id)
				p.sleepBetween(4*m, 9*m)
				kubelet.strategicStatus(t, fmt.Sprintf(`{"status":{"nodeInfo":{"kernelVersion":"6.12.%d"}}}`, 41+i))
				ci.kubectl("", "uncordon", t.id)
				dave.kubectl("", "label", "--overwrite", "node", t.id, "kernel=6.12")
			}
			p.lookalike(what{things: all, writers: []*actor{ci, dave, kubelet}, real: "kubectl is real", why: "A pipeline cordons, updates and uncordons six nodes, one after the other."})
		}},
		{"restarts-by-two", "", 7, func(p *play) {
			p.in("chat-gateway")
			t := p.deployment("chat-gateway", 3)
			bob, cron, dc := p.person("bob@example.com", kubectlAgent, "kubectl-rollout"), p.service("chat-gateway/nightly-restart", kubectlAgent, "kubectl-rollout"), p.kcm("deployment-controller").reacts(20*time.Millisecond, 300*time.Millisecond)
			bob.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(9, 40*m, func(i int) {
				[]*actor{cron, bob}[i%2].strategic(t, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"`+p.now()+`"}}}}}`)
				dc.observe(t, 3)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{bob, cron, dc}, why: "An engineer and a cron job restart a deployment in turn; each writes the time."})
		}},
		{"half-hourly-report", "", 8, func(p *play) {
			p.in("sales-reports")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: sales}\nspec: {schedule: '*/30 * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/sales:1'}]}}}}}")
			argo, cron, jobs := p.argoController(), p.kcm("cronjob-controller"), p.kcm("job-controller")
			argo.threeWay(t, t.object)
			all := []*thing{t}
			p.every(14, 30*m, func(i int) {
				j := p.thing(fmt.Sprintf("apiVersion: batch/v1\nkind: Job\nmetadata: {name: sales-%d}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/sales:1'}]}}}", 29391000+30*i))
				all = append(all, j)
				cron.create(j)
				cron.updateStatus(t, func(o object) {
					o.set(p.now(), "status", "lastScheduleTime").set([]any{map[string]any{"kind": "Job", "name": j.id, "namespace": p.ns}}, "status", "active")
				})
				jobs.updateStatus(j, func(o object) { o.set(1, "status", "active").set(p.now(), "status", "startTime") })
				p.sleepBetween(m, 4*m)
				jobs.updateStatus(j, func(o object) { o.set(0, "status", "active").set(1, "status", "succeeded") })
				cron.updateStatus(t, func(o object) {
					delete(o.at("status"), "active")
					o.set(p.now(), "status", "lastSuccessfulTime")
				})
				if i > 2 {
					cron.delete(all[i-2])
				}
				argo.threeWay(t, t.object)
			})
			p.lookalike(what{things: all, writers: []*actor{argo, cron, jobs}, toggles: true, why: "A CronJob runs twice an hour; its status says what is active, and old jobs are deleted."})
		}},
		{"campaign-scale", "", 11, func(p *play) {
			p.in("campaigns")
			t := p.deployment("landing", 3)
			alice, bob, dc := p.person("alice@example.com", kubectlAgent, "kubectl-scale"), p.person("bob@example.com", kubectlAgent, "kubectl-scale"), p.kcm("deployment-controller")
			alice.kubectl(t.object.yaml(), "create", "-f", "-")
			for i, n := range []int{8, 10, 3, 4, 9, 3} {
				p.sleep(100 * m)
				a := alice
				if i == 1 || i == 3 {
					a = bob
				}
				a.kubectl("", "scale", "deployment", t.id, fmt.Sprintf("--replicas=%d", n))
				dc.observe(t, n)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, bob, dc}, real: "kubectl is real", why: "Two engineers scale an application by hand before and after campaigns."})
		}},
		{"controller-leases", "", 2, func(p *play) {
			p.in("ha-controllers")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: ingress-leader}\nspec: {holderIdentity: c-0, leaseDurationSeconds: 15}")
			var pods []*actor
			for i := range 3 {
				pods = append(pods, p.replica("ha-controllers/ingress-controller", fmt.Sprintf("c-%d", i), "ingress-controller/v2.1 (linux/amd64) leader-election", ""))
			}
			pods[0].create(t)
			for phase, k := range []int{0, 1, 2, 0, 2} {
				p.sleep(15 * sec)
				p.every(25, 2*sec, func(i int) {
					pods[k].update(t, func(o object) {
						o.set(fmt.Sprintf("c-%d", k), "spec", "holderIdentity").set(p.micro(), "spec", "renewTime").set(phase, "spec", "leaseTransitions")
					})
				})
			}
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "Three replicas lead in turn during a rolling update of their nodes."})
		}},
		{"node-outage", "", 5, func(p *play) {
			t := p.node("edge-site-12")
			kubelet, life, ca := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.kcm("node-controller"), p.person("cluster-autoscaler", "cluster-autoscaler/v1.34 (linux/amd64) kubernetes/$Format", "")
			kubelet.create(t)
			for range 4 {
				p.every(6, 5*m, func(int) {
					kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"`+p.now()+`"}]}}`)
				})
				p.sleep(2 * m)
				life.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown"}]}}`)
				life.strategic(t, `{"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute"}]}}`)
				p.sleep(10 * m)
				kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","lastHeartbeatTime":"`+p.now()+`"}]}}`)
				life.strategic(t, `{"spec":{"taints":[{"$patch":"delete","key":"node.kubernetes.io/unreachable","effect":"NoExecute"}]}}`)
			}
			p.sleep(20 * m)
			ca.strategic(t, `{"spec":{"taints":[{"key":"ToBeDeletedByClusterAutoscaler","value":"1763","effect":"NoSchedule"}]}}`)
			p.sleep(3 * m)
			ca.delete(t)
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, life, ca}, toggles: true, why: "A node at the edge loses its line four times; the node controller taints it and removes its taint itself."})
		}},
		{"canary-ingress", "", 8, func(p *play) {
			p.in("ticket-shop")
			const key = "nginx.ingress.kubernetes.io/canary-weight"
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: tickets-canary, annotations: {" + key + ": '0'}}\nspec: {rules: [{host: tickets.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: tickets-canary, port: {number: 80}}}}]}}]}")
			flagger, nginx, dns := p.service("flagger-system/flagger", "flagger/1.41 (linux/amd64) kubernetes/$Format", ""), p.service("ticket-shop/nginx-ingress", "nginx-ingress-controller/v1.13 (linux/amd64) ingress-nginx", ""), p.service("dns-public/external-dns", "external-dns/v0.19 (linux/amd64) kubernetes/$Format", "")
			flagger.create(t)
			p.every(6, 60*m, func(i int) {
				for _, weight := range []int{10, 25, 50, 0} {
					flagger.update(t, func(o object) { o.set(fmt.Sprint(weight), "metadata", "annotations", key) })
					p.sleep(90 * sec)
				}
				nginx.updateStatus(t, func(o object) {
					o.set([]any{map[string]any{"ip": fmt.Sprintf("192.0.2.%d", 30+i/2)}}, "status", "loadBalancer", "ingress")
				})
				dns.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"dns.example.com/checked":"%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flagger, nginx, dns}, toggles: true, why: "Each of six releases goes through the same weights, which one controller sets."})
		}},
		{"hook-jobs", "", 6, func(p *play) {
			p.in("ledger-app")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'registry.example.com/ledger:1'}]}}}")
			argo, jobs := p.argoController(), p.kcm("job-controller").reacts(20*time.Millisecond, 500*time.Millisecond)
			p.every(10, 25*m, func(i int) {
				if i > 0 {
					argo.delete(t)
				}
				argo.create(t)
				jobs.updateStatus(t, func(o object) { o.set(1, "status", "active").set(p.now(), "status", "startTime") })
				p.sleepBetween(20*sec, 2*m)
				jobs.updateStatus(t, func(o object) { o.set(0, "status", "active").set(1, "status", "succeeded") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, jobs}, why: "Argo CD deletes the hook of the last sync and creates it again, as its policy says."})
		}},
		{"volumes-grow", "", 9, func(p *play) {
			p.in("photo-store")
			t := p.thing("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: photos}\nspec: {accessModes: [ReadWriteOnce], storageClassName: growing, resources: {requests: {storage: 100Gi}}}")
			frank, resizer, backup := p.person("frank@example.com", kubectlAgent, "kubectl-annotate"), p.service("kube-system/csi-resizer", "csi-resizer/v1.14 (linux/amd64) kubernetes/$Format", "").reacts(sec, 30*sec), p.service("backup-system/claims", "claims/1.0 (linux/amd64)", "")
			frank.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(8, 60*m, func(i int) {
				frank.kubectl("", "annotate", "--overwrite", "pvc", t.id, fmt.Sprintf("storage.example.com/requested=%dGi", 110+10*i))
				resizer.mergeStatus(t, fmt.Sprintf(`{"status":{"phase":"Bound","capacity":{"storage":"%dGi"}}}`, 110+10*i))
				backup.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"backup.example.com/last":"b-%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{frank, resizer, backup}, real: "kubectl is real", why: "A volume grows as an engineer asks, its controller reports, a backup tool notes its runs."})
		}},
		{"hotfix-into-git", "", 3, func(p *play) {
			p.in("payout-api")
			t := p.deployment("payout-api", 3)
			carol, flux, dc := p.person("carol@example.com", kubectlAgent, "kubectl-set"), p.fluxController(), p.kcm("deployment-controller")
			flux.flux(t.object)
			fixed := t.object.clone()
			setImage(fixed, "registry.example.com/payout-api:1.0.1-hotfix")
			hotfix := func() {
				carol.kubectl("", "set", "image", "deployment/"+t.id, "app=registry.example.com/payout-api:1.0.1-hotfix")
				dc.observe(t, 3)
			}
			p.sleep(10 * m)
			hotfix()
			p.sleep(7 * m)
			flux.flux(t.object)
			dc.observe(t, 3)
			p.sleep(3 * m)
			hotfix()
			p.every(8, 10*m, func(int) { flux.flux(fixed) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{carol, flux, dc}, real: "kubectl is real; Flux's apply is its library", why: "An engineer sets a hotfix, Flux reverts it once, and then the hotfix is in Git."})
		}},
		{"brokers-rolled", "", 4, func(p *play) {
			p.in("kafka-blue")
			ci, sts, kubelet := p.person("ci-bot", kubectlAgent, ""), p.kcm("statefulset-controller").reacts(100*time.Millisecond, 2*sec), p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			var all []*thing
			for i := range 3 {
				t := p.thing(fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: kafka-%d, labels: {app: kafka}}\nspec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: registry.example.com/kafka:4}]}", i))
				all = append(all, t)
				sts.create(t)
			}
			for range 2 { // two rounds of node updates
				for _, t := range all {
					p.sleep(25 * m)
					ci.kubectl("", "delete", "pod", t.id, "--wait=false")
					sts.create(t)
					kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"`+p.now()+`"}]}}`)
				}
			}
			p.lookalike(what{things: all, writers: []*actor{ci, sts, kubelet}, real: "kubectl is real", why: "A pipeline restarts each broker twice by deleting its pod, the StatefulSet creates the pod again."})
		}},
	}
}
