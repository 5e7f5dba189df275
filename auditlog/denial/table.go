package denial

import (
	"cmp"
	"strings"
)

// The limits of a Table.
const (
	maxDenials     = 4096
	maxRows        = 50_000
	maxRowsEach    = 10_000
	maxMessages    = 1 << 14 // of expressions
	maxEvaluations = 8192
	maxWebhooks    = 1024
	// maxRowMessage bounds the message of a client and object in bytes.
	maxRowMessage = 256
)

// Event is an event that a report quotes. The zero value quotes nothing.
type Event struct {
	// Stamp is its time in microseconds since 1970; 0 if it is unknown.
	Stamp int64 `json:"stamp"`
	// Input and Line are its place. Lines count from 1.
	Input   string `json:"input"`
	Line    int    `json:"line"`
	AuditID string `json:"auditID"`
	Message string `json:"message"`
}

func (e *Event) compare(o *Event) int {
	return cmp.Or(cmp.Compare(e.Stamp, o.Stamp), strings.Compare(e.Input, o.Input), cmp.Compare(e.Line, o.Line))
}

// later makes an event the later one of two, whatever the order in which logs were
// read.
func (e *Event) later(o *Event) {
	if e.Line == 0 || o.Line != 0 && o.compare(e) > 0 {
		*e = *o
	}
}

// Counts are the requests of a Denial or a Row.
type Counts struct {
	// Requests counts them, DryRuns those that were dry runs.
	Requests int64 `json:"requests"`
	DryRuns  int64 `json:"dryRuns"`
	// First is the time of the first one, in microseconds since 1970; 0 if no
	// request has a time.
	First int64 `json:"first"`
	// Last is the last request.
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
	// Unlisted counts requests whose client and object are not in Rows, Unnamed those
	// that do not name an object.
	Unlisted, Unnamed int64
	// Expressions are the expressions that failed. Report sorts them by their index.
	Expressions []Expression
	// Rows are the requests by client and object. Report sets them, the most frequent
	// first.
	Rows []*Row

	rows map[Who]*Row
}

// Expression is an expression of a policy that failed.
type Expression struct {
	// Index is its index in spec.validations; -1 if the log does not have it.
	Index    int   `json:"index"`
	Requests int64 `json:"requests"`
	// Last has the message of the last failure.
	Last Event `json:"last"`
}

// Who is a client and an object.
type Who struct {
	// User is the user whose permissions counted, Agent the program without its
	// version.
	User  string `json:"user"`
	Agent string `json:"agent"`
	Object
}

// Row are the requests of a client for an object.
type Row struct {
	Who
	Counts
}

// Span is when something was seen, and how often.
type Span struct {
	Requests int64 `json:"requests"`
	// First and Last are in microseconds since 1970; 0 if no request has a time.
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

func (s *Span) add(o Span) {
	s.Requests += o.Requests
	s.First, s.Last = earliest(s.First, o.First), max(s.Last, o.Last)
}

// WebhookUse are the calls of a mutating webhook.
type WebhookUse struct {
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	Span
	// Mutated counts the requests whose object it changed.
	Mutated int64 `json:"mutated"`
}

type webhookKey struct{ configuration, webhook string }

// Gaps count what a Table does not have.
type Gaps struct {
	// Decisions were dropped, because there are too many policies. Rows are requests
	// without their client and object, because there are too many. Expressions are
	// failures without their message.
	Decisions   int64 `json:"decisions"`
	Rows        int64 `json:"rows"`
	Expressions int64 `json:"expressions"`
	// Namespaces are requests that are missing in the evaluations, Webhooks calls of
	// further webhooks.
	Namespaces int64 `json:"namespaces"`
	Webhooks   int64 `json:"webhooks"`
	// Unreadable counts annotations in an unknown form, Cut requests whose list of
	// failures is as long as a server writes it.
	Unreadable int64 `json:"unreadable"`
	Cut        int64 `json:"cut"`
	// Uncounted are requests in states that were saved by a version without this
	// report.
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

// Table counts requests. The zero value is ready.
type Table struct {
	denials     map[Subject]*Denial
	rows        int // of all denials
	messages    int // of all denials' expressions
	evaluations map[Evaluation]*Span
	webhooks    map[webhookKey]*WebhookUse
	gaps        Gaps
}

// Add counts a request of a client. at is its event; Add sets its audit ID and
// message.
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

// denial returns the denial of a subject, nil beyond the limit.
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

// expression counts failures of an expression.
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

// row counts requests of a client for an object.
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

// evaluation counts requests that Pod Security evaluated.
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

// webhook counts calls of a webhook.
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
