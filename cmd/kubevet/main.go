// Command kubevet finds what a Kubernetes API server would refuse or warn
// about, before it is asked, and what is wrong with the Go code that writes to
// one. It is also a tool for go vet and go fix.
package main

import (
	"os"
	"runtime/debug"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/vettool"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	args := os.Args[1:]
	if vettool.Called(args) {
		os.Exit(vet().Main(args))
	}
	os.Exit(cli.Main(args, os.Stdin, os.Stdout, quietLibraries()))
}

// gcPercent is how much the heap may grow between two collections. Most runs
// keep little: compared with 100, this saves a fifth of their CPU time and costs
// some tens of megabytes.
const gcPercent = 200

// vet returns the tool that go vet and go fix run for each package.
func vet() *vettool.Tool {
	return &vettool.Tool{
		Analyzers: analyzers.All(),
		Default:   analyzers.OnByDefault,
		Safe:      analyzers.SafeFixes,
		Select:    analyzers.Select,
		Set: func(options map[string]string) error {
			_, err := analyzers.Set(options)
			return err
		},
		Strict: analyzers.Strict(),
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	}
}
