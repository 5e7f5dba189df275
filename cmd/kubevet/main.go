// Command kubevet finds what a Kubernetes API server would refuse or warn
// about, before it is asked, and what is wrong with the Go code that writes to
// one. It is also a tool for go vet and go fix.
package main

import (
	"os"
	"runtime/debug"

	"github.com/kubevet/kubevet/cmd/kubevet/internal/startup"
	_ "github.com/kubevet/kubevet/cmd/kubevet/internal/vetfirst" // ends the program if go vet or go fix asks
	"github.com/kubevet/kubevet/internal/cli"
)

func main() {
	startup.Done()
	args := os.Args[1:]
	if os.Getenv("GOGC") == "" {
		percent := gcPercent(args)
		if os.Getenv("GOMEMLIMIT") == "" && len(args) > 0 && args[0] == "lint" {
			percent = whileFrugal
			beFrugal(frugal)
		}
		debug.SetGCPercent(percent)
	}
	os.Exit(cli.Main(args, os.Stdin, os.Stdout, quietLibraries()))
}

// gcPercent is how much a run may allocate, in percent of what it keeps, before
// it collects. Most keep little and are over soon: collecting four times less
// often costs some tens of megabytes and saves a fifth of their time. The types
// of a Go program are more to keep, and of a log next to nothing is.
func gcPercent(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "go", "upgrade":
			return 150
		case "audit":
			return 50
		}
	}
	return 400
}
