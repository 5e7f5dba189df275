package main

import (
	"fmt"
	"net/http"
	"time"
)

// calmClusters4 returns scenes without a fight in the cluster itself: nodes,
// certificates, tokens and storage.
func calmClusters4() []scene {
	return []scene{
		{"spot-drains", "", 8, func(p *play) {
			handler, alice := p.service("kube-system/aws-node-termination-handler", "node-termination-handler/v1.25 (linux/amd64) kubernetes/$Format", ""), p.person("alice@example.com", kubectlAgent, "kubectl-cordon")
			kubelet := p.person("system:node:worker-2", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "")
			var all []*thing
			for i := range 5 {
				t := p.node(fmt.Sprintf("ip-10-9-0-%d", 11+i))
				all = append(all, t)
				kubelet.create(t)
				p.sleep(40 * m)
				handler.strategic(t, `{"spec":{"unschedulable":true}}`)
				handler.merge(t, `{"metadata":{"labels":{"aws-node-termination-handler/action":"cordon-and-drain"}}}`)
				if i%2 == 1 { // the event was withdrawn
					p.sleep(25 * m)
					alice.kubectl("", "uncordon", t.id)
					continue
				}
				p.sleep(2 * m)
				handler.delete(t)
			}
			p.lookalike(what{things: all, writers: []*actor{handler, alice, kubelet}, real: "kubectl is real",
				why: "Nodes are cordoned before they go; twice an administrator takes a withdrawn one back into use."})
		}},
		{"shards-handed-over", "", 4, func(p *play) {
			p.in("metrics-store")
			t := p.thing("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: shard-3}\nspec: {leaseDurationSeconds: 30}")
			var pods []*actor
			for _, n := range []string{"ingester-0", "ingester-1", "ingester-2"} {
				pods = append(pods, p.replica("metrics-store/ingester", n, "ingester/2.17 (linux/amd64) kubernetes/$Format", ""))
			}
			pods[0].create(t)
			for i, turn := range []int{0, 1, 0, 2, 1, 0, 2} { // one replica releases the lease, and then the next one acquires it
				a := pods[turn]
				p.sleep(time.Duration(3+i%4) * m)
				a.update(t, func(o object) {
					o.set(fmt.Sprintf("ingester-%d", turn), "spec", "holderIdentity").set(p.micro(), "spec", "acquireTime").set(p.micro(), "spec", "renewTime")
				})
				p.every(20, 10*sec, func(int) { a.update(t, func(o object) { o.set(p.micro(), "spec", "renewTime") }) })
				a.update(t, func(o object) { o.set("", "spec", "holderIdentity") })
			}
			p.lookalike(what{things: []*thing{t}, writers: pods, why: "Replicas hand a shard over: each releases the lease before the next one acquires it."})
		}},
		{"vault-rotates", "", 9, func(p *play) {
			p.in("reporting-db")
			t := p.thing("apiVersion: v1\nkind: Secret\nmetadata: {name: db-login}\ndata: {username: '" + b64("user", 0) + "', password: '" + b64("pw", 0) + "'}")
			vault, pooler := p.service("vault/vault-secrets-operator", "vault-secrets-operator/0.10 (linux/amd64) kubernetes/$Format", "vault-secrets-operator"), p.service("reporting-db/pooler", "pgbouncer-agent/1.2 okhttp/4.12", "pooler")
			vault.create(t)
			p.every(16, 30*m, func(i int) {
				vault.update(t, func(o object) {
					o.set(b64("user", i+1), "data", "username").set(b64("pw", i+1), "data", "password")
				})
				p.sleepBetween(3*sec, 40*sec)
				pooler.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"pooler.example.com/loaded":"v%d"}}}`, i+1))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{vault, pooler}, why: "Credentials rotate; their consumer notes which version it has loaded."})
		}},
		{"authority-renewed", "", 12, func(p *play) {
			t := p.thing("apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: sidecars-v4}\nwebhooks: [{name: inject.sidecars.example.io, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Ignore, clientConfig: {url: 'https://sidecars.example.com/inject'}, rules: [{apiGroups: [sidecars.example.io], apiVersions: [v1], operations: [CREATE], resources: [nothings]}]}]")
			inject, op := p.service("cert-manager/cert-manager-cainjector", "cainjector/v1.19 (linux/amd64) cert-manager", "cert-manager-cainjector"), p.service("sidecars/injector", "injector/4.1 (linux/amd64) kubernetes/$Format", "injector")
			op.create(t)
			p.every(7, 95*m, func(i int) {
				if i%3 == 1 {
					op.update(t, func(o object) { o.at("webhooks", "0")["timeoutSeconds"] = 5 + i })
				}
				p.sleepBetween(5*m, 20*m)
				inject.update(t, func(o object) { o.at("webhooks", "0", "clientConfig")["caBundle"] = p.authority(i) })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{inject, op}, why: "The injector of authorities renews the bundle, the owner changes a timeout now and then and keeps the bundle."})
		}},
		{"dump-requested", "", 5, func(p *play) {
			p.in("jvm-apps")
			t := p.pod0("catalog-7d9c-x2x")
			watcher, dumper := p.service("monitoring/heap-watcher", "heap-watcher/0.6 (linux/amd64)", "heap-watcher"), p.service("jvm-apps/heap-dumper", "heap-dumper/0.6 (linux/amd64)", "heap-dumper")
			watcher.create(t)
			p.every(11, 24*m, func(i int) {
				watcher.merge(t, `{"metadata":{"annotations":{"ops.example.com/heap-dump":"requested"}}}`)
				p.sleepBetween(2*sec, 30*sec)
				dumper.get(t)
				p.sleepBetween(20*sec, 80*sec)
				dumper.merge(t, `{"metadata":{"annotations":{"ops.example.com/heap-dump":null}}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{watcher, dumper}, why: "A watcher asks for a heap dump; the dumper serves the request and removes it."})
		}},
		{"preview-claims", "", 10, func(p *play) {
			p.in("previews")
			p.define("env.example.io", "v1", "Preview", "Namespaced", "")
			t := p.thing("apiVersion: env.example.io/v1\nkind: Preview\nmetadata: {name: pr-481}\nspec: {branch: feature/cart}")
			ci, dns, db := p.person("github-actions", kubectlAgent, ""), p.operatorOf("previews-system/dns-controller", "dns-controller"), p.operatorOf("previews-system/db-controller", "db-controller")
			p.every(6, 80*m, func(i int) { // one pull request, opened and closed as the author works
				ci.kubectl(t.object.yaml(), "create", "-f", "-")
				dns.update(t, func(o object) { o.set([]any{"env.example.io/dns"}, "metadata", "finalizers") })
				db.update(t, func(o object) {
					o.set([]any{"env.example.io/dns", "env.example.io/db"}, "metadata", "finalizers")
				})
				db.updateStatus(t, func(o object) { o.set("Ready", "status", "phase") })
				p.sleep(20 * m)
				ci.kubectl("", "delete", "preview", t.id, "--wait=false")
				db.update(t, func(o object) { o.set([]any{"env.example.io/dns"}, "metadata", "finalizers") })
				p.sleepBetween(sec, 20*sec)
				dns.update(t, func(o object) { delete(o.at("metadata"), "finalizers") })
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, dns, db}, real: "kubectl is real", why: "An environment of one name comes and goes with its pull request; two controllers add their finalizers and remove them when it is deleted."})
		}},
		{"ports-allocated", "", 3, func(p *play) {
			p.in("game-hosting")
			t := p.config("port-range", map[string]any{"next": "30100"})
			eu, us := p.service("game-hosting/allocator-eu", "allocator/1.0 (linux/amd64) kubernetes/$Format", "").reacts(80*time.Millisecond, 900*time.Millisecond), p.service("game-hosting/allocator-us", "allocator/1.0 (linux/amd64) kubernetes/$Format", "").reacts(80*time.Millisecond, 900*time.Millisecond)
			eu.create(t)
			n := 30100
			next := func(a *actor) func(int) {
				return func(i int) {
					stale := a.get(t)
					n++
					a.update(t, func(o object) { o.set(fmt.Sprint(n), "data", "next") })
					if i%5 == 2 { // a concurrent request of this program has read the object before the write
						a.send(http.MethodPut, t.path(), "", stale.with(fmt.Sprint(n), "data", "next"))
					}
				}
			}
			p.together(2*time.Hour, beat{2 * m, next(eu)}, beat{3 * m, next(us)})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{eu, us}, why: "Two allocators count up one number; stale writes are refused and retried."})
		}},
		{"migration-jobs", "", 10, func(p *play) {
			p.in("nightly")
			t := p.thing("apiVersion: batch/v1\nkind: Job\nmetadata: {name: schema-migration}\nspec: {ttlSecondsAfterFinished: 300, template: {spec: {restartPolicy: Never, containers: [{name: migrate, image: registry.example.com/migrate:1}]}}}")
			ci, ttl := p.person("jenkins", kubectlAgent, "kubectl-create"), p.kcm("ttl-after-finished-controller")
			jobs := p.kcm("job-controller")
			p.every(12, 45*m, func(i int) {
				o := t.object.clone()
				o.at("spec", "template", "spec", "containers", "0")["image"] = fmt.Sprintf("registry.example.com/migrate:%d", i)
				ci.kubectl(o.yaml(), "create", "-f", "-")
				jobs.updateStatus(t, func(o object) { o.set(1, "status", "active").set(p.now(), "status", "startTime") })
				p.sleepBetween(30*sec, 3*m)
				jobs.updateStatus(t, func(o object) { o.set(0, "status", "active").set(1, "status", "succeeded") })
				p.sleep(5 * m)
				ttl.delete(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, ttl, jobs}, real: "kubectl is real", why: "Each deployment creates its migration job, which is deleted some minutes after it has finished."})
		}},
		{"balancer-parts", "", 8, func(p *play) {
			p.in("ingress-edge")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: edge}\nspec: {type: LoadBalancer, selector: {app: edge}, ports: [{name: https, port: 443, nodePort: 31443}]}")
			ci, metal, dns := p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply"), p.service("metallb-system/controller", "controller/v0.15 (linux/amd64) metallb", ""), p.service("dns/dns-annotator", "dns-annotator/2.0 (linux/amd64)", "dns-annotator")
			p.every(9, 48*m, func(i int) {
				ci.kubectl(t.object.with(fmt.Sprintf("build-%d", 70+i), "metadata", "labels", "build").yaml(), "apply", "-f", "-")
				metal.update(t, func(o object) { o.set("edge-pool", "metadata", "annotations", "metallb.io/ip-allocated-from-pool") })
				metal.updateStatus(t, func(o object) {
					o.set([]any{map[string]any{"ip": "192.0.2.44"}}, "status", "loadBalancer", "ingress")
				})
				dns.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"dns.example.com/synced":"%s"}}}`, p.now()))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{ci, metal, dns}, real: "kubectl is real", why: "A pipeline, a load balancer and a DNS tool write their own fields of a service."})
		}},
		{"volume-snapshots", "", 12, func(p *play) {
			p.in("wiki")
			t := p.thing("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: wiki-data}\nspec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 10Gi}}}")
			velero, longhorn, bob := p.service("velero/velero", "velero-server/v1.17 (linux/amd64) kubernetes/$Format", ""), p.service("longhorn-system/longhorn-manager", "longhorn-manager/v1.10 (linux/amd64) kubernetes/$Format", ""), p.person("bob@example.com", kubectlAgent, "kubectl-label")
			bob.create(t)
			bob.kubectl("", "label", "pvc", t.id, "tier=gold")
			p.together(11*time.Hour, beat{time.Hour, func(i int) {
				velero.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"velero.io/backup-name":"hourly-%d"}}}`, i))
			}}, beat{30 * m, func(i int) {
				longhorn.update(t, func(o object) {
					o.set(p.now(), "metadata", "annotations", "longhorn.io/last-snapshot")
				})
			}})
			bob.kubectl("", "label", "--overwrite", "pvc", t.id, "tier=silver")
			p.lookalike(what{things: []*thing{t}, writers: []*actor{velero, longhorn, bob}, real: "kubectl is real", why: "Backup tools note their last runs on a volume claim, a person changes its tier once."})
		}},
		{"cluster-agents", "", 6, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-geo, labels: {team: geo}}")
			rancher, tf, kubecost := p.service("cattle-system/rancher-agent", "rancher/v2.12 (linux/amd64) kubernetes/$Format", ""), p.person("terraform", "HashiCorp/1.0 Terraform/1.9.8", "Terraform"), p.service("kubecost/annotator", "Go-http-client/1.1", "")
			tf.create(t)
			p.together(5*time.Hour, beat{4 * m, func(int) {
				rancher.update(t, func(o object) { o.set(p.now(), "metadata", "annotations", "lifecycle.cattle.io/checked") })
			}}, beat{30 * m, func(i int) {
				tf.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"module-version":"1.%d"}}}`, i/3))
			}}, beat{15 * m, func(i int) {
				kubecost.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"cost.example.com/month-to-date":"%d"}}}`, 1000+7*i))
			}})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{rancher, tf, kubecost}, why: "Three agents keep labels and annotations of their own on a namespace."})
		}},
		{"renewed-by-challenge", "", 12, func(p *play) {
			p.in("blog")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: cm-acme-http-solver}\nspec: {rules: [{host: blog.example.com, http: {paths: [{path: /.well-known/acme-challenge/x, pathType: Exact, backend: {service: {name: solver, port: {number: 8089}}}}]}}]}")
			acme, nginx := p.service("cert-manager/cert-manager", "cert-manager-challenges/v1.19 (linux/amd64) cert-manager", "cert-manager-challenges"), p.service("ingress-nginx/ingress-nginx", "nginx-ingress-controller/v1.14 (linux/amd64) ingress-nginx", "")
			p.every(7, 90*m, func(i int) { // each try fails because of a limit of the certificate authority
				acme.create(t)
				p.sleepBetween(2*sec, 30*sec)
				nginx.updateStatus(t, func(o object) {
					o.set([]any{map[string]any{"ip": "192.0.2.9"}}, "status", "loadBalancer", "ingress")
				})
				p.sleepBetween(20*sec, 2*m)
				acme.delete(t)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{acme, nginx}, why: "cert-manager creates and deletes the solver of each challenge, the ingress controller reports its address."})
		}},
	}
}
