package runtests

import (
	"slices"
	"testing"
)

func TestModules(t *testing.T) {
	got, err := Modules("../..")
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != "." {
		t.Errorf("%s comes first, not the main module", got[0])
	}
	for _, dir := range []string{"beam", "analyzers/internal/signatures"} {
		if !slices.Contains(got, dir) {
			t.Errorf("%s is not in %q", dir, got)
		}
	}
	for _, dir := range []string{tools, "analyzers/testdata"} {
		if slices.Contains(got, dir) {
			t.Errorf("%s is in %q", dir, got)
		}
	}
}
