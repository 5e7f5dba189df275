// Package programs finds what the configuration of Kubernetes' own programs sets and a
// release on the way no longer accepts: flags, feature gates, admission plugins, and
// versions and fields of configuration files.
//
// It reads pods and workloads that run such a program, files of kubeadm, of k3s and
// RKE2, of kOps and Cluster API, the programs' own configuration files, and ConfigMaps
// that hold one of these.
package programs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/components"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check is a seen.Check.
type Check struct {
	way upgrade.Upgrade
	// parse returns the documents of a text within an object.
	parse func(text string) []*wire.Value

	facts []upgrade.Fact
	// flags, gates and files count what was looked at.
	flags, gates, files int
	// unknown are names that no known release has, with a place.
	unknown map[string]upgrade.Evidence
}

// New returns a check. parse returns the documents of a text, without those that do
// not parse.
func New(way upgrade.Upgrade, parse func(string) []*wire.Value) *Check {
	return &Check{way: way, parse: parse, unknown: map[string]upgrade.Evidence{}}
}

// Facts implements seen.Check.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked says what was looked at, empty if there was nothing.
func (c *Check) Looked() string {
	if c.flags+c.gates+c.files == 0 {
		return ""
	}
	var parts []string
	for _, x := range []struct {
		n    int
		noun string
	}{{c.flags, "flag"}, {c.gates, "feature gate"}, {c.files, "configuration file"}} {
		if x.n > 0 {
			parts = append(parts, report.Count(x.n, x.noun))
		}
	}
	return strings.Join(parts, ", ") + " of Kubernetes' programs"
}

// maxNamed is how many unknown names Gaps has.
const maxNamed = 5

// Gaps returns notes about flags and gates that were not checked.
func (c *Check) Gaps() (gaps []string) {
	if c.flags+c.files > 0 && c.way.From < components.Oldest() {
		gaps = append(gaps, fmt.Sprintf("flags and configuration files of Kubernetes' programs are known from %s on", components.Oldest()))
	}
	names := slices.Sorted(maps.Keys(c.unknown))
	if len(names) == 0 {
		return gaps
	}
	text := fmt.Sprintf("no known release has these, so they are not judged: %s", strings.Join(names[:min(maxNamed, len(names))], ", "))
	if n := len(names) - maxNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return append(gaps, text)
}

// See implements seen.Check.
func (c *Check) See(o *seen.Object) {
	c.configFile(o, o.Root, "")
	c.pods(o)
	c.kubeadm(o, o.Root)
	c.k3s(o)
	c.kops(o)
	c.clusterAPI(o)
	c.configMap(o)
}

// configMap reads the files in a ConfigMap of kube-system.
func (c *Check) configMap(o *seen.Object) {
	if o.Ref.APIVersion != "v1" || o.Ref.Kind != "ConfigMap" || o.Ref.Namespace != "kube-system" {
		return
	}
	for _, f := range o.Root.Get("data").Entries() {
		if f.Value.StringOr("") == "" || !strings.Contains(f.Value.Text, "apiVersion") {
			continue
		}
		for _, root := range c.parse(f.Value.Text) {
			// The positions in the text are not those of the file.
			within := *o
			within.Place = func(wire.Pos) upgrade.Evidence { return o.Place(f.Value.Pos) }
			c.configFile(&within, root, "data["+f.Name+"]")
			c.kubeadm(&within, root)
		}
	}
}

// k3sSuffix ends the settings of k3s and RKE2 that hold flags of a program.
const k3sSuffix = "-arg"

// k3s reads the configuration file of k3s or RKE2, a map without a kind.
func (c *Check) k3s(o *seen.Object) {
	if o.Ref.Kind != "" {
		return
	}
	for _, f := range o.Root.Entries() {
		program, ok := strings.CutSuffix(strings.TrimSuffix(f.Name, "+"), k3sSuffix)
		if !ok || !isProgram(program) {
			continue
		}
		items := f.Value.Elements()
		if f.Value.StringOr("") != "" {
			items = []*wire.Value{f.Value}
		}
		for _, item := range items {
			name, value, _ := strings.Cut(item.StringOr(""), "=")
			c.flag(o, program, strings.TrimLeft(name, "-"), value, item.Pos)
		}
	}
}

func isProgram(name string) bool { return slices.Contains(components.Components(), name) }

// kopsPrograms are the settings of programs in a Cluster of kOps.
var kopsPrograms = map[string]string{
	"kubeAPIServer": "kube-apiserver", "kubeControllerManager": "kube-controller-manager", "kubeScheduler": "kube-scheduler", "kubeProxy": "kube-proxy",
	"kubelet": "kubelet", "controlPlaneKubelet": "kubelet", "masterKubelet": "kubelet",
}

// kops reads the feature gates and admission plugins of a Cluster or InstanceGroup of
// kOps. Its other settings are its own.
func (c *Check) kops(o *seen.Object) {
	if !strings.HasPrefix(o.Ref.APIVersion, "kops.k8s.io/") {
		return
	}
	for _, f := range o.Root.Get("spec").Entries() {
		program := kopsPrograms[f.Name]
		if program == "" {
			continue
		}
		c.gateMap(o, program, f.Value.Get("featureGates"))
		for _, name := range []string{"admissionControl", "enableAdmissionPlugins", "disableAdmissionPlugins", "appendAdmissionPlugins"} {
			for _, plugin := range f.Value.Get(name).Elements() {
				c.plugin(o, plugin.StringOr(""), plugin.Pos)
			}
		}
	}
}

// clusterAPI reads the kubeadm configurations in objects of Cluster API.
func (c *Check) clusterAPI(o *seen.Object) {
	group, _, _ := strings.Cut(o.Ref.APIVersion, "/")
	if !strings.HasSuffix(group, ".cluster.x-k8s.io") {
		return
	}
	for _, path := range [][]string{{"spec"}, {"spec", "kubeadmConfigSpec"}, {"spec", "template", "spec"}, {"spec", "template", "spec", "kubeadmConfigSpec"}} {
		spec := o.Root.At(path...)
		c.clusterConfiguration(o, spec.Get("clusterConfiguration"))
		c.kubeletArgs(o, spec.At("initConfiguration", "nodeRegistration"))
		c.kubeletArgs(o, spec.At("joinConfiguration", "nodeRegistration"))
	}
}

// lost records a name that no known release has.
func (c *Check) lost(o *seen.Object, name string, at wire.Pos) {
	const most = 1000
	if _, known := c.unknown[name]; !known && len(c.unknown) < most {
		c.unknown[name] = o.Place(at)
	}
}

// on are the minors from the old release on that the upgrade touches.
func (c *Check) on() lifecycle.Minors {
	return lifecycle.Range{From: c.way.From, To: c.way.To}.Minors()
}

// breaks returns the first release that refuses something, the old one included.
func (c *Check) breaks(refused lifecycle.Minors) lifecycle.Minor {
	return cmp.Or((refused & c.on()).Oldest(), refused.Oldest())
}
