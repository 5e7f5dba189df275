package goload

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestKeepDeclarations checks which code of a dependency is removed, and which imports
// the remaining code needs.
func TestKeepDeclarations(t *testing.T) {
	const src = `package p

import (
	"fmt"
	. "math"
	meta "example.com/meta"
	"example.com/size"
	_ "example.com/driver"
)

var table = map[string]fmt.Stringer{"a": meta.A}

var sized = [...]int{size.Last: 1, 2}

var call = func() int { return meta.B }

func F(x func(meta.T)) { fmt.Println(x) }
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := keepDeclarations(f)
	var needed []string
	for _, spec := range f.Imports {
		path := importPath(spec)
		if needs(names, spec, path[strings.LastIndex(path, "/")+1:]) {
			needed = append(needed, path)
		}
	}
	if want := []string{"fmt", "math", "example.com/meta", "example.com/size"}; !slices.Equal(needed, want) {
		t.Errorf("needs %q, want %q", needed, want)
	}
	var out strings.Builder
	for _, decl := range f.Decls[1:] {
		if err := format.Node(&out, token.NewFileSet(), decl); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	if got := out.String(); strings.Contains(got, "meta.A") || strings.Contains(got, "meta.B") || strings.Contains(got, "Println") {
		t.Errorf("bodies are still there:\n%s", got)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && countsElements(lit) && len(lit.Elts) != 2 {
			t.Errorf("%d elements of the array whose elements are counted", len(lit.Elts))
		}
		return true
	})
}
