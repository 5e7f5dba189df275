// Package corpustest finds external data for tests: recorded audit logs, public manifests
// and answers of API servers. The data is too large for the repository. docs/testing.md
// describes its directory.
package corpustest

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable is the name of the environment variable with the directory of the data.
const Variable = "KUBEVET_CORPUS"

// Path returns the path of a file or directory in the data. It skips the test if the
// variable is not set, or if the file does not exist.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir := Dir(t)
	if dir == "" {
		t.Skip(Variable + " is not set")
	}
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s lacks it: %v", Variable, err)
	}
	return path
}

// Dir returns the directory of the data. It returns "" if the variable is not set.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(Variable)
	if dir != "" && !filepath.IsAbs(dir) {
		t.Fatalf("%s must be an absolute path, not %q: tests run in the directories of their packages", Variable, dir)
	}
	return dir
}
