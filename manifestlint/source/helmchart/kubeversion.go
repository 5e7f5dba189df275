package helmchart

import (
	"fmt"
	"strings"

	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// compatible reports whether a chart's kubeVersion accepts the minor of a
// version. It tries the first patch release of the minor and a late one.
func compatible(constraint, version string) bool {
	return chartutil.IsCompatibleRange(constraint, version) ||
		chartutil.IsCompatibleRange(constraint, strings.TrimSuffix(version, ".0")+".99")
}

// Compatible returns the minors of a target that the chart supports, and the
// chart's kubeVersion.
func (c *Chart) Compatible(t lifecycle.Target) (minors lifecycle.Minors, constraint string) {
	constraint = c.constraint()
	return supported(constraint, t), constraint
}

// constraint returns the kubeVersion in Chart.yaml; "" if there is none or
// Chart.yaml cannot be read.
func (c *Chart) constraint() string {
	b, err := c.build()
	if err != nil {
		return ""
	}
	defer c.spare.CompareAndSwap(nil, b) // b is unchanged, so the next rendering can use it
	return b.chart.Metadata.KubeVersion
}

func supported(constraint string, t lifecycle.Target) (minors lifecycle.Minors) {
	for m := range t.All() {
		if constraint == "" || compatible(constraint, fmt.Sprintf("v%s.0", m)) {
			minors = minors.With(m)
		}
	}
	return minors
}
