package intact

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// TestComplete checks that find skips nothing in code that compiles.
func TestComplete(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax &^ packages.NeedDeps},
		"go/types", "net/http", "reflect", "maps", "sync/atomic", "golang.org/x/tools/go/ssa", "encoding/json/...", "text/template", "slices", "iter", "os", "testing", "html/template")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.ID, p.Errors)
		}
		// Without an error, find would not check the package.
		pass := &analysis.Pass{Pkg: p.Types, Fset: p.Fset, Files: p.Syntax, TypesInfo: p.TypesInfo, TypeErrors: []types.Error{{Fset: p.Fset, Pos: 0, Msg: "elsewhere"}}}
		for _, s := range find(pass).Skipped {
			t.Errorf("%s: skipped %s at %v", p.ID, s.Name, p.Fset.Position(s.Pos))
		}
	}
}
