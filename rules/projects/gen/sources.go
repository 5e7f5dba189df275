package main

// source says where to find the definitions of a project.
type source struct {
	// name is the project's name in --target-versions.
	name string
	// repository is the repository on github.com, in the form OWNER/NAME.
	repository string
	// tags is the regular expression for release tags, with groups for major,
	// minor and patch. If it is empty, tags have the form v1.2.3 or 1.2.3.
	tags string
	// since is the first release to read.
	since string
	// skipped are releases whose files have no definitions.
	skipped []string
	// files are the patterns (path.Match) of files with definitions in all
	// releases. skippedFiles are the patterns of files to skip.
	files, skippedFiles []string
	// groups are the groups that the project defines. "*.istio.io" means all
	// groups below istio.io.
	groups []string
	// foreign are the groups of other projects whose definitions in the files are
	// skipped.
	foreign []string
	// leftover are groups whose definitions stayed in the files after the project
	// removed them, with the first release in which they are skipped.
	leftover map[string]string
	// supported is the number of newest minors that the project supports, the
	// highest if it varies. policy is the project's page with this number. If
	// policy is empty, supported is ignored and defaultSupported is used.
	supported int
	policy    string
	// components are repositories whose release is in one of the project's files.
	components []component
	// module is a Go module to read instead of the repository. versions are its
	// versions to read.
	module   string
	versions []string
}

// component is another repository whose definitions belong to a project's
// release.
type component struct {
	repository string
	// file is the file that has the component's tag. tag is a regular expression
	// with one group that matches the tag.
	file, tag string
	// files are patterns of the files with definitions.
	files []string
}

