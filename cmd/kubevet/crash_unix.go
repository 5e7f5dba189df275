//go:build unix

package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// abortOnCrash makes the process end with SIGABRT if the Go runtime gives up: on a
// panic in a library's goroutine, a stack overflow, or a lack of memory. Its usual exit
// status is 2, which means a mistake in the flags.
func abortOnCrash() {
	debug.SetTraceback("crash")
	if os.Getenv("GOTRACEBACK") == "crash" {
		return // the user wants a core dump
	}
	// The trace says enough, and a core dump has the size of the memory.
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit)
	}
}
