package validation

import (
	"strconv"
	"strings"
)

const appArmorContainer = "container.apparmor.security.beta.kubernetes.io/"

// appArmorField returns the AppArmor profile of a security context. 1.30 drops
// the profile unless both gates are on. Source: dropDisabledFields in
// pkg/api/pod/util.go.
func (v *validator) appArmorField(context node) node {
	return v.gated("AppArmorFields", v.appArmorGate(context.get("appArmorProfile")))
}

// appArmorGate returns an absent node if the server drops n: up to 1.30, on create,
// with the gate AppArmor off. Otherwise it returns n. On update, it assumes that the
// stored object has n, and the server then keeps n.
func (v *validator) appArmorGate(n node) node {
	if v.minor > 30 || v.req.Old != nil {
		return n
	}
	return v.gated("AppArmor", n)
}

// appArmorAnnotations checks the AppArmor annotations of a pod. Source:
// ValidateAppArmorPodAnnotations in pkg/apis/core/validation/validation.go
// (1.16–1.37).
func (v *validator) appArmorAnnotations(annotations, spec node) {
	var containers map[string]bool
	for k, n := range v.appArmorGate(annotations).entries {
		container, ok := strings.CutPrefix(k, appArmorContainer)
		if !ok {
			continue
		}
		n = n.withPath(annotations.p.key(k))
		if containers == nil {
			containers = v.containerNames(spec)
		}
		if !containers[container] {
			v.invalidString(n, container, []string{"container not found"})
		}
		switch profile := n.text(); {
		case profile == "", profile == "runtime/default", profile == "unconfined", strings.HasPrefix(profile, "localhost/"):
		default:
			v.invalidString(n, profile, []string{"invalid AppArmor profile name: " + strconv.Quote(profile)})
		}
	}
}

func (v *validator) containerNames(spec node) map[string]bool {
	names := map[string]bool{}
	for c := range v.allContainers(spec) {
		names[c.str("name")] = true
	}
	return names
}

// appArmor are the AppArmor profiles of a pod after the server copied them
// between annotations and fields.
type appArmor struct {
	// written are the annotations of the object, by container. added are the
	// annotations that the server adds.
	written, added map[string]string
	// copied has the indices of the containers whose field is set from the
	// annotation.
	copied map[int]bool
}

// appArmorOf returns the profiles of a pod. Annotations are added only up to
// 1.33. Source: applyAppArmorVersionSkew in pkg/registry/core/pod/strategy.go
// (1.30–1.37), which runs for new Pods but not for pod templates.
func (v *validator) appArmorOf(meta, spec node, isPod bool) appArmor {
	var a appArmor
	for k, n := range v.appArmorGate(meta.get("annotations")).entries {
		if container, ok := strings.CutPrefix(k, appArmorContainer); ok {
			if a.written == nil {
				a.written = map[string]string{}
			}
			a.written[container] = n.text()
		}
	}
	if !isPod || v.minor < 30 || !v.server.Enabled("AppArmorFields") || spec.at("os").str("name") == "windows" {
		return a
	}
	ofPod, i := v.appArmorField(spec.get("securityContext")), -1
	for c := range v.allContainers(spec) {
		i++
		containerProfile, name := v.appArmorField(c.get("securityContext")), c.str("name")
		text, isAnnotated := a.annotation(name)
		switch {
		case isAnnotated && !containerProfile.isSet() && isAppArmorProfile(text):
			if a.copied == nil {
				a.copied = map[int]bool{}
			}
			a.copied[i] = true
		case isAnnotated || v.minor > 33:
		default:
			if !containerProfile.isSet() {
				containerProfile = ofPod
			}
			if text := appArmorText(containerProfile); text != "" {
				if a.added == nil {
					a.added = map[string]string{}
				}
				a.added[name] = text
			}
		}
	}
	return a
}

// annotation returns the annotation of a container. ok is false if there is none.
func (a appArmor) annotation(container string) (text string, ok bool) {
	if text, ok = a.written[container]; !ok {
		text, ok = a.added[container]
	}
	return text, ok
}

