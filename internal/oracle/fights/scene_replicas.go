package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

const m = time.Minute

func (o object) yaml() string {
	data, err := yaml.Marshal(map[string]any(o))
	if err != nil {
		panic(err)
	}
	return string(data)
}

const realFlux = "Flux: its own library github.com/fluxcd/pkg/ssa; others: the requests that they send"

func replicaScenes() []scene {
	const family = "hpa-replicas"
	return []scene{
		{"hpa-kubectl-apply", family, 5, func(p *play) {
			p.in("checkout")
			t := p.deployment("cart", 3)
			ci, hpa := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.autoscaler()
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(9, 20*m, func(i int) {
				hpa.scale(t, 6+i%3)
				p.sleep(14 * m)
				ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{ci, hpa}, winner: ci, mechanism: "scale",
				real: "kubectl is real; the autoscaler is emulated", why: "The pipeline applies a manifest with replicas: 3 and the autoscaler scales up again."})
		}},
		{"hpa-flux", family, 4, func(p *play) {
			p.in("search")
			t := p.deployment("indexer", 2)
			flux, hpa := p.fluxController(), p.autoscaler()
			flux.flux(t.object)
			p.every(18, 5*m, func(i int) {
				hpa.scale(t, 5+i%4)
				p.sleep(4 * m)
				flux.flux(t.object)
			})
			hpa.scale(t, 6)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{flux, hpa}, winner: hpa, mechanism: "scale", real: realFlux,
				why: "Flux states replicas: 2 in git and takes it back at each reconciliation, the autoscaler scales up."})
		}},
		{"hpa-argo-statefulset", family, 1, func(p *play) {
			p.in("streaming")
			t := p.workload("StatefulSet", "ingest", 4)
			argo, hpa := p.argoController(), p.autoscaler()
			argo.threeWay(t, t.object)
			p.every(30, 20*time.Second, func(i int) {
				hpa.scale(t, 9)
				p.sleep(5 * time.Second)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{argo, hpa}, winner: argo, mechanism: "scale",
				why: "Self-heal puts replicas back within seconds of each scale-up."})
		}},
		{"keda-flux", family, 8, func(p *play) {
			p.in("mailer")
			t := p.deployment("worker", 1)
			flux := p.fluxController()
			keda := p.service("keda/keda-operator", "keda/v2.17.0 (linux/amd64) kubernetes/$Format", "").reacts(20*time.Second, 30*time.Second)
			flux.flux(t.object)
			p.every(24, 10*m, func(i int) {
				keda.scale(t, 0)
				p.sleep(8 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{flux, keda}, winner: flux, mechanism: "scale", real: realFlux,
				why: "KEDA scales an idle worker to 0, Flux applies replicas: 1."})
		}},
		{"hpa-flux-no-replicas", family, 10, func(p *play) {
			p.in("search-eu")
			t := p.deployment("indexer", 2)
			stated := t.object.without("spec", "replicas")
			flux, hpa := p.fluxController(), p.autoscaler()
			flux.flux(stated)
			p.every(24, 10*m, func(i int) {
				hpa.scale(t, []int{3, 6, 9, 6, 3, 2}[i%6])
				p.sleep(9 * m)
				if i%4 == 3 {
					stated = stated.clone()
					stated.at("spec", "template", "spec", "containers", "0")["image"] = fmt.Sprintf("registry.example.com/indexer:1.0.%d", i)
				}
				flux.flux(stated)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, hpa}, real: realFlux,
				why: "Flux does not state replicas: it releases new images while the autoscaler follows the load."})
		}},
		{"hpa-argo-no-replicas", family, 6, func(p *play) {
			p.in("streaming-eu")
			t := p.workload("StatefulSet", "ingest", 4)
			stated := t.object.without("spec", "replicas")
			argo, hpa := p.argoController(), p.autoscaler()
			argo.threeWay(t, stated)
			p.every(20, 15*m, func(i int) {
				hpa.scale(t, []int{2, 5}[i%2])
				p.sleep(40 * time.Second)
				stated = stated.with(fmt.Sprintf("rev-%d", i), "metadata", "annotations", "example.com/revision")
				argo.threeWay(t, stated)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, hpa},
				why: "Argo CD applies without replicas and changes an annotation, while the autoscaler scales between two sizes."})
		}},
		{"hpa-alone", family, 20, func(p *play) {
			p.in("webshop")
			t := p.deployment("frontend", 3)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			hpa := p.autoscaler()
			p.every(60, 18*m, func(i int) { hpa.scale(t, []int{3, 5, 8, 5}[i%4]) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{hpa}, why: "One autoscaler follows the load of the day up and down."})
		}},
		{"hpa-two-for-one", family, 3, func(p *play) {
			p.in("reports")
			t := p.deployment("renderer", 4)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			hpa := p.autoscaler()
			p.every(80, 15*time.Second, func(i int) { hpa.scale(t, []int{10, 4}[i%2]) })
			p.flap(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{hpa}, winner: hpa,
				why: "Two autoscalers have the same target; one controller scales for both, every 15 seconds to another size."})
		}},
		{"operator-createorupdate-hpa", family, 5, func(p *play) {
			p.in("rabbit")
			t := p.workload("StatefulSet", "queue-server", 3)
			op, hpa := p.service("rabbit-system/cluster-operator", "manager/v0.0.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*time.Second), p.autoscaler()
			op.create(t)
			op.controller(t, &appsv1.StatefulSet{}, func(ctx context.Context, c client.Client, o client.Object) error {
				s, ok := o.(*appsv1.StatefulSet)
				if !ok {
					return nil
				}
				_, err := controllerutil.CreateOrUpdate(ctx, c, s, func() error {
					s.Spec.Replicas = ptr(int32(3))
					return nil
				})
				return err
			})
			p.settle(t)
			p.every(16, 15*m, func(i int) { hpa.scale(t, 5+i%2); p.settle(t) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{op, hpa}, winner: op, mechanism: "scale",
				real: "the operator is a real controller-runtime program (CreateOrUpdate); the autoscaler is emulated", why: "The operator's CreateOrUpdate states replicas and answers each scale-up."})
		}},
	}
}
