package source

import (
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWalkAgainstWalkDir compares the inputs of overlapping arguments in random
// trees with the files that filepath.WalkDir finds.
func TestWalkAgainstWalkDir(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "b", "a.yaml", "a-b", "ab", "z.yml", "x.json", "X.YAML", "n.txt", "é", strings.Repeat("long", 40) + ".yaml"}
	for range 60 {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var dirs []string
		for range 30 {
			var name string
			for range random.IntN(5) {
				name = path.Join(name, "d"+words[random.IntN(len(words))])
			}
			write(t, dir, path.Join(name, words[random.IntN(len(words))]), "")
			if name != "" {
				dirs = append(dirs, name)
			}
		}
		working := ""
		if len(dirs) > 0 && random.IntN(2) == 0 {
			working = dirs[random.IntN(len(dirs))]
		}
		up := strings.Repeat("../", len(strings.FieldsFunc(working, func(r rune) bool { return r == '/' })))
		var args []string
		for range 1 + random.IntN(3) {
			arg := "."
			if len(dirs) > 0 {
				arg = dirs[random.IntN(len(dirs))]
			}
			switch random.IntN(3) {
			case 0:
				arg = filepath.ToSlash(filepath.Join(dir, arg))
			default:
				arg = path.Clean(up + arg)
			}
			args = append(args, arg)
		}
		in := filepath.Join(dir, working)
		var want []string
		seen := map[string]bool{}
		for _, arg := range args {
			root := filepath.FromSlash(arg)
			if !filepath.IsAbs(root) {
				root = filepath.Join(in, root)
			}
			var found []string
			err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
				ext := strings.ToLower(filepath.Ext(file))
				if err == nil && !d.IsDir() && !seen[file] && (ext == ".yaml" || ext == ".yml" || ext == ".json") {
					seen[file] = true
					rest, _ := filepath.Rel(root, file)
					found = append(found, path.Join(arg, filepath.ToSlash(rest)))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.SortFunc(found, compareNames)
			want = append(want, found...)
		}
		var got []string
		inputs, _ := Expand(args, Options{Dir: in, NoGitignore: true})
		for _, i := range inputs {
			got = append(got, i.Name)
			if err := compareReads(i); err != nil {
				t.Errorf("%s: %v", i.Name, err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q in %s: got\n%q\nwant\n%q", args, working, got, want)
		}
	}
}
