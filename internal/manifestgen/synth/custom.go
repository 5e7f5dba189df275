package synth

import "strconv"

// customResourceDefinition writes the spec of apiextensions.k8s.io/v1.
func customResourceDefinition(d *document) {
	d.definition(func() {
		d.list("versions", 1, func(int) {
			d.str("name", "v1")
			d.flag("served", true)
			d.flag("storage", true)
			d.object("schema", d.openAPI)
			d.object("subresources", func() { d.raw("status", "{}") })
		})
	})
}

// customResourceDefinitionBeta writes the spec of apiextensions.k8s.io/v1beta1, with one
// schema for all versions.
func customResourceDefinitionBeta(d *document) {
	d.definition(func() {
		d.str("version", "v1")
		d.flag("preserveUnknownFields", false)
		d.object("subresources", func() { d.raw("status", "{}") })
		d.object("validation", d.openAPI)
	})
}

func (d *document) definition(versions func()) {
	d.object("spec", func() {
		d.str("group", "shop.example.com")
		d.object("names", func() {
			d.str("kind", "Campaign")
			d.str("listKind", "CampaignList")
			d.str("plural", "campaigns")
			d.str("singular", "campaign")
		})
		d.str("scope", "Namespaced")
		versions()
	})
}

func (d *document) openAPI() {
	d.object("openAPIV3Schema", func() {
		d.str("type", "object")
		d.str("description", "A campaign lowers prices for a time. The apiVersion: v1beta1 of old is converted.")
		d.object("properties", func() {
			d.object("apiVersion", func() { d.str("type", "string") })
			d.object("kind", func() { d.str("type", "string") })
			d.object("metadata", func() { d.str("type", "object") })
			d.object("spec", func() {
				d.str("type", "object")
				d.object("properties", func() {
					for i := range max(2, min(40, d.bytesLeft()/150)) {
						d.object("field"+strconv.Itoa(i), func() {
							d.str("type", []string{"string", "integer", "boolean"}[i%3])
							d.str("description", annotations[(i*7)%len(annotations)][1])
						})
					}
				})
			})
		})
	})
}

func argoApplication(d *document) {
	d.object("spec", func() {
		d.str("project", d.r.pick(teams))
		d.object("source", func() {
			d.strf("repoURL", "https://git.example.com/%s/deploy.git", d.r.pick(teams))
			d.str("path", "environments/production/"+d.app)
			d.str("targetRevision", "main")
			d.object("helm", func() {
				d.strs("valueFiles", "values.yaml", "values-production.yaml")
				d.list("parameters", max(1, min(20, d.bytesLeft()/95)), func(i int) {
					d.strf("name", "image.tags[%d]", i)
					d.strf("value", "v%d.%d.%d", d.r.below(3), d.r.below(30), i)
				})
			})
		})
		d.object("destination", func() {
			d.str("server", "https://kubernetes.default.svc")
			d.str("namespace", d.r.pick(namespaces))
		})
		d.object("syncPolicy", func() {
			d.object("automated", func() { d.flag("prune", true) })
			d.strs("syncOptions", "CreateNamespace=true", "ServerSideApply=true")
		})
	})
}

func certificate(d *document) {
	d.object("spec", func() {
		d.str("secretName", d.app+"-tls")
		d.raw("duration", "2160h")
		d.object("issuerRef", func() {
			d.str("name", "letsencrypt")
			d.str("kind", "ClusterIssuer")
		})
		var names []string
		for i := range max(2, min(32, d.bytesLeft()/32)) {
			names = append(names, d.app+"-"+strconv.Itoa(i)+"."+d.r.pick(domains))
		}
		d.strs("dnsNames", names...)
	})
}

func serviceMonitor(d *document) {
	d.object("spec", func() {
		d.matchLabels("selector")
		d.object("namespaceSelector", func() { d.strs("matchNames", d.r.pick(namespaces)) })
		d.list("endpoints", max(1, min(10, d.bytesLeft()/210)), func(i int) {
			d.strf("port", "metrics-%d", i)
			d.raw("interval", "30s")
			d.list("relabelings", 1, func(int) {
				d.strs("sourceLabels", "__meta_kubernetes_pod_node_name")
				d.str("targetLabel", "node")
			})
		})
	})
}

// prometheusRule writes a rule with braces of Go templates. The file is not a template of
// Helm, because Prometheus evaluates these.
func prometheusRule(d *document) {
	d.object("spec", func() {
		d.list("groups", 1, func(int) {
			d.str("name", d.app+".rules")
			d.list("rules", max(1, min(12, d.bytesLeft()/330)), func(i int) {
				d.strf("alert", "RequestsFailing%d", i)
				d.strf("expr", `sum(rate(http_requests_total{app="%s",code=~"5.."}[5m])) by (pod) > %d`, d.app, i+1)
				d.raw("for", "10m")
				d.object("labels", func() { d.str("severity", []string{"page", "ticket"}[i%2]) })
				d.object("annotations", func() {
					d.str("summary", "{{ $labels.pod }} fails {{ $value | humanize }} requests a second")
				})
			})
		})
	})
}

func externalSecret(d *document) {
	d.object("spec", func() {
		d.raw("refreshInterval", "1h")
		d.object("secretStoreRef", func() {
			d.str("kind", "ClusterSecretStore")
			d.str("name", "vault")
		})
		d.list("data", max(1, min(12, d.bytesLeft()/140)), func(i int) {
			d.strf("secretKey", "%s-%d", d.r.pick(secretKeys), i)
			d.object("remoteRef", func() {
				d.strf("key", "teams/%s/%s", d.r.pick(teams), d.app)
				d.str("property", "value")
			})
		})
	})
}

func helmRelease(d *document) {
	d.object("spec", func() {
		d.raw("interval", "10m")
		d.object("chart", func() {
			d.object("spec", func() {
				d.str("chart", d.app)
				d.str("version", "3.x")
				d.object("sourceRef", func() {
					d.str("kind", "HelmRepository")
					d.str("name", "charts")
				})
			})
		})
		d.object("values", func() {
			for i := range max(1, min(20, d.bytesLeft()/110)) {
				d.object("component"+strconv.Itoa(i), func() {
					d.flag("enabled", d.r.chance(50))
					d.num("replicas", d.r.between(1, 9))
					d.str("logLevel", "info")
				})
			}
		})
	})
}

func deviceClass(d *document) {
	d.object("spec", func() {
		d.list("selectors", 1, func(int) {
			d.object("cel", func() { d.str("expression", `device.driver == "gpu.example.com"`) })
		})
	})
}
