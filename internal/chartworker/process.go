package chartworker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
)

// maxAnswer is the maximal size of an answer in bytes (256 MiB). A chart may write 64
// MiB.
const maxAnswer = 256 << 20

var errClosed = errors.New("the run is over")

type process struct {
	pool    *Pool
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	send    *encoder
	receive *decoder
	stderr  *firstBytes
	// worked is the rendering time since the worker was borrowed.
	worked time.Duration
	// ended is true if the worker can no longer be used.
	ended atomic.Bool

	once sync.Once
	// state is the error of waiting for the process.
	state error
}

func start(p *Pool) (*process, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding the program that renders charts: %w", err)
	}
	if runtime.GOOS == "linux" {
		// The program's file may have been replaced or, as after go run, removed. On
		// Linux, /proc/self/exe still works.
		if _, err := os.Stat("/proc/self/exe"); err == nil {
			path = "/proc/self/exe"
		}
	}
	cmd := exec.Command(path)
	cmd.Args = []string{os.Args[0], argument}
	cmd.Dir = filepath.VolumeName(path) + string(filepath.Separator)
	cmd.Env = environment()
	w := &process{pool: p, cmd: cmd, stderr: &firstBytes{}}
	cmd.Stderr = w.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the process that renders charts: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the process that renders charts: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the process that renders charts: %w", err)
	}
	w.stdin, w.send, w.receive = stdin, newEncoder(stdin), newDecoder(bufio.NewReaderSize(stdout, 64<<10), maxAnswer)
	return w, nil
}

// environment returns the environment of a worker, without the user's variables. Most
// charts need no garbage collection, and the threads of a collection would compete with
// other workers. Stack traces are disabled, because users do not see them.
func environment() []string {
	env := []string{"GOGC=1600", "GOMAXPROCS=1", "GOTRACEBACK=none"}
	if dir, ok := os.LookupEnv("GOCOVERDIR"); ok {
		env = append(env, "GOCOVERDIR="+dir)
	}
	return env
}

// Call sends a request and returns the answer, as helmchart.Worker requires.
func (w *process) Call(r *helmchart.Request, left *time.Duration) (*helmchart.Answer, error) {
	if left != nil && *left <= 0 { // earlier calls have used up the time
		w.kill()
		return nil, w.timeoutError()
	}
	start := time.Now()
	defer func() { w.worked += time.Since(start) }()
	type result struct {
		answer *helmchart.Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		a := &helmchart.Answer{}
		err := w.send.encode(r)
		if err == nil {
			err = w.receive.decode(a)
		}
		done <- result{a, err}
	}()
	// The time is counted in steps, so that it does not include the time in which the
	// user or the machine suspends this process.
	const step = 100 * time.Millisecond
	for {
		var timer *time.Timer
		var tick <-chan time.Time
		wait := step
		if left != nil {
			wait = min(wait, max(*left, 0))
			timer = time.NewTimer(wait)
			tick = timer.C
		}
		from := time.Now()
		select {
		case got := <-done:
			if left != nil {
				timer.Stop()
				*left -= min(time.Since(from), wait)
			}
			if got.err == nil {
				return got.answer, nil
			}
			w.kill()
			if w.pool.ctx.Err() != nil {
				return nil, context.Cause(w.pool.ctx)
			}
			return nil, w.endError(got.err)
		case <-tick:
			if *left -= wait; *left > 0 {
				continue
			}
			w.kill()
			return nil, w.timeoutError()
		case <-w.pool.ctx.Done():
			w.kill()
			return nil, context.Cause(w.pool.ctx)
		}
	}
}

// timeoutError returns the error for a chart that takes too long.
func (w *process) timeoutError() error {
	return fmt.Errorf("it takes longer than %s; %s changes this limit", w.pool.limit, w.pool.flag)
}

// kill ends the process and waits for its end.
func (w *process) kill() {
	w.ended.Store(true)
	w.once.Do(func() {
		// The process may be ending with an exit status that says more. Closing its input
		// does not change that status.
		w.stdin.Close()
		_ = w.cmd.Process.Kill()
		w.state = w.cmd.Wait()
	})
}

// endError returns the reason why a chart ended the worker process.
func (w *process) endError(err error) error {
	text := w.stderr.String()
	var exit *exec.ExitError
	switch {
	case errors.As(w.state, &exit) && exit.ExitCode() == exitMemory,
		strings.Contains(text, "out of memory"), strings.Contains(text, "cannot allocate memory"):
		return fmt.Errorf("it needs more than %d MiB of memory", maxMemory>>20)
	case strings.Contains(text, "stack overflow"), strings.Contains(text, "stack exceeds"):
		return errors.New("its values or templates contain themselves, or are nested too deeply")
	case errors.Is(err, errTooLarge):
		return fmt.Errorf("its output is larger than %d MiB", maxAnswer>>20)
	}
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("it ends the process that renders it: %v: %s", w.state, line)
}

// firstBytes is a writer that stores the first bytes and drops the rest.
type firstBytes struct {
	mu   sync.Mutex
	text []byte
}

func (h *firstBytes) Write(p []byte) (int, error) {
	const most = 4 << 10
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), most-len(h.text))]...)
	return len(p), nil
}

func (h *firstBytes) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.text)
}
