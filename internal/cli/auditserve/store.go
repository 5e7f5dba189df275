package auditserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// input is the name in positions for all batches, which have no file.
const input = "(webhook)"

// store counts batches and saves the result in a file. It counts each event only once.
type store struct {
	mu       sync.Mutex
	analysis *auditlive.Analysis
	window   window
	// path is the path of the state file. If it is "", there is neither a state file nor
	// a journal.
	path      string
	journal   journal
	announced auditlive.Announced
	counters  counters
	gaps      []gap
	// changed is true if the state file is out of date.
	changed bool
	// err is the error of the last save.
	err     error
	now     func() time.Time
	maxBody int64
}

// counters counts what was received. It is a part of the state.
type counters struct {
	Batches    int64 `json:"batches"`
	Bytes      int64 `json:"bytes"`
	Events     int64 `json:"events"`
	Duplicates int64 `json:"duplicates"`
	// Foreign is the number of items that are not audit events.
	Foreign int64 `json:"foreign"`
	// JournalDamage is the number of bytes of accepted batches that could not be read
	// after a crash.
	JournalDamage int64 `json:"journalDamage"`
	// Down is the sum of all gaps in seconds.
	Down int64 `json:"down"`
}

// gap is a period in which the program did not run and received nothing.
type gap struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// maxGaps is the maximal number of gaps in the state. The oldest are dropped.
const maxGaps = 20

// live is the part of a state that only this package uses.
type live struct {
	// Program is "serve". States with another value belong to other commands and are
	// refused.
	Program string `json:"program"`
	// Journal is the number of the first journal whose batches are not in the state.
	Journal   uint64    `json:"journal"`
	Saved     time.Time `json:"saved"`
	Window    []byte    `json:"window"`
	Announced []uint64  `json:"announced"`
	Counters  counters  `json:"counters"`
	Gaps      []gap     `json:"gaps"`
}

// newStore returns a store. If a state file exists at path, the store continues with it.
func newStore(ctx context.Context, config auditlive.Config, path string, maxBody int64, now func() time.Time) (*store, error) {
	s := &store{analysis: auditlive.New(config), path: path, now: now, maxBody: maxBody}
	if path == "" {
		return s, nil
	}
	s.journal.base = path
	saved, first, err := s.load()
	if err != nil {
		return nil, err
	}
	if err := s.replay(ctx, first, saved); err != nil {
		return nil, err
	}
	return s, nil
}

// load reads the state file. It returns the time when the state was saved, and the number
// of the first journal to replay.
func (s *store) load() (saved time.Time, first uint64, err error) {
	f, err := os.Open(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return time.Time{}, 0, nil
	}
	if err != nil {
		return time.Time{}, 0, err
	}
	defer f.Close()
	state, err := history.Read(f)
	if err != nil {
		return time.Time{}, 0, err
	}
	var l live
	if err := json.Unmarshal(state.Live, &l); err != nil || l.Program != program {
		return time.Time{}, 0, errors.New("it is not a state of kubevet audit serve")
	}
	if err := s.analysis.Load(state, []string{input}); err != nil {
		return time.Time{}, 0, err
	}
	s.window.decode(l.Window, s.now())
	s.announced.Restore(l.Announced)
	s.counters, s.gaps = l.Counters, l.Gaps
	return l.Saved, l.Journal, nil
}

// program is the value of live.Program.
const program = "serve"

