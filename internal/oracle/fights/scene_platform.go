package main

import (
	"fmt"
	"time"
)

func platformScenes() []scene {
	return []scene{
		{"endpoints-selector", "endpoints", 3, func(p *play) {
			p.in("hybrid")
			t := p.thing("apiVersion: v1\nkind: Endpoints\nmetadata: {name: legacy-db}\nsubsets: [{addresses: [{ip: 10.200.1.5}], ports: [{port: 5432}]}]")
			sync, kcm := p.service("hybrid/endpoint-sync", "endpoint-sync/v0.8 (linux/amd64)", ""), p.kcm("endpoint-controller").reacts(100*time.Millisecond, sec)
			sync.create(t)
			p.every(30, 5*m, func(i int) {
				kcm.update(t, func(o object) { delete(o, "subsets") })
				p.sleep(10 * sec)
				sync.update(t, func(o object) { o["subsets"] = t.object.clone()["subsets"] })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"subsets"}, writers: []*actor{sync, kcm}, winner: sync, mechanism: "full updates", why: "The Service has a selector that matches no pod, so the endpoint controller empties what a program fills in."})
		}},
		{"endpoints-slices", "endpoints", 4, func(p *play) {
			p.in("hybrid-eu")
			t := p.thing("apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: legacy-db-x, labels: {kubernetes.io/service-name: legacy-db}}\naddressType: IPv4\nports: [{name: pg, port: 5432}]\nendpoints: [{addresses: [10.200.1.5]}]")
			a, b := p.service("hybrid-eu/mesh-sync", "mesh-sync/v0.8 (linux/amd64)", "mesh-sync"), p.service("submariner/lighthouse", "lighthouse-agent/v0.21 (linux/amd64)", "").reacts(sec, 5*sec)
			a.create(t)
			p.every(20, 9*m, func(i int) {
				b.update(t, func(o object) { o["endpoints"] = []any{map[string]any{"addresses": []string{"242.0.0.9"}}} })
				a.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"endpoints"}, writers: []*actor{a, b}, winner: a, mechanism: "forced apply against full update", why: "Two multi-cluster tools write different addresses into one slice."})
		}},
		{"endpoints-rollout", "endpoints", 8, func(p *play) {
			p.in("hybrid-us")
			t := p.thing("apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: web-abc, labels: {kubernetes.io/service-name: web}}\naddressType: IPv4\nports: [{name: http, port: 80}]\nendpoints: [{addresses: [10.1.1.5]}]")
			kcm := p.kcm("endpointslice-controller")
			kcm.create(t)
			p.every(30, 14*m, func(i int) {
				kcm.update(t, func(o object) {
					o["endpoints"] = []any{map[string]any{"addresses": []string{fmt.Sprintf("10.1.1.%d", 5+i/2%3)}, "conditions": map[string]any{"ready": i%2 == 0}}}
				})
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kcm}, why: "Pods become ready and unready, and one controller says so."})
		}},
		{"versions-side-by-side", "operator-versions", 2, func(p *play) {
			p.in("redis")
			t := p.workload("StatefulSet", "cache", 3)
			v1 := p.replica("redis/redis-operator", "redis-operator-5d8f-old11", "redis-operator/v1.8.0 (linux/amd64) kubernetes/$Format", "")
			v2 := p.replica("redis/redis-operator", "redis-operator-7b9c-new22", "redis-operator/v1.9.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*sec)
			v1.create(t)
			p.every(35, 2*m, func(i int) {
				v2.update(t, func(o object) { o.set(60.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
				v1.update(t, func(o object) { o.set(30.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.terminationGracePeriodSeconds"}, writers: []*actor{v1, v2}, winner: v1, mechanism: "full updates", why: "Two versions of one operator run side by side with one service account and disagree about a default."})
		}},
		{"versions-two-installations", "operator-versions", 5, func(p *play) {
			p.in("certs")
			t := p.config("trust-bundle", map[string]any{"ca.crt": "v1"})
			a, b := p.service("cert-manager/trust-manager", "trust-manager/v0.12.0 (linux/amd64)", "trust-manager"), p.service("cert-manager-new/trust-manager", "trust-manager/v0.19.0 (linux/amd64)", "trust-manager").reacts(200*time.Millisecond, 2*sec)
			a.create(t)
			p.every(25, 10*m, func(i int) {
				a.apply(t, t.object)
				b.apply(t, t.object.with("v1+v2", "data", "ca.crt"))
			})
			p.fight(what{things: []*thing{t}, fields: []string{`data["ca.crt"]`}, writers: []*actor{a, b}, winner: b, mechanism: "shared manager", why: "Two installations of one operator apply with the same manager name, so that no conflict shows."})
		}},
		{"versions-rollout", "operator-versions", 2, func(p *play) {
			p.in("redis-eu")
			t := p.workload("StatefulSet", "cache", 3)
			v1 := p.replica("redis-eu/redis-operator", "redis-operator-5d8f-old11", "redis-operator/v1.8.0 (linux/amd64) kubernetes/$Format", "")
			v2 := p.replica("redis-eu/redis-operator", "redis-operator-7b9c-new22", "redis-operator/v1.9.0 (linux/amd64) kubernetes/$Format", "").reacts(100*time.Millisecond, 2*sec)
			v1.create(t)
			for range 10 {
				p.sleep(5 * m)
				v1.update(t, func(o object) { o.set(30.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
			}
			v2.update(t, func(o object) { o.set(60.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
			v1.update(t, func(o object) { o.set(30.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
			for range 10 {
				v2.update(t, func(o object) { o.set(60.0, "spec", "template", "spec", "terminationGracePeriodSeconds") })
				p.sleep(5 * m)
			}
			p.lookalike(what{things: []*thing{t}, writers: []*actor{v1, v2}, why: "A rollout of an operator: old and new overlap for seconds, then the new one's value stays."})
		}},
		{"cr-operators-spec", "custom-resources", 5, func(p *play) {
			p.in("kafka-us")
			p.define("kafka.example.com", "v1", "KafkaTopic", "Namespaced", "{type: object, properties: {partitions: {type: integer}, replicas: {type: integer, default: 3}, config: {type: object, additionalProperties: {type: string}}}}")
			t := p.thing("apiVersion: kafka.example.com/v1\nkind: KafkaTopic\nmetadata: {name: orders}\nspec: {partitions: 12, config: {retention.ms: '7200000'}}")
			topic, argo := p.service("kafka-us/topic-operator", "fabric8-kubernetes-client/7.3.1", "").reacts(500*time.Millisecond, 4*sec), p.argoController()
			argo.threeWay(t, t.object)
			p.every(25, 7*m, func(i int) {
				topic.update(t, func(o object) { o.set("604800000", "spec", "config", "retention.ms") })
				p.sleep(3 * m)
				argo.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.config["retention.ms"]`}, writers: []*actor{topic, argo}, winner: argo, mechanism: "full update against three-way patch", why: "A two-way topic operator writes the broker's value into the spec, and Argo CD puts git's value back."})
		}},
		{"cr-replace-drops-defaults", "custom-resources", 8, func(p *play) {
			p.in("dbs")
			p.define("db.example.com", "v1", "Database", "Namespaced", "")
			t := p.thing("apiVersion: db.example.com/v1\nkind: Database\nmetadata: {name: orders}\nspec: {engine: postgres, storage: 20Gi}")
			op, ci := p.service("dbs/db-operator", "db-operator/v0.9.0 (linux/amd64)", "").reacts(80*time.Millisecond, 2*sec), p.person("jenkins", kubectlAgent, "kubectl-replace")
			ci.create(t)
			p.every(14, 30*m, func(i int) {
				ci.kubectl(t.object.yaml(), "replace", "-f", "-")
				op.update(t, func(o object) { o.set("rds-orders-7712", "spec", "externalID") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.externalID"}, writers: []*actor{ci, op}, winner: op, mechanism: "full update", real: "kubectl is real; the operator is emulated", why: "The pipeline replaces the whole resource and drops the ID that the operator keeps in the spec."})
		}},
		{"cr-list-without-keys", "custom-resources", 4, func(p *play) {
			p.in("proxy")
			p.define("proxy.example.com", "v1", "Proxy", "Namespaced", "{type: object, properties: {listeners: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}}}")
			t := p.thing("apiVersion: proxy.example.com/v1\nkind: Proxy\nmetadata: {name: edge}\nspec: {listeners: [{name: http, port: 80}]}")
			a, b := p.service("proxy/http-controller", "http-controller/v1 (linux/amd64)", "http-controller"), p.service("proxy/tls-controller", "tls-controller/v1 (linux/amd64)", "tls-controller").reacts(100*time.Millisecond, 3*sec)
			a.apply(t, t.object)
			second := parse("apiVersion: proxy.example.com/v1\nkind: Proxy\nmetadata: {name: edge, namespace: proxy}\nspec: {listeners: [{name: https, port: 443}]}")
			p.every(25, 6*m, func(i int) { b.apply(t, second); a.apply(t, t.object) })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.listeners"}, writers: []*actor{a, b}, winner: a, mechanism: "list replaced as a whole", why: "The list has no keys in the schema: each applies its own listener and so removes the other's."})
		}},
		{"cr-list-with-keys", "custom-resources", 4, func(p *play) {
			p.in("proxy-eu")
			p.define("proxy.example.eu", "v1", "Proxy", "Namespaced", "{type: object, properties: {listeners: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, port: {type: integer}}}}}}")
			t := p.thing("apiVersion: proxy.example.eu/v1\nkind: Proxy\nmetadata: {name: edge}\nspec: {listeners: [{name: http, port: 80}]}")
			a, b := p.service("proxy-eu/http-controller", "http-controller/v1 (linux/amd64)", "http-controller"), p.service("proxy-eu/tls-controller", "tls-controller/v1 (linux/amd64)", "tls-controller").reacts(100*time.Millisecond, 3*sec)
			a.apply(t, t.object)
			p.every(25, 6*m, func(i int) {
				b.apply(t, parse(fmt.Sprintf("apiVersion: proxy.example.eu/v1\nkind: Proxy\nmetadata: {name: edge, namespace: proxy-eu}\nspec: {listeners: [{name: https, port: %d}]}", 443+i%2*8000)))
				a.apply(t, parse(fmt.Sprintf("apiVersion: proxy.example.eu/v1\nkind: Proxy\nmetadata: {name: edge, namespace: proxy-eu}\nspec: {listeners: [{name: http, port: %d}]}", 80+i%2*8000)))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{a, b}, why: "The list is keyed by name: each owns its own listener, whose port changes and changes back."})
		}},
		{"role-aggregated", "aggregated-roles", 6, func(p *play) {
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: monitoring-reader}\naggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: monitoring}}]}\nrules: []")
			argo, kcm := p.argoController(), p.kcm("clusterrole-aggregation-controller").reacts(30*time.Millisecond, 500*time.Millisecond)
			kcm.manager = "clusterrole-aggregation-controller"
			argo.create(t)
			rules := parse("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: monitoring-reader}\nrules: [{apiGroups: [metrics.k8s.io], resources: [pods], verbs: [get, list]}]")
			kcm.apply(t, rules)
			p.every(30, 4*m, func(i int) {
				argo.update(t, func(o object) { o["rules"] = []any{} })
				kcm.apply(t, rules)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"rules"}, writers: []*actor{argo, kcm}, winner: kcm, mechanism: "full update against forced apply", why: "Argo CD replaces an aggregated role with empty rules, and the aggregation controller fills them in."})
		}},
		{"role-releases", "aggregated-roles", 20, func(p *play) {
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: app-reader}\nrules: [{apiGroups: [''], resources: [pods], verbs: [get]}]")
			ci, olm := p.person("github-actions", kubectlAgent, "kubectl"), p.service("olm/olm-operator-serviceaccount", "olm/v0.34.0 (linux/amd64)", "")
			ci.create(t)
			p.every(9, 2*60*m, func(i int) {
				ci.apply(t, t.object.with([]any{map[string]any{"apiGroups": []string{""}, "resources": []string{"pods", fmt.Sprintf("things%d", i)}, "verbs": []string{"get"}}}, "rules"))
				p.sleep(20 * m)
				olm.merge(t, fmt.Sprintf(`{"metadata":{"labels":{"olm.copied.from":"r%d"}}}`, i%2))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{ci, olm}, why: "New rules with each release; another program writes a label."})
		}},
		{"sa-pull-secrets", "service-accounts", 4, func(p *play) {
			p.in("openshift-apps")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builder}")
			ocm, argo := p.service("openshift-infra/serviceaccount-pull-secrets-controller", "openshift-controller-manager/v4.19 (linux/amd64) kubernetes/$Format", ""), p.argoController()
			argo.create(t)
			p.every(30, 4*m, func(i int) {
				ocm.update(t, func(o object) {
					o["imagePullSecrets"] = []any{map[string]any{"name": fmt.Sprintf("builder-dockercfg-%d", i)}}
				})
				p.sleep(m)
				argo.update(t, func(o object) { delete(o, "imagePullSecrets") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"imagePullSecrets"}, writers: []*actor{ocm, argo}, winner: argo, mechanism: "full updates", why: "A controller adds a new pull secret each time, and a replacing sync removes it: the added values differ."})
		}},
		{"sa-annotations", "service-accounts", 9, func(p *play) {
			p.in("irsa")
			t := p.thing("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: uploader}")
			tf, helm := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform"), p.service("flux-system/helm-controller", "Helm/3.18.4", "helm")
			helm.create(t)
			p.every(9, 50*m, func(i int) {
				tf.merge(t, fmt.Sprintf(`{"metadata":{"annotations":{"eks.amazonaws.com/role-arn":"arn:aws:iam::123:role/uploader-%d"}}}`, i/5))
				p.sleep(5 * m)
				helm.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"helm.sh/chart":"uploader-1.0.%d"}}}`, i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{tf, helm}, why: "Terraform owns an annotation and Helm the labels."})
		}},
		{"storageclass-default", "storage-class", 8, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp3, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}\nprovisioner: ebs.csi.aws.com")
			addon, tf := p.person("eks:addon-manager", "eks-addon-manager/v1 (linux/amd64)", "eks"), p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform")
			addon.apply(t, t.object)
			p.every(16, 15*m, func(i int) {
				tf.merge(t, `{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"false"}}}`)
				p.sleep(12 * m)
				addon.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["storageclass.kubernetes.io/is-default-class"]`}, writers: []*actor{addon, tf}, winner: addon, mechanism: "patch against forced apply", why: "The add-on manager makes its class the default and Terraform another."})
		}},
		{"storageclass-once", "storage-class", 20, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: gp2, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}\nprovisioner: ebs.csi.aws.com")
			addon, human := p.person("eks:addon-manager", "eks-addon-manager/v1 (linux/amd64)", "eks"), p.person("bob@example.com", kubectlAgent, "kubectl-patch")
			addon.apply(t, t.object)
			p.sleep(6 * 60 * m)
			human.kubectl("", "patch", "storageclass", t.id, "-p", `{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"false"}}}`)
			p.sleep(5 * 60 * m)
			addon.apply(t, t.object)
			p.sleep(m)
			human.kubectl("", "patch", "storageclass", t.id, "-p", `{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"false"}}}`)
			p.lookalike(what{things: []*thing{t}, writers: []*actor{addon, human}, real: "kubectl is real", why: "A human changes a default, an add-on upgrade resets it once, and the human changes it again: that is all."})
		}},
		{"addon-coredns", "addons", 3, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: coredns, namespace: kube-system}\ndata: {Corefile: '.:53 { forward . /etc/resolv.conf }'}")
			addon, op := p.person("system:addon-manager", "kubectl/v1.36.4 (linux/amd64) kubernetes/1a2b3c4", "kubectl-client-side-apply"), p.service("dns/dns-customizer", "dns-customizer/v1 (linux/amd64)", "").reacts(300*time.Millisecond, 4*sec)
			addon.threeWay(t, t.object)
			p.every(70, m, func(i int) {
				op.update(t, func(o object) { o.set(".:53 { forward . 10.0.0.2 }", "data", "Corefile") })
				p.sleep(50 * sec)
				addon.threeWay(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.Corefile"}, writers: []*actor{addon, op}, winner: addon, mechanism: "full update against three-way patch", why: "The add-on manager applies its file every minute and an operator customizes it."})
		}},
		{"addon-ensure-exists", "addons", 3, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: coredns-custom, namespace: kube-system}\ndata: {a.server: x}")
			addon, op := p.person("system:addon-manager", "kubectl/v1.36.4 (linux/amd64) kubernetes/1a2b3c4", "kubectl-create"), p.service("dns/dns-customizer", "dns-customizer/v1 (linux/amd64)", "")
			addon.create(t)
			p.every(40, 2*m, func(i int) {
				addon.send("POST", t.collection(), "", t.object)
				if i%5 == 0 {
					op.update(t, func(o object) { o.set(fmt.Sprint("zone ", i), "data", "a.server") })
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{addon, op}, why: "The add-on manager only makes the object if it is absent: its creates are refused, and an operator writes."})
		}},
		{"policy-quota", "policies", 7, func(p *play) {
			p.in("team-blue")
			t := p.thing("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: compute}\nspec: {hard: {requests.cpu: '20'}}")
			tenant, ci := p.service("capsule-system/capsule", "capsule/v0.10.0 (linux/amd64)", "").reacts(200*time.Millisecond, 2*sec), p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply")
			ci.threeWay(t, t.object)
			p.every(13, 30*m, func(i int) {
				ci.threeWay(t, t.object)
				tenant.update(t, func(o object) { o.set("10", "spec", "hard", "requests.cpu") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`spec.hard["requests.cpu"]`}, writers: []*actor{tenant, ci}, winner: tenant, mechanism: "full update against three-way patch", why: "The tenant operator enforces a quota that a team's pipeline raises."})
		}},
		{"policy-quota-status", "policies", 7, func(p *play) {
			p.in("team-green")
			t := p.thing("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: compute}\nspec: {hard: {pods: '20'}}")
			kcm, ci := p.kcm("resourcequota-controller"), p.person("gitlab-runner", kubectlAgent, "kubectl-client-side-apply")
			ci.create(t)
			p.every(40, 9*m, func(i int) {
				kcm.updateStatus(t, func(o object) {
					o.set(map[string]any{"pods": fmt.Sprint(3 + i%2)}, "status", "used").set(map[string]any{"pods": "20"}, "status", "hard")
				})
				if i%8 == 0 {
					ci.strategic(t, fmt.Sprintf(`{"metadata":{"labels":{"rev":"%d"}}}`, i))
				}
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{kcm, ci}, why: "The use of a quota goes up and down in its status."})
		}},
		{"policy-pdb", "policies", 5, func(p *play) {
			p.in("team-red")
			t := p.thing("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 2, selector: {matchLabels: {app: web}}}")
			helm, kyverno := p.service("flux-system/helm-controller", "Helm/3.18.4", "helm"), p.service("kyverno/kyverno-background-controller", "background-controller/v0.0.0 (linux/amd64) kubernetes/$Format", "")
			helm.create(t)
			p.every(14, 20*m, func(i int) {
				kyverno.update(t, func(o object) { o.set(1, "spec", "minAvailable") })
				p.sleep(5 * m)
				helm.merge(t, `{"spec":{"minAvailable":2}}`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.minAvailable"}, writers: []*actor{helm, kyverno}, winner: helm, mechanism: "patch against full update", why: "A mutate-existing policy and a Helm release's drift correction disagree about a budget."})
		}},
		{"terraform-daily", "terraform", 23, func(p *play) {
			p.in("data")
			t := p.config("airflow-env", map[string]any{"WORKERS": "4"})
			tf, op := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform"), p.service("data/airflow-operator", "airflow-operator/v1 (linux/amd64)", "")
			tf.create(t)
			p.every(6, 3*60*m, func(i int) {
				op.update(t, func(o object) { o.set("8", "data", "WORKERS") })
				p.sleep(25 * m)
				tf.json(t, `[{"op":"replace","path":"/data/WORKERS","value":"4"}]`)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"data.WORKERS"}, writers: []*actor{tf, op}, winner: tf, mechanism: "patch against full update", why: "Each run of Terraform, six a day, puts back what an operator tunes."})
		}},
		{"terraform-variables", "terraform", 20, func(p *play) {
			p.in("data-eu")
			t := p.config("airflow-env", map[string]any{"WORKERS": "4"})
			tf := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.0", "Terraform")
			dev := p.person("alice@example.com", kubectlAgent, "kubectl-edit")
			tf.create(t)
			p.every(9, 2*60*m, func(i int) {
				tf.merge(t, fmt.Sprintf(`{"data":{"WORKERS":"%d"}}`, 4+i))
				p.sleep(10 * m)
				dev.strategic(t, fmt.Sprintf(`{"data":{"NOTE":"%d"}}`, i%2))
			})
			p.lookalike(what{toggles: true, things: []*thing{t}, writers: []*actor{tf, dev}, why: "Terraform raises a number with each run, a developer writes a note."})
		}},
	}
}
