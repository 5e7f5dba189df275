package main

import (
	"fmt"
	"strings"
	"time"
)

// calmSettings6 returns scenes without a fight over ConfigMaps and Secrets.
func calmSettings6() []scene {
	return []scene{
		{"config-lock-holder", "", 3, func(p *play) {
			p.in("legacy-operator")
			t := p.config("legacy-operator-lock", map[string]any{})
			var pods []*actor
			for _, name := range []string{"legacy-operator-6c4-2lq", "legacy-operator-6c4-9vd"} {
				pods = append(pods, p.replica("legacy-operator/legacy-operator", name, "legacy-operator/v0.3 (linux/amd64) leader-election", ""))
			}
			pods[0].create(t)
			for phase := range 4 {
				p.sleep(17 * m)
				p.every(20, 10*sec, func(int) {
					pods[phase%2].update(t, func(o object) {
						o.set(fmt.Sprintf(`{"holderIdentity":"pod-%d","leaseDurationSeconds":15,"renewTime":"%s","leaderTransitions":%d}`, phase%2, p.now(), phase), "metadata", "annotations", "control-plane.alpha.kubernetes.io/leader")
					})
				})
			}
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "Two replicas hold a lock in an annotation in turn, because nodes restart."})
		}},
		{"two-database-users", "", 10, func(p *play) {
			p.in("claims-api")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: claims-db}\ntype: Opaque\ndata: {username: " + b64("app", 0) + ", password: " + b64("secret", 0) + "}")
			rotator, app := p.service("secrets-store/rotator", "rotator/1.4 (linux/amd64) kubernetes/$Format", ""), p.service("claims-api/claims-api", "fabric8-kubernetes-client/7.3", "").reacts(3*sec, 40*sec)
			rotator.create(t)
			p.every(18, 30*m, func(i int) {
				rotator.update(t, func(o object) {
					o.set(b64("app", (i+1)%2), "data", "username").set(b64("secret", i+1), "data", "password")
				})
				app.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"claims.example.com/loaded":"v%d"}}}`, i+1))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{rotator, app}, toggles: true, why: "A rotation uses two database users in turn, with a new password each time; the application notes what it has loaded."})
		}},
		{"hashed-configmaps", "", 8, func(p *play) {
			p.in("cms-web")
			flux := p.fluxController()
			frank := p.person("frank@example.com", kubectlAgent, "kubectl-annotate")
			var all []*thing
			p.every(10, 40*m, func(i int) {
				t := p.config(fmt.Sprintf("cms-settings-%05x", 70001*(i+3)), map[string]any{"theme": fmt.Sprintf("t%d", i%3)})
				all = append(all, t)
				flux.flux(t.object)
				if i%4 == 1 {
					frank.kubectl("", "annotate", "configmap", t.id, "reviewed-by=frank")
				}
				if i > 0 {
					p.sleepBetween(10*sec, m)
					flux.delete(all[i-1])
				}
			})
			p.lookalike(what{things: all, writers: []*actor{flux, frank}, real: "kubectl is real; Flux's apply is its library", why: "Each release has a ConfigMap with a new hash in its name, and the old one is pruned."})
		}},
		{"flag-percentages", "", 6, func(p *play) {
			p.in("checkout-flags")
			t := p.config("rollout-flags", map[string]any{"new-cart": "0"})
			ci, dave, agent := p.person("github-actions", kubectlAgent, "kubectl-patch"), p.person("dave@example.com", kubectlAgent, "kubectl-patch"), p.service("checkout-flags/flagd", "flagd/0.12 (linux/amd64) kubernetes/$Format", "").reacts(sec, 20*sec)
			ci.create(t)
			set := func(a *actor, value string) {
				a.kubectl("", "patch", "configmap", t.id, "--type=merge", "-p", `{"data":{"new-cart":"`+value+`"}}`)
				agent.merge(t, `{"metadata":{"annotations":{"flagd.example.com/evaluated":"`+p.now()+`"}}}`)
			}
			for _, value := range []string{"5", "10", "25"} {
				p.sleep(20 * m)
				set(ci, value)
			}
			p.sleep(4 * m)
			set(dave, "0")
			p.sleep(time.Hour)
			for _, value := range []string{"12", "30", "60", "100"} {
				p.sleep(20 * m)
				set(ci, value)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, dave, agent}, real: "kubectl is real", why: "A pipeline raises a flag step by step, an engineer switches it off once during an incident."})
		}},
		{"helm-in-turn", "", 8, func(p *play) {
			p.in("pricing-core")
			t := p.config("pricing-core", map[string]any{"release": "1", "currency": "EUR"})
			jenkins, erin := p.person("jenkins", "Helm/3.20.1", ""), p.person("erin@example.com", "Helm/3.20.1", "")
			chart := func(i int) string {
				return p.chart(fmt.Sprintf("pricing-%d", i), map[string]string{"c.yaml": t.object.with(fmt.Sprint(i), "data", "release").yaml()})
			}
			jenkins.helm("3", "install", "pricing", chart(1))
			p.every(9, 45*m, func(i int) {
				[]*actor{erin, jenkins}[i%2].helm("3", "upgrade", "--history-max", "3", "pricing", chart(i+2))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{jenkins, erin}, real: "Helm 3 is real", why: "A pipeline and an engineer release in turn, and each release has a newer version."})
		}},
		{"merged-secret-keys", "", 6, func(p *play) {
			p.in("media-store")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: media-env}\ntype: Opaque\ndata: {S3_KEY: " + b64("s3", 0) + ", SIGNING_KEY: " + b64("sign", 0) + "}")
			eso, job := p.service("external-secrets/external-secrets", "external-secrets/v0.20 (linux/amd64) kubernetes/$Format", "externalsecrets.external-secrets.io/media-env"), p.service("media-store/key-roller", "kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9", "kubectl-patch").reacts(sec, 30*sec)
			eso.create(t)
			p.every(14, 22*m, func(i int) {
				eso.apply(t, parse("apiVersion: v1\nkind: Secret\nmetadata: {name: media-env, namespace: media-store}\ndata: {S3_KEY: "+b64("s3", i/3+1)+"}"))
				job.strategic(t, `{"data":{"SIGNING_KEY":"`+b64("sign", i+1)+`"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{eso, job}, why: "External Secrets merges one key into a Secret, a job rolls another key."})
		}},
		{"hosts-added", "", 9, func(p *play) {
			p.in("dns-hosts")
			t := p.config("coredns-hosts", map[string]any{"hosts": "192.0.2.1 nas\n"})
			alice, dave := p.person("alice@example.com", kubectlAgent, "kubectl-patch"), p.person("dave@example.com", kubectlAgent, "kubectl-patch")
			alice.kubectl(t.object.yaml(), "create", "-f", "-")
			hosts := "192.0.2.1 nas\n"
			p.every(10, 50*m, func(i int) {
				hosts += fmt.Sprintf("192.0.2.%d host-%d\n", i+2, i)
				[]*actor{dave, alice}[i%2].kubectl("", "patch", "configmap", t.id, "--type=merge", "-p", string(answerOf(map[string]any{"data": map[string]any{"hosts": hosts}})))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{alice, dave}, real: "kubectl is real", why: "Two engineers add hosts to one list in turn, and none is lost."})
		}},
		{"maintenance-windows", "", 12, func(p *play) {
			p.in("erp-night")
			t := p.config("maintenance", map[string]any{"mode": "off"})
			job, monitor := p.service("erp-night/backup-job", "kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9", "kubectl-patch"), p.service("monitoring/blackbox", "Go-http-client/1.1", "").reacts(sec, 50*sec)
			job.create(t)
			p.every(9, 70*m, func(i int) {
				job.merge(t, `{"data":{"mode":"on"}}`)
				monitor.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"blackbox.example.com/silenced":"window-%d"}}}`, i))
				p.sleep(6 * m)
				job.merge(t, `{"data":{"mode":"off"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{job, monitor}, toggles: true, why: "A backup job switches a maintenance mode on and off itself, the monitoring notes each window."})
		}},
		{"rotation-requested", "", 6, func(p *play) {
			p.in("broker-auth")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: broker-auth}\ntype: Opaque\ndata: {password: " + b64("broker", 0) + "}")
			bob, rotator := p.person("bob@example.com", kubectlAgent, "kubectl-annotate"), p.service("broker-auth/password-operator", "password-operator/v2 (linux/amd64) kubernetes/$Format", "").reacts(sec, 15*sec)
			rotator.create(t)
			p.every(8, 30*m, func(i int) {
				bob.kubectl("", "annotate", "--overwrite", "secret", t.id, "password.example.com/rotate=requested")
				rotator.update(t, func(o object) {
					o.set(b64("broker", i+1), "data", "password")
					delete(o.at("metadata", "annotations"), "password.example.com/rotate")
				})
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{bob, rotator}, real: "kubectl is real", why: "An engineer requests a rotation by an annotation, the operator rotates the password and removes the request."})
		}},
		{"bundle-rollover", "", 12, func(p *play) {
			p.in("trust-eu")
			t := p.config("company-roots", map[string]any{"ca.pem": "root-1"})
			trust, argo := p.service("cert-manager/trust-manager", "trust-manager/v0.19 (linux/amd64) kubernetes/$Format", "trust-manager"), p.argoController()
			trust.create(t)
			p.every(8, 80*m, func(i int) {
				roots := []string{fmt.Sprintf("root-%d", i/2+1)}
				if i%2 == 0 {
					roots = append(roots, fmt.Sprintf("root-%d", i/2+2))
				} else {
					roots[0] = fmt.Sprintf("root-%d", i/2+2)
				}
				trust.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: company-roots, namespace: trust-eu}\ndata: {ca.pem: '%s'}", strings.Join(roots, " "))))
				p.sleepBetween(m, 9*m)
				argo.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"argocd.example.com/revision":"r%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{trust, argo}, why: "A new root is added to a bundle before the old one leaves it, four times; Argo CD writes a label."})
		}},
		{"import-progress", "", 4, func(p *play) {
			p.in("catalog-import")
			t := p.config("import-state", map[string]any{"run": "0", "percent": "100"})
			scheduler, worker := p.service("catalog-import/scheduler", "fabric8-kubernetes-client/7.3", ""), p.service("catalog-import/worker", "axios/1.7.9", "").reacts(sec, 20*sec)
			scheduler.create(t)
			p.every(6, 25*m, func(i int) {
				scheduler.merge(t, fmt.Sprintf(`{"data":{"run":"%d","percent":"0"}}`, i+1))
				for _, percent := range []int{20, 40, 60, 80, 100} {
					worker.merge(t, fmt.Sprintf(`{"data":{"percent":"%d"}}`, percent))
					p.sleepBetween(20*sec, 2*m)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{scheduler, worker}, why: "A scheduler starts an import at zero per cent, a worker counts it up to a hundred, six times."})
		}},
		{"secrets-from-git", "", 8, func(p *play) {
			p.in("forms-app")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: forms-smtp}\ntype: Opaque\ndata: {password: " + b64("smtp", 0) + "}")
			flux, frank, reloader := p.fluxController(), p.person("frank@example.com", kubectlAgent, "kubectl-label"), p.service("reloader/reloader", "Reloader/v1.4 (linux/amd64) kubernetes/$Format", "").reacts(sec, 5*sec)
			d := p.deployment("forms", 2)
			flux.flux(t.object, d.object)
			p.every(20, 20*m, func(i int) {
				flux.flux(t.object.with(b64("smtp", i/4), "data", "password"), d.object)
				if i%4 == 0 && i > 0 {
					reloader.strategic(d, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"reloader.example.com/hash":"%x"}}}}}`, 31337*i))
				}
				if i == 9 {
					frank.kubectl("", "label", "secret", t.id, "owner=forms-team")
				}
			})
			p.lookalike(what{things: []*thing{t, d}, writers: []*actor{flux, frank, reloader}, real: "kubectl is real; Flux's apply is its library", why: "Flux applies a Secret whose password changes in Git now and then, and its consumer restarts."})
		}},
	}
}
