package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/reporting"
)

const removed = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata:\n  name: web\n"

// runIn runs kubevet in a new directory with the files.
func runIn(t *testing.T, files map[string]string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	c := Command{Stdout: &out, Stderr: &errs, Dir: dir}
	status = c.Main(t.Context(), args)
	return out.String(), errs.String(), status
}

func TestZeroCommand(t *testing.T) {
	if got := (Command{}).Main(t.Context(), []string{"version"}); got != app.StatusClean {
		t.Errorf("status %d, want %d", got, app.StatusClean)
	}
	if got := (Command{}).Main(t.Context(), nil); got != app.StatusUsage {
		t.Errorf("status %d without arguments, want %d", got, app.StatusUsage)
	}
}

type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("boom") }

// TestPanic checks that a panic is reported as a mistake of kubevet, with another exit
// status than a mistake in the flags.
func TestPanic(t *testing.T) {
	for _, c := range []struct {
		args string
		want int
	}{{"version", app.StatusIncomplete}, {"--help", app.StatusIncomplete}, {"lint . --pluto-exit-codes -o json", reporting.PlutoError}} {
		var stderr bytes.Buffer
		got := Command{Stdout: panicWriter{}, Stderr: &stderr, Dir: t.TempDir()}.Main(t.Context(), strings.Fields(c.args))
		if got != c.want {
			t.Errorf("%s: status %d, want %d", c.args, got, c.want)
		}
		for _, text := range []string{"kubevet: panic: boom\n", "panicWriter.Write", "a mistake of its own: please report it"} {
			if !strings.Contains(stderr.String(), text) {
				t.Errorf("%s: no %q in %s", c.args, text, stderr.String())
			}
		}
	}
}

// TestConcurrent checks that concurrent calls share no state.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(removed), 0o644); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			target, want := "1.25", app.StatusFindings
			if i%2 == 0 {
				target, want = "1.20", app.StatusClean
			}
			if got := (Command{Dir: dir}).Main(t.Context(), []string{"lint", "--target", target}); got != want {
				t.Errorf("--target %s: status %d, want %d", target, got, want)
			}
		})
	}
	all.Wait()
}

func TestColor(t *testing.T) {
	files := map[string]string{"a.yaml": removed}
	for _, tt := range []struct {
		flag string
		want bool
	}{{"always", true}, {"never", false}, {"auto", false}} {
		stdout, stderr, _ := runIn(t, files, "lint", "--target", "1.25", "--color", tt.flag, "-o", "text", "-o", "table=out.txt")
		if got := strings.Contains(stdout, "\x1b["); got != tt.want {
			t.Errorf("--color %s: coloured = %v, want %v: %q", tt.flag, got, tt.want, stdout)
		}
		if !tt.want && strings.Contains(stderr, "\x1b[") {
			t.Errorf("--color %s: standard error is coloured: %q", tt.flag, stderr)
		}
	}
	for _, env := range [][]string{{"NO_COLOR=1"}, {"TERM=dumb"}, {"NO_COLOR=", "NO_COLOR=x"}} {
		a := &app.App{Env: env}
		if got, err := a.Colors("auto", os.Stdout); got || err != nil {
			t.Errorf("%v: coloured = %v, %v", env, got, err)
		}
	}
}

// TestFilesAreNeverColoured checks that reports in files have no colours, even with
// --color=always.
func TestFilesAreNeverColoured(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(removed), 0o644); err != nil {
		t.Fatal(err)
	}
	Command{Dir: dir}.Main(t.Context(), []string{"lint", "--target", "1.25", "--color", "always", "-o", "text=out.txt"})
	got, err := os.ReadFile(filepath.Join(dir, "out.txt"))
	if err != nil || len(got) == 0 || bytes.Contains(got, []byte("\x1b[")) {
		t.Errorf("out.txt = %q, %v", got, err)
	}
}

