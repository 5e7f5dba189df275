package kindwarning

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

type object = map[string]any

// generator makes random objects with every value about which servers warn.
// Servers accept most of these objects.
type generator struct {
	*rand.Rand
	minor lifecycle.Minor
}

// chance returns true with probability 1/n.
func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

func oneOf[T any](g generator, of ...T) T { return of[g.IntN(len(of))] }

// listOf returns a list of up to n results of make.
func listOf(g generator, n int, make func() any) []any {
	list := []any{}
	for range g.IntN(n + 1) {
		list = append(list, make())
	}
	return list
}

// maybe sets a field with probability 1/n.
func (g generator) maybe(n int, o object, name string, value func() any) {
	if g.chance(n) {
		o[name] = value()
	}
}

// makers are the functions that make a random object of each kind.
var makers = map[string]func(g generator) object{
	"Service": generator.service, "Node": generator.node,
	"PersistentVolume": generator.volume, "PersistentVolumeClaim": generator.claim,
	"StorageClass": generator.storageClass, "CSIStorageCapacity": generator.capacity, "CSIDriver": generator.driver,
	"RuntimeClass": generator.runtimeClass, "EndpointSlice": generator.slice, "Endpoints": generator.endpoints,
	"Ingress": generator.ingress, "NetworkPolicy": generator.networkPolicy, "Secret": generator.secret,
	"ServiceAccount": generator.serviceAccount, "ResourceQuota": generator.quota, "ResourceSlice": generator.resourceSlice,
	"ValidatingWebhookConfiguration": generator.webhooks, "ValidatingAdmissionPolicyBinding": generator.binding,
	"ValidatingAdmissionPolicy": generator.policy, "CustomResourceDefinition": generator.crd, "ConfigMap": generator.configMap,
	"PodDisruptionBudget": generator.budget, "HorizontalPodAutoscaler": generator.autoscaler,
}

func (g generator) object(kind string) object {
	o := makers[kind](g)
	o["kind"] = kind
	meta, _ := o["metadata"].(object)
	if meta == nil {
		meta = object{}
		o["metadata"] = meta
	}
	if meta["name"] == nil {
		meta["name"] = "w"
	}
	switch kind {
	case "Service", "PersistentVolumeClaim", "CSIStorageCapacity", "EndpointSlice", "Endpoints", "Ingress", "NetworkPolicy",
		"Secret", "ServiceAccount", "ResourceQuota", "ConfigMap", "PodDisruptionBudget", "HorizontalPodAutoscaler":
		meta["namespace"] = "default"
	}
	g.maybe(4, meta, "annotations", func() any { return g.annotations() })
	g.maybe(8, meta, "ownerReferences", func() any { return listOf(g, 2, g.owner) })
	return o
}

func (g generator) owner() any {
	ref := object{"apiVersion": "v1", "kind": "ConfigMap", "name": oneOf(g, "a", "b"), "uid": oneOf(g, "u1", "u2")}
	g.maybe(3, ref, "controller", func() any { return oneOf[any](g, false, nil) })
	g.maybe(3, ref, "blockOwnerDeletion", func() any { return oneOf[any](g, true, false) })
	return ref
}

func (g generator) annotations() object {
	o := object{}
	for range g.IntN(4) {
		o[oneOf(g, "service.kubernetes.io/topology-aware-hints", "volume.beta.kubernetes.io/storage-class", "volume.beta.kubernetes.io/mount-options",
			"kubernetes.io/ingress.class", "kubernetes.io/enforce-mountable-secrets", "a")] = oneOf[any](g, "true", "", nil, "x")
	}
	return o
}

// changedObject returns a new random object with the same name, which keeps some
// fields of o.
func (g generator) changedObject(o object) object {
	next := g.object(o["kind"].(string))
	next["metadata"].(object)["name"] = o["metadata"].(object)["name"]
	for _, name := range []string{"metadata", "data", "type", "addressType", "handler", "nodeTopology", "provisioner"} {
		if g.chance(2) && o[name] != nil {
			next[name] = o[name]
		}
	}
	spec, ok := o["spec"].(object)
	if nextSpec, nextOK := next["spec"].(object); ok && nextOK {
		for name, v := range spec {
			if g.chance(2) {
				nextSpec[name] = v
			}
		}
	}
	return next
}

