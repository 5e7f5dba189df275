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
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	// StatusClean means that nothing at or above --fail-on was found and
	// everything was read.
	StatusClean = 0
	// StatusFindings means that something at or above --fail-on was found, or
	// that what was asked about is not known.
	StatusFindings = 1
	// StatusUsage means that the command line or the configuration is wrong.
	StatusUsage = 2
	// StatusIncomplete means that something could not be read or written, so
	// that no other status would be true.
	StatusIncomplete = 3
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
	a := &app{Command: c, status: StatusClean}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		a.complain("finding the working directory: %v", err)
		return StatusIncomplete
	}
	a.dir = dir
	root := a.root()
	// Never nil, which would make cobra read the process's own arguments.
	root.SetArgs(append([]string{}, args...))
	if err := root.ExecuteContext(ctx); err != nil {
		if status := a.fail(err); !a.pluto || status == a.status {
			return status
		}
		return plutoError
	}
	return a.status
}

// app is the state that the verbs of one Main share.
type app struct {
	Command
	// dir is the working directory, absolute.
	dir string
	// status is what a verb that ended without an error wants to exit with.
	status int
	// pluto makes errors exit as pluto's do.
	pluto bool
	// started is set once the command line is understood.
	started bool
}

// usageError is a mistake in how kubevet was called.
type usageError struct {
	err error
	// help is the command whose help explains what is right; may be nil.
	help *cobra.Command
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usage wraps err as a mistake of the user's.
func usage(err error) error { return &usageError{err: err} }

// usagef is a mistake in how kubevet was called.
func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// fail says what went wrong and returns the exit status for it.
func (a *app) fail(err error) int {
	if isClosedPipe(err) {
		// Whoever read the output has seen enough.
		return a.status
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		a.complain("%s", line)
	}
	var mistake *usageError
	if !errors.As(err, &mistake) {
		if !a.started {
			return StatusUsage
		}
		return StatusIncomplete
	}
	if mistake.help != nil {
		a.complain("'%s --help' says what it takes", mistake.help.CommandPath())
	}
	return StatusUsage
}

// complain writes one line for the user to standard error. Whatever came from
// files or names in it is made harmless to a terminal.
func (a *app) complain(format string, args ...any) {
	// Nobody can be told that standard error cannot be written to.
	fmt.Fprintf(a.Stderr, "kubevet: %s\n", report.Sanitize(fmt.Sprintf(format, args...)))
}

// path makes a name that the user gave absolute.
func (a *app) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.dir, name)
}

// getenv returns a variable of the environment, the last if it is there
// twice.
func (a *app) getenv(key string) string {
	value := ""
	for _, e := range a.Env {
		if v, ok := strings.CutPrefix(e, key+"="); ok {
			value = v
		}
	}
	return value
}

// Main is the whole of cmd/kubevet: it runs kubevet in this process, with its
// directory and environment, and ends early and in order on an interrupt.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := interruptible()
	defer stop()
	c := Command{Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: os.Environ()}
	return c.Main(ctx, args)
}
