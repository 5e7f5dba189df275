package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/webpage/webpagetest"
	"github.com/kubevet/kubevet/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// catalogue returns the rules of the reports in the tests. It has no rule duplicatekey,
// in order to test a rule without metadata.
func catalogue() []report.Rule {
	return []report.Rule{
		{
			ID: "deprecatedapi", Title: "API version is deprecated",
			Description: "The API server still serves this version and warns about it.\n\nUse the replacement that the warning names.",
			Severity:    rules.Warning, URL: "https://example.com/rules/deprecatedapi",
		},
		{
			ID: "prestopsleep", Title: "sleep action is refused: 50%, of pods",
			Severity: rules.Error, URL: "https://example.com/rules/prestopsleep",
		},
		{ID: "removedapi", Title: "API version is removed", Severity: rules.Error},
		{ID: "rolloutsleep", Title: "sleep in a custom resource", Severity: rules.Preview},
		{ID: "syntax", Title: "YAML does not parse", Severity: rules.Error},
	}
}

type run struct {
	findings []rules.Finding
	summary  *rules.Summary
}

func runs() map[string]run {
	return map[string]run{
		"findings":   ordinaryRun(),
		"hostile":    hostileRun(),
		"empty":      emptyRun(),
		"incomplete": incompleteRun(),
		"code":       codeRun(),
	}
}

// codeRun returns a run over Go code. It has related places, fixes and failed packages.
func codeRun() run {
	findings := []rules.Finding{
		{
			Rule: "dryrunvalue", Severity: rules.Error,
			Message: `dry-run value "server" is refused by the server, which supports only "All"`,
			File:    "pkg/größe.go", Line: 14, Column: 67, EndLine: 14, EndColumn: 75,
			Fix: &rules.CodeFix{Message: "Replace with metav1.DryRunAll", Safe: true, Edits: []rules.Edit{
				{File: "pkg/größe.go", Line: 5, Column: 1, EndLine: 5, EndColumn: 1, New: "import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n"},
				{File: "pkg/größe.go", Line: 14, Column: 67, EndLine: 14, EndColumn: 75, New: "metav1.DryRunAll"},
				{File: "pkg/other.go", Line: 2, Column: 3, EndLine: 3, EndColumn: 1},
			}},
		},
		{
			Rule: "fieldmanager", Severity: rules.Info,
			Message: "8 writes through the client built here name no field manager",
			File:    "../main.go", Line: 58, Column: 14, EndLine: 60, EndColumn: 3,
		},
		{
			Rule: "unusedsuppression", Severity: rules.Warning,
			Message: "kubevet:ignore dryrun suppresses nothing", File: "/elsewhere/x.go", Line: 3, Column: 1, EndLine: 3, EndColumn: 40,
			Related: []rules.Related{{File: "/elsewhere/x.go", Line: 4, Column: 2, EndLine: 4, EndColumn: 9, Message: "\x1b[2Jhere [x](http://y)"}},
		},
	}
	for i := range 8 {
		findings[1].Related = append(findings[1].Related, rules.Related{
			File: "pkg/größe.go", Line: 20 + i, Column: 9, EndLine: 20 + i, EndColumn: 15, Message: "Update names no field manager",
		})
	}
	s := rules.NewSummary()
	s.Files, s.Bytes, s.Seconds, s.Suppressed = 40, 123_456, 1.5, 1
	for _, f := range findings {
		s.Findings[f.Rule]++
	}
	s.Code = &rules.CodeSummary{Packages: 12, Skipped: 3, Writes: 50, Clients: 2, Unresolved: 1, UnresolvedCalls: []rules.UnresolvedCall{{Name: "(client.Writer).Update", File: "pkg/controller/web.go", Line: 52}}, Unknown: map[string]int{"dryRun": 4, "fieldManager": 1},
		Excluded:         rules.ExcludedCode{TestPackages: 2, TestFiles: 14, GeneratedFiles: 3, Fakes: 1},
		SkippedFunctions: []rules.SkippedFunction{{Name: "(*Reconciler).Reconcile", File: "pkg/controller/web.go", Line: 40}}, SkippedFunctionCount: 2}
	s.Fail("example.com/m/broken", errorText("broken/a.go:3:1: expected 'package'\nbroken/b.go:1:1: and \x1b[2Jmore"))
	return run{findings, s}
}

