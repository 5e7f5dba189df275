package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/treefile"
)

// loadConfig reads a configuration in a directory. If found is false, the configuration
// counts as named by the user.
func loadConfig(t *testing.T, dir, text string, found bool) (*Config, error) {
	t.Helper()
	f := treefile.File{Path: filepath.Join(dir, ".kubevet.yaml")}
	if err := os.WriteFile(f.Path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if found {
		f.Tree = dir
	}
	return Read(f, ".kubevet.yaml")
}

func TestResolvePattern(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"repo/.git", "repo/crds/a", "out"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	repo := filepath.Join(dir, "repo")
	for pattern, allowed := range map[string]bool{
		"crds/":                                 true,
		"crds/*.yaml":                           true,
		"**/crd-*.yaml":                         true,
		"{crds,none}/*.yaml":                    true,
		"crds/{{ .Group }}/x.json":              true,
		"crds/../crds":                          true,
		"..":                                    false,
		"../out/*.yaml":                         false,
		"crds/*/../../../out/*.yaml":            false,
		"/**/*.yaml":                            false,
		"/dev/zero":                             false,
		".git/**":                               false,
		strings.Repeat("**/", 200) + "a.yaml":   false,
		filepath.ToSlash(repo) + "/crds/*.yaml": true,
	} {
		c, err := loadConfig(t, repo, "crds: [\""+pattern+"\"]\n", true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ResolvePattern("crds", 0, c.CRDs[0], "--crd")
		if (err == nil) != allowed {
			t.Errorf("%s: %v, want it allowed: %v", pattern, err, allowed)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), ".kubevet.yaml:1:8: crds: ") || !strings.HasSuffix(err.Error(), "name it with --crd")) {
			t.Errorf("%s: %v, want the place and the flag", pattern, err)
		}
		// A configuration that the user named may name files anywhere.
		if c, err = loadConfig(t, repo, "crds: [\""+pattern+"\"]\n", false); err != nil {
			t.Fatal(err)
		}
		if _, err := c.ResolvePattern("crds", 0, c.CRDs[0], "--crd"); err != nil {
			t.Errorf("%s: %v in a configuration that the user named", pattern, err)
		}
	}
}

func TestExclude(t *testing.T) {
	dir := t.TempDir()
	for pattern, want := range map[string]string{
		"vendor/":                        "",
		"**/gen/*.yaml":                  "",
		"{a,b}/{c,d}":                    "",
		"../x":                           "",
		"/vendor/":                       "not relative",
		`\\\\server\\share\\*`:           "not relative",
		strings.Repeat("**/", 200) + "a": "longer than 500 bytes",
	} {
		_, err := loadConfig(t, dir, "exclude:\n- ok\n- \""+pattern+"\"\n", true)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), ".kubevet.yaml:3:3: exclude: ")) {
			t.Errorf("%s: %v, want %q", pattern, err, want)
		}
		if _, err := loadConfig(t, dir, "exclude:\n- \""+pattern+"\"\n", false); err != nil {
			t.Errorf("%s: %v in a configuration that the user named", pattern, err)
		}
	}
}
