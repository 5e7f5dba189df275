package audithook

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is a program that a test starts several times.
type program struct {
	t      *testing.T
	name   string
	args   []string
	stderr string // name of a file

	cmd *exec.Cmd
}

func (p *program) start() {
	p.t.Helper()
	log, err := os.OpenFile(p.stderr, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(p.args[0], p.args[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// kill ends the program with SIGKILL.
func (p *program) kill() {
	if p.cmd != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		p.cmd = nil
	}
}

// stop ends the program with SIGTERM and waits.
func (p *program) stop() {
	p.t.Helper()
	p.cmd.Process.Signal(syscall.SIGTERM)
	begun := time.Now()
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%s ended with %v", p.name, err)
	}
	p.t.Logf("%s ended after %v; it used %v of the processor and %d MiB of memory", p.name, time.Since(begun).Round(time.Millisecond),
		p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime(), p.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
	p.cmd = nil
}

// lines returns the lines of a page of serve that contain one of the texts.
func lines(t *testing.T, port int, path string, texts ...string) []string {
	t.Helper()
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(page)) {
		for _, text := range texts {
			if strings.Contains(line, text) && !strings.HasPrefix(line, "#") {
				out = append(out, strings.TrimSpace(line))
			}
		}
	}
	return out
}