func ordinaryRun() run {
	web := &rules.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	findings := []rules.Finding{
		{
			Rule: "prestopsleep", Severity: rules.Error,
			Message: "preStop sleep of 60s exceeds terminationGracePeriodSeconds 30s",
			File:    "deploy/web.yaml", Line: 21, Column: 24, EndLine: 21, EndColumn: 26,
			Object: web, Path: "spec.template.spec.containers[0].lifecycle.preStop.sleep.seconds",
			Minors: "1.30..1.37",
			Server: &rules.ServerText{Kind: "error", Text: "Invalid value: 60: must be greater than 0 and less than terminationGracePeriodSeconds (30)"},
		},
		{
			Rule: "duplicatekey", Severity: rules.Warning,
			Message: `key "app" is set twice; the last one counts`,
			File:    "deploy/web.yaml", Line: 30, Column: 3, EndLine: 32, EndColumn: 1, Object: web,
		},
		{
			Rule: "deprecatedapi", Severity: rules.Warning,
			Message: "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget",
			File:    "deploy/web.yaml", Line: 40, Column: 13, EndLine: 40, EndColumn: 27, Document: 1,
			Object: &rules.ObjectRef{APIVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Name: "web"},
			Path:   "apiVersion", Minors: "1.21..1.24",
			Server:      &rules.ServerText{Kind: "warning", Text: "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget"},
			Replacement: "policy/v1 PodDisruptionBudget",
		},
		{
			Rule: "removedapi", Severity: rules.Error,
			Message: "PodDisruptionBudget web uses policy/v1beta1, which is removed; use policy/v1",
			File:    "deploy/web.yaml", Line: 40, Column: 13, EndLine: 40, EndColumn: 27, Document: 1,
			Object:      &rules.ObjectRef{APIVersion: "policy/v1beta1", Kind: "PodDisruptionBudget", Name: "web"},
			Path:        "apiVersion",
			Minors:      "1.25..1.37",
			Replacement: "policy/v1 PodDisruptionBudget",
		},
		{
			Rule: "rolloutsleep", Severity: rules.Preview,
			Message: "sleep of 日本 seconds", File: "-", Line: 3, Column: 5, EndLine: 3, EndColumn: 12,
			Object: &rules.ObjectRef{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: "canary-*"},
		},
		{
			Rule: "history", Severity: rules.Info,
			Message: "file was generated", File: "charts/höfe neu/a#b.yaml", // the finding is about the whole file
		},
	}
	s := rules.NewSummary()
	s.Files, s.Bytes, s.Documents, s.Objects = 1234, 5_678_901, 2000, 1800
	for i := range 30 {
		s.Unchecked.Count("helm.toolkit.fluxcd.io/v2", "HelmRelease", rules.Place{File: "apps/release.yaml", Document: i / 2, Line: 2 + i/2*10, Column: 7})
	}
	for i := range 11 {
		s.Unchecked.Count("example.com/v1", fmt.Sprintf("Kind%02d", i), rules.Place{File: "apps/kinds.yaml", Document: i, Line: 2 + 4*i, Column: 7})
	}
	for range 3 {
		s.Undecided.Count([]string{"ValidatingAdmissionPolicy 'owners' with binding 'owners': request.userInfo"})
	}
	s.Undecided.Count([]string{"ValidatingAdmissionPolicy 'limits' with binding 'shop': parameters"})
	s.Target, s.Seconds, s.Suppressed, s.Baselined = "1.21..1.37", 0.421, 2, 5
	for _, f := range findings {
		s.Findings[f.Rule]++
	}
	s.Findings["removedapi"] = 1001
	s.Skipped[rules.SkipEmpty] = 40
	s.Skipped[rules.SkipNotKubernetes] = 5
	for doc := range 3 {
		s.Skip(rules.NotJudged{File: "charts/web/templates/all.yaml", Document: doc, Line: 1 + 20*doc, Reason: rules.SkipTemplated})
	}
	s.Skip(rules.NotJudged{File: "overlays/prod/patch.yaml", Line: 1, Reason: rules.SkipPatch, Detail: "overlays/prod/kustomization.yaml"})
	s.Skip(rules.NotJudged{File: "bad.yaml", Line: 7, Reason: rules.SkipBroken})
	return run{findings, s}
}

// hostileStrings are texts that a format without escapes would interpret as markup or
// commands.
var hostileStrings = []string{
	"\x1b[2J\x1b]0;owned\x07",
	"\u202egpj.exe\u202c\u200b\u2066",
	"a|b`c`<script>alert(1)</script>",
	"line one\nline two\r\n::error file=x::owned",
	"::error title=x::owned",
	"##vso[task.setvariable variable=x]y ##[error]z ##teamcity[buildStop]",
	"100%, 50%25 %0A::warning::x, y:z",
	"[click](https://evil.example) www.evil.example @everyone #1 $x$ *b* _i_ ~~s~~ \\| \\",
	"bad\xff\xfeutf8 \x00 \x7f \u0085 \u2028 \ufffe \ufeff \U000e0041",
	"]]></failure><!-- & \"'",
	"\u00a0\u3164\u2800\ufe0f\u00ad",
}

func hostileRun() run {
	s := rules.NewSummary()
	for i, h := range hostileStrings {
		s.Unchecked.Count(h, h, rules.Place{File: h, Line: i, Column: 1})
		s.Undecided.Count([]string{h})
	}
	s.Objects = len(hostileStrings)
	var findings []rules.Finding
	for i, h := range hostileStrings {
		f := rules.Finding{
			Rule: "syntax", Severity: rules.Severity(i % 4), Message: h, File: h,
			Line: i, Column: 1, EndLine: i, EndColumn: 2, Path: h, Replacement: h,
			Object: &rules.ObjectRef{APIVersion: h, Kind: "Pod", Namespace: h, Name: h},
			Server: &rules.ServerText{Kind: "warning", Text: "server: " + h},
		}
		findings = append(findings, f)
		s.Findings[f.Rule]++
		s.Skip(rules.NotJudged{File: h, Line: i, Reason: rules.SkipTemplated, Detail: h})
		s.Fail(h, errorText(h))
	}
	s.Target = "1.37"
	return run{findings, s}
}

