package denial

import (
	"cmp"
	"strings"
)

// These are the limits of a Table.
const (
	maxDenials     = 4096
	maxRows        = 50_000
	maxRowsEach    = 10_000
	maxMessages    = 1 << 14 // messages of expressions
	maxEvaluations = 8192
	maxWebhooks    = 1024
	// maxRowMessage is the largest length of the message in a Row, in bytes.
	maxRowMessage = 256
)

// Event is an event that a report shows. The zero value means no event.
type Event struct {
	// Stamp is the time of the event in microseconds since 1970; 0 if unknown.
	Stamp int64 `json:"stamp"`
	// Input and Line are the position of the event. Line counts from 1.
	Input   string `json:"input"`
	Line    int    `json:"line"`
	AuditID string `json:"auditID"`
	Message string `json:"message"`
}

func (e *Event) compare(o *Event) int {
	return cmp.Or(cmp.Compare(e.Stamp, o.Stamp), strings.Compare(e.Input, o.Input), cmp.Compare(e.Line, o.Line))
}

// later sets e to the later of two events. The order in which logs were read
// does not matter.
func (e *Event) later(o *Event) {
	if e.Line == 0 || o.Line != 0 && o.compare(e) > 0 {
		*e = *o
	}
}

// Counts has the numbers and times of the requests of a Denial or a Row.
type Counts struct {
	// Requests is the number of requests. DryRuns is the number of dry runs
	// among them.
	Requests int64 `json:"requests"`
	DryRuns  int64 `json:"dryRuns"`
	// First is the time of the first request in microseconds since 1970; 0 if
	// no request has a time.
	First int64 `json:"first"`
	// Last is the event of the last request.
	Last Event `json:"last"`
}

func (c *Counts) add(o *Counts) {
	c.Requests += o.Requests
	c.DryRuns += o.DryRuns
	c.First = earliest(c.First, o.First)
	c.Last.later(&o.Last)
}

// earliest returns the earlier of two times; 0 means unknown.
func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Denial is a subject with its requests.
type Denial struct {
	Subject
	Counts
	// Unlisted is the number of requests whose client and object are not in
	// Rows. Unnamed is the number of requests without the name of an object.
	Unlisted, Unnamed int64
	// Expressions are the expressions that failed. Report sorts them by index.
	Expressions []Expression
	// Rows has the requests by client and object. Report sets it, with the most
	// requests first.
	Rows []*Row

	rows map[Who]*Row
}

// Expression is an expression of a policy that failed.
type Expression struct {
	// Index is the index of the expression in spec.validations; -1 if the log
	// does not have it.
	Index    int   `json:"index"`
	Requests int64 `json:"requests"`
	// Last is the event of the last failure, with its message.
	Last Event `json:"last"`
}

// Who is a client and an object.
type Who struct {
	// User is the user whose permissions applied. Agent is the program without
	// its version.
	User  string `json:"user"`
	Agent string `json:"agent"`
	Object
}

// Row has the requests of a client for an object.
type Row struct {
	Who
	Counts
}

