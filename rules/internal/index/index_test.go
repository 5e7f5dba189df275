package index

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

const readme = "../../README.md"

func TestUpToDate(t *testing.T) {
	var stderr bytes.Buffer
	if status := Main([]string{"-check", readme}, &stderr); status != 0 {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	old := "# Rules\n\n" + begin + "old\n" + end + "\nmore\n"
	if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if status := Main([]string{"-check", file}, &stderr); status != 1 || !strings.Contains(stderr.String(), "not up to date") {
		t.Errorf("check of an old table: exit status %d, %q", status, stderr.String())
	}
	if got, _ := os.ReadFile(file); string(got) != old {
		t.Errorf("check wrote the file: %q", got)
	}
	if status := Main([]string{file}, &stderr); status != 0 {
		t.Fatalf("write: exit status %d", status)
	}
	got, _ := os.ReadFile(file)
	if !strings.HasPrefix(string(got), "# Rules\n\n"+begin+"| rule ") || !strings.HasSuffix(string(got), "|\n"+end+"\nmore\n") {
		t.Errorf("written: %q", got)
	}
	if status := Main([]string{"-check", file}, &stderr); status != 0 {
		t.Errorf("check after write: exit status %d", status)
	}
	for _, args := range [][]string{nil, {"a", "b"}, {"-nosuch"}} {
		if status := Main(args, &stderr); status != 2 {
			t.Errorf("Main(%q): exit status %d, want 2", args, status)
		}
	}
	if status := Main([]string{filepath.Join(t.TempDir(), "absent")}, &stderr); status != 1 {
		t.Errorf("absent file: exit status %d, want 1", status)
	}
}

func TestReplace(t *testing.T) {
	for _, text := range []string{"", begin, end, end + begin} {
		if got, err := replace([]byte(text), "x\n"); err == nil {
			t.Errorf("replace(%q) = %q, want an error", text, got)
		}
	}
}

func TestTable(t *testing.T) {
	got := table([]rules.Rule{{
		ID: "alpha", Title: "a title", Severity: rules.Error, Status: rules.StatusPreview,
		Surfaces: []rules.Surface{rules.SurfaceGo, rules.SurfaceManifest},
	}})
	want := "| rule | finds | severity | status | surfaces |\n|---|---|---|---|---|\n" +
		"| [alpha](alpha.md) | a title | error | preview, off by default | go, manifest |\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
