package auditcmd

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
)

// counts is the result of a run over audit logs.
type counts struct {
	tally  *logtally.Tally
	fights *contention.Collector // nil if the run does not search for fights
	logs   history.Logs
	// deprecatedOnly is true if the run counts only requests to deprecated APIs.
	deprecatedOnly bool
	// shared is the fraction of the last loaded state that other inputs had counted
	// already, from 0 to 1.
	shared float64
}

// load adds the counts of a saved state.
func (c *counts) load(s *history.State) error {
	if s.DeprecatedOnly != c.deprecatedOnly {
		return fmt.Errorf("it was saved %s --deprecated-only, this run counts %s", withOrWithout(s.DeprecatedOnly), withOrWithout(c.deprecatedOnly))
	}
	if s.HasContention != (c.fights != nil) {
		return fmt.Errorf("it was saved %s --no-contention, this run counts %s", withOrWithout(!s.HasContention), withOrWithout(c.fights == nil))
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

// state returns the counts in the form that is saved.
func (c *counts) state() *history.State {
	s := &history.State{Tally: c.tally.State(), Logs: c.logs, DeprecatedOnly: c.deprecatedOnly}
	if c.fights != nil {
		s.HasContention, s.Contention = true, c.fights.Encode()
	}
	return s
}

// save writes a state to a file atomically. After an error, the file still has its former
// content.
func save(a *app.App, name string, s *history.State) error {
	file, err := atomicfile.Create(a.Path(name))
	if err != nil {
		return fmt.Errorf("writing %w", app.Bare(err, name))
	}
	if err := s.Write(file); err != nil {
		file.Abort()
		return fmt.Errorf("writing %w", app.Bare(err, name))
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("writing %w", app.Bare(err, name))
	}
	return nil
}
