//go:build custom

package golangci

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCustom builds a golangci-lint with the plugin and runs it on the sample, like the
// command "golangci-lint custom". Unlike that command, it takes the sources from the
// module proxy, and the plugin and kubevet from this checkout. .custom-gcl.yml has the
// version of golangci-lint.
func TestCustom(t *testing.T) {
	golangci := buildCustom(t)
	sample := sampleModule(t)
	run := func(args ...string) (string, string) {
		cmd := exec.Command(golangci, append([]string{"run"}, args...)...)
		cmd.Dir = sample
		cmd.Env = append(offline(), "GOLANGCI_LINT_CACHE="+t.TempDir())
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Fatalf("running golangci-lint: %v\n%s", err, &stderr)
		}
		return stdout.String(), stderr.String()
	}
	found, warnings := run("./...")
	golden(t, "findings.txt", found)
	if want := "unknown linters in //nolint directives: dryrunvalue"; !strings.Contains(warnings, want) {
		t.Errorf("got %q, want %q", warnings, want)
	}

	// The section "severity" of the configuration must recognize the severities in
	// messages.
	list := filepath.Join(t.TempDir(), "findings.json")
	run("--output.json.path="+list, "./...")
	severities(t, list)

	// The safe fixes must be applied, and the code must still compile.
	fixed, _ := run("--fix", "./...")
	golden(t, "fixed.txt", fixed)
	main, err := os.ReadFile(filepath.Join(sample, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "main.go.fixed", string(main))
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir, cmd.Env = sample, offline()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the fixed sample: %v\n%s", err, out)
	}
}

// severities checks the severity of each finding in a list.
func severities(t *testing.T, list string) {
	t.Helper()
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Issues []struct{ Text, Severity string }
	}
	if err := json.Unmarshal(data, &report); err != nil || len(report.Issues) == 0 {
		t.Fatalf("%v in %s", err, data)
	}
	for _, issue := range report.Issues {
		if parts := strings.Split(issue.Text, ": "); len(parts) < 3 || parts[1] != issue.Severity {
			t.Errorf("%q has severity %q", issue.Text, issue.Severity)
		}
	}
}

// golden compares a text with a file in testdata. If UPDATE=1 is set, it writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var versionRE = regexp.MustCompile(`(?m)^version: (v2\S+)$`)

// buildCustom builds golangci-lint with the plugin in a new directory, and returns the
// path of the program.
func buildCustom(t *testing.T) string {
	t.Helper()
	config, err := os.ReadFile(".custom-gcl.yml")
	if err != nil {
		t.Fatal(err)
	}
	m := versionRE.FindSubmatch(config)
	if m == nil {
		t.Fatal(".custom-gcl.yml names no version of golangci-lint 2")
	}
	var source struct{ Dir, Error string }
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/golangci/golangci-lint/v2@"+string(m[1])).Output()
	if jsonErr := json.Unmarshal(out, &source); err != nil || jsonErr != nil {
		t.Fatalf("downloading golangci-lint %s: %v %s", m[1], err, source.Error)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source.Dir)); err != nil {
		t.Fatal(err)
	}
	const plugin = "github.com/kubevet/kubevet/golangci"
	imports := fmt.Sprintf("package main\n\nimport _ %q\n", plugin)
	if err := os.WriteFile(filepath.Join(dir, "cmd", "golangci-lint", "plugins.go"), []byte(imports), 0o666); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "custom-gcl")
	for _, args := range []string{
		"mod edit -require=" + plugin + "@v0.0.0 -replace=" + plugin + "=" + here + " -replace=github.com/kubevet/kubevet=" + filepath.Dir(here),
		"build -mod=mod -o " + binary + " ./cmd/golangci-lint",
	} {
		cmd := exec.Command("go", strings.Fields(args)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	return binary
}
