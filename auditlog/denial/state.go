package denial

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/internal/jsonlist"
)

// State is a Table in a form that can be saved. If no limit was reached, equal
// counts result in equal states, in whatever order logs were read or states
// were merged.
type State struct {
	Denials     jsonlist.List[stateDenial]     `json:"denials"`
	Evaluations jsonlist.List[stateEvaluation] `json:"evaluations"`
	Webhooks    jsonlist.List[WebhookUse]      `json:"webhooks"`
	Gaps        Gaps                           `json:"gaps"`
}

type (
	stateDenial struct {
		Subject
		Counts
		Unlisted    int64                     `json:"unlisted"`
		Unnamed     int64                     `json:"unnamed"`
		Expressions jsonlist.List[Expression] `json:"expressions"`
		Rows        jsonlist.List[stateRow]   `json:"rows"`
	}
	stateRow struct {
		Who
		Counts
	}
	stateEvaluation struct {
		Evaluation
		Span
	}
)

// State returns the counts of the table. The state shares no memory with the
// table.
func (t *Table) State() *State {
	s := &State{Gaps: t.gaps}
	for _, d := range t.sorted() {
		x := stateDenial{Subject: d.Subject, Counts: d.Counts, Unlisted: d.Unlisted, Unnamed: d.Unnamed, Expressions: slices.Clone(d.Expressions)}
		slices.SortFunc(x.Expressions, compareExpressions)
		for _, r := range d.rows {
			x.Rows = append(x.Rows, stateRow{r.Who, r.Counts})
		}
		slices.SortFunc(x.Rows, func(a, b stateRow) int { return a.Who.compare(&b.Who) })
		s.Denials = append(s.Denials, x)
	}
	for e, n := range t.evaluations {
		s.Evaluations = append(s.Evaluations, stateEvaluation{e, *n})
	}
	slices.SortFunc(s.Evaluations, func(a, b stateEvaluation) int { return a.Evaluation.compare(&b.Evaluation) })
	for _, u := range t.webhooks {
		s.Webhooks = append(s.Webhooks, *u)
	}
	slices.SortFunc(s.Webhooks, func(a, b WebhookUse) int { return a.compare(&b) })
	return s
}

// Check returns an error if the state cannot be from a Table. A state from a
// file may be damaged.
func (s *State) Check() error {
	for i := range s.Denials {
		d := &s.Denials[i]
		if d.Kind == 0 || d.Kind >= kinds || d.Outcome == 0 || d.Outcome >= outcomes {
			return fmt.Errorf("the state is damaged: a denial has kind %d and outcome %d", d.Kind, d.Outcome)
		}
	}
	return nil
}

// Merge adds the counts of a state, which Check must have accepted. If s is
// nil, Merge only adds requests to Gaps.Uncounted. requests is the number of
// the log's requests.
func (t *Table) Merge(s *State, requests int64) {
	if s == nil {
		t.gaps.Uncounted += requests
		return
	}
	t.gaps.add(&s.Gaps)
	for i := range s.Denials {
		x := &s.Denials[i]
		d := t.denial(x.Subject, x.Requests)
		if d == nil {
			continue
		}
		d.add(&x.Counts)
		d.Unlisted += x.Unlisted
		d.Unnamed += x.Unnamed
		for _, e := range x.Expressions {
			t.expression(d, e)
		}
		for j := range x.Rows {
			t.row(d, x.Rows[j].Who, &x.Rows[j].Counts)
		}
	}
	for _, e := range s.Evaluations {
		t.evaluation(e.Evaluation, e.Span)
	}
	for i := range s.Webhooks {
		t.webhook(&s.Webhooks[i])
	}
}

// Report is the result of a Table. Its lists are sorted. The same logs have the
// same report.
type Report struct {
	Denials     []*Denial
	Evaluations []EvaluationUse
	Webhooks    []WebhookUse
	Gaps        Gaps
}

// EvaluationUse is an evaluation with the number and times of its requests.
type EvaluationUse struct {
	Evaluation
	Span
}

// Report returns the report about all requests so far.
func (t *Table) Report() *Report {
	r := &Report{Denials: t.sorted(), Gaps: t.gaps}
	for _, d := range r.Denials {
		slices.SortFunc(d.Expressions, compareExpressions)
		d.Rows = slices.SortedFunc(maps.Values(d.rows), func(a, b *Row) int {
			return cmp.Or(cmp.Compare(b.Requests, a.Requests), a.Who.compare(&b.Who))
		})
	}
	for _, e := range t.State().Evaluations {
		r.Evaluations = append(r.Evaluations, EvaluationUse(e))
	}
	for _, u := range t.webhooks {
		r.Webhooks = append(r.Webhooks, *u)
	}
	slices.SortFunc(r.Webhooks, func(a, b WebhookUse) int { return a.compare(&b) })
	return r
}

// sorted returns the denials, sorted by subject.
func (t *Table) sorted() []*Denial {
	return slices.SortedFunc(maps.Values(t.denials), func(a, b *Denial) int { return a.Subject.compare(&b.Subject) })
}

func (s *Subject) compare(o *Subject) int {
	return cmp.Or(cmp.Compare(s.Outcome, o.Outcome), cmp.Compare(s.Kind, o.Kind), strings.Compare(s.Namespace, o.Namespace),
		strings.Compare(s.Policy, o.Policy), strings.Compare(s.Binding, o.Binding), strings.Compare(s.Actions, o.Actions))
}

func (w *Who) compare(o *Who) int {
	return cmp.Or(strings.Compare(w.User, o.User), strings.Compare(w.Agent, o.Agent), strings.Compare(w.Group, o.Group),
		strings.Compare(w.Resource, o.Resource), strings.Compare(w.Namespace, o.Namespace), strings.Compare(w.Name, o.Name),
		strings.Compare(w.Version, o.Version), strings.Compare(w.Subresource, o.Subresource))
}

func (e *Evaluation) compare(o *Evaluation) int {
	b := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	return cmp.Or(strings.Compare(e.Namespace, o.Namespace), strings.Compare(e.Enforced, o.Enforced), strings.Compare(e.Exempt, o.Exempt), b(e.Error)-b(o.Error))
}

func (u *WebhookUse) compare(o *WebhookUse) int {
	return cmp.Or(strings.Compare(u.Configuration, o.Configuration), strings.Compare(u.Webhook, o.Webhook))
}

func compareExpressions(a, b Expression) int { return cmp.Compare(a.Index, b.Index) }
