package libsource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const library = `package library

import (
	"example.com/writes"
	"fmt"
)

type Client struct{ c interface{ Update(int) } }

// Returns a type with a method that is kept.
func New() *Client { return &Client{} }

func (c *Client) Save() { c.c.Update(name()) }

// Mentions what is kept.
func SaveAll(c *Client) { c.Save() }

// Is mentioned there, with a result.
func name() int { return 1 }

func Delegate() { writes.Now() }

func Print() { fmt.Println() }

func Generic[T any]() T { panic(0) }

type Store interface{ Keep() }

func Through(s Store) { s.Keep() }

func init() { fmt.Println() }
`

func TestReduce(t *testing.T) {
	for _, test := range []struct {
		what    string
		library string
		want    []string
	}{
		{"a library is imported", "example.com/writes", []string{"Delegate", "New", "Save", "SaveAll", "Through", "name"}},
		{"no library is imported", "", []string{"New", "Save", "SaveAll", "name"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "library.go", library, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if !Reduce([]*ast.File{f}, func(path string) bool { return path == test.library }) {
				t.Error("nothing is kept")
			}
			var kept []string
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && fn.Name.Name != "init" && !isGeneric(fn) {
					kept = append(kept, fn.Name.Name)
				}
			}
			slices.Sort(kept)
			if diff := cmp.Diff(test.want, kept); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if test.library == "" && Qualifiers(f)["fmt"] {
				t.Error("a function that was dropped still uses its import")
			}
			// What is left must type-check, but for the imports.
			conf := types.Config{DisableUnusedImportCheck: true, Error: func(err error) {
				if e := err.(types.Error); e.Msg != "" && !e.Soft && !isImportError(e.Msg) {
					t.Error(err)
				}
			}}
			_, _ = conf.Check("library", fset, []*ast.File{f}, nil)
		})
	}
}

func isImportError(msg string) bool { return len(msg) > 16 && msg[:16] == "could not import" }

func TestReduceToNothing(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "library.go", "package library\n\nfunc Print() { println() }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if Reduce([]*ast.File{f}, func(string) bool { return true }) {
		t.Error("something is kept")
	}
}
