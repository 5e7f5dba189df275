//go:build unix

package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/treefile"
	"golang.org/x/sys/unix"
)

// TestMissing checks that problems have the messages of the operating system.
func TestMissing(t *testing.T) {
	for _, test := range []expandTest{{
		name: "arguments",
		tree: "a.yaml\nl.yaml -> gone",
		args: "b.yaml a.yaml/ a.yaml/x c/d l.yaml a.yaml m/[.yaml https://x.example/a.yaml?raw=1 HTTP://x//b ://x",
		want: `
			a.yaml
			missing: b.yaml: no such file or directory
			missing: a.yaml/: not a directory
			missing: a.yaml/x: not a directory
			missing: c/d: no such file or directory
			missing: l.yaml: symbolic link to gone, which does not exist
			missing: m/[.yaml: no such file or directory
			missing: https://x.example/a.yaml?raw=1: URLs are not read: download the file first
			missing: HTTP://x//b: URLs are not read: download the file first
			missing: :/x: no such file or directory`,
	}, {
		name: "globs",
		tree: "a.yaml",
		args: "gone/*.yaml a.yaml/*",
		want: `
			usage: gone/*.yaml: matches no file: gone: no such file or directory
			usage: a.yaml/*: matches no file: a.yaml: not a directory`,
	}} {
		test.run(t)
	}
}

// TestPipes creates pipes in place of files that the walk reads. No pipe may
// block the walk.
func TestPipes(t *testing.T) {
	dir := makeTree(t, "k/a.yaml\nk/d/b.yaml\nl.yaml -> k/p.yaml")
	for _, name := range []string{"k/p.yaml", "k/.gitignore", "k/kustomization.yaml", "k/.git", "k/d/Kustomization"} {
		if err := unix.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	got := describe(Expand([]string{"k", "k/a.yaml"}, Options{Dir: dir}))
	if want := "k/a.yaml\nk/d/b.yaml\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	in := expandOne(t, "k/d", Options{Dir: dir})
	remove(t, dir, "k/d/b.yaml")
	if err := unix.Mkfifo(filepath.Join(dir, "k/d/b.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Open(); !errors.Is(err, treefile.ErrNotRegular) {
		t.Errorf("opening a pipe that took the place of a file: %v", err)
	}
	var r Reader
	defer r.Close()
	if _, err := r.Read(in, 0); !errors.Is(err, treefile.ErrNotRegular) {
		t.Errorf("reading a pipe that took the place of a file: %v", err)
	}
}

// TestNamedPipes reads pipes that are arguments, such as <(command) and
// /dev/stdin.
func TestNamedPipes(t *testing.T) {
	dir := makeTree(t, "l.yaml -> p")
	path := filepath.Join(dir, "p")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, arg := range []string{"p", "l.yaml"} {
		in := expandOne(t, arg, Options{Dir: dir})
		if !in.Stream() || in.Size != -1 {
			t.Errorf("got %+v", in)
		}
		go os.WriteFile(path, []byte("from the pipe"), 0)
		var r Reader
		data, err := r.Read(in, 1<<20)
		if string(data) != "from the pipe" || err != nil {
			t.Errorf("read %q, %v", data, err)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	name := fmt.Sprint("/dev/fd/", read.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("no /dev/fd")
	}
	write.WriteString("from the shell")
	write.Close()
	in := expandOne(t, name, Options{})
	f, err := in.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 100)
	if n, err := f.Read(buf); string(buf[:n]) != "from the shell" || err != nil {
		t.Errorf("read %q, %v", buf[:n], err)
	}
}

func TestDevices(t *testing.T) {
	in := expandOne(t, "/dev/null", Options{})
	data, err := new(Reader).Read(in, 10)
	if len(data) != 0 || err != nil {
		t.Errorf("/dev/null: read %q, %v", data, err)
	}
	in = expandOne(t, "/dev/zero", Options{})
	var tooLarge *TooLargeError
	if _, err := new(Reader).Read(in, 1<<20); !errors.As(err, &tooLarge) {
		t.Errorf("/dev/zero: %v", err)
	}
	if runtime.GOOS == "linux" {
		// Files in /proc have content although their size is 0.
		in = expandOne(t, "/proc/self/status", Options{})
		if data, err := new(Reader).Read(in, 1<<20); !strings.HasPrefix(string(data), "Name:") || err != nil {
			t.Errorf("/proc/self/status: read %q, %v", data, err)
		}
	}
}

func TestTooDeep(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, strings.Repeat("d/", maxDepth)+"in.yaml", "")
	write(t, dir, strings.Repeat("d/", maxDepth+1)+"out.yaml", "")
	inputs, problems := Expand([]string{"."}, Options{Dir: dir})
	if len(inputs) != 1 || len(problems) != 1 || problems[0].Kind != Unreadable ||
		problems[0].Text != "nested over 500 directories deep" {
		t.Errorf("got %d inputs, %v", len(inputs), problems)
	}
}

func TestNameTooLong(t *testing.T) {
	for _, arg := range []string{strings.Repeat("a", 300), strings.Repeat("a/", 3000)} {
		_, problems := Expand([]string{arg}, Options{})
		if len(problems) != 1 || problems[0].Kind != Unreadable || !errors.Is(problems[0], unix.ENAMETOOLONG) {
			t.Errorf("got %v", problems)
		}
	}
}

// TestUnreadable removes the permissions of files and directories.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := makeTree(t, "k/a.yaml\nk/d/b.yaml\nk/e/c.yaml\nk/kustomization.yaml = patches: [path: a.yaml]")
	for _, name := range []string{"k/d", "k/kustomization.yaml"} {
		path := filepath.Join(dir, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o700) })
	}
	got := describe(Expand([]string{"k", "k/d/b.yaml"}, Options{Dir: dir}))
	want := "k/a.yaml\nk/e/c.yaml\nk/kustomization.yaml kustomization\n" +
		"unreadable: k/d: permission denied\nunreadable: k/d/b.yaml: permission denied\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestVanished replaces directories after their parent was listed: by nothing,
