//go:build unix

package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// abortOnCrash makes the process end with SIGABRT after a fatal error of the Go runtime:
// a panic in a goroutine of a library, a stack overflow, or a lack of memory. The default
// exit status, 2, means a mistake in the flags.
func abortOnCrash() {
	debug.SetTraceback("crash")
	if os.Getenv("GOTRACEBACK") == "crash" {
		return // the user wants a core dump
	}
	// A core dump is as large as the memory, and the stack trace says enough.
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit)
	}
}