func (g generator) ip() string {
	return oneOf(g, "10.0.0.1", "1.2.3.4", "192.168.0.9", "10.96.0.7", "2001:db8::1", "fd00::5",
		"010.0.0.1", "1.2.3.004", "::ffff:1.2.3.4", "::ffff:01.2.3.4", "2001:DB8::1", "2001:db8:0:0:0:0:0:1", "2001:db8::00001", "FD00::5")
}

func (g generator) cidr() string {
	return oneOf(g, "10.0.0.0/8", "1.2.3.4/32", "192.168.0.0/16", "2001:db8::/64", "0.0.0.0/0",
		"010.0.0.0/8", "10.0.0.0/08", "10.0.0.1/8", "::ffff:10.0.0.0/104", "2001:DB8::/64", "2001:db8::1/64", "010.0.0.1/8", "2001:db8:0::/64")
}

func (g generator) nodeLabel() string {
	return oneOf(g, "a", "kubernetes.io/os", "beta.kubernetes.io/arch", "beta.kubernetes.io/os", "failure-domain.beta.kubernetes.io/region",
		"failure-domain.beta.kubernetes.io/zone", "beta.kubernetes.io/instance-type", "app.kubernetes.io/created-by",
		"scheduler.alpha.kubernetes.io/preferAvoidPods", "node-role.kubernetes.io/master")
}

func (g generator) quantity() any {
	return oneOf[any](g, "1", "2", 3, "1500m", "0.5", "1Gi", "1.5", "0.1Mi", "0.0005", "1e-3", 1.5, "1e3", "4", "1M", "0", "12E")
}

