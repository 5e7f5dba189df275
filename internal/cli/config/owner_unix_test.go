//go:build unix

package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOwner creates parent directories that belong to another user, as in /tmp. Only root
// can create them.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	const me, other = 12345, 54321
	top := t.TempDir()
	for name, uid := range map[string]int{"": 0, ".git": other, ".kubevet.yaml": other, "work": me, "work/sub": me} {
		path := filepath.Join(top, filepath.FromSlash(name))
		var err error
		if filepath.Ext(name) == ".yaml" {
			err = os.WriteFile(path, nil, 0o644)
		} else {
			err = os.MkdirAll(path, 0o755)
		}
		if err == nil {
			err = os.Chown(path, uid, uid)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sub := filepath.Join(top, "work", "sub")
	// A .git of another user does not make a repository. So the configuration in the
	// parent has no effect.
	if got, err := Find(sub); got.Path != "" || err != nil {
		t.Errorf("got %v, %v, want none", got, err)
	}
	// In a repository of the current user, another user's configuration is an error.
	git := filepath.Join(top, ".git")
	if err := os.Chown(git, me, me); err != nil {
		t.Fatal(err)
	}
	var owner *OwnerError
	if got, err := Find(sub); !errors.As(err, &owner) || owner.Path != filepath.Join(top, ".kubevet.yaml") {
		t.Errorf("got %v, %v, want an OwnerError", got, err)
	}
	// A repository that is mounted into a container may belong to one other user.
	if err := os.Chown(filepath.Join(top, ".kubevet.yaml"), me, me); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(sub); err != nil || got.Path != filepath.Join(top, ".kubevet.yaml") || got.Tree != top {
		t.Errorf("got %v, %v", got, err)
	}
	// A configuration in the working directory itself may belong to another user.
	own := filepath.Join(sub, ".kubevet.yaml")
	if err := os.WriteFile(own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(own, other, other); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(sub); err != nil || got.Path != own {
		t.Errorf("got %v, %v", got, err)
	}
}
