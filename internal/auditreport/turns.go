package auditreport

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/report"
)

// undecided adds turns that may be a fight to the document.
func (d *Document) undecided(c *contention.Report) {
	for i := range c.Turns {
		t := &c.Turns[i]
		out := Turns{Object: fightObject(t.Object), Turns: t.Turns, First: timeText(t.First), Last: timeText(t.Last), Writers: []TurnWriter{}, Examples: []FightTurn{}, Decide: decide(t.Object)}
		for _, s := range t.Sides {
			w := TurnWriter{User: s.User, Agent: s.Agent, Manager: s.Manager, How: []string{}, Writes: s.Writes, After: float64(s.After) / 1e6}
			for _, h := range s.How {
				w.How = append(w.How, h.String())
			}
			out.Writers = append(out.Writers, w)
		}
		for j := range t.Examples {
			out.Examples = append(out.Examples, fightTurn(&t.Examples[j]))
		}
		d.Undecided = append(d.Undecided, out)
	}
}

// decide returns a text that says how to find out whether the writers of an object fight.
func decide(o contention.Object) string {
	resource := o.Resource
	if o.Group != "" {
		resource += "." + o.Group
	}
	return "which fields they write is not in the log; a rule with level Request for " + resource + " in the audit policy would show it"
}

// undecidedNote returns the note about objects whose writers take turns.
func undecidedNote(c *contention.Report) string {
	note := "whether the writers that take turns on " + report.Count(c.Undecided, "object") + " fight is undecided"
	if len(c.Turns) > 0 {
		note += ", the most turns on " + c.Turns[0].Object.String()
	}
	return note + ": which fields they write is not in the log (level Request or RequestResponse would show it)"
}

// names returns short names that distinguish the writers.
func (t *Turns) names() []string {
	var writers []FightWriter
	for _, w := range t.Writers {
		writers = append(writers, FightWriter{User: w.User, Agent: w.Agent, Manager: w.Manager, Kind: "client"})
	}
	return shortNames(writers)
}

// answerTimes returns a text for each writer, such as "web: 12 × patch, usually 3s after
// the other".
func (t *Turns) answerTimes() []string {
	var out []string
	names := t.names()
	for i := range t.Writers {
		w := &t.Writers[i]
		out = append(out, fmt.Sprintf("%s: %d × %s, usually %s after the other", names[i], w.Writes, strings.Join(w.How, " or "), roundedDuration(w.After)))
	}
	return out
}

// roundedDuration returns a duration in seconds as text: "1h5m", "12s" or "250ms".
func roundedDuration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d >= time.Hour:
		d = d.Round(time.Minute)
	case d >= time.Second:
		d = d.Round(time.Second)
	default:
		return d.Round(time.Millisecond).String()
	}
	return trimZeroUnits(d.String())
}

// auditIDs returns the audit IDs of the examples as text.
func (t *Turns) auditIDs() string {
	var ids []string
	for _, x := range t.Examples {
		if x.AuditID != "" && !slices.Contains(ids, x.AuditID) {
			ids = append(ids, x.AuditID)
		}
	}
	return strings.Join(ids, " ")
}

// undecidedSection returns the table of turns that may be a fight, for text and Markdown.
func (d *Document) undecidedSection() section {
	s := section{title: "Writers that take turns and may fight", header: []string{"OBJECT", "TURNS", "WHO ANSWERS HOW SOON", "FIRST", "LAST", "LAST AUDIT ID"}}
	for i := range d.Undecided {
		t := &d.Undecided[i]
		var writers []string
		for j, name := range t.names() {
			w := &t.Writers[j]
			writers = append(writers, fmt.Sprintf("%s: %s after %s", name, strings.Join(w.How, " or "), roundedDuration(w.After)))
		}
		id := ""
		if len(t.Examples) > 0 {
			id = t.Examples[len(t.Examples)-1].AuditID
		}
		s.rows = append(s.rows, []string{contention.Object(t.Object).String(), n(t.Turns), strings.Join(writers, "; "), t.First, t.Last, orNone(id)})
	}
	if len(s.rows) > 0 {
		s.note = "which fields these write is not in the log: level Request in the audit policy, for these resources, would show whether they fight"
	}
	return s
}

// undecidedSheet returns the table of turns that may be a fight, for the page.
func undecidedSheet(d *Document) *sheet {
	s := &sheet{ID: "undecided", Title: "Writers that take turns and may fight", Empty: "None.",
		Columns: []column{{Title: "Object", Kind: "text"}, {Title: "Turns", Kind: "number"}, {Title: "Writers", Kind: "list"}, {Title: "Rhythm", Kind: "list"}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}}}
	for i := range d.Undecided {
		t := &d.Undecided[i]
		s.Rows = append(s.Rows, []any{objectName(t.Object), t.Turns, visibles(t.names()), visibles(t.answerTimes()), clock(t.First), clock(t.Last)})
		s.Details = append(s.Details, append([]string{"How to decide: " + visible(t.Decide) + "."}, exampleTexts(t.Examples, t.names())...))
	}
	if more := d.Contention.Undecided - int64(len(d.Undecided)); more > 0 {
		s.Note = report.Count(more, "more object") + " with fewer turns."
	}
	return s
}

// undecidedCSV returns the row for turns. Its column count is the number of turns.
func (d *Document) undecidedCSV(t *Turns) []string {
	var users, agents []string
	for _, w := range t.Writers {
		users, agents = append(users, w.User), append(agents, w.Agent)
	}
	return append(d.groupCells(users, agents), fmt.Sprint(t.Turns), "", "", "", "", "", "", t.First, t.Last, t.auditIDs(), "",
		"undecided", t.Object.name(), "", "", strings.Join(t.answerTimes(), "; "), t.Decide)
}
