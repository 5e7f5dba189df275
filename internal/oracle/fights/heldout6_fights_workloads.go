package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fightsOfWorkloads6 returns fights over workloads, nodes, routes, roles and
// other objects of Kubernetes itself.
func fightsOfWorkloads6() []scene {
	return []scene{
		{"pool-taint", "", 4, func(p *play) {
			all := []*thing{p.node("batch-a-01"), p.node("batch-a-02")}
			carol, pools := p.person("carol@example.com", kubectlAgent, "kubectl-taint"), p.service("node-pools/pool-operator", "pool-operator/v1.1 (linux/amd64) kubernetes/$Format", "")
			kubelet := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			for _, t := range all {
				kubelet.create(t)
			}
			p.together(3*time.Hour, beat{15 * m, func(int) {
				for _, t := range all {
					carol.kubectl("", "taint", "nodes", t.id, "workload=batch:NoSchedule", "--overwrite")
				}
			}}, beat{10 * m, func(int) {
				for _, t := range all {
					if pools.notices(t, nil, "spec", "taints") {
						pools.merge(t, `{"spec":{"taints":null}}`)
					}
				}
			}}, beat{5 * m, func(int) {
				kubelet.strategicStatus(all[0], `{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"`+p.now()+`"}]}}`)
			}})
			p.fight(what{things: all, fields: []string{"spec.taints"}, writers: []*actor{carol, pools}, mechanism: "patches", real: "kubectl is real",
				why: "A script taints the nodes of a batch pool, the operator of the pool removes taints that the pool does not state."})
		}},
		{"binding-subjects", "", 7, func(p *play) {
			p.in("data-science")
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: notebook-editors}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}\nsubjects: [{kind: Group, name: data-science, apiGroup: rbac.authorization.k8s.io}]")
			tf, access := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", "Terraform"), p.service("access/rbac-manager", "rbac-manager/v1.9 (linux/amd64) kubernetes/$Format", "").reacts(2*sec, 10*sec)
			people := []any{map[string]any{"kind": "Group", "name": "data-science", "apiGroup": "rbac.authorization.k8s.io"}, map[string]any{"kind": "Group", "name": "interns", "apiGroup": "rbac.authorization.k8s.io"}}
			access.create(t)
			p.every(12, 28*m, func(int) {
				tf.get(t)
				tf.merge(t, `{"subjects":`+string(answerOf(people))+`}`)
				access.update(t, func(o object) { o["subjects"] = t.object["subjects"] })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"subjects"}, writers: []*actor{access, tf}, winner: access, mechanism: "merge patch against full update",
				why: "Terraform gives a role to a second group, the manager of access restores the groups of its own definition."})
		}},
		{"cpu-quota", "", 4, func(p *play) {
			p.in("team-orion")
			t := p.thing("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: compute}\nspec: {hard: {requests.cpu: '40', requests.memory: 160Gi}}")
			argo, bot, kcm := p.argoController().reacts(sec, 5*sec), p.service("capacity/quota-bot", "quota-bot/1.2 Python/3.13 kubernetes-client", ""), p.kcm("resourcequota-controller")
			argo.threeWay(t, t.object)
			p.every(20, 9*m, func(i int) {
				bot.json(t, `[{"op":"replace","path":"/spec/hard/requests.cpu","value":"60"}]`)
				argo.threeWay(t, t.object)
				if i%3 == 0 {
					kcm.updateStatus(t, func(o object) { o.set(fmt.Sprint(20+i), "status", "used", "requests.cpu") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.hard["requests.cpu"]`}, writers: []*actor{argo, bot}, winner: argo, mechanism: "JSON patch against three-way patch",
				why: "A bot raises the quota of a full namespace, Argo CD heals it within seconds."})
		}},
		{"waf-annotation", "", 7, func(p *play) {
			p.in("storefront-edge")
			const key = "nginx.ingress.kubernetes.io/enable-modsecurity"
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: storefront, annotations: {" + key + ": 'false'}}\nspec: {rules: [{host: store.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: storefront, port: {number: 80}}}}]}}]}")
			ci, waf := p.person("gitlab-runner", "Helm/3.20.1", ""), p.operatorOf("waf-system/waf-operator", "waf-operator")
			chart := p.chart("storefront", map[string]string{"i.yaml": t.object.yaml()})
			ci.helm("3", "install", "storefront", chart)
			waf.controller(t, &networkingv1.Ingress{}, func(ctx context.Context, c client.Client, x client.Object) error {
				i, _ := x.(*networkingv1.Ingress)
				if i == nil || i.Annotations[key] == "true" {
					return nil
				}
				base := i.DeepCopy()
				i.Annotations[key] = "true"
				return c.Patch(ctx, i, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(12, 26*m, func(int) {
				ci.helm("3", "upgrade", "storefront", chart)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + key + `"]`}, writers: []*actor{ci, waf}, winner: waf, mechanism: "three-way patch against merge patch", real: "Helm 3 is real; " + realRuntime,
				why: "The operator of the firewall protects each route, each release of the chart switches the protection off."})
		}},
		{"stable-selector", "", 5, func(p *play) {
			p.in("profile-web")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: profile-stable}\nspec: {selector: {app: profile}, ports: [{name: http, port: 80, targetPort: 8080}]}")
			jenkins, rollouts := p.person("jenkins", kubectlAgent, "kubectl-replace"), p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, sec)
			jenkins.kubectl(t.object.yaml(), "create", "-f", "-")
			p.every(15, 17*m, func(int) {
				rollouts.strategic(t, `{"spec":{"selector":{"rollouts-pod-template-hash":"7d9c5b84f"}}}`)
				p.sleepBetween(m, 6*m)
				jenkins.kubectl(t.object.yaml(), "replace", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.selector["rollouts-pod-template-hash"]`}, writers: []*actor{jenkins, rollouts}, winner: jenkins, mechanism: "strategic patch against replace", real: "kubectl is real",
				why: "A pipeline replaces the stable Service and drops the hash in its selector, the rollout controller adds the hash again."})
		}},
		{"generated-authority", "", 7, func(p *play) {
			p.in("sidecar-system")
			p.namespace(p.ns) // for Helm's own Secrets
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: sidecar-defaults}\nwebhooks: [{name: sidecar.defaults.example.net, clientConfig: {url: 'https://sidecar.example.net/mutate'}, rules: [{apiGroups: [nothing.example.net], apiVersions: [v1], operations: [CREATE], resources: [nothings]}], sideEffects: None, admissionReviewVersions: [v1]}]")
			ci := p.person("gitlab-runner", "Helm/3.20.1", "")
			injector := p.service("cert-manager/cert-manager-cainjector", "cert-manager-cainjector-mutatingwebhookconfiguration/v1.19.1 (linux/amd64) cert-manager", "").reacts(300*time.Millisecond, 3*sec)
			chart := func() string {
				o := t.object.clone()
				o.at("webhooks", "0", "clientConfig")["caBundle"] = p.authority(1)
				return p.chart("sidecar-defaults", map[string]string{"w.yaml": o.yaml()})
			}
			real := p.authority(0)
			ci.helm("3", "install", "sidecar-defaults", chart())
			p.every(12, 29*m, func(i int) {
				injector.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = real })
				p.sleepBetween(2*m, 8*m)
				ci.helm("3", "upgrade", "sidecar-defaults", chart())
			})
			injector.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = real })
			p.fight(what{things: []*thing{t}, fields: []string{"webhooks[name=sidecar.defaults.example.net].clientConfig.caBundle"}, writers: []*actor{ci, injector}, winner: injector, mechanism: "three-way patch against full update", real: "Helm 3 is real",
				why: "The chart generates an authority at each upgrade, cert-manager's injector writes the one that the webhook really uses."})
		}},
		{"two-delivery-paths", "", 6, func(p *play) {
			p.in("invoice-api")
			t := p.deployment("invoice-api", 3)
			jenkins, flux, dc := p.person("jenkins", kubectlAgent, "kubectl-set"), p.fluxController(), p.kcm("deployment-controller")
			flux.flux(t.object)
			p.every(13, 22*m, func(i int) {
				jenkins.kubectl("", "set", "image", "deployment/"+t.id, "app="+tagged("invoice-api", i))
				dc.observe(t, 3)
				p.sleepBetween(m, 10*m)
				flux.flux(t.object)
				dc.observe(t, 3)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].image"}, writers: []*actor{jenkins, flux}, winner: flux, mechanism: "strategic patch against forced apply", real: "kubectl is real; Flux's apply is its library",
				why: "An old pipeline still sets each new image although the application moved to Flux, which restores the image in Git."})
		}},
		{"broker-replicas", "", 0.5, func(p *play) {
			p.in("nats-core")
			t := p.workload("StatefulSet", "nats", 3)
			hpa, op := p.kcm("horizontal-pod-autoscaler"), p.service("nats-core/nats-operator", "nats-operator/0.9 (linux/amd64) kubernetes/$Format", "")
			op.create(t)
			p.together(15*m, beat{15 * sec, func(int) {
				if hpa.notices(t, 5, "spec", "replicas") {
					hpa.scale(t, 5)
				}
			}}, beat{10 * sec, func(int) {
				if op.notices(t, 3, "spec", "replicas") {
					op.cached(t, func(o object) { o.set(3, "spec", "replicas") })
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{hpa, op}, mechanism: "scale against full update",
				why: "Somebody made an autoscaler for the brokers of an operator, which keeps the size of its own resource."})
		}},
		{"pull-secrets", "", 8, func(p *play) {
			p.in("team-vega")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builder}\nimagePullSecrets: []")
			tf, patcher := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", ""), p.service("imagepullsecret/patcher", "imagepullsecret-patcher/0.14 (linux/amd64) kubernetes/$Format", "").reacts(500*time.Millisecond, 4*sec)
			tf.create(t)
			p.every(13, 30*m, func(int) {
				tf.update(t, func(o object) { delete(o, "imagePullSecrets") })
				patcher.strategic(t, `{"imagePullSecrets":[{"name":"regcred"}]}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"imagePullSecrets"}, writers: []*actor{tf, patcher}, winner: patcher, mechanism: "full update against strategic patch",
				why: "A controller adds the credentials of the registry to each account, Terraform's run removes what its state lacks."})
		}},
		{"tracing-variables", "", 4, func(p *play) {
			p.in("quote-engine")
			t := p.deployment("quote-engine", 2)
			op, otel := p.operatorOf("quote-system/quote-operator", "quote-operator"), p.service("otel-system/instrumentor", "instrumentor/v1.0.4 (linux/amd64) kubernetes/$Format", "")
			op.create(t)
			op.controller(t, &appsv1.Deployment{}, func(ctx context.Context, c client.Client, x client.Object) error {
				d, _ := x.(*appsv1.Deployment)
				if d == nil || len(d.Spec.Template.Spec.Containers[0].Env) == 0 {
					return nil
				}
				d.Spec.Template.Spec.Containers[0].Env = nil
				return c.Update(ctx, d)
			})
			p.settle(t)
			p.every(14, 14*m, func(int) {
				otel.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","env":[{"name":"OTEL_EXPORTER_OTLP_ENDPOINT","value":"http://collector:4317"},{"name":"OTEL_SERVICE_NAME","value":"quote-engine"}]}]}}}}`)
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env"}, writers: []*actor{op, otel}, winner: op, mechanism: "strategic patch against full update", real: realRuntime,
				why: "A tool for tracing adds variables to each workload, the application's operator rebuilds the container without them."})
		}},
	}
}
