// Package app has the state that all verbs share: streams, working directory, environment
// and exit status. It also has the errors that end a call of kubevet.
package app

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
)

// These are the exit statuses.
const (
	// StatusClean means that everything was read and nothing was found at or above the
	// severity of --fail-on.
	StatusClean = 0
	// StatusFindings means that there is a finding at or above the severity of --fail-on,
	// or that a name from the user is unknown.
	StatusFindings = 1
	// StatusUsage means that the command line or the configuration is wrong.
	StatusUsage = 2
	// StatusIncomplete means that kubevet could not read or write something.
	StatusIncomplete = 3
)

// App is one call of kubevet.
type App struct {
	// Stdin is the standard input.
	Stdin io.Reader
	// Stdout receives findings and answers, Stderr everything else.
	Stdout, Stderr io.Writer
	// Program is the file that the user called. It may be empty.
	Program string
	// Env is the environment, each entry in the form "key=value".
	Env []string
	// Dir is the absolute path of the working directory.
	Dir string
	// Status is the exit status of a verb that returns no error.
	Status int
	// If Pluto is true, errors end the call with the exit status of pluto.
	Pluto bool
	// If Isolate is true, charts are rendered in child processes. See cli.Command.
	Isolate bool
	// Started is true after the command line was parsed.
	Started bool
	// Command is the command as the user types it, such as "kubevet lint".
	Command string
	// Ending has the functions that clean up if the process ends before the verb. It may
	// be nil.
	Ending *Ending
}

// Complain prints a message as one line to standard error. The arguments are those of
// fmt.Sprintf. Control characters are escaped, because the message may have names of
// files.
func (a *App) Complain(format string, args ...any) {
	// An error of standard error cannot be reported anywhere.
	fmt.Fprintf(a.Stderr, "kubevet: %s\n", quote.Text(fmt.Sprintf(format, args...)))
}

// ComplainLines prints a message that may have several lines to standard error. Lines
// after the first are indented. Otherwise it is like Complain.
func (a *App) ComplainLines(text string) {
	first, rest, more := strings.Cut(text, "\n")
	a.Complain("%s", first)
	if more {
		for line := range strings.SplitSeq(rest, "\n") {
			fmt.Fprintf(a.Stderr, "    %s\n", quote.Text(line))
		}
	}
}

// PipeHint returns the end of an error message about a URL: how to pass the content of
// the URL to the command.
func (a *App) PipeHint() string { return ", or pipe it: curl -fsSL URL | " + a.Command + " -" }

// Path returns the absolute path of a file name that the user typed.
func (a *App) Path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.Dir, name)
}

// getenv returns the value of an environment variable, or "". If Env has the variable
// several times, the last entry counts.
func (a *App) getenv(key string) string {
	value := ""
	for _, e := range a.Env {
		if v, ok := strings.CutPrefix(e, key+"="); ok {
			value = v
		}
	}
	return value
}

// Notes prints notes to standard error: all of them if all is true, otherwise the first
// five.
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

// Name converts an absolute path to a name that the user would type. The name is relative
// to the working directory, unless it would begin with many "..".
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
