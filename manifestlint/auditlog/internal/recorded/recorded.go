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
	root := os.Getenv("KUBEVET_SHARED")
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; root == "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	path := filepath.Join(append([]string{root, "data"}, elem...)...)
	if _, err := os.Stat(path); root == "" || err != nil {
		t.Skip("no data beside the repository")
	}
	return path
}
