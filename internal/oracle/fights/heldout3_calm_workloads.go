package main

import (
	"fmt"
	"net/http"
	"time"
)

// calmWorkloads3 returns scenes without a fight: workloads that change for good
// reasons.
func calmWorkloads3() []scene {
	return []scene{
		{"web-releases", "", 12, func(p *play) {
			p.in("web")
			t := p.deployment("web", 3)
			ci, kcm, hpa := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.kcm("deployment-controller").reacts(20*time.Millisecond, 900*time.Millisecond), p.autoscaler()
			stated := t.object.without("spec", "replicas")
			n := 0
			p.together(11*time.Hour, beat{55 * m, func(i int) {
				stated = stated.clone()
				setImage(stated, tagged("web", i))
				ci.kubectl(stated.yaml(), "apply", "-f", "-")
				kcm.update(t, func(o object) {
					o.set(fmt.Sprint(i+1), "metadata", "annotations", "deployment.kubernetes.io/revision")
				})
				kcm.observe(t, 3)
			}}, beat{70 * m, func(i int) {
				n++
				if n > 1 {
					hpa.scale(t, []int{3, 5, 8, 6, 4}[i%5])
					kcm.observe(t, 3)
				}
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, kcm, hpa}, real: "kubectl is real", why: "Releases of new images, the revision of each, and an autoscaler that alone sets the replicas."})
		}},
		{"daily-load", "", 15, func(p *play) {
			p.in("booking")
			t := p.deployment("booking", 3)
			argo, hpa := p.argoController(), p.autoscaler()
			ssa := t.object.without("spec", "replicas")
			argo.apply(t, ssa)
			load := []int{3, 4, 6, 9, 12, 11, 12, 9, 10, 12, 8, 6, 5, 4, 3, 4, 3}
			p.every(len(load)*2, 24*m, func(i int) {
				if i%6 == 5 {
					ssa = ssa.clone()
					setImage(ssa, tagged("booking", i))
					argo.apply(t, ssa)
				}
				hpa.scale(t, load[i%len(load)])
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, hpa}, why: "The autoscaler follows the load of a day, Argo CD applies releases without replicas."})
		}},
		{"crashing-worker", "", 3, func(p *play) {
			p.in("thumbs")
			t := p.pod0("thumbs-0")
			slice := p.thing("apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: thumbs-x4k2p, labels: {kubernetes.io/service-name: thumbs}}\naddressType: IPv4\nports: [{port: 80}]\nendpoints: [{addresses: [10.2.0.7], conditions: {ready: false}}]")
			kubelet, slices := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.kcm("endpointslice-controller").reacts(50*time.Millisecond, 900*time.Millisecond)
			p.kcm("statefulset-controller").create(t)
			slices.create(slice)
			state := func(ready bool, n int) {
				kubelet.get(t)
				kubelet.strategicStatus(t, fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}],"containerStatuses":[{"name":"c","image":"i","imageID":"i","restartCount":%d,"ready":%t}]}}`, map[bool]string{true: "True", false: "False"}[ready], p.now(), n, ready))
				slices.cached(slice, func(o object) { o.at("endpoints", "0", "conditions")["ready"] = ready })
			}
			p.every(17, 6*m, func(i int) {
				state(true, i)
				p.sleepBetween(20*sec, 80*sec)
				state(false, i+1)
			})
			p.lookalike(what{toggles: true, things: []*thing{t, slice}, writers: []*actor{kubelet, slices}, why: "A container crashes every few minutes; the kubelet reports it, the controller of the slice follows."})
		}},
		{"sidecar-resources", "", 10, func(p *play) {
			p.in("geo")
			t := p.deployment("geo", 2)
			flux, profiler := p.fluxController(), p.service("profiling/profiler-operator", "profiler-operator/1.3 (linux/amd64)", "profiler-operator")
			flux.flux(t.object)
			stated := t.object
			p.together(9*time.Hour, beat{10 * m, func(i int) {
				if i%5 == 4 {
					stated = stated.clone()
					setImage(stated, tagged("geo", i))
				}
				flux.flux(stated)
			}}, beat{38 * m, func(i int) {
				profiler.apply(t, parse(fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: geo, namespace: geo}\nspec: {template: {spec: {containers: [{name: profiler, image: registry.example.com/profiler:1, resources: {requests: {cpu: %dm}}}]}}}", 20+3*i)))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, profiler}, real: realFlux, why: "Flux owns the application's container, an operator a container of its own in the same pod template."})
		}},
		{"restarts-and-images", "", 12, func(p *play) {
			p.in("mail")
			t := p.deployment("relay", 2)
			carol, dave, op := p.person("carol@example.com", kubectlAgent, "kubectl-rollout"), p.person("dave@example.com", kubectlAgent, "kubectl-rollout"), p.operatorOf("mail/relay-operator", "relay-operator")
			op.create(t)
			p.every(12, 50*m, func(i int) {
				if i%3 == 2 {
					op.cached(t, func(o object) { setImage(o, tagged("relay", i)) })
					return
				}
				time.Sleep(1100 * time.Millisecond) // kubectl refuses a second restart within a second
				who := carol
				if i%2 == 1 {
					who = dave
				}
				who.kubectl("", "rollout", "restart", "deployment/relay")
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{carol, dave, op}, real: "kubectl is real", why: "Engineers restart a relay, its operator gives it new images."})
		}},
		{"consolidated-database", "", 12, func(p *play) {
			p.in("catalog")
			t := p.pod0("catalog-db-0")
			karpenter, sts := p.operatorOf("karpenter/karpenter", "karpenter"), p.kcm("statefulset-controller").reacts(100*time.Millisecond, 3*sec)
			sts.create(t)
			p.every(8, 75*m, func(i int) {
				karpenter.get(t)
				karpenter.must(karpenter.send(http.MethodPost, t.path()+"/eviction", "", object{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": object{"name": t.id, "namespace": t.ns}}))
				sts.create(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{karpenter, sts}, why: "Karpenter evicts a pod from nodes that it consolidates, the stateful set makes it again elsewhere."})
		}},
		{"incident-scale", "", 8, func(p *play) {
			p.in("payments-api")
			t := p.deployment("payments", 4)
			flux, carol := p.fluxController(), p.person("carol@example.com", kubectlAgent, "")
			flux.flux(t.object)
			stated := t.object
			p.every(30, 10*m, func(i int) {
				switch i {
				case 7: // the incident: by hand first, then in Git
					carol.kubectl("", "scale", "deployment", "payments", "--replicas=12")
					p.sleep(6 * m)
				case 8:
					stated = t.object.with(12, "spec", "replicas")
				case 26:
					stated = t.object.with(6, "spec", "replicas")
				}
				flux.flux(stated)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, carol}, real: "kubectl is real; " + realFlux, why: "An engineer scales once by hand; Flux reverts it once, and then the number is changed in Git."})
		}},
		{"debug-pods", "", 16, func(p *play) {
			p.in("sandbox")
			t := p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: netshoot}\nspec: {containers: [{name: c, image: x}]}")
			alice, bob := p.person("alice@example.com", kubectlAgent, "kubectl-run"), p.person("bob@example.com", kubectlAgent, "kubectl-run")
			for i, who := range []*actor{alice, bob, alice, alice, bob, bob, alice} {
				p.sleepBetween(40*m, 150*m)
				who.kubectl("", "run", "netshoot", "--image=nicolaka/netshoot", "--restart=Never")
				p.sleepBetween(3*m, 25*m)
				if i == 3 { // alice forgot to delete her pod
					who = bob
				}
				who.kubectl("", "delete", "pod", "netshoot", "--now", "--wait=false")
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, bob}, real: "kubectl is real", why: "Two engineers run a debug pod of the usual name now and then and remove it; once bob removes what alice forgot."})
		}},
		{"operator-rolled-back", "", 12, func(p *play) {
			p.in("redis")
			t := p.workload("StatefulSet", "redis", 3)
			v18, v19 := p.replica("redis/redis-operator", "redis-operator-6c9f-aaaaa", "redis-operator/v1.8.0 (linux/amd64) kubernetes/$Format", ""), p.replica("redis/redis-operator", "redis-operator-7d4b-bbbbb", "redis-operator/v1.9.0 (linux/amd64) kubernetes/$Format", "")
			v18.create(t)
			for _, turn := range []struct {
				a *actor
				n int
			}{{v18, 2}, {v19, 4}, {v18, 2}, {v19, 4}} {
				turn.a.cached(t, func(o object) { setImage(o, tagged("redis", turn.n)) })
				p.every(8, 18*m, func(i int) { turn.a.get(t); turn.a.observe(t, 3) })
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{v18, v19}, why: "An operator is upgraded, rolled back after two hours and upgraded again; each version moves the image once."})
		}},
	}
}
