package cli

import (
	"slices"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
)

// auditPart is what is kept of a block of a log.
type auditPart struct {
	tally  logtally.Part
	fights contention.Part
}

// auditWorker hands events to those who count and those who look for fights.
type auditWorker struct {
	tally  auditlog.Worker[logtally.Part]
	fights auditlog.Worker[contention.Part] // nil where nobody looks
}

func (w *auditWorker) Event(e *auditlog.Event, line int) {
	w.tally.Event(e, line)
	if w.fights != nil {
		w.fights.Event(e, line)
	}
}

func (w *auditWorker) Part() (p auditPart) {
	p.tally = w.tally.Part()
	if w.fights != nil {
		p.fights = w.fights.Part()
	}
	return p
}

// together gives the workers of both, and what takes their parts. fights may be
// nil.
func together(t *logtally.Tally, fights *contention.Collector) (func() auditlog.Worker[auditPart], func(auditPart, string, int)) {
	worker := func() auditlog.Worker[auditPart] {
		w := &auditWorker{tally: t.Worker()}
		if fights != nil {
			w.fights = fights.Worker()
		}
		return w
	}
	return worker, func(p auditPart, input string, line int) {
		t.Add(p.tally, input, line)
		if fights != nil {
			fights.Add(p.fights, input, line)
		}
	}
}

// fights reports the fights in which somebody takes part whom the filter keeps.
func (r *auditRun) fights(c *contention.Collector) *contention.Report {
	report := c.Report(r.document.Thresholds)
	keeps := func(w contention.Writer) bool { return r.tally.Filter.KeepsClient(w.User, w.Agent) }
	report.Fights = slices.DeleteFunc(report.Fights, func(f contention.Fight) bool {
		return !slices.ContainsFunc(f.Sides, func(s contention.Side) bool { return keeps(s.Writer) })
	})
	report.Leftovers = slices.DeleteFunc(report.Leftovers, func(l contention.Leftover) bool { return !keeps(l.Writer) })
	return &report
}
