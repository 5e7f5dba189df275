package customresource

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// failure is one error of validating a value by its schema. Source: Validation in
// kube-openapi/pkg/validation/errors, except for the code failPlain, which is
// another Go type on the server.
type failure struct {
	code    failureCode
	path    string
	message string
	value   any
	values  []*wire.Value // allowed values of an enum
	limit   int64
	at      *wire.Value
}

type failureCode uint8

const (
	failOther failureCode = iota
	failPlain             // an error that does not name a field
	failType
	failRequired
	failEnum
	failTooLong
	failMaxItems
	failMaxProperties
)

// location is the path of the validated value, as a linked list. nil is the root.
type location struct {
	parent *location
	name   string
	index  int // index of an item; -1 for a field
	dotted bool
}

// String returns the path in the form of kube-openapi. The name of an additional
// field has a dot before it, even at the root.
func (l *location) String() string {
	if l == nil {
		return ""
	}
	return string(l.append(nil))
}

func (l *location) append(b []byte) []byte {
	if l == nil {
		return b
	}
	b = l.parent.append(b)
	if l.index >= 0 {
		return append(strconv.AppendInt(append(b, '['), int64(l.index), 10), ']')
	}
	if len(b) > 0 || l.dotted {
		b = append(b, '.')
	}
	return append(b, l.name...)
}
