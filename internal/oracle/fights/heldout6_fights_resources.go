package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fightsOfResources6 returns fights over custom resources.
func fightsOfResources6() []scene {
	return []scene{
		{"mtls-mode", "", 7, func(p *play) {
			p.in("loyalty-mesh")
			p.define("security.mesh.example.io", "v1", "PeerAuthentication", "Namespaced", "")
			t := p.thing("apiVersion: security.mesh.example.io/v1\nkind: PeerAuthentication\nmetadata: {name: default}\nspec: {mtls: {mode: PERMISSIVE}}")
			ci, bot := p.person("github-actions", "Helm/4.3.1", "helm"), p.service("security/mesh-compliance", "mesh-compliance/1.3 (linux/amd64) kubernetes/$Format", "").reacts(20*sec, 90*sec)
			chart := p.chart("loyalty", map[string]string{"pa.yaml": t.object.yaml()})
			ci.helm("4", "install", "loyalty", chart)
			p.every(11, 28*m, func(int) {
				bot.merge(t, `{"spec":{"mtls":{"mode":"STRICT"}}}`)
				p.sleepBetween(2*m, 9*m)
				ci.helm("4", "upgrade", "--force-conflicts", "loyalty", chart)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.mtls.mode"}, writers: []*actor{ci, bot}, winner: ci, mechanism: "forced apply against merge patch", real: "Helm 4 is real",
				why: "A compliance bot demands strict encryption, each release of the team's chart states the permissive mode."})
		}},
		{"minor-version", "", 4, func(p *play) {
			p.in("crm-db")
			p.define("postgres.example.io", "v1", "PostgresCluster", "Namespaced", "")
			t := p.thing("apiVersion: postgres.example.io/v1\nkind: PostgresCluster\nmetadata: {name: crm}\nspec: {version: '16.4', instances: 3}")
			flux, op := p.fluxController(), p.operatorOf("postgres-operator/postgres-operator", "postgres-operator")
			flux.flux(t.object)
			op.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil || object(o.Object).text("spec", "version") == "16.6" {
					return nil
				}
				object(o.Object).set("16.6", "spec", "version")
				return c.Update(ctx, o)
			})
			p.settle(t)
			p.every(16, 10*m, func(int) {
				flux.flux(t.object)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.version"}, writers: []*actor{flux, op}, winner: op, mechanism: "forced apply against full update", real: "Flux's apply is its library; " + realRuntime,
				why: "The operator upgrades a database to its newest minor version in the spec, Flux pins an older one."})
		}},
		{"scrape-interval", "", 2, func(p *play) {
			p.in("metrics-team")
			p.define("monitoring.example.io", "v1", "ServiceMonitor", "Namespaced", "")
			p.webhook("scrape-guard.platform.example.com", "monitoring.example.io", "v1", "servicemonitors", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.at("spec", "endpoints", "0")["interval"] != "5s" {
					return nil
				}
				return []map[string]any{operation("replace", "/spec/endpoints/0/interval", "60s")}
			})
			t := p.thing("apiVersion: monitoring.example.io/v1\nkind: ServiceMonitor\nmetadata: {name: matcher}\nspec: {endpoints: [{port: http, interval: 5s}], selector: {matchLabels: {app: matcher}}}")
			argo := p.argoController()
			argo.threeWay(t, t.object)
			p.every(28, 3*m, func(int) { argo.threeWay(t, t.object) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.endpoints"}, writers: []*actor{argo}, webhook: "scrape-guard.platform.example.com", mechanism: "a webhook overwrites a stated value", real: "the webhook is real",
				why: "The platform's webhook replaces short scrape intervals, so Argo CD finds a difference at each comparison."})
		}},
		{"warm-instances", "", 5, func(p *play) {
			p.in("thumb-functions")
			p.define("serving.example.io", "v1", "Function", "Namespaced", "")
			t := p.thing("apiVersion: serving.example.io/v1\nkind: Function\nmetadata: {name: resize}\nspec: {template: {metadata: {annotations: {autoscaling.example.io/min-scale: '0'}}}}")
			bob, cost := p.person("bob@example.com", kubectlAgent, "kubectl-patch"), p.service("finops/idle-saver", "idle-saver/0.9 axios/1.7.9", "")
			cost.create(t)
			p.together(4*time.Hour, beat{15 * m, func(int) {
				bob.kubectl("", "patch", "function", t.id, "--type=merge", "-p", `{"spec":{"template":{"metadata":{"annotations":{"autoscaling.example.io/min-scale":"2"}}}}}`)
			}}, beat{6 * m, func(int) {
				if cost.differs(t, "0", "spec", "template", "metadata", "annotations", "autoscaling.example.io/min-scale") {
					cost.merge(t, `{"spec":{"template":{"metadata":{"annotations":{"autoscaling.example.io/min-scale":"0"}}}}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.template.metadata.annotations["autoscaling.example.io/min-scale"]`}, writers: []*actor{bob, cost}, mechanism: "merge patches", real: "kubectl is real",
				why: "A developer's cron job keeps two instances warm, a cost tool scales idle functions to zero."})
		}},
		{"cloud-tags", "", 2, func(p *play) {
			p.in("crossplane-rds")
			p.define("rds.aws.example.io", "v1beta1", "Instance", "Namespaced", "")
			t := p.thing("apiVersion: rds.aws.example.io/v1beta1\nkind: Instance\nmetadata: {name: invoices}\nspec: {forProvider: {engine: postgres, tags: [{key: team, value: billing}]}}")
			xr, provider := p.service("crossplane-system/crossplane", "crossplane/v2.0.2 (linux/amd64) kubernetes/$Format", "apiextensions.crossplane.io/composed/invoices"), p.service("crossplane-system/provider-aws-rds", "provider-aws-rds/v2.1 (linux/amd64) kubernetes/$Format", "")
			xr.apply(t, t.object)
			stated := t.object.value("spec", "forProvider", "tags")
			late := []any{map[string]any{"key": "team", "value": "billing"}, map[string]any{"key": "org:backup", "value": "gold"}}
			p.together(40*m, beat{time.Minute, func(int) {
				if xr.notices(t, stated, "spec", "forProvider", "tags") {
					xr.apply(t, t.object)
				}
			}}, beat{time.Minute, func(int) {
				if provider.notices(t, late, "spec", "forProvider", "tags") {
					provider.cached(t, func(o object) { o.set(late, "spec", "forProvider", "tags") })
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.forProvider.tags"}, writers: []*actor{xr, provider}, mechanism: "forced apply against full update",
				why: "The provider copies a tag of the cloud's tag policy into the spec, the composition states the list without it."})
		}},
		{"rollout-replicas", "", 5, func(p *play) {
			p.in("ad-bidder")
			p.stage.definition("rollouts.progressive.example.io", parse(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.progressive.example.io}
spec:
  group: progressive.example.io
  scope: Namespaced
  names: {kind: Rollout, plural: rollouts}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {replicas: {type: integer}}}, status: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {replicas: {type: integer}}}}}}
`), "/apis/progressive.example.io/v1/rollouts")
			t := p.thing("apiVersion: progressive.example.io/v1\nkind: Rollout\nmetadata: {name: bidder}\nspec: {replicas: 3, strategy: {canary: {maxSurge: 1}}}")
			argo, hpa := p.argoController().reacts(5*sec, time.Minute), p.autoscaler()
			argo.threeWay(t, t.object)
			p.every(15, 12*m, func(i int) {
				hpa.scale(t, 5+(3*i)%5)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{argo, hpa}, winner: argo, mechanism: "scale against three-way patch",
				why: "An autoscaler follows the load, Argo CD heals the three replicas that Git states."})
		}},
		{"tenant-quota", "", 7, func(p *play) {
			p.define("capsule.example.io", "v1beta2", "Tenant", "Cluster", "")
			t := p.thing("apiVersion: capsule.example.io/v1beta2\nkind: Tenant\nmetadata: {name: oil}\nspec: {namespaceOptions: {quota: 5}, owners: [{kind: Group, name: oil-devs}]}")
			flux, portal := p.fluxController(), p.service("self-service/portal-backend", "okhttp/4.12.0", "")
			flux.flux(t.object)
			p.together(6*time.Hour, beat{20 * m, func(int) { flux.flux(t.object) }}, beat{25 * m, func(int) {
				portal.update(t, func(o object) { o.set(10, "spec", "namespaceOptions", "quota") })
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.namespaceOptions.quota"}, writers: []*actor{flux, portal}, mechanism: "forced apply against full update", real: "Flux's apply is its library",
				why: "The portal writes the quota of its own database, Flux applies the quota in Git."})
		}},
		{"issuer-email", "", 10, func(p *play) {
			p.define("acme.certs.example.io", "v1", "ClusterIssuer", "Cluster", "")
			t := p.thing("apiVersion: acme.certs.example.io/v1\nkind: ClusterIssuer\nmetadata: {name: letsencrypt}\nspec: {acme: {email: platform@example.com, server: 'https://acme.example.com/directory'}}")
			platform, web := p.person("ci-bot", kubectlAgent, "kubectl-client-side-apply"), p.person("github-actions", kubectlAgent, "kubectl-client-side-apply")
			platform.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.together(9*time.Hour, beat{30 * m, func(int) { platform.kubectl(t.object.yaml(), "apply", "-f", "-") }}, beat{28 * m, func(int) {
				web.kubectl(t.object.with("web-team@example.com", "spec", "acme", "email").yaml(), "apply", "-f", "-")
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.acme.email"}, writers: []*actor{platform, web}, mechanism: "client-side applies", real: "kubectl is real",
				why: "The pipelines of two repositories apply one issuer with different addresses."})
		}},
		{"pruned-child", "", 2, func(p *play) {
			p.in("internal-api")
			p.define("certs.example.io", "v1", "Certificate", "Namespaced", "")
			t := p.thing("apiVersion: certs.example.io/v1\nkind: Certificate\nmetadata: {name: internal-api-serving, labels: {app.kubernetes.io/instance: internal-api}}\nspec: {secretName: internal-api-serving, dnsNames: [internal-api.svc]}")
			argo, op := p.argoController(), p.service("internal-api/api-operator", "api-operator/v1.6 (linux/amd64) kubernetes/$Format", "").reacts(300*time.Millisecond, 2*sec)
			op.create(t)
			p.every(17, 4*m, func(int) {
				argo.delete(t)
				op.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{argo, op}, winner: op, mechanism: "delete and create",
				why: "The operator copies Argo CD's tracking label to a generated certificate, so Argo CD prunes it and the operator creates it again."})
		}},
		{"egress-rules", "", 3, func(p *play) {
			p.in("partner-sync")
			p.define("policy.cilium.example.io", "v2", "CiliumNetworkPolicy", "Namespaced", "")
			t := p.thing("apiVersion: policy.cilium.example.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: partner-sync}\nspec: {endpointSelector: {}, egress: [{toFQDNs: [{matchName: partner.example.com}]}]}")
			frank, guard := p.person("frank@example.com", kubectlAgent, "kubectl"), p.service("netsec/egress-guard", "egress-guard/2.4 (linux/amd64) kubernetes/$Format", "")
			allowed := []any{map[string]any{"toFQDNs": []any{map[string]any{"matchName": "proxy.example.com"}}}}
			frank.kubectl(t.object.yaml(), "apply", "--server-side", "--force-conflicts", "-f", "-")
			p.together(2*time.Hour, beat{8 * m, func(int) {
				frank.kubectl(t.object.yaml(), "apply", "--server-side", "--force-conflicts", "-f", "-")
			}}, beat{30 * sec, func(int) {
				if guard.notices(t, allowed, "spec", "egress") {
					guard.merge(t, `{"spec":{"egress":`+string(answerOf(allowed))+`}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.egress"}, writers: []*actor{frank, guard}, mechanism: "forced apply against merge patch", real: "kubectl is real",
				why: "A script opens the way to a partner, a guard sends all traffic through the proxy again within half a minute."})
		}},
		{"probe-interval", "", 3, func(p *play) {
			p.in("blackbox")
			p.define("probes.example.io", "v1", "Probe", "Namespaced", "")
			t := p.thing("apiVersion: probes.example.io/v1\nkind: Probe\nmetadata: {name: landing-page}\nspec: {interval: 15s, targets: ['https://www.example.com']}")
			a := p.service("blackbox/probe-operator", "probe-operator/v0.7.2 (linux/amd64) kubernetes/$Format", "").reacts(150*time.Millisecond, 240*time.Millisecond)
			b := p.service("blackbox-next/probe-operator", "probe-operator/v0.9.0 (linux/amd64) kubernetes/$Format", "").reacts(150*time.Millisecond, 240*time.Millisecond)
			a.create(t)
			p.every(3, 30*m, func(int) {
				for range 18 {
					b.cached(t, func(o object) { o.set("10s", "spec", "interval") })
					a.cached(t, func(o object) { o.set("15s", "spec", "interval") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.interval"}, writers: []*actor{a, b}, winner: a, mechanism: "full updates",
				why: "Two versions of an operator set different defaults and answer each other five times a second until one backs off."})
		}},
	}
}
