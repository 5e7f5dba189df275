// Package auditlive counts the events of audit logs while they arrive.
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
)

// Config configures an Analysis.
type Config struct {
	// Tally configures the counts. Keep is implied.
	Tally tally.Config
	// Fights configures the search for fights. Keep and Limits are ignored.
	Fights contention.Config
	// Report chooses the content of documents. Contention is ignored.
	Report auditreport.Options
}

// limits bound the memory of the search for fights to about 100 MiB, since a live run
// shares its machine. A run over files may use four times as much.
var limits = contention.Limits{
	Objects: contention.DefaultObjects / 4, Single: contention.DefaultSingle / 4,
	Writes: contention.DefaultWrites / 4, Leaves: contention.DefaultLeaves / 4,
	Writers: contention.DefaultWriters / 4, Scopes: contention.DefaultScopes / 4,
}

// Analysis is the result of all events so far. Its methods may not run at the same
// time.
type Analysis struct {
	config Config
	tally  *tally.Tally
	fights *contention.Collector
	logs   history.Logs
	inputs map[string]bool
	// since counts the events since the tally was renewed.
	since int64
}

// New returns an analysis without events.
func New(config Config) *Analysis {
	config.Tally.Keep = true
	config.Fights.Limits, config.Fights.Keep = limits, config.Tally.Filter.KeepsObject
	return &Analysis{
		config: config, tally: tally.New(config.Tally), inputs: map[string]bool{},
		fights: contention.New(config.Fights),
	}
}

// Batch is a text that was read and not yet added.
type Batch struct {
	input string
	adds  []func()
	sum   auditlog.Summary
	looks []string
}

// Events counts the events that Add counts, Damaged the unreadable records.
func (b *Batch) Events() int64  { return b.sum.Events }
func (b *Batch) Damaged() int64 { return b.sum.Damaged }

// Damage returns the places of the first unreadable records.
func (b *Batch) Damage() []auditlog.Located { return b.sum.Damage }

// Looks describes a text without events, such as "looks like YAML"; it may be empty.
func (b *Batch) Looks() string {
	if len(b.looks) == 0 {
		return ""
	}
	return b.looks[0]
}

// Foreign counts the records that are not audit events.
func (b *Batch) Foreign() (n int64) {
	for _, x := range b.sum.Foreign[:auditlog.ForeignEmpty] {
		n += x
	}
	return n
}

// Text is a part of a log.
type Text struct {
	// Input is the name of the log.
	Input string
	// Line is the number of lines before the text.
	Line  int
	Bytes []byte
	// Keep, if not nil, reports whether an event counts.
	Keep func(e *auditlog.Event) bool
}

// Read reads the events of a text. The analysis does not change.
func (a *Analysis) Read(ctx context.Context, text Text) (*Batch, error) {
	workers, add := auditinput.Together(a.tally, a.fights)
	return read(ctx, text, workers, add)
}

// read is Read for one type of parts.
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
	in := auditlog.Input{Name: text.Input, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes)), nil }}
	sum, err := auditlog.Read(ctx, slices.Values([]auditlog.Input{in}), auditlog.Options{Workers: 1}, newWorker, func(p P, input string, line int) {
		b.adds = append(b.adds, func() { add(p, input, text.Line+line) })
	})
	if err != nil {
		return nil, err
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

// chooser filters events.
type chooser[P any] struct {
	auditlog.Worker[P]
	keep func(e *auditlog.Event) bool
}

// Event passes an event on.
func (c *chooser[P]) Event(e *auditlog.Event, line int) {
	if c.keep(e) {
		c.Worker.Event(e, line)
	}
}

// renewal is the number of events after which the tally forgets which events it has
// seen. Otherwise its memory would grow by 16 bytes for each event, up to 512 MiB.
const renewal = 3_000_000

// Add adds a batch.
func (a *Analysis) Add(b *Batch) error {
	for _, add := range b.adds {
		add()
	}
	b.sum.Inputs = 0
	if !a.inputs[b.input] {
		a.inputs[b.input] = true
		b.sum.Inputs = 1
	}
	a.logs.Add(history.Of(&b.sum))
	if a.since += b.sum.Events; a.since < renewal {
		return nil
	}
	a.since = 0
	renewed := tally.New(a.config.Tally)
	if err := renewed.Merge(a.tally.State()); err != nil {
		return fmt.Errorf("renewing the counts: %w", err)
	}
	a.tally = renewed
	return nil
}

// Fail records that a part of a log could not be read.
func (a *Analysis) Fail(input string, err error) {
	sum := auditlog.Summary{Failed: []auditlog.Failure{{Input: input, Err: err}}}
	a.logs.Add(history.Of(&sum))
}

// Events counts all events.
func (a *Analysis) Events() int64 { return a.logs.Events }

// State returns what Load needs to continue.
func (a *Analysis) State() *history.State {
	return &history.State{Tally: a.tally.State(), Logs: a.logs, HasContention: true, Contention: a.fights.Encode()}
}

// Load adds the result of an earlier analysis with the same settings. After an error
// the analysis must not be used.
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
		a.inputs[name] = true
	}
	return nil
}

// Inputs returns the names of the logs for Load.
func (a *Analysis) Inputs() []string {
	var names []string
	for name := range a.inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Document returns the report on all events so far.
func (a *Analysis) Document() (*auditreport.Document, error) {
	// Report ends a tally, so a copy of the tally is used.
	t := tally.New(a.config.Tally)
	if err := t.Merge(a.tally.State()); err != nil {
		return nil, fmt.Errorf("copying the counts: %w", err)
	}
	options := a.config.Report
	options.Contention = Fights(a.fights, options.Thresholds, &a.config.Tally.Filter)
	sum := a.logs.Summary()
	return auditreport.New(t.Report(), &sum, options), nil
}

// Fights returns the fights with a writer that the filter keeps.
func Fights(c *contention.Collector, t contention.Thresholds, filter *tally.Filter) *contention.Report {
	report := c.Report(t)
	keeps := func(w contention.Writer) bool { return filter.KeepsClient(w.User, w.Agent) }
	report.Fights = slices.DeleteFunc(report.Fights, func(f contention.Fight) bool {
		return !slices.ContainsFunc(f.Sides, func(s contention.Side) bool { return keeps(s.Writer) })
	})
	report.Leftovers = slices.DeleteFunc(report.Leftovers, func(l contention.Leftover) bool { return !keeps(l.Writer) })
	return &report
}
