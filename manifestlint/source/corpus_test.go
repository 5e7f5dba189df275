package source

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// corpus returns a directory below KUBEVET_CORPUS. It skips the test if the
// directory does not exist.
func corpus(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("KUBEVET_CORPUS")
	if root == "" {
		t.Skip("KUBEVET_CORPUS is not set")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skip(err)
	}
	return dir
}

// TestCorpus expands real repositories and reads all inputs.
func TestCorpus(t *testing.T) {
	for _, name := range []string{"corpus", "weird"} {
		t.Run(name, func(t *testing.T) {
			dir := corpus(t, name)
			inputs, problems := Expand([]string{"."}, Options{Dir: dir})
			for _, p := range problems {
				t.Error(p)
			}
			if len(inputs) == 0 {
				t.Fatal("no inputs")
			}
			counts := map[string]int{}
			byName := map[string]Input{}
			var r Reader
			defer r.Close()
			for i, in := range inputs {
				if i > 0 && compareNames(inputs[i-1].Name, in.Name) >= 0 {
					t.Errorf("%s does not come before %s", inputs[i-1].Name, in.Name)
				}
				if _, err := r.Read(in, 1<<26); err != nil {
					t.Error(err)
				}
				counts["inputs"]++
				if in.Partial.As != "" {
					counts[in.Partial.As]++
				}
				if in.Template != "" {
					counts["templates"]++
				}
				if in.Kustomization {
					counts["kustomizations"]++
				}
				byName[in.Name] = in
			}
			for _, key := range slices.Sorted(maps.Keys(counts)) {
				t.Logf("%-24s %d", key, counts[key])
			}
			// An input must be equal if its file is the argument instead of its
			// directory, unless a kustomization beside it or in a sibling directory
			// uses the file.
			for _, in := range inputs {
				one, problems := Expand([]string{in.Name}, Options{Dir: dir})
				if len(one) != 1 || len(problems) > 0 {
					t.Fatalf("%s by name: %v, %v", in.Name, one, problems)
				}
				if one[0].Template != in.Template || one[0].Kustomization != in.Kustomization {
					t.Errorf("%s by name: %+v\nin its tree: %+v", in.Name, one[0], in)
				}
				if one[0].Partial != in.Partial {
					t.Logf("%s: %+v by name, %+v in its tree", in.Name, one[0].Partial, in.Partial)
				}
			}
		})
	}
}
