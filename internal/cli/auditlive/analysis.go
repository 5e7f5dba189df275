// Package auditlive analyses the events of audit logs while they arrive.
package auditlive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/history"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/cli/auditinput"
	"github.com/kubevet/kubevet/internal/report"
)

// Config configures an Analysis.
type Config struct {
	// Tally configures the counts. New sets its fields Keep and Live.
	Tally tally.Config
	// Fights configures the search for fights. New replaces its fields Keep and Limits.
	Fights contention.Config
	// Report selects the content of reports. Its field Contention is ignored.
	Report auditreport.Options
}

// limits bounds the memory of the search for fights to about 100 MiB, because a live run
// shares its machine with other programs. A run over files may use four times as much.
var limits = contention.Limits{
	Objects: contention.DefaultObjects / 4, Single: contention.DefaultSingle / 4,
	Writes: contention.DefaultWrites / 4, Leaves: contention.DefaultLeaves / 4,
	Writers: contention.DefaultWriters / 4, Scopes: contention.DefaultScopes / 4,
}

// Analysis has the result of all events so far. Its methods must not run concurrently.
type Analysis struct {
	config Config
	tally  *tally.Tally
	fights *contention.Collector
	logs   history.Logs
	inputs inputs
	// failures is the number of failures after the first maxFailures.
	failures int64
}

// New returns an analysis without events.
func New(config Config) *Analysis {
	config.Tally.Keep, config.Tally.Live = true, true
	config.Fights.Limits, config.Fights.Keep = limits, config.Tally.Filter.KeepsObject
	return &Analysis{
		config: config, tally: tally.New(config.Tally),
		fights: contention.New(config.Fights),
	}
}

// Batch is the result for a text that was read, but is not part of the Analysis yet.
type Batch struct {
	input string
	adds  []func()
	sum   auditlog.Summary
	looks []string
}

// Events returns the number of events that Add will add. Damaged returns the number of
// records that could not be read.
func (b *Batch) Events() int64  { return b.sum.Events }
func (b *Batch) Damaged() int64 { return b.sum.Damaged }

// Damage returns the positions of the first records that could not be read.
func (b *Batch) Damage() []auditlog.Located { return b.sum.Damage }

// Looks says what a text without events looks like, such as "looks like YAML". It may
// return "".
func (b *Batch) Looks() string {
	if len(b.looks) == 0 {
		return ""
	}
	return b.looks[0]
}

// Foreign returns the number of records that are not audit events.
func (b *Batch) Foreign() (n int64) {
	for _, x := range b.sum.Foreign[:auditlog.ForeignEmpty] {
		n += x
	}
	return n
}

// Text is a part of an audit log.
type Text struct {
	// Input is the name of the log, for positions.
	Input string
	// Line is the number of lines of the log before the text.
	Line  int
	Bytes []byte
	// Piece describes a text of a growing log. It is nil for other texts.
	Piece *auditlog.Piece
	// Keep reports whether to count an event. If it is nil, all events are counted.
	Keep func(e *auditlog.Event) bool
}

// Read reads the events of a text. It does not change the Analysis.
func (a *Analysis) Read(ctx context.Context, text Text) (*Batch, error) {
	workers, add := auditinput.Together(a.tally, a.fights)
	return read(ctx, text, workers, add)
}

// read implements Read for one type of worker results.
func read[P any](ctx context.Context, text Text, workers func() auditlog.Worker[P], add func(P, string, int)) (*Batch, error) {
	b := &Batch{input: text.Input}
	var left auditlog.Summary
	newWorker := workers
	if text.Keep != nil {
		newWorker = func() auditlog.Worker[P] {
			return &chooser[P]{Worker: workers(), keep: func(e *auditlog.Event) bool {
				if text.Keep(e) {
					return true
				}
				left.Events++
				left.Levels[e.Level]++
				return false
			}}
		}
	}
	in := auditlog.Input{Name: text.Input, Piece: text.Piece, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes)), nil }}
	sum, err := auditlog.Read(ctx, slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, newWorker, func(p P, input string, line int) {
		b.adds = append(b.adds, func() { add(p, input, text.Line+line) })
	})
	if err != nil {
		return nil, err
	}
	if text.Piece != nil {
		sum.Bytes += int64(len(text.Piece.Header))
	}
	sum.Events -= left.Events
	sum.Records -= left.Events
	for i, n := range left.Levels {
		sum.Levels[i] -= n
	}
	for i := range sum.Damage {
		sum.Damage[i].Line += text.Line
	}
	b.looks = sum.Looks
	sum.Barren, sum.Looks = nil, nil
	b.sum = sum
	return b, nil
}

