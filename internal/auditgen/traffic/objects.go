package traffic

import (
	"fmt"
	"strconv"
)

type kind struct {
	group, version, resource, name string
	cluster                        bool
	initial                        int // number of objects at the beginning
	// spec appends the fields after metadata. status appends the field status. Both may
	// be nil.
	spec, status func(b []byte, r *random, o *object) []byte
	// secret is true if bodies of this kind are not logged.
	secret bool
	// oldVersion is a deprecated version of the API, and removedIn the release that
	// removes it.
	oldVersion, removedIn string
	pool                  []*object
}

// object is one object in the cluster.
type object struct {
	kind            *kind
	namespace, name string
	uid             uid
	version         uint64 // resourceVersion
	created         int64  // in microseconds since 1970
	generation      int
	state           int     // random number that changes with each change of the status
	seed            uint64  // seed of the fields that never change
	owner           *client // the client with most writes to the object
}

// newKinds returns all kinds, in a fixed order.
func newKinds() []*kind {
	return []*kind{
		{version: "v1", resource: "configmaps", name: "ConfigMap", initial: 3600, spec: configMapSpec},
		{version: "v1", resource: "secrets", name: "Secret", initial: 2400, spec: configMapSpec, secret: true},
		{version: "v1", resource: "pods", name: "Pod", initial: 6000, spec: podSpec, status: podStatus},
		{group: "apps", version: "v1", resource: "deployments", name: "Deployment", initial: 1800, spec: deploymentSpec, status: deploymentStatus},
		{group: "apps", version: "v1", resource: "replicasets", name: "ReplicaSet", initial: 3000, spec: deploymentSpec, status: deploymentStatus},
		{version: "v1", resource: "services", name: "Service", initial: 1500, spec: serviceSpec},
		{group: "discovery.k8s.io", version: "v1", resource: "endpointslices", name: "EndpointSlice", initial: 1500, spec: endpointsSpec},
		{version: "v1", resource: "serviceaccounts", name: "ServiceAccount", initial: 1000, spec: emptySpec},
		{group: "batch", version: "v1", resource: "jobs", name: "Job", initial: 900, spec: deploymentSpec, status: deploymentStatus},
		{group: "batch", version: "v1", resource: "cronjobs", name: "CronJob", initial: 200, spec: deploymentSpec, status: deploymentStatus, oldVersion: "v1beta1", removedIn: "1.25"},
		{group: "policy", version: "v1", resource: "poddisruptionbudgets", name: "PodDisruptionBudget", initial: 300, spec: customSpec, status: customStatus, oldVersion: "v1beta1", removedIn: "1.25"},
		{group: "autoscaling", version: "v2", resource: "horizontalpodautoscalers", name: "HorizontalPodAutoscaler", initial: 300, spec: customSpec, status: customStatus, oldVersion: "v2beta2", removedIn: "1.26"},
		{group: "flowcontrol.apiserver.k8s.io", version: "v1beta2", resource: "flowschemas", name: "FlowSchema", cluster: true, initial: 20, spec: customSpec, status: customStatus, oldVersion: "v1beta1", removedIn: "1.26"},
		{group: "networking.k8s.io", version: "v1", resource: "ingresses", name: "Ingress", initial: 400, spec: customSpec, status: customStatus},
		{group: "argoproj.io", version: "v1alpha1", resource: "applications", name: "Application", initial: 400, spec: customSpec, status: customStatus},
		{group: "cert-manager.io", version: "v1", resource: "certificates", name: "Certificate", initial: 400, spec: customSpec, status: customStatus},
		{group: "kustomize.toolkit.fluxcd.io", version: "v1", resource: "kustomizations", name: "Kustomization", initial: 300, spec: customSpec, status: customStatus},
		{group: "monitoring.coreos.com", version: "v1", resource: "prometheusrules", name: "PrometheusRule", initial: 300, spec: customSpec},
		{group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles", name: "ClusterRole", cluster: true, initial: 200, spec: customSpec},
		{version: "v1", resource: "nodes", name: "Node", cluster: true, initial: nodes, spec: emptySpec, status: nodeStatus},
		{group: "coordination.k8s.io", version: "v1", resource: "leases", name: "Lease", initial: nodes + operators, spec: leaseSpec},
		{version: "v1", resource: "events", name: "Event", initial: 400, spec: eventSpec},
	}
}

// namespace returns a random namespace of the cluster.
func (r *random) namespace() string {
	team := r.pick(teams)
	if n := r.skewed(18); n > 0 {
		return team + "-" + strconv.Itoa(n)
	}
	return team
}

var words = []string{"checkout", "basket", "catalog", "billing", "invoices", "ranking", "profiles", "sessions", "gateway", "mailer", "notifier", "ingest", "exporter", "metering", "quota", "uploads", "geocoder", "pricing", "stock", "returns"}

// newObject returns a random object. i is its number in its kind.
func (g *Generator) newObject(k *kind, i int) *object {
	r := g.r
	o := &object{kind: k, uid: r.uid(), version: g.revision(), created: g.now, generation: 1, seed: r.Uint64()}
	if !k.cluster {
		o.namespace = r.namespace()
	}
	word := r.pick(words)
	switch k.resource {
	case "nodes":
		o.name = nodeName(i % nodes)
		o.owner = g.clients.kubelets[i%nodes]
	case "leases":
		if o.namespace, o.name, o.owner = "kube-node-lease", nodeName(i%nodes), g.clients.kubelets[i%nodes]; i >= nodes {
			o.owner = g.clients.operators[(i-nodes)%operators]
			o.namespace, o.name = r.pick(teams)+"-system", word+"-leader-"+r.suffix(4)
		}
	case "pods":
		o.name = word + "-" + r.suffix(9) + "-" + r.suffix(5)
		o.owner = g.clients.kubelets[r.below(nodes)]
	case "events":
		o.name = fmt.Sprintf("%s-%s.%016x", word, r.suffix(5), r.Uint64()>>4)
		o.owner = g.clients.kubelets[r.below(nodes)]
	case "replicasets", "jobs", "endpointslices":
		o.name = word + "-" + r.suffix(9)
		o.owner = g.clients.controllers[r.below(8)]
	default:
		o.name = fmt.Sprintf("%s-%s-%d", word, r.suffix(3), i)
		if r.chance(15) {
			o.owner = g.clients.people[r.skewed(len(g.clients.people))]
		} else {
			o.owner = g.clients.operators[r.skewed(len(g.clients.operators))]
		}
	}
	return o
}

// groupVersion returns the value of apiVersion for a version.
func (k *kind) groupVersion(version string) string {
	if k.group == "" {
		return version
	}
	return k.group + "/" + version
}
