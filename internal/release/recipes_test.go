package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// execute runs a script in dir. Stubs replace programs in PATH. It returns the calls of
// the stubs, the standard output, and an error if the script failed.
func execute(t *testing.T, dir, script string, stubs map[string]string, env ...string) (calls, stdout string, err error) {
	t.Helper()
	sh, bash := shell(t, "sh"), shell(t, "bash")
	for name, text := range stubs {
		write(t, filepath.Join(dir, ".stubs", name), "#!"+bash+"\n"+text, 0o755)
	}
	write(t, filepath.Join(dir, ".stubs", "kubevet"), stub(bash), 0o755)
	notes := filepath.Join(dir, ".calls")
	write(t, notes, "", 0o644)
	cmd := exec.Command(sh, "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+filepath.Join(dir, ".stubs")+":"+os.Getenv("PATH"), "CALLS="+notes), env...)
	var out strings.Builder
	cmd.Stdout = &out
	err = cmd.Run()
	return read(t, notes), out.String(), err
}

// TestGitLab replaces the inputs in the component, as GitLab does, and runs the job.
func TestGitLab(t *testing.T) {
	header, body, ok := strings.Cut(read(t, filepath.Join(top, "templates", "lint.yml")), "\n---\n")
	if !ok {
		t.Fatal("a component has two documents")
	}
	var spec struct {
		Spec struct {
			Inputs map[string]struct{ Description, Default string }
		}
	}
	if err := yaml.Unmarshal([]byte(header), &spec); err != nil {
		t.Fatal(err)
	}
	for name, in := range spec.Spec.Inputs {
		if in.Description == "" || !strings.Contains(body, "$[[ inputs."+name+" ]]") {
			t.Errorf("input %s has no description, or nothing uses it", name)
		}
	}
	for _, tt := range []struct {
		inputs      map[string]string
		status      string
		image, want string
	}{
		{nil, "0", "ghcr.io/kubevet/kubevet:latest-go", "kubevet lint --output text --output gitlab=gl-code-quality-report.json -- .\n"},
		{map[string]string{"paths": "deploy **/*.yaml", "args": "--target 1.33 -W", "version": "v0.3.0", "report": "q.json", "job": "check: all"}, "1",
			"ghcr.io/kubevet/kubevet:v0.3.0-go", "kubevet lint --output text --output gitlab=q.json --target 1.33 -W -- deploy \\*\\*/\\*.yaml\n"},
		{map[string]string{"paths": "$(touch hacked)"}, "0", "ghcr.io/kubevet/kubevet:latest-go",
			"kubevet lint --output text --output gitlab=gl-code-quality-report.json -- \\$\\(touch hacked\\)\n"},
	} {
		text := body
		for name, in := range spec.Spec.Inputs {
			value, ok := tt.inputs[name]
			if !ok {
				value = in.Default
			}
			text = strings.ReplaceAll(text, "$[[ inputs."+name+" ]]", value)
		}
		if strings.Contains(text, "$[[") {
			t.Fatalf("an input is not declared:\n%s", text)
		}
		var jobs map[string]struct {
			Stage     string
			Image     struct{ Name string }
			Variables map[string]string
			Script    []string
			Artifacts struct{ Reports struct{ Codequality string } }
		}
		if err := yaml.Unmarshal([]byte(text), &jobs); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, job := range jobs {
			dir := t.TempDir()
			env := []string{"STATUS=" + tt.status}
			for name, value := range job.Variables {
				env = append(env, name+"="+value)
			}
			calls, _, err := execute(t, dir, strings.Join(job.Script, "\n"), nil, env...)
			if diff := cmp.Diff(tt.want, calls); diff != "" || (err != nil) != (tt.status != "0") || job.Image.Name != tt.image {
				t.Errorf("%v, image %s\n%s", err, job.Image.Name, diff)
			}
			if !strings.Contains(calls, "gitlab="+job.Artifacts.Reports.Codequality) {
				t.Errorf("the report is %s", job.Artifacts.Reports.Codequality)
			}
			if _, err := os.Stat(filepath.Join(dir, "hacked")); err == nil {
				t.Error("an input was run")
			}
		}
	}
}

// TestMegaLinter calls kubevet as MegaLinter does, according to the descriptor.
func TestMegaLinter(t *testing.T) {
	var d struct {
		Linters []struct {
			Name    string   `yaml:"linter_name"`
			Mode    string   `yaml:"cli_lint_mode"`
			Args    []string `yaml:"cli_lint_extra_args"`
			Sarif   []string `yaml:"cli_sarif_args"`
			After   []string `yaml:"cli_lint_extra_args_after"`
			Errors  string   `yaml:"cli_lint_errors_regex"`
			Install struct {
				Dockerfile []string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "deploy", "mega-linter-plugin-kubevet", "kubevet.megalinter-descriptor.yml"))), &d); err != nil {
		t.Fatal(err)
	}
	l := d.Linters[0]
	call := append(append(append([]string{l.Name}, l.Args...), l.Sarif...), l.After...)
	calls, _, err := execute(t, t.TempDir(), strings.Join(call, " "), nil)
	if want := "kubevet lint --output text --output sarif=\\{\\{SARIF_OUTPUT_FILE\\}\\} .\n"; err != nil || calls != want || l.Mode != "project" {
		t.Errorf("%v: %s", err, calls)
	}
	const text = "a b.yaml:1:13: error: x [removedapi]\n  1 | a: error: b\nb.yaml:2:1: warning: y [deprecatedapi]\nc.yaml:3:1: error: z [syntax]\n"
	if n := len(regexp.MustCompile(l.Errors).FindAllString(text, -1)); n != 2 {
		t.Errorf("%d errors, want 2", n)
	}
	for _, line := range l.Install.Dockerfile {
		if !strings.HasPrefix(line, "RUN ") {
			t.Errorf("a plugin may only have RUN: %s", line)
		}
	}
}

