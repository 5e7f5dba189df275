package upgrade

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/webpage"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// testUpgrade crosses release 1.25, which removes policy/v1beta1.
var testUpgrade = Upgrade{From: 24, To: 26}

func budget(t testing.TB) lifecycle.API {
	t.Helper()
	api, ok := lifecycle.LookupGV("policy/v1beta1", "PodDisruptionBudget")
	if !ok {
		t.Fatal("the tables lack policy/v1beta1 PodDisruptionBudget")
	}
	return api
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name     string
		fact     Fact
		level    level
		breaksAt string
		already  bool
	}{
		{"breaks on the way", Fact{Rule: "removedapi", Severity: rules.Error, Minors: ParseMinors("1.25..1.26")}, levelMustAct, "1.25", false},
		{"breaks at the end", Fact{Rule: "removedapi", Severity: rules.Error, Minors: ParseMinors("1.26")}, levelMustAct, "1.26", false},
		{"breaks in between only", Fact{Rule: "disabledapi", Severity: rules.Error, Minors: ParseMinors("1.25")}, levelMustAct, "1.25", false},
		{"is broken", Fact{Rule: "removedapi", Severity: rules.Error, Minors: ParseMinors("1.24..1.26")}, levelShouldAct, "1.24", true},
		{"mended by the upgrade", Fact{Rule: "futureapi", Severity: rules.Error, Minors: ParseMinors("1.24..1.25")}, levelNone, "", false},
		{"must wait for the upgrade", Fact{Rule: "invalidfield", Severity: rules.Error, Minors: ParseMinors("1.24..1.25"), Later: true}, levelShouldAct, "", false},
		{"over before", Fact{Rule: "deprecatedapi", Severity: rules.Warning, Minors: ParseMinors("1.24")}, levelNone, "", false},
		{"goes later", Fact{Rule: "deprecatedapi", Severity: rules.Warning, Minors: ParseMinors("1.24..1.26"), Planned: "1.29"}, levelShouldAct, "1.29", false},
		{"may break", Fact{Rule: "removedapi", Severity: rules.Warning, Minors: ParseMinors("1.25..1.26")}, levelShouldAct, "1.25", false},
		{"reads everything", Fact{Rule: "removedapi", Severity: rules.Info, Minors: ParseMinors("1.25..1.26")}, levelInfo, "1.25", false},
		{"depends on no release", Fact{Rule: "fieldmanager", Severity: rules.Error}, levelNone, "", false},
		{"no matter of versions", Fact{Rule: "apiwarning", Severity: rules.Warning, Minors: ParseMinors("1.22..1.27")}, levelInfo, "", false},
		{"a warning that begins", Fact{Rule: "apiwarning", Severity: rules.Warning, Minors: ParseMinors("1.26")}, levelShouldAct, "1.26", false},
		{"a fight", Fact{Rule: "fieldfight", Severity: rules.Warning, Always: true}, levelShouldAct, "", false},
		{"a fight that is over", Fact{Rule: "fieldfight", Severity: rules.Info, Always: true}, levelInfo, "", false},
		{"only the server knows", Fact{Rule: "deprecatedapi", Severity: rules.Warning, Always: true, Planned: "1.30"}, levelShouldAct, "1.30", false},
	} {
		l, breaksAt, already := testUpgrade.classify(&c.fact)
		if l != c.level && !(c.level == levelInfo && l == levelInfo) || l > levelInfo && (breaksAt != c.breaksAt || already != c.already) {
			t.Errorf("%s: %d %q %v, want %d %q %v", c.name, l, breaksAt, already, c.level, c.breaksAt, c.already)
		}
	}
}

