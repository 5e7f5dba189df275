package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	imagePath   = "spec.template.spec.containers[name=app].image"
	realRuntime = "the operator is a real controller-runtime program; others: the requests that they send"
	realHelm    = "Helm is real; the operator is a real controller-runtime program"
)

// operatorOf returns a controller-runtime program. Its User-Agent header has
// the name of its binary.
func (p *play) operatorOf(account, binary string) *actor {
	return p.service(account, binary+"/v0.0.0 (linux/amd64) kubernetes/$Format", "").reacts(60*time.Millisecond, 3*time.Second)
}

func setImage(o object, image string) {
	o.at("spec", "template", "spec", "containers", "0")["image"] = image
}

func operatorScenes() []scene {
	return []scene{
		{"flux-operator-image", "flux-operator", 5, func(p *play) {
			p.in("payments")
			t := p.deployment("ledger", 2)
			flux, op := p.fluxController(), p.operatorOf("image-policy/pinner", "pinner")
			flux.flux(t.object)
			op.controller(t, &appsv1.Deployment{}, func(ctx context.Context, c client.Client, o client.Object) error {
				d, ok := o.(*appsv1.Deployment)
				if !ok {
					return nil
				}
				base := d.DeepCopy()
				d.Spec.Template.Spec.Containers[0].Image = "registry.example.com/ledger@sha256:4f8ac1"
				return c.Patch(ctx, d, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(25, 10*m, func(i int) { flux.flux(t.object); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{flux, op}, winner: op, mechanism: "merge patch against forced apply",
				real: "Flux: its library; the operator is a real controller-runtime program (Patch with MergeFrom)", why: "The operator pins images to digests and Flux applies the tag again."})
		}},
		{"flux-kubectl-patch", "flux-operator", 2, func(p *play) {
			p.in("notify")
			t := p.deployment("sender", 2)
			flux, human := p.fluxController(), p.person("alice@example.com", kubectlAgent, "kubectl-patch")
			flux.flux(t.object)
			for range 5 {
				p.sleepBetween(5*m, 9*m)
				human.kubectl("", "patch", "deployment", "sender", "--type=merge", "-p", `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":120}}}}`)
				p.sleepBetween(2*m, 9*m)
				flux.flux(t.object.with(30.0, "spec", "template", "spec", "terminationGracePeriodSeconds"))
			}
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.terminationGracePeriodSeconds"}, writers: []*actor{flux, human}, winner: flux, mechanism: "patch against forced apply", debatable: true,
				real: "kubectl is real; Flux: its library", why: "A human patches the grace period five times within an hour, and Flux takes it back each time."})
		}},
		{"flux-operator-cosmetic", "flux-operator", 6, func(p *play) {
			p.in("payments-eu")
			t := p.deployment("ledger", 2)
			flux, op := p.fluxController(), p.operatorOf("image-policy/pinner", "pinner")
			flux.flux(t.object)
			n := 0
			op.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil {
					return nil
				}
				image := fmt.Sprint(object(o.Object).at("spec", "template", "spec", "containers", "0")["image"])
				if o.GetAnnotations()["pinner.example.com/image"] == image {
					return nil
				}
				base := o.DeepCopy()
				n++
				o.SetAnnotations(map[string]string{"pinner.example.com/image": image, "pinner.example.com/checked": fmt.Sprint(n)})
				return c.Patch(ctx, o, client.MergeFrom(base))
			})
			p.settle(t)
			stated := t.object
			p.every(25, 10*m, func(i int) {
				stated = stated.clone()
				setImage(stated, fmt.Sprintf("registry.example.com/ledger:1.0.%d", i))
				flux.flux(stated)
				p.settle(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, op}, real: "Flux: its library; the operator is a real controller-runtime program",
				why: "The operator answers each release of Flux, but writes only annotations of its own, which Flux does not state."})
		}},
		{"helm3-operator", "helm-operator", 6, func(p *play) {
			p.in("grafana")
			t := p.config("dashboards", map[string]any{"refresh": "30s", "theme": "dark"})
			ci, op := p.person("gitlab-runner", "Helm/3.20.1", "helm"), p.operatorOf("grafana-operator/grafana-operator", "grafana-operator")
			chart := p.chart("grafana", map[string]string{"c.yaml": t.object.yaml()})
			ci.helm("3", "install", "grafana", chart)
			op.controller(t, &corev1.ConfigMap{}, func(ctx context.Context, c client.Client, o client.Object) error {
				s, ok := o.(*corev1.ConfigMap)
				if !ok {
					return nil
				}
				_, err := controllerutil.CreateOrUpdate(ctx, c, s, func() error { s.Data["refresh"] = "5m"; return nil })
				return err
			})
			p.settle(t)
			p.every(10, 25*m, func(i int) { ci.helm("3", "upgrade", "grafana", chart); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{"data.refresh"}, writers: []*actor{ci, op}, winner: op, mechanism: "three-way patch against full update", real: realHelm,
				why: "Each helm upgrade puts the chart's value back by its three-way merge, and the operator's CreateOrUpdate answers."})
		}},
		{"helm4-operator", "helm-operator", 8, func(p *play) {
			p.in("loki")
			t := p.workload("StatefulSet", "loki-write", 3)
			ci, op := p.service("flux-system/helm-controller", "Helm/4.3.1", "helm"), p.operatorOf("loki/loki-operator", "loki-operator")
			chart := p.chart("loki", map[string]string{"s.yaml": t.object.yaml()})
			ci.helm("4", "install", "loki", chart)
			op.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil {
					return nil
				}
				a := &unstructured.Unstructured{Object: parse(fmt.Sprintf("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: %s, namespace: %s}\nspec: {template: {spec: {containers: [{name: app, resources: {requests: {memory: 512Mi}}}]}}}", t.id, t.ns))}
				return c.Apply(ctx, client.ApplyConfigurationFromUnstructured(a), client.FieldOwner("loki-operator"), client.ForceOwnership)
			})
			p.settle(t)
			p.every(12, 30*m, func(i int) { ci.helm("4", "upgrade", "--force-conflicts", "loki", chart); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.requests.memory"}, writers: []*actor{ci, op}, winner: op, mechanism: "forced apply against forced apply", real: realHelm,
				why: "Helm 4 applies with --force-conflicts what the operator applies with force too."})
		}},
		{"helm-rollbacks", "helm-operator", 20, func(p *play) {
			p.in("api")
			t := p.deployment("gateway", 3)
			ci := p.person("github-actions", "Helm/3.20.1", "helm")
			chart := p.chart("gateway", map[string]string{"d.yaml": t.object.yaml()})
			ci.helm("3", "install", "gateway", chart)
			for i := range 4 {
				p.sleep(3 * 60 * m)
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/gateway:1.%d.0", i+1))
				ci.helm("3", "upgrade", "gateway", p.chart("gateway", map[string]string{"d.yaml": o.yaml()}))
				p.sleep(20 * m)
				ci.helm("3", "rollback", "gateway")
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, real: "Helm is real", debatable: true,
				why: "One pipeline tries four releases in a day and rolls each back."})
		}},
		{"helm-annotating-operator", "helm-operator", 6, func(p *play) {
			p.in("tempo")
			t := p.deployment("distributor", 2)
			ci, op := p.person("gitlab-runner", "Helm/3.20.1", "helm"), p.operatorOf("reloader/reloader", "Reloader")
			chart := p.chart("tempo", map[string]string{"d.yaml": t.object.yaml()})
			ci.helm("3", "install", "tempo", chart)
			p.every(12, 25*m, func(i int) {
				op.strategic(t, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"reloader.stakater.com/last-reloaded-from":"{\"hash\":\"%d\"}"}}}}}`, i*7919))
				p.sleep(3 * m)
				o := t.object.with(fmt.Sprintf("build-%d", i), "metadata", "labels", "build")
				ci.helm("3", "upgrade", "tempo", p.chart("tempo", map[string]string{"d.yaml": o.yaml()}))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, op}, real: "Helm is real; the reloader is emulated",
				why: "Helm's three-way merge leaves the reloader's annotation alone: they write different fields in turn."})
		}},
		{"webhook-overwrites-policy", "mutating-webhook", 8, func(p *play) {
			p.in("vault")
			t := p.deployment("agent", 2)
			t.object.at("spec", "template", "spec", "containers", "0")["imagePullPolicy"] = "IfNotPresent"
			p.webhook("always-pull.policy.example.com", "apps", "v1", "deployments", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				return []map[string]any{operation("replace", "/spec/template/spec/containers/0/imagePullPolicy", "Always")}
			})
			flux := p.fluxController()
			p.every(30, 10*m, func(i int) {
				o := t.object.with(fmt.Sprint(i/3), "metadata", "annotations", "example.com/revision")
				flux.apply(t, o)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].imagePullPolicy"}, writers: []*actor{flux}, webhook: "always-pull.policy.example.com", mechanism: "webhook", debatable: true,
				real: "a real webhook; Flux's applies are emulated", why: "Each apply states IfNotPresent and the webhook stores Always: the stated value never arrives."})
		}},
		{"webhook-full-update", "mutating-webhook", 3, func(p *play) {
			p.in("istio-apps")
			t := p.deployment("reviews", 2)
			p.webhook("team-label.policy.example.com", "apps", "v1", "deployments", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.value("metadata", "labels", "team") == "core" {
					return nil
				}
				return []map[string]any{operation("add", "/metadata/labels/team", "core")}
			})
			op := p.operatorOf("apps/app-operator", "app-operator")
			op.create(t)
			p.every(60, 3*m, func(i int) {
				op.update(t, func(o object) {
					o.set("operations", "metadata", "labels", "team").set(fmt.Sprint(i), "metadata", "annotations", "app/sync")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.labels[\"team\"]"}, writers: []*actor{op}, webhook: "team-label.policy.example.com", mechanism: "webhook",
				real: "a real webhook; the operator's requests are emulated", why: "Each full update states team: operations and the webhook overwrites it with core."})
		}},
		{"webhook-injects", "mutating-webhook", 10, func(p *play) {
			p.in("mesh-apps")
			t := p.deployment("ratings", 2)
			p.webhook("inject.mesh.example.com", "apps", "v1", "deployments", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if len(o.at("spec", "template", "spec")["containers"].([]any)) > 1 {
					return nil
				}
				return []map[string]any{operation("add", "/spec/template/spec/containers/-", map[string]any{"name": "proxy", "image": "mesh/proxy:1"})}
			})
			argo := p.argoController()
			argo.threeWay(t, t.object)
			stated := t.object
			p.every(30, 15*m, func(i int) {
				stated = stated.clone()
				setImage(stated, fmt.Sprintf("registry.example.com/ratings:2.%d", i))
				argo.threeWay(t, stated)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo}, real: "a real webhook; Argo CD's patches are emulated",
				why: "The webhook injects a container once, and the patches of Argo CD leave it in place."})
		}},
		{"webhook-default-new-objects", "mutating-webhook", 4, func(p *play) {
			p.in("batchers")
			t := p.config("run-parameters", map[string]any{"size": "10"})
			p.webhook("stamp.example.com", "", "v1", "configmaps", `["CREATE"]`, func(o object) []map[string]any {
				return []map[string]any{operation("add", "/metadata/labels", map[string]any{"stamped": "yes"})}
			})
			ci := p.person("jenkins", "okhttp/4.12.0", "")
			for i := range 14 {
				ci.create(t)
				p.sleep(6 * m)
				ci.merge(t, fmt.Sprintf(`{"data":{"size":"%d"}}`, 11+i))
				p.sleep(5 * m)
				ci.delete(t)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, real: "a real webhook",
				why: "One pipeline makes and deletes its config map for each run, and a webhook labels each new one."})
		}},
	}
}
