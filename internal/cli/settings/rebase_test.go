package settings

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
)

func TestRebase(t *testing.T) {
	base := filepath.FromSlash("/repo")
	for _, tt := range []struct {
		pattern, dir string
		want         []string
	}{
		{"a/b", "/repo", []string{"a/b"}},
		{"*.gen.yaml", "/repo/a", []string{"*.gen.yaml"}},
		{"vendor/", "/repo/a", []string{"vendor/"}},
		{"vendor/", "/repo/vendor/x", []string{"./**"}},
		{"a/b/*.yaml", "/repo/a", []string{"./b/*.yaml", "./../a/b/*.yaml"}},
		{"a/*.yaml", "/repo/a", []string{"./*.yaml", "./../a/*.yaml"}},
		{"a/b/", "/repo/a", []string{"./b/", "./../a/b/"}},
		{"a/b/", "/repo/a/b/c", []string{"./**"}},
		{"a/**", "/repo/a", []string{"./**"}},
		{"./a", "/repo/a/b", []string{"./**"}},
		{"./a", "/repo/b", []string{"./../a"}},
		{"b/c", "/repo/a", []string{"./../b/c"}},
		{"**/gen/*.yaml", "/repo/gen", []string{"./**/gen/*.yaml", "./*.yaml", "./../**/gen/*.yaml"}},
		{"*/gen", "/repo/a", []string{"./gen", "./../*/gen"}},
		{"{a/b,c}/d", "/repo/a", []string{"./b/d", "./../a/b/d", "./../c/d"}},
		{"{a,c}/d", "/repo/a", []string{"./d", "./../{a,c}/d"}},
		{"x/y", "/", []string{"./repo/x/y"}},
		{"x/y", "/other[1]", []string{"./../repo/x/y"}},
	} {
		if diff := cmp.Diff(tt.want, Rebase(tt.pattern, base, filepath.FromSlash(tt.dir))); diff != "" {
			t.Errorf("rebase(%q, /repo, %s) (-want +got):\n%s", tt.pattern, tt.dir, diff)
		}
	}
	if got, want := Rebase("x/y", filepath.FromSlash("/b[1]"), filepath.FromSlash("/c")), []string{`./../b\[1\]/x/y`}; !slices.Equal(got, want) {
		t.Errorf("rebase from /b[1] = %q, want %q", got, want)
	}
}

// FuzzRebase checks that the patterns of Rebase, relative to the working directory,
// exclude the same paths as the original pattern relative to its base.
func FuzzRebase(f *testing.F) {
	f.Add("a/**/*.yaml", "a/b", "c/d.yaml")
	f.Add("{a/b,c}/**", "c", "x.yaml")
	f.Add("**/b/*", "b", "b/b")
	f.Fuzz(func(t *testing.T, pattern, there, below string) {
		clean := func(p string) bool {
			return p != "" && path.Clean(p) == p && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "..") && p != "." && !strings.Contains(p, `\`)
		}
		if !clean(there) || !clean(below) || !clean(pattern) || len(pattern) > 40 || !strings.Contains(pattern, "/") ||
			!doublestar.ValidatePattern(pattern) || strings.ContainsAny(pattern, "[") {
			return
		}
		// In a component such as a**b, ** is not special. doublestar treats some of these
		// components differently in longer paths.
		for component := range strings.SplitSeq(pattern, "/") {
			if component != "**" && strings.Contains(component, "**") {
				return
			}
		}
		root := filepath.FromSlash("/r")
		rebased := Rebase(pattern, root, filepath.Join(root, filepath.FromSlash(there)))
		got := slices.ContainsFunc(rebased, func(p string) bool { return excludes(strings.TrimPrefix(p, "./"), below) })
		if want := excludes(pattern, there+"/"+below); got != want {
			t.Errorf("%q seen from %q as %q: excludes %q = %v, want %v", pattern, there, rebased, below, got, want)
		}
	})
}

// excludes reports whether the pattern matches the path or one of its parent directories.
func excludes(pattern, name string) bool {
	for i := range len(name) + 1 {
		if (i == len(name) || name[i] == '/') && matches(pattern, name[:i]) {
			return true
		}
	}
	return false
}
