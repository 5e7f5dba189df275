package app

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubevet/kubevet/internal/quote"
)

// UsageError is a mistake in the command line or the configuration.
type UsageError struct {
	Err error
	// Help is the command whose --help describes the correct usage. It may be nil.
	Help *cobra.Command
}

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Usage returns err as a UsageError.
func Usage(err error) error { return &UsageError{Err: err} }

// Usagef returns a UsageError with a formatted text.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Fail prints an error and returns the exit status for it.
func (a *App) Fail(err error) int {
	if IsClosedPipe(err) {
		// The reader of the output ended early, which is not an error.
		return a.Status
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		a.Complain("%s", line)
	}
	var mistake *UsageError
	if !errors.As(err, &mistake) {
		if !a.Started && !errors.Is(err, errCrashed) {
			return StatusUsage
		}
		return StatusIncomplete
	}
	if mistake.Help != nil {
		a.Complain("run '%s --help' for usage", mistake.Help.CommandPath())
	}
	return StatusUsage
}

// Bare replaces the operation and the path in an error of package os by the name that the
// user knows.
func Bare(err error, name string) error { return fmt.Errorf("%s: %w", quote.Name(name), Cause(err)) }

// Cause returns an error of package os without the operation and the path. Other errors
// are returned unchanged.
func Cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
