package conversion

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// The annotations of pods that became fields of the pod spec.
const (
	seccompPod       = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainer = "container.seccomp.security.alpha.kubernetes.io/"
	appArmor         = "container.apparmor.security.beta.kubernetes.io/"
)

// serviceAccount adds a plan for the field serviceAccount, the old name of
// serviceAccountName. Servers store both fields and use the new one. Source:
// k8s.io/kubernetes pkg/apis/core/v1/conversion.go (1.16–1.37).
func (p *inPlace) serviceAccount() {
	spec := p.template.Field("spec")
	old, name := spec.Field("serviceAccount"), spec.Field("serviceAccountName")
	if old.Value(p.object) == nil {
		return
	}
	p.plan(old.String(), "use serviceAccountName", func(d *draft) bool {
		switch {
		case isEmpty(d.value(old)) || !isEmpty(d.value(name)):
			d.remove(old)
		default:
			d.remove(name)
			d.rename(old, "serviceAccountName")
		}
		return true
	})
}

// criticalPod adds a plan for the critical-pod annotation, which has no effect
// from 1.16 on.
func (p *inPlace) criticalPod(field string, at Path) {
	p.plan(field, "use priorityClassName", func(d *draft) bool {
		class := p.template.Field("spec", "priorityClassName")
		if isEmpty(d.value(class)) {
			name := "system-cluster-critical"
			if p.api.Kind() == "DaemonSet" {
				name = "system-node-critical"
			}
			d.set(class, text(name), "containers")
			d.review("The annotation is without effect since 1.16: pods that got priority from it lost it then. %s gives it back, with the right to have other pods evicted; take a class of your own, or none, if that is too much.", name)
		} else {
			d.review("The annotation is without effect since 1.16, and priorityClassName is %s.", d.value(class).StringOr(""))
		}
		dropKey(d, at)
		p.noteRollout(d)
		return true
	})
}

// sysctls adds a plan for an annotation with sysctls, which has no effect from
// 1.11 on.
func (p *inPlace) sysctls(field string, at Path, value string) {
	p.plan(field, "use securityContext.sysctls", func(d *draft) bool {
		list := p.template.Field("spec", "securityContext", "sysctls")
		has := map[string]bool{}
		for _, v := range itemsOf(d.value(list)) {
			has[v.Get("name").StringOr("")] = true
		}
		for _, pair := range strings.Split(value, ",") {
			name, setting, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if !ok || name == "" {
				d.manual("The annotation does not have the form NAME=VALUE,…; what it means must be written into securityContext.sysctls.")
				return true
			}
			if !has[name] {
				has[name] = true
				d.set(list.Item(d.length(list)), object("name", text(name), "value", text(setting)), "")
			}
		}
		dropKey(d, at)
		d.review("The annotation is without effect since 1.11; the field sets the values, and a kubelet refuses pods with unsafe ones unless --allowed-unsafe-sysctls names them.")
		p.noteRollout(d)
		return true
	})
}

// withContainer calls use with the path of the container that an annotation
// names. If there is no such container, it adds a plan that removes the
// annotation.
func (p *inPlace) withContainer(field string, at Path, name string, use func(container Path)) {
	if p.containers == nil {
		p.containers = map[string]Path{}
		spec := p.template.Field("spec")
		for _, kind := range []string{"containers", "initContainers", "ephemeralContainers"} {
			for i, c := range itemsOf(spec.Field(kind).Value(p.object)) {
				name := c.Get("name").StringOr("")
				if _, known := p.containers[name]; !known {
					p.containers[name] = spec.Field(kind).Item(i)
				}
			}
		}
	}
	if container, ok := p.containers[name]; ok {
		use(container)
		return
	}
	p.plan(field, "remove the annotation", func(d *draft) bool {
		d.review("There is no container named %q: the annotation is without effect.", name)
		dropKey(d, at)
		p.noteRollout(d)
		return true
	})
}

