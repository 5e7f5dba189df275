package apicall

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Client describes a client: the one of a call, or one that the package builds.
type Client struct {
	// Identity is the same for all calls on the same client as far as the package
	// shows. It is the variable or field that holds the client (the declared field of
	// its struct), or the *types.Func that returns it. It is nil if the client has no
	// name.
	Identity types.Object
	// Built is the expression with which the package builds the client, such as a call
	// of client.New or kubernetes.NewForConfig. It is nil if the client comes from
	// outside or from several places.
	Built *Construction
	// Outside reports whether the client provably comes from outside the package. It is
	// a parameter of an exported function, an exported field (but not of package main),
	// or the result of another package's function that is no known constructor. Known
	// results of functions of the same module are still filled in.
	Outside bool
	// FieldManager, DryRun and FieldValidation are the client's settings for every
	// write, unless the call overrides them. Unset is proven; a client from outside is
	// Unknown.
	FieldManager, DryRun, FieldValidation Setting
	// UserAgent is the agent of the client's configuration. It is Set if the program
	// names itself (rest.AddUserAgent, Config.UserAgent). The server then derives a
	// meaningful manager from it.
	UserAgent Setting
}

// Construction is one place where a client is built from a configuration.
type Construction struct {
	// Expr is the call, such as client.New(cfg, client.Options{}).
	Expr *ast.CallExpr
	// Func is the constructor.
	Func *types.Func
	// Family is the kind of the built client: Typed, Dynamic, Metadata, Scale, REST,
	// Runtime or Helper.
	Family Family
	// Config is the *rest.Config (or ctrl manager options' owner) argument; nil if
	// there is none.
	Config ast.Expr
	// Options is the literal that can hold a FieldOwner, such as client.Options or
	// ctrl.Options{Client: …}. It is nil if the constructor takes none or if the
	// literal is not in this package.
	Options ast.Expr
	// FieldManager, DryRun, FieldValidation and UserAgent are as in Client.
	FieldManager, DryRun, FieldValidation, UserAgent Setting
}

// Pos is where findings about the construction begin.
func (c *Construction) Pos() token.Pos { return c.Expr.Pos() }
