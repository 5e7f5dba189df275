package scene

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// TestRecorded checks that each server of a recorded scene has answers for all its
// objects and requests.
func TestRecorded(t *testing.T) {
	set := Load(t, filepath.Join("..", "..", "rules", "apiserver", "policy", "testdata", "oracle"))
	total := 0
	for _, server := range set.Servers {
		for i := range set.Scenes {
			s := &set.Scenes[i]
			a, ok := set.Answers(server, s.ID)
			if ok != s.IsFor(server) {
				t.Errorf("%s: %s was asked: %t", s.ID, server, ok)
				continue
			}
			if !ok {
				continue
			}
			if len(a.Context) != len(s.Context) || len(a.Requests) != len(s.Requests) {
				t.Errorf("%s: %s answered to %d objects and %d requests", s.ID, server, len(a.Context), len(a.Requests))
				continue
			}
			for j, r := range s.Requests {
				total++
				switch got := a.Requests[j]; {
				case got.ID != r.ID:
					t.Errorf("%s: answer %d of %s is to %s, not %s", s.ID, j, server, got.ID, r.ID)
				case got.Code < 400 && !json.Valid(got.Object):
					t.Errorf("%s, request %s: %s returned no object", s.ID, r.ID, server)
				case r.Unordered && !slices.IsSorted(got.Warnings):
					t.Errorf("%s, request %s: warnings of %s are not sorted", s.ID, r.ID, server)
				}
			}
		}
	}
	if total < 400 {
		t.Errorf("%d answers", total)
	}
}