// sources lists the projects. To add a project, add an item and run the
// generator.
var sources = []source{
	{
		name: "argo-cd", repository: "argoproj/argo-cd", since: "0.2",
		files:     []string{"install/manifests/*crd*", "manifests/components/*crd*", "manifests/base/*crd*", "manifests/crds/*"},
		groups:    []string{"argoproj.io"},
		supported: 3, policy: "https://github.com/argoproj/argo-cd/blob/master/SECURITY.md",
	},
	{
		name: "argo-events", repository: "argoproj/argo-events", since: "0.10",
		files:        []string{"hack/k8s/manifests/*crd*", "manifests/base/crds/*"},
		skippedFiles: []string{"hack/k8s/manifests/workflow-crd.yaml"}, // belongs to argo-workflows
		groups:       []string{"argoproj.io"},
		supported:    2, policy: "https://github.com/argoproj/argo-events/blob/master/docs/releases.md",
	},
	{
		name: "argo-rollouts", repository: "argoproj/argo-rollouts", since: "0.1",
		files:  []string{"manifests/crds/*"},
		groups: []string{"argoproj.io"},
	},
	{
		name: "argo-workflows", repository: "argoproj/argo-workflows", since: "2.3",
		files:     []string{"manifests/base/crds/*", "manifests/base/crds/full/*", "manifests/base/crds/minimal/*"},
		groups:    []string{"argoproj.io"},
		supported: 2, policy: "https://github.com/argoproj/argo-workflows/blob/main/docs/releases.md",
	},
	{
		name: "calico", repository: "projectcalico/calico", since: "3.15",
		files:  []string{"_includes/charts/calico/crds/kdd/*", "libcalico-go/config/crd/*", "api/config/crd/*"},
		groups: []string{"crd.projectcalico.org"},
		// Calico's aggregated API server serves projectcalico.org. In some
		// releases the files define it, too.
		foreign:   []string{"policy.networking.k8s.io", "projectcalico.org"},
		supported: 2, policy: "https://github.com/projectcalico/calico/blob/master/SECURITY.md",
	},
	{
		name: "cert-manager", repository: "cert-manager/cert-manager", since: "0.3",
		files:     []string{"contrib/charts/cert-manager/templates/*crd*", "deploy/manifests/00-crds.yaml", "deploy/charts/cert-manager/crds/*", "deploy/crds/*"},
		groups:    []string{"certmanager.k8s.io", "cert-manager.io", "acme.cert-manager.io"},
		supported: 2, policy: "https://cert-manager.io/docs/releases/",
	},
	{
		name: "cilium", module: "github.com/cilium/cilium", repository: "cilium/cilium", since: "1.10",
		versions:  ciliumVersions,
		files:     []string{"pkg/k8s/apis/cilium.io/client/crds/*/*.yaml"},
		groups:    []string{"cilium.io"},
		supported: 3, policy: "https://github.com/cilium/cilium/blob/main/SECURITY.md",
	},
	{
		name: "cloudnative-pg", repository: "cloudnative-pg/cloudnative-pg", since: "0.1",
		files:     []string{"config/crd/bases/*"},
		groups:    []string{"postgresql.k8s.2ndq.io", "postgresql.k8s.enterprisedb.io", "postgresql.cnpg.io"},
		supported: 2, policy: "https://cloudnative-pg.io/docs/devel/supported_releases/",
	},
	{
		name: "cluster-api", repository: "kubernetes-sigs/cluster-api", since: "0.1",
		files: []string{"config/crds/*", "config/crd/bases/*", "core/config/crd/bases/*", "bootstrap/kubeadm/config/crd/bases/*",
			"controlplane/kubeadm/config/crd/bases/*", "cmd/clusterctl/config/crd/bases/*"},
		groups:    []string{"cluster.k8s.io", "cluster.x-k8s.io", "*.cluster.x-k8s.io"},
		supported: 3, policy: "https://cluster-api.sigs.k8s.io/reference/versions",
	},
	{
		name: "contour", repository: "projectcontour/contour", since: "0.6",
		files:     []string{"examples/common/*", "examples/contour/*crd*", "deployment/common/*"},
		groups:    []string{"contour.heptio.com", "projectcontour.io"},
		supported: 3, policy: "https://projectcontour.io/resources/support/",
	},
	{
		name: "crossplane", repository: "crossplane/crossplane", since: "1.0",
		files:     []string{"cluster/charts/crossplane/crds/*", "cluster/crds/*", "cluster/meta/*"},
		groups:    []string{"*.crossplane.io"},
		supported: 3, policy: "https://docs.crossplane.io/latest/learn/release-cycle/",
	},
	{
		name: "elastic", repository: "elastic/cloud-on-k8s", since: "0.8",
		files:  []string{"operators/config/crds/*", "config/crds/bases/*", "config/crds/v1/bases/*", "config/crds/v1beta1/bases/*", "config/crds/v1/resources/*", "config/crds/v1/all-crds.yaml"},
		groups: []string{"*.k8s.elastic.co"},
	},
	{
		name: "external-secrets", repository: "external-secrets/external-secrets", since: "0.1",
		files:     []string{"deploy/crds/*", "config/crds/bases/*"},
		groups:    []string{"external-secrets.io", "*.external-secrets.io"},
		supported: 1, policy: "https://external-secrets.io/latest/introduction/stability-support/",
	},
	{
		name: "external-snapshotter", repository: "kubernetes-csi/external-snapshotter", since: "2.0",
		files:  []string{"config/crd/*", "client/config/crd/*"},
		groups: []string{"snapshot.storage.k8s.io", "groupsnapshot.storage.k8s.io", "groupsnapshot.storage.openshift.io"},
	},
	{
		name: "flux", repository: "fluxcd/flux2", since: "0.1",
		components: []component{
			fluxComponent("source-controller"), fluxComponent("kustomize-controller"), fluxComponent("helm-controller"),
			fluxComponent("notification-controller"), fluxComponent("image-reflector-controller"), fluxComponent("image-automation-controller"),
		},
		groups:    []string{"*.toolkit.fluxcd.io"},
		supported: 3, policy: "https://fluxcd.io/flux/releases/",
	},
	{
		name: "gatekeeper", repository: "open-policy-agent/gatekeeper", since: "3.1",
		files:     []string{"charts/gatekeeper/crds/*"},
		groups:    []string{"*.gatekeeper.sh"},
		supported: 2, policy: "https://github.com/open-policy-agent/gatekeeper/blob/master/docs/Release_Management.md",
	},
	{
		name: "gateway-api", repository: "kubernetes-sigs/gateway-api", since: "0.1", skipped: []string{"0.15"}, // the tag 0.15 was a mistake
		files:  []string{"config/crd/bases/*", "config/crd/v1alpha1/*", "config/crd/v1alpha2/*", "config/crd/standard/*", "config/crd/experimental/*"},
		groups: []string{"networking.x-k8s.io", "gateway.networking.k8s.io", "gateway.networking.x-k8s.io"},
	},
	{
		name: "grafana-operator", repository: "grafana/grafana-operator", since: "1.0",
		files:  []string{"deploy/crds/*", "config/crd/bases/*"},
		groups: []string{"integreatly.org", "grafana.integreatly.org"},
	},
	{
		name: "istio", repository: "istio/istio", since: "1.0",
		files: []string{"install/kubernetes/helm/istio/templates/crds.yaml", "install/kubernetes/helm/istio-init/files/*",
			"manifests/charts/base/files/*", "manifests/charts/base/crds/*"},
		groups: []string{"*.istio.io"},
		// istioctl reads objects of install.istio.io only from files.
		foreign:   []string{"certmanager.k8s.io", "install.istio.io"},
		supported: 3, policy: "https://istio.io/latest/docs/releases/supported-releases/",
	},
	{
		name: "karpenter", repository: "aws/karpenter-provider-aws", since: "0.5",
		files:     []string{"charts/karpenter/crds/*", "charts/karpenter-crd/templates/*"},
		foreign:   []string{"autoscaling.x-k8s.io"},
		groups:    []string{"karpenter.sh", "karpenter.k8s.aws"},
		supported: 6, policy: "https://github.com/aws/karpenter-provider-aws/blob/main/SUPPORT.md", // some releases are supported for 12 months
	},
	{
		name: "keda", repository: "kedacore/keda", since: "1.0",
		files:  []string{"deploy/crds/*_crd.yaml", "config/crd/bases/*"},
		groups: []string{"keda.k8s.io", "keda.sh", "*.keda.sh"},
	},
	{
		name: "knative-eventing", repository: "knative/eventing", tags: knativeTag, since: "0.2",
		files:     []string{"config/*.yaml", "config/core/resources/*", "config/channels/in-memory-channel/*", "config/channels/in-memory-channel/resources/*"},
		groups:    []string{"*.knative.dev"},
		supported: 2, policy: "https://github.com/knative/community/blob/main/mechanics/RELEASE-SCHEDULE.md",
	},
	{
		name: "knative-serving", repository: "knative/serving", tags: knativeTag, since: "0.1",
		files:     []string{"config/*.yaml", "config/v1alpha1/*", "config/v1beta1/*", "config/core/*", "config/core/*/*"},
		groups:    []string{"*.knative.dev"},
		supported: 2, policy: "https://github.com/knative/community/blob/main/mechanics/RELEASE-SCHEDULE.md",
	},
	{
		name: "kueue", repository: "kubernetes-sigs/kueue", since: "0.1",
		files:  []string{"config/crd/bases/*", "config/components/crd/bases/*"},
		groups: []string{"*.kueue.x-k8s.io", "kueue.x-k8s.io"},
	},
	{
		name: "kyverno", repository: "kyverno/kyverno", since: "1.0",
		files:   []string{"definitions/crds/*", "definitions/install.yaml", "config/crds/*", "config/crds/*/*"},
		groups:  []string{"kyverno.io", "*.kyverno.io"},
		foreign: []string{"wgpolicyk8s.io", "policy.kubernetes.io"},
	},
	{
		name: "linkerd", repository: "linkerd/linkerd2", tags: `^(?:stable|version)-(\d+)\.(\d+)(?:\.(\d+))?$`, since: "2.2",
		files: []string{"chart/templates/*", "charts/linkerd2/templates/*crd*", "charts/linkerd2-multicluster/templates/*crd*", "charts/linkerd-crds/templates/*",
			"charts/linkerd-crds/templates/*/*", "multicluster/charts/linkerd-multicluster/templates/*crd*"},
		groups:  []string{"linkerd.io", "*.linkerd.io"},
		foreign: []string{"split.smi-spec.io", "gateway.networking.k8s.io"},
	},
	{
		name: "longhorn", repository: "longhorn/longhorn", since: "0.5",
		files:  []string{"deploy/longhorn.yaml"},
		groups: []string{"longhorn.rancher.io", "longhorn.io"},
	},
	{
		name: "metallb", repository: "metallb/metallb", since: "0.13",
		files:  []string{"config/crd/bases/*"},
		groups: []string{"metallb.io"},
	},
	{
		name: "opentelemetry-operator", repository: "open-telemetry/opentelemetry-operator", since: "0.1",
		files:  []string{"deploy/crds/*", "config/crd/bases/*"},
		groups: []string{"opentelemetry.io"},
	},
	{
		name: "prometheus-operator", repository: "prometheus-operator/prometheus-operator", since: "0.19",
		files:  []string{"example/prometheus-operator-crd/*"},
		groups: []string{"monitoring.coreos.com"},
	},
	{
		name: "rook", repository: "rook/rook", since: "0.8",
		files: []string{"cluster/examples/kubernetes/*/operator.yaml", "cluster/examples/kubernetes/*/common.yaml", "cluster/examples/kubernetes/*/crds.yaml",
			"cluster/examples/kubernetes/*/pre-k8s-1.16/crds.yaml", "deploy/examples/crds.yaml"},
		groups:  []string{"rook.io", "*.rook.io"},
		foreign: []string{"objectbucket.io", "noobaa.io", "replication.storage.openshift.io"},
	},
	{
		name: "strimzi", repository: "strimzi/strimzi-kafka-operator", since: "0.5",
		files:   []string{"install/cluster-operator/*", "install/topic-operator/*", "install/user-operator/*", "packaging/install/*/*", "examples/install/*/*"},
		groups:  []string{"kafka.strimzi.io", "core.strimzi.io"},
		foreign: []string{"access.strimzi.io"},
	},
	{
		name: "tekton-pipelines", repository: "tektoncd/pipeline", since: "0.1",
		files:     []string{"config/*", "config/300-crds/*"},
		supported: 12, policy: "https://github.com/tektoncd/pipeline/blob/main/releases.md", // some releases are supported for 12 months
		groups:  []string{"tekton.dev", "*.tekton.dev"},
		foreign: []string{"caching.internal.knative.dev"},
	},
	{
		name: "tekton-triggers", repository: "tektoncd/triggers", since: "0.1",
		files:     []string{"config/*"},
		supported: 4, policy: "https://github.com/tektoncd/triggers/blob/main/releases.md", // some releases are supported for 12 months
		groups: []string{"tekton.dev", "*.tekton.dev"},
	},
	{
		name: "traefik", repository: "traefik/traefik", since: "2.0",
		files:     []string{"docs/content/reference/dynamic-configuration/*.y*ml"},
		groups:    []string{"traefik.containo.us", "traefik.io", "hub.traefik.io"},
		foreign:   []string{"networking.x-k8s.io", "gateway.networking.k8s.io"},
		leftover:  map[string]string{"traefik.containo.us": "3.0"}, // 3.4 and 3.5 still have a file
		supported: 1, policy: "https://github.com/traefik/traefik/blob/master/SECURITY.md",
	},
	{
		name: "velero", repository: "vmware-tanzu/velero", since: "0.3", skipped: []string{"1.0", "1.1", "1.2"}, // the definitions are in Go code
		files:  []string{"examples/common/*", "pkg/generated/crds/manifests/*", "config/crd/bases/*", "config/crd/v1/bases/*", "config/crd/v2alpha1/bases/*"},
		groups: []string{"ark.heptio.com", "velero.io"},
	},
}

// knativeTag matches the tags of Knative 0.1 to 0.26 and of 1.0 and later. Tags
// such as v0.27.0 are versions of Go modules in later releases.
const knativeTag = `^(?:v(0)\.(\d|1\d|2[0-6])\.(\d+)|knative-v(\d+)\.(\d+)\.(\d+))$`

// fluxComponent returns the component for a controller of Flux, whose release is
// in a kustomization in flux2.
func fluxComponent(name string) component {
	return component{
		repository: "fluxcd/" + name,
		file:       "manifests/bases/" + name + "/kustomization.yaml",
		tag:        `fluxcd/` + name + `/(?:releases/download/|archive/|config/(?:crd|default)\?ref=)(v\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)`,
		files:      []string{"config/crd/bases/*"},
	}
}

// ciliumVersions are listed here because the module proxy does not list all
// versions.
var ciliumVersions = []string{"v1.10.0", "v1.11.0", "v1.12.0", "v1.13.0", "v1.14.19", "v1.15.19", "v1.16.0", "v1.17.6", "v1.18.4", "v1.19.3", "v1.20.2"}
