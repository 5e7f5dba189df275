// Package recorded finds, for tests, data that lies beside the repository
// rather than in it: recorded logs of real servers, samples of vendors' shapes.
package recorded

import (
	"os"
	"path/filepath"
	"testing"
)

// Path gives the path of such data. It is looked for below the directory that
// KUBEVET_SHARED names, or shared beside a parent of the working directory.
// Where it is not, the test is skipped.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir := Dir()
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); dir == "" || err != nil {
		t.Skip("no data beside the repository")
	}
	return path
}

// Dir gives the directory that all such data is in; "" where there is none.
func Dir() string {
	if root := os.Getenv("KUBEVET_SHARED"); root != "" {
		return filepath.Join(root, "data")
	}
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		data := filepath.Join(dir, "shared", "data")
		if _, err := os.Stat(data); err == nil {
			return data
		}
	}
	return ""
}
