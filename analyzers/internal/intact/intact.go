// Package intact separates the code of a package whose types are all known from the
// code that does not compile. Analyzers then see a package without the latter: one
// missing import costs the functions that use it, not the package.
//
// The remaining code is still part of a program: skipped code may call functions, set
// variables and look at flags. Rules that conclude something from the absence of code
// ask Mentions.
package intact

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds the intact code of a package. Its result is a *Code.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetintact",
	Doc:              "separate code whose types are known from code that does not compile",
	Run:              func(pass *analysis.Pass) (any, error) { return find(pass), nil },
	ResultType:       reflect.TypeFor[*Code](),
	RunDespiteErrors: true,
}

// Code is a package without the code that does not compile.
type Code struct {
	// Files are the package's files. A function that does not compile has no body
	// there, a variable has no initial value, and declarations whose names are
	// declared twice are missing.
	Files []*ast.File
	// Info is that of the package, with the initial values of Files.
	Info *types.Info
	// Whole are the package's files as they were parsed.
	Whole []*ast.File
	// Skipped is the code that Files lack, in order of position.
	Skipped []Skipped

	// functions are the skipped ones. objects and names are those that skipped code
	// uses.
	functions, objects map[types.Object]bool
	names              map[string]bool
	// words are the identifiers and strings in skipped code, in lower case.
	words strings.Builder
	// unparsed is set if the parser may have left out code, whose names are not known.
	unparsed bool
}

// Skipped is a function or the initial value of variables that was left out.
type Skipped struct {
	// Name is how Go code would name it, such as (*Reconciler).Reconcile, or
	// "var debug". Code that does not parse has no name of its own.
	Name string
	// Pos and End are those of the declaration.
	Pos, End token.Pos
}

// Of returns the intact code of the package; the calling analyzer requires Analyzer.
// Without it, all code counts as intact.
func Of(pass *analysis.Pass) *Code {
	if code, ok := pass.ResultOf[Analyzer].(*Code); ok {
		return code
	}
	return &Code{Files: pass.Files, Info: pass.TypesInfo, Whole: pass.Files}
}

// Run returns a function for the field Run of an analyzer that requires Analyzer.
// It calls run with the intact code of a package.
func Run(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		code := Of(pass)
		if code.Complete() {
			return run(pass)
		}
		reduced := *pass
		reduced.Files, reduced.TypesInfo = code.Files, code.Info
		return run(&reduced)
	}
}

// Complete reports whether Files are all code of the package.
func (c *Code) Complete() bool {
	return len(c.Skipped) == 0 && len(c.Files) == len(c.Whole) && same(c.Files, c.Whole)
}

func same(a, b []*ast.File) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Mentions reports whether code that was skipped may use an object of the package: it
// uses the object, a method of an interface with its name, or an unknown object with its
// name.
func (c *Code) Mentions(o types.Object) bool {
	if o == nil {
		return false
	}
	return c.unparsed || c.objects[origin(o)] || c.names[o.Name()]
}

// Unparsed reports whether the package has a syntax error, so that the parser may have
// left out code or taken it for other code.
func (c *Code) Unparsed() bool { return c.unparsed }

// SyntaxError begins the message of an error of the parser in the field TypeErrors of a
// pass. A driver adds those to the errors of the type checker.
const SyntaxError = "syntax error: "

// Skips reports whether a function was skipped.
func (c *Code) Skips(fn types.Object) bool { return fn != nil && c.functions[origin(fn)] }

// In reports whether a position is in code that was skipped.
func (c *Code) In(pos token.Pos) bool {
	for _, s := range c.Skipped {
		if s.Pos <= pos && pos < s.End {
			return true
		}
	}
	return false
}

// Says reports whether an identifier or a string in code that was skipped contains a
// word, whatever its case, dashes and underscores are.
func (c *Code) Says(word string) bool {
	return c.unparsed || c.words.Len() > 0 && strings.Contains(c.words.String(), squeeze(word))
}

func (c *Code) say(text string) {
	c.words.WriteString(squeeze(text))
	c.words.WriteByte('\n')
}

func squeeze(text string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(text))
}

// origin returns the declared object behind one of an instantiated type.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// mention records the objects and names that skipped code uses.
func (c *Code) mention(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		var id *ast.Ident
		switch n := n.(type) {
		case *ast.BadDecl, *ast.BadExpr, *ast.BadStmt:
			c.unparsed = true
			return false
		case *ast.Ident:
			id = n
			c.say(n.Name)
		case *ast.BasicLit:
			c.say(n.Value)
			return true
		default:
			return true
		}
		if o := info.Uses[id]; o != nil {
			c.objects[origin(o)] = true
			if fn, ok := o.(*types.Func); ok && fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) {
				c.names[id.Name] = true
			}
		} else if _, defined := info.Defs[id]; !defined {
			c.names[id.Name] = true
		}
		return true
	})
}