// TestArgoCD runs the commands of the plugin in the directory of an application.
func TestArgoCD(t *testing.T) {
	var object struct{ Data map[string]string }
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "deploy", "argocd", "plugin.yaml"))), &object); err != nil {
		t.Fatal(err)
	}
	type command struct{ Command, Args []string }
	var plugin struct {
		Kind string
		Spec struct{ Init, Generate command }
	}
	if err := yaml.Unmarshal([]byte(object.Data["plugin.yaml"]), &plugin); err != nil {
		t.Fatal(err)
	}
	for _, c := range []command{plugin.Spec.Init, plugin.Spec.Generate} {
		if plugin.Kind != "ConfigManagementPlugin" || !cmp.Equal(c.Command, []string{"sh", "-c"}) || len(c.Args) != 1 {
			t.Fatalf("%+v", plugin)
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.yaml"), "kind: B", 0o644)
	write(t, filepath.Join(dir, "a dir", "a.yml"), "kind: A\n---\nkind: C\n", 0o644)
	write(t, filepath.Join(dir, "README.md"), "text", 0o644)
	for status, failed := range map[string]bool{"0": false, "1": true, "3": true} {
		calls, out, err := execute(t, dir, plugin.Spec.Init.Args[0], nil, "KUBE_VERSION=1.33", "STATUS="+status)
		if (err != nil) != failed || out != "" || calls != "kubevet lint --target 1.33 .\n" {
			t.Errorf("status %s: %v, %s, %s", status, err, calls, out)
		}
	}
	_, out, err := execute(t, dir, plugin.Spec.Generate.Args[0], nil)
	if want := "---\nkind: A\n---\nkind: C\n\n---\nkind: B\n"; err != nil || out != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, out))
	}
}

// TestSidecar checks that the sidecar mounts only volumes that exist.
func TestSidecar(t *testing.T) {
	var d struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						VolumeMounts []struct{ Name string } `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name      string
						ConfigMap struct{ Name string } `yaml:"configMap"`
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "deploy", "argocd", "repo-server.yaml"))), &d); err != nil {
		t.Fatal(err)
	}
	pod := d.Spec.Template.Spec
	volumes := map[string]bool{"var-files": true, "plugins": true} // volumes of the repo server
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, m := range pod.Containers[0].VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("there is no volume %s", m.Name)
		}
	}
	if pod.Volumes[0].ConfigMap.Name != "kubevet-plugin" {
		t.Errorf("%+v", pod.Volumes[0])
	}
}

var codeBlock = regexp.MustCompile("(?ms)^```(sh|yaml)\n(.*?)^```\n")

// TestDocs runs the commands in docs/ci.md and docs/install.md that need no server and no
// package manager. It also parses the YAML in these files.
func TestDocs(t *testing.T) {
	bash := shell(t, "bash")
	server := newReleases(t, bash)
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("there is no curl")
	}
	// The stub of curl replaces the address of the releases by the address of the test
	// server.
	stubs := map[string]string{
		"curl":    curl + ` "${@/https:\/\/github.com\/kubevet\/kubevet\/releases/$KUBEVET_RELEASES}"` + "\n",
		"argocd":  `printf 'argocd'; printf ' %q' "$@"; echo` + "\n",
		"flux":    `printf 'flux'; printf ' %q' "$@"; echo` + "\n",
		"kubectl": "exit 0\n",
	}
	blocks := []struct{ has, calls string }{
		{"argocd app manifests", "kubevet lint --target 1.33 -\n"},
		{"flux build", "kubevet lint --target 1.33 clusters apps\nkubevet lint --target 1.33 -\n"},
		{"./bin/kubevet lint", "kubevet lint --target 1.33 -o text -o junit=kubevet.xml .\n"},
		{"install.sh | sh\n", ""},
	}
	ran := map[string]bool{}
	for _, file := range []string{"ci.md", "install.md"} {
		for _, m := range codeBlock.FindAllStringSubmatch(read(t, filepath.Join(top, "docs", file)), -1) {
			if m[1] == "yaml" {
				var v any
				if err := yaml.Unmarshal([]byte(m[2]), &v); err != nil {
					t.Errorf("%s: %v\n%s", file, err, m[2])
				}
				continue
			}
			for _, block := range blocks {
				if !strings.Contains(m[2], block.has) {
					continue
				}
				dir := t.TempDir()
				got, out, err := execute(t, dir, m[2], stubs, "KUBEVET_RELEASES="+server.URL, "HOME="+dir, "GIT_COMMIT=0123abc")
				if err != nil || got != block.calls {
					t.Errorf("%s: %v\n%s\n%s%s", file, err, m[2], out, got)
				}
				ran[block.has] = true
			}
		}
	}
	for _, block := range blocks {
		if !ran[block.has] {
			t.Errorf("no block has %q", block.has)
		}
	}
}
