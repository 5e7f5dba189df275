package scope

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ForTests reports whether a package is test code that nobody asked for: more than half
// of its files, those that end in _test.go aside, import a library for tests. Names
// and directories say nothing: a package called integration may integrate systems.
func ForTests(pass *analysis.Pass) bool { return Of(pass).forTests }

// ForTests is the function of the same name.
func (s *Scope) ForTests() bool { return s.forTests }

// Excluded counts what rules do not report in. Each file counts once.
type Excluded struct {
	// TestPackage is set if the whole package is test code.
	TestPackage bool
	// TestFiles are files of other packages that end in _test.go or import a library
	// for tests.
	TestFiles int
	// GeneratedFiles are files with a comment that says so.
	GeneratedFiles int
	// Fakes are functions with a client of a server for tests, and methods of types
	// with such a server or client, with the state of a test, or with methods that only panic.
	Fakes int
}

// Excluded returns what is excluded in the package.
func (s *Scope) Excluded() Excluded { return s.excluded }

// testLibraries are the packages that only tests import, with those below them.
var testLibraries = []string{
	"testing", "sigs.k8s.io/controller-runtime/pkg/envtest", "sigs.k8s.io/controller-runtime/pkg/client/fake",
	"github.com/onsi/ginkgo", "github.com/onsi/gomega",
	"github.com/stretchr/testify", "go.uber.org/mock/gomock", "github.com/golang/mock/gomock", "gotest.tools",
	"sigs.k8s.io/e2e-framework", "k8s.io/kubernetes/test", "knative.dev/pkg/test", "knative.dev/reconciler-test",
}

// testLibrary reports whether a package is one that only tests import.
func testLibrary(path string) bool {
	return slices.ContainsFunc(testLibraries, func(library string) bool {
		rest, ok := strings.CutPrefix(path, library)
		return ok && (rest == "" || rest[0] == '/')
	})
}

// testFile reports whether a file is a test or helps tests.
func testFile(fset *token.FileSet, f *ast.File) bool { return isTest(fset, f) || helpsTests(f) }

func isTest(fset *token.FileSet, f *ast.File) bool {
	return strings.HasSuffix(fset.File(f.FileStart).Name(), "_test.go")
}

func helpsTests(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool {
		path, err := strconv.Unquote(spec.Path.Value)
		return err == nil && testLibrary(path)
	})
}

// testPackage reports whether most of a package is test code. Half is not enough: a
// client is often in the same directory as the file with its mock.
func testPackage(pass *analysis.Pass) bool {
	files, helpers := 0, 0
	for _, f := range pass.Files {
		if isTest(pass.Fset, f) {
			continue
		}
		files++
		if helpsTests(f) {
			helpers++
		}
	}
	return 2*helpers > files
}

// fakes returns the functions of a file that belong to test doubles; doubles are the
// package's types that are test doubles.
func fakes(pass *analysis.Pass, f *ast.File, doubles map[*types.TypeName]bool) (functions [][2]token.Pos) {
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if doubles[receiver(pass, fn)] || fakeReceiver(pass, fn) || startsServer(pass, fn) {
			functions = append(functions, [2]token.Pos{fn.Pos(), fn.End()})
		}
	}
	return functions
}

// standIns are the types of a package that are test doubles. They have a client of a
// server for tests, or two or more methods that only panic, as with "implement me".
// Only a test, which never calls these methods, can use such a type.
func standIns(pass *analysis.Pass) map[*types.TypeName]bool {
	var panics map[*types.TypeName]int
	for _, f := range pass.Files {
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || len(fn.Body.List) != 1 || !onlyPanics(pass, fn.Body.List[0]) {
				continue
			}
			if t := receiver(pass, fn); t != nil {
				if panics == nil {
					panics = map[*types.TypeName]int{}
				}
				panics[t]++
			}
		}
	}
	doubles := map[*types.TypeName]bool{}
	for t, n := range panics {
		doubles[t] = n > 1
	}
	addFakeClients(pass, doubles)
	return doubles
}

func onlyPanics(pass *analysis.Pass, s ast.Stmt) bool {
	expr, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := pass.TypesInfo.Uses[id].(*types.Builtin)
	return ok && b.Name() == "panic"
}

// receiver is the type that a method belongs to; nil for other functions.
func receiver(pass *analysis.Pass, fn *ast.FuncDecl) *types.TypeName {
	obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		return nil
	}
	return declaredType(obj.Signature().Recv().Type())
}

// startsServer reports whether a function starts a server for tests.
func startsServer(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	if !imports(pass, "net/http/httptest") {
		return false
	}
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && strings.HasSuffix(id.Name, "Server") {
			o, ok := pass.TypesInfo.Uses[id].(*types.Func)
			found = found || ok && o.Pkg() != nil && o.Pkg().Path() == "net/http/httptest" && strings.HasPrefix(o.Name(), "New")
		}
		return !found
	})
	return found
}

func imports(pass *analysis.Pass, path string) bool {
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// fakeReceiver reports whether a function is a method of a struct that holds a server
// for tests, the state of a test, or what records calls in one.
func fakeReceiver(pass *analysis.Pass, fn *ast.FuncDecl) bool {
	obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		return false
	}
	t := obj.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		t := types.Unalias(field.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			continue
		}
		switch path := named.Obj().Pkg().Path(); path {
		case "net/http/httptest", "k8s.io/client-go/testing":
			return true
		default:
			if testLibrary(path) {
				return true
			}
		}
	}
	return false
}
