// Package apiserver says what a kube-apiserver answers to an object: verdicts
// as pure functions of the old object, the new one and the server.
//
// Each function re-states a function of Kubernetes, names its file and the
// releases it was checked on, and returns texts that equal the server's.
package apiserver

import (
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Server is the kube-apiserver that is asked: one minor with its gates.
type Server struct {
	Minor lifecycle.Minor
	// Gate reports whether a feature gate is on; see Enabled. nil means the
	// release's defaults.
	Gate func(name string) bool
}

// Enabled reports whether a feature gate is on, by the administrator's setting
// or the release's default. A gate that the release does not have yet is off.
// A gate that the release no longer has keeps its last default, which is on if
// the feature graduated.
func (s Server) Enabled(gate string) bool {
	if s.Gate != nil {
		return s.Gate(gate)
	}
	return lifecycle.Target{}.GateEnabled(gate, s.Minor)
}

// Cause is one error in a server's answer.
type Cause struct {
	// Field is the path the server names; empty where it names none.
	Field string
	// Text is the cause's message, such as "Required value: must specify a
	// handler type"; of an answer without causes it is the whole message.
	Text string
	// Code is the HTTP status of the answer: 422 for validation, 400 for a
	// body that does not decode.
	Code int
	// At is the value in the source that is to blame, so that a finding can
	// point there; where a field is missing, the value that lacks it.
	At *wire.Value
	// LifecycleHook marks a cause that is about a lifecycle hook of a container
	// or the grace period that bounds it.
	LifecycleHook bool
	// Inexact marks a text that cannot be known from outside: the server's
	// holds a memory address, a dump of the whole stored object, or a piece of
	// a body that the client makes. Text has 0x0, "…", or kubectl's body in
	// its place.
	Inexact bool
}

// Warning is one warning in a server's answer.
type Warning struct {
	// Field is the path the warning is about; empty where it is about the whole
	// object.
	Field string
	// Text is the text of the Warning header, unescaped.
	Text string
	// At is the value to blame.
	At *wire.Value
	// Key is the field whose name is to blame; nil where that is not the name.
	Key *wire.Field
	// Class says what kind of warning it is.
	Class Class
}

// Class says what a warning is about. The zero value is Advice.
type Class uint8

// The classes.
const (
	// Advice is about a value that the server takes and thinks unwise.
	Advice Class = iota
	// DeprecatedField is about a field, annotation or label, or a value of
	// one, that is deprecated or no longer has an effect.
	DeprecatedField
	// UnknownField is about a field that the server drops because it does not
	// know it or because the body repeats it.
	UnknownField
	// PodSecurity is that of Pod Security Admission.
	PodSecurity
	// DeprecatedAPI is about the version of the object's API.
	DeprecatedAPI
)
