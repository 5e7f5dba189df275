package checks

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/followup"
)

// answerFor returns a server's answer to the object of a pass, with what the
// server hides behind values of wrong types. ask returns the server's answer to
// a request.
//
// The request creates the object, unless the object was read from a server.
// Such an object was accepted before, so its errors are those of an update
// that changes nothing. This leaves out errors about fields that the server
// sets, such as a Job's selector, and about fields whose validation became
// stricter after the creation. Its warnings are still those of the creation,
// because the manifest that it came from gets them. Objects that a controller
// made get no warnings: the object that the controller made them from gets them.
//
// What admission policies say is that of the creation in each case. The server
// that accepted the object may have had other policies, and a policy for Pods
// says nothing about the object that a controller made a Pod from.
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

// refusedByPolicy reports whether an admission policy, and nothing else, refuses
// a request.
func refusedByPolicy(a apiserver.Answer) bool {
	return len(a.Causes) > 0 && !slices.ContainsFunc(a.Causes, func(c apiserver.Cause) bool { return c.Policy == nil })
}
