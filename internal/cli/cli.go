// Package cli is kubevet's command line: the root command and the small verbs. The
// packages below it are one per verb, and what verbs share. Only they use flags,
// exit statuses and terminals.
//
// Findings go to standard output, everything else to standard error. A mistake in
// flags or configuration is a usage error. It ends the run before anything is
// checked.
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

// Exit statuses.
const (
	StatusClean      = app.StatusClean
	StatusFindings   = app.StatusFindings
	StatusUsage      = app.StatusUsage
	StatusIncomplete = app.StatusIncomplete
)

// Command is one call of kubevet with its surroundings. The zero value has no input,
// discards its output, and works in the process's directory.
type Command struct {
	// Stdin is the input of the argument "-"; nil is an empty input.
	Stdin io.Reader
	// Stdout gets findings and answers, Stderr everything else; nil discards it.
	// Colour and width depend on whether they are terminals.
	Stdout, Stderr io.Writer
	// Dir is the working directory; empty is the process's.
	Dir string
	// Program is the file that the user called, as the first of a process's
	// arguments; empty is kubevet. As kubectl-kubevet, the plugin of kubectl, usage
	// shows `kubectl kubevet`.
	Program string
	// Env is the environment, each entry "key=value"; nil is an empty one.
	// Only NO_COLOR and TERM are read.
	Env []string
	// Isolate renders charts in further processes of this program, so that a
	// hostile chart cannot end this one. The program's main function must then
	// call chartworker.Main if chartworker.Called.
	Isolate bool
}

// Main runs kubevet with arguments, without the program's name, and returns the exit
// status. It stops early when ctx is done, but not while it waits for a file that
// blocks. It does not change the process, and may be called concurrently.
func (c Command) Main(ctx context.Context, args []string) int {
	return run(ctx, c.app(), args)
}

// app returns the surroundings of one call, without nil streams.
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
	// Not nil, with which cobra would read the process's own arguments.
	root.SetArgs(append([]string{}, args...))
	return root.ExecuteContext(ctx)
}

// Main runs kubevet in this process, with its name, directory and environment. It stops on
// an interrupt: cleanly if the run ends soon, otherwise it returns while the run still
// hangs. The process must end with the status that it returns.
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
