// Package cli is kubevet's command line: one file per verb over the packages
// that do the work. It is the only package that knows of flags, exit statuses
// and terminals.
//
// Findings go to standard output, everything else to standard error. What the
// user got wrong (an unknown flag, a configuration that does not hold) is a
// usage error; it ends the run before anything is linted.
package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

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

// Command is one invocation of kubevet with all it takes from its
// surroundings. The zero value has no input, drops its output, and works in
// the process's directory.
type Command struct {
	// Stdin is what the argument "-" reads; nil is an empty input.
	Stdin io.Reader
	// Stdout takes findings and answers, Stderr all the rest; nil drops it.
	// Colour and width depend on whether they are terminals.
	Stdout, Stderr io.Writer
	// Dir is the working directory that relative names are relative to; empty
	// is the process's.
	Dir string
	// Env is the environment, each entry "key=value"; nil is an empty one.
	// Only NO_COLOR and TERM are read.
	Env []string
}

// Main runs kubevet with the arguments that follow its name and returns the
// exit status. It stops early when ctx is done. It changes nothing in the
// process, and can be called many times.
func (c Command) Main(ctx context.Context, args []string) int {
	if c.Stdin == nil {
		c.Stdin = strings.NewReader("")
	}
	if c.Stdout == nil {
		c.Stdout = io.Discard
	}
	if c.Stderr == nil {
		c.Stderr = io.Discard
	}
	a := &app.App{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Env: c.Env, Status: app.StatusClean}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		a.Complain("finding the working directory: %v", err)
		return app.StatusIncomplete
	}
	a.Dir = dir
	root := newRoot(a)
	// Never nil, which would make cobra read the process's own arguments.
	root.SetArgs(append([]string{}, args...))
	if err := root.ExecuteContext(ctx); err != nil {
		if status := a.Fail(err); !a.Pluto || status == a.Status {
			return status
		}
		return reporting.PlutoError
	}
	return a.Status
}

// Main is the whole of cmd/kubevet: it runs kubevet in this process, with its
// directory and environment, and ends early and in order on an interrupt.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := app.Interruptible()
	defer stop()
	c := Command{Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: os.Environ()}
	return c.Main(ctx, args)
}
