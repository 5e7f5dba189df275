package main

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fightsOfOperators3 returns fights of operators with each other and with
// scripts.
func fightsOfOperators3() []scene {
	return []scene{
		{"netpol-generators", "", 4, func(p *play) {
			p.in("claims")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: baseline}\nspec: {podSelector: {}, policyTypes: [Ingress, Egress]}")
			tenant, guard := p.operatorOf("tenancy/namespace-operator", "namespace-operator"), p.service("neuvector/policy-manager", "policy-manager/v5.4 (linux/amd64)", "").reacts(300*time.Millisecond, 3*sec)
			tenant.create(t)
			p.every(18, 10*m, func(i int) {
				tenant.cached(t, func(o object) { o.set([]any{"Ingress", "Egress"}, "spec", "policyTypes") })
				guard.cached(t, func(o object) { o.set([]any{"Ingress"}, "spec", "policyTypes") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.policyTypes"}, writers: []*actor{tenant, guard}, winner: guard, mechanism: "full updates",
				why: "Two generators of network policies chose the same name: the resync of one closes what the other opens."})
		}},
		{"kafka-operator-versions", "", 2, func(p *play) {
			p.in("streams")
			t := p.workload("StatefulSet", "broker", 3)
			old, young := p.service("streams-legacy/kafka-operator", "kafka-operator/0.38.0 (linux/amd64)", "kafka-operator"), p.service("streams-system/kafka-operator", "kafka-operator/0.45.1 (linux/amd64)", "kafka-operator")
			with := func(heap string) object {
				o := t.object.clone()
				o.at("spec", "template", "spec", "containers", "0")["env"] = []any{map[string]any{"name": "KAFKA_HEAP_OPTS", "value": heap}}
				return o
			}
			old.apply(t, with("-Xmx1g"))
			p.together(90*m, beat{2 * m, func(int) { old.apply(t, with("-Xmx1g")) }}, beat{2 * m, func(int) { young.apply(t, with("-XX:MaxRAMPercentage=70")) }})
			young.apply(t, with("-XX:MaxRAMPercentage=70"))
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env[name=KAFKA_HEAP_OPTS].value"}, writers: []*actor{old, young}, winner: young, mechanism: "applies of one field manager",
				why: "The old version of an operator was left in another namespace; both reconcile each broker every two minutes, as one field manager."})
		}},
		{"vpa-mode", "", 5, func(p *play) {
			p.in("quotes")
			p.define("autoscaling.k8s.io", "v1", "VerticalPodAutoscaler", "Namespaced", "")
			t := p.thing("apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: quotes}\nspec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: quotes}, updatePolicy: {updateMode: Initial}}")
			argo, gold := p.argoController(), p.service("goldilocks/goldilocks-controller", "goldilocks/v4.14 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, t.object)
			p.together(4*time.Hour, beat{3 * m, func(int) {
				if argo.notices(t, "Initial", "spec", "updatePolicy", "updateMode") {
					argo.threeWay(t, t.object)
				}
			}}, beat{14 * m, func(int) {
				gold.update(t, func(o object) { o.set("Off", "spec", "updatePolicy", "updateMode") })
			}})
			gold.update(t, func(o object) { o.set("Off", "spec", "updatePolicy", "updateMode") })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.updatePolicy.updateMode"}, writers: []*actor{argo, gold}, winner: gold, mechanism: "three-way patch against full update",
				why: "A team's autoscaler in Git has the name of the one that Goldilocks keeps switched off."})
		}},
		{"certificate-duration", "", 8, func(p *play) {
			p.in("storefront")
			p.define("certs.example.io", "v1", "Certificate", "Namespaced", "")
			t := p.thing("apiVersion: certs.example.io/v1\nkind: Certificate\nmetadata: {name: storefront-tls}\nspec: {secretName: storefront-tls, dnsNames: [shop.example.com], duration: 720h}")
			ci, shim := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.service("cert-manager/cert-manager", "cert-manager-ingress-shim/v1.18 (linux/amd64) cert-manager", "cert-manager-ingress-shim").reacts(150*time.Millisecond, 2*sec)
			text := t.object.yaml()
			p.every(15, 28*m, func(i int) {
				ci.kubectl(text, "apply", "-f", "-")
				shim.cached(t, func(o object) { o.set("2160h", "spec", "duration") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.duration"}, writers: []*actor{ci, shim}, winner: shim, mechanism: "three-way patch against full update", real: "kubectl is real",
				why: "The pipeline applies a certificate that cert-manager also derives from an ingress, with another duration."})
		}},
		{"daemonset-parked", "", 3, func(p *play) {
			p.in("gpu-operator")
			t := p.workload("DaemonSet", "dcgm-exporter", 0)
			script, op := p.person("dave@example.com", kubectlAgent, "kubectl-patch"), p.operatorOf("gpu-operator/gpu-operator", "gpu-operator")
			op.create(t)
			op.controller(t, &appsv1.DaemonSet{}, func(ctx context.Context, c client.Client, o client.Object) error {
				d, ok := o.(*appsv1.DaemonSet)
				if !ok || len(d.Spec.Template.Spec.NodeSelector) == 0 {
					return nil
				}
				d.Spec.Template.Spec.NodeSelector = nil
				return c.Update(ctx, d)
			})
			p.settle(t)
			p.every(22, 5*m, func(i int) {
				script.kubectl("", "patch", "daemonset", t.id, "-p", `{"spec":{"template":{"spec":{"nodeSelector":{"parked":"true"}}}}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.nodeSelector"}, writers: []*actor{script, op}, winner: op, mechanism: "patch against full update", real: "kubectl is real; " + realRuntime,
				why: "An engineer's loop parks a daemon set on no node, its operator removes the selector at once."})
		}},
		{"hibernated-database", "", 4, func(p *play) {
			p.in("staging-db")
			t := p.workload("StatefulSet", "percona", 3)
			green, op := p.service("kube-green/kube-green", kubectlAgent, ""), p.operatorOf("staging-db/percona-operator", "percona-operator")
			op.create(t)
			op.controller(t, &appsv1.StatefulSet{}, func(ctx context.Context, c client.Client, o client.Object) error {
				s, ok := o.(*appsv1.StatefulSet)
				if !ok || s.Spec.Replicas == nil || *s.Spec.Replicas == 3 {
					return nil
				}
				base := s.DeepCopy()
				s.Spec.Replicas = ptr(int32(3))
				return c.Patch(ctx, s, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(17, 11*m, func(i int) {
				green.kubectl("", "scale", "statefulset", t.id, "--replicas=0")
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{green, op}, winner: op, mechanism: "scale against patch", real: "kubectl is real; " + realRuntime,
				why: "A job puts staging to sleep again and again, the operator wakes its database in a second."})
		}},
		{"topic-operators", "", 1, func(p *play) {
			p.in("events-bus")
			p.define("kafka.example.io", "v1beta2", "KafkaTopic", "Namespaced", "")
			t := p.thing("apiVersion: kafka.example.io/v1beta2\nkind: KafkaTopic\nmetadata: {name: clicks}\nspec: {partitions: 12, config: {retention.ms: 604800000}}")
			old, young := p.service("events-bus/topic-operator-bidirectional", "topic-operator/0.36 okhttp/4.11", "").reacts(120*time.Millisecond, 400*time.Millisecond), p.service("events-bus/entity-operator", "topic-operator/0.45 okhttp/4.12", "").reacts(120*time.Millisecond, 400*time.Millisecond)
			young.create(t)
			p.every(3, 9*m, func(i int) { // both stop when the first one crashes
				for range 26 {
					old.cached(t, func(o object) { o.set(86400000, "spec", "config", "retention.ms") })
					young.cached(t, func(o object) { o.set(604800000, "spec", "config", "retention.ms") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.config["retention.ms"]`}, writers: []*actor{old, young}, winner: young, mechanism: "full updates",
				why: "The old topic operator copies what the broker says into the topic, the new one what the file says: several times a second until one crashes."})
		}},
		{"reports-reaped", "", 6, func(p *play) {
			p.in("inventory")
			p.define("wgpolicy.example.io", "v1alpha2", "PolicyReport", "Namespaced", "")
			t := p.thing("apiVersion: wgpolicy.example.io/v1alpha2\nkind: PolicyReport\nmetadata: {name: pol-inventory, labels: {app.kubernetes.io/managed-by: kyverno}}\nscope: {kind: Namespace, name: inventory}")
			second := t.named("pol-inventory-web")
			reaper, kyverno := p.service("housekeeping/reaper", "kubernetes-client/python 33.1.0", ""), p.service("kyverno/kyverno-reports-controller", "reports-controller/v1.15 (linux/amd64) kubernetes/$Format", "").reacts(4*sec, 40*sec)
			kyverno.create(t)
			kyverno.create(second)
			p.every(15, 21*m, func(i int) {
				reaper.list(t)
				reaper.must(reaper.send("DELETE", t.collection(), "", nil))
				kyverno.create(t)
				kyverno.create(second)
			})
			p.fight(what{things: []*thing{t, second}, writers: []*actor{reaper, kyverno}, winner: kyverno, mechanism: "delete and create",
				why: "A housekeeping job deletes all reports of a namespace, and the policy engine makes them again within a minute, all day."})
		}},
		{"sealed-secret-labels", "", 6, func(p *play) {
			p.in("wallet")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: api-key, labels: {sealed: 'true'}}\ndata: {key: '" + b64("wallet", 1) + "'}")
			sealed, labeler := p.service("sealed-secrets/sealed-secrets-controller", "controller/v0.31 (linux/amd64) kubernetes/$Format", ""), p.service("velero/backup-labeler", "backup-labeler/0.4 (linux/amd64)", "backup-labeler")
			sealed.create(t)
			const label = "backup.example.com/tier"
			p.every(27, 10*m, func(i int) {
				sealed.update(t, func(o object) {
					o.set(map[string]any{"sealed": "true"}, "metadata", "labels")
				})
				p.sleepBetween(5*sec, 70*sec)
				labeler.list(t)
				labeler.merge(t, `{"metadata":{"labels":{"`+label+`":"gold"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["` + label + `"]`}, writers: []*actor{sealed, labeler}, winner: labeler, mechanism: "full update against patch",
				why: "Each resync of the sealed secret writes the labels of its template, and so drops the backup's label, which comes back within a minute."})
		}},
	}
}
