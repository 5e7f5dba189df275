package apicall

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Client is what is known of a client: of the one a call is made on, or of
// one that the package builds.
type Client struct {
	// Identity is the same for all calls on the same client as far as the
	// package can tell: the variable or field that holds it (the declared
	// field of its struct), or the *types.Func whose result it is. It is nil
	// where the client has no name.
	Identity types.Object
	// Built is where the package builds the client, such as a call of
	// client.New or kubernetes.NewForConfig; nil where it comes from outside
	// or from several places.
	Built *Construction
	// Outside reports whether the client provably comes from outside the
	// package: a parameter of an exported function, an exported field (but not
	// of package main), the result of another package's function that is no
	// known constructor. What is known of a function of the same module is
	// filled in all the same.
	Outside bool
	// FieldManager, DryRun and FieldValidation are what the client gives to
	// every write, unless the call says otherwise. Unset is proven; a client
	// from outside is Unknown.
	FieldManager, DryRun, FieldValidation Setting
	// UserAgent is the agent of the client's configuration: Set where the
	// program names itself (rest.AddUserAgent, Config.UserAgent), in which
	// case the server derives a meaningful manager from it.
	UserAgent Setting
}

// Construction is one place where a client is built from a configuration.
type Construction struct {
	// Expr is the call, such as client.New(cfg, client.Options{}).
	Expr *ast.CallExpr
	// Func is the constructor.
	Func *types.Func
	// Family is the kind of client that comes out of it: Typed, Dynamic,
	// Metadata, Scale, REST, Runtime or Helper.
	Family Family
	// Config is the *rest.Config (or ctrl manager options' owner) argument;
	// nil where there is none.
	Config ast.Expr
	// Options is the literal that can hold a FieldOwner, such as
	// client.Options or ctrl.Options{Client: …}; nil where the constructor
	// takes none or it is not written in this package.
	Options ast.Expr
	// FieldManager, DryRun, FieldValidation and UserAgent are as in Client.
	FieldManager, DryRun, FieldValidation, UserAgent Setting
}

// Pos is where findings about the construction begin.
func (c *Construction) Pos() token.Pos { return c.Expr.Pos() }
