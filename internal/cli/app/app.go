// Package app has what all verbs share: streams, working directory, environment,
// exit status, and the errors that end a call of kubevet.
package app

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
)

// Exit statuses.
const (
	// StatusClean means that nothing at or above --fail-on was found and
	// everything was read.
	StatusClean = 0
	// StatusFindings means that a finding at or above --fail-on was found, or that a
	// given name is unknown.
	StatusFindings = 1
	// StatusUsage means that the command line or the configuration is wrong.
	StatusUsage = 2
	// StatusIncomplete means that something could not be read or written.
	StatusIncomplete = 3
)

// App is one call of kubevet.
type App struct {
	// Stdin is the standard input.
	Stdin io.Reader
	// Stdout gets findings and answers, Stderr everything else.
	Stdout, Stderr io.Writer
	// Program is the file that the user called; may be empty.
	Program string
	// Env is the environment, each entry "key=value".
	Env []string
	// Dir is the working directory, absolute.
	Dir string
	// Status is the exit status if the verb returns no error.
	Status int
	// Pluto makes errors exit with pluto's status.
	Pluto bool
	// Isolate renders charts in processes of this program: see
	// cli.Command.
	Isolate bool
	// Started is set once the command line was parsed.
	Started bool
	// Command is the command with its verb, as the user types it: "kubevet lint".
	Command string
	// Ending cleans up if the process ends while the verb runs; may be nil.
	Ending *Ending
}

// Complain writes one line to standard error. Control characters in it, as from the
// names of files, are escaped.
func (a *App) Complain(format string, args ...any) {
	// There is no way to report that standard error cannot be written to.
	fmt.Fprintf(a.Stderr, "kubevet: %s\n", quote.Text(fmt.Sprintf(format, args...)))
}

// PipeHint returns the end of a message about a URL: how to pass its content to the
// command.
func (a *App) PipeHint() string { return ", or pipe it: curl -fsSL URL | " + a.Command + " -" }

// Path returns the absolute path of a name that the user gave.
func (a *App) Path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.Dir, name)
}

// getenv returns an environment variable; the last one if it is set twice.
func (a *App) getenv(key string) string {
	value := ""
	for _, e := range a.Env {
		if v, ok := strings.CutPrefix(e, key+"="); ok {
			value = v
		}
	}
	return value
}

// Notes prints notes to standard error: all of them, or the first five.
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

// Name returns the name that the user would type for an absolute path.
func (a *App) Name(path string) string {
	rel, err := filepath.Rel(a.Dir, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	// From a deep directory, the absolute path is easier to read.
	if strings.Count(rel, "..") > 3 {
		rel = path
	}
	return filepath.ToSlash(rel)
}

// Write writes a text to standard output.
func (a *App) Write(text string) error {
	if _, err := a.Stdout.Write([]byte(text)); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// WriteJSON writes a value to standard output as indented JSON.
func (a *App) WriteJSON(value any) error {
	text, err := quote.JSON(value, func(e *json.Encoder) {
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
	})
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return a.Write(string(text) + "\n")
}
