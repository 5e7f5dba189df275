package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// calmApplications4 returns scenes without a fight in the applications of
// teams: releases, settings and incidents.
func calmApplications4() []scene {
	return []scene{
		{"builds-claimed", "", 3, func(p *play) {
			p.in("forge")
			p.define("forge.example.io", "v1", "Build", "Namespaced", "")
			api, runner, gc := p.service("forge/api", "forge-api/5.1 okhttp/5.0", ""), p.operatorOf("forge/runner", "runner"), p.service("forge/collector", "collector/5.1 (linux/amd64)", "")
			var all []*thing
			p.every(24, 5*m, func(i int) {
				t := p.thing(fmt.Sprintf("apiVersion: forge.example.io/v1\nkind: Build\nmetadata: {name: build-%d}\nspec: {commit: c%d, phase: Queued}", 900+i, i))
				all = append(all, t)
				api.create(t)
				runner.cached(t, func(o object) { o.set("Running", "spec", "phase") })
				p.sleepBetween(20*sec, 3*m)
				if i%6 == 5 { // the worker was lost
					api.merge(t, `{"spec":{"phase":"Queued"}}`)
					runner.cached(t, func(o object) { o.set("Running", "spec", "phase") })
					p.sleep(m)
				}
				runner.cached(t, func(o object) { o.set("Done", "spec", "phase") })
				if i > 3 {
					gc.delete(all[i-4])
				}
			})
			p.lookalike(what{things: all, writers: []*actor{api, runner, gc}, why: "Builds pass through a queue, and are collected; a lost one is queued again."})
		}},
		{"flux-releases", "", 10, func(p *play) {
			p.in("quotes-api")
			t := p.deployment("quotes-api", 3)
			flux, dc := p.fluxController(), p.kcm("deployment-controller")
			wave := p.service("wave/wave", "wave/v0.9 (linux/amd64) kubernetes/$Format", "wave")
			p.every(9, time.Hour, func(i int) {
				flux.flux(t.object.with([]any{map[string]any{"name": "app", "image": tagged("quotes-api", i)}}, "spec", "template", "spec", "containers"))
				dc.observe(t, 3)
				p.sleepBetween(10*sec, 5*m)
				wave.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"wave.example.com/config-hash":"%08x"}}}`, 77191*(i+1)))
				p.sleep(15 * m)
				flux.dryApply(t, t.object)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, dc, wave}, real: "Flux's apply is its library", why: "Flux applies each release, the deployment controller reports it, a tool notes the hash of the settings."})
		}},
		{"two-about-one-cr", "", 4, func(p *play) {
			p.in("ml-train")
			p.define("ml.example.io", "v1", "Training", "Namespaced", "")
			t := p.thing("apiVersion: ml.example.io/v1\nkind: Training\nmetadata: {name: ranking}\nspec: {epochs: 40, checkpoint: 0, lastPrice: '0'}")
			trainer, pricer := p.operatorOf("ml-system/trainer", "trainer"), p.operatorOf("ml-system/price-watch", "price-watch")
			trainer.create(t)
			p.together(3*time.Hour, beat{5 * m, func(i int) {
				trainer.update(t, func(o object) { o.set(i+1, "spec", "checkpoint") })
			}}, beat{7 * m, func(i int) {
				old := pricer.get(t)
				trainer.update(t, func(o object) { o.set(p.now(), "metadata", "annotations", "ml.example.io/seen") })
				pricer.send("PUT", t.path(), "", old.with("x", "spec", "lastPrice")) // a conflict
				pricer.update(t, func(o object) { o.set(fmt.Sprintf("0.%d", 31+i), "spec", "lastPrice") })
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{trainer, pricer}, why: "Two operators update their own fields of one object; conflicts are retried."})
		}},
		{"settings-reloaded", "", 8, func(p *play) {
			p.in("gateway-api")
			t := p.deployment("api-gateway", 2)
			reloader, frank, argo := p.operatorOf("reloader/stakater-reloader", "reloader"), p.person("frank@example.com", kubectlAgent, "kubectl-rollout"), p.argoController()
			argo.threeWay(t, t.object)
			p.every(10, 40*m, func(i int) {
				reloader.strategic(t, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"reloader.stakater.com/last-hash":"%x"}}}}}`, 40961*(i+3)))
				if i%3 == 0 {
					p.sleep(6 * m)
					time.Sleep(1200 * time.Millisecond) // kubectl refuses two restarts in one real second
					frank.kubectl("", "rollout", "restart", "deployment", t.id)
				}
				p.sleep(3 * m)
				argo.threeWay(t, t.object.with(fmt.Sprint(i/2), "metadata", "labels", "release"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{reloader, frank, argo}, real: "kubectl is real", why: "Restarts by a tool and a person; Argo CD applies releases and leaves their annotations alone."})
		}},
		{"one-night", "", 10, func(p *play) {
			p.in("booking")
			t := p.deployment("booking", 5)
			t.object.at("spec", "template", "spec", "containers", "0")["env"] = []any{map[string]any{"name": "DB_POOL", "value": "20"}}
			flux, erin := p.fluxController(), p.person("erin@example.com", kubectlAgent, "kubectl-set")
			flux.flux(t.object)
			for i := range 45 {
				p.sleep(10 * m)
				if i == 17 || i == 30 {
					erin.kubectl("", "set", "env", "deployment/"+t.id, fmt.Sprintf("DB_POOL=%d", 40+i))
					p.sleep(4 * m)
				}
				flux.flux(t.object)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, erin}, real: "kubectl is real; Flux's apply is its library", why: "During an incident a person changes a pool twice, and Flux undoes it each time; it does not go on."})
		}},
		{"handed-to-gitops", "", 8, func(p *play) {
			p.in("mailer")
			t := p.deployment("mailer", 2)
			ci, flux := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.fluxController()
			image := func(i int) object {
				o := t.object.clone()
				setImage(o, tagged("mailer", i))
				return o
			}
			p.every(6, 30*m, func(i int) { ci.kubectl(image(i).yaml(), "apply", "-f", "-") })
			p.sleep(20 * m) // the last run of the pipeline has the content that Flux has
			flux.flux(image(6))
			p.sleep(3 * m)
			ci.kubectl(image(6).yaml(), "apply", "-f", "-")
			p.every(8, 20*m, func(i int) { flux.flux(image(6 + i)) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, flux}, real: "kubectl is real; Flux's apply is its library", why: "A pipeline hands a deployment over to Flux, with the same content while both run."})
		}},
		{"same-owner-label", "", 9, func(p *play) {
			p.in("invoices")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: invoices, labels: {owner: billing}}\nspec: {selector: {app: invoices}, ports: [{port: 80}]}")
			tf, catalog, ci := p.person("terraform", "HashiCorp/1.0 Terraform/1.9.8", "Terraform"), p.service("backstage/catalog", "backstage-sync/1.4 node", "backstage"), p.person("jenkins", kubectlAgent, "kubectl-label")
			tf.create(t)
			p.together(8*time.Hour, beat{30 * m, func(i int) {
				tf.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Service\nmetadata: {name: invoices, labels: {owner: billing, stack: 's%d'}}", i/4)))
			}}, beat{12 * m, func(int) { catalog.merge(t, `{"metadata":{"labels":{"owner":"billing"}}}`) }},
				beat{50 * m, func(int) {
					ci.kubectl("", "label", "--overwrite", "service", t.id, "owner=billing")
				}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tf, catalog, ci}, real: "kubectl is real", why: "Three tools write the same owner into one label."})
		}},
		{"queue-scaled", "", 6, func(p *play) {
			p.in("thumbnails")
			t := p.deployment("thumbnailer", 1)
			t.object = t.object.without("spec", "replicas")
			hpa, helm := p.autoscaler(), p.service("thumbnails/deployer", "Helm/v3.19.0", "")
			dc := p.kcm("deployment-controller")
			helm.threeWay(t, t.object)
			at := 1
			p.together(5*time.Hour, beat{6 * m, func(i int) {
				next := []int{4, 9, 5, 1, 2, 7, 7, 3}[i%8]
				if next != at {
					at = next
					hpa.scale(t, next)
					dc.observe(t, next)
				}
			}}, beat{50 * m, func(i int) {
				o := t.object.clone()
				setImage(o, tagged("thumbnailer", i))
				helm.threeWay(t, o)
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{hpa, helm, dc}, why: "An autoscaler follows a queue, releases leave the replicas out."})
		}},
		{"toggles-of-teams", "", 11, func(p *play) {
			p.in("shop-flags")
			t := p.config("flags", map[string]any{"new-cart": "off", "banner": "off", "sale": "off"})
			alice, bob, frank := p.person("alice@example.com", kubectlAgent, "kubectl-patch"), p.person("bob@example.com", kubectlAgent, "kubectl-patch"), p.person("frank@example.com", kubectlAgent, "kubectl-patch")
			alice.create(t)
			turn := func(a *actor, key, value string) {
				p.sleepBetween(20*m, 90*m)
				a.kubectl("", "patch", "configmap", t.id, "--type=merge", "-p", `{"data":{"`+key+`":"`+value+`"}}`)
			}
			for range 2 {
				turn(alice, "new-cart", "on")
				turn(bob, "banner", "on")
				turn(frank, "sale", "on")
				turn(bob, "banner", "off")
				turn(alice, "new-cart", "off")
			}
			turn(frank, "sale", "off")
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, bob, frank}, toggles: true, real: "kubectl is real", why: "Each of three persons switches the flags of the own team."})
		}},
		{"versions-moved-over", "", 4, func(p *play) {
			p.in("redis")
			old, young := p.operatorOf("redis-system/redis-operator-old", "redis-operator"), p.service("redis-system/redis-operator", "redis-operator/v2.0.0 (linux/amd64) kubernetes/$Format", "")
			var all []*thing
			for i := range 4 {
				t := p.workload("StatefulSet", fmt.Sprintf("redis-%c", 'a'+i), 3)
				all = append(all, t)
				old.create(t)
			}
			p.every(24, 8*m, func(i int) {
				for k, t := range all {
					if k <= i/6 { // the databases move one by one to the new version of the operator
						young.update(t, func(o object) { setImage(o, "registry.example.com/redis:8.2") })
					} else {
						old.update(t, func(o object) { setImage(o, "registry.example.com/redis:7.4") })
					}
				}
			})
			p.lookalike(what{things: all, writers: []*actor{old, young}, why: "Databases move from the old to the new version of an operator, one after the other."})
		}},
		{"helm-and-limits", "", 9, func(p *play) {
			p.in("ads")
			t := p.deployment("bidder", 3)
			helm, dave := p.person("github-actions", "Helm/v3.19.0", ""), p.person("dave@example.com", kubectlAgent, "kubectl-edit")
			helm.threeWay(t, t.object)
			for i := range 8 {
				p.sleep(55 * m)
				o := t.object.clone()
				setImage(o, tagged("bidder", i))
				if i >= 4 { // the values of the release now have the change that was made by hand
					o.at("spec", "template", "spec", "containers", "0", "resources", "requests")["memory"] = "256Mi"
				}
				helm.threeWay(t, o)
				if i == 3 {
					p.sleep(9 * m)
					dave.edit("deployment", t.id, "s/memory: 128Mi/memory: 256Mi/")
				}
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{helm, dave}, real: "kubectl is real", why: "Releases with new images; once a person raises the memory, and the next release has the same value."})
		}},
		{"load-tests", "", 7, func(p *play) {
			p.in("perf")
			t := p.deployment("target", 2)
			ci, op := p.person("ci-bot", kubectlAgent, "kubectl-scale"), p.operatorOf("perf/app-operator", "app-operator")
			op.create(t)
			op.controller(t, &appsv1.Deployment{}, func(ctx context.Context, c client.Client, o client.Object) error {
				d, ok := o.(*appsv1.Deployment)
				if !ok || d.Annotations["app.example.com/seen"] == fmt.Sprint(*d.Spec.Replicas) {
					return nil
				}
				base := d.DeepCopy()
				if d.Annotations == nil {
					d.Annotations = map[string]string{}
				}
				d.Annotations["app.example.com/seen"] = fmt.Sprint(*d.Spec.Replicas)
				return c.Patch(ctx, d, client.MergeFrom(base))
			})
			p.settle(t)
			p.every(6, 50*m, func(i int) {
				ci.kubectl("", "scale", "deployment", t.id, "--replicas=20")
				p.settle(t)
				p.sleep(12 * m)
				ci.kubectl("", "scale", "deployment", t.id, "--replicas=2")
				p.settle(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, op}, toggles: true, real: "kubectl is real; " + realRuntime, why: "A pipeline scales a target up and down for its tests; the operator notes what it saw."})
		}},
		{"alert-receivers", "", 10, func(p *play) {
			p.in("alerting")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: alertmanager-main}\ndata: {alertmanager.yaml: '" + b64("receivers", 0) + "'}")
			ci, op, carol := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.service("alerting/prometheus-operator", "PrometheusOperator/0.86 (linux/amd64)", "PrometheusOperator"), p.person("carol@example.com", kubectlAgent, "kubectl-annotate")
			p.every(8, 65*m, func(i int) {
				ci.kubectl(t.object.with(b64("receivers", i), "data", "alertmanager.yaml").yaml(), "apply", "-f", "-")
				p.sleepBetween(sec, 20*sec)
				op.update(t, func(o object) {
					o.set(fmt.Sprintf("h%d", 7*i), "metadata", "annotations", "operator.example.com/checked-hash")
				})
				if i%4 == 2 {
					p.sleep(5 * m)
					carol.kubectl("", "annotate", "--overwrite", "secret", t.id, fmt.Sprintf("reviewed=%d", i))
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, op, carol}, real: "kubectl is real", why: "A pipeline changes receivers, the operator notes what it checked, a person notes a review."})
		}},
	}
}
