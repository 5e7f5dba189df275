package dryrun

import (
	"go/token"
	"go/types"
)

// Source is a place in the scope of a function that holds the user's wish.
type Source struct {
	// Kind is the kind of the place.
	Kind SourceKind
	// Shape is the form in which the place holds the wish.
	Shape Shape
	// Object is the parameter, field, package variable or local variable;
	// for a call, the function. It is never nil.
	Object types.Object
	// Base is the receiver or parameter that a field is reached from, nil for
	// other kinds.
	Base *types.Var
	// Flag is the name of the command-line flag to which it is bound, and FlagPos the
	// place of the binding; "" and NoPos if none is known in this package.
	Flag    string
	FlagPos token.Pos

	opposite     bool   // Object is true if no dry run is asked for
	called, here bool   // Object is a function; it is of the package
	nameless     bool   // the program keeps it in no variable: Flag is its name
	before       string // the text before the name of Object, without that of Base, as "Flags."
}

// SourceKind is the kind of a place that holds the wish.
type SourceKind uint8

const (
	// Parameter is a parameter of the function, or of one around it.
	Parameter SourceKind = iota + 1
	// Field is a field of the receiver or of a parameter.
	Field
	// Local is a variable or the result of a call in the function, or in one
	// around it.
	Local
	// Global is a variable of a package.
	Global
	// Options are metav1 or controller-runtime options of a parameter, which
	// can carry a dry run.
	Options
	// Request is the admission request or the attributes of a webhook.
	Request
)

// Shape is the form in which a wish is kept.
type Shape uint8

const (
	// Bool is a bool or a pointer to one.
	Bool Shape = iota + 1
	// Strategy is a named type with constants for client and server.
	Strategy
	// Text is a string.
	Text
	// List is a []string as in metav1 options.
	List
)
