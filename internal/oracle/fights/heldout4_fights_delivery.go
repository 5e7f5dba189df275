package main

import (
	"time"
)

// fightsOfDelivery4 returns fights over objects that pipelines and GitOps tools
// deploy.
func fightsOfDelivery4() []scene {
	return []scene{
		{"external-name", "", 4, func(p *play) {
			p.in("catalog")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: catalog-db}\nspec: {type: ExternalName, externalName: db-primary.example.net}")
			flux, failover := p.fluxController(), p.service("database/failover-agent", "failover-agent/3.2 (linux/amd64) kubernetes/$Format", "failover-agent")
			flux.flux(t.object)
			p.together(3*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{6 * m, func(int) {
				if failover.notices(t, "db-replica.example.net", "spec", "externalName") {
					failover.merge(t, `{"spec":{"externalName":"db-replica.example.net"}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.externalName"}, writers: []*actor{flux, failover}, mechanism: "forced apply against patch", real: "Flux's apply is its library",
				why: "An agent points a service at the replica, Flux points it at the primary that Git names."})
		}},
		{"rightsizing", "", 9, func(p *play) {
			p.in("search-api")
			t := p.deployment("ranker", 4)
			t.object.at("spec", "template", "spec", "containers", "0", "resources")["limits"] = map[string]any{"cpu": "1", "memory": "1Gi"}
			argo, ci := p.argoController(), p.person("gitlab-runner", kubectlAgent, "kubectl-set")
			argo.threeWay(t, t.object)
			p.every(15, 30*m, func(i int) {
				ci.kubectl("", "set", "resources", "deployment", t.id, "--limits=cpu=600m")
				p.sleepBetween(3*sec, 3*m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.limits.cpu"}, writers: []*actor{argo, ci}, winner: argo, mechanism: "patches", real: "kubectl is real",
				why: "A scheduled job sets limits from usage, Argo CD with self-healing restores those of Git."})
		}},
		{"bucket-ownership", "", 4, func(p *play) {
			p.in("assets")
			p.define("s3.example.io", "v1beta1", "Bucket", "Namespaced", "")
			t := p.thing("apiVersion: s3.example.io/v1beta1\nkind: Bucket\nmetadata: {name: assets-eu}\nspec: {forProvider: {region: eu-west-1, objectOwnership: BucketOwnerEnforced}}")
			cross, pulumi := p.service("crossplane-system/crossplane", "crossplane/v2.0 (linux/amd64) kubernetes/$Format", "apiextensions.crossplane.io/composed/7f3c"), p.service("pulumi/pulumi-operator", "pulumi-kubernetes/v4.23.0 (linux/amd64) kubernetes/$Format", "pulumi-kubernetes-9ab1")
			other := t.object.with("ObjectWriter", "spec", "forProvider", "objectOwnership")
			cross.apply(t, t.object)
			p.together(3*time.Hour, beat{m, func(int) {
				if cross.notices(t, "BucketOwnerEnforced", "spec", "forProvider", "objectOwnership") {
					cross.apply(t, t.object)
				}
			}}, beat{12 * m, func(int) { pulumi.apply(t, other) }})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.forProvider.objectOwnership"}, writers: []*actor{cross, pulumi}, mechanism: "forced applies",
				why: "A Pulumi stack states a bucket that a Crossplane composition also composes."})
		}},
		{"record-ttl", "", 9, func(p *play) {
			p.in("checkout-web")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: checkout, annotations: {external-dns.alpha.kubernetes.io/ttl: '60'}}\nspec: {rules: [{host: pay.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: checkout, port: {number: 80}}}}]}}]}")
			helm, tf := p.service("flux-system/helm-controller", "helm-controller/v1.3.0 (linux/amd64) kubernetes/$Format", "helm-controller"), p.person("terraform", "HashiCorp/1.0 Terraform/1.9.8", "Terraform")
			helm.create(t)
			const key = "external-dns.alpha.kubernetes.io/ttl"
			p.together(8*time.Hour, beat{11 * m, func(int) {
				if helm.dryApply(t, t.object); helm.notices(t, "60", "metadata", "annotations", key) {
					helm.json(t, `[{"op":"replace","path":"/metadata/annotations/external-dns.alpha.kubernetes.io~1ttl","value":"60"}]`)
				}
			}}, beat{30 * m, func(int) {
				if tf.differs(t, "300", "metadata", "annotations", key) {
					tf.apply(t, parse("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: checkout, annotations: {"+key+": '300'}}"))
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + key + `"]`}, writers: []*actor{helm, tf}, mechanism: "forced apply against patch",
				why: "Terraform sets an annotation that the chart has too; Flux's drift correction sets the chart's value."})
		}},
		{"self-unsuspended", "", 6, func(p *play) {
			p.in("fleet-config")
			p.define("kustomize.toolkit.fluxcd.io", "v1", "Kustomization", "Namespaced", "")
			t := p.thing("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: tenants}\nspec: {interval: 10m, path: ./tenants, prune: true, suspend: false}")
			flux, oncall := p.fluxController(), p.person("erin@example.com", "flux/v2.7.2 (linux/amd64)", "flux")
			flux.flux(t.object)
			p.together(5*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{26 * m, func(int) {
				oncall.get(t)
				oncall.merge(t, `{"spec":{"suspend":true}}`)
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.suspend"}, writers: []*actor{flux, oncall}, mechanism: "forced apply against patch", real: "Flux's apply is its library",
				why: "On-call suspends a Kustomization again and again, its parent in Git says suspend: false and resumes it."})
		}},
		{"edited-route", "", 5, func(p *play) {
			p.in("portal")
			p.define("route.example.io", "v1", "Route", "Namespaced", "")
			t := p.thing("apiVersion: route.example.io/v1\nkind: Route\nmetadata: {name: portal}\nspec: {host: portal.apps.example.com, to: {kind: Service, name: portal}}")
			argo, carol := p.argoController(), p.person("carol@example.com", kubectlAgent, "kubectl-edit")
			argo.threeWay(t, t.object)
			p.every(7, 17*m, func(i int) {
				carol.edit("route", t.id, "s/^  host: .*/  host: portal-new.apps.example.com/")
				p.sleepBetween(5*sec, 3*m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.host"}, writers: []*actor{argo, carol}, winner: argo, mechanism: "patches", real: "kubectl is real",
				why: "An engineer edits a host seven times in two hours and does not notice that Argo CD restores it."})
		}},
		{"fleet-surge", "", 5, func(p *play) {
			p.in("edge-cache")
			t := p.deployment("varnish", 6)
			t.object.set(map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": 0}}, "spec", "strategy")
			fleet, tuner := p.service("cattle-fleet-system/fleet-agent", "fleetagent/v0.13 (linux/amd64) kubernetes/$Format", "fleetagent"), p.service("capacity/rollout-tuner", "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "")
			fleet.threeWay(t, t.object)
			p.together(4*time.Hour, beat{15 * m, func(int) { fleet.threeWay(t, t.object) }}, beat{7 * m, func(int) {
				if tuner.differs(t, 1, "spec", "strategy", "rollingUpdate", "maxSurge") {
					tuner.json(t, `[{"op":"replace","path":"/spec/strategy/rollingUpdate/maxSurge","value":1}]`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.strategy.rollingUpdate.maxSurge"}, writers: []*actor{fleet, tuner}, mechanism: "patches",
				why: "A capacity tool limits the surge of each deployment, Fleet corrects drift every quarter of an hour."})
		}},
		{"session-affinity", "", 8, func(p *play) {
			p.in("carts")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: carts}\nspec: {sessionAffinity: ClientIP, selector: {app: carts}, ports: [{port: 80, name: http}]}")
			ci, gateway := p.person("jenkins", kubectlAgent, "kubectl"), p.service("gateway-system/gateway-operator", "gateway-operator/0.12 (linux/amd64) kubernetes/$Format", "").reacts(300*time.Millisecond, 3*sec)
			text := t.object.yaml()
			p.every(14, 28*m, func(i int) {
				ci.kubectl(text, "apply", "--server-side", "--force-conflicts", "-f", "-")
				gateway.cached(t, func(o object) {
					o.set("None", "spec", "sessionAffinity")
					delete(o.at("spec"), "sessionAffinityConfig")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.sessionAffinity"}, follows: []string{"spec.sessionAffinityConfig", "spec.sessionAffinityConfig.clientIP.timeoutSeconds"}, writers: []*actor{ci, gateway}, winner: gateway, mechanism: "forced apply against full update", real: "kubectl is real",
				why: "The gateway's operator normalises each backend at once, the pipeline applies the affinity again in the next run."})
		}},
		{"pool-size", "", 7, func(p *play) {
			p.in("payments-mesh")
			p.define("networking.istio.example.io", "v1", "DestinationRule", "Namespaced", "")
			t := p.thing("apiVersion: networking.istio.example.io/v1\nkind: DestinationRule\nmetadata: {name: ledger}\nspec: {host: ledger, trafficPolicy: {connectionPool: {tcp: {maxConnections: 100}}}}")
			tf, adaptive := p.person("terraform", "HashiCorp/1.0 Terraform/1.9.8", "Terraform"), p.service("traffic/adaptive-limits", "adaptive-limits/v0.7 (linux/amd64) kubernetes/$Format", "adaptive-limits")
			other := t.object.with(400, "spec", "trafficPolicy", "connectionPool", "tcp", "maxConnections")
			tf.apply(t, t.object)
			p.together(6*time.Hour, beat{20 * m, func(int) {
				if tf.differs(t, 100, "spec", "trafficPolicy", "connectionPool", "tcp", "maxConnections") {
					tf.apply(t, t.object)
				}
			}}, beat{5 * m, func(int) { adaptive.apply(t, other) }})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.trafficPolicy.connectionPool.tcp.maxConnections"}, writers: []*actor{tf, adaptive}, winner: adaptive, mechanism: "forced applies",
				why: "A controller raises a limit that Terraform states in Git."})
		}},
		{"node-pool-tolerations", "", 5, func(p *play) {
			p.in("etl")
			t := p.deployment("loader", 2)
			list := func(key string) []any {
				return []any{map[string]any{"key": key, "operator": "Exists", "effect": "NoSchedule"}}
			}
			t.object.set(list("batch"), "spec", "template", "spec", "tolerations")
			pool, helm := p.service("nodepools/pool-assigner", "pool-assigner/1.4 (linux/amd64) kubernetes/$Format", "pool-assigner"), p.service("etl/helm-operator", "Helm/v3.19.0", "")
			helm.threeWay(t, t.object)
			p.together(4*time.Hour, beat{16 * m, func(int) { helm.threeWay(t, t.object) }}, beat{9 * m, func(int) {
				if pool.notices(t, list("spot"), "spec", "template", "spec", "tolerations") {
					pool.merge(t, `{"spec":{"template":{"spec":{"tolerations":[{"key":"spot","operator":"Exists","effect":"NoSchedule"}]}}}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.tolerations"}, writers: []*actor{pool, helm}, mechanism: "patches",
				why: "A tool moves workloads to other nodes by their tolerations, each upgrade of the release moves them back."})
		}},
	}
}
