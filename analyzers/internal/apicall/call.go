package apicall

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Call is a call in the package that writes to a Kubernetes API. The called function is a
// method of a client, or a function of another module that writes.
//
// For a function of another module, Family is Wrapper, and one Call describes all writes in
// the function. Calls of functions of the same module are not Calls. Package dryrun follows
// them.
type Call struct {
	// Family is the kind of the client.
	Family Family
	// Verb is the verb of the request.
	Verb Verb
	// Patch is the patch type of VerbPatch, such as
	// "application/merge-patch+json". It is empty if the call is no patch, or
	// if the type is not constant. It is also empty for apply calls and apply
	// patches, which have VerbApply.
	Patch string
	// Subresource is "status", "scale" and so on. It is empty if the call writes the object
	// itself, or if the subresource is not known.
	Subresource string

	// Expr is the call in the source. It is never nil.
	Expr *ast.CallExpr
	// Instr is the call in SSA form: a *ssa.Call, *ssa.Go or *ssa.Defer. It is nil if the
	// code is unreachable.
	Instr ssa.CallInstruction
	// Func is the innermost function or literal that contains the call. It is nil if Instr
	// is nil.
	Func *ssa.Function
	// Method is the called function or interface method.
	Method *types.Func
	// Receiver is the expression of the client. It is nil if Method is a function.
	Receiver ast.Expr
	// Client describes the client.
	Client Client
	// Args are the arguments as SSA values, without the receiver. Variadic arguments are
	// not joined. It is nil if Instr is nil.
	Args []ssa.Value

	// Object is the argument with the written object. It is nil for verbs whose calls
	// only name the object. ObjectType is the type of Object without pointers, or nil
	// if the type is not known. For typed clients, ObjectType is the type of the
	// client's objects, even if the call only names the object.
	Object     ast.Expr
	ObjectType types.Type
	// GVK is the group, version and kind of the object, such as {"apps", "v1",
	// "Deployment"}. They come from types and constants. Kind is empty if nothing is known.
	GVK GVK

	// Options is the first options argument, or nil if the call passes no options.
	// HasOptions reports whether the method accepts options. EvictV1 and CreateOrUpdate do
	// not.
	Options    ast.Expr
	HasOptions bool
	// CallerOptions is the parameter from which the options, or a part of them, come. The
	// field validation alone does not count.
	// If Func is a literal, CallerOptions is a parameter of the declared function
	// around the literal. It is nil if the options do not come from a parameter.
	CallerOptions *types.Var

	// FieldManager, Force, DryRun and FieldValidation are the settings of the write.
	// They include the settings of the client. Force is Unset for verbs without force.
	FieldManager, Force, DryRun, FieldValidation Setting
	// Own holds the settings in the options of the call, without the settings of the
	// client. A setting in Own is Unset if the call has no options. It is Unknown if
	// the options are not understood.
	Own Settings
	// requestClient and requestBody are set for REST calls.
	requestClient, requestBody ssa.Value
	// question is set for REST calls of a resource whose objects are not stored.
	question bool
	// client is a value that contains the client, and clientFields lead from the value to
	// the client.
	client       ssa.Value
	clientFields []string

	// MaybeReview is set if the call creates an object of unknown kind that may be a
	// review, which the server does not store.
	MaybeReview bool

	// Fake reports whether the client is a test double from a package named fake. Its
	// writes reach no server.
	Fake bool
}

// Settings are the four settings of a call.
type Settings struct{ FieldManager, Force, DryRun, FieldValidation Setting }

// Pos returns the start of findings about the call: the name of the method.
func (c *Call) Pos() token.Pos {
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Pos()
	}
	return c.Expr.Pos()
}

// End returns the end of the name of the method.
func (c *Call) End() token.Pos {
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.End()
	}
	return c.Expr.Fun.End()
}

// IsReview reports whether the written object is a question that the server answers and
// does not store. Examples are a SelfSubjectAccessReview, and an AdminKubeconfigRequest
// that is the body of a subresource.
func (c *Call) IsReview() bool {
	if c.question {
		return true
	}
	if c.Family == RuntimeSubresource && c.Verb == VerbCreate && len(c.Args) > 2 {
		_, body, _ := named(withoutInterfaces(c.Args[2]).Type())
		if strings.HasSuffix(body, "Review") || strings.HasSuffix(body, "Request") {
			return true
		}
	}
	switch c.GVK.Group {
	case "authentication.k8s.io", "authorization.k8s.io":
		return strings.HasSuffix(c.GVK.Kind, "Review")
	}
	return strings.HasSuffix(c.GVK.Kind, "AccessReview") || strings.HasSuffix(c.GVK.Kind, "TokenReview")
}

