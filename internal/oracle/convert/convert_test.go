package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/release"
)

const cases, answers = "cases", "../../../rules/apiserver/conversion/testdata/oracle"

// TestRecorded compares the recorded conversions with the cases. A release with an answer
// must have answered all cases in their present form.
func TestRecorded(t *testing.T) {
	questions, err := readQuestions(cases)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]question{}
	for _, q := range questions {
		byID[q.ID] = q
	}
	files, err := filepath.Glob(filepath.Join(answers, "conversions-*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded answers: %v", err)
	}
	answered := map[string]bool{}
	for _, file := range files {
		all, err := oracle.ReadLines[conversion](file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			q, ok := byID[c.ID]
			if !ok {
				t.Errorf("%s: no case %s", file, c.ID)
				continue
			}
			if !equal(t, q.Obj, c.From) {
				t.Errorf("%s: %s is not what the case is now", file, c.ID)
			}
			if (c.Code < 400) != (c.To != nil) {
				t.Errorf("%s: %s: code %d and answer %s", file, c.ID, c.Code, c.To)
			}
			answered[c.ID] = true
		}
	}
	for _, q := range questions {
		if !answered[q.ID] {
			t.Errorf("%s has no answer", q.ID)
		}
	}
	for _, version := range release.Converting() {
		if _, err := oracle.ReadLines[conversion](filepath.Join(answers, "conversions-"+release.Minor(version)+".jsonl.gz")); err != nil {
			t.Errorf("the answers of %s: %v", version, err)
		}
	}
}

// TestByCode compares the results of the newest release's code with the answers of
// servers, for the cases that have both. Servers that serve two versions of a kind must
// convert like the code.
func TestByCode(t *testing.T) {
	all, err := oracle.ReadLines[conversion](filepath.Join(answers, "conversions-1.31.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, server := range all {
		if server.Code >= 400 {
			continue
		}
		code, ok, err := byCode(question{ID: server.ID, To: server.ToVersion, Obj: server.From})
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		compared++
		if !equal(t, code.To, server.To) || !equal(t, code.DefaultedFrom, server.DefaultedFrom) {
			t.Errorf("%s: the code says\n%s\n%s\nthe server\n%s\n%s", server.ID, code.DefaultedFrom, code.To, server.DefaultedFrom, server.To)
		}
	}
	if compared < 8 {
		t.Errorf("%d conversions compared", compared)
	}
}

func equal(t *testing.T, a, b []byte) bool {
	t.Helper()
	if a == nil || b == nil {
		return len(a) == len(b)
	}
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
