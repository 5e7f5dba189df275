//go:build unix

package treefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestPipe checks that a pipe in a tree does not block, even if it replaces a file.
func TestPipe(t *testing.T) {
	dir := tree(t)
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	f := File{Path: pipe, Tree: dir}
	if _, err := f.Read(1); !errors.Is(err, ErrNotRegular) {
		t.Errorf("reading: %v", err)
	}
	if _, err := f.Resolve(); !errors.Is(err, ErrNotRegular) {
		t.Errorf("resolving: %v", err)
	}
	if _, err := Read(pipe, nil, 1); !errors.Is(err, ErrNotRegular) {
		t.Errorf("reading by name: %v", err)
	}
	// Here, the file became a pipe after the first check.
	if _, err := open(func(string) (os.FileInfo, error) { return os.Stat(filepath.Join(dir, "a")) }, os.OpenFile, pipe); !errors.Is(err, ErrNotRegular) {
		t.Errorf("opening: %v", err)
	}
	// A pipe that the user named is read.
	go os.WriteFile(pipe, []byte("from the pipe"), 0)
	if text, err := (File{Path: pipe}).Read(100); string(text) != "from the pipe" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
}
