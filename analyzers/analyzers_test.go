package analyzers_test

import (
	"slices"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/internal/ruletest"
	"github.com/kubevet/kubevet/internal/unit"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// TestImplemented checks that every rule for Go code has a page, and every page of a rule
// for Go code an analyzer.
func TestImplemented(t *testing.T) {
	var ids []string
	for _, a := range analyzers.All() {
		ids = append(ids, a.Name)
	}
	ruletest.Implemented(t, rules.SurfaceGo, ids)
}

func TestValid(t *testing.T) {
	if err := analysis.Validate(append(analyzers.All(), analyzers.Census, analyzers.Traces)); err != nil {
		t.Error(err)
	}
	for _, a := range unit.Order(append(analyzers.All(), analyzers.Census, analyzers.Traces)) {
		if !a.RunDespiteErrors {
			t.Errorf("%s does not run on a package with a function that does not compile", a.Name)
		}
		// intact finds the code that does not compile, and scope only reads comments and
		// names.
		if a != intact.Analyzer && a != scope.Analyzer && !slices.Contains(a.Requires, intact.Analyzer) {
			t.Errorf("%s sees code that does not compile", a.Name)
		}
	}
}

// TestDefault checks that Default returns the rules that are on by default. It also checks
// that unusedsuppression comes last and requires exactly the rules that run.
func TestDefault(t *testing.T) {
	list := analyzers.Default()
	last := list[len(list)-1]
	if last.Name != "unusedsuppression" {
		t.Errorf("the last analyzer is %s", last.Name)
	}
	for _, a := range list {
		if !analyzers.OnByDefault(a.Name) {
			t.Errorf("%s is off by default", a.Name)
		}
		if a != last && !slices.Contains(last.Requires, a) {
			t.Errorf("unusedsuppression does not wait for %s", a.Name)
		}
	}
	if len(last.Requires) != len(list)+1 { // it requires intact and scope, but not itself
		t.Errorf("unusedsuppression requires %d analyzers, want %d", len(last.Requires), len(list)+1)
	}
}

func TestSet(t *testing.T) {
	find := func() string {
		for _, a := range analyzers.All() {
			if a.Name == "fieldmanager" {
				return a.Flags.Lookup("calls").Value.String()
			}
		}
		return ""
	}
	restore, err := analyzers.Set(analyzers.Strict())
	if err != nil {
		t.Fatal(err)
	}
	if find() != "true" {
		t.Error("strict does not look at every call")
	}
	restore()
	if find() != "false" {
		t.Error("the option was not brought back")
	}
	for _, wrong := range []map[string]string{
		{"fieldmanager.calls": "maybe"}, {"fieldmanager.nothing": "true"}, {"nothing.calls": "true"}, {"": "x"}, {"fieldmanager": "true"},
	} {
		if _, err := analyzers.Set(wrong); err == nil {
			t.Errorf("Set(%v) is accepted", wrong)
		}
	}
}

func TestRelevant(t *testing.T) {
	for path, want := range map[string]bool{
		"k8s.io/apimachinery/pkg/apis/meta/v1":                      true,
		"example.com/m/vendor/k8s.io/apimachinery/pkg/apis/meta/v1": true,
		"k8s.io/apimachinery/pkg/runtime":                           false,
		"k8s.io/apimachinery/pkg/runtime/schema":                    true,
		"example.com/k8s.io/apimachinery/pkg/apis/meta/v1":          false,
		"k8s.io/helm/pkg/helm":                                      true,
		"sigs.k8s.io/controller-runtime/pkg/client":                 true,
		"github.com/someone/controller-runtime/pkg/client":          false,
	} {
		if got := analyzers.Relevant(path); got != want {
			t.Errorf("Relevant(%q) = %t", path, got)
		}
	}
}
