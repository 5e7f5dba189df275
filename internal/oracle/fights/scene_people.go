package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func peopleScenes() []scene {
	return []scene{
		{"humans-new-values", "human-edits", 9, func(p *play) {
			p.in("pricing")
			t := p.config("rates", map[string]any{"eur": "1.00"})
			a, b := p.person("alice@example.com", kubectlAgent, "kubectl-edit"), p.person("bob@example.com", kubectlAgent, "kubectl-edit")
			a.create(t)
			p.every(16, 30*m, func(i int) { []*actor{a, b}[i%2].strategic(t, fmt.Sprintf(`{"data":{"eur":"1.%02d"}}`, 3*i+1)) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two humans edit one value in turn; no earlier value comes back."})
		}},
		{"humans-feature-flag", "human-edits", 20, func(p *play) {
			p.in("flags")
			t := p.config("features", map[string]any{"beta": "false"})
			a, b := p.person("alice@example.com", kubectlAgent, "kubectl-patch"), p.person("carol@example.com", kubectlAgent, "kubectl-patch")
			a.create(t)
			for i := range 4 {
				p.sleep(2 * 60 * m)
				a.kubectl("", "patch", "configmap", "features", "--type=merge", "-p", `{"data":{"beta":"true"}}`)
				p.sleep(2 * 60 * m)
				[]*actor{a, b, a, b}[i].kubectl("", "patch", "configmap", "features", "--type=merge", "-p", `{"data":{"beta":"false"}}`)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, real: "kubectl is real", debatable: true, why: "Humans switch a feature on and off over a day, in two of four cases each other's."})
		}},
		{"human-against-operator", "human-edits", 1, func(p *play) {
			p.in("logging")
			t := p.workload("DaemonSet", "fluent-bit", 0)
			human, op := p.person("dave@example.com", kubectlAgent, "kubectl-edit"), p.operatorOf("logging/logging-operator", "manager")
			op.create(t)
			op.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil {
					return nil
				}
				d := object(o.Object)
				if d.at("spec", "template", "spec", "containers", "0")["image"] == "registry.example.com/fluent-bit:1.0.0" {
					return nil
				}
				setImage(d, "registry.example.com/fluent-bit:1.0.0")
				return c.Update(ctx, o)
			})
			p.settle(t)
			for range 6 {
				p.sleepBetween(2*m, 6*m)
				human.kubectl("", "set", "image", "daemonset/fluent-bit", "app=registry.example.com/fluent-bit:1.0.1-debug")
				p.settle(t)
			}
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{human, op}, winner: op, mechanism: "patch against full update", debatable: true,
				real: "kubectl is real, the operator is a real controller-runtime program", why: "A human tries six times in half an hour to set an image that the operator resets at once."})
		}},
		{"maintenance-backup", "maintenance", 23, func(p *play) {
			p.in("erp")
			t := p.deployment("batch", 4)
			backup := p.service("erp/backup", kubectlAgent, "")
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			p.every(6, 3*60*m, func(i int) {
				backup.kubectl("", "scale", "deployment", "batch", "--replicas=0")
				p.sleep(20 * m)
				backup.kubectl("", "scale", "deployment", "batch", "--replicas=4")
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{backup}, real: "kubectl is real", why: "A backup job scales down and back up by itself."})
		}},
		{"maintenance-resisted", "maintenance", 6, func(p *play) {
			p.in("erp-eu")
			t := p.deployment("batch", 4)
			backup, op := p.service("erp-eu/backup", kubectlAgent, ""), p.operatorOf("erp-eu/erp-operator", "erp-operator")
			op.create(t)
			op.controller(t, nil, func(ctx context.Context, c client.Client, x client.Object) error {
				o, _ := x.(*unstructured.Unstructured)
				if o == nil {
					return nil
				}
				if n, _, _ := unstructured.NestedInt64(o.Object, "spec", "replicas"); n == 4 {
					return nil
				}
				base := o.DeepCopy()
				_ = unstructured.SetNestedField(o.Object, int64(4), "spec", "replicas")
				return c.Patch(ctx, o, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(8, 20*m, func(i int) {
				backup.kubectl("", "scale", "deployment", "batch", "--replicas=0")
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{backup, op}, winner: op, mechanism: "scale", real: "kubectl is real, the operator is a real controller-runtime program", why: "A backup job scales to 0, the operator scales back at once, and the job retries."})
		}},
		{"maintenance-pause", "maintenance", 8, func(p *play) {
			p.in("capi")
			p.define("cluster.example.com", "v1beta1", "Cluster", "Namespaced", "")
			t := p.thing("apiVersion: cluster.example.com/v1beta1\nkind: Cluster\nmetadata: {name: prod}\nspec: {paused: false}")
			tool, op := p.person("github-actions", "clusterctl/v1.13.2 (linux/amd64)", ""), p.service("capi/capi-controller-manager", "manager/v1.13.2 (linux/amd64) cluster.x-k8s.io/$Format", "")
			tool.create(t)
			p.every(8, 50*m, func(i int) {
				tool.merge(t, `{"spec":{"paused":true}}`)
				op.mergeStatus(t, `{"status":{"phase":"Paused"}}`)
				p.sleep(5 * m)
				tool.merge(t, `{"spec":{"paused":false}}`)
				op.mergeStatus(t, `{"status":{"phase":"Provisioned"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tool, op}, why: "One tool pauses and resumes a cluster, and the controller's status follows."})
		}},
		{"busy-deployment", "busy-objects", 5, func(p *play) {
			p.in("busy")
			t := p.deployment("api", 3)
			kcm, flux, tuner := p.kcm("deployment-controller"), p.fluxController(), p.service("busy/tuner", "tuner/v1 (linux/amd64)", "tuner")
			flux.apply(t, t.object)
			p.every(16, 15*m, func(i int) {
				for k := range 6 {
					kcm.updateStatus(t, func(o object) {
						o.set(float64(3), "status", "replicas").set(float64(k%2), "status", "unavailableReplicas").set(float64(3), "status", "updatedReplicas")
					})
					p.sleep(20 * sec)
				}
				tuner.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"350m"}}}]}}}}`)
				for k := range 4 {
					kcm.updateStatus(t, func(o object) { o.set(float64(k%2), "status", "unavailableReplicas") })
					p.sleep(20 * sec)
				}
				flux.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.requests.cpu"}, writers: []*actor{flux, tuner}, winner: flux, mechanism: "patch against forced apply", why: "Between ten status updates by a third program, a tuner and Flux undo each other's CPU request."})
		}},
		{"busy-status-only", "busy-objects", 5, func(p *play) {
			p.in("busy-eu")
			t := p.deployment("api", 3)
			kcm, flux, tuner := p.kcm("deployment-controller"), p.fluxController(), p.service("busy-eu/tuner", "tuner/v1 (linux/amd64)", "tuner")
			flux.apply(t, t.object)
			p.every(12, 15*m, func(i int) {
				for k := range 8 {
					kcm.updateStatus(t, func(o object) { o.set(float64(k%2), "status", "unavailableReplicas") })
					p.sleep(20 * sec)
				}
				tuner.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"tuner/advice":"%d"}}}`, i%2))
				flux.apply(t, t.object)
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{flux, tuner, kcm}, why: "Many writes of three programs, none of whose fields meet."})
		}},
		{"rollout-releases", "rollouts", 22, func(p *play) {
			p.in("api-eu")
			t := p.deployment("api", 3)
			ci, kcm := p.person("github-actions", kubectlAgent, "kubectl-client-side-apply"), p.kcm("deployment-controller").reacts(50*time.Millisecond, sec)
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(10, 2*60*m, func(i int) {
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/api:3.%d", i))
				ci.kubectl(o.yaml(), "apply", "-f", "-")
				kcm.update(t, func(o object) { o.set(fmt.Sprint(i+2), "metadata", "annotations", "deployment.kubernetes.io/revision") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, kcm}, real: "kubectl is real", why: "Ten releases; the deployment controller numbers each."})
		}},
		{"rollout-canary-weights", "rollouts", 7, func(p *play) {
			p.in("canary")
			t, c := p.deployment("web-stable", 10), p.deployment("web-canary", 0)
			ctl := p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8.0 (linux/amd64) argo-rollouts/$Format", "")
			ctl.create(t)
			ctl.create(c)
			for range 3 {
				for _, n := range []int{1, 3, 5, 10, 0} {
					p.sleep(15 * m)
					ctl.merge(c, fmt.Sprintf(`{"spec":{"replicas":%d}}`, n))
					ctl.merge(t, fmt.Sprintf(`{"spec":{"replicas":%d}}`, 10-n))
				}
			}
			p.lookalike(what{things: []*thing{t, c}, writers: []*actor{ctl}, why: "Canary steps of one controller, repeated with each release."})
		}},
		{"rollout-revision-dropped", "rollouts", 3, func(p *play) {
			p.in("canary-eu")
			t := p.deployment("web", 2)
			op, kcm := p.service("canary-eu/web-operator", "okhttp/4.12.0", "").reacts(100*time.Millisecond, sec), p.kcm("deployment-controller").reacts(20*time.Millisecond, 300*time.Millisecond)
			op.create(t)
			p.every(40, 3*m, func(i int) {
				op.update(t, func(o object) { delete(o.at("metadata"), "annotations") })
				kcm.update(t, func(o object) { o.set("1", "metadata", "annotations", "deployment.kubernetes.io/revision") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["deployment.kubernetes.io/revision"]`}, writers: []*actor{op, kcm}, winner: kcm, mechanism: "full update", why: "The operator's full update drops the revision that the deployment controller writes again."})
		}},
		{"migration-takeover", "migrations", 8, func(p *play) {
			p.in("moving")
			t := p.config("ingress-settings", map[string]any{"timeout": "30"})
			old, next := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.argoController()
			old.create(t)
			p.every(8, 20*m, func(i int) { old.merge(t, fmt.Sprintf(`{"data":{"timeout":"30","rev":"%d"}}`, i)) })
			p.every(8, 20*m, func(i int) { next.merge(t, fmt.Sprintf(`{"data":{"timeout":"60","rev":"%d"}}`, 100+i)) })
			old.merge(t, `{"data":{"timeout":"30"}}`)
			p.every(4, 20*m, func(i int) { next.merge(t, `{"data":{"timeout":"60"}}`) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{old, next}, why: "An object moves from one tool to another; the old one writes once more, by mistake."})
		}},
		{"migration-stalled", "migrations", 6, func(p *play) {
			p.in("moving-eu")
			t := p.config("ingress-settings", map[string]any{"timeout": "30"})
			old, next := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.argoController()
			old.create(t)
			p.every(22, 10*m, func(i int) {
				next.threeWay(t, t.object.with("60", "data", "timeout"))
				p.sleep(5 * m)
				old.strategic(t, `{"data":{"timeout":"30"}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.timeout"}, writers: []*actor{old, next}, winner: old, mechanism: "patches", why: "The old tool was never switched off: two GitOps tools apply two values of one setting."})
		}},
	}
}