func emptyRun() run {
	s := rules.NewSummary()
	s.Files, s.Bytes, s.Documents, s.Objects, s.Target, s.Seconds = 1, 999, 1, 1, "1.37", 0.002
	return run{nil, s}
}

func incompleteRun() run {
	s := rules.NewSummary()
	s.Files, s.Bytes, s.Documents, s.Objects, s.Target, s.Seconds = 12, 1_000_000_000, 14, 0, "1.37", 125
	s.Fail("secret.yaml", errorText("permission denied"))
	s.Fail("gone/a.yaml", errorText("open gone/a.yaml: no such file or directory"))
	s.UnreadableCount += 3 // as if Unreadable had been cut to its first entries
	s.Skip(rules.NotJudged{File: "huge.yaml", Reason: rules.SkipTooLarge, Detail: "2 GB"})
	s.Skip(rules.NotJudged{File: "logo.yaml", Reason: rules.SkipBinary})
	for i := range 15 {
		s.Skip(rules.NotJudged{File: "t/" + strings.Repeat("x", i+1) + ".yaml", Line: 1, Reason: rules.SkipTemplated})
	}
	return run{nil, s}
}

type errorText string

func (e errorText) Error() string { return string(e) }

// render returns a run in a format.
func render(t testing.TB, format string, r run, o report.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	rep, err := report.New(format, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.findings {
		if err := rep.Finding(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := rep.Close(r.summary); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// golden compares output with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the test with -update to make it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func options() report.Options {
	return report.Options{Rules: catalogue(), ToolVersion: "v1.2.3", Target: "1.21..1.37"}
}

// extensions has the extensions of the golden files by format, so that editors recognise
// them.
var extensions = map[string]string{"json": "json", "jsonl": "jsonl", "sarif": "sarif", "junit": "xml", "markdown": "md", "html": "html", "gitlab": "gitlab.json"}

func TestGolden(t *testing.T) {
	for name, r := range runs() {
		for _, format := range report.Formats() {
			ext, ok := extensions[format]
			if !ok {
				ext = format + ".txt"
			}
			t.Run(name+"."+ext, func(t *testing.T) {
				golden(t, name+"."+ext, webpagetest.Content(render(t, format, r, options())))
			})
		}
		t.Run(name+".summary.txt", func(t *testing.T) {
			var out bytes.Buffer
			if err := report.WriteSummary(&out, r.summary, options()); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".summary.txt", out.Bytes())
		})
	}
}

// source returns the lines that reports of ordinaryRun show.
func source(file string, line int) (string, bool) {
	switch {
	case file == "-":
		return "  \tx日: 本\x1b[31m ##[group]x", true
	case line == 21:
		return "              seconds: 60", true
	case line == 30:
		return "  app: " + strings.Repeat("long ", 60), true
	case line == 40:
		return strings.Repeat("indent/", 40) + "apiVersion: policy/v1beta1", true
	}
	return "", false
}

func TestGoldenVariants(t *testing.T) {
	withSource := options()
	withSource.Source = source
	verbose := options()
	verbose.Verbose = true
	color := withSource
	color.Color = true
	narrow := options()
	narrow.Width = 100
	narrowColor := narrow
	narrowColor.Color = true
	narrowSource := withSource
	narrowSource.Width = 60
	oneMinor := options()
	oneMinor.Target = "1.30..1.37"

	t.Run("code-verbose.text.txt", func(t *testing.T) {
		golden(t, "code-verbose.text.txt", render(t, "text", codeRun(), verbose))
	})
	for _, v := range []struct {
		file, format string
		o            report.Options
	}{
		{"source.text.txt", "text", withSource},
		{"source-narrow.text.txt", "text", narrowSource},
		{"color.text.txt", "text", color},
		{"verbose.text.txt", "text", verbose},
		{"target.text.txt", "text", oneMinor},
		{"narrow.table.txt", "table", narrow},
		{"color.table.txt", "table", narrowColor},
	} {
		t.Run(v.file, func(t *testing.T) {
			golden(t, v.file, render(t, v.format, ordinaryRun(), v.o))
		})
	}
	t.Run("hostile-narrow.table.txt", func(t *testing.T) {
		golden(t, "hostile-narrow.table.txt", render(t, "table", hostileRun(), narrow))
	})
	for _, v := range []struct {
		file string
		r    run
		o    report.Options
	}{
		{"verbose.summary.txt", incompleteRun(), verbose},
		{"verbose-findings.summary.txt", ordinaryRun(), verbose},
		{"color.summary.txt", incompleteRun(), color},
		{"nil.summary.txt", run{}, report.Options{}},
	} {
		t.Run(v.file, func(t *testing.T) {
			var out bytes.Buffer
			if err := report.WriteSummary(&out, v.r.summary, v.o); err != nil {
				t.Fatal(err)
			}
			golden(t, v.file, out.Bytes())
		})
	}
}
