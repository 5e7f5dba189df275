package main

import "fmt"

// successor is a pair of kinds: to replaces from.
type successor struct {
	from, to kindKey
	// source is the URL of the project's text about the change.
	source string
}

// successors is written by hand, because definitions do not name their
// successors. Groups that were renamed are in renames.
var successors = []successor{
	{kindKey{"cilium.io", "CiliumEgressNATPolicy"}, kindKey{"cilium.io", "CiliumEgressGatewayPolicy"}, "the definition's warning in Cilium 1.12"},
	{kindKey{"gateway.networking.k8s.io", "ReferencePolicy"}, kindKey{"gateway.networking.k8s.io", "ReferenceGrant"}, "the definition's warning in Gateway API 0.5"},
	{kindKey{"gateway.networking.k8s.io", "BackendLBPolicy"}, kindKey{"gateway.networking.x-k8s.io", "XBackendTrafficPolicy"}, "https://gateway-api.sigs.k8s.io/geps/gep-1619/"},
	{kindKey{"gateway.networking.x-k8s.io", "XListenerSet"}, kindKey{"gateway.networking.k8s.io", "ListenerSet"}, "https://gateway-api.sigs.k8s.io/geps/gep-1713/"},
	{kindKey{"contour.heptio.com", "IngressRoute"}, kindKey{"projectcontour.io", "HTTPProxy"}, "https://projectcontour.io/guides/ingressroute-to-httpproxy/"},
	{kindKey{"integreatly.org", "GrafanaDataSource"}, kindKey{"grafana.integreatly.org", "GrafanaDatasource"}, "https://grafana.github.io/grafana-operator/blog/2023/05/27/v4-v5-migration/"},
	{kindKey{"karpenter.k8s.aws", "AWSNodeTemplate"}, kindKey{"karpenter.k8s.aws", "EC2NodeClass"}, "https://karpenter.sh/v0.32/upgrading/v1beta1-migration/"},
	{kindKey{"karpenter.sh", "Machine"}, kindKey{"karpenter.sh", "NodeClaim"}, "https://karpenter.sh/v0.32/upgrading/v1beta1-migration/"},
	{kindKey{"karpenter.sh", "Provisioner"}, kindKey{"karpenter.sh", "NodePool"}, "https://karpenter.sh/v0.32/upgrading/v1beta1-migration/"},
	{kindKey{"metallb.io", "AddressPool"}, kindKey{"metallb.io", "IPAddressPool"}, "the definition's warning in MetalLB 0.13"},
	{kindKey{"pkg.crossplane.io", "ControllerConfig"}, kindKey{"pkg.crossplane.io", "DeploymentRuntimeConfig"}, "the definition's warning in Crossplane 1.14"},
	{kindKey{"kafka.strimzi.io", "KafkaConnectS2I"}, kindKey{"kafka.strimzi.io", "KafkaConnect"}, "https://github.com/strimzi/strimzi-kafka-operator/blob/main/CHANGELOG.md, 0.24.0"},
	{kindKey{"kafka.strimzi.io", "KafkaMirrorMaker"}, kindKey{"kafka.strimzi.io", "KafkaMirrorMaker2"}, "https://github.com/strimzi/strimzi-kafka-operator/blob/main/CHANGELOG.md, 0.46.0"},
	{kindKey{"messaging.knative.dev", "Choice"}, kindKey{"flows.knative.dev", "Parallel"}, "https://github.com/knative/eventing/releases/tag/v0.9.0"},
	{kindKey{"sources.eventing.knative.dev", "CronJobSource"}, kindKey{"sources.knative.dev", "PingSource"}, "https://github.com/knative/eventing/releases/tag/v0.13.0"},
	{kindKey{"velero.io", "ResticRepository"}, kindKey{"velero.io", "BackupRepository"}, "https://github.com/vmware-tanzu/velero/blob/main/changelogs/CHANGELOG-1.10.md"},
	{kindKey{"ark.heptio.com", "ResticRepository"}, kindKey{"velero.io", "BackupRepository"}, "https://github.com/vmware-tanzu/velero/blob/main/changelogs/CHANGELOG-1.10.md"},
	{kindKey{"authentication.istio.io", "Policy"}, kindKey{"security.istio.io", "PeerAuthentication"}, "https://istio.io/v1.5/news/releases/1.5.x/announcing-1.5/upgrade-notes/"},
	{kindKey{"authentication.istio.io", "MeshPolicy"}, kindKey{"security.istio.io", "PeerAuthentication"}, "https://istio.io/v1.5/news/releases/1.5.x/announcing-1.5/upgrade-notes/"},
	{kindKey{"rbac.istio.io", "ServiceRole"}, kindKey{"security.istio.io", "AuthorizationPolicy"}, "https://istio.io/v1.4/blog/2019/v1beta1-authorization-policy/"},
	{kindKey{"rbac.istio.io", "ServiceRoleBinding"}, kindKey{"security.istio.io", "AuthorizationPolicy"}, "https://istio.io/v1.4/blog/2019/v1beta1-authorization-policy/"},
	{kindKey{"rbac.istio.io", "RbacConfig"}, kindKey{"security.istio.io", "AuthorizationPolicy"}, "https://istio.io/v1.4/blog/2019/v1beta1-authorization-policy/"},
	{kindKey{"rbac.istio.io", "ClusterRbacConfig"}, kindKey{"security.istio.io", "AuthorizationPolicy"}, "https://istio.io/v1.4/blog/2019/v1beta1-authorization-policy/"},
}

