//go:build unix

package main

import (
	"os"
	"runtime/debug"
	"syscall"
)

// abortOnCrash makes the process end with SIGABRT after a fatal error of the Go runtime.
// Such errors are a panic in a goroutine of a library, a stack overflow, and a lack of
// memory. By default, the exit status would be 2, which means a mistake in the flags.
func abortOnCrash() {
	debug.SetTraceback("crash")
	if os.Getenv("GOTRACEBACK") == "crash" {
		return // the user wants a core dump
	}
	// A core dump would have the size of the memory, and the stack trace says enough. So
	// core dumps are disabled.
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &limit) == nil {
		limit.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit)
	}
}
