package goload

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestCompile changes one file of a package.
func TestCompile(t *testing.T) {
	dir := write(t, `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

import "example.com/m/b"

func F() int { return b.N }
-- a/other.go --
package a

func g() string { return "" }
-- b/b.go --
package b

const N = 1
-- broken/broken.go --
package broken

var v int = "text"
-- c/c.go --
package c

import _ "sort"
`)
	r, err := Run(context.Background(), Options{Dir: dir, Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, file, text, want string }{
		{"the same", "a/a.go", "package a\n\nimport \"example.com/m/b\"\n\nfunc F() int { return b.N }\n", ""},
		{"another file's function", "a/a.go", "package a\n\nfunc F() string { return g() }\n", ""},
		{"a type error", "a/a.go", "package a\n\nfunc F() int { return g() }\n", "cannot use g()"},
		{"an unused variable", "a/a.go", "package a\n\nfunc F() int { x := 1; return 2 }\n", "declared and not used: x"},
		{"an unused import", "a/a.go", "package a\n\nimport \"example.com/m/b\"\n", `"example.com/m/b" imported and not used`},
		{"no Go", "a/a.go", "package a\n\nfunc {", "expected"},
		{"a new import", "a/a.go", "package a\n\nimport \"sort\"\n\nfunc F() { sort.Ints(nil) }\n", ""},
		{"an import that does not exist", "a/a.go", "package a\n\nimport \"example.com/none\"\n\nfunc F() { none.F() }\n", "could not import example.com/none"},
		{"an error from before", "broken/broken.go", "package broken\n\nvar v int = \"text\"\n\nvar w = 1\n", ""},
		{"an error more", "broken/broken.go", "package broken\n\nvar v int = \"text\"\n\nvar w = x\n", "undefined: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			broken := r.Compile(map[string][]byte{filepath.Join(dir, filepath.FromSlash(tt.file)): []byte(tt.text)})
			switch {
			case tt.want == "" && len(broken) > 0:
				t.Errorf("got %q, want no error", broken[0].Err.Msg)
			case tt.want != "" && (len(broken) != 1 || !strings.Contains(broken[0].Err.Msg, tt.want)):
				t.Errorf("got %v, want %q", broken, tt.want)
			}
		})
	}
}
