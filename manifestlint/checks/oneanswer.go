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

// Resource is how a server's discovery describes a kind.
type Resource struct {
	// Plural is the resource's name in paths, such as "deployments".
	Plural     string
	Namespaced bool
}

// Resource looks a kind up as a client does in the discovery of the target's
// server of one minor: what it serves itself, and what the set's custom resource
// definitions add. ok is false if it has no such kind.
func (s *Set) Resource(t lifecycle.Target, m lifecycle.Minor, o *manifestlint.Object) (r Resource, ok bool) {
	if o.Known {
		if o.API.Class() != lifecycle.Resource || o.API.State(m, t) != lifecycle.Served {
			return Resource{}, false
		}
		return Resource{Plural: o.API.Resource(), Namespaced: o.API.Namespaced()}, true
	}
	return s.customResource(o)
}

// Answer says what the target's server of one minor answers to an object of a
// kind that it serves, to a request that is a dry-run. The request is one of a
// client such as kubectl, which does not send fields twice. Of a custom resource
// whose definition is not in the set it says nothing.
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
		a = answer.To(server, request, s.surroundings(o))
	} else {
		a = s.customAnswer(server, request)
	}
	if len(a.Causes) > 0 && a.Causes[0].Code == http.StatusBadRequest {
		return a // it was not decoded
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

// beforeAdmission reports whether a server has sent a warning when it asks the
// mutating webhooks.
func beforeAdmission(w apiserver.Warning) bool {
	switch w.Class {
	case apiserver.DeprecatedAPI, apiserver.UnknownField:
		return true
	}
	return w.Field == "metadata.ownerReferences" || strings.HasPrefix(w.Text, ".metadata.ownerReferences contains duplicate entries;")
}
