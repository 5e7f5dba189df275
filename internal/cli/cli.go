// Package cli is kubevet's command line: the root command and the small verbs. The
// packages below it are one per verb, and what verbs share. Only they use flags,
// exit statuses and terminals.
//
// Findings go to standard output, everything else to standard error. A mistake in
// flags or configuration is a usage error. It ends the run before anything is
// checked.
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
	// Env is the environment, each entry "key=value"; nil is an empty one.
	// Only NO_COLOR and TERM are read.
	Env []string
}

// Main runs kubevet with arguments, without the program's name, and returns the exit
// status. It stops early when ctx is done. It does not change the process, and may
// be called concurrently.
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
	// Not nil, with which cobra would read the process's own arguments.
	root.SetArgs(append([]string{}, args...))
	if err := root.ExecuteContext(ctx); err != nil {
		if status := a.Fail(err); !a.Pluto || status == a.Status {
			return status
		}
		return reporting.PlutoError
	}
	return a.Status
}

// Main runs kubevet in this process, with its directory and environment, and stops
// cleanly on an interrupt.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := app.Interruptible()
	defer stop()
	c := Command{Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: os.Environ()}
	return c.Main(ctx, args)
}
