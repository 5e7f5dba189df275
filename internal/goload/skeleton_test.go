package goload

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSkimStandardLibrary compares the skeleton of every file of the standard
// library, and of the directory that BENCH_DIR names, with what the parser
// makes of the file itself once bodies and contents are taken out.
func TestSkimStandardLibrary(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	dirs := []string{filepath.Join(src, "go"), filepath.Join(src, "net")}
	if dir := os.Getenv("BENCH_DIR"); dir != "" {
		dirs = append(dirs, dir)
	} else if testing.Short() {
		dirs = dirs[:1]
	}
	files := 0
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if d.Type().IsRegular() && strings.HasSuffix(path, ".go") {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files++
				checkSkeleton(t, path, src)
			}
			return nil
		})
	}
	if files == 0 {
		t.Skip("no sources of the standard library here")
	}
}

func checkSkeleton(t *testing.T, name string, src []byte) {
	t.Helper()
	full, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	sk := skim(src)
	if sk.whole {
		t.Errorf("%s: not understood", name)
		return
	}
	bare, err := parser.ParseFile(token.NewFileSet(), name, sk.text, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: skeleton does not parse: %v\n%s", name, err, clipped(sk.text))
		return
	}
	if diff := cmp.Diff(outline(t, full), outline(t, bare)); diff != "" {
		t.Errorf("%s: (-file +skeleton)\n%s", name, diff)
	}
	for i, spec := range full.Imports {
		want := strings.Trim(spec.Path.Value, "\"`")
		if i >= len(sk.imports) || sk.imports[i].path != want {
			t.Errorf("%s: imports %v, want %s at %d", name, sk.imports, want, i)
			return
		}
	}
	ast.Inspect(bare, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && !sk.qualifiers[id.Name] {
				t.Errorf("%s: qualifier %s was missed", name, id.Name)
			}
		}
		return true
	})
}

func clipped(b []byte) []byte { return b[:min(len(b), 4000)] }

// outline prints the declarations of a file without bodies and without the
// elements of literals.
func outline(t *testing.T, f *ast.File) string {
	var out bytes.Buffer
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR || !ok {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Body != nil {
						n.Body = &ast.BlockStmt{}
					}
				case *ast.FuncLit:
					n.Body = &ast.BlockStmt{}
				case *ast.CompositeLit:
					if a, ok := n.Type.(*ast.ArrayType); ok {
						if _, counted := a.Len.(*ast.Ellipsis); counted {
							// Their number is all that counts.
							for i := range n.Elts {
								if kv, ok := n.Elts[i].(*ast.KeyValueExpr); ok {
									kv.Value = ast.NewIdent("x")
								} else {
									n.Elts[i] = ast.NewIdent("x")
								}
							}
							return true
						}
					}
					n.Elts = nil
				}
				return true
			})
		}
		var one bytes.Buffer
		if err := format.Node(&one, token.NewFileSet(), d); err != nil {
			t.Fatal(err)
		}
		// Line breaks depend on positions, which differ.
		out.WriteString(strings.Join(strings.Fields(one.String()), " "))
		out.WriteByte('\n')
	}
	return out.String()
}

func TestSkim(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"bodies", "package p\n\nfunc f(a struct{ b int }) struct{ c int } { return struct{ c int }{a.b} }\n"},
		{"interface result", "package p\nfunc f() interface{ M() } { if x { } ; return nil }\nfunc g()\nvar h = func() int { return 1 }()\n"},
		{"literals", "package p\nvar a, b = T{1, \"}\"}, &U[struct{}]{'}', `}`}\nvar ( c = [...]int{1, 2, 9: {}}\n d struct{ x int } )\n"},
		{"comments", "package p // {\n/* { */ func f() /* x\n*/ { /* } */ // }\n }\ntype T struct { // }\n a int }\n"},
		{"generic", "package p\nfunc f[T interface{ ~int | ~string }, U any](x T) (y U) { return }\ntype S[T any] struct{ t T }\n"},
		{"semicolons", "package p; import \"fmt\"; func f() { fmt.Print() }; var x = 1; const c = 0x1p-2\n"},
		{"brace on the next line", "package p\ntype T struct\n{\n a int\n}\n"},
		{"channels", "package p\nvar c chan<- <-chan int = make(chan<- <-chan int, 1<<3 &^ 2)\nfunc f(xs ...int)\n"},
		{"byte order mark", "\xef\xbb\xbfpackage p\nfunc f() {}\n"},
		{"letters beyond ASCII", "package p\nfunc 世界() { é := '世'; _ = é }\nvar ü = pkg.Ö\n"},
	} {
		t.Run(tt.name, func(t *testing.T) { checkSkeleton(t, tt.name+".go", []byte(tt.src)) })
	}
}

// TestSkimNeeds holds which imports a dependency is taken to need.
func TestSkimNeeds(t *testing.T) {
	sk := skim([]byte(`package p

import (
	"a/sig"
	"a/body"
	named "a/other"
	_ "a/effects"
	. "a/dot"
	"a/v2"
)

type T struct{ sig.X }

func f(named.Y) { body.Z() }

var _ = m{"k": body.Q}
var v = lib.New(body2{})
`))
	got := map[string]bool{}
	for i, pkg := range []string{"sig", "body", "other", "effects", "dot", "lib"} {
		got[sk.imports[i].path] = sk.needs(sk.imports[i], pkg)
	}
	want := map[string]bool{"a/sig": true, "a/body": false, "a/other": true, "a/effects": false, "a/dot": true, "a/v2": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("needed imports (-want +got):\n%s", diff)
	}
}

func FuzzSkim(f *testing.F) {
	f.Add([]byte("package p\nfunc f() { x := '{' }\nvar a = [...]T{{1}, {2}}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if full, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution); err != nil || full.Name == nil {
			skim(src) // must not panic
			return
		}
		if sk := skim(src); !sk.whole {
			if _, err := parser.ParseFile(token.NewFileSet(), "x.go", sk.text, parser.SkipObjectResolution); err != nil {
				t.Errorf("skeleton does not parse: %v\n%s", err, sk.text)
			}
		}
	})
}
