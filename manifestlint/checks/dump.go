package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/followup"
)

// answerFor returns a server's answer to an object, with the messages that the
// server hides if a value has a wrong type. ask returns the server's answer to
// one request.
//
// Usually the request creates the object. But if the object was read from a
// server, that server has accepted it. The errors are then those of an update
// without changes, because a server may refuse to create the object for one of
// these fields:
//
//   - fields that the server sets, such as the selector of a Job
//   - fields whose validation became stricter later
//
// The warnings are always those of a creation, as for the object's manifest.
// For an object that a controller created, only the warnings of policies
// remain, because the others are reported for the object's owner.
//
// Admission policies always check a creation, because the server that accepted
// the object may have had other policies.
func answerFor(p *manifestlint.Pass, ask func(apiserver.Request) apiserver.Answer) apiserver.Answer {
	o := p.Object
	r := apiserver.Request{
		APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Duplicates: o.Duplicates, Validation: p.Validation, Body: o.JSON,
	}
	a := followup.Answer(r, ask)
	if r.Old != nil || !o.Dumped() {
		return a
	}
	if len(a.Causes) > 0 && !refusedByPolicy(a) {
		r.Old = r.New
		a = followup.Answer(r, ask)
	}
	if o.Controlled() {
		a.Warnings = slices.DeleteFunc(a.Warnings, func(w apiserver.Warning) bool { return w.Class != apiserver.Policy })
	}
	return a
}

// refusedByPolicy reports whether all errors of an answer come from admission
// policies.
func refusedByPolicy(a apiserver.Answer) bool {
	return len(a.Causes) > 0 && !slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool { return c.Policy == nil })
}