// a link out of the argument, a file, or a pipe, which must not block.
func TestVanished(t *testing.T) {
	dir := makeTree(t, "k/a.yaml\nk/out -> ../o\nk/file\no/b.yaml")
	if err := unix.Mkfifo(filepath.Join(dir, "k/pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	e := newExpander(Options{Dir: dir})
	at, err := e.resolve(filepath.Join(dir, "k"))
	if err != nil {
		t.Fatal(err)
	}
	w := e.newWalk(at, "k", nil)
	if w.start.tree, err = w.open(at); err != nil {
		t.Fatal(err)
	}
	defer w.start.tree.root.Close()
	for _, base := range []string{"gone", "out", "file", "pipe"} {
		w.enter(&w.start, base, false)
	}
	got := describe(e.inputs, e.problems)
	want := "unreadable: k/gone: no such file or directory\n" +
		"unreadable: k/out: path escapes from parent\n" +
		"unreadable: k/file: not a directory\n" +
		"unreadable: k/pipe: not a directory\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestStrangeNames reads files whose names have control characters, spaces or
// leading dashes.
func TestStrangeNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a\nb.yaml", "\x1b[2J.yaml", "-", "--help.yaml", " .yaml", "*.yaml", "-d/\n\\/x.yaml"} {
		write(t, dir, name, "kind: x\n")
	}
	if err := os.Mkdir(filepath.Join(dir, "\xff"), 0o700); err != nil {
		t.Log(err) // some file systems require UTF-8
	} else {
		write(t, dir, "\xff/\xff.yaml", "")
	}
	inputs, problems := Expand([]string{".", "*.yaml", "./-"}, Options{Dir: dir, Stdin: strings.NewReader("no")})
	if len(inputs) < 7 || len(problems) > 0 {
		t.Errorf("got %+v, %v", inputs, problems)
	}
	if last := inputs[len(inputs)-1]; last.Name != "./-" || last.Stream() {
		t.Errorf("the file of the name - is %+v", last)
	}
	for _, in := range inputs {
		if err := compareReads(in); err != nil {
			t.Errorf("%q: %v", in.Name, err)
		}
	}
}
