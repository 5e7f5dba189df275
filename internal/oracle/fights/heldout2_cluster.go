package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// cached changes the stored object and replaces the whole object, like a
// program with a cache. Such a program sends no GET.
func (a *actor) cached(t *thing, change func(o object)) answer {
	_, data, err := a.play.stage.ask(http.MethodGet, t.path(), "")
	if err != nil {
		a.play.fail("%v", err)
	}
	o := answer{body: data}.object()
	change(o)
	return a.put(t, o)
}

const defaultClass = "storageclass.kubernetes.io/is-default-class"

// clusterScenes2 returns scenes with objects of the cluster, not of an
// application.
func clusterScenes2() []scene {
	return []scene{
		{"class-default-twice", "default-class", 9, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp2, annotations: {" + defaultClass + ": 'true'}}\nprovisioner: ebs.csi.aws.com")
			addon, script := p.person("eks:addon-manager", "Go-http-client/2.0", "eks"), p.person("erin@example.com", kubectlAgent, "kubectl-patch")
			addon.apply(t, t.object)
			p.every(9, 10*m, func(i int) {
				script.kubectl("", "patch", "storageclass", t.id, "--type=merge", "-p", `{"metadata":{"annotations":{"`+defaultClass+`":"false"}}}`)
				p.sleep(40 * m)
				addon.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + defaultClass + `"]`}, writers: []*actor{addon, script}, winner: addon, mechanism: "patch against forced apply", real: "kubectl is real",
				why: "A setup script takes the default from the old storage class, and the cloud's add-on manager applies its manifest again."})
		}},
		{"class-labelled", "default-class", 9, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp3}\nprovisioner: ebs.csi.aws.com")
			addon, human := p.person("eks:addon-manager", "Go-http-client/2.0", "eks"), p.person("dave@example.com", kubectlAgent, "kubectl-label")
			addon.apply(t, t.object)
			p.every(12, 25*m, func(i int) {
				human.kubectl("", "label", "--overwrite", "storageclass", t.id, fmt.Sprintf("cost-center=cc-%d", 100+i))
				p.sleep(15 * m)
				addon.apply(t, t.object)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{addon, human}, real: "kubectl is real", why: "The add-on manager applies what is there; a human moves a label on that it does not state."})
		}},
		{"crd-replaced-by-sync", "injected-bundle", 7, func(p *play) {
			p.define("mesh.example.org", "v1", "Sidecar", "Namespaced", "")
			t := p.thing("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: sidecars.mesh.example.org}")
			argo, injector := p.argoController(), p.operatorOf("cert-manager/cert-manager-cainjector", "cainjector")
			stated := argo.get(t)
			stated.set("false", "metadata", "labels", "mesh/injected")
			p.every(17, 20*m, func(i int) {
				argo.replace(t, stated)
				injector.cached(t, func(o object) {
					o.set("Ym9zcw", "metadata", "annotations", "mesh/ca-bundle").set("true", "metadata", "labels", "mesh/injected")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["mesh/ca-bundle"]`, `metadata.labels["mesh/injected"]`}, writers: []*actor{argo, injector}, winner: injector, mechanism: "full updates",
				why: "Argo CD replaces a definition at each sync and so drops the authority that the injector writes again at once."})
		}},
		{"crd-bundle-renewed", "injected-bundle", 14, func(p *play) {
			p.define("mesh.example.net", "v1", "Sidecar", "Namespaced", "")
			t := p.thing("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: sidecars.mesh.example.net}")
			flux, injector := p.fluxController(), p.operatorOf("cert-manager/cert-manager-cainjector", "cainjector")
			p.every(15, 50*m, func(i int) {
				flux.apply(t, parse(fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: sidecars.mesh.example.net, labels: {mesh/version: '1.%d'}}", i)))
				if i%2 == 0 {
					p.sleep(3 * m)
				}
				injector.cached(t, func(o object) { o.set(fmt.Sprintf("Ym9zcw%d", i), "metadata", "annotations", "mesh/ca-bundle") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, injector}, why: "An injector writes renewed authorities, Flux moves a version on: neither undoes the other."})
		}},
		{"taint-healed", "node-health", 2, func(p *play) {
			t := p.node("ip-10-4-17-9")
			karpenter, healer := p.operatorOf("karpenter/karpenter", "karpenter"), p.service("kube-system/node-healer", "okhttp/4.12.0", "").reacts(200*time.Millisecond, 9*sec)
			p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").create(t)
			p.every(31, 3*m, func(i int) {
				karpenter.merge(t, `{"spec":{"taints":[{"key":"karpenter.sh/disrupted","effect":"NoSchedule"}]}}`)
				healer.get(t)
				healer.merge(t, `{"spec":{"taints":null}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.taints"}, writers: []*actor{karpenter, healer}, winner: healer, mechanism: "patches",
				why: "Karpenter taints a node that it wants to remove, and a healer removes taints of nodes that look healthy."})
		}},
		{"taint-lifecycle", "node-health", 6, func(p *play) {
			t := p.node("ip-10-4-17-10")
			kubelet, nfd, ccm := p.person("system:node:worker-3", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", ""), p.service("node-feature-discovery/nfd-master", "nfd-master/v0.17 (linux/amd64)", ""), p.person("system:cloud-controller-manager", "cloud-controller-manager/v34.0 (linux/amd64) kubernetes/$Format", "")
			kubelet.create(t)
			p.every(60, 5*m, func(i int) {
				kubelet.strategicStatus(t, fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":%q}]}}`, p.now()))
				if i%2 == 0 {
					nfd.json(t, fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations","value":{"nfd.node/feature-rev":"%d"}}]`, i))
				}
				if i%3 == 0 {
					ccm.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"topology.example.com/rack":"r%d"}}}`, i))
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kubelet, nfd, ccm}, why: "Heartbeats, features and a rack: three programs with fields of their own on one node."})
		}},
		{"twins-hot", "twin-installs", 2, func(p *play) {
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: edge-admission, labels: {instance: none}}\nwebhooks: []")
			a, b := p.operatorOf("edge-blue/edge-ingress", "edge-ingress").reacts(300*time.Millisecond, 900*time.Millisecond), p.operatorOf("edge-green/edge-ingress", "edge-ingress").reacts(300*time.Millisecond, 900*time.Millisecond)
			a.create(t)
			p.every(11, 8*m, func(i int) { // an increasing delay ends each round
				for range 3 {
					a.cached(t, func(o object) { o.set("edge-blue", "metadata", "labels", "instance") })
					b.cached(t, func(o object) { o.set("edge-green", "metadata", "labels", "instance") })
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["instance"]`}, writers: []*actor{a, b}, winner: b, mechanism: "full updates", why: "Two installations of one ingress controller claim the cluster's one webhook configuration."})
		}},
		{"twins-own-entries", "twin-installs", 5, func(p *play) {
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: shared-admission}\nwebhooks: []")
			a, b := p.operatorOf("core-blue/core-ingress", "core-ingress").reacts(300*time.Millisecond, 2*sec), p.operatorOf("core-green/core-ingress", "core-ingress").reacts(300*time.Millisecond, 2*sec)
			a.create(t)
			p.every(16, 15*m, func(i int) {
				a.cached(t, func(o object) { o.set(fmt.Sprintf("cert-a-%d", i), "metadata", "annotations", "blue/cert") })
				b.cached(t, func(o object) { o.set(fmt.Sprintf("cert-b-%d", i), "metadata", "annotations", "green/cert") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two installations keep an entry each in one object, and renew them after one rotation."})
		}},
		{"limits-enforced", "namespace-limits", 5, func(p *play) {
			p.in("team-lime")
			t := p.thing("apiVersion: v1\nkind: LimitRange\nmetadata: {name: defaults}\nspec: {limits: [{type: Container, default: {memory: 512Mi}, defaultRequest: {memory: 128Mi}}]}")
			argo, op := p.argoController(), p.operatorOf("tenancy/namespace-configurator", "namespace-configurator")
			argo.threeWay(t, t.object)
			op.controller(t, &corev1.LimitRange{}, func(ctx context.Context, c client.Client, o client.Object) error {
				l, ok := o.(*corev1.LimitRange)
				if !ok {
					return nil
				}
				want := quantity("256Mi")
				if got := l.Spec.Limits[0].Default[corev1.ResourceMemory]; got.Cmp(want) == 0 {
					return nil
				}
				l.Spec.Limits[0].Default[corev1.ResourceMemory] = want
				return c.Update(ctx, l)
			})
			p.settle(t)
			p.every(26, 7*m, func(i int) { argo.threeWay(t, t.object); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.limits"}, writers: []*actor{argo, op}, winner: op, mechanism: "three-way patch against full update", real: realRuntime,
				why: "A configurator of namespaces enforces a limit that a team's repository raises."})
		}},
		{"limits-raised", "namespace-limits", 12, func(p *play) {
			p.in("team-teal")
			t := p.thing("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: '10'}}")
			tf, op := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.3", "Terraform"), p.operatorOf("tenancy/quota-reporter", "quota-reporter")
			tf.create(t)
			p.every(11, 60*m, func(i int) {
				tf.get(t)
				tf.json(t, fmt.Sprintf(`[{"op":"replace","path":"/spec/hard/pods","value":"%d"}]`, 20+i))
				op.cached(t, func(o object) { o.set(fmt.Sprintf("%d of %d", 8+i, 20+i), "metadata", "annotations", "tenancy/usage") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tf, op}, why: "Terraform raises a quota each hour; a reporter notes the use each time."})
		}},
		{"binding-removed", "security-bot", 8, func(p *play) {
			p.in("payments-admin")
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: admins}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}\nsubjects: [{kind: User, name: alice@example.com, apiGroup: rbac.authorization.k8s.io}]")
			bot, flux := p.service("guard/rbac-guard", "python-requests/2.32.4", ""), p.fluxController()
			flux.flux(t.object)
			p.every(22, 12*m, func(i int) {
				bot.list(t)
				bot.delete(t)
				p.sleep(8 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{bot, flux}, winner: flux, mechanism: "delete and create", real: realFlux, why: "A security bot deletes a binding that Flux applies again at its next reconciliation."})
		}},
		{"binding-expires", "security-bot", 20, func(p *play) {
			p.in("payments-break-glass")
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: on-call}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}\nsubjects: [{kind: User, name: carol@example.com, apiGroup: rbac.authorization.k8s.io}]")
			portal, bot := p.service("access/portal", "access-portal/2.4 axios/1.7", ""), p.service("access/expirer", "access-expirer/2.4 axios/1.7", "")
			p.every(12, 40*m, func(i int) {
				portal.create(t)
				p.sleep(60 * m)
				bot.list(t)
				bot.delete(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{portal, bot}, debatable: true, why: "A portal grants access when somebody asks; after an hour it expires, as it was granted."})
		}},
		{"identity-annotation", "cloud-identity", 14, func(p *play) {
			p.in("billing-jobs")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner}")
			tf, op := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.3", "Terraform"), p.operatorOf("identity/role-operator", "role-operator").reacts(sec, 4*sec)
			tf.create(t)
			const role = "eks.amazonaws.com/role-arn"
			p.every(13, 55*m, func(i int) {
				tf.get(t)
				tf.json(t, `[{"op":"add","path":"/metadata/annotations","value":{"`+role+`":"arn:aws:iam::1:role/terraform"}}]`)
				op.merge(t, `{"metadata":{"annotations":{"`+role+`":"arn:aws:iam::1:role/operator"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["` + role + `"]`}, writers: []*actor{tf, op}, winner: op, mechanism: "patches", why: "Terraform's hourly run and an operator name different roles of one account."})
		}},
		{"identity-tokens", "cloud-identity", 14, func(p *play) {
			p.in("billing-tokens")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: runner}")
			tf, op := p.person("terraform", "HashiCorp/1.0 Terraform/1.13.3", "Terraform"), p.operatorOf("identity/token-operator", "token-operator").reacts(sec, 4*sec)
			tf.create(t)
			p.every(12, 60*m, func(i int) {
				tf.get(t)
				tf.json(t, fmt.Sprintf(`[{"op":"add","path":"/metadata/labels","value":{"release":"2026.%d"}}]`, i))
				op.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"identity/expires":%q}}}`, p.now()))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tf, op}, why: "Each release of Terraform's label makes the operator renew a token and note when it expires."})
		}},
	}
}
