package podwarning

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

const useAppArmorField = `deprecated since v1.30; use the "appArmorProfile" field instead`

// profile is an AppArmorProfile or a SeccompProfile.
type profile struct {
	kind, localhost string
	// hasLocalhost is set if localhostProfile is set, even to "".
	hasLocalhost bool
}

// profileOf reads the profile in the field called name of the securityContext of
// a pod or container. ok is false if the field is not set.
func profileOf(owner *wire.Value, name string) (p profile, ok bool) {
	f := owner.Get("securityContext").Given(name)
	if f == nil {
		return profile{}, false
	}
	local := f.Value.Get("localhostProfile")
	return profile{f.Value.Get("type").StringOr(""), local.StringOr(""), !local.IsNull()}, true
}

// annotatedProfile parses the annotation of a profile. names are the values that
// mean the runtime's default. ok is false if the value means no profile. Source:
// ApparmorFieldForAnnotation in pkg/api/pod/util.go (1.30–1.37), and
// seccompFieldForAnnotation (1.22–1.26).
func annotatedProfile(v *wire.Value, names ...string) (p profile, ok bool) {
	text := v.StringOr("")
	if text == "unconfined" {
		return profile{kind: "Unconfined"}, true
	}
	for _, name := range names {
		if text == name {
			return profile{kind: "RuntimeDefault"}, true
		}
	}
	if file, ok := strings.CutPrefix(text, "localhost/"); ok && file != "" {
		return profile{"Localhost", file, true}, true
	}
	return profile{}, false
}

// hasAnnotation reports whether the annotation of a profile can express p. The
// annotation has no text for a localhost profile without a file.
func (p profile) hasAnnotation() bool {
	return p.kind == "Unconfined" || p.kind == "RuntimeDefault" || p.kind == "Localhost" && p.hasLocalhost
}

func annotatedAppArmor(v *wire.Value) (profile, bool) { return annotatedProfile(v, "runtime/default") }

func annotatedSeccomp(v *wire.Value) (profile, bool) {
	return annotatedProfile(v, "runtime/default", "docker/default")
}

// seccompText returns the text of the warning about a seccomp annotation whose
// field is not set.
func (w *writer) seccompText() string {
	when := "non-functional in v1.27+"
	switch {
	case w.Minor < 23:
		when = "deprecated since v1.19"
	case w.Minor < 25:
		when = "deprecated since v1.19, non-functional in v1.25+"
	case w.Minor < 27:
		when = "deprecated since v1.19, non-functional in a future release"
	}
	return when + `; use the "seccompProfile" field instead`
}

// seccomp warns about a seccomp annotation if its owner, a pod or container, does
// not have the field. Up to 1.26 the server first sets the field from a valid
// annotation of a Pod. Source: applySeccompVersionSkew.
func (w *writer) seccomp(owner *wire.Value, annotation *wire.Field) {
	if annotation == nil {
		return
	}
	_, has := profileOf(owner, "seccompProfile")
	if !has && w.prefix == "" && w.Minor < 27 {
		_, has = annotatedSeccomp(annotation.Value)
	}
	if !has {
		w.annotation(annotation, w.seccompText())
	}
}

func (w *writer) podSeccomp(spec *wire.Value, annotations dictionary) {
	w.seccomp(spec, annotations.field(seccompPod))
}

func (w *writer) containerSeccomp(c container, annotations dictionary) {
	w.seccomp(c.Value, annotations.prefixed(seccompContainer, c.Get("name").StringOr("")))
}

// containerAppArmor warns about the AppArmor annotation of a container in a pod
// template (1.30–1.37). For Pods, see podAppArmor.
func (w *writer) containerAppArmor(c container, spec *wire.Value, annotations dictionary) {
	if w.prefix == "" || !w.hasAppArmor() {
		return
	}
	annotation := annotations.prefixed(appArmor, c.Get("name").StringOr(""))
	if annotation == nil {
		return
	}
	if _, has := profileOf(c.Value, "appArmorProfile"); has {
		return
	}
	if ofPod, has := profileOf(spec, "appArmorProfile"); has {
		if w.Minor < 34 {
			return
		}
		if same, ok := annotatedAppArmor(annotation.Value); ok && same == ofPod {
			return
		}
	}
	w.annotation(annotation, useAppArmorField)
}

// hasAppArmor reports whether the server knows the AppArmor fields. In 1.30 they
// are behind gates.
func (w *writer) hasAppArmor() bool {
	return w.Minor > 30 || w.Minor == 30 && w.Enabled("AppArmorFields") && w.Enabled("AppArmor")
}

// podAppArmor warns about the AppArmor annotations of a new Pod. The server sets
// the field from the annotation if it can. Up to 1.33 it also sets the annotation
// from the field. A second container of the same name then has the annotation,
// too. Source: applyAppArmorVersionSkew in pkg/registry/core/pod/strategy.go
// (1.30–1.37).
func (w *writer) podAppArmor(pod *wire.Value) {
	spec := pod.Get("spec")
	if !w.hasAppArmor() || spec.At("os", "name").StringOr("") == "windows" {
		return
	}
	annotations := dictionaryOf(pod.At("metadata", "annotations"))
	ofPod, podHas := profileOf(spec, "appArmorProfile")
	converted := map[string]bool{}
	for c := range w.containers(spec) {
		name := c.Get("name").StringOr("")
		annotation := annotations.prefixed(appArmor, name)
		containerProfile, has := profileOf(c.Value, "appArmorProfile")
		switch {
		case annotation == nil && has && w.Minor <= 33 && containerProfile.hasAnnotation():
			converted[name] = !podHas || containerProfile != ofPod
			continue
		case annotation == nil && converted[name] && !has:
			w.warnField(apiserver.DeprecatedField, w.prefix+"metadata.annotations["+appArmor+name+"]", useAppArmorField, c.Value)
			continue
		case annotation == nil || has:
			continue
		}
		annotated, ok := annotatedAppArmor(annotation.Value)
		if ok && annotated.kind == "Localhost" && !isFileName(annotated.localhost) {
			ok = false
		}
		if !ok || !podHas || annotated != ofPod {
			w.annotation(annotation, useAppArmorField)
		}
	}
}

// isFileName reports whether a profile's name is valid. Source:
// ValidateAppArmorProfileField in pkg/apis/core/validation/validation.go.
func isFileName(name string) bool {
	const maxLength = 4095
	return strings.TrimSpace(name) == name && len(name) <= maxLength
}

// Prepare returns the warnings that a server sends about a new object before
// validation, even if validation then refuses the object. Only the AppArmor
// annotations of a Pod have such warnings (1.30–1.37). For other objects and
// for updates Prepare returns nil.
func Prepare(s apiserver.Server, r apiserver.Request) []apiserver.Warning {
	if r.Kind != "Pod" || r.APIVersion != "v1" || r.Old != nil {
		return nil
	}
	w := writer{Server: s}
	w.podAppArmor(r.New)
	return w.warnings
}
