package main

import (
	"fmt"
	"time"
)

func trafficScenes() []scene {
	return []scene{
		{"flagger-argo-weights", "traffic-shift", 4, func(p *play) {
			p.in("store")
			p.define("networking.istio.io", "v1", "VirtualService", "Namespaced", "")
			t := p.thing("apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: store}\nspec: {hosts: [store], http: [{route: [{destination: {host: store-primary}, weight: 100}, {destination: {host: store-canary}, weight: 0}]}]}")
			argo := p.argoController().reacts(200*time.Millisecond, 4*sec)
			flagger := p.service("flagger-system/flagger", "flagger/v0.0.0 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, t.object)
			p.every(20, 2*m, func(i int) {
				flagger.update(t, func(o object) {
					o.set([]any{map[string]any{"route": []any{map[string]any{"destination": map[string]any{"host": "store-primary"}, "weight": 100 - 5*(i%10+1)}, map[string]any{"destination": map[string]any{"host": "store-canary"}, "weight": 5 * (i%10 + 1)}}}}, "spec", "http")
				})
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.http"}, writers: []*actor{flagger, argo}, winner: argo, mechanism: "full update against three-way patch",
				why: "Flagger shifts weights in a route that Argo CD puts back to 100 and 0 by self-heal."})
		}},
		{"flagger-alone", "traffic-shift", 6, func(p *play) {
			p.in("store-eu")
			p.define("networking.istio.io", "v1", "VirtualService", "Namespaced", "")
			t := p.thing("apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: store}\nspec: {hosts: [store], http: [{route: [{destination: {host: store-primary}, weight: 100}]}]}")
			flagger, flux := p.service("flagger-system/flagger", "flagger/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.fluxController()
			flagger.create(t)
			for range 3 {
				for _, w := range []int{10, 20, 30, 40, 50, 0} {
					p.sleep(2 * m)
					flagger.update(t, func(o object) {
						o.set([]any{map[string]any{"route": []any{map[string]any{"destination": map[string]any{"host": "store-primary"}, "weight": 100 - w}, map[string]any{"destination": map[string]any{"host": "store-canary"}, "weight": w}}}}, "spec", "http")
					})
				}
				p.sleep(60 * m)
				flux.apply(t, parse("apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: store, namespace: store-eu, labels: {release: "+p.clock.time().Format("r150405")+"}}"))
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flagger, flux}, why: "Three progressive rollouts, each from 0 to 50 % and back to 0; Flux writes labels only."})
		}},
		{"rollouts-service-selector", "traffic-shift", 3, func(p *play) {
			p.in("orders")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: orders-active}\nspec: {selector: {app: orders}, ports: [{port: 80}]}")
			rollouts := p.service("argo-rollouts/argo-rollouts", "rollouts-controller/v1.8.0 (linux/amd64) argo-rollouts/$Format", "")
			tf := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm")
			tf.create(t)
			p.every(14, 10*m, func(i int) {
				rollouts.strategic(t, `{"spec":{"selector":{"rollouts-pod-template-hash":"7f9c6d5b8"}}}`)
				p.sleep(90 * sec)
				tf.strategic(t, `{"spec":{"selector":{"rollouts-pod-template-hash":null}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.selector["rollouts-pod-template-hash"]`}, writers: []*actor{rollouts, tf}, winner: tf, mechanism: "patches",
				why: "The rollout controller adds the pod hash to a selector and Helm's drift correction removes it."})
		}},
		{"bluegreen-pipeline", "traffic-shift", 22, func(p *play) {
			p.in("legacy")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web, colour: blue}, ports: [{port: 80}]}")
			ci := p.person("jenkins", kubectlAgent, "kubectl-patch")
			ci.create(t)
			p.every(7, 3*60*m, func(i int) {
				ci.kubectl("", "patch", "service", "web", "-p", fmt.Sprintf(`{"spec":{"selector":{"colour":"%s"}}}`, []string{"green", "blue"}[i%2]))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci}, real: "kubectl is real", why: "One pipeline flips a blue/green service at each release."})
		}},
		{"bluegreen-with-health", "traffic-shift", 9, func(p *play) {
			p.in("legacy-eu")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web, colour: blue}, ports: [{port: 80}]}")
			ci, guard := p.person("jenkins", kubectlAgent, "kubectl-patch"), p.service("ops/health-guard", "health-guard/v2 (linux/amd64)", "")
			ci.create(t)
			p.every(6, 70*m, func(i int) {
				ci.strategic(t, `{"spec":{"selector":{"colour":"green"}}}`)
				p.sleep(2 * m)
				guard.strategic(t, `{"spec":{"selector":{"colour":"blue"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.selector["colour"]`}, writers: []*actor{ci, guard}, winner: guard, mechanism: "patches",
				why: "A guard rolls back each release that the pipeline makes, and the pipeline tries again every hour."})
		}},
	}
}

