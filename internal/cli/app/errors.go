package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// UsageError is a mistake in how kubevet was called.
type UsageError struct {
	Err error
	// help is the command whose help explains what is right; may be nil.
	Help *cobra.Command
}

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usage wraps err as a mistake of the user's.
func Usage(err error) error { return &UsageError{Err: err} }

// Usagef is a mistake in how kubevet was called.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Fail says what went wrong and returns the exit status for it.
func (a *App) Fail(err error) int {
	if IsClosedPipe(err) {
		// Whoever read the output has seen enough.
		return a.Status
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		a.Complain("%s", line)
	}
	var mistake *UsageError
	if !errors.As(err, &mistake) {
		if !a.Started {
			return StatusUsage
		}
		return StatusIncomplete
	}
	if mistake.Help != nil {
		a.Complain("'%s --help' says what it takes", mistake.Help.CommandPath())
	}
	return StatusUsage
}

// Bare replaces the operation and path of an error of package os by the name
// that the user knows.
func Bare(err error, name string) error { return fmt.Errorf("%s: %w", name, Cause(err)) }

// Cause is what is behind an error of package os.
func Cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
