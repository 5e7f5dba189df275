package projects

// withoutReleases lists well-known groups that are not in the table, with the
// software that serves them. They are aggregated APIs, which have no
// CustomResourceDefinitions, and groups of projects whose releases kubevet does
// not read. The list is written by hand.
var withoutReleases = [...]struct{ group, owner string }{
	// Aggregated APIs of k8s.io/metrics.
	{"metrics.k8s.io", "metrics-server"},
	{"custom.metrics.k8s.io", "custom metrics adapter"},
	{"external.metrics.k8s.io", "external metrics adapter"},
	// Projects of the Kubernetes organizations.
	{"autoscaling.k8s.io", "vertical-pod-autoscaler"},
	{"autoscaling.x-k8s.io", "cluster-autoscaler"},
	{"elbv2.k8s.aws", "aws-load-balancer-controller"},
	{"externaldns.k8s.io", "external-dns"},
	{"gateway.k8s.aws", "aws-load-balancer-controller"},
	{"infrastructure.cluster.x-k8s.io", "cluster-api providers"},
	{"inference.networking.k8s.io", "gateway-api-inference-extension"},
	{"inference.networking.x-k8s.io", "gateway-api-inference-extension"},
	{"jobset.x-k8s.io", "jobset"},
	{"leaderworkerset.x-k8s.io", "lws"},
	{"multicluster.x-k8s.io", "mcs-api"},
	{"nfd.k8s-sigs.io", "node-feature-discovery"},
	{"node.k8s-sigs.io", "node-readiness-controller"},
	{"policy.networking.k8s.io", "network-policy-api"},
	{"scheduling.x-k8s.io", "scheduler-plugins"},
	{"secrets-store.csi.x-k8s.io", "secrets-store-csi-driver"},
	{"security-profiles-operator.x-k8s.io", "security-profiles-operator"},
	{"wgpolicyk8s.io", "policy reports"},
	// More APIs of projects in the table.
	{"access.strimzi.io", "kafka-access-operator"},
	{"install.istio.io", "istioctl"},
	{"projectcalico.org", "the API server of Calico"},
	// Other projects.
	{"app.k8s.io", "application"},
	{"bitnami.com", "sealed-secrets"},
	{"flagger.app", "flagger"},
	{"gateway.envoyproxy.io", "envoy-gateway"},
	{"helm.cattle.io", "helm-controller of K3s"},
	{"k8s.cni.cncf.io", "multus"},
	{"k8s.nginx.org", "nginx-ingress of F5"},
	{"configuration.konghq.com", "kong"},
	{"kubevirt.io", "kubevirt"},
	{"objectbucket.io", "rook"},
	{"operators.coreos.com", "operator-lifecycle-manager"},
	{"operator.tigera.io", "tigera-operator"},
	{"ray.io", "kuberay"},
	{"serving.kserve.io", "kserve"},
	{"sparkoperator.k8s.io", "spark-operator"},
	{"split.smi-spec.io", "service mesh interface"},
	{"specs.smi-spec.io", "service mesh interface"},
	{"access.smi-spec.io", "service mesh interface"},
	{"upgrade.cattle.io", "system-upgrade-controller"},
	{"batch.volcano.sh", "volcano"},
	{"scheduling.volcano.sh", "volcano"},
	{"acid.zalan.do", "postgres-operator of Zalando"},
	{"rabbitmq.com", "rabbitmq-cluster-operator"},
	{"secrets.hashicorp.com", "vault-secrets-operator"},
}

// ownerOf returns the software that serves a group in withoutReleases, or "".
func ownerOf(group string) string {
	for _, g := range withoutReleases {
		if g.group == group {
			return g.owner
		}
	}
	return ""
}
