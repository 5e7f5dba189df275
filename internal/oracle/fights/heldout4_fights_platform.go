package main

import (
	"context"
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// fightsOfPlatforms4 returns fights over objects that a cluster's
// administrators and their tools share.
func fightsOfPlatforms4() []scene {
	return []scene{
		{"retain-volumes", "", 5, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: pv-ledger-01}\nspec: {capacity: {storage: 20Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, storageClassName: fast, hostPath: {path: /data/ledger}}")
			storage, guard := p.operatorOf("openebs/lvm-operator", "lvm-operator"), p.person("jenkins", kubectlAgent, "kubectl-patch")
			storage.create(t)
			p.together(4*time.Hour, beat{9 * m, func(int) {
				if storage.notices(t, "Delete", "spec", "persistentVolumeReclaimPolicy") {
					storage.cached(t, func(o object) { o.set("Delete", "spec", "persistentVolumeReclaimPolicy") })
				}
			}}, beat{15 * m, func(int) {
				guard.kubectl("", "patch", "pv", t.id, "-p", `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`)
			}})
			guard.kubectl("", "patch", "pv", t.id, "-p", `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.persistentVolumeReclaimPolicy"}, writers: []*actor{storage, guard}, winner: guard, mechanism: "patch against full update", real: "kubectl is real",
				why: "A job of the backup team keeps volumes, the storage operator's resync sets the policy of its class again."})
		}},
		{"keda-minimum", "", 4, func(p *play) {
			p.in("orders-intake")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: keda-hpa-intake}\nspec: {minReplicas: 1, maxReplicas: 30, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: intake}, metrics: [{type: External, external: {metric: {name: s0-rabbitmq}, target: {type: AverageValue, averageValue: '40'}}}]}")
			keda, warm := p.operatorOf("keda/keda-operator", "keda"), p.service("sre-tools/warm-pool", "warm-pool/2.3.1 Python/3.12 kubernetes-client", "")
			keda.create(t)
			keda.controller(t, &autoscalingv2.HorizontalPodAutoscaler{}, func(ctx context.Context, c client.Client, o client.Object) error {
				h, ok := o.(*autoscalingv2.HorizontalPodAutoscaler)
				if !ok || h.Spec.MinReplicas == nil || *h.Spec.MinReplicas == 1 {
					return nil
				}
				h.Spec.MinReplicas = ptr(int32(1))
				return c.Update(ctx, h)
			})
			p.settle(t)
			p.every(19, 10*m, func(i int) {
				warm.merge(t, `{"spec":{"minReplicas":6}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.minReplicas"}, writers: []*actor{keda, warm}, winner: keda, mechanism: "patch against full update", real: realRuntime,
				why: "A script raises the minimum of the autoscaler that KEDA generates; KEDA resets it within a second."})
		}},
		{"proxy-injection", "", 6, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-ocr, labels: {team: ocr}}")
			hnc, mesh := p.service("hnc-system/hnc-controller-manager", "manager/v1.1.0 (linux/amd64) kubernetes/$Format", ""), p.person("carol@example.com", kubectlAgent, "kubectl-annotate")
			hnc.create(t)
			const key = "linkerd.io/inject"
			p.every(16, 20*m, func(i int) {
				mesh.kubectl("", "annotate", "--overwrite", "namespace", t.id, key+"=enabled")
				p.sleepBetween(2*sec, 3*m)
				hnc.update(t, func(o object) { delete(o.at("metadata", "annotations"), key) })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + key + `"]`}, writers: []*actor{hnc, mesh}, winner: hnc, mechanism: "patch against full update", real: "kubectl is real",
				why: "An engineer's cron job annotates a namespace, the hierarchy controller removes annotations that the parent lacks."})
		}},
		{"scale-down-disabled", "", 3, func(p *play) {
			t := p.node("ip-10-4-7-31")
			kubelet := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			spark, cost := p.service("spark/spark-operator", "spark-operator/2.4 (linux/amd64) kubernetes/$Format", ""), p.service("kubecost/cluster-turndown", "cluster-turndown/v2.2 (linux/amd64)", "")
			kubelet.create(t)
			const key = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
			mark := func(a *actor, value string) func(int) {
				return func(int) { a.merge(t, `{"metadata":{"annotations":{"`+key+`":"`+value+`"}}}`) }
			}
			p.together(100*m, beat{3 * m, mark(spark, "true")}, beat{4 * m, mark(cost, "false")},
				beat{5 * m, func(i int) {
					kubelet.strategicStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"`+p.now()+`"}]}}`)
				}})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + key + `"]`}, writers: []*actor{spark, cost}, mechanism: "merge patches",
				why: "One tool protects a node of long jobs, the other releases each node for the night; both repeat themselves by their own timers."})
		}},
		{"admission-failure-policy", "", 5, func(p *play) {
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: orders-validation}\nwebhooks: [{name: v1.orders.example.io, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Fail, timeoutSeconds: 10, clientConfig: {url: 'https://orders-webhook.example.com/validate'}, rules: [{apiGroups: [orders.example.io], apiVersions: [v1], operations: [CREATE], resources: [orders]}]}]")
			olm, breaker := p.service("olm/olm-operator-serviceaccount", "olm/v0.35 (linux/amd64) kubernetes/$Format", ""), p.service("sre-tools/webhook-breaker", "webhook-breaker/1.0.4 (linux/amd64) kubernetes/$Format", "")
			olm.create(t)
			p.every(20, 12*m, func(i int) {
				breaker.json(t, `[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]`)
				p.sleepBetween(10*sec, 50*sec)
				olm.cached(t, func(o object) { o.at("webhooks", "0")["failurePolicy"] = "Fail" })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"webhooks[name=v1.orders.example.io].failurePolicy"}, writers: []*actor{olm, breaker}, winner: olm, mechanism: "JSON patch against full update",
				why: "A circuit breaker of the SREs opens webhooks, the lifecycle manager closes them a minute later."})
		}},
		{"bindings-deleted", "", 7, func(p *play) {
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: no-latest-tag}\nspec: {policyName: no-latest-tag, validationActions: [Warn]}")
			policy, ci := p.operatorOf("policy-system/policy-bundles", "policy-bundles").reacts(sec, 25*sec), p.person("gitlab-runner", kubectlAgent, "")
			policy.create(t)
			p.every(14, 28*m, func(i int) {
				ci.kubectl("", "delete", "validatingadmissionpolicybinding", t.id)
				policy.create(t)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{ci, policy}, winner: policy, mechanism: "delete and create", real: "kubectl is real",
				why: "A pipeline deletes the binding that stands in its way, the policy operator creates it again within half a minute."})
		}},
		{"trimmed-role", "", 4, func(p *play) {
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: metering-reader}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get, list]}, {apiGroups: [''], resources: [secrets], verbs: [get]}]")
			rules := func(n int) []any {
				return []any{map[string]any{"apiGroups": []any{""}, "resources": []any{"pods"}, "verbs": []any{"get", "list"}}, map[string]any{"apiGroups": []any{""}, "resources": []any{"secrets"}, "verbs": []any{"get"}}}[:n]
			}
			op, scan := p.service("metering/metering-operator", "metering-operator/1.9 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, 2*sec), p.service("security/rbac-trimmer", "python-requests/2.32.3", "")
			op.create(t)
			p.every(18, 11*m, func(i int) {
				scan.list(t)
				scan.update(t, func(o object) { o["rules"] = rules(1) })
				op.cached(t, func(o object) { o["rules"] = rules(2) })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"rules"}, writers: []*actor{op, scan}, winner: op, mechanism: "full updates",
				why: "A scanner takes rights from a role that an operator needs and restores."})
		}},
		{"stripped-finalizers", "", 4, func(p *play) {
			p.in("analytics-old")
			p.define("warehouse.example.io", "v1", "Warehouse", "Namespaced", "")
			t := p.thing("apiVersion: warehouse.example.io/v1\nkind: Warehouse\nmetadata: {name: clickstream, finalizers: [warehouse.example.io/drop]}\nspec: {size: XL}")
			op, script := p.operatorOf("warehouse-system/warehouse-operator", "warehouse-operator"), p.person("dave@example.com", kubectlAgent, "kubectl-patch")
			op.create(t)
			op.controller(t, nil, func(ctx context.Context, c client.Client, o client.Object) error {
				if o == nil || slices.Contains(o.GetFinalizers(), "warehouse.example.io/drop") {
					return nil
				}
				base := o.DeepCopyObject().(client.Object)
				controllerutil.AddFinalizer(o, "warehouse.example.io/drop")
				return c.Patch(ctx, o, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(15, 10*m, func(i int) {
				script.kubectl("", "patch", "warehouse", t.id, "--type=merge", "-p", `{"metadata":{"finalizers":null}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.finalizers"}, writers: []*actor{op, script}, winner: op, mechanism: "merge patches", real: "kubectl is real; " + realRuntime,
				why: "A clean-up loop strips finalizers in a namespace that shall go, the operator of a live object adds its own again at once."})
		}},
		{"rabbit-services", "", 1, func(p *play) {
			p.in("messaging")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: rabbit-nodes}\nspec: {clusterIP: None, publishNotReadyAddresses: true, selector: {app: rabbit}, ports: [{port: 4369, name: epmd}]}")
			old, young := p.service("rabbit-legacy/cluster-operator", "manager/v2.5.0 (linux/amd64) kubernetes/$Format", "").reacts(150*time.Millisecond, 500*time.Millisecond), p.service("rabbit-system/cluster-operator", "manager/v2.16.0 (linux/amd64) kubernetes/$Format", "").reacts(150*time.Millisecond, 500*time.Millisecond)
			old.create(t)
			p.every(2, 14*m, func(i int) { // until rate limits of work queues calm both down
				for range 32 {
					young.cached(t, func(o object) { o.set(false, "spec", "publishNotReadyAddresses") })
					old.cached(t, func(o object) { o.set(true, "spec", "publishNotReadyAddresses") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.publishNotReadyAddresses"}, writers: []*actor{old, young}, winner: old, mechanism: "full updates",
				why: "Two versions of an operator watch all namespaces and disagree about the headless service, several times a second."})
		}},
		{"automount-token", "", 8, func(p *play) {
			p.in("rendering")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: renderer}\nautomountServiceAccountToken: true")
			argo, bot := p.argoController().reacts(3*sec, 3*m), p.service("security/hardening", "kube-hardening/0.9 (linux/amd64) kubernetes/$Format", "kube-hardening")
			argo.threeWay(t, t.object)
			p.every(13, 29*m, func(i int) {
				bot.list(t)
				bot.strategic(t, `{"automountServiceAccountToken":false}`)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"automountServiceAccountToken"}, writers: []*actor{argo, bot}, winner: argo, mechanism: "patches",
				why: "Twice an hour a hardening job switches off what Git states; Argo CD heals it within three minutes."})
		}},
		{"scheme-hook", "", 7, func(p *play) {
			p.in("public-web")
			p.webhook("lb-scheme.cloud-policy.example.com", "", "v1", "services", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.text("metadata", "annotations", "example.com/load-balancer-scheme") != "internet-facing" {
					return nil
				}
				return []map[string]any{operation("replace", "/metadata/annotations/example.com~1load-balancer-scheme", "internal")}
			})
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: public-web, annotations: {example.com/load-balancer-scheme: internet-facing}}\nspec: {selector: {app: public-web}, ports: [{port: 443}]}")
			ci := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply")
			text := t.object.yaml()
			p.every(16, 22*m, func(i int) { ci.kubectl(text, "apply", "-f", "-") })
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["example.com/load-balancer-scheme"]`}, writers: []*actor{ci}, webhook: "lb-scheme.cloud-policy.example.com", mechanism: "a webhook overwrites a stated value", real: "kubectl and the webhook are real",
				why: "The pipeline states a scheme in each run, the cloud team's webhook replaces it in each of these requests."})
		}},
		{"cni-warm-addresses", "", 6, func(p *play) {
			p.in("cni")
			t := p.workload("DaemonSet", "aws-node", 0)
			with := func(n string) object {
				o := t.object.clone()
				o.at("spec", "template", "spec", "containers", "0")["env"] = []any{map[string]any{"name": "WARM_IP_TARGET", "value": n}}
				return o
			}
			eks, tf := p.person("eks:addon-manager", "eks-addon-manager/1.0 (linux/amd64) kubernetes/$Format", "eks"), p.person("terraform", kubectlAgent, "kubectl-set")
			eks.apply(t, with("2"))
			p.together(5*time.Hour, beat{13 * m, func(int) {
				if eks.differsDry(t, with("2")) {
					eks.apply(t, with("2"))
				}
			}}, beat{25 * m, func(int) {
				tf.kubectl("", "set", "env", "daemonset/"+t.id, "WARM_IP_TARGET=8")
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env[name=WARM_IP_TARGET].value"}, writers: []*actor{eks, tf}, mechanism: "forced apply against patch", real: "kubectl is real",
				why: "Terraform's local command sets a variable of the managed add-on in each run, the add-on manager takes it back."})
		}},
	}
}

// differsDry reports whether an apply of o would change the spec of an object.
// It sends the apply as a dry run.
func (a *actor) differsDry(t *thing, o object) bool {
	before, after := a.get(t), a.dryApply(t, o)
	return unlike(before, after["spec"], []string{"spec"})
}
