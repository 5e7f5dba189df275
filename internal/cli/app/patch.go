package app

import (
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/quote"
)

// PrintPatch prints the diff of a file to standard output. It prints every byte
// unchanged, because the diff would not apply otherwise. There are two exceptions:
//
//   - On a terminal, invisible characters are replaced by visible ones, because people
//     only read this diff.
//   - In a job of a CI system, a line of the diff may be a command that the CI system
//     would execute. A note is then printed instead of the diff, unless standard output
//     is a file.
func (a *App) PrintPatch(name, patch string) error {
	switch {
	case IsTerminal(a.Stdout):
		patch = quote.Code(patch)
	case a.isLogged() && quote.HasCommand(patch):
		a.Complain("note: the diff of %s is left out, because the CI system would take a line of it for a command; redirect standard output to a file to get it", quote.Name(name))
		return nil
	}
	if _, err := io.WriteString(a.Stdout, patch); err != nil {
		return fmt.Errorf("writing to standard output: %w", Cause(err))
	}
	return nil
}

// isLogged reports whether standard output may be the log of a CI system. Only a regular
// file is not.
func (a *App) isLogged() bool {
	if f, ok := a.Stdout.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return false
		}
	}
	return a.inCI()
}

// inCI reports whether kubevet runs in a job of a CI system. Most CI systems set the
// variable CI. Azure Pipelines and TeamCity set other variables.
func (a *App) inCI() bool {
	ci := a.getenv("CI")
	return ci != "" && ci != "false" || a.getenv("TF_BUILD") != "" || a.getenv("TEAMCITY_VERSION") != ""
}
