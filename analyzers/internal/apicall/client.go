package apicall

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Client describes the client of a call, or a client that the package builds.
type Client struct {
	// Identity identifies the client: it is the same for all calls on one client, as
	// far as the package shows. It is the variable or declared field that holds the
	// client, or the *types.Func that returns the client. It is nil if the client has
	// no name.
	Identity types.Object
	// Built is the expression that builds the client, such as a call of client.New or
	// kubernetes.NewForConfig. It is nil if the client comes from outside the package, or
	// from several places.
	Built *Construction
	// Outside reports whether the client certainly comes from outside the package:
	//   - from a parameter of an exported function, or an exported field, except in
	//     package main;
	//   - from a function of another package that does not build clients.
	//
	// If this function belongs to the same module, facts may set the other fields of
	// Client.
	Outside bool
	// FieldManager, DryRun and FieldValidation are settings of the client. They apply to
	// every write, unless the call overrides them. They are Unset only if this is certain,
	// and Unknown for a client from outside.
	FieldManager, DryRun, FieldValidation Setting
	// UserAgent is the user agent in the client's configuration. It is Set if the
	// program sets it with rest.AddUserAgent or Config.UserAgent. If a write names no
	// field manager, the server derives the name of the manager from the user agent.
	UserAgent Setting
}

// Construction is a place that builds a client from a configuration.
type Construction struct {
	// Expr is the call, such as client.New(cfg, client.Options{}).
	Expr *ast.CallExpr
	// Func is the constructor.
	Func *types.Func
	// Family is the kind of the built client: Typed, Dynamic, Metadata, Scale, REST,
	// Runtime or Helper.
	Family Family
	// Config is the argument with the *rest.Config, or nil if the constructor has none.
	Config ast.Expr
	// Options is the literal that can have a FieldOwner, such as client.Options or
	// ctrl.Options{Client: …}. It is nil if the constructor takes no options, or if the
	// literal is not in this package.
	Options ast.Expr
	// FieldManager, DryRun, FieldValidation and UserAgent have the same meaning as in
	// Client.
	FieldManager, DryRun, FieldValidation, UserAgent Setting
}

// Pos returns the start of findings about the construction.
func (c *Construction) Pos() token.Pos { return c.Expr.Pos() }
