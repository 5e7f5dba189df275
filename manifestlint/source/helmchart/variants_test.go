package helmchart

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestVariantsCombine checks that each values file of the chart is used alone,
// and that each file in ci/ is combined with each other values file. The
// caller's values override all of them.
func TestVariantsCombine(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n")
	write("values.yaml", "a: 1\nb: 1\nc: 1\n")
	write("values-prod.yaml", "a: 2\nb: 2\n")
	write("ci/x-values.yaml", "a: 3\n")
	write("ci/notes.txt", "a: 4\n")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c, err := ReadDir(root, ".", "web", nil)
	if err != nil {
		t.Fatal(err)
	}
	given := &Values{}
	given.AddSet(Set, "c=9")
	var got []string
	for _, v := range c.Variants(given) {
		m, err := v.merge()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(m["a"], m["b"], m["c"]))
	}
	if want := []string{"3 <nil> 9", "2 2 9", "3 2 9"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
