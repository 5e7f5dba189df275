package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// newLabel returns the label that replaces a deprecated label of nodes. ok is
// false for other labels. In all minors that kubevet knows, kubelets and cloud
// controllers set both labels. Source: k8s.io/api core/v1/well_known_labels.go.
func newLabel(old string) (name string, ok bool) {
	switch old {
	case "beta.kubernetes.io/arch":
		name = "kubernetes.io/arch"
	case "beta.kubernetes.io/os":
		name = "kubernetes.io/os"
	case "beta.kubernetes.io/instance-type":
		name = "node.kubernetes.io/instance-type"
	case "failure-domain.beta.kubernetes.io/region":
		name = "topology.kubernetes.io/region"
	case "failure-domain.beta.kubernetes.io/zone":
		name = "topology.kubernetes.io/zone"
	case "node-role.kubernetes.io/master":
		name = "node-role.kubernetes.io/control-plane"
	}
	return name, name != ""
}

// labelKey adds a plan for a deprecated label that is a key of a node selector.
func (p *inPlace) labelKey(field string, at Path) {
	old := at.Last().Name
	name, known := newLabel(old)
	if !known {
		return
	}
	p.plan(field, "use the label "+name, func(d *draft) bool {
		v, has := d.value(at), d.value(at.Parent().Field(name))
		switch {
		case v == nil:
			return false
		case has == nil:
			d.step(Step{Op: Rename, Path: at, Name: name})
		case has.StringOr("") == v.StringOr(""):
			d.remove(at)
		default:
			d.manual("%s asks for %s=%s and for %s=%s; no node has both.", at.Parent(), old, v.StringOr(""), name, has.StringOr(""))
			return true
		}
		p.labelNotes(d, old)
		return true
	})
}

// labelValue adds a plan for a deprecated label that is the value of a field such
// as topologyKey.
func (p *inPlace) labelValue(field string, at Path, old string) {
	name, known := newLabel(old)
	if !known {
		return
	}
	p.plan(field, "use the label "+name, func(d *draft) bool {
		d.set(at, text(name), "")
		p.labelNotes(d, old)
		return true
	})
}

func (p *inPlace) labelNotes(d *draft, old string) {
	if old == "node-role.kubernetes.io/master" {
		d.review("kubeadm labels control plane nodes with both from 1.20 to 1.23, and only with node-role.kubernetes.io/control-plane from 1.24 on; see what yours have: kubectl get nodes --show-labels.")
	} else {
		d.review("Nodes have both labels, unless somebody set them by hand.")
	}
	switch {
	case p.pods:
		p.noteRollout(d)
	case p.api.Kind() == "PersistentVolume":
		d.review("Only servers from 1.27 on let the node affinity of a volume that exists be changed in this way.")
	case p.api.Kind() == "StorageClass":
		d.review("The topologies of an existing class cannot be changed: delete it and create it again.")
	}
}

// topologyMode adds a plan for the Service annotation that was renamed in 1.27.
// If a Service has both, servers use the old annotation. Source:
// k8s.io/endpointslice utils.go, pkg/proxy (1.27–1.37).
func (p *inPlace) topologyMode(field string, at Path, value string) {
	const name = "service.kubernetes.io/topology-mode"
	p.plan(field, "use the annotation "+name, func(d *draft) bool {
		if p.target.From < 27 {
			d.manual("Servers know %s from 1.27 on: keep the old annotation while the target is older.", name)
			return true
		}
		to := at.Parent().Field(name)
		if d.value(to) != nil {
			if d.value(to).StringOr("") != value {
				d.note("The old annotation counts while both are there; its value is kept.")
				d.set(to, text(value), "")
			}
			d.remove(at)
		} else {
			d.step(Step{Op: Rename, Path: at, Name: name})
		}
		d.review("Both annotations mean the same, and the old one goes unread one day.")
		return true
	})
}

// trafficDistribution adds a plan for the value PreferClose, which is called
// PreferSameZone from 1.34 on.
func (p *inPlace) trafficDistribution(field string, at Path) {
	p.plan(field, "use PreferSameZone", func(d *draft) bool {
		v := d.value(at)
		if v == nil || v.Kind != wire.String || v.Text != "PreferClose" {
			return false
		}
		for m := range p.target.All() {
			if m < 34 || !p.target.GateEnabled("PreferSameTrafficDistribution", m) && m < 36 {
				d.manual("Servers take PreferSameZone from 1.34 on: keep PreferClose, which means the same, while the target is older.")
				return true
			}
		}
		d.set(at, text("PreferSameZone"), "")
		d.review("PreferClose and PreferSameZone mean the same.")
		return true
	})
}

// ingressClass adds a plan for the annotation that spec.ingressClassName replaces
// from 1.18 on. Servers refuse to create an Ingress with both. Source:
// k8s.io/kubernetes pkg/apis/networking/validation/validation.go.
func (p *inPlace) ingressClass(field string, at Path, class string) {
	if strings.ContainsAny(class, "/_ ") || class != strings.ToLower(class) {
		return // an IngressClass cannot have this name
	}
	p.plan(field, "use spec.ingressClassName", func(d *draft) bool {
		name := Fields("spec", "ingressClassName")
		if d.has(name) {
			d.review("The annotation is taken out: spec.ingressClassName says %s, and servers refuse to create an Ingress with both.", d.value(name).StringOr(""))
			dropKey(d, at)
			return true
		}
		d.set(name, text(class), "")
		dropKey(d, at)
		d.review("There must be an IngressClass named %s with the controller that serves the annotation: see kubectl get ingressclasses. Some controllers need a flag with the name of the class.", class)
		return true
	})
}
