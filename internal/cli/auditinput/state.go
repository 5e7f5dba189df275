package auditinput

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/quote"
)

// StateExtension is the extension of the files that --save writes.
const StateExtension = ".kvs"

// States removes the saved states from in.List. It returns their names and the names in
// load, each once.
func (in *Logs) States(load []string) (names []string) {
	names = slices.Clone(load)
	in.List = slices.DeleteFunc(in.List, func(i auditlog.Input) bool {
		if strings.HasSuffix(i.Name, StateExtension) {
			names = append(names, i.Name)
			return true
		}
		return false
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		again := seen[filepath.Clean(name)]
		seen[filepath.Clean(name)] = true
		return again
	})
}

// ReadState reads a file that --save wrote.
func ReadState(a *app.App, name string) (*history.State, error) {
	file, err := os.Open(a.Path(name))
	if err != nil {
		return nil, fmt.Errorf("reading %w", app.Bare(err, name))
	}
	defer file.Close()
	s, err := history.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quote.Name(name), err)
	}
	return s, nil
}

// ReadStates is ReadState for several files. It returns the first error.
func ReadStates(a *app.App, names []string) ([]*history.State, error) {
	var all []*history.State
	for _, name := range names {
		s, err := ReadState(a, name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Events returns the total number of events in states.
func Events(states []*history.State) (n int64) {
	for _, s := range states {
		n += s.Logs.Events
	}
	return n
}
