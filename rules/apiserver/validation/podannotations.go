package validation

import (
	"strconv"
	"strings"
)

const (
	mirrorAnnotation      = "kubernetes.io/config.mirror"
	tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations"
	costAnnotation        = "controller.kubernetes.io/pod-deletion-cost"
	seccompPod            = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainer      = "container.seccomp.security.alpha.kubernetes.io/"
)

// podAnnotations checks the annotations of a pod that have a meaning for the
// server. The annotation with tolerations has no meaning since 1.6. Source:
// ValidatePodSpecificAnnotations.
func (v *validator) podAnnotations(annotations, spec node) {
	if annotations.length() == 0 {
		return
	}
	if mirror := annotations.v.Get(mirrorAnnotation); mirror != nil && spec.str("nodeName") == "" {
		v.invalidString(node{owner: mirror, p: annotations.p.key(mirrorAnnotation)}, mirror.StringOr(""), []string{"must set spec.nodeName if mirror pod annotation is set"})
	}
	if cost := annotations.v.Get(costAnnotation); cost != nil && v.server.Enabled("PodDeletionCost") && !isDeletionCost(cost.StringOr("")) {
		v.invalidString(node{owner: cost, p: annotations.p.key(costAnnotation)}, cost.StringOr(""), []string{"must be a 32bit integer"})
	}
	if profile := annotations.v.Get(seccompPod); profile != nil {
		v.seccompAnnotation(node{v: profile, owner: profile, p: annotations.p.child(seccompPod)})
	}
	for k, profile := range annotations.entries {
		if strings.HasPrefix(k, seccompContainer) {
			v.seccompAnnotation(profile.withPath(annotations.p.child(k)))
		}
	}
	v.appArmorAnnotations(annotations, spec)
}

func isDeletionCost(s string) bool {
	if s == "" || s[0] != '-' && s != "0" && (s[0] < '1' || s[0] > '9') {
		return false
	}
	_, err := strconv.ParseInt(s, 10, 32)
	return err == nil
}

// seccompAnnotation checks the value of a seccomp annotation. Source:
// ValidateSeccompProfile.
func (v *validator) seccompAnnotation(n node) {
	profile := n.text()
	switch local, ok := strings.CutPrefix(profile, "localhost/"); {
	case profile == "runtime/default", profile == "docker/default", profile == "unconfined":
	case ok:
		if strings.HasPrefix(local, "/") {
			v.invalidString(n, local, []string{"must be a relative path"})
		}
		if hasBacksteps(local) {
			v.invalidString(n, local, []string{"must not contain '..'"})
		}
	default:
		v.invalidString(n, profile, []string{"must be a valid seccomp profile"})
	}
}

// seccompMatches checks that seccomp annotations and fields agree. Up to 1.26
// they always agree, because the strategies set the fields from the annotations.
// Source: validateSeccompAnnotationsAndFields.
func (v *validator) seccompMatches(meta, spec node) {
	annotations := meta.get("annotations")
	if v.minor < 19 || annotations.length() == 0 {
		return
	}
	match := func(key string, profile node) {
		if annotation := annotations.v.Get(key); annotation != nil && profile.isSet() {
			v.profileMatches(annotation.StringOr(""), profile, "seccomp", "runtime/default", "docker/default")
		}
	}
	match(seccompPod, spec.at("securityContext", "seccompProfile"))
	for c := range v.allContainers(spec) {
		match(seccompContainer+c.str("name"), c.at("securityContext", "seccompProfile"))
	}
}

// profileMatches adds errors if an annotation and the field of a profile
// disagree. what is the kind of profile, and defaults are the annotation values
// for the default profile of the runtime.
func (v *validator) profileMatches(annotation string, profile node, what string, defaults ...string) {
	kind, local := profile.get("type"), profile.get("localhostProfile")
	mismatch := func() { v.forbidden(kind, what+" type in annotation and field must match") }
	switch kind.text() {
	case "Unconfined":
		if annotation != "unconfined" {
			mismatch()
		}
	case "RuntimeDefault":
		for _, d := range defaults {
			if annotation == d {
				return
			}
		}
		mismatch()
	case "Localhost":
		if name, ok := strings.CutPrefix(annotation, "localhost/"); !ok {
			mismatch()
		} else if !local.isSet() || name != local.text() {
			v.forbidden(local, what+" profile in annotation and field must match")
		}
	}
}
