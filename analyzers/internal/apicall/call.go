package apicall

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Call is one place in the package that writes to a Kubernetes API: the call of a
// client's method, or of a function whose signature shows that it writes (a project's
// own apply helper, say).
//
// A call of a function of the same module that writes somewhere inside is not a Call;
// package dryrun follows those. A call of a function of another module that writes is a
// Call of family Wrapper. It describes all writes inside.
type Call struct {
	// Family is the kind of the called client.
	Family Family
	// Verb is the verb of the request.
	Verb Verb
	// Patch is the patch type of VerbPatch, such as "application/merge-patch+json";
	// empty if the call is no patch or its type is not a constant. Apply calls and
	// apply patches have VerbApply.
	Patch string
	// Subresource is "status", "scale" and so on; empty for the object itself or if it
	// is not known.
	Subresource string

	// Expr is the call as it is written. It is never nil.
	Expr *ast.CallExpr
	// Instr is the same in SSA form: a *ssa.Call, *ssa.Go or *ssa.Defer. It is nil if
	// the code is unreachable.
	Instr ssa.CallInstruction
	// Func is the innermost function, literal or declared, that holds the
	// call; nil with Instr.
	Func *ssa.Function
	// Method is the called function or interface method.
	Method *types.Func
	// Receiver is the expression of the client; nil for a plain function.
	Receiver ast.Expr
	// Client describes that client.
	Client Client
	// Args are the arguments as SSA values, without the receiver; nil with Instr.
	// Variadic ones are as written in the source.
	Args []ssa.Value

	// Object is the argument with the written object; nil for verbs that only name it.
	// ObjectType is its type without pointers; nil if it is not known. For typed
	// clients it is the type that the client is for, even if the call only names the
	// object.
	Object     ast.Expr
	ObjectType types.Type
	// GVK is the object's group, version and kind as far as types or constants show,
	// such as {"apps", "v1", "Deployment"}. Kind is empty if nothing is known.
	GVK GVK

	// Options is the options argument, the first of a variadic list; nil if the call
	// passes none. HasOptions reports whether the method could take any: EvictV1 and
	// CreateOrUpdate cannot.
	Options    ast.Expr
	HasOptions bool
	// CallerOptions is set if the options are, whole or in part, an argument of the
	// enclosing function. It is the parameter (of the outermost declared function, if
	// Func is a literal inside).
	CallerOptions *types.Var

	// FieldManager, Force, DryRun and FieldValidation are the four settings every rule
	// is about, including those of the client. Force is Unset for verbs that have none.
	FieldManager, Force, DryRun, FieldValidation Setting
	// Own is the same without the client: the setting that the options of the call
	// make. Own distinguishes a call without options on a client from outside (Own
	// Unset, the whole Unknown) from a call whose options were not understood.
	Own Settings
	// requestClient and requestBody belong to REST calls.
	requestClient, requestBody ssa.Value
	// client holds the client, behind the fields.
	client       ssa.Value
	clientFields []string

	// Fake reports whether the client is a test double from a package named fake, which
	// writes to no server.
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

// IsReview reports whether the call sends the server a question in the shape of an
// object, such as a SelfSubjectAccessReview. The server stores nothing.
func (c *Call) IsReview() bool {
	switch c.GVK.Group {
	case "authentication.k8s.io", "authorization.k8s.io":
		return strings.HasSuffix(c.GVK.Kind, "Review")
	}
	return strings.HasSuffix(c.GVK.Kind, "AccessReview") || strings.HasSuffix(c.GVK.Kind, "TokenReview")
}

// GVK names a kind of object. The zero value is an unknown kind.
type GVK struct{ Group, Version, Kind string }

// State describes one setting of a call. The zero value is Unknown, about which rules
// report nothing.
type State uint8

const (
	// Unknown settings depend on something that was not followed.
	Unknown State = iota
	// Unset settings are provably left at their default: on every path, neither the
	// call nor the client sets a value.
	Unset
	// Set settings have a value, though it may not be a constant.
	Set
	// Passed settings have the value of a parameter, or of a field that is itself an
	// options value: the caller decides. A parameter or field that is written into an
	// option (FieldManager: owner) makes it Set.
	Passed
)

// Setting is one of a call's options. The zero value is unknown.
type Setting struct {
	State State
	// By says what set it: the options of the call, or the client.
	By Origin
	// Sometimes is set if some paths to the call set the value and others do not, as in
	// `if dryRun { opts.DryRun = … }`. State is then Set, or Passed if the paths that
	// set the value pass it on.
	Sometimes bool
	// Constant is the value if it is one constant: a string for the field manager and
	// the validation, a boolean for force. Nil otherwise.
	Constant constant.Value
	// Elements are the constant elements of a DryRun list, in order. Complete says that
	// there are no others. DryRunAll counts as "All".
	Elements []string
	Complete bool
	// Value is the expression of the value, at the place where it is set. It is nil if
	// the setting is not Set, or if its source is not in this package.
	Value ast.Expr
	// SSA is the value that is set or passed on, if there is one in the function that
	// holds the call: the parameter, the load of a field, the slice. Nil if it is not
	// known.
	SSA ssa.Value
	// Param is the parameter (or receiver) from which the setting comes, and Field the
	// field from which it is loaded. They are set for Passed, and for Set if the value
	// is such a load. Either may be nil. Field is always the declared field of its
	// struct, never an instantiated copy.
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

// Origin says what set a setting.
type Origin uint8

const (
	// The zero value, Nobody, means no setter or an unknown one.
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
	// Wrapper is a function that writes through a client of another family. It belongs
	// to another module, or its signature identifies it.
	Wrapper
)

// Verb is the verb of a request.
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
	// VerbCreateOrUpdate and VerbCreateOrPatch are the two verbs of CreateOr.
	VerbCreateOrUpdate
	VerbCreateOrPatch
)