func secretScenes() []scene {
	return []scene{
		{"secret-two-sources", "secrets", 8, func(p *play) {
			p.in("wallet")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: db}\ntype: Opaque\ndata: {password: YQ==}")
			eso := p.service("external-secrets/external-secrets", "external-secrets/v0.19.0 (linux/amd64) kubernetes/$Format", "")
			sealed := p.service("kube-system/sealed-secrets-controller", "controller/v0.30.0 (linux/amd64) kubernetes/$Format", "").reacts(300*time.Millisecond, 3*sec)
			sealed.create(t)
			p.every(16, 30*m, func(i int) {
				eso.update(t, func(o object) { o.set("cm90YXRlZA==", "data", "password") })
				sealed.update(t, func(o object) { o.set("c2VhbGVk", "data", "password") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data.password`}, writers: []*actor{eso, sealed}, winner: sealed, mechanism: "full updates",
				why: "Two operators hold the same Secret for theirs, with different passwords."})
		}},
		{"secret-reflector", "secrets", 4, func(p *play) {
			p.in("tls-copy")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: wildcard-tls}\ntype: Opaque\ndata: {ca.crt: YQ==}")
			reflector := p.service("reflector/reflector", "Reflector/9.1.0", "")
			ci := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply")
			ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.every(7, 30*m, func(i int) {
				reflector.merge(t, fmt.Sprintf(`{"data":{"ca.crt":"%s"}}`, []string{"Yg==", "Yw=="}[i/4]))
				p.sleep(10 * m)
				ci.kubectl(t.object.yaml(), "apply", "-f", "-")
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["ca.crt"]`}, writers: []*actor{reflector, ci}, winner: ci, mechanism: "patches", real: "kubectl is real; the reflector is emulated",
				why: "A reflector copies a new certificate and the pipeline applies the old one."})
		}},
		{"secret-rotated-reloaded", "secrets", 20, func(p *play) {
			p.in("wallet-eu")
			t, d := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: db}\ntype: Opaque\ndata: {password: YQ==}"), p.deployment("wallet", 2)
			eso := p.service("external-secrets/external-secrets", "external-secrets/v0.19.0 (linux/amd64) kubernetes/$Format", "")
			reloader := p.service("reloader/reloader", "Reloader/v1.4.0 (linux/amd64) kubernetes/$Format", "").reacts(sec, 4*sec)
			eso.create(t)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(d)
			p.every(18, 60*m, func(i int) {
				eso.update(t, func(o object) {
					o.set(b64("password", i), "data", "password").set(fmt.Sprint(i), "metadata", "annotations", "reconcile.external-secrets.io/data-hash")
				})
				reloader.strategic(d, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"reloader.stakater.com/last-reloaded-from":"%d"}}}}}`, i))
				reloader.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"reloader.stakater.com/seen":"%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t, d}, writers: []*actor{eso, reloader}, why: "One operator rotates a password, another reloads the workload and notes it in an annotation."})
		}},
		{"secret-webhook-certificate", "secrets", 22, func(p *play) {
			p.in("operators")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: webhook-server-cert}\ntype: Opaque\ndata: {tls.crt: YQ==, tls.key: YQ==}")
			a := p.replica("operators/policy-operator", "policy-operator-0", "policy-operator/v1.2 (linux/amd64)", "")
			b := p.replica("operators/policy-operator", "policy-operator-1", "policy-operator/v1.2 (linux/amd64)", "")
			a.create(t)
			p.every(10, 2*60*m, func(i int) {
				[]*actor{a, b}[i%2].update(t, func(o object) {
					o.set(b64("cert", i), "data", "tls.crt").set(b64("key", i), "data", "tls.key")
				})
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "The leader of two replicas renews a certificate every two hours; each certificate is new."})
		}},
	}
}

func lockScenes() []scene {
	return []scene{
		{"lock-configmap", "locks", 12, func(p *play) {
			p.in("tf-state")
			t := p.config("tfstate-default", map[string]any{"serial": "1"})
			a, b := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform"), p.person("github-actions", "HashiCorp/1.0 Terraform/1.12.0", "Terraform")
			a.create(t)
			p.every(12, 50*m, func(i int) {
				holder := []*actor{a, b}[i%2]
				holder.merge(t, `{"metadata":{"annotations":{"lock-info":"{\"ID\":\"`+fmt.Sprint(7001+i)+`\"}"}}}`)
				p.sleep(3 * m)
				holder.merge(t, fmt.Sprintf(`{"data":{"serial":"%d"},"metadata":{"annotations":{"lock-info":null}}}`, i+2))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two holders of a state lock in turn: each sets it and removes its own."})
		}},
		{"lock-constant", "locks", 10, func(p *play) {
			p.in("migrations")
			t := p.config("schema-lock", map[string]any{"held": "false"})
			a, b := p.service("migrations/orders-migrator", "migrate/4.18.0", "migrate"), p.service("migrations/users-migrator", "migrate/4.18.0", "migrate")
			a.create(t)
			p.every(14, 40*m, func(i int) {
				holder := []*actor{a, b}[i%2]
				holder.update(t, func(o object) { o.set("true", "data", "held") })
				p.sleep(2 * m)
				holder.update(t, func(o object) { o.set("false", "data", "held") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "A boolean lock: each holder takes it and gives back its own."})
		}},
		{"lock-lease-leaders", "locks", 3, func(p *play) {
			p.in("cert-system")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: cert-controller-leader}\nspec: {holderIdentity: a, leaseDurationSeconds: 15}")
			a := p.replica("cert-system/cert-controller", "cert-controller-7d9f-aaaa1", "cert-controller/v1.18.0 (linux/amd64) kubernetes/$Format/leader-election", "")
			b := p.replica("cert-system/cert-controller", "cert-controller-7d9f-bbbb2", "cert-controller/v1.18.0 (linux/amd64) kubernetes/$Format/leader-election", "")
			a.create(t)
			n := 0
			p.every(12, 12*m, func(i int) {
				leader, name := []*actor{a, b}[i%2], []string{"cert-controller-7d9f-aaaa1", "cert-controller-7d9f-bbbb2"}[i%2]
				n++
				for range 6 {
					leader.update(t, func(o object) {
						o.set(name, "spec", "holderIdentity").set(p.micro(), "spec", "renewTime").set(n, "spec", "leaseTransitions")
					})
					p.sleep(2 * sec)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two replicas of one controller take a lease in turn, because each leader crashes after a while."})
		}},
		{"lock-endpoints-leader", "locks", 14, func(p *play) {
			p.in("postgres")
			t := p.thing("apiVersion: v1\nkind: Endpoints\nmetadata: {name: pg, annotations: {leader: pg-0}}\nsubsets: [{addresses: [{ip: 10.8.0.10, targetRef: {kind: Pod, name: pg-0}}], ports: [{port: 5432}]}]")
			pods := []*actor{}
			for i := range 3 {
				pods = append(pods, p.replica("postgres/pg", fmt.Sprintf("pg-%d", i), "Patroni/4.0.6 Python/3.12.3 Linux", ""))
			}
			pods[0].create(t)
			p.every(9, 80*m, func(i int) {
				leader := i % 3
				for range 4 {
					pods[leader].merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"leader":"pg-%d","renewTime":"%s"}},"subsets":[{"addresses":[{"ip":"10.8.0.1%d","targetRef":{"kind":"Pod","name":"pg-%d"}}],"ports":[{"port":5432,"protocol":"TCP"}]}]}`, leader, p.micro(), leader, leader))
					p.sleep(10 * sec)
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "The three members of a database cluster write their address when they become the leader."})
		}},
	}
}

