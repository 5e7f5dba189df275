package synth

import "strconv"

func service(d *document) {
	d.object("spec", func() {
		d.str("type", []string{"ClusterIP", "ClusterIP", "LoadBalancer", "NodePort"}[d.r.below(4)])
		d.selector("selector")
		d.list("ports", d.r.between(1, 4), func(i int) {
			d.str("name", []string{"http", "metrics", "grpc", "admin"}[i])
			d.num("port", []int{80, 9090, 9000, 8081}[i])
			d.str("targetPort", []string{"http", "metrics", "grpc", "admin"}[i])
			d.str("protocol", "TCP")
		})
	})
}

// ingress writes the spec of networking.k8s.io/v1.
func ingress(d *document) {
	d.ingress(func(service string) {
		d.str("pathType", "Prefix")
		d.object("backend", func() {
			d.object("service", func() {
				d.str("name", service)
				d.object("port", func() { d.str("name", "http") })
			})
		})
	})
}

// ingressBeta writes the spec of the beta versions.
func ingressBeta(d *document) {
	d.ingress(func(service string) {
		d.object("backend", func() {
			d.str("serviceName", service)
			d.num("servicePort", 80)
		})
	})
}

func (d *document) ingress(backend func(service string)) {
	d.object("spec", func() {
		if d.r.chance(70) {
			d.str("ingressClassName", "nginx")
		}
		host := d.app + "." + d.r.pick(domains)
		if d.r.chance(70) {
			d.list("tls", 1, func(int) {
				d.strs("hosts", host)
				d.str("secretName", d.app+"-tls")
			})
		}
		d.list("rules", max(1, min(10, d.bytesLeft()/330)), func(i int) {
			if i > 0 {
				d.strf("host", "v%d.%s", i, host)
			} else {
				d.str("host", host)
			}
			d.object("http", func() {
				d.list("paths", d.r.between(1, 2), func(j int) {
					d.str("path", []string{"/", "/api"}[j])
					backend(d.app)
				})
			})
		})
	})
}

func ingressClass(d *document) {
	d.object("spec", func() { d.str("controller", "k8s.io/ingress-nginx") })
}

func networkPolicy(d *document) {
	d.object("spec", func() {
		d.matchLabels("podSelector")
		d.strs("policyTypes", "Ingress", "Egress")
		d.list("ingress", max(1, min(8, d.bytesLeft()/420)), func(int) {
			d.list("from", 2, func(j int) {
				if j == 0 {
					d.object("namespaceSelector", func() {
						d.object("matchLabels", func() { d.str("kubernetes.io/metadata.name", d.r.pick(namespaces)) })
					})
					return
				}
				d.matchLabels("podSelector")
			})
			d.list("ports", 1, func(int) {
				d.num("port", d.port())
				d.str("protocol", "TCP")
			})
		})
		d.list("egress", 1, func(int) {
			d.list("to", 1, func(int) {
				d.object("ipBlock", func() {
					d.str("cidr", "10.0.0.0/8")
					d.strs("except", "10.96.0.0/12", "10.244.0.0/16")
				})
			})
		})
	})
}

func endpoints(d *document) {
	d.list("subsets", 1, func(int) {
		d.list("addresses", max(2, min(30, d.bytesLeft()/45)), func(i int) {
			d.strf("ip", "10.20.%d.%d", i, d.r.between(1, 250))
			d.strf("hostname", "node-%d", i)
		})
		d.list("ports", 1, func(int) {
			d.str("name", "http")
			d.num("port", d.port())
		})
	})
}

func endpointSlice(d *document) {
	d.str("addressType", "IPv4")
	d.list("ports", 1, func(int) {
		d.str("name", "http")
		d.num("port", d.port())
		d.str("protocol", "TCP")
	})
	d.list("endpoints", max(1, min(20, d.bytesLeft()/130)), func(i int) {
		d.strs("addresses", "10.20.4."+strconv.Itoa(i+1))
		d.object("conditions", func() { d.flag("ready", true) })
		d.strf("hostname", "%s-%d", d.app, i)
	})
}

func httpRoute(d *document) {
	d.object("spec", func() {
		d.list("parentRefs", 1, func(int) {
			d.str("name", "public")
			d.str("namespace", "ingress")
		})
		d.strs("hostnames", d.app+"."+d.r.pick(domains))
		d.list("rules", max(1, min(12, d.bytesLeft()/260)), func(i int) {
			d.list("matches", 1, func(int) {
				d.object("path", func() {
					d.str("type", "PathPrefix")
					d.strf("value", "/v%d", i+1)
				})
			})
			d.list("backendRefs", 1, func(int) {
				d.str("name", d.app)
				d.num("port", d.port())
				d.num("weight", 100)
			})
		})
	})
}

func virtualService(d *document) {
	d.object("spec", func() {
		d.strs("hosts", d.app+"."+d.r.pick(domains))
		d.strs("gateways", "ingress/public")
		d.list("http", max(1, min(10, d.bytesLeft()/330)), func(i int) {
			d.strf("name", "route-%d", i)
			d.list("match", 1, func(int) {
				d.object("uri", func() { d.strf("prefix", "/v%d/", i+1) })
			})
			d.list("route", 1, func(int) {
				d.object("destination", func() {
					d.strf("host", "%s.%s.svc.cluster.local", d.app, d.namespace)
					d.object("port", func() { d.num("number", d.port()) })
				})
			})
			d.raw("timeout", "15s")
		})
	})
}
