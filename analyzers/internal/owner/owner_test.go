package owner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"golang.org/x/tools/go/analysis"
)

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // the first file calls Find
		want  string   // "" if Find finds no constant
	}{
		{"none", []string{`const name = "x"`}, ""},
		{"says what it is", []string{`const fieldManager, controllerName = "a", "b"`}, "fieldManager"},
		{"of the controller", []string{`const ControllerName = "b"`}, "ControllerName"},
		{"in another file", []string{``, `const fieldOwner = "a"`}, "fieldOwner"},
		{"of a part", []string{`const cnpgFieldManager = "a"`}, "cnpgFieldManager"},
		{"of another part", []string{``, `const cnpgFieldManager = "a"`}, ""},
		{"two", []string{`const FieldManager, fieldOwner = "a", "b"`}, ""},
		{"no string", []string{`type t string; const fieldManager t = "a"; const controllerName = 1`}, ""},
		{"empty", []string{`const fieldManager = ""`}, ""},
		{"refused by servers", []string{`const fieldManager = "a\n"`}, ""},
		{"a variable", []string{`var fieldManager = "a"`}, ""},
		{"shadowed", []string{`const fieldManager = "a"; func _(fieldManager string) { here() }`}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pass, pos := check(t, tt.files)
			got, ok := owner.Find(pass, pos, nil)
			if ok != (tt.want != "") || got.Expr != tt.want {
				t.Errorf("got %q, %t, want %q", got.Expr, ok, tt.want)
			}
		})
	}
}

// check type-checks files. It returns the position of the last call in the first file, or
// the end of the file.
func check(t *testing.T, sources []string) (*analysis.Pass, token.Pos) {
	t.Helper()
	pass := &analysis.Pass{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	sources = append(sources, "func here() {}")
	for _, src := range sources {
		f, err := parser.ParseFile(pass.Fset, "", "package p; "+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		pass.Files = append(pass.Files, f)
	}
	var err error
	if pass.Pkg, err = new(types.Config).Check("p", pass.Fset, pass.Files, pass.TypesInfo); err != nil {
		t.Fatal(err)
	}
	pos := pass.Files[0].End() - 1
	ast.Inspect(pass.Files[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			pos = call.Pos()
		}
		return true
	})
	return pass, pos
}
