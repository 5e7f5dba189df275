package goload

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

const workspace = `
-- go.work --
go 1.24.0
use (
	./a
	./deep/b
)
-- a/go.mod --
module example.com/a
go 1.24.0
-- a/a.go --
package a
-- a/sub/sub.go --
package sub
-- deep/b/go.mod --
module example.com/b
go 1.24.0
-- deep/b/b.go --
package b

import _ "example.com/a"
-- deep/other/go.mod --
module example.com/other
go 1.24.0
-- deep/other/other.go --
package other
-- empty/x.txt --
`

// TestWorkspace checks a pattern whose directory is in no module. It must select the
// modules of the workspace below this directory.
func TestWorkspace(t *testing.T) {
	root := write(t, workspace)
	for _, tt := range []struct{ dir, patterns, want string }{
		{".", "./...", "example.com/a example.com/a/sub example.com/b"},
		{".", "./deep/...", "example.com/b"},
		{"empty", "../...", "example.com/a example.com/a/sub example.com/b"},
		{".", root + "/...", "example.com/a example.com/a/sub example.com/b"},
		{".", "./a ./deep/...", "example.com/a example.com/b"},
		{"a", "./...", "example.com/a example.com/a/sub"},
		{".", "./a/...", "example.com/a example.com/a/sub"},
		{".", "./empty/...", "failure"},
		{".", ".", "failure"},
		{".", "./.../b", "failure"},
	} {
		var found []string
		r, err := Run(context.Background(), Options{
			Dir: filepath.Join(root, tt.dir), Patterns: strings.Fields(tt.patterns), Analyzers: []*analysis.Analyzer{calls()},
			Visit: func(p *unit.Package, _ []unit.Result) { found = append(found, p.Types.Path()) },
		})
		if err != nil || len(r.Failures) > 0 {
			found = []string{"failure"}
		}
		if got := strings.Join(slices.Sorted(slices.Values(found)), " "); got != tt.want {
			t.Errorf("%s in %s: got %s, want %s (%v)", tt.patterns, tt.dir, got, tt.want, err)
		}
	}
}
