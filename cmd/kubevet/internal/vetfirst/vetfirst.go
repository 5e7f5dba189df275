// Package vetfirst is kubevet as the go command calls it, done before the rest
// of the program is initialized. go vet starts its tool once for each package
// below a module, a thousand times and more, mostly for next to nothing; what
// renders charts and kustomizations takes longer to initialize than all of that,
// and Go has no way to put it off.
//
// Packages are initialized in the order of their import paths, as far as their
// own imports allow (Go specification, program initialization): this one comes
// when the analyzers are ready, which is before most that they do not import.
// Where it should come later in a release of Go, only time is lost.
package vetfirst

import (
	"os"
	"runtime/debug"

	"github.com/kubevet/kubevet/analyzers"
	_ "github.com/kubevet/kubevet/cmd/kubevet/internal/startup" // the collector stays out of it
	"github.com/kubevet/kubevet/internal/vettool"
)

var _ = run(os.Args[1:])

// gcPercent is how much more than it keeps a run may allocate before it collects:
// it looks at one package and is over.
const gcPercent = 300

// run ends the program if it is the go command that asks.
func run(args []string) bool {
	if vettool.Called(args) {
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(gcPercent)
		}
		os.Exit(tool().Main(args))
	}
	return false
}

// tool is kubevet as the go command calls it.
func tool() *vettool.Tool {
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
