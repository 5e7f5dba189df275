package dryrun

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Source is something in the scope of a function that says whether the user wants a dry
// run.
type Source struct {
	// Kind says what the source is.
	Kind SourceKind
	// Shape is the shape in which the source holds the dry run.
	Shape Shape
	// Object is the parameter, field, package variable or local variable. If the source is
	// the result of a call, Object is the function. It is never nil.
	Object types.Object
	// Base is the receiver or the parameter that has the field. It is nil for other kinds.
	Base *types.Var
	// Flag is the name of the command-line flag that sets the source, and FlagPos is
	// the position of the code that binds the flag to the source. They are "" and NoPos
	// if this package does not show a flag.
	Flag    string
	FlagPos token.Pos

	// negated is set if Object is true outside of a dry run, and false in a dry run.
	negated bool
	// called is set if Object is a function. here is set if Object belongs to the
	// analyzed package.
	called, here bool
	// unnamed is set if no variable of the program holds the value of the flag.
	unnamed bool
	// decoded is set if Object is a field of a local struct: of a request or of settings that
	// no code reads, or of a struct that a command loads from its flags.
	decoded bool
	// lookup is set if the source is an element of a map of arguments.
	lookup *ssa.Lookup
	// fieldPath is the text between Base and the name of Object, such as "Flags.".
	fieldPath string
}

// SourceKind says what a source is.
type SourceKind uint8

const (
	// Parameter is a parameter of the function, or of a function around it.
	Parameter SourceKind = iota + 1
	// Field is a field of the receiver or of a parameter.
	Field
	// Local is a variable or the result of a call, in the function or in a function around
	// it.
	Local
	// Global is a variable of a package, or a field of one.
	Global
	// Options are options of metav1 or controller-runtime in a parameter. They can contain
	// a dry run.
	Options
	// Request is the admission request of a webhook, or its attributes.
	Request
)

// Shape is the shape in which a source holds a dry run.
type Shape uint8

const (
	// Bool is a bool or a pointer to one.
	Bool Shape = iota + 1
	// Strategy is a named type with constants for client and server.
	Strategy
	// Text is a string.
	Text
	// List is a []string, as in options of metav1.
	List
)
