package analyzers_test

import (
	"fmt"
	"log"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/packages"
)

// A linter with kubevet's rules and other analyzers. It has the flags of multichecker, such
// as -json and -fix, and the flags of the rules, such as -fieldmanager=false and
// -applyforce.mode=cli. The program sets options that apply if no flag is given.
func Example_multichecker() {
	options := analyzers.Target("1.31..1.37")
	options["fieldmanager.calls"] = "true"
	options["severities"] = "true" // messages begin with the severity
	if _, err := analyzers.Set(options); err != nil {
		log.Fatal(err)
	}
	chosen := analyzers.Select(func(rule string) bool {
		return analyzers.OnByDefault(rule) || rule == "mixedmanager"
	})
	multichecker.Main(append(chosen, nilness.Analyzer)...)
}

// A driver that prints findings with their severities.
func Example_checker() {
	restore, err := analyzers.Set(analyzers.Target("1.25"))
	if err != nil {
		log.Fatal(err)
	}
	defer restore()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: "testdata"}, "./removedapi/unsent")
	if err != nil {
		log.Fatal(err)
	}
	graph, err := checker.Analyze(analyzers.Default(), pkgs, nil)
	if err != nil {
		log.Fatal(err)
	}
	byLine := map[int]string{}
	for _, action := range graph.Roots {
		if action.Err != nil {
			log.Fatal(action.Err)
		}
		rule, _ := rules.Lookup(action.Analyzer.Name)
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			byLine[at.Line] = fmt.Sprintf("%s: %s: %s [%s]",
				filepath.Base(at.Filename), analyzers.Severity(d.Category, rule.Severity), d.Message, rule.ID)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(byLine))[:3] {
		fmt.Println(byLine[line])
	}
	// Output:
	// unsent.go: info: batch/v1beta1 CronJob was removed in 1.25; use batch/v1 CronJob (import k8s.io/api/batch/v1) [removedapi]
	// unsent.go: info: batch/v1beta1 CronJob was removed in 1.25; use batch/v1 CronJob (import k8s.io/api/batch/v1) [removedapi]
	// unsent.go: error: policy/v1beta1 PodDisruptionBudget was removed in 1.25; use policy/v1 PodDisruptionBudget (import k8s.io/api/policy/v1) [removedapi]
}
