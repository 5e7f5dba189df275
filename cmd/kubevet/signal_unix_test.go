//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/clusterreplay"
)

// endLimit is the maximal time until a run ends after a signal, much more than it needs.
const endLimit = 30 * time.Second

// hangingRun is a run of kubevet that never ends without a signal.
type hangingRun struct {
	name string
	args []string
	// start prepares the run in its directory. When the run hangs, the returned channel
	// is closed or receives a value.
	start func(t *testing.T, cmd *exec.Cmd) <-chan struct{}
}

// TestSignals sends a signal while a run waits, for everything that a run may wait for.
// The run must end with the documented status, and leave no files and no processes.
func TestSignals(t *testing.T) {
	runs := []hangingRun{
		{"a pipe without a writer", []string{"lint", "pipe", "-o", "json=out.json"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			pipe(t, cmd)
			return waitForFile(filepath.Join(cmd.Dir, ".kubevet-*"))
		}},
		{"a silent pipe", []string{"audit", "pipe"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			return feedPipe(t, pipe(t, cmd), nil)
		}},
		{"a silent configuration", []string{"lint", "--config", "pipe", "."}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			return feedPipe(t, pipe(t, cmd), nil)
		}},
		{"standard input", []string{"lint", "-"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { in.Close() })
			waits := make(chan struct{})
			go func() {
				defer close(waits)
				in.Write(bytes.Repeat([]byte("# comment\n"), 30_000)) // more than the buffer of a pipe
			}()
			return waits
		}},
		{"an endless document", []string{"lint", "pipe"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			return feedPipe(t, pipe(t, cmd), []byte("a: [1, 2]\n"))
		}},
		{"endless lines", []string{"audit", "pipe"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			return feedPipe(t, pipe(t, cmd), []byte("no event\n"))
		}},
		{"a reader that does not read", []string{"lint", "many.yaml"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { in.Close(); out.Close() })
			waits := make(chan struct{})
			go func() {
				defer close(waits)
				in.Read(make([]byte, 1))
			}()
			write(t, filepath.Join(cmd.Dir, "many.yaml"), strings.Repeat("apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n---\n", 10_000))
			cmd.Stdout = out
			return waits
		}},
		{"the go command", []string{"go", "./..."}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			write(t, filepath.Join(cmd.Dir, "go"), "#!/bin/sh\nsleep 1000 &\necho $! >child\necho $$ >parent\nmv child children\nsleep 1000\n")
			if err := os.Chmod(filepath.Join(cmd.Dir, "go"), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(cmd.Environ(), "PATH="+cmd.Dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			return waitForFile(filepath.Join(cmd.Dir, "children"))
		}},
		{"a cluster", []string{"lint", "--cluster", "--kubeconfig", "kubeconfig"}, func(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
			asked := make(chan struct{}, 100)
			s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				<-r.Context().Done()
			}))
			t.Cleanup(s.Close)
			write(t, filepath.Join(cmd.Dir, "kubeconfig"), (&clusterreplay.Server{Server: s}).Kubeconfig("x"))
			return asked
		}},
	}
	for i, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			cmd, stderr := program(t, r.args...)
			hangs := r.start(t, cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-hangs
			signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if got := exitStatus(t, cmd); got != 3 {
				t.Errorf("status %d after %v, want 3", got, signal)
			}
			if got := stderr.String(); !strings.HasSuffix(got, "kubevet: interrupted\n") {
				t.Errorf("it ends with %q", got)
			}
			if left, _ := filepath.Glob(filepath.Join(cmd.Dir, ".kubevet-*")); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
			for _, name := range []string{"children", "parent"} {
				if pid, err := os.ReadFile(filepath.Join(cmd.Dir, name)); err == nil {
					checkEnded(t, name, string(pid))
				}
			}
		})
	}
}

// TestSecondSignal checks that a second signal ends a run immediately.
func TestSecondSignal(t *testing.T) {
	cmd, _ := program(t, "lint", "pipe")
	hangs := feedPipe(t, pipe(t, cmd), nil)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-hangs
	done := make(chan struct{})
	go func() {
		defer close(done)
		for cmd.Process.Signal(syscall.SIGTERM) == nil {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	exitStatus(t, cmd)
	<-done
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGTERM {
		t.Errorf("it ends with %v", cmd.ProcessState)
	}
}

// TestNohup checks that a run that ignores SIGHUP continues after its terminal is closed.
func TestNohup(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	cmd, _ := program(t, "lint", "pipe")
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = sh
	name := pipe(t, cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	file.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n")
	file.Close()
	if got := exitStatus(t, cmd); got != 0 {
		t.Errorf("status %d, want 0", got)
	}
}

// program returns a command that runs kubevet in a new directory, and its standard error.
// The command is killed when the test ends.
func program(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), endLimit)
	t.Cleanup(cancel)
	stderr := &bytes.Buffer{}
	cmd := exec.CommandContext(ctx, "kubevet", args...)
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = t.TempDir(), stderr, time.Second
	return cmd, stderr
}

// exitStatus waits for a command and returns its exit status, or -1 if a signal ended the
// command.
func exitStatus(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Error(err)
	}
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() && s.Signal() == syscall.SIGKILL {
		t.Fatal("it does not end")
	}
	return cmd.ProcessState.ExitCode()
}

// pipe creates a named pipe in the directory of a command and returns its path.
func pipe(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	name := filepath.Join(cmd.Dir, "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip("no named pipes: ", err)
	}
	return name
}

// feedPipe opens a named pipe for writing, which waits for a reader. Then it closes the
// returned channel and writes the text again and again. A nil text writes nothing.
func feedPipe(t *testing.T, name string, text []byte) <-chan struct{} {
	waits := make(chan struct{})
	go func() {
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			close(waits)
			return
		}
		t.Cleanup(func() { file.Close() })
		text := bytes.Repeat(text, 10_000)
		for i := 0; ; i++ {
			if i == 3 || len(text) == 0 {
				close(waits)
			}
			if _, err := file.Write(text); err != nil || len(text) == 0 {
				return
			}
		}
	}()
	return waits
}

// waitForFile returns a channel that is closed when a file matches the glob.
func waitForFile(glob string) <-chan struct{} {
	found := make(chan struct{})
	go func() {
		defer close(found)
		for range int(endLimit / (10 * time.Millisecond)) {
			if names, _ := filepath.Glob(glob); len(names) > 0 {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return found
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// checkEnded checks that a process has ended.
func checkEnded(t *testing.T, name, text string) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	for range int(endLimit / (10 * time.Millisecond)) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		// In a container without an init process, an ended process stays a zombie.
		if state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s, process %d, still runs", name, pid)
}
