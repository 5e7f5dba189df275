package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubevet/kubevet/internal/initgc"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// TestMain makes the test binary behave as kubevet if it is called by this name. So
// scripts run the real program without building it.
func TestMain(m *testing.M) {
	testscript.Main(testMain{m}, map[string]func(){"kubevet": main, "crash": func() { crash(os.Args[1]) }})
}

// testMain turns the garbage collector on before the tests run, as main does.
type testMain struct{ *testing.M }

func (t testMain) Run() int {
	debug.SetGCPercent(initgc.Configured())
	return t.M.Run()
}

// TestScript runs the scripts in testdata/script. A script has the commands that a user
// types, the exit status and both output streams.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "")
			return setupGo(env)
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":    status,
			"repeat":    repeat,
			"stubs":     stubs,
			"zip":       zipDirectory,
			"until":     until,
			"extend":    extend,
			"port":      port,
			"fetch":     fetch,
			"terminate": terminate,

			"cluster": cluster,
			"forbid":  forbid,
		},
	})
}

// condition evaluates the conditions [root] and [race] in scripts. File permissions do
// not apply to root.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "race":
		return raceDetector, nil
	}
	return false, errors.New("unknown condition " + name)
}

// status N PROGRAM ARGS... runs a program and checks that its exit status is N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("status: %v", err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// repeat N FILE OUT writes N copies of FILE to OUT.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N file out")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := strings.Repeat(ts.ReadFile(args[1]), n)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o666))
}
