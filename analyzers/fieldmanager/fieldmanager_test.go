package fieldmanager_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/fieldmanager"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestPrograms checks programs with one finding each, and programs without a finding.
// Those without a finding have a unique name, name a manager, only read, or suppress
// the finding.
func TestPrograms(t *testing.T) {
	analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/controllers", "./fieldmanager/clients", "./fieldmanager/manager",
		"./fieldmanager/named/...", "./fieldmanager/partly/...", "./fieldmanager/elect/...", "./fieldmanager/hack/...", "./fieldmanager/reads/...", "./fieldmanager/steps/...",
		"./fieldmanager/shop-operator", "./fieldmanager/agent", "./fieldmanager/request", "./fieldmanager/ignored/...", "./fieldmanager/e2e")
}

// TestRelated checks that a finding lists the other clients that write, and writes in
// other packages, as related information. A client without writes is not listed.
func TestRelated(t *testing.T) {
	var clients, writes int
	for _, r := range analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/manager") {
		if r.Pass.Pkg.Name() != "main" {
			continue
		}
		for _, d := range r.Diagnostics {
			for _, rel := range d.Related {
				switch pos := r.Pass.Fset.Position(rel.Pos); {
				case rel.Message == "this client names no field manager either":
					clients++
				case strings.HasSuffix(rel.Message, " names no field manager"):
					writes++
				default:
					t.Errorf("%s: unexpected: %s", pos, rel.Message)
				}
			}
		}
	}
	if clients != 2 || writes != 6 {
		t.Errorf("related to %d clients and %d writes, want 2 and 6", clients, writes)
	}
}

// TestModules checks a program whose clients come from knative's injection, and a module
// without programs.
func TestModules(t *testing.T) {
	for _, module := range []string{"injection", "library"} {
		analysistest.RunWithSuggestedFixes(t, filepath.Join(analysistest.TestData(), module), fieldmanager.Analyzer, "./...")
	}
}

func TestFixes(t *testing.T) {
	analyzertest.RunFixes(t, fieldmanager.Analyzer, "./fieldmanager/fix/...")
}

func TestPerCall(t *testing.T) {
	set(t, "calls")
	analyzertest.Run(t, fieldmanager.Analyzer, "./fieldmanager/percall")
}

// set turns a flag of the analyzer on until the test ends.
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
