// Package startup keeps the garbage collector from running while the packages
// that the program is made of are initialized. That makes some megabytes, nearly
// all of which stay, and would start it two or three times: a third of what a
// short run takes, such as each of those for a package that go vet asks for.
//
// Packages are initialized in the order of their import paths, as far as their
// own imports allow (Go specification, program initialization). This one needs
// little, and so it comes before those that make much. Where it should come later
// in a release of Go, only time is lost.
package startup

import (
	"os"
	"runtime/debug"
)

// Percent is what main's choice takes the place of: enough that nothing is
// collected before main begins. An environment that sets GOGC itself is left alone.
const Percent = 400

var _ = set()

func set() bool {
	if os.Getenv("GOGC") != "" {
		return false
	}
	debug.SetGCPercent(Percent)
	return true
}
