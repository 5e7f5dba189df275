package release

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type action struct {
	Inputs map[string]struct {
		Description, Default string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

// TestAction runs the steps of the action with a server that has a release. The kubevet
// in the release and the go command are stubs that record their calls.
func TestAction(t *testing.T) {
	bash := shell(t, "bash")
	var a action
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "action.yml"))), &a); err != nil {
		t.Fatal(err)
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	for _, tt := range []struct {
		name   string
		inputs map[string]string
		ref    string
		status string // exit status of kubevet
		want   string // recorded calls
		output map[string]string
	}{
		{"defaults", nil, "main", "0", "kubevet lint --output github -- .\n",
			map[string]string{"status": "0", "sarif": "", "version": "v0.3.0"}},
		{"the tag of the action", map[string]string{"upload-sarif": "true"}, "v0.3.0", "0",
			"kubevet lint --output github --output sarif=TEMP/kubevet.sarif -- .\n", map[string]string{"status": "0", "sarif": "TEMP/kubevet.sarif", "version": "v0.3.0"}},
		{"all", map[string]string{"version": "v0.3.0", "sarif": "out dir/k.sarif", "args": "--target 1.33\n-W", "paths": "a\n**/*.yaml", "output": "text", "category": "prod eu"}, "v0.1.0", "1",
			"kubevet lint --output text --output sarif=out\\ dir/k.sarif --category prod\\ eu --target 1.33 -W -- a \\*\\*/\\*.yaml\n",
			map[string]string{"status": "1", "sarif": "out dir/k.sarif", "version": "v0.3.0"}},
		{"path", map[string]string{"version": "./tools/it's"}, "v0.3.0", "3",
			"GOBIN go install -C ./tools/it\\'s ./cmd/kubevet\nkubevet lint --output github -- .\n", map[string]string{"status": "3", "version": "./tools/it's"}},
		{"hostile", map[string]string{"paths": "$(touch hacked) `touch hacked`", "args": ";touch hacked"}, "$(touch hacked)", "0",
			"kubevet lint --output github \\;touch hacked -- \\$\\(touch hacked\\) \\`touch hacked\\`\n", map[string]string{"status": "0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := runner{t: t, bash: bash, action: a, dir: t.TempDir(), outputs: map[string]string{
				"github.action_ref": tt.ref, "github.action_path": absolute(t, top),
			}}
			for name, in := range a.Inputs {
				r.outputs["inputs."+name] = in.Default
			}
			for name, value := range tt.inputs {
				r.outputs["inputs."+name] = value
			}
			write(t, filepath.Join(r.dir, "kubevet.stub"), stub(bash), 0o755)
			write(t, filepath.Join(r.dir, "path", "go"), "#!"+bash+`
{ printf GOBIN\ go; printf ' %q' "$@"; echo; } >> "$CALLS"; cp "$STUB" "$GOBIN/kubevet"
`, 0o755)
			r.env = []string{"CALLS=" + filepath.Join(r.dir, "calls"), "STUB=" + filepath.Join(r.dir, "kubevet.stub"), "STATUS=" + tt.status, "KUBEVET_RELEASES=" + newReleases(t, bash).URL}
			status := r.run()
			if got := read(t, filepath.Join(r.dir, "calls")); got != strings.ReplaceAll(tt.want, "TEMP", r.dir+"/temp") {
				t.Errorf("calls (-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			for name, want := range tt.output {
				step := strings.TrimSuffix(strings.TrimPrefix(a.Outputs[name].Value, "${{ "), " }}")
				if got := strings.ReplaceAll(r.outputs[step], r.dir+"/temp", "TEMP"); got != want {
					t.Errorf("output %s is %q, want %q", name, got, want)
				}
			}
			if status != tt.status {
				t.Errorf("exit status %s, want %s", status, tt.status)
			}
			if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
				t.Error("an input was run")
			}
		})
	}
}

// TestActionRefuses checks that an archive with a wrong checksum is not run.
func TestActionRefuses(t *testing.T) {
	bash := shell(t, "bash")
	var a action
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "action.yml"))), &a); err != nil {
		t.Fatal(err)
	}
	server := newReleases(t, bash)
	server.files["checksums.txt"] = fmt.Appendf(nil, "%064d  kubevet_%s_%s.tar.gz\n", 0, runtime.GOOS, runtime.GOARCH)
	r := runner{t: t, bash: bash, action: a, dir: t.TempDir(), outputs: map[string]string{"github.action_path": absolute(t, top), "inputs.version": "v0.3.0"}}
	r.env = []string{"CALLS=" + filepath.Join(r.dir, "calls"), "KUBEVET_RELEASES=" + server.URL}
	if status := r.run(); status != "1" {
		t.Errorf("exit status %s", status)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "calls")); err == nil {
		t.Error("kubevet ran")
	}
}

// runner runs the steps of an action that are shell scripts.
type runner struct {
	t         *testing.T
	bash, dir string
	action    action
	env       []string
	outputs   map[string]string // by expression, such as steps.lint.outputs.status
}

// run returns the exit status of the first failed step, or "0".
func (r *runner) run() string {
	temp := filepath.Join(r.dir, "temp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		r.t.Fatal(err)
	}
	for _, step := range r.action.Runs.Steps {
		if step.Run == "" {
			continue
		}
		if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
			r.t.Fatalf("step %s is for shell %q, or has expressions in its text", step.ID, step.Shell)
		}
		cmd := exec.Command(r.bash, "-c", step.Run)
		cmd.Dir = r.dir
		out := filepath.Join(r.dir, "output")
		write(r.t, out, "", 0o644)
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(r.dir, "path")+":"+os.Getenv("PATH"), "TMPDIR="+temp, "RUNNER_TEMP="+temp,
			"GITHUB_OUTPUT="+out, "GITHUB_PATH="+filepath.Join(temp, "path"))
		cmd.Env = append(cmd.Env, r.env...)
		for name, value := range step.Env {
			key := strings.TrimSuffix(strings.TrimPrefix(value, "${{ "), " }}")
			cmd.Env = append(cmd.Env, name+"="+r.outputs[key])
		}
		text, err := cmd.CombinedOutput()
		for line := range strings.Lines(read(r.t, out)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			r.outputs["steps."+step.ID+".outputs."+name] = value
		}
		if err != nil {
			r.t.Logf("step %s: %v\n%s", step.ID, err, text)
			return fmt.Sprint(cmd.ProcessState.ExitCode())
		}
	}
	return "0"
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPinned checks that workflows and the action refer to other actions by commit.
func TestPinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.*)$`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	files, err := filepath.Glob(filepath.Join(top, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, filepath.Join(top, "action.yml")) {
		for _, m := range uses.FindAllStringSubmatch(read(t, file), -1) {
			if !pinned.MatchString(m[1]) && !strings.HasPrefix(m[1], "./") {
				t.Errorf("%s uses %s, which is not pinned", file, m[1])
			}
		}
	}
}
