package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"time"
)

func hiddenScenes() []scene {
	hook := func(name string) string {
		return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: " + name + "}\nwebhooks: [{name: " + name + ".example.com, clientConfig: {service: {name: hook, namespace: default}, caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUI4ekNDQVptZ0F3SUJBZ0lCQVRBS0JnZ3Foa2pPUFFRREFqQUFNQjRYRFRJMgotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==}, rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}], failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}]"
	}
	bundle := func(p *play, n int) string { return p.authority(n) }
	return []scene{
		{"cabundle-two-injectors", "cabundle", 6, func(p *play) {
			t := p.thing(hook("policy-guard"))
			t.object.at("webhooks", "0", "clientConfig")["caBundle"] = bundle(p, 0)
			inj, op := p.service("cert-manager/cert-manager-cainjector", "cainjector/v1.18.0 (linux/amd64) cert-manager/8e1f0a", ""), p.service("policy/policy-guard", "policy-guard/v0.0.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 3*sec)
			op.create(t)
			a, b := bundle(p, 1), bundle(p, 2)
			p.every(24, 12*m, func(i int) {
				inj.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = a })
				op.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = b })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"webhooks[name=policy-guard.example.com].clientConfig.caBundle"}, writers: []*actor{inj, op}, winner: op, mechanism: "full updates", why: "cert-manager's injector and the operator's own rotator write two authorities."})
		}},
		{"cabundle-emptied", "cabundle", 5, func(p *play) {
			t := p.thing(hook("tenant-guard"))
			t.object.at("webhooks", "0", "clientConfig")["caBundle"] = bundle(p, 0)
			empty := t.object.without("webhooks", "0", "clientConfig", "caBundle")
			argo, inj := p.argoController(), p.service("cert-manager/cert-manager-cainjector", "cainjector/v1.18.0 (linux/amd64) cert-manager/8e1f0a", "").reacts(50*time.Millisecond, sec)
			argo.create(t)
			a := bundle(p, 1)
			p.every(30, 5*m, func(i int) {
				argo.replace(t, empty)
				inj.json(t, `[{"op":"add","path":"/webhooks/0/clientConfig/caBundle","value":"`+a+`"}]`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"webhooks[name=tenant-guard.example.com].clientConfig.caBundle"}, writers: []*actor{argo, inj}, winner: inj, mechanism: "full update", why: "A replacing sync drops the authority that the injector adds again."})
		}},
		{"cabundle-rotated", "cabundle", 23, func(p *play) {
			t := p.thing(hook("quota-guard"))
			t.object.at("webhooks", "0", "clientConfig")["caBundle"] = bundle(p, 0)
			op, flux := p.service("quota/quota-guard", "quota-guard/v1 (linux/amd64)", ""), p.fluxController()
			op.create(t)
			p.every(10, 2*60*m, func(i int) {
				next := bundle(p, i+1)
				op.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = next })
				p.sleep(10 * m)
				flux.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"chart":"quota-1.%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{op, flux}, why: "One rotator renews its authority, Flux writes a label."})
		}},
		{"webhookconfig-enforcer", "webhook-config", 8, func(p *play) {
			t := p.thing(hook("aks-guard"))
			t.object.at("webhooks", "0", "clientConfig")["caBundle"] = bundle(p, 0)
			aks, kyv := p.person("aksService", "adminmissionenforcer/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.service("kyverno/kyverno-admission-controller", "kyverno/v0.0.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*sec)
			kyv.create(t)
			p.every(60, 3*m, func(i int) {
				aks.update(t, func(o object) {
					o.at("webhooks", "0")["namespaceSelector"] = map[string]any{"matchExpressions": []any{map[string]any{"key": "control-plane", "operator": "DoesNotExist"}}}
				})
				kyv.update(t, func(o object) { o.at("webhooks", "0")["namespaceSelector"] = map[string]any{} })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"webhooks[name=aks-guard.example.com].namespaceSelector"}, writers: []*actor{aks, kyv}, winner: kyv, mechanism: "full updates", why: "A cloud's admission enforcer adds a selector that the policy engine removes."})
		}},
		{"webhookconfig-rules-grow", "webhook-config", 10, func(p *play) {
			t := p.thing(hook("kyverno-guard"))
			t.object.at("webhooks", "0", "clientConfig")["caBundle"] = bundle(p, 0)
			kyv, human := p.service("kyverno/kyverno-admission-controller", "kyverno/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.person("erin@example.com", kubectlAgent, "kubectl-annotate")
			kyv.create(t)
			p.every(20, 20*m, func(i int) {
				kyv.update(t, func(o object) { o.at("webhooks", "0")["timeoutSeconds"] = 5 + i })
				human.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"reviewed":"%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kyv, human}, why: "A policy engine moves a timeout on with its policies; a human notes that they are reviewed."})
		}},
		{"namespace-psa-label", "namespaces", 7, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-violet, labels: {pod-security.kubernetes.io/enforce: baseline}}")
			rancher, op := p.service("cattle-system/rancher", "rancher/v2.12.0 (linux/amd64) kubernetes/$Format", ""), p.service("namespace-config/namespace-configuration-operator", "namespace-configuration-operator/v1.2.6 (linux/amd64)", "").reacts(200*time.Millisecond, 4*sec)
			rancher.create(t)
			p.every(25, 11*m, func(i int) {
				rancher.merge(t, `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}`)
				op.merge(t, `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["pod-security.kubernetes.io/enforce"]`}, writers: []*actor{rancher, op}, winner: op, mechanism: "patches", why: "Two managers of namespaces disagree about the Pod Security level."})
		}},
		{"namespace-labels-dropped", "namespaces", 12, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-orange, labels: {team: orange}}")
			tf, istio := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform"), p.person("frank@example.com", kubectlAgent, "kubectl-label")
			tf.create(t)
			p.every(8, 45*m, func(i int) {
				istio.kubectl("", "label", "namespace", t.id, "istio-injection=enabled")
				p.sleep(30 * m)
				tf.json(t, `[{"op":"remove","path":"/metadata/labels/istio-injection"}]`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["istio-injection"]`}, writers: []*actor{tf, istio}, winner: tf, mechanism: "patches", real: "kubectl is real", why: "Terraform removes a label that is not in its state, which a job sets again."})
		}},
		{"namespace-own-labels", "namespaces", 12, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-pink}")
			rancher, flux, cost := p.service("cattle-system/rancher", "rancher/v2.12.0 (linux/amd64) kubernetes/$Format", ""), p.fluxController(), p.service("opencost/opencost", "opencost/v1.117 (linux/amd64)", "")
			flux.apply(t, t.object)
			p.every(12, 50*m, func(i int) {
				rancher.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"cattle.io/status":"{\"n\":%d}"}}}`, i))
				cost.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"cost/month":"%d"}}}`, 100+i))
				flux.apply(t, t.object.with(fmt.Sprintf("r%d", i), "metadata", "labels", "release"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{rancher, flux, cost}, why: "Three programs write labels and annotations of their own on a namespace."})
		}},
		{"podlabels-split-brain", "pod-labels", 2, func(p *play) {
			p.in("pg-ha")
			t := p.pod0("pg-1")
			op, agent := p.service("pg-ha/postgres-operator", "postgres-operator/v1.14 (linux/amd64)", ""), p.replica("pg-ha/pg", "pg-1", "Patroni/4.0.6 Python/3.12.3 Linux", "").reacts(sec, 9*sec)
			p.every(60, 30*sec, func(i int) {
				op.strategic(t, `{"metadata":{"labels":{"role":"replica"}}}`)
				agent.merge(t, `{"metadata":{"labels":{"role":"master"}}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["role"]`}, writers: []*actor{op, agent}, winner: agent, mechanism: "patches", why: "The operator and the database agent disagree about who is the primary, twice a minute."})
		}},
		{"podlabels-failovers", "pod-labels", 20, func(p *play) {
			p.in("pg-ha-eu")
			t := p.pod0("pg-0")
			agents := []*actor{p.replica("pg-ha-eu/pg", "pg-0", "Patroni/4.0.6 Python/3.12.3 Linux", ""), p.replica("pg-ha-eu/pg", "pg-1", "Patroni/4.0.6 Python/3.12.3 Linux", "")}
			p.every(8, 2*60*m, func(i int) {
				agents[0].merge(t, fmt.Sprintf(`{"metadata":{"labels":{"role":"%s"}}}`, []string{"replica", "master"}[i%2]))
			})
			p.lookalike(what{things: []*thing{t}, writers: agents, why: "A pod says of itself whether it is the primary; eight failovers in a day."})
		}},
		{"refused-conflicts", "refused-writes", 6, func(p *play) {
			p.in("strict")
			t := p.config("limits", map[string]any{"max": "10"})
			owner, other := p.service("strict/limits-operator", "limits-operator/v1 (linux/amd64)", "limits-operator"), p.person("gitlab-runner", kubectlAgent, "kubectl")
			owner.apply(t, t.object)
			p.every(30, 10*m, func(i int) {
				other.tryApply(t, t.object.with("20", "data", "max"))
				owner.apply(t, t.object)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{owner, other}, why: "A pipeline applies without force and is refused each time: the value never changes."})
		}},
		{"refused-invalid", "refused-writes", 6, func(p *play) {
			p.in("strict-eu")
			t := p.deployment("api", 2)
			flux, broken := p.fluxController(), p.service("strict-eu/broken-operator", "broken-operator/v1 (linux/amd64)", "")
			flux.apply(t, t.object)
			p.every(30, 10*m, func(i int) {
				broken.send(http.MethodPatch, t.path(), mergePatch, `{"spec":{"replicas":-1}}`)
				broken.send(http.MethodPatch, t.path(), mergePatch, `{"spec":{"selector":{"matchLabels":{"app":"x"}}}}`)
				flux.apply(t, t.object.with(fmt.Sprint(i), "metadata", "annotations", "rev"))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{flux, broken}, why: "An operator's patches are invalid and refused; Flux moves a revision on."})
		}},
		{"refused-dry-runs", "refused-writes", 4, func(p *play) {
			p.in("strict-us")
			t := p.config("limits", map[string]any{"max": "10"})
			op, diff := p.service("strict-us/limits-operator", "limits-operator/v1 (linux/amd64)", ""), p.person("github-actions", kubectlAgent, "kubectl")
			op.create(t)
			p.every(20, 10*m, func(i int) {
				diff.kubectl(t.object.with("20", "data", "max").yaml(), "apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-")
				op.update(t, func(o object) { o.set("10", "data", "max").set(fmt.Sprint(i), "data", "seen") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{op, diff}, real: "kubectl is real", why: "A pipeline only dry-runs another value between the operator's updates."})
		}},
		{"refused-optimistic-locks", "refused-writes", 3, func(p *play) {
			p.in("strict-ap")
			t := p.config("shards", map[string]any{"a": "0", "b": "0"})
			a, b := p.service("strict-ap/shard-a", "shard/v1 (linux/amd64)", ""), p.service("strict-ap/shard-b", "shard/v1 (linux/amd64)", "")
			a.create(t)
			p.every(30, 4*m, func(i int) {
				stale := b.get(t)
				a.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "a") })
				b.send(http.MethodPut, t.path(), "", stale.with(fmt.Sprint(i), "data", "b"))
				b.update(t, func(o object) { o.set(fmt.Sprint(i), "data", "b") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{a, b}, why: "Two writers of different keys run into each other's version and try again."})
		}},
		{"service-annotations-dropped", "service-fields", 5, func(p *play) {
			p.in("gateways")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: edge-lb}\nspec: {type: LoadBalancer, ports: [{port: 443}]}")
			op, ccm := p.service("gateways/edge-operator", "edge-operator/v1 (linux/amd64)", "").reacts(100*time.Millisecond, 2*sec), p.person("system:cloud-controller-manager", "cloud-controller-manager/v34.0 (linux/amd64) kubernetes/$Format", "")
			op.create(t)
			p.every(28, 9*m, func(i int) {
				ccm.strategic(t, `{"metadata":{"annotations":{"cloud.example.com/neg-status":"{\"zones\":[\"a\"]}"}}}`)
				op.update(t, func(o object) { delete(o.at("metadata"), "annotations") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["cloud.example.com/neg-status"]`}, writers: []*actor{op, ccm}, winner: op, mechanism: "full update", why: "The operator's full update drops the annotation that the cloud provider keeps its state in."})
		}},
		{"service-ports", "service-fields", 4, func(p *play) {
			p.in("gateways-eu")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: edge}\nspec: {selector: {app: edge}, ports: [{name: http, port: 80}]}")
			helm, mesh := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.service("mesh-system/mesh-operator", "mesh-operator/v1 (linux/amd64)", "").reacts(sec, 10*sec)
			helm.create(t)
			p.every(18, 12*m, func(i int) {
				mesh.update(t, func(o object) { o.set("grpc", "spec", "ports", "0", "appProtocol") })
				p.sleep(2 * m)
				helm.json(t, `[{"op":"remove","path":"/spec/ports/0/appProtocol"}]`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.ports[port=80,protocol=TCP].appProtocol"}, writers: []*actor{helm, mesh}, winner: helm, mechanism: "patch against full update", why: "A mesh states the protocol of a port that Helm's correction removes."})
		}},
		{"service-status-and-spec", "service-fields", 9, func(p *play) {
			p.in("gateways-us")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: edge-lb}\nspec: {type: LoadBalancer, ports: [{port: 443}]}")
			ccm, dns, helm := p.person("system:cloud-controller-manager", "cloud-controller-manager/v34.0 (linux/amd64) kubernetes/$Format", ""), p.service("external-dns/external-dns", "external-dns/v0.19 (linux/amd64)", ""), p.service("flux-system/helm-controller", "Helm/3.18.4", "helm")
			helm.create(t)
			p.every(12, 40*m, func(i int) {
				ccm.strategicStatus(t, fmt.Sprintf(`{"status":{"loadBalancer":{"ingress":[{"ip":"34.0.0.%d"}]}}}`, i))
				dns.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"external-dns/seen":"34.0.0.%d"}}}`, i))
				helm.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"helm.sh/chart":"edge-1.%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ccm, dns, helm}, why: "An address moves on and others note it."})
		}},
		{"conditions-one-type", "status-conditions", 4, func(p *play) {
			p.in("apps")
			p.define("apps.example.com", "v1", "App", "Namespaced", "")
			t := p.thing("apiVersion: apps.example.com/v1\nkind: App\nmetadata: {name: crm}\nspec: {size: small}")
			a, b := p.service("apps/app-controller", "app-controller/v1 (linux/amd64)", ""), p.service("apps/health-controller", "health-controller/v1 (linux/amd64)", "").reacts(200*time.Millisecond, 3*sec)
			a.create(t)
			set := func(status, reason string) func(o object) {
				return func(o object) {
					o.set([]any{map[string]any{"type": "Ready", "status": status, "reason": reason, "lastTransitionTime": p.now()}}, "status", "conditions")
				}
			}
			p.every(30, 6*m, func(i int) {
				a.updateStatus(t, set("True", "Reconciled"))
				b.updateStatus(t, set("False", "ProbeFailed"))
			})
			p.fight(what{things: []*thing{t}, fields: []string{"status.conditions"}, writers: []*actor{a, b}, winner: b, mechanism: "full update of the status", why: "Two controllers write one condition, Ready, with opposite values."})
		}},
		{"conditions-clobbered", "status-conditions", 5, func(p *play) {
			p.in("apps-eu")
			p.define("apps.example.eu", "v1", "App", "Namespaced", "")
			t := p.thing("apiVersion: apps.example.eu/v1\nkind: App\nmetadata: {name: crm}\nspec: {size: small}")
			a, b := p.service("apps-eu/app-controller", "app-controller/v1 (linux/amd64)", ""), p.service("apps-eu/dns-controller", "dns-controller/v1 (linux/amd64)", "").reacts(200*time.Millisecond, 3*sec)
			a.create(t)
			p.every(25, 8*m, func(i int) {
				a.mergeStatus(t, `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`)
				b.mergeStatus(t, `{"status":{"conditions":[{"type":"DNSReady","status":"True"}]}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"status.conditions"}, writers: []*actor{a, b}, winner: b, mechanism: "list replaced as a whole", why: "Merge patches of a list: each controller's condition removes the other's."})
		}},
		{"conditions-own-types", "status-conditions", 5, func(p *play) {
			p.in("apps-us")
			t := p.deployment("crm", 2)
			kcm, gate := p.kcm("deployment-controller"), p.service("apps-us/slo-controller", "slo-controller/v1 (linux/amd64)", "")
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(25, 10*m, func(i int) {
				kcm.strategicStatus(t, fmt.Sprintf(`{"status":{"conditions":[{"type":"Available","status":"%s"}]}}`, []string{"True", "False"}[i/6%2]))
				gate.strategicStatus(t, fmt.Sprintf(`{"status":{"conditions":[{"type":"SLO","status":"%s"}]}}`, []string{"True", "False"}[i/8%2]))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{kcm, gate}, why: "Conditions of different types, joined by type."})
		}},
		{"three-gitops-hpa-downscaler", "three-parties", 7, func(p *play) {
			p.in("triple")
			t := p.deployment("api", 3)
			flux, hpa, down := p.fluxController(), p.autoscaler(), p.service("kube-downscaler/py-kube-downscaler", "py-kube-downscaler/23.2.0 Python-urllib/3.12", "").reacts(10*sec, 60*sec)
			flux.apply(t, t.object)
			p.every(16, 12*m, func(i int) {
				hpa.scale(t, 7)
				p.sleep(5 * m)
				down.merge(t, `{"spec":{"replicas":1}}`)
				p.sleep(5 * m)
				flux.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.replicas"}, writers: []*actor{flux, hpa, down}, winner: flux, mechanism: "scale", why: "Three programs want 3, 7 and 1 replicas."})
		}},
		{"three-labelers", "three-parties", 4, func(p *play) {
			p.in("triple-eu")
			t := p.config("owner", map[string]any{"a": "b"})
			var all []*actor
			for _, team := range []string{"red", "green", "blue"} {
				all = append(all, p.service("triple-eu/"+team+"-operator", team+"-operator/v1 (linux/amd64)", ""))
			}
			all[0].create(t)
			p.every(45, 4*m, func(i int) {
				all[i%3].merge(t, fmt.Sprintf(`{"metadata":{"labels":{"owner":"%s"}}}`, []string{"red", "green", "blue"}[i%3]))
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.labels["owner"]`}, writers: all, winner: all[2], mechanism: "patches", why: "Three operators claim one object by a label, in turn."})
		}},
		{"three-relay", "three-parties", 9, func(p *play) {
			p.in("triple-us")
			t := p.config("relay", map[string]any{"stage": "0"})
			var all []*actor
			for _, name := range []string{"fetch", "build", "ship"} {
				all = append(all, p.service("triple-us/"+name, name+"/v1 (linux/amd64)", "").reacts(sec, 30*sec))
			}
			all[0].create(t)
			p.every(12, 40*m, func(i int) {
				for k, a := range all {
					a.merge(t, fmt.Sprintf(`{"data":{"stage":"%d-%d"}}`, i, k))
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: all, why: "Three steps of a relay write one field in turn, each time something new."})
		}},
	}
}

// authority returns certificate n of an authority, as a webhook configuration
// contains it.
func (p *play) authority(n int) string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		p.fail("%v", err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(int64(n) + 1), Subject: pkix.Name{CommonName: p.id}, NotBefore: day, NotAfter: day.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		p.fail("%v", err)
	}
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// tryApply sends a server-side apply without force. The server may refuse it.
func (a *actor) tryApply(t *thing, o object) answer {
	return a.send(http.MethodPatch, t.path(), applyPatch, o, "force", "false")
}
