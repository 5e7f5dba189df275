package main

import (
	"fmt"
	"time"
)

// fightsOfDelivery3 returns fights of GitOps tools, pipelines and persons.
func fightsOfDelivery3() []scene {
	return []scene{
		{"registry-mirror", "", 2, func(p *play) {
			p.in("etl")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: etl}\nspec: {schedule: '15 2 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: etl, image: docker.io/example/etl:9}]}}}}}")
			path := []string{"spec", "jobTemplate", "spec", "template", "spec", "containers", "0"}
			p.webhook("mirror.registry.example.com", "batch", "v1", "cronjobs", `["CREATE","UPDATE"]`, func(o object) []map[string]any {
				if o.at(path...)["image"] == "mirror.corp.example/example/etl:9" {
					return nil
				}
				return []map[string]any{operation("replace", "/spec/jobTemplate/spec/template/spec/containers/0/image", "mirror.corp.example/example/etl:9")}
			})
			argo := p.argoController()
			argo.threeWay(t, t.object)
			p.every(32, 3*m, func(i int) { argo.threeWay(t, t.object) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.jobTemplate.spec.template.spec.containers[name=etl].image"}, writers: []*actor{argo}, webhook: "mirror.registry.example.com", mechanism: "webhook",
				why: "A webhook turns images to the company's mirror, Argo CD heals what it sees as drift, every three minutes.", real: "the webhook is real; Argo CD's patches are calculated as it does"})
		}},
		{"cron-jitter", "", 9, func(p *play) {
			p.in("digest")
			t := p.thing("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: digest}\nspec: {schedule: '0 * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/digest:4}]}}}}}")
			flux, spread := p.fluxController(), p.service("sre-tools/cron-spreader", "axios/1.11.0", "")
			flux.flux(t.object)
			p.together(8*time.Hour, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{27 * m, func(int) {
				spread.get(t)
				spread.json(t, `[{"op":"replace","path":"/spec/schedule","value":"17 * * * *"}]`)
			}})
			flux.flux(t.object)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.schedule"}, writers: []*actor{flux, spread}, winner: flux, mechanism: "patch against forced apply", real: realFlux,
				why: "A tool spreads cron jobs over the hour, Flux applies the full hour again at its next interval."})
		}},
		{"podmonitor-cleaned", "", 7, func(p *play) {
			p.in("cart")
			p.define("monitoring.example.io", "v1", "PodMonitor", "Namespaced", "")
			t := p.thing("apiVersion: monitoring.example.io/v1\nkind: PodMonitor\nmetadata: {name: cart}\nspec: {selector: {matchLabels: {app: cart}}}")
			script, argo := p.person("jenkins", kubectlAgent, ""), p.argoController().reacts(sec, 5*sec)
			argo.threeWay(t, t.object)
			p.every(13, 29*m, func(i int) {
				script.kubectl("", "delete", "podmonitor", t.id, "--wait=false")
				p.sleepBetween(10*sec, 3*m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, writers: []*actor{script, argo}, winner: argo, mechanism: "delete and create", real: "kubectl is real",
				why: "A job removes monitors without an owner's label each half hour, Argo CD makes them again at its next refresh."})
		}},
		{"oncall-loglevel", "", 3, func(p *play) {
			p.in("basket")
			t := p.deployment("basket", 4)
			t.object.at("spec", "template", "spec", "containers", "0")["env"] = []any{map[string]any{"name": "LOG_LEVEL", "value": "info"}}
			flux, carol, kcm := p.fluxController(), p.person("carol@example.com", kubectlAgent, "kubectl-set"), p.kcm("deployment-controller")
			flux.flux(t.object)
			p.together(150*m, beat{10 * m, func(int) { flux.flux(t.object) }}, beat{19 * m, func(int) {
				carol.kubectl("", "set", "env", "deployment/basket", "LOG_LEVEL=debug")
				kcm.observe(t, 4)
			}})
			flux.flux(t.object)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].env[name=LOG_LEVEL].value"}, writers: []*actor{flux, carol}, winner: flux, mechanism: "patch against forced apply", real: "kubectl is real; " + realFlux,
				why: "In an incident the engineer on call switches a service to debug logs again and again; Flux switches them off within ten minutes."})
		}},
		{"image-poller", "", 4, func(p *play) {
			p.in("reviews")
			t := p.deployment("reviews", 2)
			setImage(t.object, tagged("reviews", 3))
			argo, keel, kcm := p.argoController().reacts(2*sec, 16*sec), p.service("keel/keel", "keel/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.kcm("deployment-controller")
			argo.threeWay(t, t.object)
			p.every(33, 5*m, func(i int) {
				keel.update(t, func(o object) {
					setImage(o, tagged("reviews", 4))
					o.set(p.now(), "spec", "template", "metadata", "annotations", "keel.sh/update-time")
				})
				kcm.observe(t, 2)
				argo.threeWay(t, t.object)
				kcm.observe(t, 2)
			})
			p.fight(what{things: []*thing{t}, fields: []string{imagePath}, writers: []*actor{argo, keel}, winner: argo, mechanism: "full update against three-way patch",
				why: "Keel sees a newer image in the registry at each poll, and Argo CD heals the deployment back to the one in Git."})
		}},
		{"argo-instances", "", 4, func(p *play) {
			p.in("shared-config")
			t := p.config("feature-gates", map[string]any{"gates": "beta=true"})
			const agent = "argocd-application-controller/v3.1.0 (linux/amd64) kubernetes/$Format"
			a, b := p.service("argocd-retail/argocd-application-controller", agent, "argocd-controller"), p.service("argocd-bank/argocd-application-controller", agent, "argocd-controller")
			const label = "app.kubernetes.io/instance"
			retail, bank := t.object.with("retail", "metadata", "labels", label), t.object.with("bank", "metadata", "labels", label)
			a.threeWay(t, retail)
			p.together(3*time.Hour, beat{3 * m, func(int) { a.threeWay(t, retail) }}, beat{3 * m, func(int) { b.threeWay(t, bank) }})
			b.threeWay(t, bank)
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["` + label + `"]`}, follows: []string{`metadata.annotations["` + lastApplied + `"]`}, writers: []*actor{a, b}, winner: b, mechanism: "three-way patches",
				why: "Two Argo CDs in one cluster have the same config map in an application, and each writes its tracking label."})
		}},
		{"helm-two-values", "", 10, func(p *play) {
			p.in("pricing")
			t := p.deployment("pricing", 2)
			jenkins, flux := p.person("jenkins", "Helm/3.20.1", "helm"), p.service("flux-system/helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm")
			limit := func(memory string) string {
				o := t.object.clone()
				o.at("spec", "template", "spec", "containers", "0")["resources"] = map[string]any{"limits": map[string]any{"memory": memory}}
				return o.yaml()
			}
			small, large := p.chart("pricing", map[string]string{"d.yaml": limit("512Mi")}), p.chart("pricing-large", map[string]string{"d.yaml": limit("2Gi")})
			jenkins.helm("3", "install", "pricing", small)
			p.every(8, 28*m, func(i int) {
				flux.helm("3", "upgrade", "pricing", large)
				p.sleepBetween(15*m, 30*m)
				jenkins.helm("3", "upgrade", "pricing", small)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.containers[name=app].resources.limits.memory"}, writers: []*actor{jenkins, flux}, winner: jenkins, mechanism: "three-way patches", real: "Helm is real; Flux's helm-controller is Helm with its account",
				why: "A pipeline and Flux upgrade the same release with other values: the memory limit changes back and forth."})
		}},
		{"nodepool-limits", "", 10, func(p *play) {
			p.define("karpenter.example.io", "v1", "NodePool", "Cluster", "")
			t := p.thing("apiVersion: karpenter.example.io/v1\nkind: NodePool\nmetadata: {name: general}\nspec: {limits: {cpu: '400'}, weight: 10}")
			tf, planner := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.2", "kubectl"), p.service("finops/capacity-planner", "capacity-planner/1.2 client-java/24.0", "")
			tf.apply(t, t.object)
			p.together(9*time.Hour, beat{30 * m, func(int) { tf.get(t); tf.apply(t, t.object) }}, beat{26 * m, func(int) {
				if planner.differs(t, "650", "spec", "limits", "cpu") {
					planner.merge(t, `{"spec":{"limits":{"cpu":"650"}}}`)
				}
			}})
			tf.apply(t, t.object)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.limits.cpu"}, writers: []*actor{tf, planner}, winner: tf, mechanism: "patch against forced apply",
				why: "A planner raises the limit of a node pool that Terraform states; each runs twice an hour, on a schedule of its own."})
		}},
		{"argo-two-apps", "", 3, func(p *play) {
			p.in("shared-certs")
			t := p.config("trust-bundle", map[string]any{"ca": "x"})
			argo := p.argoController()
			a, b := t.object.with("web", "metadata", "labels", "app.kubernetes.io/instance"), t.object.with("api", "metadata", "labels", "app.kubernetes.io/instance")
			argo.threeWay(t, a)
			p.together(2*time.Hour, beat{3 * m, func(int) { argo.threeWay(t, a) }}, beat{3 * m, func(int) { argo.threeWay(t, b) }})
			p.flap(what{things: []*thing{t}, fields: []string{`metadata.labels["app.kubernetes.io/instance"]`}, writers: []*actor{argo}, mechanism: "three-way patches",
				why: "Two applications of one Argo CD contain the same config map: one program, one account, two tracking labels."})
		}},
	}
}

// version returns the n-th version of a released program.
func version(n int) string { return fmt.Sprintf("2026.11.%d", n) }
