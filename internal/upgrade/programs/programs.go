// Package programs finds settings of Kubernetes' own programs that a release of the
// upgrade no longer accepts: flags, feature gates, admission plugins, and versions and
// fields of configuration files.
//
// It reads pods and workloads that run these programs, files of kubeadm, k3s, RKE2, kOps
// and Cluster API, and the configuration files of the programs, which may be in a
// ConfigMap.
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

// Check implements seen.Check.
type Check struct {
	versions upgrade.Upgrade
	// parse returns the YAML documents in a text that is a value in an object.
	parse func(text string) []*wire.Value

	facts []upgrade.Fact
	// flags, gates and files are the numbers of checked settings.
	flags, gates, files int
	// unknown has the names that no known release has, with a place for each.
	unknown map[string]upgrade.Evidence
}

// New returns a check. parse returns the YAML documents in a text, without those that do
// not parse.
func New(way upgrade.Upgrade, parse func(string) []*wire.Value) *Check {
	return &Check{versions: way, parse: parse, unknown: map[string]upgrade.Evidence{}}
}

// Facts returns the facts about all objects so far.
func (c *Check) Facts() []upgrade.Fact { return c.facts }

// Looked returns a text about what was checked, or "".
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

// maxNamed is the maximal number of unknown names in the notes of Gaps.
const maxNamed = 5

// Gaps returns notes about flags and gates that could not be checked.
func (c *Check) Gaps() (gaps []string) {
	if c.flags+c.files > 0 && c.versions.From < components.Oldest() {
		gaps = append(gaps, fmt.Sprintf("flags and configuration files of Kubernetes' programs are known from %s on", components.Oldest()))
	}
	names := slices.Sorted(maps.Keys(c.unknown))
	if len(names) == 0 {
		return gaps
	}
	text := fmt.Sprintf("no known release has these, so they are not checked: %s", strings.Join(names[:min(maxNamed, len(names))], ", "))
	if n := len(names) - maxNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return append(gaps, text)
}

// See checks the settings of programs in an object: in configuration files, in pods, and
// in objects of kubeadm, k3s, kOps and Cluster API.
func (c *Check) See(o *seen.Object) {
	c.configFile(o, o.Root, "")
	c.pods(o)
	c.kubeadm(o, o.Root)
	c.k3s(o)
	c.kops(o)
	c.clusterAPI(o)
	c.configMap(o)
}

func (c *Check) configMap(o *seen.Object) {
	if o.Ref.APIVersion != "v1" || o.Ref.Kind != "ConfigMap" || o.Ref.Namespace != "kube-system" {
		return
	}
	for _, f := range o.Root.Get("data").Entries() {
		if f.Value.StringOr("") == "" || !strings.Contains(f.Value.Text, "apiVersion") {
			continue
		}
		for _, root := range c.parse(f.Value.Text) {
			// Positions in the text differ from positions in the file, so the position of
			// the text is used.
			within := *o
			within.Place = func(wire.Pos) upgrade.Evidence { return o.Place(f.Value.Pos) }
			c.configFile(&within, root, "data["+f.Name+"]")
			c.kubeadm(&within, root)
		}
	}
}

// k3sSuffix is the end of the names of k3s and RKE2 settings that contain flags of a
// program.
const k3sSuffix = "-arg"

// k3s checks the configuration file of k3s or RKE2, which is a map without a kind.
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

// kopsPrograms has the program that each field of a kOps Cluster configures.
var kopsPrograms = map[string]string{
	"kubeAPIServer": "kube-apiserver", "kubeControllerManager": "kube-controller-manager", "kubeScheduler": "kube-scheduler", "kubeProxy": "kube-proxy",
	"kubelet": "kubelet", "controlPlaneKubelet": "kubelet", "masterKubelet": "kubelet",
}

// kops checks the feature gates and admission plugins in a Cluster or InstanceGroup of
// kOps. All other settings belong to kOps itself.
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

// clusterAPI checks the kubeadm configurations in objects of Cluster API.
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

// addUnknown records a name that no known release has.
func (c *Check) addUnknown(o *seen.Object, name string, at wire.Pos) {
	const most = 1000
	if _, known := c.unknown[name]; !known && len(c.unknown) < most {
		c.unknown[name] = o.Place(at)
	}
}

// minors returns the minors of the upgrade, including the old release.
func (c *Check) minors() lifecycle.Minors {
	return lifecycle.Range{From: c.versions.From, To: c.versions.To}.Minors()
}

// firstRefusal returns the first release of the upgrade, or else of all releases, that
// refuses a setting. The old release is included.
func (c *Check) firstRefusal(refused lifecycle.Minors) lifecycle.Minor {
	return cmp.Or((refused & c.minors()).Oldest(), refused.Oldest())
}
