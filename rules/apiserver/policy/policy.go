// Package policy evaluates the ValidatingAdmissionPolicies and
// MutatingAdmissionPolicies of a cluster for a request. It also evaluates the
// match conditions of webhooks.
//
// It uses code of k8s.io/apiserver that selects policies, evaluates expressions
// and produces texts. This package supplies the other parts of a running server:
// the release, the objects of the cluster, and the request.
//
// Unknown facts, such as the authorizer, a missing parameter or a user that is
// not given, are never guessed. The result of an expression that reads them is
// unknown, unless its other operands decide it. Unknown results are counted and
// named.
package policy

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options are facts about a cluster besides its objects.
type Options struct {
	// Serves reports whether the server serves a built-in API. nil means the
	// defaults of the release.
	Serves func(lifecycle.API) bool
	// Complete is set if the objects passed to NewCluster include all parameters
	// and namespaces of the cluster. If it is not set, results that depend on a
	// missing parameter or namespace are unknown.
	Complete bool
}

// User is the user of a request, the value of request.userInfo. Groups must
// include the groups that the server adds to an authenticated user.
type User struct {
	Name, UID string
	Groups    []string
	Extra     map[string][]string
}

// Attributes is a request as admission plugins see it.
type Attributes struct {
	// Request has the objects as the client sent them, with their positions. If
	// Old is nil, the request creates the object, otherwise it updates it.
	Request apiserver.Request
	// Object and Old are the objects as admission plugins see them: structs of
	// k8s.io/api with their kind set, or *unstructured.Unstructured. Old is nil
	// on create. Package policy does not change them.
	Object, Old runtime.Object
	// Unknowable are the paths of Object whose values are not known, such as
	// "metadata.uid". [*] means every item of a list and .* every value of a map.
	// A field that Object lacks is unset for expressions, even if its path is
	// listed here.
	Unknowable []string
	// UnknowableOld are the paths of Old whose values are not known.
	UnknowableOld []string
	// User is the user who sends the request, or nil if the user is unknown.
	User *User
	// DryRun is set for a dry run.
	DryRun bool
	// FieldManager is the request's field manager.
	FieldManager string
	// Default sets the defaults of a mutated object. It may be nil.
	Default func(runtime.Object)
	// Again runs the built-in mutating plugins on an object that policies
	// changed, before policies run a second time. It returns the object, and may
	// change its argument. Again may be nil.
	Again func(runtime.Object) runtime.Object
}

// Verdict is the result of the ValidatingAdmissionPolicies of a cluster for a
// request.
type Verdict struct {
	// Causes has the server's denial, or is empty. It has at most one cause,
	// because the server stops at the first policy that denies the request.
	Causes []apiserver.Cause
	// Status is the message of the denial. Reason is its reason, such as
	// "Forbidden".
	Status, Reason string
	// Warnings are the warnings of bindings with the action Warn.
	Warnings []apiserver.Warning
	// Failures are all failed validations in the order of evaluation. Policies
	// and bindings are evaluated by name; a server's order is random.
	Failures []Failure
	// Unknown lists the unknown facts on which the verdict depends.
	Unknown []Unknown
}

// Failure is one failed validation.
type Failure struct {
	Policy, Binding string
	// Param is the parameter as "namespace/name" or "name", or empty.
	Param string
	// Index is the index of the validation. It is -1 if the failure is about the
	// policy, the binding, a match condition or an audit annotation.
	Index int
	// Expression is the validation's expression. It is empty if Index is -1.
	Expression string
	// Message is the server's text about the validation. Text is what the server
	// sends: Message with the names of the policy and the binding.
	Message, Text string
	// Deny, Warn and Audit say which actions the server takes.
	Deny, Warn, Audit bool
	// Error is set if the validation could not be evaluated.
	Error bool
	// Reason and Code are the reason and the HTTP status of a denial.
	Reason string
	Code   int
	// Reads are the parts of the request that the expression reads.
	Reads []string
	// At is the value to which a finding should point, and Field is its path. At
	// contains everything that the expression reads of the object. It can be the
	// whole object.
	Field string
	At    *wire.Value
	// Inexact is set if Message may differ from the server's text because it
	// contains an unknown value.
	Inexact bool
}

// Unknown is an unknown fact on which an outcome depends.
type Unknown struct {
	// Policy and Binding are names. Binding is empty if the fact is about the
	// policy itself.
	Policy, Binding string
	// Mutating is set if the policy is a MutatingAdmissionPolicy.
	Mutating bool
	// Index is the index of the validation or mutation, or -1.
	Index int
	// What names the unknown fact, such as "authorizer" or "namespace \"a\"".
	What string
	// Count is the number of outcomes that depend on the fact.
	Count int
}

// Mutation is the result of the MutatingAdmissionPolicies of a cluster for an
// object.
type Mutation struct {
	// Object is the object after all policies. It is Attributes.Object if no
	// policy changes it, or if the request is refused.
	Object runtime.Object
	// Value is the sent object with the changes of the policies. Unchanged values
	// keep their positions. It is Request.New if nothing changed.
	Value *wire.Value
	// Changes are the effects of the policies, in the order of evaluation.
	Changes []Change
	// Causes, Status and Reason are as in Verdict.
	Causes         []apiserver.Cause
	Status, Reason string
	// Unknown lists the unknown facts. If there are any, a server may return a
	// different object.
	Unknown []Unknown
}

// Change is the effect of one policy with one binding.
type Change struct {
	Policy, Binding string
	// Paths are the changed fields, in the server's notation.
	Paths []string
}
