package checks

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/projects"
)

// isProject reports whether a group belongs to a project outside of Kubernetes.
// Such a project adds its kinds to clusters as custom resources or as an
// aggregated API.
func isProject(group string) bool {
	if strings.HasSuffix(group, ".sigs.k8s.io") || strings.HasSuffix(group, ".kubefed.k8s.io") {
		return true
	}
	_, known := projects.OfGroup(group)
	return known || slices.Contains(projectGroups, group)
}

// projectGroups are groups of projects that have ended or are small. Their
// names end in k8s.io or kubernetes.io, like the groups of Kubernetes itself.
var projectGroups = []string{
	"boskos.k8s.io",
	"bootstrap.k8s.io",
	"cbt.storage.k8s.io",
	"clusterregistry.k8s.io",
	"csi.storage.k8s.io",
	"federation.k8s.io",
	"kops.k8s.io",
	"metacontroller.k8s.io",
	"migration.k8s.io",
	"multicluster.k8s.io",
	"nfd.kubernetes.io",
	"objectstorage.k8s.io",
	"poc.autoscaling.k8s.io",
	"populator.storage.k8s.io",
	"prow.k8s.io",
	"samplecontroller.k8s.io",
	"scheduling.incubator.k8s.io",
	"servicecatalog.k8s.io",
	"topology.node.k8s.io",
	"volumesnapshot.external-storage.k8s.io",
	"wardle.k8s.io",
}
