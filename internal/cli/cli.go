// Package cli is kubevet's command line. It has the root command and the small verbs.
// Each package below it has one larger verb, or code that several verbs share. Only these
// packages use flags, exit statuses and terminals.
//
// Findings go to standard output, everything else to standard error. A mistake in flags
// or configuration is a usage error, which ends the run before anything is checked.
package cli

//go:generate go run ../../cmd/kubevet manual --reference ../../docs/reference

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/reporting"
)

// These are the exit statuses.
const (
	StatusClean      = app.StatusClean
	StatusFindings   = app.StatusFindings
	StatusUsage      = app.StatusUsage
	StatusIncomplete = app.StatusIncomplete
)

// Command is one call of kubevet with its streams, directory and environment. The zero
// value has an empty input, discards its output, and works in the directory of the
// process.
type Command struct {
	// Stdin is the input for the argument "-". nil means an empty input.
	Stdin io.Reader
	// Stdout receives findings and answers, Stderr everything else. Output to a nil
	// writer is discarded. kubevet uses colour and the terminal's width only if the
	// writer is a terminal.
	Stdout, Stderr io.Writer
	// Dir is the working directory. If it is empty, it is the directory of the process.
	Dir string
	// Program is the first argument of the process, the file that the user called. Empty
	// means "kubevet". For kubectl-kubevet, the plugin of kubectl, usage texts show
	// `kubectl kubevet`.
	Program string
	// Env is the environment, with entries in the form "key=value". kubevet reads only
	// NO_COLOR, TERM, CI, TF_BUILD and TEAMCITY_VERSION.
	Env []string
	// If Isolate is true, kubevet renders charts in child processes, so that a hostile
	// chart cannot end this process. The child processes run this program again. So its
	// main function must call chartworker.Main if chartworker.Called returns true.
	Isolate bool
}

// Main runs kubevet and returns the exit status. args does not have the program's name.
// Main stops early when ctx is done, unless it is waiting for a file that blocks. It does
// not change the state of the process, and may be called concurrently.
func (c Command) Main(ctx context.Context, args []string) int {
	return run(ctx, c.app(), args)
}

// app returns the app.App of this call. Its streams are never nil.
func (c Command) app() *app.App {
	a := &app.App{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Program: c.Program, Env: c.Env, Dir: c.Dir, Isolate: c.Isolate, Status: app.StatusClean, Ending: &app.Ending{}}
	if a.Stdin == nil {
		a.Stdin = strings.NewReader("")
	}
	if a.Stdout == nil {
		a.Stdout = io.Discard
	}
	if a.Stderr == nil {
		a.Stderr = io.Discard
	}
	return a
}

// run runs the verb that the arguments name and returns the exit status.
func run(ctx context.Context, a *app.App, args []string) int {
	dir, err := filepath.Abs(a.Dir)
	if err != nil {
		a.Complain("finding the working directory: %v", err)
		return app.StatusIncomplete
	}
	a.Dir = dir
	if err := execute(ctx, a, args); err != nil {
		if status := a.Fail(err); !a.Pluto || status == a.Status {
			return status
		}
		return reporting.PlutoError
	}
	return a.Status
}

func execute(ctx context.Context, a *app.App, args []string) (err error) {
	defer a.Recover(&err)
	root := newRoot(a)
	// For nil, cobra reads the arguments of the process.
	root.SetArgs(append([]string{}, args...))
	return root.ExecuteContext(ctx)
}

// Main runs kubevet in this process and returns the exit status. After an interrupt, the
// run has a short time to end. If it does not end in this time, it continues in the
// background. So the caller must end the process with the returned status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := app.Interruptible()
	defer stop()
	a := Command{Stdin: stdin, Stdout: stdout, Stderr: stderr, Program: os.Args[0], Env: os.Environ(), Isolate: true}.app()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, a, args) }()
	select {
	case status := <-ended:
		return status
	case <-ctx.Done():
	}
	select {
	case status := <-ended:
		return status
	case <-time.After(a.Ending.Grace()):
		return a.Abandon()
	}
}