// appArmorText returns the annotation for a profile, or "". Source:
// appArmorAnnotationForField (1.30–1.33).
func appArmorText(profile node) string {
	switch profile.str("type") {
	case "Unconfined":
		return "unconfined"
	case "RuntimeDefault":
		return "runtime/default"
	case "Localhost":
		if profile.has("localhostProfile") {
			return "localhost/" + profile.str("localhostProfile")
		}
	}
	return ""
}

// isAppArmorProfile reports whether the server can set the field from an
// annotation.
func isAppArmorProfile(annotation string) bool {
	file, local := strings.CutPrefix(annotation, "localhost/")
	if !local {
		return annotation == "unconfined" || annotation == "runtime/default"
	}
	return file != "" && len(file) <= maxLocalProfile && strings.TrimSpace(file) == file
}

// addedAnnotations checks the annotations that the server adds. Their keys end with
// names of containers, so a key can be invalid. Source: ValidateAnnotations.
func (v *validator) addedAnnotations(annotations, spec node, a appArmor) {
	if len(a.added) == 0 {
		return
	}
	sentSize, size := 0, 0
	for k, value := range annotations.entries {
		sentSize += len(k) + len(value.text())
	}
	seen := map[string]bool{}
	for c := range v.allContainers(spec) {
		name := c.str("name")
		text, isAdded := a.added[name]
		if !isAdded || seen[name] {
			continue
		}
		seen[name] = true
		key := appArmorContainer + name
		for _, m := range qualifiedErrors(v.minor, strings.ToLower(key)) {
			v.invalid(c.withPath(annotations.p), strconv.Quote(key), m)
		}
		size += len(key) + len(text)
	}
	if sentSize <= maxAnnotations && sentSize+size > maxAnnotations {
		v.tooLong(annotations, maxAnnotations)
	}
}

// appArmorMatches checks that annotations and fields agree in a new object.
// Source: validateAppArmorAnnotationsAndFieldsMatchOnCreate in
// pkg/apis/core/validation/validation.go (1.30–1.37).
func (v *validator) appArmorMatches(spec node, a appArmor) {
	if v.minor < 30 || !v.server.Enabled("AppArmorFields") || spec.at("os").str("name") == "windows" {
		return
	}
	ofPod, i := v.appArmorField(spec.get("securityContext")), -1
	for c := range v.allContainers(spec) {
		i++
		containerProfile := v.appArmorField(c.get("securityContext"))
		profile := containerProfile
		if !containerProfile.isSet() {
			profile = ofPod
		}
		if annotation, isAnnotated := a.annotation(c.str("name")); isAnnotated && profile.isSet() && !a.copied[i] {
			v.profileMatches(annotation, profile.withPath(containerProfile.p), "apparmor", "runtime/default")
		}
	}
}

// appArmorUpdates checks changes of AppArmor annotations. If the manifest lacks
// an annotation of the stored object, the server may have added it. This is not a
// change, because applying the manifest keeps the annotation. Source:
// ValidatePodSpecificAnnotationUpdates in pkg/apis/core/validation/validation.go
// (1.16–1.37).
func (v *validator) appArmorUpdates(obj node) {
	now, old := obj.at("metadata", "annotations"), root(v.req.Old)
	before := old.at("metadata", "annotations")
	fromServer := old.get("metadata").has("uid")
	for k, oldValue := range before.entries {
		if !strings.HasPrefix(k, appArmorContainer) {
			continue
		}
		switch newValue := now.v.Get(k); {
		case newValue == nil && !fromServer, newValue != nil && newValue.StringOr("") != oldValue.text():
			v.forbidden(node{v: newValue, owner: now.owner, p: now.p.key(k)}, "may not remove or update AppArmor annotations")
		}
	}
	stored := v.appArmorOf(old.get("metadata"), old.get("spec"), !fromServer)
	for k, newValue := range now.entries {
		container, ok := strings.CutPrefix(k, appArmorContainer)
		if !ok || before.v.Get(k) != nil {
			continue
		}
		switch oldValue, isStored := stored.annotation(container); {
		case !isStored:
			v.forbidden(newValue.withPath(now.p.key(k)), "may not add AppArmor annotations")
		case oldValue != newValue.text():
			v.forbidden(newValue.withPath(now.p.key(k)), "may not remove or update AppArmor annotations")
		}
	}
}
