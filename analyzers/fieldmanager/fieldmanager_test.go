package fieldmanager_test

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/fieldmanager"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

// The clients that a package builds; and, told where a program builds them,
// those that another package of its module is handed.
func TestPerClient(t *testing.T) {
	results := analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/built", "./fieldmanager/agent",
		"./fieldmanager/controllers", "./fieldmanager/program", "./fieldmanager/named", "./fieldmanager/roots", "./fieldmanager/e2e")
	var elsewhere, clients int
	for _, r := range results {
		if r.Pass.Pkg.Name() != "main" {
			continue
		}
		for _, d := range r.Diagnostics {
			for _, rel := range d.Related {
				pos := r.Pass.Fset.Position(rel.Pos)
				switch {
				case strings.HasSuffix(pos.Filename, "controllers.go") && strings.HasSuffix(rel.Message, " names no field manager"):
					elsewhere++
				case strings.HasSuffix(rel.Message, "has the same configuration"):
					clients++
				default:
					t.Errorf("%s: unexpected: %s", pos, rel.Message)
				}
			}
		}
	}
	if elsewhere != 5 || clients != 1 {
		t.Errorf("related to %d writes and %d clients, want 5 and 1", elsewhere, clients)
	}
}

// Clients that get to no write, beside those that do.
func TestReaders(t *testing.T) {
	analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/reporter", "./fieldmanager/readers")
}

func TestFixes(t *testing.T) {
	analyzertest.RunFixes(t, fieldmanager.Analyzer, "./fieldmanager/fix")
}

func TestPerCall(t *testing.T) {
	set(t, "calls")
	analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/percall")
}

// set turns a flag of the analyzer on for one test.
func set(t *testing.T, name string) {
	t.Helper()
	if err := fieldmanager.Analyzer.Flags.Set(name, "true"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fieldmanager.Analyzer.Flags.Set(name, "false"); err != nil {
			t.Error(err)
		}
	})
}