// TestInterrupted checks that a run that waits for its input ends when its context ends.
// Existing files must not change.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "out.json")
	if err := os.WriteFile(report, []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	in, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	var errs bytes.Buffer
	go func() {
		// The pipe accepts this line only when lint reads its input.
		if _, err := io.WriteString(w, "apiVersion: v1\n"); err == nil {
			cancel(app.ErrInterrupted)
		}
	}()
	c := Command{Stdin: in, Stderr: &errs, Dir: dir}
	if got := c.Main(ctx, []string{"lint", "-o", "json=out.json", "-"}); got != app.StatusIncomplete {
		t.Errorf("status %d, want %d", got, app.StatusIncomplete)
	}
	if got, want := errs.String(), "kubevet: interrupted\n"; got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}
	if got, err := os.ReadFile(report); err != nil || string(got) != "before" {
		t.Errorf("the report is %q, %v, want it left alone", got, err)
	}
}

type failingWriter struct{ err error }

func (f failingWriter) Write([]byte) (int, error) { return 0, f.err }

func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(removed), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"lint", "--target", "1.25"}, {"lint", "--target", "1.25", "-o", "json"}, {"rules"}, {"rules", "-o", "json"},
		{"rules", "syntax"}, {"api"}, {"api", "-o", "jsonl"}, {"version"},
	} {
		var errs bytes.Buffer
		c := Command{Stdout: failingWriter{errors.New("disk full")}, Stderr: &errs, Dir: dir}
		if got := c.Main(t.Context(), args); got != app.StatusIncomplete {
			t.Errorf("%v: status %d, want %d", args, got, app.StatusIncomplete)
		}
		if !strings.Contains(errs.String(), "disk full") {
			t.Errorf("%v: standard error %q does not say why", args, errs.String())
		}
	}
}

// TestSanitised checks that kubevet escapes a name from outside before it prints the name
// to a terminal.
func TestSanitised(t *testing.T) {
	for _, args := range [][]string{
		{"lint", "x\x1b[31m.yaml"}, {"lint", "-q", "x\x1b[31m.yaml"}, {"\x1b[31m"}, {"rules", "\x1b[31m"},
		{"api", "\x1b[31m"}, {"lint", "--config", "\x1b[31m"}, {"lint", "--\x1b[31m"}, {"lint", "--target", "\x1b[31m"},
	} {
		stdout, stderr, status := runIn(t, nil, args...)
		if strings.Contains(stdout+stderr, "\x1b") || status == app.StatusClean {
			t.Errorf("%q: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
}

func TestStoppable(t *testing.T) {
	text := strings.Repeat("0123456789", 100_000)
	got, err := io.ReadAll(app.NewStoppable(t.Context(), iotest.HalfReader(strings.NewReader(text))))
	if err != nil || string(got) != text {
		t.Errorf("read %d bytes, %v, want %d", len(got), err, len(text))
	}
	fault := errors.New("fault")
	got, err = io.ReadAll(app.NewStoppable(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(fault))))
	if !errors.Is(err, fault) || string(got) != "abc" {
		t.Errorf("read %q, %v, want abc and the fault", got, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(app.ErrInterrupted)
	blocked, w := io.Pipe()
	defer w.Close()
	r := app.NewStoppable(ctx, blocked)
	for range 2 {
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, app.ErrInterrupted) {
			t.Errorf("Read = %v, want the cause of the context", err)
		}
	}
}

// TestHostileNames checks that kubevet escapes the names of files in findings and in the
// summary.
func TestHostileNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such names do not exist on Windows")
	}
	files := map[string]string{
		"a\x1b[2Jb.yaml":        removed,
		"new\nline::error.yaml": removed,
		"{{ .x }}\x07.yaml":     "a: {{ .Values.x }}\n",
		"bad\xff.yaml":          removed,
	}
	for _, args := range [][]string{{"-o", "text"}, {"-o", "table"}, {"-o", "github"}, {"-o", "markdown"}, {"-v"}} {
		stdout, stderr, status := runIn(t, files, append([]string{"lint", "--target", "1.25"}, args...)...)
		if status != app.StatusFindings {
			t.Errorf("%v: status %d\n%s", args, status, stderr)
		}
		for _, text := range []string{stdout, stderr} {
			if strings.ContainsAny(text, "\x1b\x07") || strings.Contains(text, "new\nline") || !utf8.ValidString(text) {
				t.Errorf("%v: a name reaches the terminal as it is: %q", args, text)
			}
		}
	}
}
