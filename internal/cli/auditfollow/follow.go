// Package auditfollow reads audit logs while they grow and are rotated.
//
// It stores how far it has read each file. It recognises a file by its content, because
// rotation renames files. It uses the path only to find files.
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
	"github.com/kubevet/kubevet/internal/quote"
)

// Options configure Run.
type Options struct {
	Analysis auditlive.Config
	// Logs are the files to follow.
	Logs []Log
	// Stdin is a further log. It may be nil. If Logs is empty, the run ends at the end of
	// Stdin.
	Stdin io.Reader
	// State is the name of the file that stores the counts and positions. If it is empty,
	// they are not stored.
	State string
	// If Quiet is true, the last line is not printed. It has the number of events of a
	// successful run.
	Quiet bool
	// Announce prints new findings. Complain prints errors and notes.
	Announce func([]auditreport.News) error
	Complain func(format string, args ...any)
}

// Log is a file to follow.
type Log struct {
	// Name is the name in messages. Path is the absolute path.
	Name, Path string
}

// ErrIncomplete is the error of Run if a part of the logs could not be read. Complain has
// already printed the reason.
var ErrIncomplete = errors.New("a part of the logs could not be read")

// pace has the time intervals of a run.
type pace struct {
	// poll is the time between two checks of a file.
	poll time.Duration
	// save is the time between two saved states. news is the time between two reports.
	save, news time.Duration
	// quiet is the time after which a rotated file that does not grow counts as complete.
	quiet time.Duration
	// retry is the time until a directory is searched again, after one of its files could
	// not be read.
	retry time.Duration
}

// usual is the pace of Run. Tests use other values.
var usual = pace{poll: time.Second, save: time.Minute, news: 5 * time.Second, quiet: time.Minute, retry: 10 * time.Second}

// maxShare limits the time for reports: the run spends at most 1/maxShare of its time on
// them.
const maxShare = 20

// run is the state of Run.
type run struct {
	Options
	pace      pace
	now       func() time.Time
	analysis  *auditlive.Analysis
	table     table
	known     map[string]bool // paths of the logs that were followed in an earlier run
	announced auditlive.Announced
	lost      lost
	logs      []*log
	buf       []byte
	// incomplete is true if something could not be read in this run.
	incomplete bool

	saved, reported time.Time
	pause           time.Duration // minimal time until the next report
	// changed is true if there are events after the last report. unsaved is true if the
	// state file is out of date.
	changed, unsaved bool
}

// newRun returns a run. If the state file exists, the run continues where the state ends.
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

// Run follows logs until ctx is done. Then it saves the state.
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
	if ctx.Err() != nil || app.IsClosedPipe(err) { // the program that reads the findings has ended
		err = nil
	}
	return errors.Join(err, r.end())
}

// end prints the last report and saves the state.
func (r *run) end() error {
	_, err := r.report()
	if app.IsClosedPipe(err) {
		err = nil
	}
	if saveErr := r.save(); saveErr != nil {
		err = errors.Join(err, fmt.Errorf("--state: %w", saveErr))
	}
	text := fmt.Sprintf("read %d events", r.analysis.Events())
	if r.analysis.Events() == 1 {
		text = "read 1 event"
	}
	if r.lost.Files > 0 {
		text += fmt.Sprintf("; parts of %d files are missing, at least %d bytes", r.lost.Files, r.lost.Bytes)
	}
	if !r.Quiet || r.lost.Files > 0 {
		r.Complain("%s", text)
	}
	for _, l := range r.logs {
		if l.unread > 0 {
			r.Complain("%s: the record in the last %d bytes is incomplete, and not counted", quote.Name(l.Name), l.unread)
		}
	}
	for _, note := range r.analysis.Notes() {
		r.Complain("%s", note)
	}
	if err == nil && r.incomplete {
		return ErrIncomplete
	}
	return err
}

// follow polls all logs until ctx is done.
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

// poll reads the new text of all logs.
func (r *run) poll(ctx context.Context) error {
	for _, step := range []func(*log, context.Context, *run) error{(*log).checkPath, (*log).scan, (*log).read} {
		for _, l := range r.logs {
			if err := step(l, ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// tick reports and saves, if enough time has passed.
func (r *run) tick() error {
	news := 0
	if r.changed && r.now().Sub(r.reported) >= r.pause {
		var err error
		if news, err = r.report(); err != nil {
			return err
		}
	}
	// After new findings were printed, the state is saved at once. The state lists them, so
	// that they are not printed again after a crash.
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
