package main

import "fmt"

func statusScenes() []scene {
	return []scene{
		{"ingress-two-controllers", "status-lists", 2, func(p *play) {
			p.in("blog")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: blog}\nspec: {rules: [{host: blog.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: blog, port: {number: 80}}}}]}}]}")
			nginx := p.service("ingress-nginx/ingress-nginx", "nginx-ingress-controller/v1.13.0 (linux/amd64) ingress-nginx/$Format", "").reacts(sec, 5*sec)
			traefik := p.service("traefik/traefik", "traefik/3.5.0 (linux/amd64) kubernetes/traefik/d0a1b2c", "").reacts(sec, 5*sec)
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			p.every(40, m, func(i int) {
				nginx.updateStatus(t, func(o object) { o.set([]any{map[string]any{"ip": "10.4.0.10"}}, "status", "loadBalancer", "ingress") })
				traefik.updateStatus(t, func(o object) { o.set([]any{map[string]any{"ip": "10.4.0.20"}}, "status", "loadBalancer", "ingress") })
			})
			p.fight(what{things: []*thing{t}, fields: []string{"status.loadBalancer.ingress"}, writers: []*actor{nginx, traefik}, winner: traefik, mechanism: "full update of the status",
				why: "An Ingress without a class: two ingress controllers write their own address into its status, minute by minute."})
		}},
		{"ingress-one-controller", "status-lists", 20, func(p *play) {
			p.in("blog-eu")
			t := p.thing("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: blog}\nspec: {ingressClassName: nginx, rules: [{host: blog.example.eu, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: blog, port: {number: 80}}}}]}}]}")
			nginx := p.service("ingress-nginx/ingress-nginx", "nginx-ingress-controller/v1.13.0 (linux/amd64) ingress-nginx/$Format", "")
			ext := p.service("cert-manager/cert-manager", "cert-manager-ingress-shim/v1.18.0 (linux/amd64) cert-manager/8e1f0a", "")
			p.person("erin@example.com", kubectlAgent, "kubectl-create").create(t)
			p.every(8, 2*60*m, func(i int) {
				nginx.updateStatus(t, func(o object) {
					o.set([]any{map[string]any{"ip": fmt.Sprintf("10.5.0.%d", 10+i%2)}}, "status", "loadBalancer", "ingress")
				})
				p.sleep(4 * m)
				ext.merge(t, `{"metadata":{"annotations":{"cert-manager.io/checked":"`+p.now()+`"}}}`)
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{nginx, ext}, why: "One ingress controller follows the node that has the address; another program writes an annotation."})
		}},
		{"httproute-parents", "status-lists", 4, func(p *play) {
			p.in("edge")
			p.define("gateway.networking.k8s.io", "v1", "HTTPRoute", "Namespaced", "")
			t := p.thing("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: store, annotations: {api-approved.kubernetes.io: x}}\nspec: {parentRefs: [{name: istio}, {name: envoy}], hostnames: [store.example.com]}")
			istio := p.service("istio-system/istiod", "pilot-discovery/1.27.0 (linux/amd64) istio/$Format", "").reacts(100*1e6, sec)
			envoy := p.service("envoy-gateway-system/envoy-gateway", "envoy-gateway/v1.5.0 (linux/amd64) kubernetes/$Format", "").reacts(100*1e6, sec)
			p.person("frank@example.com", kubectlAgent, "kubectl-create").create(t)
			parent := func(name, controller string) []any {
				return []any{map[string]any{"controllerName": controller, "parentRef": map[string]any{"name": name}, "conditions": []any{map[string]any{"type": "Accepted", "status": "True"}}}}
			}
			p.every(26, 7*m, func(i int) {
				istio.updateStatus(t, func(o object) { o.set(parent("istio", "istio.io/gateway-controller"), "status", "parents") })
				envoy.updateStatus(t, func(o object) {
					o.set(parent("envoy", "gateway.envoyproxy.io/gatewayclass-controller"), "status", "parents")
				})
			})
			p.fight(what{things: []*thing{t}, fields: []string{"status.parents"}, writers: []*actor{istio, envoy}, winner: envoy, mechanism: "list replaced as a whole",
				why: "Two gateway controllers replace status.parents as a whole and remove each other's entry."})
		}},
		{"httproute-merged", "status-lists", 6, func(p *play) {
			p.in("edge-eu")
			p.define("gateway.networking.k8s.io", "v1", "HTTPRoute", "Namespaced", "")
			t := p.thing("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: store}\nspec: {parentRefs: [{name: istio}, {name: envoy}], hostnames: [store.example.eu]}")
			istio := p.service("istio-system/istiod", "pilot-discovery/1.27.0 (linux/amd64) istio/$Format", "").reacts(100*1e6, sec)
			envoy := p.service("envoy-gateway-system/envoy-gateway", "envoy-gateway/v1.5.0 (linux/amd64) kubernetes/$Format", "").reacts(100*1e6, sec)
			p.person("frank@example.com", kubectlAgent, "kubectl-create").create(t)
			mine := func(controller string, i int) func(o object) {
				return func(o object) {
					old, _ := o.value("status", "parents").([]any)
					var all []any
					for _, x := range old {
						if x.(map[string]any)["controllerName"] != controller {
							all = append(all, x)
						}
					}
					o.set(append(all, map[string]any{"controllerName": controller, "conditions": []any{map[string]any{"type": "ResolvedRefs", "status": []string{"True", "False"}[i/3%2]}}}), "status", "parents")
				}
			}
			p.every(26, 12*m, func(i int) {
				istio.updateStatus(t, mine("istio.io/gateway-controller", i))
				envoy.updateStatus(t, mine("gateway.envoyproxy.io/gatewayclass-controller", i+1))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{istio, envoy}, why: "Two gateway controllers read the list and replace only the entry of their own, though its place in the list moves."})
		}},
		{"pvc-status-by-two", "status-lists", 8, func(p *play) {
			p.in("databases")
			t := p.thing("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data-pg-0}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}")
			resizer := p.service("kube-system/ebs-csi-controller", "csi-resizer/v1.14.0 (linux/amd64) kubernetes/$Format", "")
			kubelet := p.person("system:node:worker-1", "kubelet/v1.37.1 (linux/amd64) kubernetes/5f2a8c1", "").reacts(5*sec, 20*sec)
			p.kcm("statefulset-controller").create(t)
			p.every(8, 50*m, func(i int) {
				resizer.strategicStatus(t, `{"status":{"conditions":[{"type":"FileSystemResizePending","status":"True"}]}}`)
				kubelet.strategicStatus(t, fmt.Sprintf(`{"status":{"capacity":{"storage":"%dGi"},"conditions":[{"$patch":"delete","type":"FileSystemResizePending"}]}}`, 11+i))
			})
			p.lookalike(what{things: []*thing{t}, writers: []*actor{resizer, kubelet}, debatable: true,
				why: "A handshake: the resizer asks for a file system resize, the kubelet does it and takes the condition away, eight times."})
		}},
	}
}
