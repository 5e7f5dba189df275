package goload

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestReread checks that Reread returns an error for a file that has changed after the
// analysis.
func TestReread(t *testing.T) {
	dir := write(t, module+"-- a.go --\npackage a\n")
	r, err := Run(t.Context(), Options{Dir: dir, Env: offline(), Analyzers: []*analysis.Analyzer{calls()}})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a.go")
	if text, err := r.Reread(name); err != nil || string(text) != "package a\n" {
		t.Errorf("text = %q, %v", text, err)
	}
	if err := os.WriteFile(name, []byte("package a // and more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Reread(name); err == nil {
		t.Error("no error for a file that changed")
	}
	if _, err := r.Reread(filepath.Join(dir, "go.mod")); err == nil {
		t.Error("no error for a file that was not analysed")
	}
}
