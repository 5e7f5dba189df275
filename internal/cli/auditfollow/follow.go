// Package auditfollow reads audit logs while they grow and are rotated.
//
// A position belongs to a file, which is recognised by its content. A path only finds
// the file.
package auditfollow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/auditlive"
)

// Options configure a run.
type Options struct {
	Analysis auditlive.Config
	// Logs are the files to follow.
	Logs []Log
	// Stdin is a log as well; nil for none. The run ends with it if there is no file.
	Stdin io.Reader
	// State is the file that keeps the counts and positions; empty for none.
	State string
	// Quiet leaves out the last line, which counts the events if all is well.
	Quiet bool
	// Announce prints new findings. Complain prints errors and notes.
	Announce func([]auditreport.News) error
	Complain func(format string, args ...any)
}

// Log is a file to follow.
type Log struct {
	// Name is the name for the user, Path the absolute path.
	Name, Path string
}

// ErrIncomplete is the error of Run if only a part of the logs could not be read. That
// was reported already.
var ErrIncomplete = errors.New("a part of the logs could not be read")

// pace has the pauses of a run.
type pace struct {
	// poll is the time between two looks at a file.
	poll time.Duration
	// save is the time between two saved states, news between two reports.
	save, news time.Duration
	// quiet is how long a rotated file must not grow to be complete.
	quiet time.Duration
	// retry is the time after which a directory is read again if a file in it could
	// not be read.
	retry time.Duration
}

// usual is the pace of Run.
var usual = pace{poll: time.Second, save: time.Minute, news: 5 * time.Second, quiet: time.Minute, retry: 10 * time.Second}

// maxShare bounds the time for reports: they take at most a part of 1/maxShare.
const maxShare = 20

// run is the state of Run.
type run struct {
	Options
	pace      pace
	now       func() time.Time
	analysis  *auditlive.Analysis
	table     table
	known     map[string]bool // the logs that were followed before, by path
	announced auditlive.Announced
	lost      lost
	logs      []*log
	buf       []byte
	// incomplete is set if something could not be read in this run.
	incomplete bool

	saved, reported time.Time
	pause           time.Duration // until the next report
	// changed is set if the last report lacks something, unsaved if the state does.
	changed, unsaved bool
}

// newRun returns a run that continues the state, if it exists.
func newRun(o Options, p pace, now func() time.Time) (*run, error) {
	r := &run{Options: o, pace: p, now: now, analysis: auditlive.New(o.Analysis), known: map[string]bool{}}
	for _, l := range o.Logs {
		r.logs = append(r.logs, &log{Log: l})
	}
	if o.State != "" {
		if err := r.load(); err != nil {
			return nil, err
		}
	}
	r.saved, r.reported, r.unsaved = now(), now(), true
	return r, nil
}

// Run follows logs until ctx is done, and then saves the state.
func Run(ctx context.Context, o Options) error {
	r, err := newRun(o, usual, time.Now)
	if err == nil {
		err = r.save()
	}
	if err != nil {
		return fmt.Errorf("--state: %w", err)
	}
	defer r.close()
	err = r.follow(ctx)
	if ctx.Err() != nil || app.IsClosedPipe(err) { // the reader of the findings is gone
		err = nil
	}
	return errors.Join(err, r.end())
}

// end reports and saves what is left.
func (r *run) end() error {
	_, err := r.report()
	if app.IsClosedPipe(err) {
		err = nil
	}
	if saveErr := r.save(); saveErr != nil {
		err = errors.Join(err, fmt.Errorf("--state: %w", saveErr))
	}
	text := fmt.Sprintf("read %d events", r.analysis.Events())
	if r.lost.Files > 0 {
		text += fmt.Sprintf("; parts of %d files are missing, at least %d bytes", r.lost.Files, r.lost.Bytes)
	}
	if !r.Quiet || r.lost.Files > 0 {
		r.Complain("%s", text)
	}
	if err == nil && r.incomplete {
		return ErrIncomplete
	}
	return err
}

// follow reads all logs repeatedly.
func (r *run) follow(ctx context.Context) error {
	tick := time.NewTicker(r.pace.poll)
	defer tick.Stop()
	in := r.readStdin(ctx)
	for {
		if err := r.poll(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case block, open := <-in.blocks:
			if err := in.take(ctx, r, block, !open); err != nil {
				return err
			}
			if !open && len(r.logs) == 0 {
				return nil
			}
		}
		if err := r.tick(); err != nil {
			return err
		}
	}
}

// poll reads what is new in all logs.
func (r *run) poll(ctx context.Context) error {
	for _, step := range []func(*log, context.Context, *run) error{(*log).turn, (*log).scan, (*log).read} {
		for _, l := range r.logs {
			if err := step(l, ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// tick reports and saves if one is due.
func (r *run) tick() error {
	news := 0
	if r.changed && r.now().Sub(r.reported) >= r.pause {
		var err error
		if news, err = r.report(); err != nil {
			return err
		}
	}
	// The state has the printed findings, so that a crash does not repeat them.
	if news == 0 && r.now().Sub(r.saved) < r.pace.save {
		return nil
	}
	if err := r.save(); err != nil {
		r.Complain("saving the state: %v", err)
	}
	return nil
}

// report announces new findings and returns their number.
func (r *run) report() (int, error) {
	begun := time.Now()
	d, err := r.analysis.Document()
	if err != nil {
		return 0, err
	}
	news := r.announced.New(d)
	r.unsaved = r.unsaved || len(news) > 0
	r.changed, r.reported = false, r.now()
	r.pause = max(r.pace.news, maxShare*time.Since(begun))
	return len(news), r.Announce(news)
}

// close closes all files.
func (r *run) close() {
	for _, l := range r.logs {
		l.close()
	}
}
