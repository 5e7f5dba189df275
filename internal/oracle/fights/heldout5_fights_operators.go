package main

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fightsOfOperators5 returns fights in which an operator or a policy engine is
// a party.
func fightsOfOperators5() []scene {
	return []scene{
		{"two-api-versions", "", 5, func(p *play) {
			p.in("cache-eu")
			p.stage.definition("caches.memory.example.io", parse(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: caches.memory.example.io}
spec:
  group: memory.example.io
  scope: Namespaced
  names: {kind: Cache, plural: caches}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`), "/apis/memory.example.io/v1alpha1/caches")
			young := p.thing("apiVersion: memory.example.io/v1\nkind: Cache\nmetadata: {name: sessions}\nspec: {eviction: lfu, shards: 3}")
			old := p.thing("apiVersion: memory.example.io/v1alpha1\nkind: Cache\nmetadata: {name: sessions}\nspec: {eviction: lru, shards: 3}")
			a, b := p.service("cache-legacy/cache-operator", "manager/v0.9.4 (linux/amd64) kubernetes/$Format", ""), p.service("cache-system/cache-operator", "manager/v1.2.0 (linux/amd64) kubernetes/$Format", "")
			b.create(young)
			p.together(3*time.Hour, beat{10 * m, func(int) {
				if a.notices(old, "lru", "spec", "eviction") {
					a.cached(old, func(o object) { o.set("lru", "spec", "eviction") })
				}
			}}, beat{8 * m, func(int) {
				if b.notices(young, "lfu", "spec", "eviction") {
					b.cached(young, func(o object) { o.set("lfu", "spec", "eviction") })
				}
			}})
			p.fight(what{things: []*thing{young}, fields: []string{"spec.eviction"}, writers: []*actor{a, b}, mechanism: "full updates in two API versions",
				why: "An operator was not removed after its upgrade: the old one defaults through v1alpha1 what the new one defaults through v1."})
		}},
		{"chaos-engine", "", 5, func(p *play) {
			p.in("chaos")
			p.define("litmus.example.io", "v1alpha1", "ChaosEngine", "Namespaced", "")
			t := p.thing("apiVersion: litmus.example.io/v1alpha1\nkind: ChaosEngine\nmetadata: {name: pod-kill}\nspec: {engineState: stop, experiment: pod-delete}")
			ci, guard := p.person("github-actions", kubectlAgent, "kubectl-patch"), p.operatorOf("slo-system/budget-guard", "budget-guard")
			guard.create(t)
			guard.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil || object(o.Object).text("spec", "engineState") == "stop" {
					return nil
				}
				base := o.DeepCopy()
				object(o.Object).set("stop", "spec", "engineState")
				return c.Patch(ctx, o, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(14, 15*m, func(int) {
				ci.kubectl("", "patch", "chaosengine", t.id, "--type=merge", "-p", `{"spec":{"engineState":"active"}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.engineState"}, writers: []*actor{ci, guard}, winner: guard, mechanism: "merge patches", real: "kubectl is real; " + realRuntime,
				why: "A workflow starts an experiment each quarter of an hour, a guard of the error budget stops it at once."})
		}},
		{"pvc-retention", "", 5, func(p *play) {
			p.in("logs-store")
			t := p.workload("StatefulSet", "elastic-hot", 3)
			t.object.set(map[string]any{"whenDeleted": "Retain", "whenScaled": "Retain"}, "spec", "persistentVolumeClaimRetentionPolicy")
			op, janitor := p.operatorOf("elastic-system/elastic-operator", "elastic-operator"), p.service("finops/claim-janitor", "claim-janitor/1.0 axios/1.7.9", "")
			op.create(t)
			op.controller(t, &appsv1.StatefulSet{}, func(ctx context.Context, c client.Client, x client.Object) error {
				s, _ := x.(*appsv1.StatefulSet)
				if s == nil || s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled == appsv1.RetainPersistentVolumeClaimRetentionPolicyType {
					return nil
				}
				s.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled = appsv1.RetainPersistentVolumeClaimRetentionPolicyType
				return c.Update(ctx, s)
			})
			p.settle(t)
			p.every(16, 13*m, func(int) {
				janitor.strategic(t, `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Delete"}}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.persistentVolumeClaimRetentionPolicy.whenScaled"}, writers: []*actor{op, janitor}, winner: op, mechanism: "strategic patch against full update", real: realRuntime,
				why: "A tool against unused volumes lets scaled-down sets delete their claims, the operator keeps them."})
		}},
		{"pull-policy", "", 8, func(p *play) {
			p.in("reports")
			t := p.deployment("pdf", 2)
			t.object.at("spec", "template", "spec", "containers", "0")["imagePullPolicy"] = "IfNotPresent"
			tf, kyverno := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", ""), p.service("kyverno/kyverno-background-controller", "background-controller/v1.15 (linux/amd64) kubernetes/$Format", "").reacts(2*sec, 45*sec)
			tf.create(t)
			containers := string(answerOf(t.object.at("spec", "template", "spec")["containers"]))
			p.every(13, 27*m, func(int) {
				tf.get(t)
				tf.json(t, `[{"op":"replace","path":"/spec/template/spec/containers","value":`+containers+`}]`)
				kyverno.update(t, func(o object) {
					o.at("spec", "template", "spec", "containers", "0")["imagePullPolicy"] = "Always"
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].imagePullPolicy"}, writers: []*actor{tf, kyverno}, winner: kyverno, mechanism: "JSON patch against full update",
				why: "A policy mutates existing deployments in the background, Terraform's next run replaces the containers by those of its state."})
		}},
		{"batch-paused", "", 9, func(p *play) {
			p.in("cart-svc")
			t := p.deployment("cart-svc", 8)
			t.object.set(false, "spec", "paused")
			argo, kruise := p.argoController().reacts(sec, 3*m), p.service("kruise-rollout/kruise-rollout-controller", "kruise-rollout/v0.6 (linux/amd64) kubernetes/$Format", "").reacts(sec, 8*sec)
			dc := p.kcm("deployment-controller")
			argo.create(t)
			argo.threeWay(t, t.object)
			for range 2 { // two releases a day
				p.sleep(3 * time.Hour)
				p.every(9, 3*m, func(i int) {
					kruise.merge(t, `{"spec":{"paused":true}}`)
					if i%3 == 0 {
						dc.observe(t, 8)
					}
					argo.threeWay(t, t.object)
				})
			}
			p.fight(what{things: []*thing{t}, fields: []string{"spec.paused"}, writers: []*actor{argo, kruise}, winner: argo, mechanism: "patches",
				why: "A rollout controller pauses the deployment at each batch, Argo CD's self-healing resumes it because Git says paused: false."})
		}},
		{"canary-services", "", 4, func(p *play) {
			p.in("storefront")
			p.define("traefik.example.io", "v1alpha1", "TraefikService", "Namespaced", "")
			t := p.thing("apiVersion: traefik.example.io/v1alpha1\nkind: TraefikService\nmetadata: {name: storefront}\nspec: {weighted: {services: [{name: stable, weight: 100}, {name: canary, weight: 0}]}}")
			flux, rollouts := p.fluxController(), p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8.3 (linux/amd64) kubernetes/$Format", "")
			at := func(w int) []any {
				return []any{map[string]any{"name": "stable", "weight": 100 - w}, map[string]any{"name": "canary", "weight": w}}
			}
			flux.flux(t.object)
			step := 0
			p.together(150*m, beat{6 * m, func(int) { flux.flux(t.object) }}, beat{3 * m, func(int) {
				if want := at(10 + 10*(step/2)); rollouts.notices(t, want, "spec", "weighted", "services") {
					rollouts.update(t, func(o object) { o.set(want, "spec", "weighted", "services") })
				}
			}}, beat{20 * m, func(int) { step++ }})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.weighted.services"}, writers: []*actor{flux, rollouts}, mechanism: "forced apply against full update", real: "Flux's apply is its library",
				why: "A canary's weights rise step by step, and each time Flux restores those of Git, which sends no traffic to the canary."})
		}},
		{"alternating-limits", "", 6, func(p *play) {
			p.in("streaming")
			p.define("kafka.example.io", "v1", "KafkaUser", "Namespaced", "")
			t := p.thing("apiVersion: kafka.example.io/v1\nkind: KafkaUser\nmetadata: {name: clickstream}\nspec: {quotas: {producerByteRate: 1048576, consumerByteRate: 2097152}}")
			argo, balancer := p.argoController().reacts(4*sec, 100*sec), p.service("streaming-tools/quota-balancer", "quota-balancer/0.8 (linux/amd64) kubernetes/$Format", "quota-balancer")
			argo.threeWay(t, t.object)
			p.every(20, 14*m, func(i int) {
				balancer.merge(t, []string{`{"spec":{"quotas":{"producerByteRate":524288}}}`, `{"spec":{"quotas":{"consumerByteRate":4194304}}}`}[i%2])
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.quotas.producerByteRate", "spec.quotas.consumerByteRate"}, writers: []*actor{argo, balancer}, winner: argo, mechanism: "merge patches",
				why: "A balancer changes two quotas in turn, Argo CD restores the one that differs."})
		}},
		{"workload-active", "", 6, func(p *play) {
			p.in("training")
			p.define("kueue.example.io", "v1beta1", "Workload", "Namespaced", "")
			t := p.thing("apiVersion: kueue.example.io/v1beta1\nkind: Workload\nmetadata: {name: job-vision-train}\nspec: {active: true, priority: 100, queueName: research}")
			alice, fair := p.person("alice@example.com", kubectlAgent, "kubectl-client-side-apply"), p.service("fair-share/fair-share", "fair-share/1.1 (linux/amd64) kubernetes/$Format", "fair-share").reacts(10*sec, 40*sec)
			kueue := p.service("kueue-system/kueue-controller-manager", "kueue/v0.14 (linux/amd64) kubernetes/$Format", "kueue-admission")
			alice.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(13, 19*m, func(i int) {
				fair.apply(t, parse("apiVersion: kueue.example.io/v1beta1\nkind: Workload\nmetadata: {name: job-vision-train, namespace: training}\nspec: {active: false}"))
				kueue.mergeStatus(t, `{"status":{"evictions":`+string(answerOf(i))+`}}`)
				p.sleepBetween(20*sec, 5*m)
				alice.kubectl(t.object.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.active"}, writers: []*actor{alice, fair}, winner: alice, mechanism: "forced apply against patch", real: "kubectl is real",
				why: "A fair-share controller deactivates a workload, and its owner's loop applies it as active again."})
		}},
		{"safe-to-evict", "", 3, func(p *play) {
			p.in("spark-jobs")
			t := p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: driver-8812, labels: {app: spark}, annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: 'false'}}\nspec: {terminationGracePeriodSeconds: 0, containers: [{name: c, image: registry.example.com/spark:4}]}")
			op, turndown := p.service("spark-jobs/driver-guard", "driver-guard/v2 fabric8-kubernetes-client", ""), p.service("cost/right-turndown", "right-turndown/0.3 (linux/amd64) kubernetes/$Format", "")
			op.create(t)
			p.together(40*m, beat{95 * sec, func(int) {
				op.json(t, `[{"op":"replace","path":"/metadata/annotations/cluster-autoscaler.kubernetes.io~1safe-to-evict","value":"false"}]`)
			}}, beat{70 * sec, func(int) {
				if turndown.notices(t, "true", "metadata", "annotations", "cluster-autoscaler.kubernetes.io/safe-to-evict") {
					turndown.strategic(t, `{"metadata":{"annotations":{"cluster-autoscaler.kubernetes.io/safe-to-evict":"true"}}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["cluster-autoscaler.kubernetes.io/safe-to-evict"]`}, writers: []*actor{op, turndown}, mechanism: "patches",
				why: "A guard protects a driver pod from eviction, a cost tool frees all pods of the node, each at its own pace."})
		}},
	}
}
