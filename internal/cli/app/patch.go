package app

import (
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/quote"
)

// PrintPatch prints the diff of a file to standard output. A diff applies only if it has
// the lines of the file unchanged. So PrintPatch prints every byte unchanged, with two
// exceptions:
//
//   - On a terminal, invisible characters are replaced by visible ones. A diff on a
//     terminal is only read, not applied.
//   - In a job of a CI system, a diff is replaced by a note if the CI system would execute
//     one of its lines as a command. If standard output is a file, it is printed.
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

// isLogged reports whether standard output may be the log of a CI system. It is not if
// standard output is a regular file.
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