// facts returns facts about one API from every kind of source.
func facts(t testing.TB) []Fact {
	api := budget(t)
	gone := Fact{API: api, Rule: "removedapi", Severity: rules.Error, Minors: ParseMinors("1.25..1.26"), Replacement: "policy/v1 PodDisruptionBudget"}
	with := func(kind, name string, e Evidence) Fact {
		f := gone
		f.OwnerKind, f.OwnerName, f.Evidence = kind, name, e
		return f
	}
	var all []Fact
	for i := range 30 {
		all = append(all, with("manifest", "@web", Evidence{Source: "manifests", File: "web.yaml", Line: i + 1, Column: 1}))
	}
	all = append(all,
		with("manifest", "@web", Evidence{Source: "manifests", File: "web.yaml", Line: 1, Column: 1, Text: "again"}),
		with("audit", "scaler", Evidence{Source: "audit", File: "audit.log", Line: 7, Count: 2, LastSeen: "2026-11-21T10:00:00Z"}),
		with("audit", "other", Evidence{Source: "audit", File: "audit.log", Line: 9, Count: 1}),
	)
	metric := with("unknown", "somebody", Evidence{Source: "metrics", File: "metrics.txt"})
	metric.Attach = true
	old := with("manifest", "@web", Evidence{Source: "manifests", File: "web.yaml", Line: 99})
	old.Rule, old.Severity = "deprecatedapi", rules.Warning
	later := Fact{OwnerKind: "manifest", OwnerName: "@web", Subject: "v1 Pod metadata.annotations", Rule: "x", Severity: rules.Warning, Minors: ParseMinors("1.26")}
	return append(all, metric, old, later)
}

func TestMerge(t *testing.T) {
	r := testUpgrade.Merge(facts(t))
	if got := fmt.Sprint(r.Summary); got != fmt.Sprint(Summary{MustAct: 3, ShouldAct: 1, Owners: 3, Removed: r.Summary.Removed}) {
		t.Errorf("%+v", r.Summary)
	}
	var owners []string
	for _, o := range r.MustAct {
		owners = append(owners, o.Kind+" "+o.Name)
		for _, it := range o.Items {
			if it.Rule != "removedapi" || it.BreaksAt != "1.25" {
				t.Errorf("%s: %+v", o.Name, it)
			}
			metrics := slices.ContainsFunc(it.Evidence, func(e Evidence) bool { return e.Source == "metrics" })
			if metrics != (o.Kind == "audit") {
				t.Errorf("%s: with the metrics: %v", o.Name, metrics)
			}
		}
	}
	if want := []string{"audit other", "audit scaler", "manifest @web"}; !slices.Equal(owners, want) {
		t.Errorf("%q, want %q", owners, want)
	}
	// There are 31 places. In one of them, the API is only deprecated.
	if it := r.MustAct[2].Items[0]; len(it.Evidence) != maxEvidence || it.EvidenceLeft != 31-maxEvidence {
		t.Errorf("%d places and %d more", len(it.Evidence), it.EvidenceLeft)
	}
	for _, a := range r.NoEvidence {
		if a.Kind == "PodDisruptionBudget" {
			t.Error("what is used is listed as unused")
		}
	}
	if !slices.ContainsFunc(r.NoEvidence, func(a API) bool { return a.APIVersion == "batch/v1beta1" && a.RemovedIn == "1.25" }) || len(r.NoEvidence) != r.Summary.Removed-1 {
		t.Errorf("%+v", r.NoEvidence)
	}
}

func TestMergeOrder(t *testing.T) {
	all := facts(t)
	var first []byte
	for i := range 20 {
		rand.New(rand.NewPCG(1, uint64(i))).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var out bytes.Buffer
		if err := testUpgrade.Merge(all).Write("json", &out, Look{}); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
			validate(t, first)
		} else if !bytes.Equal(first, bytes.ReplaceAll(out.Bytes(), []byte(`"again"`), []byte(`""`))) && !bytes.Equal(first, out.Bytes()) {
			t.Fatalf("run %d differs", i)
		}
	}
}

