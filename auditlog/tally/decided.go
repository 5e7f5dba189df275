package tally

import "github.com/kubevet/kubevet/auditlog/denial"

// decided has the decisions of admission control about the request of a record.
type decided struct {
	at      int // line of the event's record
	request *denial.Request
}

// decide counts the decisions of admission control about a request. counted is
// false if an event of another server was counted for this request. The
// decisions are counted even then: for an aggregated API, only the event of the
// API's own server has them.
func (t *Tally) decide(r *record, found *denial.Request, counted bool) {
	user, agent := "", ""
	if counted {
		c := t.client(r.client)
		user, agent = c.Who(), c.Program
	} else {
		user, agent = r.client.Who(), FoldAgent(r.client.Agent)
	}
	at := t.place(r)
	t.denials.Add(found, user, agent, denial.Event{Stamp: r.stamp, Input: at.Input, Line: at.Line})
}
