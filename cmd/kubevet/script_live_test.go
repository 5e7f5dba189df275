package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// waitLimit is the maximal time that a script waits for a program in the background.
const waitLimit = time.Minute

// wait calls done repeatedly until it returns true.
func wait(ts *testscript.TestScript, what string, done func() bool) {
	for begun := time.Now(); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > waitLimit {
			ts.Fatalf("gave up: %s", what)
		}
	}
}

// until PATTERN PROGRAM ARGS... runs a program repeatedly until its output matches the
// pattern.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until pattern program [args...]")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	wait(ts, args[0], func() bool {
		_ = ts.Exec(args[1], args[2:]...) // the program may fail at first
		return pattern.MatchString(ts.ReadFile("stdout"))
	})
}

// extend FILE OTHER appends the content of OTHER to FILE.
func extend(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: extend file other")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	ts.Check(err)
	_, err = f.WriteString(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}

// port NAME sets the variable NAME to a free port.
func port(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: port name")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Check(l.Close())
	ts.Setenv(args[0], fmt.Sprint(l.Addr().(*net.TCPAddr).Port))
}

// fetch STATUS URL [FILE] requests a page, or posts a file, and prints the answer. It
// waits until the server has started.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: fetch status url [file]")
	}
	wait(ts, args[1], func() bool {
		method, body := http.MethodGet, ""
		if len(args) == 3 {
			method, body = http.MethodPost, ts.ReadFile(args[2])
		}
		request, err := http.NewRequest(method, args[1], strings.NewReader(body))
		ts.Check(err)
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		if got := fmt.Sprint(answer.StatusCode); got != args[0] {
			ts.Fatalf("status %s, want %s", got, args[0])
		}
		_, err = io.Copy(ts.Stdout(), answer.Body)
		ts.Check(err)
		return true
	})
}

// terminate sends all programs in the background a signal to end.
func terminate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: terminate")
	}
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	}
}
