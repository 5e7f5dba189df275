// Package policy evaluates the ValidatingAdmissionPolicies and
// MutatingAdmissionPolicies of a cluster, and the match conditions of webhooks, for a
// request.
//
// It uses the admission plugins of k8s.io/apiserver as a library: they select the
// policies, evaluate the expressions and produce the texts. This package supplies the
// other parts of a running server: the release, the objects of the cluster, and the
// request.
//
// Unknown facts are never guessed. An expression has an unknown result if it reads the
// authorizer, a user that is not given, or a parameter that is not among the objects,
// unless its other operands decide it. Unknown results are counted and named.
package policy

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options are what is known of a cluster besides its objects.
type Options struct {
	// Serves reports whether the server serves a built-in API; nil means by
	// default.
	Serves func(lifecycle.API) bool
	// Complete is set if the cluster has no other parameters and namespaces than
	// those given. Otherwise it is unknown what is in the others.
	Complete bool
}

// User is the user of a request: request.userInfo. Callers add the groups that
// the server adds to an authenticated user.
type User struct {
	Name, UID string
	Groups    []string
	Extra     map[string][]string
}

// Attributes is a request as admission plugins see it.
type Attributes struct {
	// Request has the objects as they were sent, with their places. If Old is
	// nil, the request creates the object; otherwise it updates it.
	Request apiserver.Request
	// Object and Old are the objects as the plugins see them: structs of
	// k8s.io/api with their kind, or *unstructured.Unstructured. Old is nil on
	// create. They are not changed.
	Object, Old runtime.Object
	// Unknowable are the fields of Object whose values are not known, such as
	// "metadata.uid". [*] is every item of a list and .* every value of a map. A
	// field that Object lacks is unset.
	Unknowable []string
	// UnknowableOld are those of Old.
	UnknowableOld []string
	// User is nil if the user is unknown.
	User *User
	// DryRun is set for a dry run.
	DryRun bool
	// FieldManager is the request's field manager.
	FieldManager string
	// Default sets the defaults of a mutated object. It may be nil.
	Default func(runtime.Object)
	// Again runs the built-in mutating plugins on a mutated object, before
	// policies are invoked again. It returns the object, which it may change. It
	// may be nil.
	Again func(runtime.Object) runtime.Object
}

// Verdict is what the ValidatingAdmissionPolicies of a cluster say of a request.
type Verdict struct {
	// Causes has the server's denial, or nothing. The server stops at the first
	// policy that denies a request.
	Causes []apiserver.Cause
	// Status is the message of the denial's status, and Reason its reason.
	Status, Reason string
	// Warnings are those of bindings with the action Warn.
	Warnings []apiserver.Warning
	// Failures are all failed validations, in the order of the evaluation:
	// policies and bindings by name, since the server's order is random.
	Failures []Failure
	// Unknown says what is not known of the verdict.
	Unknown []Unknown
}

// Failure is one failed validation.
type Failure struct {
	Policy, Binding string
	// Param is "namespace/name" or "name" of the parameter, or empty.
	Param string
	// Index is the index of the validation. It is -1 if the failure is about the
	// policy, the binding, a match condition or an audit annotation.
	Index int
	// Expression is the validation's expression, or empty.
	Expression string
	// Message is the server's text about the validation. Text is Message with
	// the names of the policy and the binding, as the server sends it.
	Message, Text string
	// Deny, Warn and Audit are the actions that the server takes.
	Deny, Warn, Audit bool
	// Error is set if the validation could not be evaluated.
	Error bool
	// Reason and Code are those of a denial.
	Reason string
	Code   int
	// Reads are the parts of the request that the expression reads.
	Reads []string
	// Field is the path of the value that a finding should point to, and At that
	// value: the field that the expression reads, or else the object.
	Field string
	At    *wire.Value
	// Inexact is set if Message may differ from the server's, because it has an
	// unknown value.
	Inexact bool
}

// Unknown is something that is not known and that an outcome depends on.
type Unknown struct {
	// Policy and Binding are names. Binding is empty if the policy itself is
	// concerned.
	Policy, Binding string
	// Mutating is set for a MutatingAdmissionPolicy.
	Mutating bool
	// Index is the index of the validation or mutation, or -1.
	Index int
	// What names the unknown fact, such as "authorizer" or "namespace \"a\"".
	What string
	// Count is the number of outcomes that depend on it.
	Count int
}

// Mutation is what the MutatingAdmissionPolicies of a cluster make of an object.
type Mutation struct {
	// Object is the object after all policies. It is Attributes.Object if no
	// policy changes it, or if the request is refused.
	Object runtime.Object
	// Value is the sent object with the changes of the policies. Unchanged values keep
	// their places. It is Request.New if nothing is changed.
	Value *wire.Value
	// Changes are the changes, in order.
	Changes []Change
	// Causes, Status and Reason are as in Verdict.
	Causes         []apiserver.Cause
	Status, Reason string
	// Unknown says what is not known. If it is not empty, a server may make
	// another object of the request.
	Unknown []Unknown
}

// Change is the effect of one policy.
type Change struct {
	Policy, Binding string
	// Paths are the changed fields, in the server's notation.
	Paths []string
}
