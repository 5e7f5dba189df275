package checks

import (
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
func answerFor(p *manifestlint.Pass, ask func(apiserver.Request) apiserver.Answer) apiserver.Answer {
	o := p.Object
	r := apiserver.Request{
		APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root, Old: o.Old, Duplicates: o.Duplicates, Validation: p.Validation, Body: o.JSON,
	}
	a := followup.Answer(r, ask)
	if r.Old != nil || !o.Dumped() {
		return a
	}
	if len(a.Causes) > 0 {
		r.Old = r.New
		a = followup.Answer(r, ask)
	}
	if o.Controlled() {
		a.Warnings = nil
	}
	return a
}
