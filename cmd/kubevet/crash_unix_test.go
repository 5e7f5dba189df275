//go:build unix

package main

import (
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
)

// crash is a program that calls abortOnCrash, and then crashes in the way that how names.
func crash(how string) {
	abortOnCrash()
	switch how {
	case "goroutine":
		go func() { panic("in a library") }()
	case "overflow":
		debug.SetMaxStack(1 << 20)
		var deep func(n int) int
		deep = func(n int) int { return deep(n+1) + 1 }
		deep(0)
	}
	<-time.After(time.Hour)
}

// TestCrash checks crashes that the program cannot catch. Their exit status must not be
// 2, the status for a mistake in the flags.
func TestCrash(t *testing.T) {
	for how, want := range map[string]string{
		"goroutine": "panic: in a library",
		"overflow":  "fatal error: stack overflow",
	} {
		t.Run(how, func(t *testing.T) {
			cmd, stderr := program(t)
			cmd.Path, cmd.Args = strings.TrimSuffix(cmd.Path, "kubevet")+"crash", []string{"crash", how}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			exitStatus(t, cmd)
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGABRT || s.CoreDump() {
				t.Errorf("it ends with %v", cmd.ProcessState)
			}
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("no %q in %q", want, stderr.String())
			}
		})
	}
}
