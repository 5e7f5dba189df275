package auditfollow

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
	"github.com/kubevet/kubevet/internal/quote"
)

// lost counts the text that was removed before it could be read.
type lost struct {
	Files int64 `json:"files"`
	// Bytes is the number of lost bytes, as far as it is known.
	Bytes int64 `json:"bytes"`
}

// live is the part of a state that only this package uses.
type live struct {
	// Program is "follow". States with another value belong to other commands and are
	// refused.
	Program   string      `json:"program"`
	Logs      []string    `json:"logs"`
	Inputs    []string    `json:"inputs"`
	Positions []*position `json:"positions"`
	Announced []uint64    `json:"announced"`
	Lost      lost        `json:"lost"`
}

// program is the value of live.Program.
const program = "follow"

// load reads the state file. It does nothing if the file does not exist.
func (r *run) load() error {
	f, err := os.Open(r.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	state, err := history.Read(f)
	if err != nil {
		return err
	}
	var l live
	if err := json.Unmarshal(state.Live, &l); err != nil || l.Program != program {
		return errors.New("it is not a state of kubevet audit --follow")
	}
	if err := r.analysis.Load(state, l.Inputs); err != nil {
		return err
	}
	for _, p := range l.Positions {
		if p == nil || !p.valid() {
			return errors.New("its positions are damaged")
		}
	}
	r.table.all, r.lost = l.Positions, l.Lost
	for _, path := range l.Logs {
		r.known[path] = true
	}
	r.announced.Restore(l.Announced)
	r.forgetLogs()
	return nil
}

// maxKnown is the maximal number of logs in a state, in addition to the followed logs.
const maxKnown = 4096

// forgetLogs removes the logs that this run does not follow, if there are more than
// maxKnown.
func (r *run) forgetLogs() {
	followed := func(path string) bool {
		return slices.ContainsFunc(r.logs, func(l *log) bool { return l.Path == path })
	}
	var left []string
	for path := range r.known {
		if !followed(path) {
			left = append(left, path)
		}
	}
	if len(left) <= maxKnown {
		return
	}
	for _, path := range left {
		delete(r.known, path)
	}
	r.table.all = slices.DeleteFunc(r.table.all, func(p *position) bool { return !followed(p.Log) })
	r.Complain("the positions in %d logs that this run does not follow were dropped to bound the state, such as %s", len(left), quote.Name(slices.Min(left)))
}

// save writes the state file if the state has changed.
func (r *run) save() error {
	r.saved = r.now()
	if r.State == "" || !r.unsaved {
		return nil
	}
	state := r.analysis.State()
	var err error
	state.Live, err = json.Marshal(live{
		Program: program, Logs: slices.Sorted(maps.Keys(r.known)), Inputs: r.analysis.Inputs(),
		Positions: r.table.all, Announced: r.announced.Keys(), Lost: r.lost,
	})
	if err == nil {
		err = auditlive.Save(r.State, state)
	}
	r.unsaved = err != nil
	return err
}
