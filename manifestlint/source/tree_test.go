package source

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// write creates a file below dir, and the directories above it. A name that
// ends with a slash creates a directory. A text "-> x" creates a symbolic link
// to x.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	parent := filepath.Dir(path)
	if name[len(name)-1] == '/' {
		parent = path
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	if parent == path {
		return
	}
	var err error
	if len(text) > 3 && text[:3] == "-> " {
		err = os.Symlink(filepath.FromSlash(text[3:]), path)
		if err != nil && runtime.GOOS == "windows" {
			t.Skip("symbolic links need a privilege: ", err)
		}
	} else {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
