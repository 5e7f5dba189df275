package main

import (
	"slices"
	"strings"
	"testing"
)

// TestClientLabels checks that each label names a listed module and an expected result.
func TestClientLabels(t *testing.T) {
	list, err := readLines[module]("testdata/clients.modules.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"*"}
	for _, m := range list {
		names = append(names, m.Name)
		if (m.Version == "") == (m.Commit == "") || (m.Git == "") != (m.Commit == "") {
			t.Errorf("%s: either a version, or a repository and a commit", m.Name)
		}
	}
	labels, err := readLines[clientLabel]("testdata/labels/clients.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	found, silent := map[string]bool{}, 0
	for _, l := range labels {
		key := l.Module + " " + l.Agent + " " + l.Verb + " " + l.API
		if !slices.Contains(names, l.Module) {
			t.Errorf("%s: no such module", key)
		}
		if l.Silent != (l.Program == "") || l.Silent && len(l.At)+len(l.Right) > 0 || l.Why == "" || l.Verb == "" || !strings.Contains(l.API, " ") {
			t.Errorf("%s: not labelled in full", key)
		}
		if l.Silent {
			silent++
		} else {
			found[l.Module] = true
		}
	}
	if len(found) < 12 || silent < 20 {
		t.Errorf("clients of %d modules, and %d to be silent about", len(found), silent)
	}
}