// profileOf returns the seccomp or AppArmor profile that an annotation's value
// means. The values in defaults mean the runtime's default profile. It returns
// false for an unknown value.
func profileOf(value string, defaults ...string) (*wire.Value, bool) {
	for _, d := range defaults {
		if value == d {
			return object("type", text("RuntimeDefault")), true
		}
	}
	if value == "unconfined" {
		return object("type", text("Unconfined")), true
	}
	if file, ok := strings.CutPrefix(value, "localhost/"); ok && file != "" {
		return object("type", text("Localhost"), "localhostProfile", text(file)), true
	}
	return nil, false
}

// seccomp adds a plan for the seccomp annotation of a pod or a container. owner
// is the path of the pod's spec or of the container.
//
// When a Pod is created with only the annotation or only the field, servers of
// 1.19 to 1.24 also set the other. If a Pod has both, only the field has an
// effect. From 1.27 on, kubelets ignore the annotation. Source:
// applySeccompVersionSkew in pkg/registry/core/pod/strategy.go.
func (p *inPlace) seccomp(field string, at Path, value string, owner Path) {
	p.plan(field, "use securityContext.seccompProfile", func(d *draft) bool {
		if p.target.From < 19 {
			d.manual("Servers know seccompProfile from 1.19 on: keep the annotation while the target is older.")
			return true
		}
		profile := owner.Field("securityContext", "seccompProfile")
		if d.has(profile) {
			dropKey(d, at)
			d.review("The field counts where both are there.")
			p.noteRollout(d)
			return true
		}
		fromAnnotation, ok := profileOf(value, "runtime/default", "docker/default")
		if !ok {
			d.manual("%q is no profile: write runtime/default, unconfined or localhost/FILE as the field's type RuntimeDefault, Unconfined or Localhost.", value)
			return true
		}
		d.set(profile, fromAnnotation, "")
		dropKey(d, at)
		switch {
		case p.target.To >= 25:
			d.review("Servers from 1.25 on no longer make the field of the annotation, and from 1.27 on nothing reads it: pods run without the profile. The field puts it in force.")
			p.noteRollout(d)
		case p.api.Kind() != "Pod":
			d.review("The pods that come of it are the same.")
			p.noteRollout(d)
		}
		return true
	})
}

// appArmor adds a plan for the AppArmor annotation of a container. When a Pod is
// created, servers from 1.30 on set the container's field from the annotation.
// They do not set it if the pod's field has the same value, or if the container's
// field is already set. Up to 1.33 servers also set the annotation from the
// field. Source: applyAppArmorVersionSkew in pkg/registry/core/pod/strategy.go
// (1.30–1.37).
func (p *inPlace) appArmor(field string, at Path, value string, container Path) {
	p.plan(field, "use securityContext.appArmorProfile", func(d *draft) bool {
		if p.target.From < 30 || !p.everyMinor(appArmorFields(p)) {
			d.manual("Servers know appArmorProfile from 1.30 on: keep the annotation while the target is older.")
			return true
		}
		profile := container.Field("securityContext", "appArmorProfile")
		ofPod := p.template.Field("spec", "securityContext", "appArmorProfile")
		fromAnnotation, ok := profileOf(value, "runtime/default")
		switch {
		case d.has(profile):
			d.note("The field counts where both are there.")
		case !ok:
			d.manual("%q is no profile: write runtime/default, unconfined or localhost/NAME as the field's type RuntimeDefault, Unconfined or Localhost.", value)
			return true
		case Equal(fromAnnotation, d.value(ofPod)):
			d.note("The pod's own appArmorProfile says the same.")
		default:
			d.set(profile, fromAnnotation, "")
		}
		dropKey(d, at)
		if p.api.Kind() != "Pod" || p.target.To > 33 {
			d.review("The pods that come of it have the same profile.")
			p.noteRollout(d)
		}
		return true
	})
}
