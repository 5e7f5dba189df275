package auditreport

import (
	"fmt"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// findings sets Document.Findings.
func (d *Document) findings(r *tally.Report, c *contention.Report) {
	d.deprecatedFindings(r)
	d.bodyFindings(r)
	d.managerFindings()
	d.denialFindings()
	d.fightFindings(c)
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Line > 0 {
			f.Column, f.EndLine, f.EndColumn = 1, f.Line, 2
		}
		d.Summary.Findings[d.Findings[i].Rule]++
	}
}

// deprecatedFindings adds a finding for each client and each deprecated or removed API
// that it uses.
func (d *Document) deprecatedFindings(r *tally.Report) {
	type key struct{ api, user, agent string }
	type agg struct {
		g                     *tally.Group
		count, open, rejected int64
	}
	by := map[key]*agg{}
	var order []key
	for _, g := range r.Groups {
		k := key{g.API.String(), g.Client.Who(), g.Client.Program}
		a := by[k]
		if a == nil {
			a = &agg{g: g}
			by[k] = a
			order = append(order, k)
		}
		a.count += g.Count
		a.open += g.Open
		a.rejected += g.Rejected
	}
	for _, k := range order {
		a := by[k]
		g := a.g
		f := rules.Finding{
			Rule: "deprecatedapi", Severity: rules.Warning, File: g.At.Input, Line: g.At.Line, Replacement: r.Replacement(g.API),
			Message: fmt.Sprintf("%s (%s) sent %s to %s", k.user, orNone(k.agent), times(a.count), k.api),
			Object:  &rules.ObjectRef{APIVersion: g.API.GroupVersion(), Kind: g.API.Known.Kind()},
		}
		if f.Object.Kind == "" {
			f.Object.Kind = g.API.Resource
		}
		switch {
		case g.RemovedAt != 0:
			f.Rule, f.Severity, f.Minors = "removedapi", rules.Error, g.RemovedAt.String()
			f.Message += ", which the target does not serve"
		case g.DeprecatedAt != 0:
			f.Minors = g.DeprecatedAt.String()
			f.Message += ", which is deprecated"
		default:
			f.Message += ", which is deprecated"
		}
		if g.Removed != "" && g.RemovedAt == 0 {
			f.Message += " and gone in v" + g.Removed
		}
		if a.rejected == a.count {
			f.Message += "; the server rejected " + allOf(a.count) + ", because it does not serve the API"
		}
		if f.Replacement != "" {
			f.Message += "; use " + f.Replacement
		}
		if r.Wildcard[g.Client] {
			f.Severity = rules.Info
			f.Message += " (a client that reads everything there is)"
		}
		d.Findings = append(d.Findings, f)
	}
}

// bodyFindings adds the findings in the bodies of requests. Their positions become the
// positions of the events.
func (d *Document) bodyFindings(r *tally.Report) {
	for _, b := range r.Bodies {
		f := b.Finding
		f.File, f.Line, f.Column, f.EndLine, f.EndColumn, f.Document = b.At.Input, b.At.Line, 0, 0, 0, 0
		f.Message = fmt.Sprintf("%s (%s) sent %s with: %s", b.Client.Who(), orNone(b.Client.Program), times(b.Count), f.Message)
		d.Findings = append(d.Findings, f)
	}
}

// managerFindings adds a finding for each client that names no field manager.
func (d *Document) managerFindings() {
	for i := range d.Clients {
		c := &d.Clients[i]
		if c.Unnamed == 0 {
			continue
		}
		d.Findings = append(d.Findings, rules.Finding{
			Rule: "fieldmanager", Severity: rules.Info, File: c.unnamedAt.Input, Line: c.unnamedAt.Line,
			Message: fmt.Sprintf("%s (%s) named no field manager in %s; the server calls it %q", c.User, orNone(c.Agent), report.Count(c.Unnamed, "write"), c.DerivedManager),
		})
	}
}

func orNone(agent string) string {
	if agent == "" {
		return "no user agent"
	}
	return agent
}

// allOf returns "it" for one request and "all of them" for several.
func allOf(n int64) string {
	if n == 1 {
		return "it"
	}
	return "all of them"
}

func times(n int64) string { return report.Count(n, "request") }

func watches(n int64) string {
	if n == 1 {
		return "1 watch"
	}
	return fmt.Sprintf("%d watches", n)
}
