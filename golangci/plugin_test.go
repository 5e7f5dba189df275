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

// build returns the analyzers for some settings. When the test ends, it resets the flags
// of the analyzers.
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
		{settings{"enable": []any{"nosuchrule"}}, `enable: "nosuchrule" is not a rule for Go code: want one of `},
		{settings{"disable": []any{"prestopsleep"}}, `disable: "prestopsleep" is not a rule for Go code`},
		{settings{"enable": []any{"dryrunvalue"}, "disable": []any{"dryrunvalue"}}, `rule "dryrunvalue" is both enabled and disabled`},
		{settings{"target": "1.99"}, `target: `},
		{settings{"target": "new"}, `target: `},
		{settings{"min-severity": "high"}, `min-severity: unknown severity "high": want error, warning or info`},
		{settings{"min-severity": "preview"}, `min-severity: unknown severity "preview"`},
		{settings{"severities": settings{"nosuchrule": "info"}}, `severities: "nosuchrule" is not a rule`},
		{settings{"severities": settings{"dryrunvalue": "low"}}, `severities: dryrunvalue: unknown severity "low"`},
		{settings{"fixes": "some"}, "want safe, all or none"},
		{settings{"rules": settings{"nosuchrule": settings{"x": 1}}}, `rules: "nosuchrule" is not a rule`},
		{settings{"rules": settings{"fieldmanager": settings{"nosuchflag": true}}}, "no rule has an option fieldmanager.nosuchflag"},
		{settings{"rules": settings{"fieldmanager": settings{"calls": "perhaps"}}}, `"perhaps"`},
		{settings{"rules": settings{"applyforce": settings{"mode": "nope"}}}, `option applyforce.mode: "nope": want cli or controller`},
		{settings{"rules": settings{"fieldmanager": settings{"calls": []any{true}}}}, "want a text, a number, true or false"},
	} {
		if _, err := New(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got error %v, want %q", tt.in, err, tt.want)
		}
	}
}

func load(t *testing.T) []*packages.Package {
	t.Helper()
	dir := sampleModule(t)
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax, Env: offline()}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the sample does not compile")
	}
	return pkgs
}

// findings returns the messages of each rule for the sample.
func findings(t *testing.T, pkgs []*packages.Package, in settings) map[string][]string {
	t.Helper()
	graph, err := checker.Analyze(build(t, in), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Error(act.Err)
		}
		for _, d := range act.Diagnostics {
			found[act.Analyzer.Name] = append(found[act.Analyzer.Name], d.Message)
		}
	}
	return found
}

// TestSeverities checks that messages begin with the severity, and which findings are
// reported.
func TestSeverities(t *testing.T) {
	pkgs := load(t)
	for _, tt := range []struct {
		in    settings
		begin map[string]string // beginning of the messages, by rule
	}{
		{nil, map[string]string{"dryrunvalue": "error: ", "fieldmanager": "info: ", "removedapi": "info: ", "unusedsuppression": "warning: "}},
		{settings{"min-severity": "warning"}, map[string]string{"dryrunvalue": "error: ", "fieldmanager": "", "removedapi": "", "unusedsuppression": "warning: "}},
		{settings{"min-severity": "error"}, map[string]string{"dryrunvalue": "error: ", "unusedsuppression": ""}},
		{settings{"severities": settings{"fieldmanager": "error", "dryrunvalue": "info"}, "min-severity": "error"},
			map[string]string{"dryrunvalue": "", "fieldmanager": "error: "}},
		{settings{"target": "1.20"}, map[string]string{"removedapi": ""}},
		{settings{"target": "1.20..1.25"}, map[string]string{"removedapi": "info: "}},
		{settings{"require-reason": true}, map[string]string{"unusedsuppression": "warning: "}},
	} {
		found := findings(t, pkgs, tt.in)
		for rule, want := range tt.begin {
			list := found[rule]
			if (want == "") != (len(list) == 0) || len(list) > 0 && !strings.HasPrefix(list[0], want) {
				t.Errorf("%v: %s: got %q, want a message that begins with %q", tt.in, rule, list, want)
			}
		}
	}
}

// TestReports checks the diagnostics for golangci-lint. They must have no related places,
// and only the fixes that may be applied.
func TestReports(t *testing.T) {
	pkgs := load(t)
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
		for rule, want := range map[string]int{"dryrunvalue": 3, "forcenonapply": 1, "fieldmanager": 1, "removedapi": 1, "unusedsuppression": 1} {
			if found[rule] != want {
				t.Errorf("fixes %s: %d findings of %s, want %d", fixes, found[rule], rule, want)
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