// replay counts the batches of all journals from number first on. Then it creates a new
// journal.
func (s *store) replay(ctx context.Context, first uint64, saved time.Time) error {
	if _, err := s.journal.removeBefore(first); err != nil {
		return err
	}
	numbers, err := s.journal.numbers()
	if err != nil {
		return err
	}
	alive := saved
	for _, n := range numbers {
		changed, damaged, err := s.journal.replay(n, s.maxBody, func(batch []byte) error {
			s.journal.size += int64(len(batch)) + 8
			_, err := s.add(ctx, batch, nil)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", s.journal.name(n), err)
		}
		s.counters.JournalDamage += damaged
		if changed.After(alive) {
			alive = changed
		}
		first = n + 1
	}
	if now := s.now(); !alive.IsZero() && now.After(alive) {
		s.gaps = append(s.gaps, gap{alive.UTC(), now.UTC()})
		s.counters.Down += int64(now.Sub(alive).Seconds())
		s.gaps = s.gaps[max(0, len(s.gaps)-maxGaps):]
	}
	s.changed = true
	return s.journal.open(first)
}

// accept counts a batch. When it returns nil, the batch is on the disk.
func (s *store) accept(ctx context.Context, batch []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := func() error { return nil }
	if s.path != "" {
		keep = func() error { return s.journal.append(batch) }
	}
	_, err := s.add(ctx, batch, keep)
	return err
}

// add counts the new events of a batch. If there are any, it first calls keep, unless
// keep is nil.
func (s *store) add(ctx context.Context, batch []byte, keep func() error) (events int64, err error) {
	var keys []uint64
	var buf []byte
	known := map[uint64]struct{}{}
	duplicates := int64(0)
	read, err := s.analysis.Read(ctx, auditlive.Text{
		Input: input, Line: int(s.analysis.Events()), Bytes: batch,
		Keep: func(e *auditlog.Event) bool {
			var key uint64
			key, buf = eventKey(e, buf)
			if _, again := known[key]; again || s.window.has(key) {
				duplicates++
				return false
			}
			known[key] = struct{}{}
			keys = append(keys, key)
			return true
		},
	})
	if err != nil {
		return 0, err
	}
	if keep != nil && (len(keys) > 0 || read.Damaged() > 0) {
		if err := keep(); err != nil {
			return 0, err
		}
	}
	s.window.add(keys, s.now())
	s.counters.Batches++
	s.counters.Bytes += int64(len(batch))
	s.counters.Events += int64(len(keys))
	s.counters.Duplicates += duplicates
	s.counters.Foreign += read.Foreign()
	s.changed = true
	s.analysis.Add(read)
	return read.Events(), nil
}

// save writes the state file if the state has changed, and removes the journals whose
// batches are in the state. If the state has not changed, save only calls alive.
func (s *store) save() error {
	if s.path == "" {
		return nil
	}
	state, number, err := s.snapshot()
	if err == nil && state == nil {
		return s.alive()
	}
	if err == nil {
		err = auditlive.Save(s.path, state)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		var removed int64
		removed, err = s.journal.removeBefore(number)
		s.journal.before = max(0, s.journal.before-removed)
	}
	s.err, s.changed = err, s.changed || err != nil
	return err
}

// alive sets the modification time of the journal. After a crash, this time says until
// when the program ran.
func (s *store) alive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.touch(s.now())
}

// full reports whether the journal is so large that the state should be saved now.
func (s *store) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.size > maxJournal/8
}

// broken returns the error of the last save, or nil.
func (s *store) broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// counts returns a copy of the counters.
func (s *store) counts() counters {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counters
}

// snapshot creates a new journal. It returns the state with all batches of the older
// journals, and the number of the new journal. The state is nil if nothing has changed.
func (s *store) snapshot() (*history.State, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed {
		return nil, 0, nil
	}
	if err := s.journal.open(s.journal.number + 1); err != nil {
		return nil, 0, err
	}
	state := s.analysis.State()
	var err error
	state.Live, err = json.Marshal(live{
		Program: program, Journal: s.journal.number, Saved: s.now().UTC(), Window: s.window.encode(),
		Announced: s.announced.Keys(), Counters: s.counters, Gaps: s.gaps,
	})
	s.changed = false
	return state, s.journal.number, err
}

// document returns the report and the findings that were not announced before.
func (s *store) document() (*auditreport.Document, []auditreport.News, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.analysis.Document()
	if err != nil {
		return nil, nil, err
	}
	for _, g := range s.gaps {
		d.Notes = append(d.Notes, fmt.Sprintf("kubevet did not run from %s to %s: batches that the API server gave up to send in that time are missing",
			g.From.Format(time.RFC3339), g.To.Format(time.RFC3339)))
	}
	if n := s.counters.JournalDamage; n > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%d bytes of the journal could not be read after a crash: the batches in them are missing", n))
	}
	news := s.announced.New(d)
	s.changed = s.changed || len(news) > 0
	return d, news, nil
}

// close closes the journal.
func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal.close()
}
