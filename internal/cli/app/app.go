// Package app holds what all verbs of one call of kubevet share: streams,
// working directory, environment, exit status, and the errors that end a call.
package app

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
)

// Exit statuses.
const (
	// StatusClean means that nothing at or above --fail-on was found and
	// everything was read.
	StatusClean = 0
	// StatusFindings means that something at or above --fail-on was found, or
	// that what was asked about is not known.
	StatusFindings = 1
	// StatusUsage means that the command line or the configuration is wrong.
	StatusUsage = 2
	// StatusIncomplete means that something could not be read or written, so
	// that no other status would be true.
	StatusIncomplete = 3
)

// App is the state that the verbs of one Main share.
type App struct {
	// Stdin is the standard input.
	Stdin io.Reader
	// Stdout takes findings and answers, Stderr all the rest.
	Stdout, Stderr io.Writer
	// Env is the environment, each entry "key=value".
	Env []string
	// dir is the working directory, absolute.
	Dir string
	// status is what a verb that ended without an error wants to exit with.
	Status int
	// pluto makes errors exit as pluto's do.
	Pluto bool
	// started is set once the command line is understood.
	Started bool
}

// Complain writes one line for the user to standard error. Whatever came from
// files or names in it is made harmless to a terminal.
func (a *App) Complain(format string, args ...any) {
	// Nobody can be told that standard error cannot be written to.
	fmt.Fprintf(a.Stderr, "kubevet: %s\n", report.Sanitize(fmt.Sprintf(format, args...)))
}

// Path makes a name that the user gave absolute.
func (a *App) Path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.Dir, name)
}

// getenv returns a variable of the environment, the last if it is there
// twice.
func (a *App) getenv(key string) string {
	value := ""
	for _, e := range a.Env {
		if v, ok := strings.CutPrefix(e, key+"="); ok {
			value = v
		}
	}
	return value
}

// Notes shows the user what is no finding and no error. A tree with many links
// is not worth as many lines.
func (a *App) Notes(notes []string, all bool) {
	const shown = 5
	for i, note := range notes {
		if !all && i == shown && len(notes) > shown+1 {
			a.Complain("note: and %d more; -v shows them", len(notes)-shown)
			return
		}
		a.Complain("note: %s", note)
	}
}

// Name is what the user would type to mean an absolute path.
func (a *App) Name(path string) string {
	rel, err := filepath.Rel(a.Dir, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	// From deep below, the whole path is easier to read.
	if strings.Count(rel, "..") > 3 {
		rel = path
	}
	return filepath.ToSlash(rel)
}

// Write gives a text to standard output.
func (a *App) Write(text string) error {
	if _, err := a.Stdout.Write([]byte(text)); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// WriteJSON gives an indented JSON value to standard output.
func (a *App) WriteJSON(value any) error {
	encoder := json.NewEncoder(a.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
