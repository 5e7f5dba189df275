package synth

import "strconv"

func deployment(d *document) {
	d.object("spec", func() {
		d.num("replicas", d.r.between(1, 12))
		if d.r.chance(40) {
			d.num("revisionHistoryLimit", d.r.between(1, 10))
		}
		d.matchLabels("selector")
		if d.r.chance(50) {
			d.object("strategy", func() {
				d.str("type", "RollingUpdate")
				d.object("rollingUpdate", func() {
					d.raw("maxSurge", "25%")
					d.num("maxUnavailable", 0)
				})
			})
		}
		d.template()
	})
}

func statefulSet(d *document) {
	d.object("spec", func() {
		d.str("serviceName", d.app+"-headless")
		d.num("replicas", d.r.between(1, 5))
		d.str("podManagementPolicy", "Parallel")
		d.matchLabels("selector")
		d.template()
		d.list("volumeClaimTemplates", 1, func(int) {
			d.object("metadata", func() { d.str("name", "data") })
			d.object("spec", d.claim)
		})
	})
}

func daemonSet(d *document) {
	d.object("spec", func() {
		d.matchLabels("selector")
		d.object("updateStrategy", func() { d.str("type", "RollingUpdate") })
		d.template()
	})
}

func pod(d *document) { d.object("spec", d.podSpec) }

func job(d *document) { d.object("spec", d.jobSpec) }

func (d *document) jobSpec() {
	d.num("backoffLimit", d.r.below(7))
	if d.r.chance(50) {
		d.num("ttlSecondsAfterFinished", 3600*d.r.between(1, 48))
	}
	d.template()
}

func cronJob(d *document) {
	d.object("spec", func() {
		d.strf("schedule", "%d */%d * * *", d.r.below(60), d.r.between(1, 12))
		d.str("concurrencyPolicy", "Forbid")
		d.num("successfulJobsHistoryLimit", d.r.between(1, 3))
		d.flag("suspend", d.r.chance(10))
		d.object("jobTemplate", func() { d.object("spec", d.jobSpec) })
	})
}

func rollout(d *document) {
	d.object("spec", func() {
		d.num("replicas", d.r.between(2, 20))
		d.matchLabels("selector")
		d.object("strategy", func() {
			d.object("canary", func() {
				d.list("steps", 3, func(i int) {
					if i == 1 {
						d.raw("pause", "{duration: 10m}")
						return
					}
					d.num("setWeight", 20+40*i)
				})
			})
		})
		d.template()
	})
}

func knativeService(d *document) {
	d.object("spec", func() {
		d.object("template", func() {
			d.object("metadata", func() {
				d.object("annotations", func() {
					d.str("autoscaling.knative.dev/min-scale", strconv.Itoa(d.r.below(3)))
					d.str("autoscaling.knative.dev/max-scale", strconv.Itoa(d.r.between(5, 50)))
				})
			})
			d.object("spec", func() {
				d.num("containerConcurrency", 10*d.r.between(1, 10))
				d.num("timeoutSeconds", 60*d.r.between(1, 10))
				d.list("containers", 1, func(int) { d.container(d.app) })
			})
		})
		d.list("traffic", 1, func(int) {
			d.flag("latestRevision", true)
			d.num("percent", 100)
		})
	})
}

func (d *document) template() {
	d.object("template", func() {
		d.object("metadata", func() {
			if d.anchor > 0 {
				d.raw("labels", "*labels")
			} else {
				d.labels("labels", false)
			}
			if d.r.chance(30) {
				d.object("annotations", func() {
					d.key("checksum/config")
					d.buf = append(d.buf, ' ', '"')
					d.buf = d.r.hex(d.buf, 64)
					d.buf = append(d.buf, "\"\n"...)
				})
			}
		})
		d.object("spec", d.podSpec)
	})
}

func (d *document) podSpec() {
	if d.r.chance(60) {
		d.str("serviceAccountName", d.app)
	}
	hook := d.r.chance(8)
	grace := 30
	if d.r.chance(25) || hook && d.r.chance(50) {
		grace = []int{30, 45, 60, 120, 300}[d.r.below(5)]
		d.num("terminationGracePeriodSeconds", grace)
	}
	if d.r.chance(40) {
		d.object("securityContext", func() {
			d.flag("runAsNonRoot", true)
			d.num("runAsUser", 1000*d.r.between(1, 9))
			d.num("fsGroup", 2000)
		})
	}
	if d.form.oneShot {
		d.str("restartPolicy", "OnFailure")
	}
	if d.r.chance(20) {
		d.list("initContainers", 1, func(int) {
			d.str("name", "wait-for-database")
			d.str("image", "docker.io/library/busybox:1.36")
			d.strs("command", "sh", "-c", "until nc -z primary.data.svc 5432; do sleep 2; done")
		})
	}
	containers := 1
	if d.bytesLeft() > 1500 && d.r.chance(40) {
		containers = 2
	}
	d.list("containers", containers, func(i int) {
		name := d.app
		if i == 1 {
			name = "proxy"
		}
		d.container(name)
		if hook && i == 0 && !d.form.oneShot {
			d.hook(grace)
		}
	})
	if d.r.chance(50) || d.bytesLeft() > 500 {
		d.list("volumes", 2, func(i int) {
			if i == 0 {
				d.str("name", "config")
				d.object("configMap", func() { d.str("name", d.app+"-config") })
				return
			}
			d.str("name", "scratch")
			d.raw("emptyDir", "{}")
		})
	}
	if d.bytesLeft() > 300 {
		d.list("tolerations", 1, func(int) {
			d.str("key", "example.com/dedicated")
			d.str("operator", "Equal")
			d.str("value", d.role)
			d.str("effect", "NoSchedule")
		})
		d.list("topologySpreadConstraints", 1, func(int) {
			d.num("maxSkew", 1)
			d.str("topologyKey", "topology.kubernetes.io/zone")
			d.str("whenUnsatisfiable", "ScheduleAnyway")
			d.matchLabels("labelSelector")
		})
	}
}

