package treefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// tree creates a directory, and a file named secret outside of it. It returns the
// directory.
func tree(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	for name, text := range map[string]string{"secret": "secret", "tree/a": "text", "tree/d/b": "b", "tree/.git/config": "token"} {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(base, "tree")
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip(err)
	}
}

func TestRead(t *testing.T) {
	dir := tree(t)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	var large *TooLargeError
	for _, tt := range []struct {
		path string
		want error
	}{
		{in("a"), nil},
		{in("d", "..", "a"), nil},
		{in("d"), ErrNotRegular},
		{dir, ErrNotRegular},
		{in("none"), fs.ErrNotExist},
		{in("none", "none"), fs.ErrNotExist},
		{in("..", "secret"), ErrOutside},
		{in("..", "none"), ErrOutside},
		{dir + "2", ErrOutside},
		{os.DevNull, ErrOutside},
		{in(".git", "config"), ErrGit},
		{in(".GIT", "none"), ErrGit},
	} {
		_, err := File{Path: tt.path, Tree: dir}.Read(100)
		if !errors.Is(err, tt.want) {
			t.Errorf("reading %s: %v, want %v", tt.path, err, tt.want)
		}
	}
	if text, err := (File{in("a"), dir}).Read(4); string(text) != "text" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	if text, err := (File{in("a"), dir}).Read(3); !errors.As(err, &large) || large.Limit != 3 || len(text) > 0 {
		t.Errorf("read %q, %v, want it too large", text, err)
	}
	// A file that the user named may be anywhere, but has the same size limit.
	if text, err := (File{Path: in("..", "secret")}).Read(6); string(text) != "secret" || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	if _, err := (File{Path: in("..", "secret")}).Read(5); !errors.As(err, &large) {
		t.Errorf("%v, want it too large", err)
	}
}

func TestLinks(t *testing.T) {
	dir := tree(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	link(t, "../secret", in("out"))
	link(t, "..", in("up"))
	link(t, "a", in("inside"))
	link(t, in("a"), in("absolute"))
	link(t, "none", in("dangling"))
	link(t, filepath.Join("..", "none"), in("danglingout"))
	link(t, "loop", in("loop"))
	link(t, ".git", in("git"))
	link(t, dir, dir+"-link")
	for _, tt := range []struct {
		name string
		want error
	}{
		{"out", ErrOutside},
		{"up/secret", ErrOutside},
		{"up/none", ErrOutside},
		{"up/tree/a", nil},
		{"inside", nil},
		{"absolute", nil},
		{"dangling", ErrDangling},
		{"danglingout", ErrDangling},
		{"danglingout/x", ErrDangling},
		{"git/config", ErrGit},
	} {
		for _, root := range []string{dir, dir + "-link"} {
			f := File{Path: filepath.Join(root, filepath.FromSlash(tt.name)), Tree: root}
			_, err := f.Read(100)
			if !errors.Is(err, tt.want) {
				t.Errorf("reading %s: %v, want %v", f.Path, err, tt.want)
			}
			real, err := f.Resolve()
			if !errors.Is(err, tt.want) || err != nil && real != "" {
				t.Errorf("resolving %s: %q, %v, want %v", f.Path, real, err, tt.want)
			}
		}
	}
	if _, err := (File{Path: in("loop"), Tree: dir}).Read(1); err == nil {
		t.Error("a loop of links can be read")
	}
	// A link that replaces a file after the check must not lead out of the directory.
	if text, err := ReadBelow(dir, "out", 100); err == nil {
		t.Errorf("read %q through a link that leads out", text)
	}
}

func TestResolve(t *testing.T) {
	dir := tree(t)
	for name, want := range map[string]error{"new": nil, "a": nil, "d/new": nil, "d": ErrNotRegular, "../new": ErrOutside, ".git/hooks/x": ErrGit} {
		if _, err := (File{Path: filepath.Join(dir, filepath.FromSlash(name)), Tree: dir}).Resolve(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestWindows checks names that have a special meaning on Windows.
func TestWindows(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("names of Windows")
	}
	dir := tree(t)
	for _, name := range []string{`C:x`, `C:\x`, `a:stream`, `NUL`, `d\CON`, `COM1.txt`} {
		path := name
		if !filepath.IsAbs(name) {
			path = filepath.Join(dir, name)
		}
		if _, err := (File{Path: path, Tree: dir}).Read(1); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v, want %v", name, err, ErrOutside)
		}
	}
	for _, path := range []string{`\\server.invalid\share\x`, `\\.\pipe\x`, `\\?\C:\x`} {
		if _, err := (File{Path: path, Tree: dir}).Read(1); !errors.Is(err, ErrOutside) {
			t.Errorf("%s: %v, want %v", path, err, ErrOutside)
		}
	}
}

func TestRepository(t *testing.T) {
	dir := tree(t)
	if got := Repository(filepath.Join(dir, "d")); got != dir {
		t.Errorf("got %q, want %q", got, dir)
	}
	// A .git of any type may make the tree smaller, but never larger.
	if err := os.WriteFile(filepath.Join(dir, "d", ".git"), []byte("gitdir: /\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Repository(filepath.Join(dir, "d")); got != filepath.Join(dir, "d") {
		t.Errorf("got %q, want %q", got, filepath.Join(dir, "d"))
	}
}
