package app

import (
	"errors"
	"os"
	"syscall"
)

// brokenPipeSignals has a signal that Windows never sends. An empty list would make
// signal.Ignore ignore every signal.
var brokenPipeSignals = []os.Signal{syscall.SIGPIPE}

// errNoData is ERROR_NO_DATA: the pipe is being closed.
const errNoData = syscall.Errno(232)

// IsClosedPipe reports whether a write failed because the reader closed the pipe.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData) || errors.Is(err, syscall.EPIPE)
}
