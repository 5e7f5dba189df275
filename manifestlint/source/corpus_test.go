package source

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// sharedData finds the data that is not part of the repository: below the
// directory that KUBEVET_SHARED names, or in shared/data beside the checkout.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	var roots []string
	if root := os.Getenv("KUBEVET_SHARED"); root != "" {
		roots = append(roots, filepath.Join(root, "data"), root)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		roots = append(roots, filepath.Join(dir, "shared", "data"))
	}
	for _, root := range roots {
		path := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("shared data is not here")
	return ""
}

// TestCorpus expands real repositories and reads what it finds.
func TestCorpus(t *testing.T) {
	for _, name := range []string{"corpus", "weird"} {
		t.Run(name, func(t *testing.T) {
			dir := sharedData(t, name)
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
			// What a file is must not depend on how it is named, except by a
			// kustomization beside it or in a sibling directory.
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
