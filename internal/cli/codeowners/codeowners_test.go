package codeowners

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	root := t.TempDir()
	o := Parse(root, `# comment
* @all
*.yaml @yaml # and why
/deploy/ @deploy @ops
docs/* docs@example.com
apps/ @apps
/apps/github
**/logs @logs
with\ blank.txt @blank
[broken @nobody
[Section][2] @section
/section/
^[Optional]
/optional/ @optional
{b,c}.go @braces
/\{d.go @escaped
`+strings.Repeat("{a,a}", 40)+"x @slow\n")
	for file, want := range map[string]string{
		"main.go": "@all", "a/b.yaml": "@yaml", "deploy/x/y.yaml": "@deploy @ops", "x/deploy/y.txt": "@all",
		"docs/a.md": "docs@example.com", "docs/sub/a.md": "@all", "x/apps/y": "@apps", "apps/github": "", "apps/github/x": "", "apps/gitlab/x": "@apps",
		"build/logs/x": "@logs", "with blank.txt": "@blank", "section/x": "@section", "optional/x": "@optional",
		"b.go": "@all", "{b,c}.go": "@braces", "{d.go": "@escaped", strings.Repeat("a", 50): "@all", // must not match, and must not take the time for 2^40 alternatives
	} {
		if got := o.Of(filepath.Join(root, filepath.FromSlash(file))); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if got := o.Of(filepath.Join(root, "..", "elsewhere.yaml")); got != "" {
		t.Errorf("outside: %q", got)
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".git", ".github", "a/b"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".github", "CODEOWNERS"), []byte("* @all\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Find(filepath.Join(root, "a", "b")).Of(filepath.Join(root, "x")); got != "@all" {
		t.Errorf("from below: %q", got)
	}
	// The search stops at the root of the repository.
	if err := os.Mkdir(filepath.Join(root, "a", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if got := Find(filepath.Join(root, "a", "b")).Of(filepath.Join(root, "a", "x")); got != "" {
		t.Errorf("another repository: %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("* @a\n[x] @b\n/y/ \n\\ # z", "y/z")
	f.Fuzz(func(t *testing.T, text, file string) {
		Parse("/r", text).Of("/r/" + file)
	})
}