// TestMetricsOfReaders checks that nobody must act if only clients that read all APIs
// send requests.
func TestMetricsOfReaders(t *testing.T) {
	f := Fact{OwnerKind: "audit", OwnerName: "collector", API: budget(t), Rule: "removedapi", Severity: rules.Info, Minors: ParseMinors("1.25..1.26")}
	metric := f
	metric.OwnerKind, metric.Severity, metric.Attach = "unknown", rules.Error, true
	if r := testUpgrade.Merge([]Fact{f, metric}); r.Summary.MustAct != 0 || r.Summary.Informational != 2 {
		t.Errorf("%+v", r.Summary)
	}
	if r := testUpgrade.Merge([]Fact{metric}); r.Summary.MustAct != 1 {
		t.Errorf("%+v", r.Summary)
	}
}

// TestHostile checks that hostile names are printed as plain text, without markup and
// control characters.
func TestHostile(t *testing.T) {
	evil := "\x1b[31m<script>alert(1)</script>\u202e\nline \"'&\xff::error::x"
	f := facts(t)[31]
	f.OwnerName, f.Text, f.Replacement = evil, evil, evil
	f.Evidence = Evidence{Source: "audit", File: evil, Line: 1, Object: evil, Text: evil, LastSeen: evil, Count: 1, Code: []Place{{File: evil, Line: 1, Text: evil}}}
	r := testUpgrade.Merge([]Fact{f})
	r.Sources = []Source{{Kind: "audit", Given: true, Text: evil, Gaps: []string{evil}}, {Kind: "code", Text: evil, Gaps: []string{}}}
	r.Unreadable = []Unreadable{{evil, evil}}
	r.Notes = []string{evil}
	for _, format := range Formats() {
		for _, look := range []Look{{}, {Verbose: true}} {
			var out bytes.Buffer
			if err := r.Write(format, &out, look); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			if format == "html" { // the page has a script of its own
				text = strings.Replace(text, "<script>"+webpage.Script()+"</script>", "", 1)
			}
			if format == "json" {
				validate(t, out.Bytes())
			}
			if strings.Contains(text, "<script") || strings.Contains(text, "\x1b") || format != "json" && (strings.Contains(text, "\u202e") || strings.Contains(text, "\xff")) {
				if format != "text" || strings.Contains(text, "\x1b") {
					t.Errorf("%s: %q", format, text)
				}
			}
			if format == "text" && strings.Count(text, "\n") != strings.Count(strings.ReplaceAll(text, evil, ""), "\n") {
				t.Errorf("a name breaks lines: %q", text)
			}
		}
	}
}

func TestParseMinors(t *testing.T) {
	for _, s := range []string{"", "1.25", "1.25..1.37", "1.16..1.18,1.22"} {
		if got := ParseMinors(s).String(); got != s {
			t.Errorf("%q: %q", s, got)
		}
	}
	if ParseMinors("nonsense,9.9") != 0 {
		t.Error("nonsense is a minor")
	}
}

