package revision

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// repository creates a git repository with one commit of these files.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "init", "-q")
	run(t, dir, "add", "-f", ".")
	run(t, dir, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--no-gpg-sign", "-m", "x")
	return dir
}

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// files returns the paths of all files in a copy.
func files(t *testing.T, c *Copy) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(c.root, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func TestExtract(t *testing.T) {
	dir := repository(t, map[string]string{
		"a.yaml": "old", "b.txt": "x", "kustomization.yaml": "k", "app/c.YML": "x", "app/sub/d.json": "{}", "app/sub/.gitignore": "x", "app/Dockerfile": "x",
		"other/e.yaml": "x", "other/kustomization.yaml": "x", "with space/ünï.yaml": "x",
	})
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("new"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		from    string
		paths   []string
		want    []string
		outside []string
	}{
		{".", []string{"."}, []string{"a.yaml", "app/c.YML", "app/sub/.gitignore", "app/sub/d.json", "kustomization.yaml", "other/e.yaml", "other/kustomization.yaml", "with space/ünï.yaml"}, nil},
		{".", []string{"app"}, []string{"app/c.YML", "app/sub/.gitignore", "app/sub/d.json", "kustomization.yaml"}, nil},
		{"app", []string{"sub", "../b.txt"}, []string{"app/sub/.gitignore", "app/sub/d.json", "b.txt", "kustomization.yaml"}, nil},
		{".", []string{"app/s*/*.json"}, []string{"app/c.YML", "app/sub/.gitignore", "app/sub/d.json", "kustomization.yaml"}, nil},
		{".", []string{"-", filepath.Join(dir, "other"), filepath.Dir(dir)}, []string{"kustomization.yaml", "other/e.yaml", "other/kustomization.yaml"}, []string{"-", filepath.Dir(dir)}},
		{".", []string{"gone"}, []string{"kustomization.yaml"}, nil},
	} {
		c, err := Extract(context.Background(), filepath.Join(dir, tt.from), "HEAD", tt.paths, nil)
		if err != nil {
			t.Errorf("%q: %v", tt.paths, err)
			continue
		}
		if diff := cmp.Diff(tt.want, files(t, c)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.paths, diff)
		}
		if diff := cmp.Diff(tt.outside, c.Outside); diff != "" {
			t.Errorf("%q outside (-want +got):\n%s", tt.paths, diff)
		}
		if text, err := os.ReadFile(filepath.Join(c.root, "a.yaml")); err == nil && string(text) != "old" {
			t.Errorf("a.yaml is %q", text)
		}
		for _, arg := range c.Args {
			if filepath.IsAbs(arg) && !strings.HasPrefix(arg, c.root) {
				t.Errorf("%s is not in the copy", arg)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(c.root); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the copy is still there: %v", err)
		}
	}
}

func TestExtractErrors(t *testing.T) {
	dir := repository(t, map[string]string{"a.yaml": "x"})
	for _, rev := range []string{"nope", "-p", "--output=x", "HEAD..HEAD", "", "HEAD:a.yaml", "HEAD\nHEAD"} {
		if c, err := Extract(context.Background(), dir, rev, []string{"."}, nil); !errors.Is(err, ErrUnknown) {
			t.Errorf("%q: %v, %v", rev, c, err)
		}
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := Extract(context.Background(), dir, "HEAD", []string{"."}, nil); !errors.Is(err, ErrNoRepository) {
		t.Errorf("without a repository: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Extract(context.Background(), dir, "HEAD", []string{"."}, nil); !errors.Is(err, ErrNoGit) {
		t.Errorf("without git: %v", err)
	}
}

// TestIsSafe checks that paths out of the copy or into .git are refused.
func TestIsSafe(t *testing.T) {
	for path, want := range map[string]bool{
		"a.yaml": true, "a/b.yaml": true, "../a.yaml": false, "a/../../b.yaml": false, "/etc/a.yaml": false, ".git/config.yaml": false, "a/.GIT/x.yaml": false, "a/.github/x.yaml": true,
	} {
		if got := isSafe(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// TestWriteEntry checks that a link in the copy cannot make writeEntry write to
// another directory.
func TestWriteEntry(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	up, err := filepath.Rel(dir, outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []entry{{path: "l", link: true}, {path: "l/x.yaml"}} {
		_ = writeEntry(root, e, strings.NewReader(filepath.ToSlash(up)))
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}
