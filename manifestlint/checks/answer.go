package checks

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/answer"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Resource describes a kind like a server's discovery.
type Resource struct {
	// Plural is the resource's name in paths, such as "deployments".
	Plural     string
	Namespaced bool
}

// Resource returns the resource of an object's kind, as the target's server of
// minor m lists it. It can come from a custom resource definition in the set.
// ok is false if the server does not serve the kind.
func (s *Set) Resource(t lifecycle.Target, m lifecycle.Minor, o *manifestlint.Object) (r Resource, ok bool) {
	if o.Known {
		if o.API.Class() != lifecycle.Resource || o.API.State(m, t) != lifecycle.Served {
			return Resource{}, false
		}
		return Resource{Plural: o.API.Resource(), Namespaced: o.API.Namespaced()}, true
	}
	return s.customResource(o)
}

// Answer returns the answer of the target's server of minor m to a dry-run
// request with an object. The server must serve the object's kind. Repeated
// fields are ignored, because clients such as kubectl do not send them. The
// answer is empty for a custom resource whose definition is not in the set.
func (s *Set) Answer(t lifecycle.Target, m lifecycle.Minor, o *manifestlint.Object, v apiserver.FieldValidation) apiserver.Answer {
	if o.Root == nil {
		return apiserver.Answer{}
	}
	server := serverOf(t, m)
	request := apiserver.Request{
		APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Validation: v,
	}
	var a apiserver.Answer
	if o.Known {
		surroundings := s.surroundings(o)
		surroundings.Admission = s.admissionOf(t, m)
		a = answer.To(server, request, surroundings)
	} else {
		a = s.customAnswer(t, server, request)
	}
	if len(a.Causes) > 0 && a.Causes[0].Code == http.StatusBadRequest {
		return a // the server could not decode the object
	}
	refused := s.DryRunRefusal(t, m, o)
	switch {
	case refused == nil || !refused.Mutating && !answer.Accepted(a):
		return a
	case refused.Mutating:
		a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool { return !beforeAdmission(w) })
	}
	a.Causes = []apiserver.Cause{refused.Cause}
	return a
}

// beforeAdmission reports whether a server sends a warning before it calls
// mutating webhooks.
func beforeAdmission(w apiserver.Warning) bool {
	switch w.Class {
	case apiserver.DeprecatedAPI, apiserver.UnknownField:
		return true
	}
	return w.Field == "metadata.ownerReferences" || strings.HasPrefix(w.Text, ".metadata.ownerReferences contains duplicate entries;")
}
