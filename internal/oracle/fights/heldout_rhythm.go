package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// edit runs the real kubectl edit, with sed as the editor.
func (a *actor) edit(kind, name, expression string) {
	editor := filepath.Join(a.play.stage.dir, "editor-"+a.play.id)
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nexec sed -i '"+expression+"' \"$1\"\n"), 0o700); err != nil {
		a.play.fail("%v", err)
	}
	out, err := a.play.stage.command(a.play.ctx, "", "env", "KUBE_EDITOR="+editor, "kubectl", "--server="+a.address(),
		"--cache-dir="+a.play.stage.dir+"/edit-"+a.play.id, "--namespace="+a.play.ns, "edit", kind, name)
	if err != nil {
		a.play.fail("%v: %s", err, out)
	}
}

func hiddenRhythms() []scene {
	return []scene{
		{"vpa-applied-resources", "vpa", 9, func(p *play) {
			p.in("sized")
			t := p.deployment("scorer", 3)
			vpa, flux := p.service("goldilocks/autosizer", "autosizer/v0.4 (linux/amd64)", ""), p.fluxController()
			flux.flux(t.object)
			p.every(20, 12*m, func(i int) {
				vpa.update(t, func(o object) {
					o.at("spec", "template", "spec", "containers", "0")["resources"] = map[string]any{"requests": map[string]any{"cpu": fmt.Sprintf("%dm", 300+10*(i%4)), "memory": "512Mi"}}
				})
				p.sleep(9 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.requests.cpu", "spec.template.spec.containers[name=app].resources.requests.memory"}, writers: []*actor{vpa, flux}, winner: flux, mechanism: "full update against forced apply", real: realFlux,
				why: "A sizer writes measured requests into a Deployment whose requests are in git."})
		}},
		{"vpa-resize-pod", "vpa", 3, func(p *play) {
			p.in("sized-eu")
			t := p.thing("apiVersion: v1\nkind: Pod\nmetadata: {name: scorer-0}\nspec: {containers: [{name: c, image: registry.example.com/c:1, resources: {requests: {cpu: 100m}}}]}")
			vpa, op := p.service("kube-system/vpa-updater", "vpa-updater/v1.5 (linux/amd64)", ""), p.service("sized-eu/latency-operator", "latency-operator/v1 (linux/amd64)", "").reacts(300*time.Millisecond, 6*sec)
			p.kcm("statefulset-controller").create(t)
			resize := func(a *actor, cpu string) {
				a.must(a.send(http.MethodPatch, t.path()+"/resize", strategicPatch, `{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"`+cpu+`"}}}]}}`))
			}
			p.every(26, 5*m, func(i int) { resize(vpa, "150m"); resize(op, "400m") })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.containers[name=c].resources.requests.cpu"}, writers: []*actor{vpa, op}, winner: op, mechanism: "patches", why: "Two resizers of one pod want different requests."})
		}},
		{"vpa-recommendations", "vpa", 12, func(p *play) {
			p.in("sized-us")
			p.define("autoscaling.example.com", "v1", "VerticalPodAutoscaler", "Namespaced", "")
			t := p.thing("apiVersion: autoscaling.example.com/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: scorer}\nspec: {updatePolicy: {updateMode: 'Off'}}")
			rec, human := p.service("kube-system/vpa-recommender", "vpa-recommender/v1.5 (linux/amd64)", ""), p.person("erin@example.com", kubectlAgent, "kubectl-annotate")
			human.create(t)
			p.every(60, 11*m, func(i int) {
				rec.mergeStatus(t, fmt.Sprintf(`{"status":{"recommendation":{"cpu":"%dm"}}}`, 100+10*(i%3)))
				if i%10 == 0 {
					human.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"reviewed":"%d"}}}`, i))
				}
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{rec, human}, why: "Recommendations go up and down in the status."})
		}},
		{"burst-once", "bursts", 1, func(p *play) {
			p.in("burst")
			t := p.deployment("hot", 2)
			a, b := p.service("burst/left-operator", "left-operator/v1 (linux/amd64)", "").reacts(40*time.Millisecond, 200*time.Millisecond), p.service("burst/right-operator", "right-operator/v1 (linux/amd64)", "").reacts(40*time.Millisecond, 200*time.Millisecond)
			a.create(t)
			p.sleep(10 * m)
			for range 40 {
				a.update(t, func(o object) { o.set(60.0, "spec", "progressDeadlineSeconds") })
				b.update(t, func(o object) { o.set(900.0, "spec", "progressDeadlineSeconds") })
			}
			p.fight(what{things: []*thing{t}, fields: []string{"spec.progressDeadlineSeconds"}, writers: []*actor{a, b}, winner: b, mechanism: "full updates", why: "A hot loop of two operators: eighty writes within half a minute."})
		}},
		{"burst-thrice", "bursts", 20, func(p *play) {
			p.in("burst-eu")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: allow}\nspec: {podSelector: {matchLabels: {tier: web}}}")
			a, b := p.service("burst-eu/left-operator", "left-operator/v1 (linux/amd64)", "left").reacts(300*time.Millisecond, 2*sec), p.service("burst-eu/right-operator", "right-operator/v1 (linux/amd64)", "right").reacts(300*time.Millisecond, 2*sec)
			a.create(t)
			for range 3 {
				p.sleep(5 * 60 * m)
				for range 7 {
					a.apply(t, t.object)
					b.apply(t, t.object.with(map[string]any{"matchLabels": map[string]any{"tier": "edge"}}, "spec", "podSelector"))
				}
			}
			p.fight(what{things: []*thing{t}, fields: []string{"spec.podSelector"}, writers: []*actor{a, b}, winner: b, mechanism: "forced applies", why: "Three bursts in a day, of seven turns each."})
		}},
		{"burst-retries", "bursts", 2, func(p *play) {
			p.in("burst-us")
			t := p.config("queue", map[string]any{"a": "0", "b": "0", "c": "0"})
			var all []*actor
			for _, name := range []string{"a", "b", "c"} {
				all = append(all, p.service("burst-us/worker-"+name, "worker-"+name+"/v1 (linux/amd64)", "").reacts(5*time.Millisecond, 50*time.Millisecond))
			}
			all[0].create(t)
			for i := range 40 {
				for k, a := range all {
					a.update(t, func(o object) { o.set(fmt.Sprint(i), "data", string(rune('a'+k))) })
				}
			}
			p.lookalike(what{things: []*thing{t}, writers: all, why: "Three workers write their own keys of one config map in a burst."})
		}},
		{"ephemeral-previews", "ephemeral-objects", 10, func(p *play) {
			p.in("previews")
			flux, op := p.fluxController(), p.service("previews/preview-operator", "preview-operator/v1 (linux/amd64)", "").reacts(200*time.Millisecond, 3*sec)
			var all []*thing
			p.every(18, 30*m, func(i int) {
				t := p.config(fmt.Sprintf("pr-%d", 400+i), map[string]any{"ttl": "24h"})
				flux.apply(t, t.object)
				op.update(t, func(o object) { o.set("2h", "data", "ttl") })
				p.sleep(5 * m)
				flux.delete(t)
				all = append(all, t)
			})
			p.lookalike(what{things: all, writers: []*actor{flux, op}, why: "Each object is corrected once and lives for minutes; its name does not come again."})
		}},
		{"ephemeral-pods", "ephemeral-objects", 5, func(p *play) {
			p.in("workers")
			rs, desched := p.kcm("replicaset-controller"), p.service("kube-system/descheduler", "descheduler/v0.34.0 (linux/amd64) kubernetes/$Format", "")
			var all []*thing
			p.every(20, 12*m, func(i int) {
				t := p.pod0(fmt.Sprintf("worker-6f7d-%05x", 70000+i*977))
				rs.create(t)
				p.sleep(3 * m)
				desched.must(desched.send(http.MethodDelete, t.path(), "", `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0}`))
				all = append(all, t)
			})
			p.lookalike(what{things: all, writers: []*actor{rs, desched}, debatable: true, why: "Pods of new names are made and removed in turn: no object sees it twice."})
		}},
		{"inputs-two-sources", "flapping-inputs", 6, func(p *play) {
			p.in("pricing-eu")
			t := p.config("spot-price", map[string]any{"zone": "a"})
			a, b := p.service("pricing-eu/feed-one", "feed-one/v1 (linux/amd64)", "feed-one"), p.service("pricing-eu/feed-two", "feed-two/v1 (linux/amd64)", "feed-two")
			a.create(t)
			p.every(22, 8*m, func(i int) {
				a.apply(t, t.object)
				p.sleep(6 * m)
				b.apply(t, t.object.with("c", "data", "zone"))
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.zone"}, writers: []*actor{a, b}, winner: b, mechanism: "forced applies", why: "Two feeds with different sources force one key."})
		}},
		{"inputs-round-robin", "flapping-inputs", 5, func(p *play) {
			p.in("pricing-us")
			t := p.thing("apiVersion: v1\nkind: Endpoints\nmetadata: {name: external}\nsubsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 443}]}]")
			dns := p.service("pricing-us/dns-endpoints", "dns-endpoints/v1 (linux/amd64)", "")
			dns.create(t)
			p.every(80, 3*m, func(i int) {
				dns.update(t, func(o object) {
					o["subsets"] = []any{map[string]any{"addresses": []any{map[string]any{"ip": fmt.Sprintf("192.0.2.%d", 1+i%2)}}, "ports": []any{map[string]any{"port": 443}}}}
				})
			})
			p.flap(what{things: []*thing{t}, fields: []string{"subsets"}, writers: []*actor{dns}, winner: dns, why: "A controller takes the first answer of a DNS name that answers in turns: it changes its own value back and forth."})
		}},
		{"edit-against-argo", "kubectl-edit", 5, func(p *play) {
			p.in("editing")
			t := p.deployment("desk", 2)
			human, argo := p.person("frank@example.com", kubectlAgent, "kubectl-edit"), p.argoController().reacts(2*sec, 20*sec)
			argo.threeWay(t, t.object)
			p.every(8, 20*m, func(i int) {
				human.edit("deployment", "desk", "s/^  replicas: .*/  replicas: 5/")
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{human, argo}, winner: argo, mechanism: "patches", debatable: true, real: "kubectl edit is real; Argo CD is emulated", why: "A human edits a number eight times, and self-heal takes it back each time."})
		}},
		{"edit-new-things", "kubectl-edit", 8, func(p *play) {
			p.in("editing-eu")
			t := p.config("notes", map[string]any{"line": "zero"})
			a, b := p.person("alice@example.com", kubectlAgent, "kubectl-edit"), p.person("bob@example.com", kubectlAgent, "kubectl-edit")
			a.create(t)
			p.every(10, 40*m, func(i int) {
				[]*actor{a, b}[i%2].edit("configmap", "notes", fmt.Sprintf("s/^  line: .*/  line: text-%d/", i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, real: "kubectl edit is real", why: "Two humans edit in turn, always something new."})
		}},
	}
}
