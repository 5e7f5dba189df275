package auditreport

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/auditlog/denial"
)

func admissionPart(d *Document) part {
	return part{ID: "admission", Title: "Admission policies", Tables: append(denialSheets(d), podSecuritySheet(d), webhooksSheet(d)),
		Lead: "Requests that policies, Pod Security and webhooks denied, and those that they would deny: if a binding with the action Audit had Deny, if a namespace enforced the level that it audits, if a webhook that could not be called failed closed."}
}

func denialSheets(d *Document) []*sheet {
	counts := []column{{Title: "Requests", Kind: "number"}, {Title: "Dry runs", Kind: "number", Screen: true}, {Title: "Clients", Kind: "number"}, {Title: "Objects", Kind: "number"},
		{Title: "Namespaces", Kind: "list"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}, {Title: "Message", Kind: "text"}, {Title: "Audit ID", Kind: "text", Screen: true}}
	head := []column{{Title: "Kind", Kind: "state", Pick: true}, {Title: "Policy", Kind: "text", Pick: true}, {Title: "Binding", Kind: "text"}}
	would := &sheet{ID: "would", Title: "Would be denied", Empty: "No request was seen that would be denied.",
		Columns: append(append(append([]column{}, head...), column{Title: "Actions", Kind: "list"}), counts...)}
	refused := &sheet{ID: "denied", Title: "Refused", Empty: "Admission control denied no request.",
		Columns: append(append(append([]column{}, head...), column{Title: "Outcome", Kind: "state", Pick: true}), counts...)}
	who := &sheet{ID: "who", Title: "Who would be denied", Empty: "Nobody.",
		Columns: []column{{Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "Object", Kind: "text"}, {Title: "Reason", Kind: "text", Pick: true},
			{Title: "Requests", Kind: "number"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}, {Title: "Message", Kind: "text"}, {Title: "Audit ID", Kind: "text", Screen: true}}}
	for i := range d.Admission.Denials {
		x := &d.Admission.Denials[i]
		cells := []any{visible(x.Kind), visible(x.Policy), orDash(visible(x.Binding))}
		if strings.HasPrefix(x.Kind, denial.PodSecurity.String()) {
			cells[2] = "namespace " + visible(x.Namespace)
		}
		numbers := []any{x.Requests, x.DryRuns, int64(x.Clients), int64(x.Objects), visibles(x.Namespaces), clock(x.First), clock(x.Last), visible(x.Message), visible(x.AuditID)}
		if x.Outcome != denial.Passed.String() {
			refused.Rows = append(refused.Rows, append(append(cells, x.outcome()), numbers...))
			continue
		}
		would.Rows = append(would.Rows, append(append(cells, visibles(x.Actions)), numbers...))
		would.Details = append(would.Details, x.details(d.Summary.Last))
		for j := range x.Rows {
			r := &x.Rows[j]
			who.Rows = append(who.Rows, []any{visible(r.User), visible(r.Agent), visible(r.object()), visible(x.reason()), r.Requests, clock(r.First), clock(r.Last), visible(r.Message), visible(r.AuditID)})
		}
		if x.Unlisted > 0 {
			who.Note = "Further requests are counted without their clients and objects."
		}
	}
	return []*sheet{would, who, refused}
}

// details returns sentences about the requests that would be denied. end is the time of
// the last event in the logs.
func (d *Denial) details(end string) []string {
	out := []string{visible(d.summary() + " " + d.condition() + d.period(end) + ".")}
	for _, e := range d.Expressions {
		out = append(out, visible(fmt.Sprintf("Expression %d: %s: %s", e.Index, times(e.Requests), e.Message)))
	}
	return out
}

func podSecuritySheet(d *Document) *sheet {
	s := &sheet{ID: "podsecurity", Title: "Pod Security", Empty: "No request was evaluated by Pod Security.",
		Columns: []column{{Title: "Namespace", Kind: "text"}, {Title: "Enforced", Kind: "text", Pick: true}, {Title: "Exempt", Kind: "text", Pick: true}, {Title: "Requests", Kind: "number"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}}}
	for i := range d.Admission.PodSecurity {
		p := &d.Admission.PodSecurity[i]
		s.Rows = append(s.Rows, []any{orDash(visible(p.Namespace)), visible(p.enforced()), orDash(visible(p.Exempt)), p.Requests, clock(p.First), clock(p.Last)})
	}
	return s
}

func webhooksSheet(d *Document) *sheet {
	s := &sheet{ID: "webhooks", Title: "Mutating webhooks", Empty: "No mutating webhook was called.",
		Columns: []column{{Title: "Configuration", Kind: "text"}, {Title: "Webhook", Kind: "text"}, {Title: "Requests", Kind: "number"}, {Title: "Changed", Kind: "number"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}}}
	for _, w := range d.Admission.Webhooks {
		s.Rows = append(s.Rows, []any{visible(w.Configuration), visible(w.Webhook), w.Requests, w.Mutated, clock(w.First), clock(w.Last)})
	}
	return s
}
