package main

import (
	"fmt"
	"strconv"
	"time"
)

// calmDelivery3 returns scenes without a fight: pipelines, GitOps tools, queues
// and jobs.
func calmDelivery3() []scene {
	return []scene{
		{"render-queue", "", 3, func(p *play) {
			p.in("render")
			t := p.config("queue", map[string]any{"pending": "", "done": ""})
			web, worker := p.service("render/web", "node-fetch/3.3", ""), p.service("render/worker", "Go-http-client/1.1", "").reacts(200*time.Millisecond, 5*sec)
			web.create(t)
			p.every(24, 5*m, func(i int) {
				web.merge(t, fmt.Sprintf(`{"data":{"pending":"scene-%d"}}`, i))
				p.sleepBetween(20*sec, 2*m)
				worker.get(t)
				worker.merge(t, fmt.Sprintf(`{"data":{"pending":"","done":"scene-%d"}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{web, worker}, why: "A queue of one: the web service asks for a scene, the worker takes it out and notes that it is done."})
		}},
		{"build-number", "", 10, func(p *play) {
			p.in("ci-state")
			t := p.config("build-number", map[string]any{"number": "100"})
			users := []*actor{p.person("jenkins", "curl/8.14.1", ""), p.person("gitlab-runner", "curl/8.14.1", ""), p.person("github-actions", "curl/8.14.1", "")}
			users[0].create(t)
			p.every(40, 13*m, func(i int) {
				users[p.rand.IntN(3)].update(t, func(o object) {
					n, _ := strconv.Atoi(o.text("data", "number"))
					o.set(strconv.Itoa(n+1), "data", "number")
				})
			})
			p.lookalike(what{things: []*thing{t}, writers: users, why: "Three pipelines count builds in one config map."})
		}},
		{"edit-then-commit", "", 12, func(p *play) {
			p.in("uploads")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: uploads, annotations: {nginx/body-size: 8m, nginx/timeout: '30'}}\nspec: {rules: [{host: uploads.example.com}]}")
			argo, erin, alice := p.argoController().reacts(3*sec, 20*sec), p.person("erin@example.com", kubectlAgent, "kubectl-annotate"), p.person("alice@example.com", kubectlAgent, "kubectl-annotate")
			stated := t.object
			argo.threeWay(t, stated)
			for _, step := range []struct {
				who        *actor
				key, value string
			}{{erin, "nginx/body-size", "50m"}, {alice, "nginx/timeout", "90"}, {erin, "nginx/limit-rps", "200"}} {
				p.sleepBetween(100*m, 3*time.Hour)
				step.who.kubectl("", "annotate", "--overwrite", "ingress", "uploads", step.key+"="+step.value)
				argo.threeWay(t, stated)
				p.sleepBetween(12*m, 40*m)
				stated = stated.with(step.value, "metadata", "annotations", step.key)
				argo.threeWay(t, stated)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, erin, alice}, real: "kubectl is real", why: "Three one-off changes by hand, each healed once by Argo CD and then committed."})
		}},
		{"immutable-selector", "", 4, func(p *play) {
			p.in("geoip")
			t := p.deployment("geoip", 2)
			argo, ci := p.argoController(), p.person("ci-bot", kubectlAgent, "kubectl-set")
			argo.create(t)
			wrong := t.object.with(map[string]any{"matchLabels": map[string]any{"app": "geoip-v2"}}, "spec", "selector").with("geoip-v2", "spec", "template", "metadata", "labels", "app")
			p.together(3*time.Hour, beat{6 * m, func(int) { argo.send("PATCH", t.path(), applyPatch, wrong, "force", "true") }}, beat{32 * m, func(i int) {
				ci.kubectl("", "set", "image", "deployment/geoip", "app="+tagged("geoip", i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, ci}, real: "kubectl is real", why: "Argo CD repeats a sync that the server refuses, a pipeline sets new images."})
		}},
		{"helm-releases", "", 12, func(p *play) {
			p.in("ledger-ui")
			t := p.deployment("ui", 2)
			ci, vault := p.person("github-actions", "Helm/3.20.1", "helm"), p.service("vault/vault-secrets-operator", "vault-secrets-operator/v0.10 (linux/amd64) kubernetes/$Format", "")
			chart := func(n int) string {
				o := t.object.clone()
				setImage(o, tagged("ui", n))
				return p.chart("ui", map[string]string{"d.yaml": o.yaml()})
			}
			ci.helm("3", "install", "ui", chart(0))
			p.every(7, 80*m, func(i int) {
				if i == 4 {
					ci.helm("3", "rollback", "ui")
				} else {
					ci.helm("3", "upgrade", "ui", chart(i+1))
				}
				p.sleepBetween(2*m, 30*m)
				vault.merge(t, fmt.Sprintf(`{"spec":{"template":{"metadata":{"annotations":{"vso.secrets.example.com/restartedAt":%q}}}}}`, p.now()))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, vault}, real: "Helm is real", why: "Releases of a chart, one of them rolled back, and restarts after rotations of a secret."})
		}},
		{"state-lease", "", 12, func(p *play) {
			p.in("terraform-state")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: lock-tfstate-default-network, labels: {app.kubernetes.io/managed-by: terraform}}")
			const agent = "HashiCorp/1.0 Terraform/1.12.2"
			ci, erin, dave := p.person("github-actions", agent, ""), p.person("erin@example.com", agent, ""), p.person("dave@example.com", agent, "")
			ci.create(t)
			for i, who := range []*actor{ci, erin, ci, ci, dave, ci, erin, ci, dave, ci, ci, erin} {
				p.sleepBetween(20*m, 80*m)
				who.update(t, func(o object) {
					o.set(fmt.Sprintf("8f3c-%d", i), "spec", "holderIdentity").set(fmt.Sprintf(`{"ID":"8f3c-%d"}`, i), "metadata", "annotations", "app.terraform.io/lock-info")
				})
				p.sleepBetween(1*m, 6*m)
				who.update(t, func(o object) {
					o.at("spec")["holderIdentity"] = nil
					delete(o.at("metadata", "annotations"), "app.terraform.io/lock-info")
				})
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, erin, dave}, why: "Terraform's state is locked and unlocked by whoever runs it."})
		}},
		{"password-rotation", "", 9, func(p *play) {
			p.in("crm")
			secret := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: crm-db}\ndata: {password: '" + b64("p", 0) + "'}")
			t := p.workload("StatefulSet", "crm-db", 1)
			rotator, op := p.service("crm/password-rotator", "curl/8.14.1", ""), p.service("crm/db-operator", "db-operator/v2.1 (linux/amd64)", "db-operator").reacts(2*sec, 7*sec)
			rotator.create(secret)
			op.apply(t, t.object)
			p.every(17, 30*m, func(i int) {
				rotator.merge(secret, `{"data":{"password":"`+b64("p", i+1)+`"}}`)
				op.get(secret)
				op.apply(t, t.object.with(fmt.Sprintf("sum-%d", i), "spec", "template", "metadata", "annotations", "crm/secret-checksum"))
				op.strategic(secret, fmt.Sprintf(`{"metadata":{"annotations":{"crm/applied-at":%q}}}`, p.now()))
			})
			p.lookalike(what{things: []*thing{t, secret}, writers: []*actor{rotator, op}, why: "A job rotates a password each half hour, the operator takes it over and notes when."})
		}},
		{"deploy-window", "", 12, func(p *play) {
			p.in("nightly")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: reindex}\nspec: {schedule: '*/15 * * * *', suspend: false, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/reindex:1}]}}}}}")
			ci, cron := p.person("gitlab-runner", kubectlAgent, "kubectl-patch"), p.kcm("cronjob-controller")
			ci.create(t)
			busy := false
			p.together(10*time.Hour, beat{15 * m, func(int) {
				if !busy {
					cron.updateStatus(t, func(o object) { o.set(p.now(), "status", "lastScheduleTime") })
				}
			}}, beat{40 * m, func(i int) {
				busy = i%2 == 0
				ci.kubectl("", "patch", "cronjob", t.id, "-p", fmt.Sprintf(`{"spec":{"suspend":%t}}`, busy))
			}})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{ci, cron}, real: "kubectl is real", why: "The pipeline suspends a cron job while it migrates the database, and resumes it; the controller notes each run."})
		}},
		{"storage-grows", "", 11, func(p *play) {
			p.in("warehouse")
			p.define("pg.example.io", "v1", "PostgresCluster", "Namespaced", "")
			t := p.thing("apiVersion: pg.example.io/v1\nkind: PostgresCluster\nmetadata: {name: warehouse}\nspec: {image: 'postgres:17.1'}")
			argo, grow := p.argoController(), p.service("pg-system/disk-autogrow", "disk-autogrow/v0.6 (linux/amd64)", "")
			argo.apply(t, t.object)
			p.together(10*time.Hour, beat{48 * m, func(i int) {
				grow.get(t)
				grow.merge(t, fmt.Sprintf(`{"spec":{"storage":{"size":"%dGi"}}}`, 100+10*i))
			}}, beat{63 * m, func(i int) {
				argo.apply(t, t.object.with(fmt.Sprintf("postgres:17.%d", 1+i/2), "spec", "image"))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{argo, grow}, why: "A volume grows with its data, Argo CD applies minor versions without naming the size."})
		}},
	}
}
