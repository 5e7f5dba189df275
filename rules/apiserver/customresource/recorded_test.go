package customresource

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// recordedCase is a request that was sent to real servers.
type recordedCase struct {
	ID     string
	Op     string            // create if empty
	Method string            // where it differs from that of Op
	Setup  []json.RawMessage // objects that were made before
	Obj    json.RawMessage   // the body, or
	Raw    string            // the body where it is no JSON value of its own
	Query  *string
}

// recordedAnswer is what one server answered.
type recordedAnswer struct {
	ID       string
	Code     int
	Warnings []string // Warning headers
	Message  string
	Causes   []struct{ Field, Message string }
}

// readLines reads a compressed file of JSON lines.
func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	var all []T
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		all = append(all, one)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return all
}

// sharedOracle is a larger collection of the same cases and answers, if there
// is one beside the repository.
func sharedOracle() string {
	roots := []string{os.Getenv("KUBEVET_SHARED")}
	dir, _ := os.Getwd()
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		roots = append(roots, filepath.Join(dir, "shared"))
	}
	for _, root := range roots {
		for _, name := range []string{filepath.Join(root, "data", "oracle"), filepath.Join(root, "oracle")} {
			if _, err := os.Stat(filepath.Join(name, "answers")); root != "" && err == nil {
				return name
			}
		}
	}
	return ""
}

// minorOf reads the minor from a name such as answers-1.32.jsonl.gz.
func minorOf(t *testing.T, name string) lifecycle.Minor {
	_, minor, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".jsonl.gz"), "1.")
	minor, _, _ = strings.Cut(minor, "-")
	n, err := strconv.Atoi(minor)
	if err != nil {
		t.Fatalf("%s: no minor: %v", name, err)
	}
	return lifecycle.Minor(n)
}

// TestRecordedAnswers replays the requests against the definitions that were
// made before them.
func TestRecordedAnswers(t *testing.T) {
	replay(t, readLines[recordedCase](t, "testdata/cases.jsonl.gz"), "testdata/answers-*.jsonl.gz")
	if dir := sharedOracle(); dir != "" {
		replay(t, readLines[recordedCase](t, filepath.Join(dir, "cases", "crd.jsonl.gz")), filepath.Join(dir, "answers", "*.jsonl.gz"))
	}
}

func replay(t *testing.T, cases []recordedCase, answers string) {
	names, _ := filepath.Glob(answers)
	if len(names) == 0 {
		t.Fatal("no recorded answers")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".jsonl.gz"), func(t *testing.T) {
			recorded := map[string]recordedAnswer{}
			for _, a := range readLines[recordedAnswer](t, name) {
				recorded[a.ID] = a
			}
			p := player{server: apiserver.Server{Minor: minorOf(t, name)}, definitions: map[string]*Definition{}, stored: map[string]*wire.Value{}}
			compared := 0
			for _, c := range cases {
				compared += p.play(t, c, recorded)
			}
			t.Logf("%d answers compared", compared)
		})
	}
}

// player is a server with what was stored in it.
type player struct {
	server      apiserver.Server
	definitions map[string]*Definition // by group/kind
	stored      map[string]*wire.Value // by kind/name
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

func (p *player) play(t *testing.T, c recordedCase, recorded map[string]recordedAnswer) (compared int) {
	text := string(c.Obj)
	if c.Raw != "" {
		text = c.Raw
	}
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
		r.Old, r.New = old, mergePatch(old, obj)
	}
	if c.Query != nil && *c.Query == "" { // not a dry run
		p.stored[key] = r.New
		if d, ok := Read(r.New); ok {
			p.definitions[d.Group+"/"+d.Kind] = d
		}
		return 0
	}
	want, ok := recorded[c.ID]
	if !ok || want.Code == http.StatusNotFound && r.APIVersion == "apiextensions.k8s.io/v1beta1" {
		return 0 // another verdict's matter
	}
	var got apiserver.Answer
	if r.Kind == "CustomResourceDefinition" {
		got.Causes = DefinitionCauses(p.server, r)
		want.Warnings = nil
	} else {
		group, _ := SplitGroupVersion(r.APIVersion)
		got = Answer(p.server, p.definitions[group+"/"+r.Kind], r)
	}
	if diff := diffAnswers(want, got); diff != "" {
		t.Errorf("%s (-server +verdict):\n%s", c.ID, diff)
	}
	return 1
}

func diffAnswers(want recordedAnswer, got apiserver.Answer) string {
	type answer struct {
		Code             int
		Warnings, Causes []string
	}
	var w, g answer
	for _, header := range want.Warnings {
		text := strings.TrimPrefix(header, "299 - ")
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
		w.Warnings = append(w.Warnings, text)
	}
	for _, c := range want.Causes {
		w.Causes = append(w.Causes, c.Field+": "+c.Message)
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
	// The server goes through maps of fields in random order.
	slices.Sort(w.Causes)
	slices.Sort(g.Causes)
	return cmp.Diff(w, g)
}

// mergePatch is RFC 7396.
func mergePatch(old, patch *wire.Value) *wire.Value {
	if patch == nil || patch.Kind != wire.Map {
		return patch
	}
	merged := &wire.Value{Kind: wire.Map}
	if old != nil && old.Kind == wire.Map {
		merged.Fields = slices.Clone(old.Fields)
	}
	for _, f := range patch.Fields {
		if i := slices.IndexFunc(merged.Fields, func(g wire.Field) bool { return g.Name == f.Name }); f.Value.IsNull() {
			if i >= 0 {
				merged.Fields = slices.Delete(merged.Fields, i, i+1)
			}
		} else if i >= 0 {
			merged.Fields[i].Value = mergePatch(merged.Fields[i].Value, f.Value)
		} else {
			merged.Fields = append(merged.Fields, wire.Field{Name: f.Name, Value: mergePatch(nil, f.Value)})
		}
	}
	return merged
}
