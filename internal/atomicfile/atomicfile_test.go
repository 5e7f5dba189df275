package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.json")
	want := func(path, content string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("content = %q, %v, want %q", got, err, content)
		}
	}
	for _, content := range []string{"one", "two", "two", ""} {
		if err := Write(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		want(path, content)
	}
	if err := Write(filepath.Join(dir, "missing", "x.json"), nil); err == nil {
		t.Error("no error for a directory that does not exist")
	}
	if err := Write(dir, []byte("x")); err == nil {
		t.Error("no error for a directory")
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o626); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link.json")
		if err := os.Symlink("x.json", link); err != nil {
			t.Fatal(err)
		}
		if err := Write(link, []byte("three")); err != nil {
			t.Fatal(err)
		}
		want(path, "three")
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o626 { // a new file cannot have this mode, so the mode was copied
			t.Errorf("mode = %v, %v, want it kept", info.Mode(), err)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
			t.Errorf("the link was replaced: %v, %v", info.Mode(), err)
		}
		if err := Write(os.DevNull, []byte("x")); err != nil {
			t.Error(err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != "x.json" && e.Name() != "link.json" {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}