// chooser is a worker that drops the events for which keep returns false.
type chooser[P any] struct {
	auditlog.Worker[P]
	keep func(e *auditlog.Event) bool
}

// Event passes an event to the worker if keep returns true for it.
func (c *chooser[P]) Event(e *auditlog.Event, line int) {
	if c.keep(e) {
		c.Worker.Event(e, line)
	}
}

// Add adds a batch to the result.
func (a *Analysis) Add(b *Batch) {
	for _, add := range b.adds {
		add()
	}
	b.sum.Inputs = 0
	if a.inputs.add(b.input) {
		b.sum.Inputs = 1
	}
	a.logs.Add(history.Of(&b.sum))
}

// maxFailures is the maximal number of failures in the report. Further failures are only
// counted.
const maxFailures = 100

// Fail records that a part of a log could not be read.
func (a *Analysis) Fail(input string, err error) {
	if len(a.logs.Failed) >= maxFailures {
		a.failures++
		return
	}
	sum := auditlog.Summary{Failed: []auditlog.Failure{{Input: input, Err: err}}}
	a.logs.Add(history.Of(&sum))
}

// Events returns the number of all events so far.
func (a *Analysis) Events() int64 { return a.logs.Events }

// State returns the state that Load needs to continue the analysis in another process.
func (a *Analysis) State() *history.State {
	return &history.State{Tally: a.tally.State(), Logs: a.logs, HasContention: true, Contention: a.fights.Encode()}
}

// Load adds the state of an earlier analysis with the same settings. After an error, the
// Analysis must not be used any more.
func (a *Analysis) Load(s *history.State, inputs []string) error {
	if s.DeprecatedOnly || !s.HasContention {
		return fmt.Errorf("it was saved by a run with --deprecated-only or --no-contention")
	}
	fights, err := contention.Decode(s.Contention, limits)
	if err != nil {
		return err
	}
	if err := a.tally.Merge(s.Tally); err != nil {
		return err
	}
	a.fights.Merge(fights)
	a.logs.Add(s.Logs)
	for _, name := range inputs {
		a.inputs.add(name)
	}
	return nil
}

// Inputs returns the names of the logs so far, at most maxInputs. Pass them to Load.
func (a *Analysis) Inputs() []string { return a.inputs.names() }

// Document returns the report on all events so far.
func (a *Analysis) Document() (*auditreport.Document, error) {
	// Report can be called only once for a tally, so a copy is used here.
	t := tally.New(a.config.Tally)
	if err := t.Merge(a.tally.State()); err != nil {
		return nil, fmt.Errorf("copying the counts: %w", err)
	}
	options := a.config.Report
	options.Contention = Fights(a.fights, options.Thresholds, &a.config.Tally.Filter)
	sum := a.logs.Summary()
	d := auditreport.New(t.Report(), &sum, options)
	d.Notes = append(d.Notes, a.Notes()...)
	return d, nil
}

// Notes returns notes about limits that this process has reached. Document has them too.
func (a *Analysis) Notes() (notes []string) {
	if note := a.inputs.note(); note != "" {
		notes = append(notes, note)
	}
	if a.failures > 0 {
		notes = append(notes, report.Count(a.failures, "more failure")+" to read a log not listed")
	}
	return notes
}

// Fights returns the fights in which the filter accepts at least one writer.
func Fights(c *contention.Collector, t contention.Thresholds, filter *tally.Filter) *contention.Report {
	report := c.Report(t)
	keeps := func(w contention.Writer) bool { return filter.KeepsClient(w.User, w.Agent) }
	report.Fights = slices.DeleteFunc(report.Fights, func(f contention.Fight) bool {
		return !slices.ContainsFunc(f.Sides, func(s contention.Side) bool { return keeps(s.Writer) })
	})
	report.Leftovers = slices.DeleteFunc(report.Leftovers, func(l contention.Leftover) bool { return !keeps(l.Writer) })
	return &report
}
