package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// action is a composite action of GitHub.
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

// TestAction runs the steps of the action, with stubs in the place of go and
// kubevet that note how they are called.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	var a action
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(top, "action.yml"))), &a); err != nil {
		t.Fatal(err)
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 2 {
		t.Fatalf("runs %+v", a.Runs)
	}
	for _, tt := range []struct {
		name   string
		inputs map[string]string
		status string // of the stub of kubevet
		want   string // the calls
		output string
	}{
		{"defaults", nil, "0",
			"GOBIN go install github.com/kubevet/kubevet/cmd/kubevet@latest\nkubevet lint --output github -- .\n", "status=0\n"},
		{"all", map[string]string{"version": "v0.3.0", "sarif": "out dir/k.sarif", "args": "--target 1.33 -W", "paths": "a\n**/*.yaml", "output": "text"}, "1",
			"GOBIN go install github.com/kubevet/kubevet/cmd/kubevet@v0.3.0\nkubevet lint --output text --output sarif=out\\ dir/k.sarif --target 1.33 -W -- a \\*\\*/\\*.yaml\n",
			"sarif=out dir/k.sarif\nstatus=1\n"},
		{"path", map[string]string{"version": "./tools/it's"}, "3",
			"GOBIN go install -C ./tools/it\\'s ./cmd/kubevet\nkubevet lint --output github -- .\n", "status=3\n"},
		{"hostile", map[string]string{"paths": "$(touch hacked) `touch hacked`", "args": ";touch hacked"}, "0",
			"GOBIN go install github.com/kubevet/kubevet/cmd/kubevet@latest\nkubevet lint --output github \\;touch hacked -- \\$\\(touch hacked\\) \\`touch hacked\\`\n", "status=0\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			calls := filepath.Join(dir, "calls")
			stub := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!"+bash+"\n"+text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			stub("kubevet.stub", `{ printf kubevet; printf ' %q' "$@"; echo; } >> "$CALLS"; exit `+tt.status+"\n")
			stub("go", `{ printf GOBIN\ go; printf ' %q' "$@"; echo; } >> "$CALLS"; cp "$STUB" "$GOBIN/kubevet"`+"\n")
			outputs := map[string]string{}
			var last *exec.Cmd
			for i, step := range a.Runs.Steps {
				if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
					t.Fatalf("step %d is for shell %q, or has expressions in its text", i, step.Shell)
				}
				cmd := exec.Command(bash, "-c", step.Run)
				cmd.Dir = dir
				out := filepath.Join(dir, "output")
				os.Remove(out)
				cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "CALLS="+calls, "STUB="+filepath.Join(dir, "kubevet.stub"),
					"TMPDIR="+dir, "GITHUB_OUTPUT="+out, "GITHUB_PATH="+filepath.Join(dir, "path"))
				for name, value := range step.Env {
					key := strings.TrimSuffix(strings.TrimPrefix(value, "${{ "), " }}")
					if input, ok := strings.CutPrefix(key, "inputs."); ok {
						value = a.Inputs[input].Default
						if given, ok := tt.inputs[input]; ok {
							value = given
						}
					} else {
						value = outputs[key]
					}
					cmd.Env = append(cmd.Env, name+"="+value)
				}
				text, err := cmd.CombinedOutput()
				if code := cmd.ProcessState.ExitCode(); err != nil && (i == 0 || string('0'+rune(code)) != tt.status) {
					t.Fatalf("step %d: %v\n%s", i, err, text)
				}
				last = cmd
				for line := range strings.Lines(read(t, out)) {
					name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
					outputs["steps."+step.ID+".outputs."+name] = value
				}
			}
			if got := read(t, calls); got != tt.want {
				t.Errorf("calls (-want +got):\n%s", cmp.Diff(tt.want, got))
			}
			if got := read(t, filepath.Join(dir, "output")); got != tt.output {
				t.Errorf("outputs (-want +got):\n%s", cmp.Diff(tt.output, got))
			}
			if got := last.ProcessState.ExitCode(); string('0'+rune(got)) != tt.status {
				t.Errorf("exit status %d, want %s", got, tt.status)
			}
			if _, err := os.Stat(filepath.Join(dir, "hacked")); err == nil {
				t.Error("an input was run")
			}
		})
	}
	for name, out := range a.Outputs {
		if !strings.HasPrefix(out.Value, "${{ steps.lint.outputs."+name) {
			t.Errorf("output %s is %s", name, out.Value)
		}
	}
}

// TestKrew fills the template of krew's manifest in, as a release does.
func TestKrew(t *testing.T) {
	text := read(t, filepath.Join(top, ".krew.yaml"))
	var inner func(url, tag string) (string, error)
	render := func(text string) string {
		var b bytes.Buffer
		tmpl, err := template.New("").Funcs(template.FuncMap{"addURIAndSha": func(url, tag string) (string, error) { return inner(url, tag) }}).Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := tmpl.Execute(&b, struct{ TagName string }{"v0.3.0"}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	inner = func(url, tag string) (string, error) {
		return "uri: " + render(url) + "\n    sha256: " + strings.Repeat("0", 64), nil
	}
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, Homepage, Description string
			ShortDescription               string `yaml:"shortDescription"`
			Platforms                      []struct {
				URI, Sha256, Bin string
				Selector         struct {
					MatchLabels map[string]string `yaml:"matchLabels"`
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(render(text)), &plugin); err != nil {
		t.Fatal(err)
	}
	if plugin.Kind != "Plugin" || plugin.Metadata.Name != "kubevet" || plugin.Spec.Version != "v0.3.0" || len(plugin.Spec.ShortDescription) > 50 {
		t.Errorf("%+v", plugin)
	}
	if len(plugin.Spec.Platforms) != 5 {
		t.Errorf("%d platforms", len(plugin.Spec.Platforms))
	}
	for _, p := range plugin.Spec.Platforms {
		labels := p.Selector.MatchLabels
		if !strings.Contains(p.URI, "/v0.3.0/kubevet_"+labels["os"]+"_"+labels["arch"]+".") || len(p.Sha256) != 64 || !strings.HasPrefix(p.Bin, "kubevet") {
			t.Errorf("%+v", p)
		}
	}
}

// TestDockerfile holds the Dockerfile to the repository: an image is built only
// where there is a builder.
func TestDockerfile(t *testing.T) {
	text := read(t, filepath.Join(top, "deploy", "Dockerfile"))
	module := read(t, filepath.Join(top, "go.mod"))
	_, version, _ := strings.Cut(module, "\ngo ")
	version, _, _ = strings.Cut(version, "\n")
	parts := strings.SplitN(version, ".", 3)
	if want := "FROM golang:" + parts[0] + "." + parts[1] + " AS build"; !strings.Contains(text, want) {
		t.Errorf("there is no %q, as go.mod has it", want)
	}
	for _, line := range []string{"CGO_ENABLED=0 go build", "./cmd/kubevet\n", "\nFROM scratch\n", "\nCOPY --from=build /out/kubevet /kubevet\n", "\nENTRYPOINT [\"/kubevet\"]\n", "\nUSER 65532:65532\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("there is no %q", line)
		}
	}
	ignored := read(t, filepath.Join(top, ".dockerignore"))
	for _, needed := range []string{"rules", "*.md", "schema"} {
		if strings.Contains(ignored, needed) {
			t.Errorf("%s is left out, and compiled in", needed)
		}
	}
}