// renames are groups whose kinds moved to another group without changing their
// names. A kind that is not in the other group has no successor.
var renames = []struct {
	from, to string
	// source is the URL of the project's text about the change.
	source string
}{
	{"ark.heptio.com", "velero.io", "https://velero.io/docs/v1.0.0/migrating-to-velero/"},
	{"certmanager.k8s.io", "cert-manager.io", "https://cert-manager.io/docs/releases/upgrading/upgrading-0.10-0.11/"},
	{"certmanager.k8s.io", "acme.cert-manager.io", "https://cert-manager.io/docs/releases/upgrading/upgrading-0.10-0.11/"},
	{"cluster.k8s.io", "cluster.x-k8s.io", "https://cluster-api.sigs.k8s.io/developer/providers/migrations/v1alpha1-to-v1alpha2"},
	{"contour.heptio.com", "projectcontour.io", "https://projectcontour.io/guides/ingressroute-to-httpproxy/"},
	{"eventing.knative.dev", "messaging.knative.dev", "https://github.com/knative/eventing/releases/tag/v0.8.0"},
	{"exp.cluster.x-k8s.io", "cluster.x-k8s.io", "https://cluster-api.sigs.k8s.io/developer/providers/migrations/v1alpha3-to-v1alpha4"},
	{"integreatly.org", "grafana.integreatly.org", "https://grafana.github.io/grafana-operator/blog/2023/05/27/v4-v5-migration/"},
	{"keda.k8s.io", "keda.sh", "https://keda.sh/docs/2.0/migration/"},
	{"longhorn.rancher.io", "longhorn.io", "https://longhorn.io/docs/0.8.0/install/upgrades/"},
	{"messaging.knative.dev", "flows.knative.dev", "https://github.com/knative/eventing/releases/tag/v0.11.0"},
	{"networking.x-k8s.io", "gateway.networking.k8s.io", "https://github.com/kubernetes-sigs/gateway-api/releases/tag/v0.4.0"},
	{"postgresql.k8s.2ndq.io", "postgresql.cnpg.io", "https://github.com/cloudnative-pg/cloudnative-pg/releases/tag/v1.15.0"},
	{"postgresql.k8s.enterprisedb.io", "postgresql.cnpg.io", "https://github.com/cloudnative-pg/cloudnative-pg/releases/tag/v1.15.0"},
	{"rbac.istio.io", "security.istio.io", "https://istio.io/v1.4/blog/2019/v1beta1-authorization-policy/"},
	{"sources.eventing.knative.dev", "sources.knative.dev", "https://github.com/knative/eventing/releases/tag/v0.13.0"},
	{"tekton.dev", "triggers.tekton.dev", "https://github.com/tektoncd/triggers/releases/tag/v0.4.0"},
	{"traefik.containo.us", "traefik.io", "https://doc.traefik.io/traefik/migration/v2-to-v3-details/"},
}

// addSuccessors sets the successors of kinds that the newest release does not
// have. complete is set if the table has all projects; otherwise, it is not an
// error if a kind is not in the table.
func (t *table) addSuccessors(kinds map[kindKey]*kind, complete bool) error {
	for _, s := range successors {
		from, to := kinds[s.from], kinds[s.to]
		switch {
		case from != nil && to != nil && to.isServedNow():
			from.successor = to
		case complete:
			return fmt.Errorf("successor of %s %s: %s %s: not in the table, or gone", s.from.group, s.from.kind, s.to.group, s.to.kind)
		}
	}
	for _, r := range renames {
		used := false
		for key, k := range kinds {
			if key.group != r.from || k.isServedNow() || k.successor != nil {
				continue
			}
			if to := kinds[kindKey{r.to, key.kind}]; to != nil && to.isServedNow() {
				k.successor, used = to, true
			}
		}
		if !used && complete {
			return fmt.Errorf("group %s: no kind moved to %s", r.from, r.to)
		}
	}
	return nil
}

// isServedNow reports whether the newest release serves a version of the kind.
func (k *kind) isServedNow() bool {
	for _, h := range k.versions {
		if v := h.states[len(h.states)-1]; v != nil && v.served {
			return true
		}
	}
	return false
}
