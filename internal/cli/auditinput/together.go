package auditinput

import (
	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/contention"
	logtally "github.com/kubevet/kubevet/auditlog/tally"
)

// part is the result for one block of a log.
type part struct {
	tally  logtally.Part
	fights contention.Part
}

// worker passes each event to two workers: one counts requests, the other searches for
// fights.
type worker struct {
	tally  auditlog.Worker[logtally.Part]
	fights auditlog.Worker[contention.Part] // nil if the run does not search for fights
}

func (w *worker) Event(e *auditlog.Event, line int) {
	w.tally.Event(e, line)
	if w.fights != nil {
		w.fights.Event(e, line)
	}
}

func (w *worker) Part() (p part) {
	p.tally = w.tally.Part()
	if w.fights != nil {
		p.fights = w.fights.Part()
	}
	return p
}

// Together lets auditlog.Read count requests and search for fights in one pass. It
// returns a function that starts a worker, and a function that adds the results of a
// worker. fights may be nil.
func Together(t *logtally.Tally, fights *contention.Collector) (func() auditlog.Worker[part], func(part, string, int)) {
	worker := func() auditlog.Worker[part] {
		w := &worker{tally: t.Worker()}
		if fights != nil {
			w.fights = fights.Worker()
		}
		return w
	}
	return worker, func(p part, input string, line int) {
		t.Add(p.tally, input, line)
		if fights != nil {
			fights.Add(p.fights, input, line)
		}
	}
}
