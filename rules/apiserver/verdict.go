// Package apiserver and the packages below it predict a kube-apiserver's answer
// to an object. They are pure functions of the stored object, the sent object and
// the server.
//
// Functions re-implement functions of Kubernetes and return the server's texts.
// In their comments, "Source:" is the upstream function with the releases that
// were compared.
package apiserver

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Server is a kube-apiserver: one minor with its feature gates.
type Server struct {
	Minor lifecycle.Minor
	// Gate reports whether a feature gate is on. nil means the defaults of the
	// release. Enabled calls it.
	Gate func(name string) bool
}

// Enabled reports whether a feature gate is on. If Gate is nil, the release's
// default decides:
//
//   - A gate that the release does not have yet is off.
//   - A removed gate keeps its last default. It is on if the feature became
//     stable.
func (s Server) Enabled(gate string) bool {
	if s.Gate != nil {
		return s.Gate(gate)
	}
	return lifecycle.Target{}.GateEnabled(gate, s.Minor)
}

// Cause is one error in a server's answer.
type Cause struct {
	// Field is the path that the server names, if any.
	Field string
	// Text is the cause's message, such as "Required value: must specify a
	// handler type". It is the whole message if the answer has no causes.
	Text string
	// Code is the HTTP status of the answer: 422 for validation, 400 for a
	// body that does not decode.
	Code int
	// At is the value in the source that a finding should point to. If a field
	// is missing, it is the value that lacks the field.
	At *wire.Value
	// Fits are values that the server can decode in place of At, the most likely
	// correction first. It is empty if no such value is known.
	Fits []*wire.Value
	// LifecycleHook marks a cause that is about a lifecycle hook of a container
	// or the grace period that bounds it.
	LifecycleHook bool
	// Policy is the rest of the answer if an admission policy denies the object,
	// else nil.
	Policy *Denial
	// Inexact marks a text that differs from the server's. The server's text has
	// a memory address, a dump of the stored object, a piece of the body, or a
	// value that cannot be known here. Text has 0x0, "…" or kubevet's own
	// wording instead.
	Inexact bool
	// MutatedBy has the names of the policies whose changes to the object cause
	// the error. It is empty if the object as sent has the error, too.
	MutatedBy string
	// Hidden marks a cause that the server sends only after earlier errors, such
	// as values that do not decode, are fixed. Only package followup returns such
	// causes.
	Hidden bool
}

// Denial is the status of a refusal by an admission policy, which has exactly one
// cause.
type Denial struct {
	// Message is the message of the status. Reason is its reason, such as
	// "Invalid".
	Message, Reason string
}

// Warning is one warning in a server's answer.
type Warning struct {
	// Field is the path that the warning is about, or "" for the whole object.
	Field string
	// Text is the text of the Warning header, unescaped.
	Text string
	// At is the value that a finding should point to.
	At *wire.Value
	// Key is the field whose name a finding should point to, or nil.
	Key *wire.Field
	// Class is the kind of warning.
	Class Class
	// Hidden, Inexact and MutatedBy are as in Cause.
	Hidden, Inexact bool
	MutatedBy       string
}

// Class is the subject of a warning. The zero value is Advice.
type Class uint8

// The classes.
const (
	// Advice is about a value that the server accepts but considers unwise.
	Advice Class = iota
	// DeprecatedField is about a field, annotation, label or value that is
	// deprecated or has no effect.
	DeprecatedField
	// UnknownField is about a field that the server drops: an unknown or a
	// repeated field.
	UnknownField
	// PodSecurity is a warning of Pod Security Admission.
	PodSecurity
	// DeprecatedAPI is about the version of the object's API.
	DeprecatedAPI
	// Policy is a warning of a ValidatingAdmissionPolicy.
	Policy
)
