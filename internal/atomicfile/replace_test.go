package atomicfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newFile writes a file in a new directory and returns its path.
func newFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkOnlyFile fails the test if the file has another text, or if there are other files
// in its directory.
func checkOnlyFile(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s = %q, %v, want %q", path, got, err, want)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporaryPrefix) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestReplace(t *testing.T) {
	path := newFile(t, strings.Repeat("n", 250)+".yaml", "old")
	if err := Replace(path, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	checkOnlyFile(t, path, "new")

	// Another program has changed the file.
	if err := Replace(path, []byte("old"), []byte("newer")); !errors.Is(err, ErrChanged) {
		t.Errorf("error = %v, want %v", err, ErrChanged)
	}
	checkOnlyFile(t, path, "new")

	// Another run has already written the new text.
	if err := Replace(path, []byte("old"), []byte("new")); err != nil {
		t.Error(err)
	}
	checkOnlyFile(t, path, "new")

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("old"), []byte("new")); !errors.Is(err, ErrChanged) {
		t.Errorf("error = %v for a removed file, want %v", err, ErrChanged)
	}
}

func TestRefuse(t *testing.T) {
	readOnly := newFile(t, "readonly.yaml", "old")
	if err := os.Chmod(readOnly, 0o444); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(readOnly, 0o644) })
	linked := newFile(t, "linked.yaml", "old")
	if err := os.Link(linked, filepath.Join(filepath.Dir(linked), "other")); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{readOnly: "read-only", linked: "2 hard links", filepath.Dir(linked): "not a regular file"} {
		root, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"Check":   Check(path, []string{root}),
			"Replace": Replace(path, []byte("old"), []byte("new")),
			"Write":   Write(path, []byte("new")),
		} {
			if what == "Write" && path == filepath.Dir(linked) {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s(%s): error = %v, want %q", what, filepath.Base(path), err, want)
			}
		}
		if path != filepath.Dir(linked) {
			checkOnlyFile(t, path, "old")
		}
	}
	if err := Check(linked, []string{t.TempDir()}); err == nil || !strings.Contains(err.Error(), "outside") {
		t.Errorf("error = %v for a file outside of the roots", err)
	}
}

// TestSweep checks that temporary files of running processes are not removed.
func TestSweep(t *testing.T) {
	path := newFile(t, "x.yaml", "old")
	dir := filepath.Dir(path)
	living, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	killed, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	killed.Close() // releases the lock, like the end of the process
	const short, long, lower = ".kubevet-AAAAAAAAA.tmp", ".kubevet-AAAAAAAAAAA.tmp", ".kubevet-aaaaaaaaaa.tmp"
	keep := []string{"x.yaml", filepath.Base(living.Name()), short, long, lower, ".kubevet-AAAAAAAAAA.yaml", ".kubevet-DIRECTORYA.tmp"}
	for _, name := range keep[2:6] {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, keep[6]), 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Symlink("x.yaml", filepath.Join(dir, ".kubevet-LINKLINKLI.tmp")) == nil {
		keep = append(keep, ".kubevet-LINKLINKLI.tmp")
	}
	if os.Link(path, filepath.Join(dir, ".kubevet-HARDLINKAA.tmp")) == nil {
		keep = append(keep, ".kubevet-HARDLINKAA.tmp")
	}
	Sweep(dir)
	if _, err := os.Lstat(killed.Name()); err == nil {
		t.Error("the file of the killed run is still there")
	}
	for _, name := range keep {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s was removed", name)
		}
	}
	living.Abort()
}

func TestSweepBeside(t *testing.T) {
	in, out := newFile(t, "x.yaml", ""), newFile(t, "x.yaml", "")
	var left []string
	for _, path := range []string{in, out} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		left = append(left, f.Name())
	}
	root, err := filepath.EvalSymlinks(filepath.Dir(in))
	if err != nil {
		t.Fatal(err)
	}
	SweepBeside([]string{"", in, out}, []string{root})
	if _, err := os.Lstat(left[0]); err == nil {
		t.Error("the leftover below the root is still there")
	}
	if _, err := os.Lstat(left[1]); err != nil {
		t.Error("the leftover outside of the root was removed")
	}
}

// TestKilled repeatedly kills a process that replaces files. Every file must have the old
// or the new text, and a sweep must remove all other files.
func TestKilled(t *testing.T) {
	const files = 20
	texts := map[bool][]byte{false: bytes.Repeat([]byte("old\n"), 10000), true: bytes.Repeat([]byte("new!\n"), 10000)}
	if dir := os.Getenv("ATOMICFILE_KILLED"); dir != "" {
		// This is the process that is killed.
		for round := false; ; round = !round {
			for i := range files {
				if err := Write(filepath.Join(dir, string(rune('a'+i))), texts[!round]); err != nil {
					t.Fatal(err)
				}
				os.Stdout.Write([]byte("."))
			}
		}
	}
	dir := t.TempDir()
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))), texts[false], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for kill := range 8 {
		replaceUntilKilled(t, dir, 3+5*kill)
		Sweep(dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != files {
			t.Fatalf("%d files, want %d", len(entries), files)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil || !bytes.Equal(text, texts[false]) && !bytes.Equal(text, texts[true]) {
				t.Fatalf("%s is torn: %d bytes, %v", e.Name(), len(text), err)
			}
		}
	}
}
