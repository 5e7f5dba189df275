package main

import (
	"fmt"
	"time"
)

// fightsOfClusters5 returns fights over nodes, networks, definitions and other
// objects of a whole cluster.
func fightsOfClusters5() []scene {
	return []scene{
		{"gpu-driver-label", "", 4, func(p *play) {
			t := p.node("gpu-a100-03")
			kubelet := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			gpu, upgrades := p.service("gpu-operator/gpu-operator", "gpu-operator/v25.3 (linux/amd64) kubernetes/$Format", ""), p.service("node-care/driver-upgrades", "driver-upgrades/0.4.1 (linux/amd64) kubernetes/$Format", "")
			nfd := p.service("node-feature-discovery/nfd-master", "nfd-master/v0.18 (linux/amd64) kubernetes/$Format", "nfd-master")
			kubelet.create(t)
			const key = "nvidia.com/gpu.deploy.driver"
			p.together(2*time.Hour, beat{7 * m, func(int) {
				upgrades.merge(t, `{"metadata":{"labels":{"`+key+`":"pre-installed"}}}`)
			}}, beat{4 * m, func(int) {
				if gpu.notices(t, "true", "metadata", "labels", key) {
					gpu.cached(t, func(o object) { o.set("true", "metadata", "labels", key) })
				}
			}}, beat{5 * m, func(int) {
				kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"`+p.now()+`"}]}}`)
			}}, beat{25 * m, func(i int) {
				nfd.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {feature.node.kubernetes.io/kernel-version.minor: '%d'}}", t.id, 10+i)))
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["` + key + `"]`}, writers: []*actor{gpu, upgrades}, mechanism: "merge patch against full update",
				why: "A tool marks the driver of a node as installed by the image, the GPU operator's next pass deploys its own again; kubelet and feature discovery write other fields."})
		}},
		{"ipam-watermark", "", 4, func(p *play) {
			p.define("cilium.example.io", "v2", "CiliumNode", "Cluster", "")
			t := p.thing("apiVersion: cilium.example.io/v2\nkind: CiliumNode\nmetadata: {name: ip-10-8-3-77}\nspec: {ipam: {maxAboveWatermark: 2, preAllocate: 8}}")
			agent, tuner := p.service("kube-system/cilium", "cilium-agent/1.18.2 (linux/amd64) kubernetes/$Format", ""), p.service("network-team/ip-saver", "ip-saver/v3 Python/3.13 kubernetes-client", "")
			op := p.service("kube-system/cilium-operator", "cilium-operator/1.18.2 (linux/amd64) kubernetes/$Format", "")
			agent.create(t)
			p.together(150*m, beat{2 * m, func(int) {
				if agent.notices(t, 2, "spec", "ipam", "maxAboveWatermark") {
					agent.cached(t, func(o object) { o.set(2, "spec", "ipam", "maxAboveWatermark") })
				}
			}}, beat{9 * m, func(int) {
				tuner.json(t, `[{"op":"replace","path":"/spec/ipam/maxAboveWatermark","value":0}]`)
			}}, beat{6 * m, func(i int) {
				op.updateStatus(t, func(o object) { o.set(14+i%5, "status", "ipam", "available") })
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.ipam.maxAboveWatermark"}, writers: []*actor{agent, tuner}, mechanism: "JSON patch against full update",
				why: "A tool that saves addresses lowers a mark that the agent takes from its own configuration two minutes later."})
		}},
		{"conversion-bundle", "", 5, func(p *play) {
			p.in("default")
			t := p.thing("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gearboxes.motor.example.net}\nspec: {group: motor.example.net, scope: Namespaced, names: {kind: Gearbox, plural: gearboxes, singular: gearbox, listKind: GearboxList}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}], conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://motor-webhook.example.com/convert'}}}}")
			chart, injected := p.authority(1), p.authority(2)
			t.object.set(chart, "spec", "conversion", "webhook", "clientConfig", "caBundle")
			helm := p.service("flux-system/helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm-controller")
			cainjector := p.service("cert-manager/cert-manager-cainjector", "cert-manager-cainjector-customresourcedefinition/v1.19.1 (linux/amd64) cert-manager", "").reacts(300*time.Millisecond, 4*sec)
			helm.create(t)
			p.every(14, 18*m, func(int) {
				helm.dryApply(t, t.object)
				helm.json(t, `[{"op":"replace","path":"/spec/conversion/webhook/clientConfig/caBundle","value":"`+chart+`"}]`)
				cainjector.cached(t, func(o object) {
					o.set(injected, "spec", "conversion", "webhook", "clientConfig", "caBundle")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.conversion.webhook.clientConfig.caBundle"}, writers: []*actor{helm, cainjector}, winner: cainjector, mechanism: "JSON patch against full update",
				why: "A chart has a self-signed bundle, and Flux's drift correction puts it back at each run; the injector writes its authority seconds later."})
		}},
		{"trusted-ca", "", 8, func(p *play) {
			p.in("proxy-system")
			t := p.config("trusted-ca", map[string]any{"ca-bundle.crt": "company", "README": "do not edit"})
			trust := p.service("cert-manager/trust-manager", "trust-manager/v0.19 (linux/amd64) kubernetes/$Format", "trust-manager").reacts(300*time.Millisecond, 900*time.Millisecond)
			network := p.service("network-operator/cluster-network-operator", "cluster-network-operator/4.20 (linux/amd64) kubernetes/$Format", "").reacts(300*time.Millisecond, 900*time.Millisecond)
			network.create(t)
			company := parse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: trusted-ca, namespace: proxy-system}\ndata: {ca-bundle.crt: public and company}")
			p.every(5, 75*m, func(int) {
				for range 8 { // until the back-off of work queues ends the burst
					trust.apply(t, company)
					network.cached(t, func(o object) { o.set("company", "data", "ca-bundle.crt") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["ca-bundle.crt"]`}, writers: []*actor{trust, network}, winner: network, mechanism: "forced apply against full update",
				why: "Two distributors of trust bundles write one key of one config map; each resync starts a burst of some seconds."})
		}},
		{"mcp-paused", "", 9, func(p *play) {
			p.define("machineconfiguration.example.io", "v1", "MachineConfigPool", "Cluster", "")
			t := p.thing("apiVersion: machineconfiguration.example.io/v1\nkind: MachineConfigPool\nmetadata: {name: worker-db}\nspec: {paused: true, maxUnavailable: 1}")
			acm, dave := p.service("open-cluster-management-agent/config-policy-controller", "config-policy-controller/v2.14 (linux/amd64) kubernetes/$Format", ""), p.person("dave@example.com", "ansible-httpget Python-urllib/3.12", "")
			acm.create(t)
			p.every(12, 30*m, func(int) {
				dave.merge(t, `{"spec":{"paused":false}}`)
				p.sleepBetween(9*sec, 10*m)
				acm.update(t, func(o object) { o.set(true, "spec", "paused") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.paused"}, writers: []*actor{acm, dave}, winner: acm, mechanism: "merge patch against full update",
				why: "A playbook resumes a pool twice an hour so that updates roll out, a policy of the fleet manager pauses it again within ten minutes."})
		}},
		{"registry-credentials", "", 6, func(p *play) {
			p.in("batch-eu")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: regcred}\ntype: Opaque\ndata: {token: " + b64("committed", 1) + "}")
			flux, refresher := p.fluxController(), p.service("ecr-tools/token-refresher", "token-refresher/1.6 Go-http-client/2.0", "token-refresher")
			flux.flux(t.object)
			p.together(5*time.Hour, beat{12 * m, func(int) { flux.flux(t.object) }}, beat{20 * m, func(i int) {
				refresher.merge(t, `{"data":{"token":"`+b64("fresh", i)+`"}}`)
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"data.token"}, writers: []*actor{flux, refresher}, mechanism: "forced apply against merge patch", real: "Flux's apply is its library",
				why: "A job writes a fresh token three times an hour, and Flux restores the encrypted one that somebody committed."})
		}},
		{"listener-hostname", "", 4, func(p *play) {
			p.in("edge-gateways")
			p.define("gateway.example.io", "v1", "Gateway", "Namespaced", "{type: object, properties: {className: {type: string}, listeners: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, hostname: {type: string}, port: {type: integer}}}}}}")
			t := p.thing("apiVersion: gateway.example.io/v1\nkind: Gateway\nmetadata: {name: public}\nspec: {className: envoy, listeners: [{name: http, port: 80}, {name: https, port: 443, hostname: shop.example.com}]}")
			flux, domains := p.fluxController(), p.service("domains/domain-operator", "domain-operator/v0.31 (linux/amd64) kubernetes/$Format", "domain-operator")
			wild := parse("apiVersion: gateway.example.io/v1\nkind: Gateway\nmetadata: {name: public, namespace: edge-gateways}\nspec: {listeners: [{name: https, hostname: '*.example.com'}]}")
			flux.flux(t.object)
			p.together(3*time.Hour, beat{5 * m, func(int) { flux.flux(t.object) }}, beat{13 * m, func(int) { domains.apply(t, wild) }})
			domains.apply(t, wild)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.listeners[name=https].hostname"}, writers: []*actor{flux, domains}, winner: domains, mechanism: "forced applies", real: "Flux's apply is its library",
				why: "An operator of domains widens a listener to all hosts, Flux narrows it to the host in Git."})
		}},
		{"exclude-label", "", 6, func(p *play) {
			p.in("sandbox-7")
			t := p.deployment("notebook", 1)
			bob, janitor := p.person("bob@example.com", kubectlAgent, "kubectl-label"), p.service("governance/label-janitor", "label-janitor/2.2 (linux/amd64) kubernetes/$Format", "label-janitor").reacts(4*sec, 70*sec)
			bob.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(14, 22*m, func(int) {
				bob.kubectl("", "label", "--overwrite", "deployment", t.id, "downscaler/exclude=true")
				janitor.json(t, `[{"op":"remove","path":"/metadata/labels/downscaler~1exclude"}]`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["downscaler/exclude"]`}, writers: []*actor{bob, janitor}, winner: janitor, mechanism: "patches", real: "kubectl is real",
				why: "A developer's cron job exempts a notebook from the night's rest, a janitor removes labels that are not on its list."})
		}},
		{"dns-zone", "", 5, func(p *play) {
			p.in("dns-edge")
			p.define("dns.example.io", "v1alpha1", "DNSRecord", "Namespaced", "")
			t := p.thing("apiVersion: dns.example.io/v1alpha1\nkind: DNSRecord\nmetadata: {name: www}\nspec: {name: www.example.com, targets: [192.0.2.7]}")
			public, private := p.service("dns-public/external-dns", "external-dns/v0.19 (linux/amd64) kubernetes/$Format", ""), p.service("dns-private/external-dns", "external-dns/v0.19 (linux/amd64) kubernetes/$Format", "")
			public.create(t)
			zone := func(a *actor, zone string) func(int) {
				return func(int) {
					if a.notices(t, zone, "status", "zone") {
						a.updateStatus(t, func(o object) { o.set(zone, "status", "zone") })
					}
				}
			}
			p.together(2*time.Hour, beat{4 * m, zone(public, "example.com.")}, beat{5 * m, zone(private, "corp.example.com.")})
			p.fight(what{things: []*thing{t}, fields: []string{"status.zone"}, writers: []*actor{public, private}, mechanism: "full updates of the status",
				why: "Two instances have no filter, and each reports its own zone in the status of every record."})
		}},
		{"idle-timeout", "", 6, func(p *play) {
			p.in("chat-edge")
			const key = "balancer.example.com/idle-timeout"
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: chat, annotations: {" + key + ": '60'}}\nspec: {type: LoadBalancer, selector: {app: chat}, ports: [{port: 443, nodePort: 31943}]}")
			helm, chat := p.service("flux-system/helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm-controller"), p.service("chat-system/chat-operator", "chat-operator/2.7 (linux/amd64) kubernetes/$Format", "chat-operator")
			ccm, dns, cost := p.person("system:cloud-controller-manager", "aws-cloud-controller-manager/v1.34 (linux/amd64) kubernetes/$Format", ""), p.service("dns-public/external-dns", "external-dns/v0.19 (linux/amd64) kubernetes/$Format", ""), p.service("kubecost/annotator", "Go-http-client/1.1", "")
			helm.create(t)
			p.together(5*time.Hour, beat{15 * m, func(int) {
				if helm.dryApply(t, t.object); helm.notices(t, "60", "metadata", "annotations", key) {
					helm.apply(t, t.object)
				}
			}}, beat{11 * m, func(int) {
				if chat.notices(t, "3600", "metadata", "annotations", key) {
					chat.merge(t, `{"metadata":{"annotations":{"`+key+`":"3600"}}}`)
				}
			}}, beat{12 * m, func(i int) {
				ccm.strategicStatus(t, fmt.Sprintf(`{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.%d"}]}}}`, 90+i/8))
			}}, beat{9 * m, func(i int) {
				dns.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"dns.example.com/serial":"%d"}}}`, i))
			}}, beat{20 * m, func(i int) {
				cost.update(t, func(o object) { o.set(fmt.Sprintf("%d.17", 20+i), "metadata", "annotations", "cost.example.com/day") })
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + key + `"]`}, writers: []*actor{helm, chat}, mechanism: "forced apply against merge patch",
				why: "An operator of long connections raises a time-out that the chart states; three other programs write the same service."})
		}},
		{"volume-expansion", "", 15, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: longhorn-r2}\nprovisioner: driver.longhorn.example.io\nallowVolumeExpansion: true")
			longhorn, tf := p.service("longhorn-system/longhorn-service-account", "longhorn-manager/v1.10 (linux/amd64) kubernetes/$Format", ""), p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", "Terraform")
			longhorn.create(t)
			p.together(13*time.Hour, beat{time.Hour, func(int) {
				tf.get(t)
				tf.merge(t, `{"allowVolumeExpansion":false}`)
			}}, beat{40 * m, func(int) {
				if longhorn.notices(t, true, "allowVolumeExpansion") {
					longhorn.cached(t, func(o object) { o["allowVolumeExpansion"] = true })
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"allowVolumeExpansion"}, writers: []*actor{longhorn, tf}, mechanism: "merge patch against full update",
				why: "Terraform's hourly run forbids volumes to grow, the manager of the storage allows it again at its next pass."})
		}},
	}
}