// Span is a number of requests and the times of the first and the last one.
type Span struct {
	Requests int64 `json:"requests"`
	// First and Last are in microseconds since 1970; 0 if no request has a
	// time.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

func (s *Span) add(o Span) {
	s.Requests += o.Requests
	s.First, s.Last = earliest(s.First, o.First), max(s.Last, o.Last)
}

// WebhookUse has the calls of a mutating webhook.
type WebhookUse struct {
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	Span
	// Mutated is the number of requests in which the webhook changed the
	// object.
	Mutated int64 `json:"mutated"`
}

type webhookKey struct{ configuration, webhook string }

// Gaps counts data that a Table does not have.
type Gaps struct {
	// Decisions is the number of decisions that were dropped because there are
	// too many policies. Rows is the number of requests whose client and object
	// were dropped. Expressions is the number of failures whose message was
	// dropped.
	Decisions   int64 `json:"decisions"`
	Rows        int64 `json:"rows"`
	Expressions int64 `json:"expressions"`
	// Namespaces is the number of requests that are missing in the evaluations.
	// Webhooks is the number of calls of webhooks beyond the limit.
	Namespaces int64 `json:"namespaces"`
	Webhooks   int64 `json:"webhooks"`
	// Unreadable is the number of annotations in an unknown form. Cut is the
	// number of requests with serverFailures failures. A server writes no more,
	// so these requests may have had more.
	Unreadable int64 `json:"unreadable"`
	Cut        int64 `json:"cut"`
	// Uncounted is the number of requests in states without decisions, which
	// earlier versions of kubevet saved.
	Uncounted int64 `json:"uncounted"`
}

func (g *Gaps) add(o *Gaps) {
	g.Decisions += o.Decisions
	g.Rows += o.Rows
	g.Expressions += o.Expressions
	g.Namespaces += o.Namespaces
	g.Webhooks += o.Webhooks
	g.Unreadable += o.Unreadable
	g.Cut += o.Cut
	g.Uncounted += o.Uncounted
}

// Table counts requests with decisions. The zero value is ready to use.
type Table struct {
	denials     map[Subject]*Denial
	rows        int // number of rows of all denials
	messages    int // number of expressions of all denials
	evaluations map[Evaluation]*Span
	webhooks    map[webhookKey]*WebhookUse
	gaps        Gaps
}

// Add counts a request of a client. at is the request's event, without its
// audit ID and message, which Add sets.
func (t *Table) Add(r *Request, user, agent string, at Event) {
	at.AuditID = r.AuditID
	t.gaps.Decisions += r.dropped
	t.gaps.Unreadable += r.unreadable
	if r.cut {
		t.gaps.Cut++
	}
	who := Who{User: clip(user, maxName), Agent: clip(agent, maxName), Object: r.Object}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		at.Message = ""
		if len(d.Messages) > 0 {
			at.Message = d.Messages[0].Text
		}
		one := Counts{Requests: 1, First: at.Stamp, Last: at}
		if r.DryRun {
			one.DryRuns = 1
		}
		denial := t.denial(d.Subject, 1)
		if denial == nil {
			continue
		}
		denial.add(&one)
		if r.Object.Name == "" {
			denial.Unnamed++
		}
		for _, m := range d.Messages {
			if m.Expression >= 0 {
				at.Message = m.Text
				t.expression(denial, Expression{m.Expression, 1, at})
			}
		}
		t.row(denial, who, &one)
	}
	once := Span{1, at.Stamp, at.Stamp}
	if r.Evaluation != (Evaluation{}) {
		t.evaluation(r.Evaluation, once)
	}
	for _, m := range r.Mutations {
		u := WebhookUse{Configuration: m.Configuration, Webhook: m.Webhook, Span: once}
		if m.Mutated {
			u.Mutated = 1
		}
		t.webhook(&u)
	}
}

// denial returns the denial of a subject, which is added if it is new. It
// returns nil if there are too many.
func (t *Table) denial(s Subject, requests int64) *Denial {
	d := t.denials[s]
	if d != nil {
		return d
	}
	if len(t.denials) >= maxDenials {
		t.gaps.Decisions += requests
		return nil
	}
	if t.denials == nil {
		t.denials = map[Subject]*Denial{}
	}
	d = &Denial{Subject: s, rows: map[Who]*Row{}}
	t.denials[s] = d
	return d
}

// expression adds the failures of an expression to a denial.
func (t *Table) expression(d *Denial, x Expression) {
	for i := range d.Expressions {
		if mine := &d.Expressions[i]; mine.Index == x.Index {
			mine.Requests += x.Requests
			mine.Last.later(&x.Last)
			return
		}
	}
	if len(d.Expressions) >= maxExpressions || t.messages >= maxMessages {
		t.gaps.Expressions += x.Requests
		return
	}
	d.Expressions = append(d.Expressions, x)
	t.messages++
}

// row adds requests of a client for an object to a denial.
func (t *Table) row(d *Denial, who Who, c *Counts) {
	r := d.rows[who]
	if r == nil {
		if t.rows >= maxRows || len(d.rows) >= maxRowsEach {
			d.Unlisted += c.Requests
			t.gaps.Rows += c.Requests
			return
		}
		r = &Row{Who: who}
		d.rows[who] = r
		t.rows++
	}
	short := *c
	short.Last.Message = clip(short.Last.Message, maxRowMessage)
	r.add(&short)
}

// evaluation adds requests that Pod Security Admission evaluated.
func (t *Table) evaluation(e Evaluation, n Span) {
	mine := t.evaluations[e]
	if mine == nil {
		if len(t.evaluations) >= maxEvaluations {
			t.gaps.Namespaces += n.Requests
			return
		}
		if t.evaluations == nil {
			t.evaluations = map[Evaluation]*Span{}
		}
		mine = &Span{}
		t.evaluations[e] = mine
	}
	mine.add(n)
}

// webhook adds calls of a webhook.
func (t *Table) webhook(u *WebhookUse) {
	key := webhookKey{u.Configuration, u.Webhook}
	mine := t.webhooks[key]
	if mine == nil {
		if len(t.webhooks) >= maxWebhooks {
			t.gaps.Webhooks += u.Requests
			return
		}
		if t.webhooks == nil {
			t.webhooks = map[webhookKey]*WebhookUse{}
		}
		mine = &WebhookUse{Configuration: u.Configuration, Webhook: u.Webhook}
		t.webhooks[key] = mine
	}
	mine.Span.add(u.Span)
	mine.Mutated += u.Mutated
}
