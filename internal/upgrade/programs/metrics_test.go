package programs

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kubevet/kubevet/internal/upgrade"
)

func TestMetrics(t *testing.T) {
	text := `# HELP kubernetes_feature_enabled [BETA]
kubernetes_build_info{git_version="v1.31.4+k3s1",minor="31"} 1
kubernetes_feature_enabled{name="APIListChunking",stage=""} 1
kubernetes_feature_enabled{name="LoadBalancerIPMode",stage="BETA"} 0
kubernetes_feature_enabled{name="NoSuchGate",stage="BETA"} 0
other{x="` + strings.Repeat("x", 3*maxLine) + `"} 1
kubernetes_feature_enabled{name="SidecarContainers",stage="BETA"} 1
kubernetes_feature_enabled{name="` // the line is cut off
	m := &Metrics{}
	if _, err := io.Copy(m, iotest.OneByteReader(strings.NewReader(text))); err != nil {
		t.Fatal(err)
	}
	facts := m.Facts(upgrade.Upgrade{From: 31, To: 33})
	if m.Version != 31 || !m.Known() || len(facts) != 1 || facts[0].Subject != "feature gate LoadBalancerIPMode=false" {
		t.Errorf("%v: %+v", m.Version, facts)
	}
}
