package fixset

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	f := File{Name: "/abs/a.go", Old: []byte("package a\n\nvar x = 1\n"), New: []byte("package a\n\nvar x = 2\n")}
	want := "diff a.go a.go\n--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n package a\n \n-var x = 1\n+var x = 2\n"
	if diff := cmp.Diff(want, f.Diff("a.go")); diff != "" {
		t.Error(diff)
	}
}

func TestReadError(t *testing.T) {
	var s Set
	s.Add([]Edit{{"a.go", 0, 0, "x"}})
	gone := errors.New("gone")
	if _, err := s.Apply(func(string) ([]byte, error) { return nil, gone }, nil); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
