//go:build !windows

package cli

import (
	"errors"
	"os"
	"syscall"
)

// brokenPipeSignals are sent to a process that writes to a closed pipe.
var brokenPipeSignals = []os.Signal{syscall.SIGPIPE}

// isClosedPipe reports whether a write failed because its reader has gone.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
