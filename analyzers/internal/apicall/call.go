package apicall

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Call is one place in the package that writes to a Kubernetes API: the call
// of a client's method, or of a function that is known by its signature to be
// a write (a project's own apply helper, say).
//
// A call of a function of the same module that writes somewhere inside is not
// a Call; see package dryrun for those. A call of a function of another module
// that writes is one, of family Wrapper, with what is known of all writes inside.
type Call struct {
	// Family is the kind of client that is called.
	Family Family
	// Verb is what the call asks the server to do.
	Verb Verb
	// Patch is the patch type of VerbPatch, such as
	// "application/merge-patch+json"; empty where the call is no patch or its
	// type is not a constant. Apply calls and apply patches have VerbApply.
	Patch string
	// Subresource is "status", "scale" and so on; empty for the object itself
	// or where it is not known.
	Subresource string

	// Expr is the call as it is written. It is never nil.
	Expr *ast.CallExpr
	// Instr is the same in SSA form: a *ssa.Call, *ssa.Go or *ssa.Defer. It
	// is nil where the code is unreachable.
	Instr ssa.CallInstruction
	// Func is the innermost function, literal or declared, that holds the
	// call; nil with Instr.
	Func *ssa.Function
	// Method is the function or interface method that is called.
	Method *types.Func
	// Receiver is the client the call is made on, as an expression; nil for a
	// plain function.
	Receiver ast.Expr
	// Client says what is known of that client.
	Client Client
	// Args are the arguments as SSA values, the receiver left out, variadic
	// ones as written in the source; nil with Instr.
	Args []ssa.Value

	// Object is the argument that holds what is written; nil for verbs that
	// only name it. ObjectType is its type without pointers, and for typed
	// clients the type the client is for even where the call only names the
	// object; nil where it is not known.
	Object     ast.Expr
	ObjectType types.Type
	// GVK is the object's group, version and kind as far as types or
	// constants tell, such as {"apps", "v1", "Deployment"}. Kind is empty
	// where nothing is known.
	GVK GVK

	// Options is the options argument, the first of a variadic list; nil
	// where the call passes none. HasOptions reports whether the method could
	// take any: EvictV1 and CreateOrUpdate cannot.
	Options    ast.Expr
	HasOptions bool
	// CallerOptions is set where the options are, whole or in part, those
	// that the enclosing function was given. It is the parameter (of the
	// outermost declared function, where Func is a literal inside).
	CallerOptions *types.Var

	// FieldManager, Force, DryRun and FieldValidation are the four settings
	// every rule is about, with what the client adds. Force is Unset for
	// verbs that have none.
	FieldManager, Force, DryRun, FieldValidation Setting
	// Own is the same without the client: what the options at the call say.
	// It tells a call without options on a client from outside (Own Unset,
	// the whole Unknown) from one whose options were not understood.
	Own Settings
	// requestClient and requestBody are those of REST calls.
	requestClient, requestBody ssa.Value
	// client holds the client, behind the fields.
	client       ssa.Value
	clientFields []string

	// Fake reports whether the client is a stand-in for tests, of a package
	// named fake: nothing is written to a server.
	Fake bool
}

// Settings are the four settings of a call.
type Settings struct{ FieldManager, Force, DryRun, FieldValidation Setting }

// Pos is where findings about the call begin: the name of the method.
func (c *Call) Pos() token.Pos {
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Pos()
	}
	return c.Expr.Pos()
}

// End is where the name of the method ends.
func (c *Call) End() token.Pos {
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.End()
	}
	return c.Expr.Fun.End()
}

// IsReview reports whether the call asks the server a question in the shape of an
// object, such as a SelfSubjectAccessReview: nothing is stored.
func (c *Call) IsReview() bool {
	switch c.GVK.Group {
	case "authentication.k8s.io", "authorization.k8s.io":
		return strings.HasSuffix(c.GVK.Kind, "Review")
	}
	return strings.HasSuffix(c.GVK.Kind, "AccessReview") || strings.HasSuffix(c.GVK.Kind, "TokenReview")
}

// GVK names a kind of object. The zero value is an unknown kind.
type GVK struct{ Group, Version, Kind string }

// State is what is known of one setting of a call. The zero value is Unknown:
// rules are silent about it.
type State uint8

const (
	// Unknown settings depend on something that was not followed.
	Unknown State = iota
	// Unset settings are provably left at their default: on every path no
	// value is given, neither by the call nor by the client.
	Unset
	// Set settings have a value, though it may not be a constant.
	Set
	// Passed settings are whatever a parameter or a field that is itself an
	// options value holds; the caller decides. A parameter or field that is
	// written into an option (FieldManager: owner) makes it Set.
	Passed
)

// Setting is one of a call's options. The zero value is unknown.
type Setting struct {
	State State
	// By says who set it: the options of the call, or the client.
	By Origin
	// Sometimes is set where some paths to the call set the value and others
	// do not, as in `if dryRun { opts.DryRun = … }`. State is Set then, or
	// Passed where the paths that give a value pass it on.
	Sometimes bool
	// Constant is the value where it is one constant: a string for the field
	// manager and the validation, a boolean for force. Nil otherwise.
	Constant constant.Value
	// Elements are the elements of a DryRun list that are constants, in
	// order; Complete says that there are no others. DryRunAll counts as
	// "All".
	Elements []string
	Complete bool
	// Value is the expression that was given, at the place where it was
	// given; nil where the setting is not Set, or its source is not in this
	// package.
	Value ast.Expr
	// SSA is the value that was given or that is passed on, where there is
	// one in the function that holds the call: the parameter, the load of a
	// field, the slice. Nil where it is not known.
	SSA ssa.Value
	// Param is the parameter (or receiver) the setting comes from and Field
	// the field it is loaded from, for Passed, and for Set where the value is
	// such a load. Either may be nil. Field is always the declared field of
	// its struct, never an instantiated copy.
	Param, Field *types.Var
}

// Empty reports whether the setting is provably without effect: unset, or set
// to the empty value on every path.
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

// Origin says who gave a setting its value.
type Origin uint8

const (
	// Nobody is the zero value: nobody did, or it is not known.
	Nobody Origin = iota
	// CallOptions are the options written at, or passed to, the call.
	CallOptions
	// ClientOptions are the client's own: client.WithFieldOwner,
	// client.NewDryRunClient, a Helper's state.
	ClientOptions
)

// Family is a kind of client.
type Family uint8

const (
	// Typed clients are those of a generated clientset, of any project.
	Typed Family = iota + 1
	// Dynamic is dynamic.ResourceInterface.
	Dynamic
	// Metadata is metadata.ResourceInterface.
	Metadata
	// Scale is scale.ScaleInterface.
	Scale
	// REST is a request built by hand from a rest.Interface.
	REST
	// Runtime is controller-runtime's client.Writer.
	Runtime
	// RuntimeSubresource is controller-runtime's client.SubResourceWriter.
	RuntimeSubresource
	// CreateOr is controllerutil.CreateOrUpdate and CreateOrPatch: two writes
	// behind one call that takes no options.
	CreateOr
	// Helper is cli-runtime's resource.Helper.
	Helper
	// Wrapper is a function that writes through a client of another family:
	// one of another module, or one that is known by its signature.
	Wrapper
)

// Verb is what a call asks the server to do.
type Verb uint8

const (
	// VerbCreate to VerbApproval are the writes. Status writes have the same
	// verb as the object's and Subresource "status".
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
	// VerbCreateOrUpdate and VerbCreateOrPatch are the two of CreateOr.
	VerbCreateOrUpdate
	VerbCreateOrPatch
)
