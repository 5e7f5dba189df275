package main

import "time"

// fightsOfPlatforms3 returns fights over objects that belong to the cluster or
// to a cloud.
func fightsOfPlatforms3() []scene {
	return []scene{
		{"pdb-relaxed", "", 6, func(p *play) {
			p.in("orders")
			t := p.thing("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: orders, labels: {app.kubernetes.io/managed-by: Helm}}\nspec: {minAvailable: 2, selector: {matchLabels: {app: orders}}}")
			helm, roller := p.service("flux-system/helm-controller", "helm-controller/v1.4.0 (linux/amd64) kubernetes/$Format", "helm-controller"), p.service("fleet-upgrades/node-roller", "node-roller/1.9 kubernetes-client/33.1.0", "")
			helm.create(t)
			p.together(5*time.Hour, beat{5 * m, func(int) {
				helm.dryApply(t, t.object)
				if helm.notices(t, 2, "spec", "minAvailable") {
					helm.json(t, `[{"op":"replace","path":"/spec/minAvailable","value":2}]`)
				}
			}}, beat{13 * m, func(int) {
				if roller.differs(t, 0, "spec", "minAvailable") {
					roller.merge(t, `{"spec":{"minAvailable":0}}`)
				}
			}})
			helm.json(t, `[{"op":"replace","path":"/spec/minAvailable","value":2}]`)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.minAvailable"}, writers: []*actor{helm, roller}, winner: helm, mechanism: "patches",
				why: "A tool that replaces nodes takes a budget away so that it can drain them, and Flux's drift detection puts it back within minutes, for hours."})
		}},
		{"aws-auth-roles", "", 13, func(p *play) {
			p.in("kube-system-eks")
			t := p.config("aws-auth", map[string]any{"mapRoles": "- rolearn: arn:aws:iam::1:role/node\n"})
			tf, mapper := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.2", "Terraform"), p.operatorOf("kube-system-eks/iam-mapper", "iam-mapper")
			mapper.create(t)
			stated := parse("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: aws-auth, namespace: kube-system-eks}\ndata: {mapRoles: \"- rolearn: arn:aws:iam::1:role/node\\n- rolearn: arn:aws:iam::1:role/admins\\n\"}")
			own := "- rolearn: arn:aws:iam::1:role/node\n- rolearn: arn:aws:iam::1:role/team-a\n"
			p.together(12*time.Hour, beat{30 * m, func(int) { tf.get(t); tf.apply(t, stated) }}, beat{6 * m, func(int) {
				if mapper.notices(t, own, "data", "mapRoles") {
					mapper.cached(t, func(o object) { o.set(own, "data", "mapRoles") })
				}
			}})
			mapper.cached(t, func(o object) { o.set(own, "data", "mapRoles") })
			p.fight(what{things: []*thing{t}, fields: []string{"data.mapRoles"}, writers: []*actor{tf, mapper}, winner: mapper, mechanism: "forced apply against full update",
				why: "Terraform's half-hourly run states the roles of the cluster, an operator that maps roles writes its own list over it."})
		}},
		{"lb-source-ranges", "", 6, func(p *play) {
			p.in("mesh-ingress")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: gateway, labels: {istio: gateway}}\nspec: {type: LoadBalancer, selector: {istio: gateway}, loadBalancerSourceRanges: [10.0.0.0/8], ports: [{name: https, port: 443}]}")
			istio, firewall := p.service("mesh-ingress/istio-operator", "istio-operator/1.27 (linux/amd64)", "istio-operator").reacts(2*sec, 25*sec), p.service("netsec/firewall-sync", "python-httpx/0.28.1", "")
			istio.apply(t, t.object)
			p.every(19, 16*m, func(i int) {
				firewall.update(t, func(o object) {
					o.set([]any{"10.0.0.0/8", "192.0.2.0/24"}, "spec", "loadBalancerSourceRanges")
				})
				istio.apply(t, t.object)
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.loadBalancerSourceRanges"}, writers: []*actor{istio, firewall}, winner: istio, mechanism: "full update against forced apply",
				why: "A firewall job opens a gateway to a partner's network, the operator of the gateway states the ranges without it."})
		}},
		{"rancher-project", "", 11, func(p *play) {
			t := p.thing("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop-frontend, labels: {team: shop}}")
			tf, rancher := p.person("terraform", "HashiCorp/1.0 Terraform/1.12.2", ""), p.service("cattle-system/rancher", "rancher/v2.12 (linux/amd64) kubernetes/$Format", "").reacts(sec, 9*sec)
			tf.create(t)
			rancher.cached(t, func(o object) { o.set("c-m-7x:p-4k", "metadata", "annotations", "field.cattle.io/projectId") })
			p.every(19, 30*m, func(i int) {
				tf.get(t)
				tf.json(t, `[{"op":"remove","path":"/metadata/annotations/field.cattle.io~1projectId"}]`)
				rancher.cached(t, func(o object) { o.set("c-m-7x:p-4k", "metadata", "annotations", "field.cattle.io/projectId") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{`metadata.annotations["field.cattle.io/projectId"]`}, writers: []*actor{tf, rancher}, winner: rancher, mechanism: "patch against full update",
				why: "Terraform's plan shows an annotation that its configuration lacks, so each run removes it and Rancher writes it again."})
		}},
		{"cluster-binding-subjects", "", 6, func(p *play) {
			t := p.thing("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: auditors}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: [{kind: Group, name: auditors, apiGroup: rbac.authorization.k8s.io}]")
			sync, op := p.service("identity/ldap-sync", "ldap-group-sync/3.2 python-requests/2.32", ""), p.operatorOf("tenancy/access-operator", "access-operator")
			op.create(t)
			list := func(names ...string) []any {
				var all []any
				for _, n := range names {
					all = append(all, map[string]any{"kind": "Group", "name": n, "apiGroup": "rbac.authorization.k8s.io"})
				}
				return all
			}
			p.together(5*time.Hour, beat{17 * m, func(int) {
				sync.get(t)
				sync.must(sync.send("PATCH", t.path(), mergePatch, object{"subjects": list("auditors", "externals")}))
			}}, beat{6 * m, func(int) {
				if op.notices(t, list("auditors"), "subjects") {
					op.cached(t, func(o object) { o.set(list("auditors"), "subjects") })
				}
			}})
			op.cached(t, func(o object) { o.set(list("auditors"), "subjects") })
			p.fight(what{things: []*thing{t}, fields: []string{"subjects"}, writers: []*actor{sync, op}, winner: op, mechanism: "patch against full update",
				why: "A sync of groups adds one that the operator of the binding does not know and drops at its next resync."})
		}},
		{"csidriver-installs", "", 6, func(p *play) {
			t := p.thing("apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: secrets-store.csi.example.com}\nspec: {podInfoOnMount: true, attachRequired: false, requiresRepublish: true, volumeLifecycleModes: [Ephemeral]}")
			addon, flux := p.person("aksService", kubectlAgent, "kubectl-client-side-apply"), p.fluxController()
			other := t.object.with(false, "spec", "requiresRepublish")
			text := t.object.yaml()
			p.together(5*time.Hour, beat{15 * m, func(int) { addon.kubectl(text, "apply", "-f", "-") }}, beat{10 * m, func(int) { flux.flux(other) }})
			flux.flux(other)
			p.fight(what{things: []*thing{t}, fields: []string{"spec.requiresRepublish"}, writers: []*actor{addon, flux}, winner: flux, mechanism: "three-way patch against forced apply", real: "kubectl is real; Flux: its own library",
				why: "The cloud's add-on and a team's Flux install one driver, with and without rotation."})
		}},
		{"felix-dataplane", "", 8, func(p *play) {
			p.define("projectcalico.example.org", "v1", "FelixConfiguration", "Cluster", "")
			t := p.thing("apiVersion: projectcalico.example.org/v1\nkind: FelixConfiguration\nmetadata: {name: default}\nspec: {bpfEnabled: false, logSeverityScreen: Info}")
			awx, op := p.service("awx/automation-job", "OpenAPI-Generator/31.0.0/python", ""), p.operatorOf("tigera-operator/tigera-operator", "operator").reacts(100*time.Millisecond, 1200*time.Millisecond)
			op.create(t)
			p.every(14, 30*m, func(i int) {
				awx.get(t)
				awx.merge(t, `{"spec":{"bpfEnabled":true}}`)
				op.cached(t, func(o object) { o.set(false, "spec", "bpfEnabled") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"spec.bpfEnabled"}, writers: []*actor{awx, op}, winner: op, mechanism: "patch against full update",
				why: "A playbook switches the data plane each half hour, the network's operator switches it back in a second."})
		}},
		{"console-nodes", "", 7, func(p *play) {
			p.in("openshift-console")
			t := p.deployment("console", 2)
			t.object.set(map[string]any{"node-role.kubernetes.io/master": ""}, "spec", "template", "spec", "nodeSelector")
			cvo, admin := p.service("openshift-cluster-version/default", "cluster-version-operator/v0.0.0 (linux/amd64) kubernetes/$Format", ""), p.service("infra-tools/node-placement", "oc/4.18.0 (linux/amd64) kubernetes/d9bd4f5", "kubectl-patch")
			kcm := p.kcm("deployment-controller")
			cvo.create(t)
			want := map[string]any{"node-role.kubernetes.io/master": ""}
			p.together(6*time.Hour, beat{4 * m, func(int) {
				if cvo.differs(t, want, "spec", "template", "spec", "nodeSelector") {
					cvo.cached(t, func(o object) { o.set(want, "spec", "template", "spec", "nodeSelector") })
					kcm.observe(t, 2)
				}
			}}, beat{24 * m, func(int) {
				admin.get(t)
				admin.strategic(t, `{"spec":{"template":{"spec":{"nodeSelector":{"node-role.kubernetes.io/master":null,"node-role.kubernetes.io/infra":""}}}}}`)
				kcm.observe(t, 2)
			}})
			cvo.cached(t, func(o object) { o.set(want, "spec", "template", "spec", "nodeSelector") })
			p.fight(what{things: []*thing{t}, fields: []string{"spec.template.spec.nodeSelector"}, writers: []*actor{cvo, admin}, winner: cvo, mechanism: "patch against full update",
				why: "A job moves the console to infrastructure nodes, and the cluster's version operator writes its manifest again."})
		}},
		{"service-two-balancers", "", 3, func(p *play) {
			p.in("edge-lb")
			t := p.thing("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}")
			metal, klipper := p.service("metallb-system/controller", "metallb-controller/v0.15 (linux/amd64)", "").reacts(200*time.Millisecond, 2*sec), p.service("kube-system/svclb-controller", "k3s/v1.33.4+k3s1 (linux/amd64) kubernetes/$Format", "").reacts(200*time.Millisecond, 2*sec)
			p.person("ci-bot", kubectlAgent, "kubectl-create").create(t)
			p.every(16, 7*m, func(i int) {
				for range 2 {
					klipper.updateStatus(t, func(o object) {
						o.set([]any{map[string]any{"ip": "10.0.0.4"}, map[string]any{"ip": "10.0.0.5"}}, "status", "loadBalancer", "ingress")
					})
					metal.updateStatus(t, func(o object) {
						o.set([]any{map[string]any{"ip": "203.0.113.9"}}, "status", "loadBalancer", "ingress")
					})
				}
			})
			p.fight(what{things: []*thing{t}, fields: []string{"status.loadBalancer"}, writers: []*actor{metal, klipper}, winner: metal, mechanism: "full updates",
				why: "Two load balancers are installed, and both write their addresses into the status of every service."})
		}},
	}
}
