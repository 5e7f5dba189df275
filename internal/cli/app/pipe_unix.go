//go:build !windows

package app

import (
	"errors"
	"os"
	"syscall"
)

// brokenPipeSignals are the signals of a write to a closed pipe.
var brokenPipeSignals = []os.Signal{syscall.SIGPIPE}

// IsClosedPipe reports whether a write failed because the reader closed the pipe.
func IsClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
