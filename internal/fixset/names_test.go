package fixset_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
)

// TestDiffNames checks that git and GNU patch apply a diff to the right file, and to no
// other file, for any name of the file.
func TestDiffNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("file systems refuse or change most of these names")
	}
	for _, tool := range [][]string{{"git", "apply", "-p0"}, {"patch", "-p0", "-s", "-f"}} {
		t.Run(tool[0], func(t *testing.T) {
			version, err := exec.Command(tool[0], "--version").Output()
			if err != nil || tool[0] == "patch" && !strings.Contains(string(version), "GNU") {
				t.Skip("not installed")
			}
			dir := t.TempDir()
			var patch strings.Builder
			want := map[string]bool{}
			names := append(quotetest.Strings(), "plain.yaml", "sp ace.yaml", "d 2020-01-01 00:00:00 +0000", "x\n--- victim.sh\n+++ victim.sh\n@@ -1 +1 @@\n-safe\n+evil\n--- q.yaml")
			for _, name := range names {
				path := filepath.Join(dir, name)
				if strings.ContainsAny(name, "/\x00") || want[name] {
					continue
				}
				f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
				if err != nil {
					continue // the name is too long, or a directory has this name
				}
				f.WriteString("a\nb\nc\n")
				f.Close()
				want[name] = true
				patch.WriteString(fixset.File{Name: name, Old: []byte("a\nb\nc\n"), New: []byte("a\nB\nc\n")}.Diff(name))
			}
			if err := os.WriteFile(filepath.Join(dir, "victim.sh"), []byte("safe\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(tool[0], tool[1:]...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
			cmd.Stdin = strings.NewReader(patch.String())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != len(want)+1 || len(want) < 60 {
				t.Errorf("%d files, want %d: %v", len(entries), len(want)+1, err)
			}
			for name := range want {
				if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != "a\nB\nc\n" {
					t.Errorf("%q: %q, %v", name, got, err)
				}
			}
			if got, _ := os.ReadFile(filepath.Join(dir, "victim.sh")); string(got) != "safe\n" {
				t.Errorf("a name forged a patch: %q", got)
			}
		})
	}
}
