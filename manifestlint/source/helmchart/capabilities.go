package helmchart

import (
	"fmt"
	"path"
	"slices"

	"github.com/kubevet/kubevet/rules/lifecycle"
	"helm.sh/helm/v4/pkg/chart/common"
)

// Cluster has the version and the APIs of a cluster. A chart can read them.
type Cluster struct {
	// Version is the Kubernetes version, such as v1.33.0.
	Version string
	// APIs are the group versions that the server serves, each followed by its
	// kinds: apps/v1, apps/v1/Deployment.
	APIs []string
}

// ClusterAt returns the cluster for one minor of a target. Its APIs are the
// server's own APIs and further APIs, such as those of custom resources. Helm
// reads the same list of group versions and kinds from a server
// (helm.sh/helm/v4@v4.3.1 pkg/action/action.go:GetVersionSet).
func ClusterAt(t lifecycle.Target, m lifecycle.Minor, further []string) Cluster {
	c := Cluster{Version: fmt.Sprintf("v%s.0", m)}
	seen := map[string]bool{}
	add := func(api string) {
		if api != "" && !seen[api] {
			seen[api] = true
			c.APIs = append(c.APIs, api)
		}
	}
	for api := range lifecycle.All() {
		if api.Class() != lifecycle.List && api.State(m, t) == lifecycle.Served {
			add(api.GroupVersion())
			add(path.Join(api.GroupVersion(), api.Kind()))
		}
	}
	for _, api := range further {
		add(api)
	}
	slices.Sort(c.APIs)
	return c
}

func (c Cluster) capabilities() (*common.Capabilities, error) {
	version, err := common.ParseKubeVersion(c.Version)
	if err != nil {
		return nil, err
	}
	return &common.Capabilities{
		KubeVersion: *version,
		APIVersions: common.VersionSet(c.APIs),
		HelmVersion: common.DefaultCapabilities.HelmVersion,
	}, nil
}
