package edit_test

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// TestRemove removes the argument or assignment that contains the name gone. A result of
// "-" means that no fix is possible.
func TestRemove(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"first", "f(gone, 1, 2)", "f(1, 2)"},
		{"middle", "f(1, gone, 2)", "f(1, 2)"},
		{"last", "f(1, 2, gone)", "f(1, 2)"},
		{"alone", "f(gone)", "f()"},
		{"last with a comma", "f(1, gone,\n)", "f(1,\n)"},
		{"on its line", "f(\n1, // one\ngone,\n2, // two\n)", "f(\n\t1, // one\n\t2, // two\n)"},
		{"alone on its line", "f(\ngone,\n)", "f()"},
		{"statement", "v = 1\nv = gone\nv = 2", "v = 1\nv = 2"},
		{"statement on a line", "v = gone; v = 2", "v = 2"},
		{"call", "f(1, strings.ToLower(gone))", "-"}, // a call may have an effect
		{"conversion", "f(1, any(gone))", "f(1)"},
		{"variable", "x := 1; f(1, x+gone)", "-"}, // x would be left unused
		{"used variable", "x := 1; f(x, x+gone)", "x := 1\nf(x)"},
		{"receive", "f(1, <-c+gone)", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := remove(t, "package p\nimport \"strings\"\nconst gone = 1\nvar _ = strings.ToLower\nvar v any\nvar c chan int\nfunc f(...any) {}\nfunc g() {\n"+tt.src+"\n}\n")
			if _, body, ok := strings.Cut(got, "func g() {\n"); ok {
				got = strings.TrimSuffix(body, "}\n")
			}
			want := tt.want
			if want != "-" {
				src, err := format.Source([]byte("package p\nfunc g() {\n" + want + "\n}\n"))
				if err != nil {
					t.Fatal(err)
				}
				_, want, _ = strings.Cut(string(src), "func g() {\n")
				want = strings.TrimSuffix(want, "}\n")
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestOrphanedImport checks that removing the last use of an import removes the import.
func TestOrphanedImport(t *testing.T) {
	got := remove(t, "package p\nimport (\n\"io\"\n\"strings\"\n)\nconst gone = 1\nvar _ io.Reader\nfunc f(...any) {}\nfunc g() { f(1, (*strings.Builder)(nil) == nil && gone == 1) }\n")
	if strings.Contains(got, "strings") || !strings.Contains(got, "\"io\"") {
		t.Error(got)
	}
}

// stubs imports packages with the names that the tests use.
type stubs struct{}

func (stubs) Import(path string) (*types.Package, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", "package "+path+"; type Builder struct{}; type Reader any; func ToLower(any) string { return \"\" }", 0)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, fset, []*ast.File{f}, nil)
}

// remove returns src without the arguments and assignments that contain the name gone. It
// returns "-" if that is not possible.
func remove(t *testing.T, src string) string {
	t.Helper()
	pass := &analysis.Pass{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
	}, ReadFile: func(string) ([]byte, error) { return []byte(src), nil }}
	file, err := parser.ParseFile(pass.Fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pass.Files = []*ast.File{file}
	if pass.Pkg, err = (&types.Config{Importer: stubs{}}).Check("p", pass.Fset, pass.Files, pass.TypesInfo); err != nil {
		t.Fatal(err)
	}
	f := edit.Open(pass, file.Pos())
	var edits []analysis.TextEdit
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && mentions(n.Rhs[0]) {
				edits = append(edits, f.Statement(n))
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "f" {
				for i, arg := range n.Args {
					if mentions(arg) {
						edits = append(edits, edit.Element(f, n.Args, i, n.Rparen))
					}
				}
			}
		}
		return true
	})
	orphans, ok := f.Orphans(edits...)
	if !ok {
		return "-"
	}
	edits = append(edits, orphans...)
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
	tok := pass.Fset.File(file.Pos())
	for _, e := range edits {
		src = src[:tok.Offset(e.Pos)] + string(e.NewText) + src[tok.Offset(e.End):]
	}
	out, err := format.Source([]byte(src))
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return string(out)
}

func mentions(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "gone"
		return !found
	})
	return found
}
