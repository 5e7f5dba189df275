package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
)

// TestLabels checks that each label names a listed module and can be compared with
// results.
func TestLabels(t *testing.T) {
	list, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	drawnFrom := map[string]int{}
	for _, m := range list {
		drawnFrom[m.Name] = m.Draw
		if (m.Version == "") == (m.Commit == "") || (m.Git == "") != (m.Commit == "") {
			t.Errorf("%s: either a version, or a repository and a commit", m.Name)
		}
	}
	var known []string
	for _, a := range analyzers.All() {
		known = append(known, a.Name)
	}
	labels, err := readLines[label]("testdata/labels/draw.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	perModule, seen, writes := map[string]int{}, map[string]bool{}, 0
	for _, l := range labels {
		key := l.Module + " " + l.At
		if seen[key] {
			t.Errorf("%s is labelled twice", key)
		}
		seen[key] = true
		perModule[l.Module]++
		if strings.Count(l.At, ":") != 2 {
			t.Errorf("%s: want file:line:column", key)
		}
		if !slices.Contains([]string{"client", "wrapper", "none"}, l.Kind) {
			t.Errorf("%s: kind %q", key, l.Kind)
		}
		if l.Kind == "client" {
			writes++
			if l.Family == "" || l.Verb == "" || l.Manager == "" || l.DryRun == "" {
				t.Errorf("%s is not labelled in full", key)
			}
		}
		for rule := range l.Find {
			if !slices.Contains(known, rule) {
				t.Errorf("%s: no rule is called %q", key, rule)
			}
		}
	}
	if writes < 400 {
		t.Errorf("%d labelled writes, want 400 at least", writes)
	}
	for name, n := range perModule {
		if n > drawnFrom[name] {
			t.Errorf("%s: %d labels, %d were to be drawn", name, n, drawnFrom[name])
		}
	}

	spots, err := places()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spots {
		if s.Expect != "silent" && (s.Expect != "flag" || s.Rule == "") {
			t.Errorf("%s %s: expect %q, rule %q", s.Module, s.At, s.Expect, s.Rule)
		}
	}
	if _, err := readLines[judgement]("testdata/labels/findings.jsonl"); err != nil {
		t.Error(err)
	}
}

func TestModulesByName(t *testing.T) {
	if got, err := modules("helm", "velero"); err != nil || len(got) != 2 || got[0].Name != "helm" {
		t.Errorf("modules(helm, velero) = %v, %v", got, err)
	}
	if _, err := modules("helm", "nobody"); err == nil {
		t.Error("a module that is not listed is no error")
	}
}

// TestDrawn checks that the sample of a module depends only on the seed, the name of the
// module and its calls.
func TestDrawn(t *testing.T) {
	var all []site
	for _, r := range "abcdefghij" {
		all = append(all, site{Module: "m", At: string(r) + ":1:1"})
	}
	m := module{Name: "m", Draw: 4}
	first, second := drawn(m, all, 1), drawn(m, all, 1)
	if len(first) != 4 || !slices.Equal(first, second) {
		t.Errorf("two draws differ: %v, %v", first, second)
	}
	if !slices.IsSortedFunc(first, func(a, b site) int { return strings.Compare(a.At, b.At) }) {
		t.Errorf("%v is not sorted", first)
	}
	if got := drawn(module{Name: "m", Draw: 20}, all, 1); len(got) != len(all) {
		t.Errorf("%d of %d calls drawn, all were wanted", len(got), len(all))
	}
}

func TestCovers(t *testing.T) {
	for _, test := range []struct {
		place, at string
		want      bool
	}{
		{"a/b.go:10", "a/b.go:10:3", true},
		{"a/b.go:10", "a/b.go:101:3", false},
		{"a/b.go:1", "a/b.go:10:3", false},
		{"a/b.go", "a/b.go:10:3", true},
		{"a/b.go", "a/b.go2:10:3", false},
		{"a/**", "a/b/c.go:1:1", true},
		{"a/**", "ab/c.go:1:1", false},
	} {
		if got := covers(test.place, test.at); got != test.want {
			t.Errorf("covers(%q, %q) = %t", test.place, test.at, got)
		}
	}
}

func TestSameSetting(t *testing.T) {
	for _, test := range []struct {
		want, own, whole string
		answer           int
	}{
		{"unset", "unset", "unknown", 1},
		{"unset", "unknown", "unknown", 0},
		{"unset", "set=me", "set=me", -1},
		{"set:me", "set=me", "set=me", 1},
		{"set:me", "set=you", "set=you", -1},
		{"set:me", "set", "set", 1},
		{"set:All?", "set=[All]?", "set=[All]?", 1},
		{"passed", "passed:opts", "passed:opts", 1},
		{"passed", "set:dryRun", "set:dryRun", 1},
		{"passed", "set=me", "set=me", -1},
		{"client", "unset", "set=[All](client)", 1},
		{"client", "unset", "unknown", 0},
		{"client", "unset", "unset", -1},
	} {
		if got := sameSetting(test.want, test.own, test.whole); got != test.answer {
			t.Errorf("sameSetting(%q, %q, %q) = %d, want %d", test.want, test.own, test.whole, got, test.answer)
		}
	}
}
