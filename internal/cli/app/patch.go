package app

import (
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/quote"
)

// PrintPatch prints the diff of a file to standard output. A diff must have the lines
// of the file as they are, or it does not apply. So it is printed byte for byte, with
// two exceptions:
//
//   - On a terminal, characters that do not print as themselves are made visible.
//     Nothing applies a diff from there.
//   - In a job of a CI system, a diff with a line that the CI system would execute as a
//     command is left out, with a note. It is printed if standard output is a file.
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

// isLogged reports whether standard output may be the log of a CI system.
func (a *App) isLogged() bool {
	if f, ok := a.Stdout.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return false
		}
	}
	return a.inCI()
}

// inCI reports whether kubevet runs in a job of a CI system. Most of them set CI; Azure
// Pipelines and TeamCity do not.
func (a *App) inCI() bool {
	ci := a.getenv("CI")
	return ci != "" && ci != "false" || a.getenv("TF_BUILD") != "" || a.getenv("TEAMCITY_VERSION") != ""
}
