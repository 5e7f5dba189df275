package apiserver

import (
	"net/http"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// podUpdate re-states ValidatePodUpdate of pkg/apis/core/validation: a pod's
// hooks and its grace period cannot change. The server adds a diff of the two
// specs to the text.
func (s Server) podUpdate(r Request, spec, old *podSpec) []Cause {
	if !spec.hasHooks() && !old.hasHooks() {
		return nil
	}
	at := r.New.Get("spec")
	refuse := func(field, text string, inexact bool) []Cause {
		return []Cause{{Field: field, Text: "Forbidden: " + text, Code: http.StatusUnprocessableEntity, At: at, Inexact: inexact}}
	}
	// ValidateContainerUpdates
	const resized = "pod updates may not add or remove containers"
	switch {
	case len(spec.containers) != len(old.containers):
		return refuse("spec.containers", resized, false)
	case len(spec.initContainers) != len(old.initContainers):
		return refuse("spec.initContainers", resized, false)
	}
	// From 1.22 on a negative grace period may become 1.
	sameGrace := *spec.grace == *old.grace || s.Minor >= 22 && *old.grace < 0 && *spec.grace == 1
	if sameGrace && sameHooks(spec.containers, old.containers) && sameHooks(spec.initContainers, old.initContainers) &&
		sameHooks(spec.ephemeralContainers, old.ephemeralContainers) {
		return nil
	}
	return refuse("spec", "pod updates may not change fields other than "+s.mutablePodFields()+"\n…", true)
}

// mutablePodFields is the list of the fields that may change, as the minor
// words it.
func (s Server) mutablePodFields() string {
	const (
		image      = "`spec.containers[*].image`"
		initImage  = "`spec.initContainers[*].image`"
		deadline   = "`spec.activeDeadlineSeconds`"
		toleration = "`spec.tolerations` (only additions to existing tolerations)"
		grace      = "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
		resources  = "`spec.containers[*].resources` (for CPU/memory only)"
	)
	switch {
	case s.Minor < 22:
		return strings.Join([]string{image, initImage, deadline}, ", ") + " or " + toleration
	case s.Minor < 27:
		return strings.Join([]string{image, initImage, deadline, toleration}, ", ") + " or " + grace
	case s.Minor < 32 && s.Enabled(gateInPlacePodScaling):
		return strings.Join([]string{image, initImage, deadline, toleration, grace, resources}, ",")
	}
	return strings.Join([]string{image, initImage, deadline, toleration, grace}, ",")
}

// jobUpdate re-states validatePodTemplateUpdate of pkg/apis/batch/validation:
// a job's template cannot change. The server's text holds the new template,
// in Go syntax up to 1.33 and as JSON later.
func (s Server) jobUpdate(r Request, spec, old *podSpec) []Cause {
	if !spec.hasHooks() && !old.hasHooks() {
		return nil
	}
	if *spec.grace == *old.grace && sameHooks(spec.containers, old.containers) && sameHooks(spec.initContainers, old.initContainers) &&
		sameHooks(spec.ephemeralContainers, old.ephemeralContainers) {
		return nil
	}
	field, value := "spec.template", "core.PodTemplateSpec{…}"
	// While a job is suspended, its containers' resources may change, and the
	// error is about the rest of the pod spec.
	suspended := r.Old.At("spec", "suspend")
	if s.Minor >= 35 && s.Enabled(gateMutableSuspended) && suspended != nil && suspended.Kind == wire.Bool && suspended.Text == "true" {
		field = "spec.template.spec"
	}
	if s.Minor >= 34 {
		value = "{…}"
	}
	return []Cause{{
		Field: field, Text: "Invalid value: " + value + ": field is immutable", Code: http.StatusUnprocessableEntity,
		At: r.New.At("spec", "template"), Inexact: true,
	}}
}
