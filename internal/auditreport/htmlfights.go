package auditreport

import (
	"fmt"
	"slices"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
)

func fightsSheet(d *Document, l Look) *sheet {
	s := &sheet{ID: "fighting", Title: "Writers that fight", Empty: "No writers were seen to fight.",
		Columns: []column{{Title: "Object", Kind: "text"}, {Title: "State", Kind: "state", Pick: true}, {Title: "Reversals", Kind: "number"}, {Title: "Fields", Kind: "list"}, {Title: "Values", Kind: "list"},
			{Title: "Writers", Kind: "list"}, {Title: "Evidence", Kind: "state", Pick: true}, {Title: "Cause", Kind: "text", Pick: true}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}, {Title: "Last write", Kind: "place", Screen: true}}}
	d.addRate(s)
	if d.Contention.Off {
		s.Empty = "Fights were not looked for."
	}
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Rule == "selfflap" {
			continue
		}
		s.Rows = append(s.Rows, append(d.fightCells(f), visible(f.Evidence), visible(f.Mechanism), clock(f.First), clock(f.Last), lastWrite(l, f)))
		s.Plain = append(s.Plain, fightText(f))
	}
	return s
}

func flapsSheet(d *Document, l Look) *sheet {
	s := &sheet{ID: "flapping", Title: "Writers that flap a value of their own", Empty: "None.",
		Columns: []column{{Title: "Object", Kind: "text"}, {Title: "State", Kind: "state", Pick: true}, {Title: "Reversals", Kind: "number"}, {Title: "Fields", Kind: "list"}, {Title: "Values", Kind: "list"},
			{Title: "Writer", Kind: "list"}, {Title: "Evidence", Kind: "state", Pick: true}, {Title: "First", Kind: "time"}, {Title: "Last", Kind: "time"}, {Title: "Last write", Kind: "place", Screen: true}}}
	d.addRate(s)
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Rule != "selfflap" {
			continue
		}
		s.Rows = append(s.Rows, append(d.fightCells(f), visible(f.Evidence), clock(f.First), clock(f.Last), lastWrite(l, f)))
		s.Plain = append(s.Plain, fightText(f))
	}
	return s
}

// rates reports whether the logs cover at least an hour, so that a rate for each hour
// makes sense.
func (d *Document) rates() bool {
	from, to, ok := d.span()
	return ok && to.Sub(from) >= time.Hour
}

// addRate inserts the column with the rate after the column with the number of reversals.
func (d *Document) addRate(s *sheet) {
	if d.rates() {
		s.Columns = slices.Insert(s.Columns, 3, column{Title: "An hour", Kind: "number"})
	}
}

// lastWrite returns the cell with the place of the last known write of a fight.
func lastWrite(l Look, f *Fight) []string {
	if len(f.Turns) == 0 {
		return logPlaceCell(l, "", 0, "")
	}
	t := f.Turns[len(f.Turns)-1]
	return logPlaceCell(l, t.File, t.Line, t.AuditID)
}

// fightCells returns the first cells of the row for a fight.
func (d *Document) fightCells(f *Fight) []any {
	state := "ended"
	if f.Ongoing {
		state = "ongoing"
	}
	cells := []any{objectName(f.Object), state, f.Reversals}
	if d.rates() {
		cells = append(cells, float64(int64(f.RatePerHour*10+0.5))/10)
	}
	return append(cells, fieldList(f), valueList(f), writerList(f))
}

// fightText returns paragraphs about the cause of a fight, the fix and the last writes.
func fightText(f *Fight) []string {
	out := []string{"Why: " + visibleAdvice(f.Cause) + ".", "What to change: " + visibleAdvice(f.Cure) + "."}
	out = append(out, turnTexts(f)...)
	if f.AtLeast {
		out = append(out, "There were more reversals than are counted: older writes were forgotten.")
	}
	return out
}

func fieldList(f *Fight) []string {
	out := []string{}
	for i, x := range f.Fields {
		if i == 5 {
			break
		}
		out = append(out, visible(x.Path))
	}
	if more := len(f.Fields) - len(out) + f.FieldsLeft; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	if len(out) == 0 {
		out = append(out, "not known")
	}
	return out
}

// turnTexts returns a text for each of the last writes of a fight.
func turnTexts(f *Fight) []string { return exampleTexts(f.Turns, shortNames(f.Writers)) }

// exampleTexts returns a text for each write. names are the names of the writers.
func exampleTexts(turns []FightTurn, names []string) []string {
	out := []string{}
	for _, t := range turns {
		text := turnText(&t, names) + ", " + visible(t.File) + fmt.Sprintf(" line %d", t.Line)
		if t.AuditID != "" {
			text += ", audit ID " + visible(t.AuditID)
		}
		out = append(out, text)
	}
	return out
}

// turnText returns a text about a write, without its place in the log.
func turnText(t *FightTurn, names []string) string {
	return clock(t.At) + ": " + visible(t.How+" by "+names[t.Writer])
}

// valueList returns a text for each field of fieldList with the values that the writers
// write.
func valueList(f *Fight) []string {
	out := []string{}
	for i, x := range f.Fields {
		if i == 5 {
			break
		}
		if values := versus(x.Values); values != "" {
			out = append(out, visible(values))
		} else {
			out = append(out, "not known")
		}
	}
	return out
}

func writerList(f *Fight) []string {
	out := []string{}
	for j, name := range shortNames(f.Writers) {
		if int(f.Winner) == j && len(f.Writers) > 1 {
			name += " wins"
		}
		out = append(out, visible(name))
	}
	return out
}

func objectName(o FightObject) string {
	return visible(contention.Object{Group: o.Group, Resource: o.Resource, Namespace: o.Namespace, Name: o.Name}.String())
}

func leftoversSheet(d *Document) *sheet {
	s := &sheet{ID: "leftovers", Title: "Fields that the applying program's earlier update still owns", Empty: "None.",
		Columns: []column{{Title: "Object", Kind: "text"}, {Title: "Manager", Kind: "text"}, {Title: "Owned by its update", Kind: "text"}, {Title: "User", Kind: "text"}, {Title: "Agent", Kind: "text"}, {Title: "Fields", Kind: "list"}, {Title: "Last", Kind: "time"}}}
	for _, l := range d.Leftovers {
		fields := visibles(l.Fields)
		if l.FieldsLeft > 0 {
			fields = append(fields, fmt.Sprintf("and %d more", l.FieldsLeft))
		}
		s.Rows = append(s.Rows, []any{objectName(l.Object), visible(l.Manager), visible(l.Update), visible(l.User), visible(l.Agent), fields, clock(l.Last)})
	}
	return s
}
