package auditreport

import (
	"strings"

	"github.com/kubevet/kubevet/auditlog/denial"
)

func (d *Document) admissionSections(all bool) []section {
	would := section{title: "Requests that admission control would deny", header: []string{"REASON", "ACTIONS", "REQUESTS", "CLIENTS", "OBJECTS", "FIRST", "LAST", "MESSAGE"}}
	who := section{title: "Who would be denied", header: []string{"USER", "AGENT", "OBJECT", "REASON", "REQUESTS", "LAST"}}
	refused := section{title: "Requests that were refused", header: []string{"REASON", "OUTCOME", "REQUESTS", "CLIENTS", "OBJECTS", "FIRST", "LAST", "MESSAGE"}}
	for i := range d.Admission.Denials {
		x := &d.Admission.Denials[i]
		counts := []string{n(x.Requests), atLeast(x.Clients, x.AtLeast), atLeast(x.Objects, x.AtLeast), x.First, x.Last, x.Message}
		if x.Outcome != denial.Passed.String() {
			refused.rows = append(refused.rows, append([]string{x.reason(), x.outcome()}, counts...))
			continue
		}
		would.rows = append(would.rows, append([]string{x.reason(), orDash(strings.Join(x.Actions, ", "))}, counts...))
		for j := range x.Rows {
			r := &x.Rows[j]
			who.rows = append(who.rows, []string{r.User, r.Agent, r.object(), x.reason(), n(r.Requests), r.Last})
		}
	}
	if len(would.rows) > 0 && d.Summary.Last != "" {
		would.note = "The log ends at " + d.Summary.Last + "."
	}
	security := section{title: "Pod Security", header: []string{"NAMESPACE", "ENFORCED", "EXEMPT", "REQUESTS", "FIRST", "LAST"}}
	for _, p := range d.Admission.PodSecurity {
		if all || p.Enforced != privileged || p.Exempt != "" || p.Error {
			security.rows = append(security.rows, []string{orDash(p.Namespace), p.enforced(), orDash(p.Exempt), n(p.Requests), p.First, p.Last})
		}
	}
	hooks := section{title: "Mutating webhooks", header: []string{"CONFIGURATION", "WEBHOOK", "REQUESTS", "CHANGED", "LAST"}}
	for _, w := range d.Admission.Webhooks {
		hooks.rows = append(hooks.rows, []string{w.Configuration, w.Webhook, n(w.Requests), n(w.Mutated), w.Last})
	}
	out := []section{would, who, refused, security, hooks}
	if d.admissionOnly && len(would.rows) == 0 {
		out[0].note = "none"
	}
	return out
}

// outcome returns the word for Outcome in the table of refused requests.
func (d *Denial) outcome() string {
	if d.Outcome == denial.Denied.String() {
		return "denied"
	}
	return "refused for another reason"
}

// enforced returns the level that the server enforced, or a word for exemptions and
// errors.
func (p *PodSecurity) enforced() string {
	if p.Error {
		return "error"
	}
	return orDash(p.Enforced)
}

// atLeast returns a count as text. If least is true, the count may be incomplete and has
// the sign ≥.
func atLeast(count int, least bool) string {
	if least {
		return "≥ " + n(int64(count))
	}
	return n(int64(count))
}
