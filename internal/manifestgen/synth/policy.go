package synth

import "strconv"

func horizontalPodAutoscaler(d *document) {
	d.object("spec", func() {
		d.scaled()
		d.list("metrics", max(1, min(8, d.bytesLeft()/330)), func(i int) {
			if i == 0 {
				d.str("type", "Resource")
				d.object("resource", func() {
					d.str("name", "cpu")
					d.object("target", func() {
						d.str("type", "Utilization")
						d.num("averageUtilization", d.r.between(40, 90))
					})
				})
				return
			}
			d.str("type", "External")
			d.object("external", func() {
				d.object("metric", func() {
					d.strf("name", "queue_messages_ready_%d", i)
					d.matchLabels("selector")
				})
				d.object("target", func() {
					d.str("type", "AverageValue")
					d.str("averageValue", strconv.Itoa(d.r.between(10, 90)))
				})
			})
		})
		if d.r.chance(50) {
			d.object("behavior", func() {
				d.object("scaleDown", func() { d.num("stabilizationWindowSeconds", 60*d.r.between(1, 15)) })
			})
		}
	})
}

// horizontalPodAutoscalerBeta1 writes the spec of autoscaling/v2beta1, in which the
// target value is next to the name of the metric.
func horizontalPodAutoscalerBeta1(d *document) {
	d.object("spec", func() {
		d.scaled()
		d.list("metrics", 2, func(i int) {
			d.str("type", "Resource")
			d.object("resource", func() {
				d.str("name", []string{"cpu", "memory"}[i])
				d.num("targetAverageUtilization", d.r.between(40, 90))
			})
		})
	})
}

func (d *document) scaled() {
	d.object("scaleTargetRef", func() {
		d.str("apiVersion", "apps/v1")
		d.str("kind", "Deployment")
		d.str("name", d.app)
	})
	d.num("minReplicas", d.r.between(1, 4))
	d.num("maxReplicas", d.r.between(5, 40))
}

func podDisruptionBudget(d *document) {
	d.object("spec", func() {
		if d.r.chance(50) {
			d.num("minAvailable", d.r.between(1, 3))
		} else {
			d.str("maxUnavailable", "25%")
		}
		d.matchLabels("selector")
	})
}

func podSecurityPolicy(d *document) {
	d.object("spec", func() {
		d.flag("privileged", false)
		d.flag("allowPrivilegeEscalation", false)
		d.strs("requiredDropCapabilities", "ALL")
		d.strs("volumes", "configMap", "emptyDir", "projected", "secret", "downwardAPI", "persistentVolumeClaim")
		for _, field := range []string{"runAsUser", "seLinux", "supplementalGroups", "fsGroup"} {
			d.object(field, func() { d.str("rule", "RunAsAny") })
		}
	})
}

func role(d *document) {
	d.list("rules", max(1, min(25, d.bytesLeft()/150)), func(int) {
		d.strs("apiGroups", []string{"", "apps", "batch", "networking.k8s.io", "coordination.k8s.io"}[d.r.below(5)])
		at := d.r.below(len(resources) - 3)
		d.strs("resources", resources[at:at+d.r.between(1, 3)]...)
		at = d.r.below(len(verbs) - 3)
		d.strs("verbs", verbs[at:at+d.r.between(1, 3)]...)
	})
}

func roleBinding(d *document)        { d.binding("Role") }
func clusterRoleBinding(d *document) { d.binding("ClusterRole") }

func (d *document) binding(kind string) {
	d.object("roleRef", func() {
		d.str("apiGroup", "rbac.authorization.k8s.io")
		d.str("kind", kind)
		d.str("name", d.app)
	})
	d.list("subjects", max(1, min(20, d.bytesLeft()/85)), func(int) {
		d.str("kind", "ServiceAccount")
		d.strf("name", "%s-%s", d.r.pick(services), d.r.pick(roles))
		d.str("namespace", d.r.pick(namespaces))
	})
}

func webhooks(d *document) {
	d.list("webhooks", max(1, min(6, d.bytesLeft()/650)), func(i int) {
		d.strf("name", "hook-%d.%s.example.com", i, d.app)
		d.strs("admissionReviewVersions", "v1", "v1beta1")
		d.str("sideEffects", "None")
		d.str("failurePolicy", "Fail")
		d.num("timeoutSeconds", d.r.between(1, 10))
		d.object("clientConfig", func() {
			d.object("service", func() {
				d.str("name", d.app)
				d.str("namespace", d.r.pick(namespaces))
				d.strf("path", "/admit/%d", i)
			})
			d.key("caBundle")
			d.buf = append(d.buf, ' ')
			d.buf = d.r.base64(d.buf, 160)
			d.buf = append(d.buf, '\n')
		})
		d.list("rules", 1, func(int) {
			d.strs("apiGroups", "")
			d.strs("apiVersions", "v1")
			d.strs("operations", "CREATE", "UPDATE")
			d.strs("resources", "pods")
		})
	})
}

func admissionPolicy(d *document) {
	d.object("spec", func() {
		d.str("failurePolicy", "Fail")
		d.object("matchConstraints", func() {
			d.list("resourceRules", 1, func(int) {
				d.strs("apiGroups", "apps")
				d.strs("apiVersions", "v1")
				d.strs("operations", "CREATE", "UPDATE")
				d.strs("resources", "deployments")
			})
		})
		d.list("validations", max(1, min(10, d.bytesLeft()/150)), func(i int) {
			d.strf("expression", "object.spec.replicas <= %d", 5*(i+1))
			d.strf("message", "no more than %d replicas: ask the platform team", 5*(i+1))
		})
	})
}

func flowSchema(d *document) {
	d.object("spec", func() {
		d.num("matchingPrecedence", 100*d.r.between(1, 90))
		d.object("priorityLevelConfiguration", func() { d.str("name", "workload-low") })
		d.object("distinguisherMethod", func() { d.str("type", "ByUser") })
		d.list("rules", 1, func(int) {
			d.list("subjects", 1, func(int) {
				d.str("kind", "Group")
				d.raw("group", "{name: system:authenticated}")
			})
			d.list("resourceRules", 1, func(int) {
				d.strs("apiGroups", "apps")
				d.strs("resources", "deployments")
				d.strs("verbs", "list", "watch")
				d.strs("namespaces", d.r.pick(namespaces))
			})
		})
	})
}

func apiService(d *document) {
	d.object("spec", func() {
		d.str("group", "metrics.example.com")
		d.str("version", "v1beta1")
		d.num("groupPriorityMinimum", 100)
		d.num("versionPriority", 100)
		d.flag("insecureSkipTLSVerify", true)
		d.object("service", func() {
			d.str("name", d.app)
			d.str("namespace", "observability")
		})
	})
}

func signingRequest(d *document) {
	d.object("spec", func() {
		d.str("signerName", "kubernetes.io/kube-apiserver-client")
		d.strs("usages", "digital signature", "client auth")
		d.key("request")
		d.buf = append(d.buf, ' ')
		d.buf = d.r.base64(d.buf, 4*d.r.between(60, 150))
		d.buf = append(d.buf, '\n')
	})
}
