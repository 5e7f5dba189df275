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

// ForTests reports whether a package is test code and the flag tests is not set. A
// package is test code if more than half of its files import a library for tests. Files
// that end in _test.go do not count.
//
// Names and directories do not matter: a package called integration may integrate
// systems.
func ForTests(pass *analysis.Pass) bool { return Of(pass).forTests }

// ForTests reports whether the package is test code and the flag tests is not set.
func (s *Scope) ForTests() bool { return s.forTests }

// Excluded counts the code in which rules report no findings. Each file counts once.
type Excluded struct {
	// TestPackage is set if the whole package is test code.
	TestPackage bool
	// TestFiles is the number of files that end in _test.go or import a library for tests.
	// It is 0 for a TestPackage.
	TestFiles int
	// GeneratedFiles is the number of generated files.
	GeneratedFiles int
	// Fakes is the number of functions that start a test server, plus the number of
	// methods of test doubles. A type is a test double in one of these cases:
	//   - It has a test server, its client or the state of a test.
	//   - At least two of its methods only panic.
	Fakes int
}

// Excluded returns the counts of excluded code.
func (s *Scope) Excluded() Excluded { return s.excluded }

// testLibraries has the packages that only tests import. Packages below them count, too.
var testLibraries = []string{
	"testing", "sigs.k8s.io/controller-runtime/pkg/envtest", "sigs.k8s.io/controller-runtime/pkg/client/fake",
	"github.com/onsi/ginkgo", "github.com/onsi/gomega",
	"github.com/stretchr/testify", "go.uber.org/mock/gomock", "github.com/golang/mock/gomock", "gotest.tools",
	"sigs.k8s.io/e2e-framework", "k8s.io/kubernetes/test", "knative.dev/pkg/test", "knative.dev/reconciler-test",
}

// testLibrary reports whether only tests import a package.
func testLibrary(path string) bool {
	return slices.ContainsFunc(testLibraries, func(library string) bool {
		rest, ok := strings.CutPrefix(path, library)
		return ok && (rest == "" || rest[0] == '/')
	})
}

// testFile reports whether a file is a test, or imports a library for tests.
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

// testPackage reports whether more than half of a package is test code. A half is not
// enough, because a client and its mock often share a package.
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

// fakes returns the start and the end of each function of a file that belongs to a test
// double. doubles has the types of the package that are test doubles.
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

// testDoubles returns the types of a package that hold a client of a test server, or
// have at least two methods that only panic, as in panic("implement me"). Only tests
// use such types, because a program would call those methods.
func testDoubles(pass *analysis.Pass) map[*types.TypeName]bool {
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

// receiver returns the type of a method's receiver. It returns nil for other functions.
func receiver(pass *analysis.Pass, fn *ast.FuncDecl) *types.TypeName {
	obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || obj.Signature().Recv() == nil {
		return nil
	}
	return declaredType(obj.Signature().Recv().Type())
}

// startsServer reports whether a function starts a test server.
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

// fakeReceiver reports whether a function is a method of a struct for tests. Such a
// struct holds a test server, the state of a test, or a recorder of calls in a test.
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