func (g generator) service() object {
	spec := object{"ports": []any{object{"port": 80}}, "selector": object{"app": "a"}}
	g.maybe(2, spec, "type", func() any { return oneOf(g, "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "") })
	g.maybe(2, spec, "clusterIP", func() any { return oneOf(g, "None", "", g.ip(), "None") })
	if ip, ok := spec["clusterIP"].(string); ok && ip != "" && g.chance(3) {
		spec["clusterIPs"] = []any{ip}
		if ip != "None" && g.chance(3) {
			spec["clusterIPs"] = []any{ip, g.ip()}
			spec["ipFamilyPolicy"] = "PreferDualStack"
		}
	}
	if spec["type"] == "ExternalName" {
		spec["externalName"] = "example.com"
		if !g.chance(5) {
			delete(spec, "clusterIP")
			delete(spec, "clusterIPs")
		}
	}
	g.maybe(8, spec, "externalName", func() any { return oneOf(g, "example.com", "") })
	g.maybe(3, spec, "externalIPs", func() any { return listOf(g, 3, func() any { return g.ip() }) })
	g.maybe(4, spec, "loadBalancerIP", func() any { return oneOf(g, "", "x", g.ip(), g.ip(), "fe80::1%eth0") })
	g.maybe(4, spec, "sessionAffinity", func() any { return oneOf(g, "", "None", "ClientIP") })
	if spec["type"] == "LoadBalancer" {
		g.maybe(2, spec, "loadBalancerSourceRanges", func() any {
			return listOf(g, 3, func() any { return oneOf(g, "", " ", "") + g.cidr() })
		})
	}
	g.maybe(3, spec, "trafficDistribution", func() any { return oneOf(g, "PreferClose", "PreferClose", "PreferSameZone") })
	return object{"apiVersion": "v1", "spec": spec}
}

func (g generator) node() object {
	spec := object{}
	g.maybe(3, spec, "externalID", func() any { return oneOf(g, "x", "") })
	g.maybe(3, spec, "configSource", func() any {
		return object{"configMap": object{"name": "a", "namespace": "b", "kubeletConfigKey": "k"}}
	})
	g.maybe(3, spec, "podCIDR", func() any { return g.cidr() })
	g.maybe(3, spec, "podCIDRs", func() any {
		return append([]any{oneOf(g, "10.0.0.0/8", "010.0.0.0/8", "10.0.0.1/8")}, listOf(g, 1, func() any { return oneOf(g, "2001:DB8::/64", "2001:db8::1/64", "2001:db8::/64") })...)
	})
	return object{"apiVersion": "v1", "spec": spec}
}

func (g generator) term() any {
	return object{"matchExpressions": []any{object{"key": g.nodeLabel(), "operator": "In", "values": []any{"x"}}, object{"key": g.nodeLabel(), "operator": "Exists"}}}
}

func (g generator) volume() object {
	spec := object{"capacity": object{"storage": "1Gi"}, "accessModes": []any{"ReadWriteOnce"}}
	switch g.IntN(8) {
	case 0:
		spec["cephfs"] = object{"monitors": []any{"m"}}
	case 1:
		spec["photonPersistentDisk"] = object{"pdID": "p"}
	case 2:
		spec["scaleIO"] = object{"gateway": "g", "system": "s", "secretRef": object{"name": "n", "namespace": "ns"}, "volumeName": "v"}
	case 3:
		spec["storageos"] = object{"volumeName": "v", "volumeNamespace": "ns"}
	case 4:
		spec["glusterfs"] = object{"endpoints": "e", "path": "p"}
	case 5:
		spec["rbd"] = object{"monitors": []any{"m"}, "image": "i"}
	case 6:
		spec["quobyte"] = object{"registry": "r:1", "volume": "v"}
	default:
		spec["hostPath"] = object{"path": "/tmp"}
	}
	g.maybe(3, spec, "persistentVolumeReclaimPolicy", func() any { return oneOf(g, "Recycle", "Delete", "Retain") })
	g.maybe(2, spec, "nodeAffinity", func() any {
		return object{"required": object{"nodeSelectorTerms": append([]any{g.term()}, listOf(g, 1, g.term)...)}}
	})
	return object{"apiVersion": "v1", "spec": spec}
}

func (g generator) claim() object {
	resources := object{"requests": object{"storage": g.quantity()}}
	g.maybe(2, resources, "limits", func() any { return object{"storage": g.quantity()} })
	spec := object{"accessModes": []any{"ReadWriteOnce"}, "resources": resources}
	return object{"apiVersion": "v1", "spec": spec}
}

func (g generator) storageClass() object {
	o := object{"apiVersion": "storage.k8s.io/v1", "provisioner": "p.example.com"}
	g.maybe(1, o, "allowedTopologies", func() any {
		return listOf(g, 2, func() any {
			return object{"matchLabelExpressions": []any{object{"key": g.nodeLabel(), "values": []any{"v" + fmt.Sprint(g.IntN(1000))}}}}
		})
	})
	return o
}

func (g generator) capacity() object {
	version := "v1"
	if g.minor < 24 || g.minor < 27 && g.chance(2) {
		version = "v1beta1"
	}
	topology := object{}
	g.maybe(2, topology, "matchLabels", func() any { return object{g.nodeLabel(): "x", g.nodeLabel(): "y"} })
	g.maybe(2, topology, "matchExpressions", func() any {
		return listOf(g, 2, func() any { return object{"key": g.nodeLabel(), "operator": "Exists"} })
	})
	return object{"apiVersion": "storage.k8s.io/" + version, "storageClassName": "s", "nodeTopology": topology}
}

func (g generator) driver() object {
	spec := object{}
	g.maybe(2, spec, "tokenRequests", func() any {
		return listOf(g, 2, func() any {
			r := object{"audience": "a" + fmt.Sprint(g.IntN(9))}
			g.maybe(2, r, "expirationSeconds", func() any { return oneOf[any](g, 600, 3600, nil) })
			return r
		})
	})
	g.maybe(3, spec, "serviceAccountTokenInSecrets", func() any { return oneOf[any](g, true, false, nil) })
	return object{"apiVersion": "storage.k8s.io/v1", "metadata": object{"name": "d.example.com"}, "spec": spec}
}

func (g generator) runtimeClass() object {
	o := object{"apiVersion": "node.k8s.io/v1", "handler": "h"}
	g.maybe(1, o, "scheduling", func() any {
		return object{"nodeSelector": object{g.nodeLabel(): "x", g.nodeLabel(): "y", g.nodeLabel(): "z"}}
	})
	return o
}

func (g generator) slice() object {
	o := object{"apiVersion": "discovery.k8s.io/v1", "addressType": oneOf(g, "IPv4", "IPv6", "FQDN")}
	o["endpoints"] = listOf(g, 3, func() any {
		address := func() any {
			switch o["addressType"] {
			case "IPv4":
				return oneOf(g, "1.2.3.4", "01.2.3.4", "10.0.0.1", "1.2.3.004")
			case "IPv6":
				return oneOf(g, "2001:db8::1", "2001:DB8::1", "2001:db8:0:0::1", "fd00::00001")
			}
			return "a.example.com"
		}
		return object{"addresses": append([]any{address()}, listOf(g, 2, address)...)}
	})
	if g.chance(3) {
		o["metadata"] = object{"labels": object{"endpointslice.kubernetes.io/managed-by": oneOf(g, "endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io", "me")}}
	}
	return o
}

func (g generator) endpoints() object {
	addresses := func() any { return listOf(g, 2, func() any { return object{"ip": g.ip()} }) }
	o := object{"apiVersion": "v1", "subsets": listOf(g, 2, func() any {
		s := object{"ports": []any{object{"port": 80}}}
		g.maybe(1, s, "addresses", addresses)
		g.maybe(2, s, "notReadyAddresses", addresses)
		return s
	})}
	if g.chance(3) {
		o["metadata"] = object{"labels": object{"endpoints.kubernetes.io/managed-by": oneOf(g, "endpoint-controller", "me")}}
	}
	return o
}

func (g generator) ingress() object {
	spec := object{"defaultBackend": object{"service": object{"name": "s", "port": object{"number": 80}}}}
	g.maybe(3, spec, "ingressClassName", func() any { return oneOf[any](g, "c", nil) })
	return object{"apiVersion": "networking.k8s.io/v1", "spec": spec}
}

func (g generator) networkPolicy() object {
	peers := func(name string) func() any {
		return func() any {
			return object{name: listOf(g, 2, func() any {
				if g.chance(4) {
					return object{"podSelector": object{}}
				}
				block := object{"cidr": g.cidr()}
				if block["cidr"] == "10.0.0.0/8" || block["cidr"] == "10.0.0.1/8" {
					block["except"] = listOf(g, 2, func() any { return oneOf(g, "10.1.0.0/16", "10.01.0.0/16", "10.1.0.1/16", "10.1.0.0/016") })
				}
				return object{"ipBlock": block}
			})}
		}
	}
	spec := object{"podSelector": object{}}
	g.maybe(1, spec, "ingress", func() any { return listOf(g, 2, peers("from")) })
	g.maybe(2, spec, "egress", func() any { return listOf(g, 2, peers("to")) })
	return object{"apiVersion": "networking.k8s.io/v1", "spec": spec}
}

func (g generator) secret() object {
	data := object{}
	crt := func() string {
		return oneOf(g, "", "x", pairs[0].crt, pairs[1].crt, pairs[0].key, pairs[0].crt[:200], badPEM)
	}
	key := func() string {
		return oneOf(g, "", "x", pairs[0].key, pairs[1].key, pairs[0].crt, pairs[1].key[:100], badPEM)
	}
	data["tls.crt"] = base64.StdEncoding.EncodeToString([]byte(crt()))
	data["tls.key"] = base64.StdEncoding.EncodeToString([]byte(key()))
	o := object{"apiVersion": "v1", "type": oneOf(g, "kubernetes.io/tls", "kubernetes.io/tls", "Opaque"), "data": data}
	g.maybe(3, o, "stringData", func() any { return object{oneOf(g, "tls.crt", "tls.key"): key()} })
	return o
}

const badPEM = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"

func (g generator) serviceAccount() object { return object{"apiVersion": "v1"} }

func (g generator) configMap() object { return object{"apiVersion": "v1", "data": object{"a": "b"}} }

func (g generator) budget() object {
	return object{"apiVersion": "policy/v1", "spec": object{"minAvailable": oneOf[any](g, 1, "50%"), "selector": object{}}}
}

func (g generator) autoscaler() object {
	return object{"apiVersion": "autoscaling/v2", "spec": object{"maxReplicas": 3, "scaleTargetRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}}}
}

func (g generator) quota() object {
	hard := object{}
	for range g.IntN(8) {
		hard[oneOf(g, "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory", "ephemeral-storage",
			"requests.ephemeral-storage", "limits.ephemeral-storage", "requests.storage", "pods")] = oneOf(g, g.quantity(), g.quantity(), nil)
	}
	return object{"apiVersion": "v1", "spec": object{"hard": hard}}
}

func (g generator) resourceSlice() object {
	version := "v1"
	if g.minor < 34 || g.chance(3) {
		version = "v1beta1"
	}
	return object{"apiVersion": "resource.k8s.io/" + version, "spec": object{
		"driver": oneOf(g, "d.example.com", "D.example.com", "d.Example.COM"), "nodeName": "n",
		"pool": object{"name": "p", "resourceSliceCount": 1}, "devices": []any{},
	}}
}
