//go:build unix

package goload

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestIrregularFiles checks that pipes and devices do not block, at any place where the
// go command would open them.
func TestIrregularFiles(t *testing.T) {
	for _, test := range []struct {
		name string
		lay  func(dir string) error
		want []string // texts that the failures must contain
	}{
		{"in a package", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "b.go"), 0o666)
		}, []string{"example.com/m b.go: it is a named pipe, not a regular file"}},
		{"in a test", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "b_test.go"), 0o666)
		}, []string{"example.com/m b_test.go: it is a named pipe"}},
		{"not Go", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "b.s"), 0o666)
		}, []string{"example.com/m b.s: it is a named pipe"}},
		{"alone", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "empty", "b.go"), 0o666)
		}, []string{"./empty empty/b.go: it is a named pipe"}},
		{"link", func(dir string) error {
			return os.Symlink("/dev/tty", filepath.Join(dir, "b.go"))
		}, []string{"example.com/m b.go: it is a device"}},
		{"large", func(dir string) error {
			if err := os.WriteFile(filepath.Join(dir, "b.go"), []byte("package a\n"), 0o666); err != nil {
				return err
			}
			return os.Truncate(filepath.Join(dir, "b.go"), maxSource+1)
		}, []string{"example.com/m b.go: it is larger than 128 MiB"}},
		{"in a replaced module", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "other", "b.go"), 0o666)
		}, []string{"example.com/other other/b.go: it is a named pipe"}},
		{"ignored", func(dir string) error {
			return syscall.Mkfifo(filepath.Join(dir, "_b.go"), 0o666)
		}, nil},
		{"directory", func(dir string) error {
			return os.Mkdir(filepath.Join(dir, "b.go"), 0o777)
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := write(t, `-- go.mod --
module example.com/m

go 1.24

require example.com/other v0.0.0

replace example.com/other => ./other
-- a.go --
package a

import _ "example.com/other"

func Marked() {}

func f() { Marked() }
-- other/go.mod --
module example.com/other

go 1.24
-- other/o.go --
package other
-- empty/README --
`)
			if err := test.lay(dir); err != nil {
				t.Skip(err)
			}
			r, err := Run(t.Context(), Options{Dir: dir, Env: offline(), Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Failures {
				for _, e := range f.Errors {
					got = append(got, f.Package+" "+strings.TrimPrefix(e.Pos.Filename, dir+"/")+": "+e.Msg)
				}
			}
			if !slices.EqualFunc(got, test.want, strings.HasPrefix) {
				t.Errorf("failures = %q, want %q", got, test.want)
			}
			if len(r.Diagnostics) != 1 {
				t.Errorf("%d findings in the rest of the package, want 1", len(r.Diagnostics))
			}
		})
	}
}

// TestIrregularModule checks that a module is refused if one of its own files, such as
// go.mod, is a pipe.
func TestIrregularModule(t *testing.T) {
	for _, name := range []string{"go.mod", "go.sum", "go.work", "vendor/modules.txt", "other/go.mod"} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n\nreplace example.com/other => ./other\n-- a.go --\npackage a\n-- vendor/x --\n-- other/x --\n")
			path := filepath.Join(dir, filepath.FromSlash(name))
			os.Remove(path)
			if err := syscall.Mkfifo(path, 0o666); err != nil {
				t.Skip(err)
			}
			_, err := Run(t.Context(), Options{Dir: dir, Env: offline(), Patterns: []string{"./..."}, Analyzers: []*analysis.Analyzer{calls()}})
			if err == nil || !strings.Contains(err.Error(), name+": it is a named pipe") {
				t.Errorf("error = %v", err)
			}
		})
	}
}