func (d *document) container(name string) {
	d.str("name", name)
	d.strf("image", "%s/%s-%s:v%d.%d.%d", d.r.pick(registries), d.app, d.role, d.r.below(4), d.r.below(40), d.r.below(20))
	if d.r.chance(60) {
		d.str("imagePullPolicy", "IfNotPresent")
	}
	switch {
	case d.r.chance(25):
		d.strs("args", "--config=/etc/app/config.yaml", "--listen=:8080", "--log-level=info")
	case d.r.chance(8):
		d.list("command", 3, func(i int) {
			if i < 2 {
				d.lead()
				d.buf = append(d.buf, []string{"/bin/sh\n", "-c\n"}[i]...)
				return
			}
			d.lead()
			d.buf = append(d.buf, "|\n"...)
			for _, line := range []string{"set -eu", "mkdir -p /scratch/cache", "exec /usr/bin/server --config /etc/app/config.yaml"} {
				d.buf = append(d.buf, spaces[:d.indent+2]...)
				d.buf = append(d.buf, line...)
				d.buf = append(d.buf, '\n')
			}
		})
	}
	d.list("ports", 1, func(int) {
		d.str("name", "http")
		d.num("containerPort", d.port())
		if d.r.chance(50) {
			d.str("protocol", "TCP")
		}
	})
	d.env()
	if d.r.chance(85) {
		d.object("resources", func() {
			d.object("requests", func() {
				d.strf("cpu", "%dm", 50*d.r.between(1, 20))
				d.strf("memory", "%dMi", 64*d.r.between(1, 16))
			})
			d.object("limits", func() { d.strf("memory", "%dMi", 128*d.r.between(8, 32)) })
		})
	}
	for _, probe := range []string{"livenessProbe", "readinessProbe"} {
		if d.r.chance(60) {
			d.object(probe, func() {
				d.object("httpGet", func() {
					d.str("path", "/healthz")
					d.str("port", "http")
				})
				d.num("initialDelaySeconds", d.r.between(1, 30))
				d.num("periodSeconds", 10)
			})
		}
	}
	if d.r.chance(50) {
		d.list("volumeMounts", 2, func(i int) {
			d.str("name", []string{"config", "scratch"}[i])
			d.str("mountPath", []string{"/etc/app", "/scratch"}[i])
			if i == 0 {
				d.flag("readOnly", true)
			}
		})
	}
}

// env writes as many environment variables as fit into the budget, at least two.
func (d *document) env() {
	count := max(2, min(len(variables), (d.bytesLeft()-900)/62))
	at := d.r.below(len(variables))
	d.list("env", count, func(i int) {
		if i%7 == 5 {
			d.strf("name", "SECRET_%d", i)
			d.object("valueFrom", func() {
				d.object("secretKeyRef", func() {
					d.str("name", d.app+"-credentials")
					d.str("key", d.r.pick(secretKeys))
				})
			})
			return
		}
		v := variables[(at+i)%len(variables)]
		d.str("name", v[0])
		d.str("value", v[1])
	})
}

// hook writes a preStop hook. grace is the termination grace period of the pod in
// seconds. If the server validates the pods of the kind, a sleep may exceed this period.
// All other hooks are valid.
func (d *document) hook(grace int) {
	d.preStop = true
	d.object("lifecycle", func() {
		d.object("preStop", func() {
			switch n := d.r.below(10); {
			case n < 5:
				d.object("exec", func() {
					d.strs("command", "/bin/sh", "-c", "sleep "+strconv.Itoa(5*d.r.between(1, 4)))
				})
			case n < 7:
				d.object("httpGet", func() {
					d.str("path", "/drain")
					d.num("port", 8080)
				})
			default:
				seconds := d.r.between(1, 25)
				if d.form.podsValidated() && d.r.chance(20) {
					seconds = grace + d.r.between(1, 60)
					d.refused = true
				}
				d.object("sleep", func() { d.num("seconds", seconds) })
			}
		})
	})
}
