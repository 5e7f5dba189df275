//go:build !windows

package app

import (
	"errors"
	"os"
	"syscall"
)

// brokenPipeSignals are sent to a process that writes to a closed pipe.
var brokenPipeSignals = []os.Signal{syscall.SIGPIPE}

// IsClosedPipe reports whether a write failed because its reader is gone.
func IsClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
