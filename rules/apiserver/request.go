package apiserver

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// FieldValidation is the fieldValidation parameter of a request. It decides
// what the server does with unknown and repeated fields. The zero value is the
// server's default.
type FieldValidation uint8

// The values of fieldValidation.
const (
	// Warn drops unknown and repeated fields and warns.
	Warn FieldValidation = iota
	// Ignore drops them silently.
	Ignore
	// Strict refuses the object. kubectl sends it by default.
	Strict
)

// Request is an object that a client sends to a server.
type Request struct {
	APIVersion, Kind string
	// Old is the stored object, as the server returns it; nil on create.
	Old *wire.Value
	// New is the sent object. It is always the whole object, not a patch.
	New *wire.Value
	// Validation is the request's fieldValidation.
	Validation FieldValidation
	// Duplicates are the fields that the body of New repeats. It may be nil if
	// the caller reports them itself.
	Duplicates []wire.Duplicate
	// Body is the JSON text of New, without leading white space. It is nil if
	// the client encodes the object itself, as kubectl does with YAML.
	Body []byte
}

// Answer is a server's answer to a request.
type Answer struct {
	// Causes are the errors in the server's order, without repetitions. It is
	// empty if the server accepts the object. After a cause of code 400 or 403,
	// all further causes are Hidden.
	Causes []Cause
	// Warnings are the warnings in the server's order.
	Warnings []Warning
	// Unknown lists the parts of the answer that cannot be predicted, each with
	// the reason, such as "rules of widgets.example.com: …". These texts are
	// kubevet's, not the server's.
	Unknown []string
}
