package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	top := write("repo/.kubevet.yaml")
	write("repo/.git/HEAD")
	write("repo/a/b/x.yaml")
	deep := write("repo/c/.kubevet.yml")
	write("repo/c/d/x.yaml")
	write("repo/sub/.git") // sub is a submodule or a worktree, so its .git is a file
	write("repo/sub/x/y.yaml")
	loose := write("loose/.kubevet.yaml")
	write("loose/a/x.yaml")
	write("both/.kubevet.yaml")
	write("both/.kubevet.yml")
	for dir, want := range map[string]string{
		"repo":       top,
		"repo/a/b":   top,
		"repo/c":     deep,
		"repo/c/d":   deep,
		"repo/sub":   "",
		"repo/sub/x": "",
		"loose":      loose,
		"loose/a":    "",
	} {
		got, err := Find(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil || got.Path != want {
			t.Errorf("Find(%s) = %v, %v, want %q", dir, got, err, want)
		}
	}
	if got, err := Find(filepath.Join(root, "both")); err == nil || !strings.Contains(err.Error(), "remove one") {
		t.Errorf("Find(both) = %v, %v, want an error", got, err)
	}
}
