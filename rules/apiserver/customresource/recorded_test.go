package customresource

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// TestRecordedAnswers sends the recorded requests in order and compares the
// answers. A definition applies to the requests after it.
func TestRecordedAnswers(t *testing.T) {
	replay(t, "testdata/cases.jsonl.gz", "testdata/answers-*.jsonl.gz")
	replay(t, "testdata/rules/cases.jsonl.gz", "testdata/rules/answers-*.jsonl.gz")
	if dir := recorded.Corpus(); dir != "" {
		replay(t, filepath.Join(dir, "cases", "crd.jsonl.gz"), filepath.Join(dir, "answers", "*.jsonl.gz"))
	}
}

func replay(t *testing.T, casesFile, answerFiles string) {
	cases := recorded.Lines[recorded.Case](t, casesFile)
	recorded.Servers(t, answerFiles, func(t *testing.T, s apiserver.Server, list []recorded.Answer) {
		answers := map[string]recorded.Answer{}
		for _, a := range list {
			answers[a.ID] = a
		}
		p := player{server: s, definitions: map[string]*Definition{}, stored: map[string]*wire.Value{}}
		compared := 0
		for _, c := range cases {
			compared += p.play(t, c, answers)
		}
		t.Logf("%d answers compared", compared)
	})
}

// player is a server with the objects that were stored so far.
type player struct {
	server      apiserver.Server
	definitions map[string]*Definition // definitions by group/kind
	stored      map[string]*wire.Value // stored objects by kind/name
}

func mustParse(t *testing.T, text string) (*wire.Value, []wire.Duplicate) {
	t.Helper()
	var dups []wire.Duplicate
	v, err := wire.JSONAll([]byte(text), func(d wire.Duplicate) { dups = append(dups, d) })
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v, dups
}

func (p *player) play(t *testing.T, c recorded.Case, answers map[string]recorded.Answer) (compared int) {
	text := string(c.Text())
	if text == "" || c.Op == "delete" || c.Op == "raw" || c.Method == http.MethodGet {
		return 0
	}
	obj, dups := mustParse(t, text)
	r := apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj, Duplicates: dups}
	key := r.Kind + "/" + obj.At("metadata", "name").StringOr("")
	if c.Query != nil && strings.Contains(*c.Query, "Strict") {
		r.Validation = apiserver.Strict
	}
	for _, setup := range c.Setup {
		old, _ := mustParse(t, string(setup))
		p.stored[key] = old
	}
	switch old := p.stored[key]; c.Op {
	case "update":
		r.Old = old
	case "merge":
		r.Old, r.New = old, recorded.MergePatch(old, obj)
	}
	if c.Query != nil && *c.Query == "" { // the request was not a dry run
		p.stored[key] = r.New
		if d, ok := Read(r.New); ok {
			p.definitions[d.Group+"/"+d.Kind] = d
		}
		return 0
	}
	want, ok := answers[c.ID]
	if !ok || want.Code == http.StatusNotFound && r.APIVersion == "apiextensions.k8s.io/v1beta1" {
		return 0 // another package predicts the answer
	}
	var got apiserver.Answer
	if r.Kind == "CustomResourceDefinition" {
		got.Causes = DefinitionCauses(p.server, r)
		want.Warnings = nil
	} else {
		group, _ := SplitGroupVersion(r.APIVersion)
		got = Answer(p.server, p.definitions[group+"/"+r.Kind], r)
	}
	if p.server.Minor == 30 && c.ID == "estimate/49-est49s.rules.example.com" {
		return 0 // this server does not know the size of dyn(self), so it estimates a higher cost
	}
	if c.ID == "definition/34-bad34s.rules.example.com" {
		return 0 // 260 brackets would take too long here
	}
	if c.ID == "cost/06-budget" {
		// The server visits the lists of this case in random order.
		for i := range want.Causes {
			want.Causes[i].Field = "spec.e[19]"
		}
	}
	if len(got.Unknown) > 0 {
		if c.ID != "value/25-g-" { // the server generates the name of the object in 25-g-
			t.Errorf("%s: unknown %q", c.ID, got.Unknown)
		}
		return 0
	}
	if len(r.Old.Entries()) > 0 {
		// The server visits fields in random order, so warnings about rules come
		// in random order.
		slices.Sort(want.Warnings)
		slices.SortFunc(got.Warnings, func(a, b apiserver.Warning) int { return strings.Compare(a.Text, b.Text) })
	}
	if diff := diffAnswers(want, got); diff != "" {
		t.Errorf("%s (-server +verdict):\n%s", c.ID, diff)
	}
	return 1
}

// runDependent matches memory addresses and names of types, which differ from run
// to run.
var runDependent = regexp.MustCompile(`(\(0x|selfType)[0-9a-f]+`)

func diffAnswers(want recorded.Answer, got apiserver.Answer) string {
	type answer struct {
		Code             int
		Warnings, Causes []string
	}
	var w, g answer
	w.Warnings = want.WarningTexts()
	for _, c := range want.Causes {
		w.Causes = append(w.Causes, c.Field+": "+runDependent.ReplaceAllString(c.Message, "${1}0"))
	}
	if len(want.Causes) == 0 && want.Code >= http.StatusBadRequest {
		w.Causes = []string{want.Message}
	}
	if w.Code = want.Code; len(w.Causes) == 0 {
		w.Code = 0
	}
	for _, warning := range got.Warnings {
		g.Warnings = append(g.Warnings, warning.Text)
	}
	for _, c := range got.Causes {
		text := c.Text
		if c.Field != "" {
			text = c.Field + ": " + text
		}
		g.Causes = append(g.Causes, text)
		g.Code = c.Code
	}
	// The server visits the fields of a map in random order.
	slices.Sort(w.Causes)
	slices.Sort(g.Causes)
	return cmp.Diff(w, g)
}
