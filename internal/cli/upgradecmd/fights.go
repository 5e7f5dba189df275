package upgradecmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/auditreport"
	"github.com/kubevet/kubevet/internal/codetrace"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/rules"
)

// day is one day in microseconds.
const day = 24 * 3600 * 1e6

// fightFacts adds a fact for each side of a fight, in which writers revert each other.
// Fights of one side over several objects are one fact, if the opponents and the fields
// are equal.
//
// The severity is at most a warning, because the upgrade does not break the writers: it
// restarts them, and chance decides which one wins. The severity is info if the fight
// ended more than a day before the end of the log, or if the fields only have several
// owners from earlier updates.
func (r *run) fightFacts(c *contention.Report, end int64, index *codetrace.Index, clients map[auditreport.CodeClient]codetrace.Client) {
	for i := range c.Fights {
		f := &c.Fights[i]
		severity := rules.Warning
		if !f.Ongoing && end-f.Last > day {
			severity = rules.Info
		}
		for j := range f.Sides {
			s := &f.Sides[j]
			fact := upgrade.Fact{
				OwnerKind: "audit", OwnerName: auditOwner(s.User, s.Agent), Subject: fightSubject(f), Rule: f.Rule(), Severity: severity, Always: true,
				Text: opponents(f, j), Replacement: f.Cause.Fix,
			}
			if controlPlane(s.User, s.Agent) {
				fact.Severity = rules.Info // only the other writer can be changed
			}
			if s.Webhook {
				fact.OwnerKind, fact.OwnerName = "webhook", s.Name()
			}
			times := report.Count(int(f.Reversals), "reversal") + " in total"
			if f.Evidence == contention.Probable {
				times = report.Count(int(f.Reversals), "turn") + " in total"
			}
			if f.AtLeast {
				times = "at least " + times
			}
			at := lastTurn(f, j)
			fact.Evidence = upgrade.Evidence{
				Source: "audit", File: at.Input, Line: at.Line, Column: min(at.Line, 1), Object: f.Object.String(),
				Text: times + ", last " + moments(f.Last) + writtenValues(f, j), LastSeen: moments(f.Last), AuditID: at.AuditID,
			}
			if index != nil && !s.Webhook {
				client := clients[auditreport.CodeClient{User: s.User, Agent: s.Agent}]
				client.User, client.Agent, client.Managers = s.User, cmp.Or(client.Agent, s.Agent), nil
				if s.Manager != "" {
					client.Managers = []string{s.Manager}
				}
				fact.Evidence.Code = r.codePlaces(index, client, func(m *codetrace.Match) ([]codetrace.Place, int) {
					return m.Writes(f.Object.Group, f.Object.Resource, client.Managers)
				})
			}
			r.fightsToOwn = append(r.fightsToOwn, fightFact{len(r.facts), f.Object})
			r.facts = append(r.facts, fact)
		}
	}
	for _, l := range c.Leftovers {
		r.facts = append(r.facts, upgrade.Fact{
			OwnerKind: "audit", OwnerName: auditOwner(l.Writer.User, l.Writer.Agent), Subject: l.Object.String(), Rule: "managerleftover", Severity: rules.Info, Always: true,
		})
	}
}

// lastTurn returns the last turn of a side in f.Turns. If the side has none there, it
// returns the last turn of another side, or the first write to the object.
func lastTurn(f *contention.Fight, side int) contention.Turn {
	last := contention.Turn{Place: f.At, Side: -1}
	for _, t := range f.Turns { // the oldest first
		if t.Side == side || last.Side != side {
			last = t
		}
	}
	return last
}

// writtenValues returns a text such as "; writes spec.replicas 3, the other 4", or "" if
// the values are unknown.
func writtenValues(f *contention.Fight, side int) string {
	const few = 3
	var parts []string
	for i := range f.Fields[:min(few, len(f.Fields))] {
		x := &f.Fields[i]
		texts := auditreport.ValueTexts(x)
		if side >= len(texts) || len(texts[side]) == 0 {
			continue
		}
		own := strings.Join(texts[side], ", ")
		var others []string
		for j, list := range texts {
			if j != side {
				others = append(others, list...)
			}
		}
		if len(others) > 0 {
			own += ", the other " + strings.Join(slices.Compact(others), ", ")
		}
		parts = append(parts, x.Path+" "+own)
	}
	if len(parts) == 0 {
		return ""
	}
	return "; writes " + strings.Join(parts, "; ")
}

// fightSubject returns the kind and the fields of a fight, without the name of the
// object.
func fightSubject(f *contention.Fight) string {
	what := f.Object.Resource
	if f.Object.Group != "" {
		what += "." + f.Object.Group
	}
	var fields []string
	for _, x := range f.Fields {
		if x.Path != contention.WholeObject {
			fields = append(fields, x.Path)
		}
	}
	slices.Sort(fields)
	const few = 3
	if n := len(fields) + f.FieldsLeft; n > few {
		fields = append(fields[:min(few, len(fields))], fmt.Sprintf("and %d more fields", n-few))
	}
	return strings.TrimSpace(what + " " + strings.Join(fields, ", "))
}

// opponents returns a text about the writers that fight with a side.
func opponents(f *contention.Fight, side int) string {
	if f.Self {
		return "takes back values of its own, again and again"
	}
	var others []string
	for i, s := range f.Sides {
		if i == side {
			continue
		}
		name := cmp.Or(s.Agent, s.User)
		if s.Webhook {
			name = "webhook " + name
		} else if name == f.Sides[side].Agent {
			name = s.Name() // the same program with another user
		}
		others = append(others, name)
	}
	slices.Sort(others)
	text := "fights with " + strings.Join(slices.Compact(others), " and ")
	if f.Evidence == contention.Probable {
		return "probably " + text
	}
	return text
}
