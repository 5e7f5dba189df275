package tally

import "github.com/kubevet/kubevet/auditlog/denial"

// decided are the decisions of admission control about a record.
type decided struct {
	at      int // of its record
	request *denial.Request
}

// decide counts the decisions about a request. Only the server of an aggregated API writes them. So
// they count even if another server's event of the same request was counted.
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
