package golangci

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/kubevet/kubevet/analyzers"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// build makes the analyzers of some settings and brings back the flags when
// the test is over.
func build(t *testing.T, settings any) []*analysis.Analyzer {
	t.Helper()
	p, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	restore, err := analyzers.Set(p.(*Plugin).options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(restore)
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Fatal(err)
	}
	return list
}

func names(list []*analysis.Analyzer) map[string]*analysis.Analyzer {
	m := map[string]*analysis.Analyzer{}
	for _, a := range list {
		m[a.Name] = a
	}
	return m
}

type settings = map[string]any

func TestRegistered(t *testing.T) {
	p, err := register.GetPlugin("kubevet")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := p(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := linter.GetLoadMode(); got != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", got)
	}
}

func TestChoice(t *testing.T) {
	for _, a := range analyzers.All() {
		if _, ok := names(build(t, nil))[a.Name]; ok != analyzers.OnByDefault(a.Name) {
			t.Errorf("%s runs by default: %v", a.Name, ok)
		}
	}
	if got := build(t, settings{"strict": true}); len(got) != len(analyzers.All()) {
		t.Errorf("strict runs %d rules", len(got))
	}
	got := names(build(t, settings{"strict": true, "enable": []any{"mixedmanager"}, "disable": []any{"fieldmanager"}}))
	if got["mixedmanager"] == nil || got["fieldmanager"] != nil {
		t.Errorf("mixedmanager and no fieldmanager are wanted, got %v", got)
	}
	if got := names(build(t, settings{"disable": []any{"unusedsuppression"}})); got["unusedsuppression"] != nil {
		t.Error("unusedsuppression cannot be disabled")
	}
}

func TestFlags(t *testing.T) {
	value := func() string {
		for _, a := range analyzers.All() {
			if a.Name == "fieldmanager" {
				return a.Flags.Lookup("calls").Value.String()
			}
		}
		return ""
	}
	t.Run("set", func(t *testing.T) {
		build(t, settings{"rules": settings{"fieldmanager": settings{"calls": true}}})
		if value() != "true" {
			t.Error("fieldmanager.calls is not set")
		}
	})
	if value() != "false" {
		t.Error("the flag was not brought back")
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		in   settings
		want string
	}{
		{settings{"enabled": []any{"x"}}, `unknown field "enabled"`},
		{settings{"enable": []any{"nosuchrule"}}, `enable: "nosuchrule" is no rule for Go code: there are `},
		{settings{"disable": []any{"prestopsleep"}}, `disable: "prestopsleep" is no rule for Go code`},
		{settings{"enable": []any{"dryrunvalue"}, "disable": []any{"dryrunvalue"}}, `rule "dryrunvalue" is both enabled and disabled`},
		{settings{"fixes": "some"}, "want safe, all or none"},
		{settings{"rules": settings{"nosuchrule": settings{"x": 1}}}, `rules: "nosuchrule" is no rule`},
		{settings{"rules": settings{"fieldmanager": settings{"nosuchflag": true}}}, "no rule has an option fieldmanager.nosuchflag"},
		{settings{"rules": settings{"fieldmanager": settings{"calls": "perhaps"}}}, `"perhaps"`},
		{settings{"rules": settings{"fieldmanager": settings{"calls": []any{true}}}}, "want a text, a number, true or false"},
	} {
		if _, err := New(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got error %v, want %q", tt.in, err, tt.want)
		}
	}
}

// TestReports holds what golangci-lint gets: no related places, and only fixes
// that may be applied unseen.
func TestReports(t *testing.T) {
	dir := sampleModule(t)
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax, Env: offline()}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the sample does not compile")
	}
	for _, fixes := range []string{"none", "safe", "all"} {
		graph, err := checker.Analyze(build(t, settings{"fixes": fixes}), pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		found, fixed := map[string]int{}, map[string]int{}
		for _, act := range graph.Roots {
			if act.Err != nil {
				t.Error(act.Err)
			}
			for _, d := range act.Diagnostics {
				found[act.Analyzer.Name]++
				if len(d.SuggestedFixes) > 0 {
					fixed[act.Analyzer.Name]++
				}
				if len(d.Related) > 0 {
					t.Errorf("%s: %s: related places", act.Analyzer.Name, d.Message)
				}
			}
		}
		for _, rule := range []string{"dryrunvalue", "forcenonapply", "fieldmanager", "unusedsuppression"} {
			if found[rule] != 1 {
				t.Errorf("fixes %s: %d findings of %s, want 1", fixes, found[rule], rule)
			}
		}
		for rule, n := range fixed {
			if fixes == "none" || fixes == "safe" && !analyzers.SafeFixes(rule) {
				t.Errorf("fixes %s: %d of %s", fixes, n, rule)
			}
		}
		if fixes == "safe" && fixed["forcenonapply"] == 0 {
			t.Error("the fix of forcenonapply is lost")
		}
	}
}
