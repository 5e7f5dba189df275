package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func appliedScenes() []scene {
	return []scene{
		{"argo-operator-args", "argo-operator", 6, func(p *play) {
			p.in("thanos")
			t := p.workload("StatefulSet", "thanos-store", 2)
			argo, op := p.argoController(), p.operatorOf("thanos/thanos-operator", "thanos-operator")
			argo.threeWay(t, t.object)
			op.controller(t, &appsv1.StatefulSet{}, func(ctx context.Context, c client.Client, o client.Object) error {
				s, ok := o.(*appsv1.StatefulSet)
				if !ok {
					return nil
				}
				_, err := controllerutil.CreateOrUpdate(ctx, c, s, func() error {
					s.Spec.Template.Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = quantity("1Gi")
					return nil
				})
				return err
			})
			p.settle(t)
			p.every(18, 15*m, func(i int) { argo.threeWay(t, t.object); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.requests.memory"}, writers: []*actor{argo, op}, winner: op, mechanism: "three-way patch against full update", real: realRuntime,
				why: "An operator sizes memory by CreateOrUpdate that Argo CD has in git."})
		}},
		{"argo-operator-server-side", "argo-operator", 3, func(p *play) {
			p.in("thanos-eu")
			t := p.config("thanos-rules", map[string]any{"interval": "1m"})
			argo, op := p.argoController(), p.service("thanos-eu/ruler", "ruler/v0.0.0 (linux/amd64) kubernetes/$Format", "ruler").reacts(100*time.Millisecond, 2*sec)
			argo.apply(t, t.object)
			p.every(30, 3*m, func(i int) {
				op.apply(t, t.object.with("30s", "data", "interval"))
				p.sleep(2 * m)
				argo.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.interval"}, writers: []*actor{argo, op}, winner: argo, mechanism: "forced applies", why: "Argo CD and an operator both apply one key with force."})
		}},
		{"argo-operator-status", "argo-operator", 6, func(p *play) {
			p.in("thanos-us")
			t := p.deployment("query", 2)
			argo, op := p.argoController(), p.operatorOf("thanos-us/thanos-operator", "thanos-operator")
			argo.threeWay(t, t.object)
			stated := t.object
			p.every(20, 15*m, func(i int) {
				stated = stated.clone()
				setImage(stated, fmt.Sprintf("registry.example.com/query:2.%d", i))
				argo.threeWay(t, stated)
				op.update(t, func(o object) { o.set(fmt.Sprint("seen ", i), "metadata", "annotations", "thanos/operator") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, op}, why: "The operator reads and updates the whole object after each release, but keeps what it read."})
		}},
		{"argo-diff-dry-runs", "argo-operator", 6, func(p *play) {
			p.in("thanos-ap")
			t := p.deployment("query", 2)
			argo, op := p.argoController(), p.operatorOf("thanos-ap/thanos-operator", "thanos-operator")
			argo.apply(t, t.object.without("spec", "replicas"))
			p.every(24, 12*m, func(i int) {
				op.merge(t, fmt.Sprintf(`{"spec":{"replicas":%d}}`, 3+i%2))
				argo.must(argo.send("PATCH", t.path(), applyPatch, t.object, "force", "true", "dryRun", "All"))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{argo, op}, why: "Argo CD only asks by dry runs what its apply would change."})
		}},
		{"atomic-tolerations", "atomic-lists", 5, func(p *play) {
			p.in("spot")
			t := p.deployment("crawler", 3)
			list := func(keys ...string) object {
				var all []any
				for _, k := range keys {
					all = append(all, map[string]any{"key": k, "operator": "Exists"})
				}
				o := parse("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: crawler, namespace: spot}")
				o.set(all, "spec", "template", "spec", "tolerations")
				return o
			}
			a, b := p.service("spot/spot-controller", "spot-controller/v1 (linux/amd64)", "spot-controller"), p.service("spot/arch-controller", "arch-controller/v1 (linux/amd64)", "arch-controller").reacts(200*time.Millisecond, 5*sec)
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			p.every(22, 8*m, func(i int) { a.apply(t, list("spot")); b.apply(t, list("arm64")) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.tolerations"}, writers: []*actor{a, b}, winner: b, mechanism: "list replaced as a whole", why: "Tolerations are an atomic list: each applier removes the other's toleration."})
		}},
		{"atomic-ingress-rules", "atomic-lists", 8, func(p *play) {
			p.in("portal")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: portal}\nspec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}")
			other := parse("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: portal, namespace: portal}\nspec: {rules: [{host: b.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: b, port: {number: 80}}}}]}}]}")
			a, b := p.person("ci-bot", kubectlAgent, "team-a"), p.person("gitlab-runner", kubectlAgent, "team-b")
			p.every(10, 20*m, func(i int) {
				a.kubectl(t.object.yaml(), "apply", "--server-side", "--force-conflicts", "--field-manager=team-a", "-f", "-")
				p.sleep(20 * m)
				b.kubectl(other.yaml(), "apply", "--server-side", "--force-conflicts", "--field-manager=team-b", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.rules"}, writers: []*actor{a, b}, winner: b, mechanism: "list replaced as a whole", real: "kubectl is real", why: "Two teams apply one Ingress, whose rules are an atomic list."})
		}},
		{"atomic-args-one-owner", "atomic-lists", 10, func(p *play) {
			p.in("portal-eu")
			t := p.deployment("bff", 3)
			delete(t.object.at("spec", "template", "spec", "containers", "0"), "resources")
			flux, tuner := p.fluxController(), p.service("portal-eu/tuner", "tuner/v1 (linux/amd64)", "tuner")
			flux.apply(t, t.object)
			p.every(16, 25*m, func(i int) {
				o := t.object.clone()
				o.at("spec", "template", "spec", "containers", "0")["args"] = []any{"--serve", fmt.Sprintf("--level=%d", i)}
				flux.apply(t, o)
				tuner.strategic(t, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"%dm"}}}]}}}}`, 100+i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, tuner}, why: "Flux changes the arguments of a container, a tuner its resources, which Flux does not state."})
		}},
		{"pipelines-two-branches", "kubectl-pipelines", 10, func(p *play) {
			p.in("website")
			t := p.deployment("site", 2)
			main, hot := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.person("jenkins", kubectlAgent, "kubectl-client-side-apply")
			other := t.object.clone()
			setImage(other, "registry.example.com/site:1.0.1-hotfix")
			p.every(8, 35*m, func(i int) {
				main.kubectl(t.object.yaml(), "apply", "-f", "-")
				p.sleep(30 * m)
				hot.kubectl(other.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{main, hot}, winner: hot, mechanism: "shared manager", real: "kubectl is real", why: "Two pipelines apply two branches of one manifest in turn."})
		}},
		{"pipelines-human-scale", "kubectl-pipelines", 16, func(p *play) {
			p.in("website-eu")
			t := p.deployment("site", 2)
			ci, human := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.person("carol@example.com", kubectlAgent, "")
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(6, 100*m, func(i int) {
				human.kubectl("", "scale", "deployment", "site", "--replicas=6")
				p.sleep(40 * m)
				ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{ci, human}, winner: ci, mechanism: "scale", debatable: true, real: "kubectl is real", why: "A human scales up six times in a day and each deployment of the pipeline scales down."})
		}},
		{"pipelines-same-manifest", "kubectl-pipelines", 10, func(p *play) {
			p.in("website-us")
			t := p.deployment("site", 2)
			a, b := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.person("jenkins", kubectlAgent, "kubectl-client-side-apply")
			p.every(8, 35*m, func(i int) {
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/site:1.%d", i))
				a.kubectl(o.yaml(), "apply", "-f", "-")
				p.sleep(m)
				b.kubectl(o.yaml(), "apply", "-f", "-")
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, real: "kubectl is real", why: "Two pipelines apply the same manifest: the second changes nothing."})
		}},
		{"pipelines-annotations", "kubectl-pipelines", 10, func(p *play) {
			p.in("website-ap")
			t := p.deployment("site", 2)
			a, b, c := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.person("bob@example.com", kubectlAgent, "kubectl-annotate"), p.person("carol@example.com", kubectlAgent, "kubectl-label")
			a.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(9, 35*m, func(i int) {
				b.kubectl("", "annotate", "--overwrite", "deployment", "site", fmt.Sprintf("kubernetes.io/change-cause=change-%d", i))
				c.kubectl("", "label", "--overwrite", "deployment", "site", fmt.Sprintf("oncall=%s", []string{"alice", "bob", "carol"}[i%3]))
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/site:1.%d", i))
				a.kubectl(o.yaml(), "apply", "-f", "-")
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b, c}, real: "kubectl is real", why: "kubectl apply, annotate and label in turn, each on fields of its own."})
		}},
		{"downscaler-argo", "downscaler", 6, func(p *play) {
			p.in("staging")
			t := p.deployment("store", 3)
			down, argo := p.service("kube-downscaler/py-kube-downscaler", "py-kube-downscaler/23.2.0 Python-urllib/3.12", ""), p.argoController().reacts(sec, 5*sec)
			argo.threeWay(t, t.object)
			p.every(60, 5*m, func(i int) {
				down.merge(t, `{"metadata":{"annotations":{"downscaler/original-replicas":"3"}},"spec":{"replicas":0}}`)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{down, argo}, winner: argo, mechanism: "scale", why: "A downscaler scales staging to 0 at night, and self-heal scales it up, all night long."})
		}},
		{"downscaler-hpa-minimum", "downscaler", 9, func(p *play) {
			p.in("staging-eu")
			t := p.thing("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: store}\nspec: {minReplicas: 3, maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: store}}")
			down, flux := p.service("kube-downscaler/py-kube-downscaler", "py-kube-downscaler/23.2.0 Python-urllib/3.12", ""), p.fluxController()
			flux.flux(t.object)
			p.every(24, 10*m, func(i int) {
				down.update(t, func(o object) { o.set(1, "spec", "minReplicas") })
				p.sleep(7 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.minReplicas"}, writers: []*actor{down, flux}, winner: flux, mechanism: "full update against forced apply", real: realFlux, why: "The downscaler lowers an autoscaler's minimum that Flux states."})
		}},
		{"downscaler-nightly", "downscaler", 23.5, func(p *play) {
			p.in("staging-us")
			t := p.deployment("store", 3)
			down := p.service("kube-downscaler/py-kube-downscaler", "py-kube-downscaler/23.2.0 Python-urllib/3.12", "")
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(5, 4*60*m, func(i int) { down.merge(t, fmt.Sprintf(`{"spec":{"replicas":%d}}`, []int{0, 3}[i%2])) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{down}, why: "One downscaler follows office hours of several time zones."})
		}},
		{"downscaler-hands-over", "downscaler", 20, func(p *play) {
			p.in("staging-ap")
			t := p.deployment("store", 3)
			down, hpa := p.service("kube-downscaler/py-kube-downscaler", "py-kube-downscaler/23.2.0 Python-urllib/3.12", ""), p.autoscaler()
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.sleep(2 * 60 * m)
			down.merge(t, `{"spec":{"replicas":0}}`)
			p.sleep(7 * 60 * m)
			down.merge(t, `{"spec":{"replicas":3}}`)
			p.every(10, 40*m, func(i int) { hpa.scale(t, 4+i%3) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{down, hpa}, why: "The downscaler rules at night, the autoscaler by day: one handing over each."})
		}},
		{"disjoint-patches", "disjoint-fields", 5, func(p *play) {
			p.in("tuning")
			t := p.deployment("engine", 2)
			a, b := p.service("tuning/cpu-tuner", "cpu-tuner/v1 (linux/amd64)", "cpu-tuner"), p.service("tuning/mem-tuner", "mem-tuner/v1 (linux/amd64)", "mem-tuner")
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(50, 5*m, func(i int) {
				if i%2 == 0 {
					a.strategic(t, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"%dm"}}}]}}}}`, 100+i))
				} else {
					b.strategic(t, fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"memory":"%dMi"}}}]}}}}`, 200+i))
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two tuners patch different resources of one container in strict turns."})
		}},
		{"disjoint-updates", "disjoint-fields", 2, func(p *play) {
			p.in("tuning-eu")
			t := p.config("peers", map[string]any{"a": "0", "b": "0"})
			a, b := p.service("tuning-eu/site-a", "Python-urllib/3.12", ""), p.service("tuning-eu/site-b", "Python-urllib/3.12", "")
			a.create(t)
			p.every(80, m, func(i int) {
				if i%2 == 0 {
					a.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "a") })
				} else {
					b.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "b") })
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two sites read and update one config map, each its own key."})
		}},
		{"disjoint-stale-writes", "disjoint-fields", 3, func(p *play) {
			p.in("tuning-us")
			t := p.config("peers", map[string]any{"a": "0", "b": "0"})
			a, b := p.service("tuning-us/site-a", "node-fetch/1.0", ""), p.service("tuning-us/site-b", "node-fetch/1.0", "")
			a.create(t)
			own := t.object.clone()
			p.every(30, 5*m, func(i int) {
				b.merge(t, fmt.Sprintf(`{"data":{"b":"%d"}}`, i+1))
				p.sleep(30 * sec)
				own.set(fmt.Sprint(i), "data", "a")
				a.put(t, own)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.b"}, writers: []*actor{a, b}, winner: a, mechanism: "full update", why: "One site writes the whole config map from its memory and so resets the other's key to 0 each time."})
		}},
	}
}
