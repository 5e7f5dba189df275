// Command kubevet finds what a Kubernetes API server would refuse or warn
// about, before it is asked.
package main

import (
	"os"
	"runtime/debug"

	"github.com/kubevet/kubevet/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		// A run keeps little and is over soon: collecting four times less
		// often costs some tens of megabytes and saves a fifth of its time.
		debug.SetGCPercent(400)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