// TestFights checks that one client's fights with different writers are separate items.
// Fights over many objects are one item. Items about fights come after items about
// versions.
func TestFights(t *testing.T) {
	fight := func(with, object string) Fact {
		return Fact{
			OwnerKind: "audit", OwnerName: "web", Subject: "deployments.apps spec.replicas", Rule: "fieldfight", Severity: rules.Warning, Always: true,
			Text: "fights with " + with, Evidence: Evidence{Source: "audit", File: "audit.log", Line: 1, Object: "deployments.apps " + object, Text: "6 reversals"},
		}
	}
	r := testUpgrade.Merge([]Fact{
		fight("scaler", "shop/web"), fight("argocd", "shop/web"), fight("argocd", "shop/db"),
		{OwnerKind: "audit", OwnerName: "web", Subject: "widgets", Rule: "deprecatedapi", Severity: rules.Warning, Always: true},
	})
	if len(r.ShouldAct) != 1 || r.Summary.ShouldAct != 3 {
		t.Fatalf("%+v", r.ShouldAct)
	}
	var got []string
	for _, it := range r.ShouldAct[0].Items {
		got = append(got, fmt.Sprintf("%s: %d", it.line(), len(it.Evidence)))
	}
	want := []string{
		"widgets: deprecated [deprecatedapi]: 1",
		"deployments.apps spec.replicas: fights with argocd [fieldfight]: 2",
		"deployments.apps spec.replicas: fights with scaler [fieldfight]: 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.ShouldAct[0].Items[1].Evidence[0].line(), "audit.log:1: deployments.apps shop/db: 6 reversals"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRefusedAlready checks an object that the old release refuses. A later release
// breaks it again only if the release removes its API.
func TestRefusedAlready(t *testing.T) {
	fact := func(rule, object, minors string) Fact {
		return Fact{
			OwnerKind: "manifest", OwnerName: "web", Subject: object + " " + rule, Rule: rule, Severity: rules.Error, Minors: ParseMinors(minors),
			Evidence: Evidence{Source: "manifests", File: "a.yaml", Line: 1, Object: object},
		}
	}
	r := testUpgrade.Merge([]Fact{
		fact("invalidfield", "Pod a", "1.20..1.30"), fact("invalidfield", "Pod a", "1.25..1.30"), fact("removedapi", "Pod a", "1.25..1.30"),
		fact("invalidfield", "Pod b", "1.25..1.30"),
	})
	var got []string
	for _, o := range r.MustAct {
		for _, it := range o.Items {
			got = append(got, it.Subject)
		}
	}
	if want := []string{"Pod a removedapi", "Pod b invalidfield"}; !slices.Equal(got, want) || r.Summary.ShouldAct != 1 || r.Summary.Informational != 1 {
		t.Errorf("%q, want %q; %+v", got, want, r.Summary)
	}
}

// TestCategories checks facts that have a category instead of a rule. They break in their
// first minor, and are not merged with other facts about the same name.
func TestCategories(t *testing.T) {
	way := Upgrade{From: 29, To: 33}
	flag := Fact{
		OwnerKind: "manifest", OwnerName: "etc", Category: "flag", Subject: "kube-apiserver --cloud-provider", Severity: rules.Error,
		Minors: ParseMinors("1.33..1.37"), Text: "it was removed", Replacement: "Remove the flag.", Reference: "https://example.com/options.go",
		Evidence: Evidence{Source: "manifests", File: "etc/api.yaml", Line: 4, Column: 5, Object: "v1 Pod kube-apiserver"},
	}
	deprecated := flag
	deprecated.Severity, deprecated.Minors, deprecated.Planned = rules.Warning, ParseMinors("1.29..1.37"), "1.35"
	deprecated.Subject = "kube-apiserver --apiserver-count"
	gate := flag
	gate.Category = "gate"
	rule := Fact{
		OwnerKind: "manifest", OwnerName: "etc", Rule: "invalidfield", Subject: "v1 Pod spec", Severity: rules.Error, Minors: ParseMinors("1.29..1.37"),
		Text: "wrong", Evidence: flag.Evidence,
	}
	r := way.Merge([]Fact{flag, deprecated, gate, rule})
	if r.Summary.MustAct != 2 || r.Summary.ShouldAct != 2 {
		t.Fatalf("summary: %+v", r.Summary)
	}
	it := r.MustAct[0].Items[0]
	if it.Category != "flag" || it.BreaksAt != "1.33" || it.Reference == "" || it.line() != "kube-apiserver --cloud-provider: breaks in 1.33: it was removed. Remove the flag. [flag]" {
		t.Errorf("%+v: %s", it, it.line())
	}
	if it := r.ShouldAct[0].Items[1]; it.Category != "flag" || it.BreaksAt != "1.35" || it.Already {
		t.Errorf("deprecated: %+v", it)
	}
	if it := r.ShouldAct[0].Items[0]; it.Category != "verdict" || !it.Already {
		t.Errorf("of a rule: %+v", it)
	}
}
