// Command kubevet checks Kubernetes manifests, Go code, audit logs and clusters. It
// reports problems that API servers refuse or warn about, and wrong writes to API
// servers. It is also a tool for go vet and go fix.
package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/kubevet/kubevet/internal/chartworker"
	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/cli/gocmd"
	"github.com/kubevet/kubevet/internal/initgc"
	"github.com/kubevet/kubevet/internal/vettool"
)

func main() {
	args := os.Args[1:]
	if chartworker.Called(args) {
		debug.SetGCPercent(initgc.Configured())
		os.Exit(chartworker.Main())
	}
	abortOnCrash()
	limitMemory(args)
	if vettool.Called(args) {
		os.Exit(gocmd.VetTool(os.Stdout, os.Stderr).Main(args))
	}
	os.Exit(cli.Main(args, os.Stdin, os.Stdout, quietLibraries()))
}

// limitMemory sets how much the heap may grow between two garbage collections. GOGC and
// GOMEMLIMIT override it. Until it is called, the collector is off: see initgc.
//
//   - lint keeps little memory and allocates much. 400 % instead of 100 % saves a sixth
//     of its CPU time. The limit keeps long streams below 300 MiB.
//   - go needs the types of the program until its end. 150 % instead of 100 % would take
//     100 MB more for a controller, and save less than a tenth of the CPU time.
//   - audit keeps only counters.
//   - version, rules and api end before their first collection with 400 %.
func limitMemory(args []string) {
	percent, limit := 100, int64(math.MaxInt64)
	if len(args) > 0 {
		switch args[0] {
		case "lint":
			percent, limit = 400, 200<<20
		case "audit":
			percent = 50
		case "version", "rules", "api":
			percent = 400
		}
	}
	if os.Getenv("GOGC") != "" {
		percent = initgc.Configured()
	}
	debug.SetGCPercent(percent)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}
