package programs

import (
	"strings"

	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/components"
)

// kubeadm checks the flags and gates in a configuration file of kubeadm. configFile
// checks the version and fields of the file.
func (c *Check) kubeadm(o *seen.Object, root *wire.Value) {
	if !strings.HasPrefix(root.Get("apiVersion").StringOr(""), "kubeadm.k8s.io/") {
		return
	}
	switch root.Get("kind").StringOr("") {
	case "ClusterConfiguration":
		c.clusterConfiguration(o, root)
	case "InitConfiguration", "JoinConfiguration":
		c.kubeletArgs(o, root.Get("nodeRegistration"))
	}
}

func (c *Check) clusterConfiguration(o *seen.Object, v *wire.Value) {
	for _, f := range v.Get("featureGates").Entries() {
		c.gates++
		if e, ok := components.KubeadmGate(f.Name); !ok {
			c.addUnknown(o, "feature gate "+f.Name+" of kubeadm", f.Pos)
		} else if gone := e.Gone(); gone&c.minors() != 0 {
			c.addRemoved(o, "gate", "kubeadm feature gate "+f.Name, "kubeadm", e, f.Pos)
		}
	}
	for _, program := range []struct{ field, name string }{
		{"apiServer", "kube-apiserver"}, {"controllerManager", "kube-controller-manager"}, {"scheduler", "kube-scheduler"},
	} {
		c.extraArgs(o, program.name, v.At(program.field, "extraArgs"))
	}
}

func (c *Check) kubeletArgs(o *seen.Object, registration *wire.Value) {
	c.extraArgs(o, "kubelet", registration.Get("kubeletExtraArgs"))
}

// extraArgs checks flags, which are in a map or, since v1beta4, in a list of names and
// values.
func (c *Check) extraArgs(o *seen.Object, program string, args *wire.Value) {
	for _, f := range args.Entries() {
		c.flag(o, program, f.Name, f.Value.StringOr(""), f.Pos)
	}
	for _, item := range args.Elements() {
		if name := item.Get("name"); name.StringOr("") != "" {
			c.flag(o, program, name.Text, item.Get("value").StringOr(""), name.Pos)
		}
	}
}
