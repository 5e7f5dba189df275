package main

import (
	"fmt"
	"net/http"
	"time"
)

// deliveryScenes2 returns scenes with pipelines and GitOps tools.
func deliveryScenes2() []scene {
	return []scene{
		{"secret-two-sources", "external-secrets", 6, func(p *play) {
			p.in("ledger-vault")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: database}\ndata: {password: '" + b64("vault", 1) + "'}")
			eso, ci := p.operatorOf("external-secrets/external-secrets", "external-secrets").reacts(5*sec, 55*sec), p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply")
			eso.create(t)
			other := t.object.with(b64("ci", 1), "data", "password").yaml()
			p.every(10, 33*m, func(i int) {
				ci.kubectl(other, "apply", "-f", "-")
				eso.update(t, func(o object) { o.set(b64("vault", 1), "data", "password") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data.password`}, writers: []*actor{eso, ci}, winner: eso, mechanism: "patch against full update", real: "kubectl is real", why: "A pipeline applies a password that the vault's operator overwrites at its next refresh."})
		}},
		{"secret-two-keys", "external-secrets", 9, func(p *play) {
			p.in("ledger-trust")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: tls}\ndata: {}")
			cm, trust := p.service("cert-manager/cert-manager", "cert-manager-certificates-issuing/v1.19 (linux/amd64)", "cert-manager-certificates-issuing"), p.service("cert-manager/trust-manager", "trust-manager/v0.19 (linux/amd64)", "trust-manager").reacts(sec, 6*sec)
			own := func(key string, n int) object { return t.object.with(b64(key, n), "data", key) }
			p.every(18, 28*m, func(i int) {
				cm.apply(t, own("tls.crt", i))
				trust.apply(t, own("ca.crt", i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{cm, trust}, why: "Two programs apply a key of their own to one secret, new each time."})
		}},
		{"secret-two-certificates", "external-secrets", 2, func(p *play) {
			p.in("ledger-certs")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: tls}\ndata: {}")
			cm := p.service("cert-manager/cert-manager", "cert-manager-certificates-issuing/v1.19 (linux/amd64)", "cert-manager-certificates-issuing")
			p.every(60, 70*sec, func(i int) {
				o := t.object.with(b64("crt", i), "data", "tls.crt")
				cm.apply(t, o.set([]string{"web", "web-internal"}[i%2], "metadata", "annotations", "cert-manager.io/certificate-name"))
			})
			p.flap(what{things: []*thing{t}, fields: []string{`metadata.annotations["cert-manager.io/certificate-name"]`}, follows: []string{"data"}, writers: []*actor{cm}, winner: cm, why: "Two Certificates name one Secret: the issuer writes it for the one and the other in turn."})
		}},
		{"ingress-replaced", "load-balancer", 9, func(p *play) {
			p.in("shop-edge")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: shop}\nspec: {rules: [{host: shop.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]}")
			spin, lb := p.service("spinnaker/clouddriver", kubectlAgent, "kubectl-replace"), p.operatorOf("kube-system/aws-load-balancer-controller", "controller").reacts(150*time.Millisecond, sec)
			spin.create(t)
			p.every(11, 45*m, func(i int) {
				spin.kubectl(t.object.yaml(), "replace", "-f", "-")
				lb.merge(t, `{"metadata":{"finalizers":["ingress.k8s.aws/resources"]}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.finalizers"}, writers: []*actor{spin, lb}, winner: lb, mechanism: "patch against full update", real: "kubectl is real", why: "The pipeline's replace drops the finalizer of the load balancer's controller, which sets it again."})
		}},
		{"traffic-policy", "load-balancer", 11, func(p *play) {
			p.in("shop-lb")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: shop}\nspec: {type: LoadBalancer, externalTrafficPolicy: Cluster, ports: [{port: 443}]}")
			ansible, op := p.service("awx/automation-job", "OpenAPI-Generator/33.1.0/python", ""), p.operatorOf("metallb-system/lb-policy", "lb-policy").reacts(80*time.Millisecond, 700*time.Millisecond)
			ansible.create(t)
			p.every(15, 40*m, func(i int) {
				ansible.get(t)
				ansible.strategic(t, `{"spec":{"externalTrafficPolicy":"Cluster"}}`)
				op.cached(t, func(o object) { o.set("Local", "spec", "externalTrafficPolicy") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.externalTrafficPolicy"}, follows: []string{"spec.healthCheckNodePort"}, writers: []*actor{ansible, op}, winner: op, mechanism: "patch against full update", why: "A playbook and an operator want different traffic policies."})
		}},
		{"lb-config-hash", "load-balancer", 11, func(p *play) {
			p.in("shop-hash")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: shop}\nspec: {type: LoadBalancer, ports: [{port: 443}]}")
			ansible, op := p.service("awx/automation-job", "OpenAPI-Generator/33.1.0/python", ""), p.operatorOf("metallb-system/lb-hash", "lb-hash").reacts(80*time.Millisecond, 700*time.Millisecond)
			ansible.create(t)
			p.every(14, 42*m, func(i int) {
				ansible.get(t)
				ansible.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"playbook-run":"%d"}}}`, 400+i))
				op.cached(t, func(o object) { o.set(fmt.Sprintf("%x", 7919*(i+1)), "metadata", "annotations", "lb/config-hash") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ansible, op}, why: "A playbook notes its run; the operator answers each change with a new hash."})
		}},
		{"ci-one-account", "shared-ci", 11, func(p *play) {
			p.in("intranet")
			t := p.deployment("wiki", 2)
			helm, kubectl := p.person("jenkins", "Helm/3.18.4", "helm"), p.person("jenkins", kubectlAgent, "kubectl-client-side-apply")
			kubectl.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(12, 25*m, func(i int) {
				helm.get(t)
				helm.strategic(t, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"registry.example.com/wiki:2.0.0"}]}}}}`)
				p.sleep(25 * m)
				kubectl.kubectl(t.object.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{helm, kubectl}, winner: kubectl, mechanism: "shared account", real: "kubectl is real; Helm is emulated", why: "Two jobs of one account deploy two versions, one by Helm and one by kubectl."})
		}},
		{"ci-steps", "shared-ci", 11, func(p *play) {
			p.in("intranet-eu")
			t := p.deployment("wiki", 2)
			apply, note := p.person("jenkins", kubectlAgent, "kubectl-client-side-apply"), p.person("jenkins", "curl/8.14.1", "")
			apply.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(12, 50*m, func(i int) {
				o := t.object.clone()
				setImage(o, fmt.Sprintf("registry.example.com/wiki:1.%d.0", i))
				apply.kubectl(o.yaml(), "apply", "-f", "-")
				p.sleep(20 * sec)
				note.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"deploys/build":"%d"}}}`, 900+i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{apply, note}, real: "kubectl is real", why: "Two steps of one job: deploy, then note the number of the build."})
		}},
		{"agreement-broken", "agreeing-tools", 8, func(p *play) {
			p.in("edge-sites")
			t := p.config("ntp", map[string]any{"server": "ntp-a", "burst": "on"})
			sync, ansible := p.service("config-management-system/root-reconciler", "reconciler/v1.20 (linux/amd64) kubernetes/$Format", "configsync"), p.service("awx/automation-job", "OpenAPI-Generator/33.1.0/python", "")
			sync.apply(t, t.object)
			p.every(13, 4*m, func(i int) {
				for range 5 { // it applies repeatedly, even without changes
					sync.apply(t, t.object)
					p.sleep(5 * m)
				}
				ansible.get(t)
				ansible.merge(t, `{"data":{"server":"ntp-b"}}`)
			})
			p.sleep(2 * m)
			sync.apply(t, t.object)
			p.fight(what{things: []*thing{t}, fields: []string{`data.server`}, writers: []*actor{sync, ansible}, winner: sync, mechanism: "patch against forced apply", why: "A playbook sets another time server each half hour than the tool that applies every five minutes."})
		}},
		{"agreement-kept", "agreeing-tools", 8, func(p *play) {
			p.in("edge-sites-eu")
			t := p.config("ntp", map[string]any{"server": "ntp-a", "burst": "on"})
			sync, ansible := p.service("config-management-system/root-reconciler", "reconciler/v1.20 (linux/amd64) kubernetes/$Format", "configsync"), p.service("awx/automation-job", "OpenAPI-Generator/33.1.0/python", "")
			sync.apply(t, t.object)
			p.every(14, 4*m, func(i int) {
				for range 5 {
					sync.apply(t, t.object)
					p.sleep(5 * m)
				}
				ansible.get(t)
				ansible.merge(t, `{"data":{"server":"ntp-a"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{sync, ansible}, why: "A playbook and a GitOps tool state the same value, again and again."})
		}},
		{"dashboard-exported", "dashboards", 7, func(p *play) {
			p.in("observability")
			t := p.config("dashboard-sla", map[string]any{"sla.json": `{"refresh":"1m"}`})
			flux, exporter := p.fluxController(), p.service("observability/dashboard-exporter", "axios/1.7.9", "")
			flux.flux(t.object)
			p.every(16, 14*m, func(i int) {
				exporter.update(t, func(o object) { o.set(`{"refresh":"5s"}`, "data", "sla.json") })
				p.sleep(8 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["sla.json"]`}, writers: []*actor{flux, exporter}, winner: flux, mechanism: "full update against forced apply", real: realFlux, why: "An exporter saves what users changed in the browser, and Flux puts back what is in git."})
		}},
		{"dashboard-versions", "dashboards", 9, func(p *play) {
			p.in("observability-eu")
			t := p.config("dashboard-sla", map[string]any{"sla.json": `{"n":0}`})
			flux, exporter := p.fluxController(), p.service("observability-eu/dashboard-exporter", "axios/1.7.9", "")
			flux.apply(t, t.object)
			p.every(13, 38*m, func(i int) {
				exporter.update(t, func(o object) { o.set(fmt.Sprint(i), "metadata", "annotations", "dashboards/seen") })
				p.sleep(2 * m)
				flux.apply(t, t.object.with(fmt.Sprintf(`{"n":%d}`, i+1), "data", "sla.json"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, exporter}, why: "New dashboards come from git, and an exporter counts its visits in an annotation."})
		}},
		{"gate-promoted", "gates", 10, func(p *play) {
			p.in("checkout")
			p.define("rollouts.example.com", "v1alpha1", "Rollout", "Namespaced", "")
			t := p.thing("apiVersion: rollouts.example.com/v1alpha1\nkind: Rollout\nmetadata: {name: checkout}\nspec: {paused: false}")
			ctl, human := p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8 (linux/amd64)", ""), p.person("bob@example.com", "kubectl-argo-rollouts/v1.8.3", "")
			human.create(t)
			p.every(14, 30*m, func(i int) {
				ctl.merge(t, fmt.Sprintf(`{"spec":{"paused":true},"status":{"step":%d}}`, i))
				p.sleep(9 * m)
				human.get(t)
				human.merge(t, `{"spec":{"paused":false}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ctl, human}, debatable: true, why: "The controller pauses at each step of a rollout until a human promotes it, as it is configured."})
		}},
		{"gate-suspended", "gates", 16, func(p *play) {
			p.in("flux-apps")
			p.define("kustomize.example.io", "v1", "Kustomization", "Namespaced", "")
			t := p.thing("apiVersion: kustomize.example.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {suspend: false}")
			human, flux := p.person("erin@example.com", "flux/v2.7.0", "flux"), p.fluxController().reacts(100*time.Millisecond, 2*sec)
			human.create(t)
			p.every(7, 90*m, func(i int) {
				human.get(t)
				human.merge(t, `{"spec":{"suspend":true}}`)
				p.sleep(40 * m)
				human.get(t)
				human.merge(t, `{"spec":{"suspend":false}}`)
				flux.mergeStatus(t, fmt.Sprintf(`{"status":{"lastAppliedRevision":"main@sha1:%d"}}`, i))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{human, flux}, why: "A human suspends and resumes a Kustomization; the controller says what it applied."})
		}},
		{"gate-locked", "gates", 12, func(p *play) {
			p.in("kured")
			t := p.workload("DaemonSet", "kured", 0)
			var pods []*actor
			for i := range 6 {
				pods = append(pods, p.replica("kured/kured", fmt.Sprintf("kured-%c7x2k", 'a'+i), "kured/v1.17 (linux/amd64)", ""))
			}
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			const lock = "weave.works/kured-node-lock"
			for round := range 2 {
				for i, a := range pods {
					p.sleep(25 * m)
					a.update(t, func(o object) {
						o.set(fmt.Sprintf(`{"nodeID":"worker-%d","round":%d}`, i, round), "metadata", "annotations", lock)
					})
					p.sleep(9 * m)
					a.update(t, func(o object) { delete(o.at("metadata", "annotations"), lock) })
				}
			}
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "Each node's daemon takes the lock for its reboot and gives it back."})
		}},
		{"registry-of-instances", "instance-registry", 2, func(p *play) {
			p.in("cachering")
			t := p.config("members", map[string]any{})
			var pods []*actor
			for i := range 4 {
				pods = append(pods, p.replica("cachering/cache", fmt.Sprintf("cache-%d", i), "cache/v5 (linux/amd64)", "").reacts(30*time.Millisecond, 600*time.Millisecond))
			}
			pods[0].create(t)
			p.every(20, 4*m, func(i int) {
				stale := pods[3].get(t)
				for n, a := range pods[:3] {
					a.update(t, func(o object) { o.set(p.micro(), "data", fmt.Sprintf("cache-%d", n)) })
				}
				pods[3].send(http.MethodPut, t.path(), "", stale.with(p.micro(), "data", "cache-3"))
				pods[3].update(t, func(o object) { o.set(p.micro(), "data", "cache-3") })
			})
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "Four instances note when they were seen, each under its own key, and collide at times."})
		}},
	}
}
