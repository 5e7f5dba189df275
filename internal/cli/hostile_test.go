package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
)

const oldCronJob = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata:\n  name: x\n"

// hostileTree creates directories and files with hostile names. It returns the root and
// the names of the manifests.
func hostileTree(t *testing.T) (root string, names []string) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("file systems refuse or change most of these names")
	}
	root = t.TempDir()
	for i, s := range quotetest.Strings() {
		s = strings.ReplaceAll(s, "/", "_")
		if s == "." || s == ".." || strings.HasPrefix(s, ".") || strings.Contains(s, "\x00") {
			continue
		}
		name, text := s+".yaml", oldCronJob
		switch i % 3 {
		case 1:
			name = filepath.Join(s, "a.yaml")
		case 2:
			text = "a: b: c\nkind: [\napiVersion: v1\n"
		}
		path := filepath.Join(root, name)
		if os.MkdirAll(filepath.Dir(path), 0o777) != nil || os.WriteFile(path, []byte(text), 0o666) != nil {
			continue // this file system does not allow such long names
		}
		names = append(names, name)
	}
	// kubevet cannot read these files, so their names are in notes and errors.
	if err := os.Symlink("/nowhere\x1b[2J\n::error::x", filepath.Join(root, "link\x1b[2J\n::error::x.yaml")); err != nil {
		t.Fatal(err)
	}
	return root, names
}

// kubevet runs kubevet in a directory. It checks that both streams are printable.
func kubevet(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Command{Stdout: &out, Stderr: &errs, Dir: dir, Env: env}.Main(t.Context(), args)
	name := strings.Join(args, " ")
	// In a diff, a file name with spaces is followed by a tab, as in git's output.
	quotetest.Check(t, name+": stdout", bytes.ReplaceAll(out.Bytes(), []byte("\t\n"), []byte("\n")), strings.HasSuffix(name, "github"))
	quotetest.Check(t, name+": stderr", errs.Bytes(), false)
	return out.String(), errs.String()
}

// TestHostileNames checks that no file name can forge a line, a field or a command in any
// output format.
func TestHostileNames(t *testing.T) {
	root, names := hostileTree(t)
	for _, format := range []string{"text", "table", "json", "jsonl", "sarif", "github", "junit", "markdown"} {
		kubevet(t, root, nil, "lint", "--target", "1.37", "-o", format)
		kubevet(t, root, nil, "lint", "--target", "1.37", "-v", "-o", format)
	}
	kubevet(t, root, nil, "lint", "--target", "1.37", "-o", "kubectl")
	kubevet(t, root, nil, "lint", "-q", "--target", "1.37", ".", "missing\x1b[2J\n::error::x")

	out, _ := kubevet(t, root, nil, "lint", "--target", "1.37", "-o", "jsonl")
	files := map[string]bool{}
	for line := range strings.Lines(out) {
		var f struct{ File string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		files[f.File] = true
	}
	if delete(files, ""); len(files) != len(names) {
		t.Errorf("%d files with findings, want %d", len(files), len(names))
	}

	for _, option := range []string{"--config", "--baseline", "--crd", "--values", "--old", "--additional-versions", "--kubeconfig", "--output=json", "--target", "--enable"} {
		kubevet(t, root, nil, "lint", option, "a\x1b[2J\n::error::x\u202e##vso[x]")
	}
	for _, verb := range [][]string{{"audit"}, {"audit", "--metrics"}, {"audit", "--load"}, {"upgrade", "--from", "1.30", "--to", "1.37"}, {"go"}, {"api"}, {"rules"}, {"explain"}, {"config", "validate"}} {
		kubevet(t, root, nil, append(verb, "a\x1b[2J\n::error::x\u202e##vso[x]")...)
	}
	for _, format := range []string{"text", "json", "html"} {
		kubevet(t, root, nil, "upgrade", "--from", "1.20", "--to", "1.37", ".", "-o", format)
	}
	kubevet(t, root, nil, "lint", "--target", "1.37", "--write-baseline", "--baseline", "base\x1b[2J\n::error::x.json")
	if out, _ := kubevet(t, root, nil, "lint", "--target", "1.37", "-o", "jsonl", "--baseline", "base\x1b[2J\n::error::x.json"); strings.Count(out, "\n") != 1 {
		t.Errorf("the baseline does not have all findings: %q", out)
	}
	kubevet(t, root, nil, "lint", "--target", "1.37", "--fix")
}

// TestHostileDiff checks that `git apply` accepts the output of --diff, and makes the
// same files as --fix.
func TestHostileDiff(t *testing.T) {
	root, names := hostileTree(t)
	patch, _ := kubevet(t, root, nil, "lint", "--target", "1.37", "--diff")
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	cmd := exec.Command("git", "apply", "-p0")
	cmd.Dir, cmd.Stdin = root, strings.NewReader(patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fixed := 0
	for _, name := range names {
		if text, _ := os.ReadFile(filepath.Join(root, name)); strings.HasPrefix(string(text), "apiVersion: batch/v1\n") {
			fixed++
		}
	}
	if left, _ := kubevet(t, root, nil, "lint", "--target", "1.37", "--diff"); left != "" || fixed < 60 {
		t.Errorf("%d files fixed; left: %q", fixed, left)
	}
}

// TestDiffInCI checks that no line of a manifest becomes a command of a CI system. A diff
// with a line that looks like a command must not be in the log of a CI job.
func TestDiffInCI(t *testing.T) {
	dir := t.TempDir()
	for name, line := range map[string]string{"plain.yaml": "# echo ::error::x", "github.yaml": "    ::error::x", "azure.yaml": "# ##vso[task.complete]"} {
		text := strings.Replace(oldCronJob, "metadata", "data: |\n"+strings.Replace(line, "# ", "    ", 1)+"\nmetadata", 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, env := range [][]string{{"CI=true"}, {"TF_BUILD=True"}, {"TEAMCITY_VERSION=1"}} {
		out, errs := kubevet(t, dir, env, "lint", "--target", "1.37", "--diff")
		if !strings.Contains(out, "+++ plain.yaml") || strings.Count(out, "+++") != 1 {
			t.Errorf("%s: %s", env, out)
		}
		for _, name := range []string{"github.yaml", "azure.yaml"} {
			if !strings.Contains(errs, "note: the diff of "+name+" is left out") {
				t.Errorf("%s: no note on %s: %s", env, name, errs)
			}
		}
	}
	// Outside CI jobs, and in files, the diff must be complete.
	var out bytes.Buffer
	cli.Command{Stdout: &out, Dir: dir}.Main(t.Context(), []string{"lint", "--target", "1.37", "--diff"})
	if strings.Count(out.String(), "+++") != 3 {
		t.Errorf("outside of CI: %s", out.String())
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "patch"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cli.Command{Stdout: file, Dir: dir, Env: []string{"CI=true"}}.Main(t.Context(), []string{"lint", "--target", "1.37", "--diff"})
	if text, err := os.ReadFile(file.Name()); err != nil || string(text) != out.String() {
		t.Errorf("in a file: %s, %v", text, err)
	}
}
