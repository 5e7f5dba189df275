package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/cli/atomicfile"
)

// stateExtension is that of the files which --save writes.
const stateExtension = ".kvs"

// states takes the states out of the arguments: what --load names, and files
// with their extension. Each is named once.
func (in *auditInputs) states(load []string) (names []string) {
	names = slices.Clone(load)
	in.list = slices.DeleteFunc(in.list, func(i auditlog.Input) bool {
		if strings.HasSuffix(i.Name, stateExtension) {
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

// readState reads a state that --save wrote.
func (a *app) readState(name string) (*history.State, error) {
	file, err := os.Open(a.path(name))
	if err != nil {
		return nil, fmt.Errorf("reading %w", bare(err, name))
	}
	defer file.Close()
	s, err := history.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (a *app) readStates(names []string) ([]*history.State, error) {
	var all []*history.State
	for _, name := range names {
		s, err := a.readState(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// auditCounts is what a run over audit logs comes to.
type auditCounts struct {
	tally  *logtally.Tally
	fights *contention.Collector // nil where nobody looks
	logs   history.Logs
	// deprecatedOnly says that nothing else was counted.
	deprecatedOnly bool
	// shared is how much of the last state that was loaded was there already.
	shared float64
}

// load adds a state.
func (c *auditCounts) load(s *history.State) error {
	if s.DeprecatedOnly != c.deprecatedOnly {
		return fmt.Errorf("it was made %s --deprecated-only, this run counts %s", withOrWithout(s.DeprecatedOnly), withOrWithout(c.deprecatedOnly))
	}
	if s.HasContention != (c.fights != nil) {
		return fmt.Errorf("it was made %s --no-contention, this run counts %s", withOrWithout(!s.HasContention), withOrWithout(c.fights == nil))
	}
	var other *contention.Collector
	if c.fights != nil {
		var err error
		if other, err = contention.Decode(s.Contention, contention.Limits{}); err != nil {
			return err
		}
	}
	c.shared = c.tally.Shared(s.Tally)
	if err := c.tally.Merge(s.Tally); err != nil {
		return err
	}
	if other != nil {
		c.fights.Merge(other)
	}
	c.logs.Add(s.Logs)
	return nil
}

func withOrWithout(with bool) string {
	if with {
		return "with"
	}
	return "without"
}

// state is what is saved.
func (c *auditCounts) state() *history.State {
	s := &history.State{Tally: c.tally.State(), Logs: c.logs, DeprecatedOnly: c.deprecatedOnly}
	if c.fights != nil {
		s.HasContention, s.Contention = true, c.fights.Encode()
	}
	return s
}

// save writes a state to a file, all of it or nothing.
func (a *app) save(name string, s *history.State) error {
	file, err := atomicfile.Create(a.path(name))
	if err != nil {
		return fmt.Errorf("writing %w", bare(err, name))
	}
	if err := s.Write(file); err != nil {
		file.Abort()
		return fmt.Errorf("writing %w", bare(err, name))
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("writing %w", bare(err, name))
	}
	return nil
}
