package app

import (
	"fmt"
	"io"
	"os"

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/rules/nearest"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func colorWords() []string { return []string{"auto", "always", "never"} }

// ColorFlag adds the flag --color.
func ColorFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "color", "auto", "colour `mode`: auto (on a terminal, unless NO_COLOR is set), always or never")
	CompleteWords(cmd, "color", colorWords())
}

// Colors reports whether output to w has colours. when is the value of --color. It
// returns an error for an unknown value.
func (a *App) Colors(when string, w io.Writer) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		// https://no-color.org: every value of NO_COLOR except the empty one disables
		// colours.
		return a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && IsTerminal(w), nil
	}
	return false, Usage(fmt.Errorf("unknown --color %q: want %s%s", when, config.OneOf(colorWords()), nearest.Question(when, colorWords())))
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the number of columns of the terminal w. It returns 0 if w is not a
// terminal.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return max(columns, 0)
}

// IsPipe reports whether a stream is a pipe from or to another program.
func IsPipe(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().Type() == os.ModeNamedPipe
}