func requestScenes() []scene {
	return []scene{
		{"request-manual-roll", "request-annotations", 10, func(p *play) {
			p.in("kafka")
			t := p.workload("StatefulSet", "events-kafka", 3)
			sre := p.person("dave@example.com", kubectlAgent, "kubectl-annotate")
			op := p.service("kafka/strimzi-cluster-operator", "fabric8-kubernetes-client/7.3.1", "strimzi-cluster-operator").reacts(sec, 90*sec)
			op.create(t)
			p.every(9, 60*m, func(i int) {
				sre.kubectl("", "annotate", "statefulset", t.id, "strimzi.io/manual-rolling-update=true")
				op.json(t, `[{"op":"remove","path":"/metadata/annotations/strimzi.io~1manual-rolling-update"}]`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{sre, op}, real: "kubectl is real; the operator is emulated", why: "A human asks for a restart by an annotation and the operator removes it when it is done."})
		}},
		{"request-argo-refresh", "request-annotations", 6, func(p *play) {
			p.in("argocd-apps")
			p.define("argoproj.io", "v1alpha1", "Application", "Namespaced", "")
			t := p.thing("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {project: default}")
			ui, argo := p.service("argocd/argocd-server", "argocd-server/v3.1.0 (linux/amd64) kubernetes/$Format", "argocd-server"), p.argoController().reacts(500*time.Millisecond, 5*sec)
			ui.create(t)
			p.every(30, 11*m, func(i int) {
				ui.merge(t, `{"metadata":{"annotations":{"argocd.argoproj.io/refresh":"normal"}}}`)
				argo.merge(t, `{"metadata":{"annotations":{"argocd.argoproj.io/refresh":null}},"status":{"reconciledAt":"`+p.now()+`"}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ui, argo}, why: "A refresh is asked for by an annotation, which the controller takes away when it has refreshed."})
		}},
		{"request-rollout-restart", "request-annotations", 20, func(p *play) {
			p.in("jvm")
			t := p.deployment("matcher", 2)
			cron, flux := p.service("jvm/restarter", kubectlAgent, "kubectl-rollout"), p.fluxController()
			flux.flux(t.object)
			p.every(9, 2*60*m, func(i int) {
				cron.kubectl("", "rollout", "restart", "deployment", t.id)
				time.Sleep(1200 * time.Millisecond) // so that each restart has a different time
				p.sleep(8 * m)
				flux.flux(t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]`}, writers: []*actor{cron, flux}, winner: flux, mechanism: "apply", real: "kubectl is real; Flux: its library",
				why: "Flux takes over what kubectl's field managers own and so removes the annotation of each restart, which rolls the pods once more."})
		}},
		{"request-rollout-restart-exempt", "request-annotations", 20, func(p *play) {
			p.in("jvm-us")
			t := p.deployment("matcher", 2)
			cron, flux := p.service("jvm/restarter", kubectlAgent, "flux-client-side-apply"), p.fluxController()
			flux.flux(t.object)
			p.every(9, 2*60*m, func(i int) {
				cron.kubectl("", "rollout", "restart", "deployment", t.id, "--field-manager=flux-client-side-apply")
				time.Sleep(1200 * time.Millisecond) // kubectl refuses two restarts in the same real second
				p.sleep(8 * m)
				flux.flux(t.object)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{cron, flux}, real: "kubectl is real; Flux: its library", why: "A job restarts a workload with the field manager that Flux leaves alone."})
		}},
		{"request-restart-undone", "request-annotations", 12, func(p *play) {
			p.in("jvm-eu")
			t := p.deployment("matcher", 2)
			cron, op := p.service("jvm-eu/restarter", kubectlAgent, "kubectl-rollout"), p.service("jvm-eu/jvm-operator", "jvm-operator/v0.9.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, sec)
			op.create(t)
			p.every(11, 60*m, func(i int) {
				cron.kubectl("", "rollout", "restart", "deployment", t.id)
				time.Sleep(1200 * time.Millisecond) // so that each restart has a different time
				op.update(t, func(o object) { o.set(t.object.clone()["spec"], "spec") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]`}, writers: []*actor{cron, op}, winner: op, mechanism: "full update",
				real: "kubectl is real; the operator is emulated", why: "The operator writes the whole template and so undoes each restart."})
		}},
		{"request-flux-reconcile", "request-annotations", 8, func(p *play) {
			p.in("fleet")
			p.define("kustomize.toolkit.fluxcd.io", "v1", "Kustomization", "Namespaced", "")
			t := p.thing("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec: {interval: 10m, path: ./apps}")
			ci, flux := p.person("github-actions", "flux/v2.6.0", "flux"), p.fluxController()
			ci.create(t)
			p.every(20, 20*m, func(i int) {
				ci.merge(t, `{"metadata":{"annotations":{"reconcile.fluxcd.io/requestedAt":"`+p.micro()+`"}}}`)
				flux.mergeStatus(t, `{"status":{"lastHandledReconcileAt":"`+p.micro()+`","conditions":[{"type":"Reconciling","status":"True"}]}}`)
				p.sleep(20 * sec)
				flux.mergeStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, flux}, why: "Reconciliations are asked for by a new time each, and the controller goes through its states."})
		}},
	}
}