// GVK names a kind of object. The zero value is an unknown kind.
type GVK struct{ Group, Version, Kind string }

// State says what is known about a setting of a call. Rules report nothing about the zero
// value, Unknown.
type State uint8

const (
	// Unknown settings depend on code that was not followed.
	Unknown State = iota
	// Unset settings certainly have their default. On every path, neither the call nor the
	// client sets a value.
	Unset
	// Set settings have a value. The value may not be constant.
	Set
	// Passed means that the options come from a parameter or a field, so that the
	// caller decides the value. FieldManager: owner is not Passed but Set, even if
	// owner is a parameter or a field.
	Passed
)

// Setting is a setting of a call. The zero value is unknown.
type Setting struct {
	State State
	// By says whether the setting comes from the options of the call or from the
	// client.
	By Origin
	// Sometimes is set if only some paths to the call set the value, as in `if dryRun {
	// opts.DryRun = … }`. State is then Set or Passed.
	Sometimes bool
	// Constant is the value if it is a single constant, and otherwise nil. It is a string
	// for the field manager and the validation, and a boolean for force.
	Constant constant.Value
	// Elements are the constant elements of a DryRun list, in order. Complete is set if the
	// list has no other elements. metav1.DryRunAll is "All".
	Elements []string
	Complete bool
	// Value is the expression of the value, in the code that sets it. It is nil if the
	// setting is not Set, or if that code is not in this package.
	Value ast.Expr
	// SSA is the value that is set or passed on: a parameter, the load of a field, or a
	// slice. It is nil if the function that contains the call has no such value.
	SSA ssa.Value
	// Param is the parameter or receiver from which the value comes. Field is the field
	// from which the value is loaded. Each can be nil, and both are nil unless State is
	// Passed or Set. For a generic struct, Field is the field of the declaration, not
	// of an instance.
	Param, Field *types.Var
}

// Empty reports whether the setting certainly has no effect, because every path leaves it
// unset or sets it to the empty value.
func (s Setting) Empty() bool {
	switch s.State {
	case Unset:
		return true
	case Set:
		if s.Sometimes {
			return false
		}
		if s.Constant != nil && s.Constant.Kind() == constant.String {
			return constant.StringVal(s.Constant) == ""
		}
		return s.Complete && len(s.Elements) == 0
	}
	return false
}

// Origin says from where a setting comes.
type Origin uint8

const (
	// The zero value, Nobody, means that nothing made the setting, or that its origin
	// is not known.
	Nobody Origin = iota
	// CallOptions are options in the call, or passed to the call.
	CallOptions
	// ClientOptions are settings of the client: client.WithFieldOwner,
	// client.NewDryRunClient, or the state of a Helper.
	ClientOptions
)

// Family is a kind of client.
type Family uint8

const (
	// Typed clients belong to a generated clientset of any project.
	Typed Family = iota + 1
	// Dynamic is dynamic.ResourceInterface.
	Dynamic
	// Metadata is metadata.ResourceInterface.
	Metadata
	// Scale is scale.ScaleInterface.
	Scale
	// REST is a request that code builds from a rest.Interface.
	REST
	// Runtime is client.Writer of controller-runtime.
	Runtime
	// RuntimeSubresource is client.SubResourceWriter of controller-runtime.
	RuntimeSubresource
	// CreateOr is controllerutil.CreateOrUpdate or CreateOrPatch. One call makes two
	// writes, and takes no options.
	CreateOr
	// Helper is resource.Helper of cli-runtime.
	Helper
	// Wrapper is a function that writes through a client of another family. It belongs to
	// another module, or its signature shows what it writes.
	Wrapper
)

// Verb is the verb of a request.
type Verb uint8

const (
	// VerbCreate to VerbApproval are the verbs of writes. A write of the status has the
	// same verb as a write of the object, and Subresource "status".
	VerbCreate Verb = iota + 1
	VerbUpdate
	VerbPatch
	VerbApply
	VerbDelete
	VerbDeleteCollection
	VerbScale
	VerbEvict
	VerbBind
	VerbToken
	VerbApproval
	// VerbCreateOrUpdate and VerbCreateOrPatch are the verbs of family CreateOr, and of
	// functions of other modules that create an object or change it.
	VerbCreateOrUpdate
	VerbCreateOrPatch
)
