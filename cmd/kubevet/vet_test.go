package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestVet compares go vet and kubevet go on five modules. go vet must report the same
// findings with the same severities, and must fail for findings that fail kubevet go.
func TestVet(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("go vet compiles the stubs, and starts the tool for each package")
	}
	modules := map[string]string{}
	archives, err := filepath.Glob(filepath.Join("..", "..", "testdata", "vet", "*.txtar"))
	if err != nil || len(archives) < 5 {
		t.Fatalf("%d modules in testdata/vet: %v", len(archives), err)
	}
	for _, archive := range archives {
		modules[strings.TrimSuffix(filepath.Base(archive), ".txtar")] = unpackModule(t, archive)
	}
	strict := vetRun{[]string{"--strict", "--tests", "--fail-on=info"}, []string{"-strict", "-tests", "-fail-on=info"}}
	for name, dir := range modules {
		t.Run(name, func(t *testing.T) { vetRun{}.compare(t, dir) })
		t.Run(name+"/strict", func(t *testing.T) { strict.compare(t, dir) })
	}
	t.Run("rules", func(t *testing.T) { vetRun{}.compare(t, stubModule) })
	for flag, run := range map[string]vetRun{
		"target": {[]string{"--target=1.20..1.22", "--fail-on=warning"}, []string{"-target=1.20..1.22", "-fail-on=warning"}},
		"never":  {[]string{"--fail-on=never"}, []string{"-fail-on=never"}},
	} {
		t.Run(flag, func(t *testing.T) { run.compare(t, modules["manifests"]) })
	}
}

// unpackModule writes the files of a module, or of a workspace of modules, to a
// directory. The client libraries are stubs.
func unpackModule(t *testing.T, archive string) string {
	t.Helper()
	files, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	roots := map[string]bool{}
	workspace := false
	for _, f := range files.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
		workspace = workspace || f.Name == "go.work"
	}
	for _, f := range files.Files {
		if root, _, nested := strings.Cut(f.Name, "/"); workspace && nested {
			roots[root] = true
		} else if !workspace {
			roots["."] = true
		}
	}
	var required string // other modules in the archive that the main module requires
	for _, f := range files.Files {
		if root, name, _ := strings.Cut(f.Name, "/"); name == "go.mod" {
			roots[root] = true
			required += fmt.Sprintf("\nrequire example.com/%[1]s v1.0.0\n\nreplace example.com/%[1]s => ./%[1]s\n", root)
		}
	}
	for root := range roots {
		module := "example.com/" + root
		if root == "." {
			module = "example.com/shop"
		}
		mod, err := stubsModule(module)
		if err != nil {
			t.Fatal(err)
		}
		if root == "." {
			mod = append(mod, required...)
		}
		if strings.Contains(string(files.Comment), "client-go v0.24.3") {
			mod = bytes.Replace(mod, []byte("k8s.io/client-go v0.37.2"), []byte("k8s.io/client-go v0.24.3"), 1)
		}
		if err := os.WriteFile(filepath.Join(dir, root, "go.mod"), mod, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// vetRun has the flags of one run, for kubevet go and for go vet.
type vetRun struct{ kubevet, vet []string }

func (r vetRun) compare(t *testing.T, dir string) {
	patterns := []string{"./..."}
	_, err := os.Stat(filepath.Join(dir, "go.work"))
	workspace := err == nil
	program, err := exec.LookPath("kubevet")
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, want := outputs(t, dir, program, slices.Concat([]string{"go", "--no-config", "--output=json"}, r.kubevet, patterns)...)
	var report struct {
		Findings []struct {
			Rule, Severity, Message, File string
			Line, Column                  int
		}
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || want > 1 {
		t.Fatalf("status %d, %v\n%s%s", want, err, stdout, stderr)
	}
	var expected []string
	for _, f := range report.Findings {
		expected = append(expected, f.File+":"+strconv.Itoa(f.Line)+":"+strconv.Itoa(f.Column)+": "+f.Severity+": "+f.Message+" ["+f.Rule+"]")
	}
	slices.Sort(expected)
	if len(expected) == 0 {
		t.Error("no findings")
	}

	if workspace {
		// The go command does not search for modules below a directory, so each module is
		// named.
		patterns = []string{"./app/...", "./lib/..."}
	}
	// The go command does not run the tool again for a package in its cache, and prints
	// only findings that fail the build. A new value for this compiler flag makes it run
	// the tool again, and has no other effect.
	fresh := "-gcflags=-D=" + strconv.Itoa(rand.Int())
	stdout, stderr, got := outputs(t, dir, "go", slices.Concat([]string{"vet", "-vettool=" + program, fresh}, r.vet, patterns)...)
	var found []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimPrefix(filepath.ToSlash(strings.TrimSuffix(line, "\n")), "./")
		switch {
		case strings.HasPrefix(line, "# "), relatedLine.MatchString(line):
		default:
			found = append(found, line)
		}
	}
	slices.Sort(found)
	if diff := cmp.Diff(expected, found); diff != "" || stdout != "" {
		t.Errorf("-kubevet go +go vet:\n%s%s", diff, stdout)
	}
	if got != want {
		t.Errorf("go vet has exit status %d, kubevet go %d", got, want)
	}
}

// relatedLine matches a line of go vet about a related place of a finding.
var relatedLine = regexp.MustCompile(`^[^\s:]+:\d+:\d+: \t`)

// outputs runs a program without a network. It returns both output streams and the exit
// status.
func outputs(t *testing.T, dir, program string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=")
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return out.String(), errs.String(), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), 0
}
