package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fightsOfSettings6 returns fights over ConfigMaps and Secrets.
func fightsOfSettings6() []scene {
	return []scene{
		{"one-configmap-two-releases", "", 10, func(p *play) {
			p.in("checkout-core")
			t := p.config("checkout-env", map[string]any{"LOG_FORMAT": "json", "REGION": "eu"})
			api, worker := p.person("jenkins", "Helm/3.20.1", ""), p.person("gitlab-runner", "Helm/3.20.1", "")
			first := p.chart("checkout-api", map[string]string{"env.yaml": t.object.yaml()})
			second := p.chart("checkout-worker", map[string]string{"env.yaml": t.object.with("text", "data", "LOG_FORMAT").yaml()})
			api.helm("3", "install", "checkout-api", first)
			p.every(10, 24*m, func(int) {
				worker.helm("3", "upgrade", "--install", "--take-ownership", "checkout-worker", second)
				p.sleepBetween(4*m, 20*m)
				api.helm("3", "upgrade", "--install", "--take-ownership", "checkout-api", first)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.LOG_FORMAT", `metadata.annotations["meta.helm.sh/release-name"]`}, writers: []*actor{api, worker}, winner: api, mechanism: "three-way patches", real: "Helm 3 is real",
				why: "Two charts contain one ConfigMap, and each release takes it over with its own log format."})
		}},
		{"proxy-body-size", "", 5, func(p *play) {
			p.in("ingress-public")
			t := p.config("ingress-nginx-controller", map[string]any{"proxy-body-size": "8m", "use-gzip": "true"})
			flux, carol := p.fluxController(), p.person("carol@example.com", kubectlAgent, "kubectl-patch")
			flux.flux(t.object)
			p.together(4*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{20 * m, func(int) {
				carol.kubectl("", "patch", "configmap", t.id, "--type=merge", "-p", `{"data":{"proxy-body-size":"64m"}}`)
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`data["proxy-body-size"]`}, writers: []*actor{flux, carol}, mechanism: "forced apply against merge patch", real: "kubectl is real; Flux's apply is its library",
				why: "An engineer's cron job raises the upload limit, Flux applies the limit in Git every ten minutes."})
		}},
		{"cni-settings", "", 10, func(p *play) {
			p.in("aws-cni")
			t := p.config("amazon-vpc-cni", map[string]any{"enable-windows-ipam": "false", "warm-ip-target": "1"})
			eks, tf := p.person("eks:addon-manager", "Go-http-client/2.0", "eks"), p.person("terraform", "HashiCorp/1.0 Terraform/1.13.4", "Terraform")
			eks.apply(t, t.object)
			p.together(9*time.Hour, beat{30 * m, func(int) { eks.apply(t, t.object) }}, beat{29 * m, func(int) {
				if tf.differs(t, "5", "data", "warm-ip-target") {
					tf.merge(t, `{"data":{"warm-ip-target":"5"}}`)
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{`data["warm-ip-target"]`}, writers: []*actor{eks, tf}, mechanism: "forced apply against merge patch",
				why: "Terraform tunes a setting of a managed add-on, the add-on manager applies its own configuration every half hour."})
		}},
		{"random-admin-password", "", 6, func(p *play) {
			p.in("grafana-ops")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: grafana-admin}\ntype: Opaque\ndata: {admin-user: YWRtaW4=, admin-password: " + b64("vault", 0) + "}")
			argo, eso := p.argoController(), p.service("external-secrets/external-secrets", "external-secrets/v0.20 (linux/amd64) kubernetes/$Format", "").reacts(500*time.Millisecond, 3*sec)
			eso.create(t)
			p.every(14, 20*m, func(i int) {
				argo.threeWay(t, t.object.with(b64("random", i), "data", "admin-password"))
				eso.update(t, func(o object) { o.set(b64("vault", 0), "data", "admin-password") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["admin-password"]`}, writers: []*actor{argo, eso}, winner: eso, mechanism: "three-way patch against full update",
				why: "A chart generates a new random password at each sync, External Secrets restores the password of the vault."})
		}},
		{"wildcard-copy", "", 2, func(p *play) {
			p.in("shop-tls")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: shop-tls}\ntype: kubernetes.io/tls\ndata: {tls.crt: " + b64("wildcard", 1) + ", tls.key: " + b64("wildcard-key", 1) + "}")
			cm := p.service("cert-manager/cert-manager", "cert-manager-certificates-issuing/v1.19.1 (linux/amd64) cert-manager", "cert-manager-certificates-issuing").reacts(30*sec, 90*sec)
			reflector := p.service("reflector/reflector", "KubernetesClient/17.0.4.0", "").reacts(sec, 2*sec)
			reflector.create(t)
			for i := range 18 {
				cm.apply(t, parse(fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: shop-tls, namespace: shop-tls, annotations: {cert-manager.io/certificate-name: shop-tls}}\ntype: kubernetes.io/tls\ndata: {tls.crt: %s, tls.key: %s}", b64("issued", i), b64("issued-key", i))))
				reflector.merge(t, `{"data":`+string(answerOf(t.object["data"]))+`}`)
			}
			p.fight(what{things: []*thing{t}, fields: []string{`data["tls.crt"]`, `data["tls.key"]`}, writers: []*actor{cm, reflector}, winner: reflector, mechanism: "forced apply against merge patch",
				why: "A reflector copies the wildcard certificate into a Secret that also belongs to a Certificate, so cert-manager issues again and again."})
		}},
		{"dev-loop-secret", "", 3, func(p *play) {
			p.in("alice-dev")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: app-env}\ntype: Opaque\nstringData: {FEATURE_SEARCH: 'on', API_URL: 'http://localhost:8080'}")
			alice, infisical := p.person("alice@example.com", kubectlAgent, "kubectl-client-side-apply"), p.service("infisical/infisical-operator", "manager/v0.10 (linux/amd64) kubernetes/$Format", "")
			alice.kubectl(t.object.yaml(), "apply", "-f", "-")
			p.together(100*m, beat{6 * m, func(int) { alice.kubectl(t.object.yaml(), "apply", "-f", "-") }}, beat{time.Minute, func(int) {
				if infisical.notices(t, b64("https://api.example.com", 1), "data", "API_URL") {
					infisical.cached(t, func(o object) { o.set(b64("https://api.example.com", 1), "data", "API_URL") })
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"data.API_URL"}, writers: []*actor{alice, infisical}, mechanism: "patch against full update", real: "kubectl is real",
				why: "A developer's loop applies a Secret at each save, the operator of the secret store restores the stored value each minute."})
		}},
		{"cost-center-labels", "", 4, func(p *play) {
			p.in("payments-core")
			var all []*thing
			var objects []object
			for _, name := range []string{"ledger", "gateway", "fraud"} {
				t := p.config(name, map[string]any{"mode": "live"})
				t.object.set("payments", "metadata", "labels", "cost-center")
				all, objects = append(all, t), append(objects, t.object)
			}
			flux, kyverno := p.fluxController(), p.service("kyverno/kyverno-background-controller", "background-controller/v1.15 (linux/amd64) kubernetes/$Format", "").reacts(sec, 20*sec)
			flux.flux(objects...)
			p.every(12, 10*m, func(int) {
				for _, t := range all {
					kyverno.update(t, func(o object) { o.set("unallocated", "metadata", "labels", "cost-center") })
				}
				p.sleepBetween(m, 4*m)
				flux.flux(objects...)
			})
			p.fight(what{things: all, fields: []string{`metadata.labels["cost-center"]`}, writers: []*actor{flux, kyverno}, winner: flux, mechanism: "forced apply against full update", real: "Flux's apply is its library",
				why: "A policy labels all settings of a namespace with the default cost center, Git states the real one."})
		}},
		{"maintenance-flag", "", 1.5, func(p *play) {
			p.in("booking-flags")
			t := p.config("site-flags", map[string]any{"maintenance": "false", "banner": "none"})
			carol, sync := p.person("carol@example.com", kubectlAgent, "kubectl-patch"), p.service("booking-flags/flag-sync", "flag-sync/1.8 node-fetch", "flag-sync").reacts(20*sec, 40*sec)
			sync.create(t)
			p.every(7, 6*m, func(int) {
				carol.kubectl("", "patch", "configmap", t.id, "-p", `{"data":{"maintenance":"true"}}`)
				sync.strategic(t, `{"data":{"maintenance":"false"}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.maintenance"}, writers: []*actor{carol, sync}, winner: sync, mechanism: "patches", real: "kubectl is real",
				why: "During an incident an engineer switches a flag on seven times, the sync of the flag service switches it off within 40 seconds."})
		}},
		{"mesh-defaults", "", 4, func(p *play) {
			p.in("istio-control")
			git := "accessLogFile: /dev/stdout\ndefaultConfig: {holdApplicationUntilProxyStarts: true}\n"
			own := "accessLogFile: \"\"\ndefaultConfig: {holdApplicationUntilProxyStarts: false}\n"
			t := p.config("istio", map[string]any{"mesh": git, "meshNetworks": "networks: {}"})
			argo, op := p.argoController(), p.service("istio-control/istio-operator", "operator/1.27 (linux/amd64) kubernetes/$Format", "")
			argo.threeWay(t, t.object)
			p.together(3*time.Hour, beat{3 * m, func(int) { argo.threeWay(t, t.object) }}, beat{5 * m, func(int) {
				if op.notices(t, own, "data", "mesh") {
					op.cached(t, func(o object) { o.set(own, "data", "mesh") })
				}
			}})
			p.fight(what{things: []*thing{t}, fields: []string{"data.mesh"}, writers: []*actor{argo, op}, mechanism: "three-way patch against full update",
				why: "Argo CD and a forgotten operator both render the configuration of the mesh."})
		}},
		{"owner-dropped", "", 6, func(p *play) {
			p.in("search-index")
			t := p.config("index-settings", map[string]any{"shards": "4"})
			jenkins, op := p.person("jenkins", kubectlAgent, "kubectl-replace"), p.operatorOf("search-system/index-operator", "index-operator")
			jenkins.kubectl(t.object.yaml(), "create", "-f", "-")
			op.controller(t, &corev1.ConfigMap{}, func(ctx context.Context, c client.Client, x client.Object) error {
				s, _ := x.(*corev1.ConfigMap)
				if s == nil || s.Name != t.id || len(s.OwnerReferences) > 0 {
					return nil
				}
				s.OwnerReferences = []metav1.OwnerReference{{APIVersion: "search.example.io/v1", Kind: "Index", Name: "products", UID: "0b9f6a52-58c1-4b6b-9a57-6f6c1a4de101", Controller: ptr(true)}}
				return c.Update(ctx, s)
			})
			p.settle(t)
			p.every(14, 20*m, func(int) {
				jenkins.kubectl(t.object.yaml(), "replace", "-f", "-")
				p.settle(t)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"metadata.ownerReferences"}, writers: []*actor{jenkins, op}, winner: op, mechanism: "replace against full update", real: "kubectl is real; " + realRuntime,
				why: "A pipeline replaces a ConfigMap by a manifest without an owner, the operator adopts it again."})
		}},
		{"swept-secret", "", 8, func(p *play) {
			p.in("redis-sessions")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: redis-auth}\ntype: Opaque\ndata: {password: " + b64("redis", 0) + "}")
			op, sweeper := p.service("redis-sessions/redis-operator", "redis-operator/v0.21 (linux/amd64) kubernetes/$Format", "").reacts(sec, 4*sec), p.service("housekeeping/orphan-sweeper", "sweeper/2.0 Python/3.12 kubernetes-client", "")
			op.create(t)
			p.every(13, 30*m, func(i int) {
				sweeper.list(t)
				sweeper.delete(t)
				c := *t
				c.object = t.object.with(b64("redis", i+1), "data", "password")
				op.create(&c)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{op, sweeper}, winner: op, mechanism: "delete and create",
				why: "A job deletes Secrets without a mounted pod twice an hour, the operator creates its own again with a new password."})
		}},
	}
}
