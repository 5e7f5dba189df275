package main

import (
	"fmt"
	"time"
)

const sec = time.Second

func nodeScenes() []scene {
	return []scene{
		{"cordon-upgrade", "cordon", 20, func(p *play) {
			t := p.node("ip-10-0-1-17")
			p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			sre := p.person("carol@example.com", kubectlAgent, "kubectl-cordon")
			p.every(5, 4*60*m, func(i int) {
				sre.kubectl("", "cordon", t.id)
				p.sleep(25 * m)
				sre.kubectl("", "uncordon", t.id)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{sre}, real: "kubectl is real", why: "One administrator cordons a node for maintenance and uncordons it, five times."})
		}},
		{"cordon-kured", "cordon", 23, func(p *play) {
			t := p.node("ip-10-0-1-18")
			p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			kured := p.service("kured/kured", "kured/v0.0.0 (linux/amd64) kubernetes/$Format", "")
			p.every(7, 3*60*m, func(i int) {
				kured.strategic(t, `{"metadata":{"annotations":{"weave.works/kured-reboot-in-progress":"`+p.now()+`"}}}`)
				kured.strategic(t, `{"spec":{"unschedulable":true}}`)
				p.sleep(6 * m)
				kured.strategic(t, `{"spec":{"unschedulable":false}}`)
				kured.strategic(t, `{"metadata":{"annotations":{"weave.works/kured-reboot-in-progress":null}}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kured}, why: "A reboot daemon drains its own node for each reboot and lets it back in."})
		}},
		{"cordon-tug-of-war", "cordon", 6, func(p *play) {
			t := p.node("ip-10-0-1-19")
			p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			draino := p.service("draino/draino", "draino/v0.0.0 (linux/amd64) kubernetes/$Format", "").reacts(sec, 20*sec)
			pool := p.service("node-pool/pool-controller", "pool-controller/v1.9.0 (linux/amd64) kubernetes/$Format", "").reacts(sec, 30*sec)
			p.every(25, 9*m, func(i int) {
				draino.strategic(t, `{"spec":{"unschedulable":true}}`)
				p.sleep(40 * sec)
				pool.update(t, func(o object) { delete(o.at("spec"), "unschedulable") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.unschedulable"}, writers: []*actor{draino, pool}, winner: pool, mechanism: "patch against full update",
				why: "A problem detector cordons the node and a pool controller that holds it healthy uncordons it."})
		}},
		{"labels-two-detectors", "node-labels", 12, func(p *play) {
			t := p.node("gpu-01")
			p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			nfd := p.service("node-feature-discovery/nfd-master", "nfd-master/v0.17.0 (linux/amd64) kubernetes/$Format", "")
			gpu := p.service("gpu-operator/gpu-feature-discovery", "gpu-feature-discovery/v0.17.0 (linux/amd64) kubernetes/$Format", "").reacts(20*sec, 60*sec)
			p.every(30, 20*m, func(i int) {
				nfd.json(t, `[{"op":"add","path":"/metadata/labels/accelerator","value":"none"}]`)
				gpu.merge(t, `{"metadata":{"labels":{"accelerator":"tesla-t4"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["accelerator"]`}, writers: []*actor{nfd, gpu}, winner: gpu, mechanism: "patches",
				why: "Two detectors disagree about one label."})
		}},
		{"labels-cloud-and-operator", "node-labels", 3, func(p *play) {
			t := p.node("spot-07")
			p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			ccm := p.person("system:cloud-controller-manager", "aws-cloud-controller-manager/v1.37.0 (linux/amd64) kubernetes/$Format", "")
			op := p.service("capacity/labeler", "python-requests/2.32.3", "").reacts(2*sec, 8*sec)
			p.every(20, 5*m, func(i int) {
				ccm.strategic(t, `{"metadata":{"labels":{"topology.kubernetes.io/zone":"eu-west-1a","node.kubernetes.io/instance-type":"m6i.large"}}}`)
				op.update(t, func(o object) { o.set("eu-west-1a-spot", "metadata", "labels", "topology.kubernetes.io/zone") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["topology.kubernetes.io/zone"]`}, writers: []*actor{ccm, op}, winner: op, mechanism: "patch against full update",
				why: "A script labels the zone otherwise than the cloud provider does."})
		}},
		{"labels-own-keys", "node-labels", 10, func(p *play) {
			t := p.node("gpu-02")
			p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			nfd := p.service("node-feature-discovery/nfd-master", "nfd-master/v0.17.0 (linux/amd64) kubernetes/$Format", "")
			gpu := p.service("gpu-operator/gpu-feature-discovery", "gpu-feature-discovery/v0.17.0 (linux/amd64) kubernetes/$Format", "")
			csi := p.service("kube-system/ebs-csi-node", "aws-ebs-csi-driver/v1.44.0 (linux/amd64) kubernetes/$Format", "")
			p.every(25, 20*m, func(i int) {
				nfd.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"feature.node.kubernetes.io/cpu-load":"%d"}}}`, i%3))
				gpu.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"nvidia.com/gpu.memory.free":"%d"}}}`, i%2))
				csi.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"topology.ebs.csi.aws.com/slots":"%d"}}}`, 24-i%4))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{nfd, gpu, csi}, why: "Three agents write labels of their own on one node, whose values come and go."})
		}},
		{"labels-heartbeats", "node-labels", 4, func(p *play) {
			t := p.node("edge-03")
			kubelet := p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			kubelet.create(t)
			npd := p.service("kube-system/node-problem-detector", "node-problem-detector/v0.8.21 (linux/amd64) kubernetes/$Format", "")
			p.every(40, 5*m, func(i int) {
				kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","lastHeartbeatTime":"`+p.now()+`"},{"type":"DiskPressure","status":"False","reason":"KubeletHasNoDiskPressure","lastHeartbeatTime":"`+p.now()+`"}]}}`)
				p.sleep(20 * sec)
				npd.strategicStatus(t, `{"status":{"conditions":[{"type":"KernelDeadlock","status":"False","reason":"KernelHasNoDeadlock","lastHeartbeatTime":"`+p.now()+`"}]}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, npd}, why: "The kubelet and the problem detector write conditions of different types on the node's status."})
		}},
		{"taints-whole-list", "node-taints", 5, func(p *play) {
			t := p.node("batch-11")
			p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			pool := p.service("karpenter/karpenter", "karpenter/v1.6.0 (linux/amd64) kubernetes/$Format", "")
			iso := p.service("isolation/isolator", "isolator/v0.3.1 (linux/amd64) kubernetes/$Format", "").reacts(300*time.Millisecond, 4*sec)
			p.every(24, 8*m, func(i int) {
				pool.merge(t, `{"spec":{"taints":[{"key":"karpenter.sh/pool","value":"batch","effect":"NoSchedule"}]}}`)
				iso.merge(t, `{"spec":{"taints":[{"key":"dedicated","value":"ml","effect":"NoExecute"}]}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.taints"}, writers: []*actor{pool, iso}, winner: iso, mechanism: "list replaced as a whole",
				why: "Two controllers replace the whole list of taints by merge patches, each without the other's taint."})
		}},
		{"taints-flaky-node", "node-taints", 9, func(p *play) {
			t := p.node("edge-04")
			kubelet := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			kubelet.create(t)
			lifecycle := p.kcm("node-controller")
			p.every(12, 30*m, func(i int) {
				lifecycle.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","lastTransitionTime":"`+p.now()+`"}]}}`)
				lifecycle.strategic(t, `{"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"`+p.now()+`"}]}}`)
				p.sleep(7 * m)
				kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","lastTransitionTime":"`+p.now()+`"}]}}`)
				lifecycle.strategic(t, `{"spec":{"taints":null}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, lifecycle}, debatable: true,
				why: "A node goes away and comes back: the node controller says Unknown when the kubelet is silent, the kubelet says True when it is back."})
		}},
		{"taints-autoscaler", "node-taints", 12, func(p *play) {
			t := p.node("spot-08")
			p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			ca := p.person("cluster-autoscaler", "cluster-autoscaler/v1.37.0 (linux/amd64) kubernetes/$Format", "")
			p.every(20, 30*m, func(i int) {
				ca.update(t, func(o object) {
					o.set([]any{map[string]any{"key": "DeletionCandidateOfClusterAutoscaler", "value": fmt.Sprint(1763337600 + i*1800), "effect": "PreferNoSchedule"}}, "spec", "taints")
				})
				p.sleep(5 * m)
				ca.update(t, func(o object) { delete(o.at("spec"), "taints") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ca}, why: "The cluster autoscaler marks a node as a candidate for deletion and takes the mark off when it is needed again."})
		}},
	}
}
