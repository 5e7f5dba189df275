package fix

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// parsedEntries is Document.Entries by way of the parser.
func parsedEntries(lines []byte, line, column int, list bool) *wire.Value {
	if bytes.ContainsAny(lines, "&*!?%") || bytes.Contains(lines, []byte("<<")) || bytes.Contains(lines, []byte("---")) || bytes.Contains(lines, []byte("...")) {
		return nil
	}
	around := column > 0 || list
	if around {
		lines = append([]byte("x:\n"), lines...)
		line--
	}
	var doc yaml.Node
	if yaml.Unmarshal(lines, &doc) != nil {
		return nil
	}
	v, twice, err := wire.YAML(&doc, lines, line)
	switch {
	case err != nil || len(twice) > 0:
		return nil
	case !around:
		return v
	case len(v.Fields) != 1:
		return nil
	}
	return v.Fields[0].Value
}

// compareSteps makes steps in a text one by one. After each, what follow lays
// out must be what the parser makes of the whole text. It gives how many there
// were, and how many of them follow could make.
func compareSteps(t *testing.T, text []byte, json bool, steps []conversion.Step, apart int) (all, followed int) {
	t.Helper()
	if !json && bytes.HasPrefix(text, []byte("%")) {
		return 0, 0
	}
	d := &Document{Text: text, JSON: json, Entries: parsedEntries}
	l, err := d.layout(text, &room{})
	if err != nil {
		return 0, 0
	}
	var p pieces
	p.begin(text)
	r := l.room
	for _, s := range steps {
		made, err := l.edits(s)
		if err != nil {
			return all, followed
		}
		if len(made) == 0 {
			continue
		}
		if p.apply(made) != nil {
			return all, followed
		}
		now := r.text(&p)
		all++
		want, err := d.layout(bytes.Clone(now), &room{})
		if !l.follow(d, made, now, apart) {
			if err != nil {
				return all, followed
			}
			l, want.room = want, r
			l.text = now
			continue
		}
		followed++
		if err != nil {
			t.Fatalf("%q, %v: followed %v to %q, which does not parse: %v", text, s, made, now, err)
		}
		if why := unlike(l, want); why != "" {
			t.Fatalf("%q, %v: %v made %q: %s", text, s, made, now, why)
		}
	}
	return all, followed
}

// FuzzFollow holds the layout of what a step changes to that of everything.
func FuzzFollow(f *testing.F) {
	for _, seed := range seeds {
		for i := range uint64(16) {
			f.Add([]byte(seed), i, false)
			f.Add([]byte(seed), i, true)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, json bool) {
		if len(text) > 4096 || !utf8.Valid(text) {
			return
		}
		root, err := Document{Text: text, JSON: json}.Parse()
		if err != nil || root.Kind != wire.Map {
			return
		}
		compareSteps(t, text, json, drawn(rand.New(rand.NewPCG(seed, 3)), root), int(seed%2)*farApart)
	})
}

// TestFollow tells how often steps are followed: all must not be read anew.
func TestFollow(t *testing.T) {
	text := []byte("apiVersion: v1\nmetadata:\n  name: x # note\n  labels: {a: b, c: d}\nspec:\n  list:\n  - a: 1\n    b: two\n  - c: |\n      text\n  # end\n  map:\n    deep:\n      er: x\n")
	root, err := Document{Text: text}.Parse()
	if err != nil {
		t.Fatal(err)
	}
	all, followed := 0, 0
	for seed := range uint64(2000) {
		n, m := compareSteps(t, text, false, drawn(rand.New(rand.NewPCG(seed, 4)), root), int(seed%2)*farApart)
		all += n
		followed += m
	}
	if t.Logf("%d of %d steps", followed, all); followed*10 < all*7 {
		t.Errorf("only %d of %d steps were followed", followed, all)
	}
}

// TestFollowJSON is TestFollow for JSON, on one line and on many.
func TestFollowJSON(t *testing.T) {
	for _, text := range []string{
		`{"a": {"b": [1, {"c": "d"}, []], "ä": {"e": {}}}, "f": [{"g": {"h": "i"}}, {"g": {"h": "j"}}]}`,
		"{\n  \"a\": {\n    \"b\": [\n      1,\n      {\n        \"c\": \"d\"\n      }\n    ],\n    \"e\": {}\n  },\n  \"f\": [\n    {\"g\": {\"h\": 1}}\n  ]\n}\n",
	} {
		root, err := Document{Text: []byte(text), JSON: true}.Parse()
		if err != nil {
			t.Fatal(err)
		}
		all, followed := 0, 0
		for seed := range uint64(2000) {
			n, m := compareSteps(t, []byte(text), true, drawn(rand.New(rand.NewPCG(seed, 6)), root), farApart)
			all += n
			followed += m
		}
		if t.Logf("%d of %d steps", followed, all); followed*3 < all {
			t.Errorf("only %d of %d steps were followed", followed, all)
		}
	}
}

// TestFollowCorpus makes steps in real files, where they are.
func TestFollowCorpus(t *testing.T) {
	root := os.Getenv("KUBEVET_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	all, followed := 0, 0
	r := rand.New(rand.NewPCG(1, 5))
	err := filepath.WalkDir(filepath.Join(root, "data", "corpus"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") || r.IntN(4) > 0 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range bytes.SplitAfter(data, []byte("\n---\n")) {
			if text = bytes.TrimSuffix(text, []byte("---\n")); len(text) > 20_000 {
				continue
			}
			if tree, err := (Document{Text: text}).Parse(); err == nil && tree.Kind == wire.Map {
				n, m := compareSteps(t, text, false, drawn(r, tree), r.IntN(2)*farApart)
				all += n
				followed += m
			}
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	if t.Logf("%d of %d steps", followed, all); followed*2 < all {
		t.Errorf("only %d of %d steps were followed", followed, all)
	}
}
