package main

import (
	"fmt"
	"time"
)

func sharedScenes() []scene {
	return []scene{
		{"counter-two", "counters", 3, func(p *play) {
			p.in("tickets")
			t := p.config("sequence", map[string]any{"next": "0"})
			a, b := p.service("tickets/web", "web/v3 (linux/amd64)", ""), p.service("tickets/mobile", "mobile/v3 (linux/amd64)", "")
			a.create(t)
			n := 0
			p.every(50, 3*m, func(i int) {
				n++
				[]*actor{a, b}[i%2].update(t, func(o object) { o.set(fmt.Sprint(n), "data", "next") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two programs count one number up in turn; no value comes back."})
		}},
		{"counter-gauge", "counters", 3, func(p *play) {
			p.in("pool")
			t := p.config("capacity", map[string]any{"inUse": "0"})
			a, b := p.service("pool/allocator", "allocator/v1 (linux/amd64)", ""), p.service("pool/releaser", "releaser/v1 (linux/amd64)", "")
			a.create(t)
			n := 0
			p.every(30, 3*m, func(i int) {
				if i%2 == 0 {
					n++
					a.update(t, func(o object) { o.set(fmt.Sprint(n), "data", "inUse") })
				} else {
					n--
					b.update(t, func(o object) { o.set(fmt.Sprint(n), "data", "inUse") })
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, debatable: true, why: "A gauge: one program counts up what is taken, another down what is given back; both read before they write."})
		}},
		{"counter-heartbeat", "counters", 2, func(p *play) {
			p.in("ha")
			t := p.config("last-seen", map[string]any{"at": ""})
			a, b := p.replica("ha/watchdog", "watchdog-0", "watchdog/v1 (linux/amd64)", "watchdog"), p.replica("ha/watchdog", "watchdog-1", "watchdog/v1 (linux/amd64)", "watchdog")
			a.create(t)
			p.every(60, m, func(i int) {
				[]*actor{a, b}[i%2].merge(t, `{"data":{"at":"`+p.micro()+`"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two replicas write the time, which is new each time."})
		}},
		{"noop-patches", "noop-writes", 5, func(p *play) {
			p.in("agreement")
			t := p.config("mode", map[string]any{"mode": "strict"})
			a, b := p.service("agreement/one", "one/v1 (linux/amd64)", "one"), p.service("agreement/two", "two/v1 (linux/amd64)", "two")
			a.create(t)
			p.every(40, 6*m, func(i int) { []*actor{a, b}[i%2].merge(t, `{"data":{"mode":"strict"}}`) })
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two programs patch the same value: nothing ever changes."})
		}},
		{"noop-applies-and-updates", "noop-writes", 8, func(p *play) {
			p.in("agreement-eu")
			t := p.deployment("api", 2)
			flux, op := p.fluxController(), p.service("agreement-eu/api-operator", "api-operator/v1 (linux/amd64)", "")
			flux.apply(t, t.object)
			p.every(30, 12*m, func(i int) {
				flux.apply(t, t.object)
				op.update(t, func(o object) { o.set(2.0, "spec", "replicas") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, op}, why: "Both write what is there already: applies and updates without a change."})
		}},
		{"coowners-containers", "ssa-coowners", 6, func(p *play) {
			p.in("mesh")
			t := p.deployment("details", 2)
			flux := p.fluxController()
			op := p.service("mesh/sidecar-operator", "sidecar-operator/v1 (linux/amd64)", "sidecar-operator").reacts(sec, 5*sec)
			flux.flux(t.object)
			mine := func(i int) object {
				return parse(fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: details, namespace: mesh}\nspec: {template: {spec: {containers: [{name: proxy, image: 'mesh/proxy:1.%d'}]}}}", i%3))
			}
			p.every(20, 15*m, func(i int) {
				op.apply(t, mine(i))
				p.sleep(5 * m)
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/details:1.%d", i%2))
				flux.flux(o)
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{flux, op}, real: "Flux: its library; the operator's applies are emulated", why: "Two appliers own different containers of one pod template, joined by name."})
		}},
		{"coowners-env", "ssa-coowners", 3, func(p *play) {
			p.in("mesh-eu")
			t := p.deployment("details", 2)
			ci, op := p.person("ci-bot", kubectlAgent, "kubectl"), p.service("mesh-eu/config-operator", "config-operator/v1 (linux/amd64)", "config-operator").reacts(sec, 5*sec)
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			env := func(name, value string) string {
				return parse(fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: details, namespace: mesh-eu}\nspec: {template: {spec: {containers: [{name: app, env: [{name: %s, value: %q}]}]}}}", name, value)).yaml()
			}
			p.every(10, 15*m, func(i int) {
				ci.kubectl(env("RELEASE", fmt.Sprint(i%2)), "apply", "--server-side", "-f", "-")
				op.apply(t, parse(env("ENDPOINT", fmt.Sprint(i%3))))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{ci, op}, real: "kubectl is real", why: "Two appliers own different variables of one container, each with values that return."})
		}},
		{"coowners-forced", "ssa-coowners", 5, func(p *play) {
			p.in("mesh-us")
			t := p.deployment("details", 2)
			ci, op := p.person("gitlab-runner", kubectlAgent, "kubectl"), p.service("mesh-us/config-operator", "config-operator/v1 (linux/amd64)", "config-operator").reacts(sec, 5*sec)
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			env := func(value string) string {
				return parse(fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: details, namespace: mesh-us}\nspec: {template: {spec: {containers: [{name: app, env: [{name: LOG_LEVEL, value: %q}]}]}}}", value)).yaml()
			}
			p.every(12, 20*m, func(i int) {
				ci.kubectl(env("debug"), "apply", "--server-side", "--force-conflicts", "-f", "-")
				op.apply(t, parse(env("info")))
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env[name=LOG_LEVEL].value"}, writers: []*actor{ci, op}, winner: op, mechanism: "forced applies", real: "kubectl is real",
				why: "The pipeline and the operator force different values of one variable."})
		}},
		{"managedfields-reset", "managed-fields", 6, func(p *play) {
			p.in("trimmed")
			t := p.deployment("api", 2)
			cleaner, flux := p.service("trimmed/field-cleaner", "field-cleaner/v1 (linux/amd64)", ""), p.fluxController()
			flux.apply(t, t.object)
			p.every(20, 15*m, func(i int) {
				cleaner.merge(t, `{"metadata":{"managedFields":[{}]}}`)
				p.sleep(2 * m)
				flux.apply(t, t.object)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{cleaner, flux}, debatable: true, why: "A cleaner empties managedFields and Flux owns its fields again; no value of the object changes."})
		}},
		{"managedfields-migrate", "managed-fields", 3, func(p *play) {
			p.in("trimmed-eu")
			t := p.deployment("api", 2)
			ci := p.person("github-actions", kubectlAgent, "kubectl")
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			for i := range 4 {
				p.sleep(20 * m)
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/api:2.%d", i))
				ci.kubectl(o.yaml(), "apply", "--server-side", "--force-conflicts", "-f", "-")
				p.sleep(20 * m)
				ci.kubectl(o.yaml(), "apply", "-f", "-")
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, real: "kubectl is real", why: "One pipeline changes between client-side and server-side apply of the same manifests."})
		}},
		{"flap-map-order", "self-flap", 1, func(p *play) {
			p.in("ordering")
			t := p.deployment("proxy", 2)
			op := p.service("ordering/proxy-operator", "proxy-operator/v0.2.0 (linux/amd64)", "").reacts(100*time.Millisecond, sec)
			op.create(t)
			args := [][]any{{"--a", "--b", "--c"}, {"--b", "--a", "--c"}}
			p.every(80, 4*sec, func(i int) {
				op.update(t, func(o object) { o.at("spec", "template", "spec", "containers", "0")["args"] = args[i%2] })
			})
			p.flap(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].args"}, writers: []*actor{op}, winner: op, why: "An operator builds a list from a map: its order changes and changes back at each reconciliation."})
		}},
		{"flap-crd-default", "self-flap", 2, func(p *play) {
			p.in("sizing")
			t := p.config("limits", map[string]any{"cpu": "1"})
			op := p.service("sizing/limits-operator", "limits-operator/v0.2.0 (linux/amd64)", "limits-operator")
			op.create(t)
			p.every(60, m, func(i int) { op.merge(t, fmt.Sprintf(`{"data":{"cpu":"%s"}}`, []string{"1000m", "1"}[i%2])) })
			p.flap(what{things: []*thing{t}, fields: []string{"data.cpu"}, writers: []*actor{op}, winner: op, why: "One operator writes the same amount in two ways in turn."})
		}},
		{"flap-two-replicas", "replicas-of-one", 3, func(p *play) {
			p.in("unelected")
			t := p.config("endpoint", map[string]any{"url": "x"})
			a, b := p.replica("unelected/registrar", "registrar-6c4d-aaaaa", "registrar/v1 (linux/amd64)", "registrar"), p.replica("unelected/registrar", "registrar-6c4d-bbbbb", "registrar/v1 (linux/amd64)", "registrar")
			a.create(t)
			p.every(40, 2*m, func(i int) {
				a.merge(t, `{"data":{"url":"http://10.1.0.4"}}`)
				b.merge(t, `{"data":{"url":"http://10.1.0.5"}}`)
			})
			p.flap(what{things: []*thing{t}, fields: []string{"data.url"}, writers: []*actor{a, b}, why: "Two replicas of one program without leader election write their own address each."})
		}},
		{"replicas-leader-change", "replicas-of-one", 10, func(p *play) {
			p.in("elected")
			t := p.deployment("worker", 2)
			a, b := p.replica("elected/worker-operator", "worker-operator-0", "worker-operator/v1 (linux/amd64)", ""), p.replica("elected/worker-operator", "worker-operator-1", "worker-operator/v1 (linux/amd64)", "")
			a.create(t)
			p.every(16, 30*m, func(i int) {
				[]*actor{a, b}[i/4%2].update(t, func(o object) { o.set(fmt.Sprintf("hash-%d", i/2), "metadata", "annotations", "worker/config-hash") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "The leader changes every two hours; what is written only moves on."})
		}},
	}
}
