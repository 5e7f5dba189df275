package golangci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleModule copies testdata/sample to a new module and returns its directory. The
// client libraries are the stubs from the tests of the rules.
func sampleModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "sample"))); err != nil {
		t.Fatal(err)
	}
	stubs := filepath.Join("..", "analyzers", "testdata")
	mod, err := os.ReadFile(filepath.Join(stubs, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(filepath.Join(stubs, "stubs"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(mod), "./stubs/", filepath.ToSlash(abs)+"/")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// offline returns the environment for commands in the sample.
func offline() []string {
	return append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-mod=mod")
}
