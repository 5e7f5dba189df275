// Package intact separates the code of a package that compiles from the code that does not.
// Analyzers then see only the code with known types. If one import is missing, they lose
// only the functions that use it.
//
// The code that does not compile still belongs to the program. It may call functions, set
// variables and read flags. Before a rule reports that no code does something, it must ask
// Mentions.
package intact

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer separates the intact code of a package. Its result is a *Code.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetintact",
	Doc:              "separate code whose types are known from code that does not compile",
	Run:              run,
	ResultType:       reflect.TypeFor[*Code](),
	RunDespiteErrors: true,
	FactTypes:        []analysis.Fact{(*unseen)(nil)},
}

func run(pass *analysis.Pass) (any, error) {
	code := find(pass)
	code.pass = pass
	code.exportUnseen(pass)
	return code, nil
}

// Code is a package without the code that does not compile.
type Code struct {
	// Files are the files of the package without the code that does not compile. A
	// function that does not compile has no body, and a variable has no initial value.
	// Declarations of a name that is declared twice are missing.
	Files []*ast.File
	// Info is the type information of the package. Its list of initial values matches
	// Files.
	Info *types.Info
	// Whole are the files of the package as they were parsed.
	Whole []*ast.File
	// Skipped is the code that is missing in Files, in order of position.
	Skipped []Skipped

	pass *analysis.Pass // nil if the calling analyzer does not require Analyzer
	// unseen has the functions that were skipped, and the variables whose initial values
	// were skipped.
	unseen map[types.Object]unseen
	// objects and names are the objects and the names that skipped code uses.
	objects map[types.Object]bool
	names   map[string]bool
	// words has the identifiers and strings in skipped code, in lower case without dashes
	// and underscores.
	words strings.Builder
	// unparsed is set if the parser may have dropped code. The names in that code are
	// not known.
	unparsed bool
}

// Skipped is code that is left out: a function, some statements of a function, or the
// initial value of variables.
type Skipped struct {
	// Name is the name of the function, such as (*Reconciler).Reconcile, or a text such
	// as "var debug". If only statements of the function are left out, Name ends in
	// ", in part". If the code does not parse, Name is a description.
	Name string
	// Pos and End are the start and end of the declaration. If only statements of a
	// function are left out, both are its start.
	Pos, End token.Pos
}

// Of returns the intact code of the package. If the calling analyzer does not require
// Analyzer, all code counts as intact.
func Of(pass *analysis.Pass) *Code {
	if code, ok := pass.ResultOf[Analyzer].(*Code); ok {
		return code
	}
	return &Code{Files: pass.Files, Info: pass.TypesInfo, Whole: pass.Files}
}

// Run returns a function for the field Run of an analyzer. That function calls run with
// a pass over the intact code only. The analyzer must require Analyzer.
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

// Complete reports whether Files contain all code of the package.
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

// Mentions reports whether skipped code may use an object of the package, because it
// uses one of these:
//
//   - the object
//   - an unknown object that has the same name
//   - an interface method that has the same name
//
// It returns false for nil.
func (c *Code) Mentions(o types.Object) bool {
	if o == nil {
		return false
	}
	return c.unparsed || c.objects[origin(o)] || c.names[o.Name()]
}

// Unparsed reports whether the package has a syntax error. The parser may then have
// dropped or misread code.
func (c *Code) Unparsed() bool { return c.unparsed }

// SyntaxError is the beginning of the messages about syntax errors in the field TypeErrors
// of a pass. Drivers add these errors to the errors of the type checker.
const SyntaxError = "syntax error: "

// Skips reports whether a function was skipped.
func (c *Code) Skips(fn types.Object) bool {
	if fn == nil {
		return false
	}
	_, skipped := c.unseen[origin(fn)]
	return skipped
}

// In reports whether a position is in skipped code.
func (c *Code) In(pos token.Pos) bool {
	for _, s := range c.Skipped {
		if s.Pos <= pos && pos < s.End {
			return true
		}
	}
	return false
}

// Says reports whether an identifier or a string in skipped code contains a word. It
// ignores case, dashes and underscores.
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

// origin returns the generic declaration of an instantiated function or variable. It
// returns other objects unchanged.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// noteNames records the objects and names that skipped code uses.
func (c *Code) noteNames(info *types.Info, n ast.Node) {
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
