package auditreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// contention sets the fights, turns and leftovers of the document.
func (d *Document) contention(o Options) {
	d.Fights, d.Undecided, d.Leftovers = []Fight{}, []Turns{}, []Leftover{}
	t := o.Thresholds.Effective()
	d.Contention = Contention{
		Off: o.Contention == nil, MinReversals: t.MinReversals,
		Window: duration(t.Window), Answer: duration(t.Answer),
	}
	c := o.Contention
	if c == nil {
		return
	}
	d.Contention.Objects, d.Contention.Writes, d.Contention.Undecided = c.Objects, c.Writes, c.Undecided
	d.Contention.Forgotten, d.Contention.Unread = c.Forgotten, c.Unread
	for i := range c.Fights {
		d.Fights = append(d.Fights, fight(&c.Fights[i]))
	}
	d.undecided(c)
	for _, l := range c.Leftovers {
		d.Leftovers = append(d.Leftovers, Leftover{
			Object: fightObject(l.Object), Manager: l.Manager, Update: l.Update, User: l.Writer.User, Agent: l.Writer.Agent,
			Fields: orEmpty(l.Fields), FieldsLeft: l.FieldsLeft, Last: timeText(l.Last),
		})
	}
}

// turnFormat is the format of the times of writes in a fight.
const turnFormat = "2006-01-02T15:04:05.000Z"

func duration(micros int64) string { return (time.Duration(micros) * time.Microsecond).String() }

func fightObject(o contention.Object) FightObject {
	return FightObject{o.Group, o.Resource, o.Namespace, o.Name}
}

func fight(f *contention.Fight) Fight {
	out := Fight{
		Rule: f.Rule(), Object: fightObject(f.Object), APIVersions: []string{}, Writers: []FightWriter{}, Fields: []FightField{},
		FieldsLeft: f.FieldsLeft, Reversals: f.Reversals, AtLeast: f.AtLeast, First: timeText(f.First), Last: timeText(f.Last),
		Ongoing: f.Ongoing, RatePerHour: f.RatePerHour, Winner: int32(f.Winner), Evidence: f.Evidence.String(),
		Mechanism: string(f.Cause.Mechanism), Cause: f.Cause.Text, Cure: f.Cause.Fix, Page: f.Cause.Page,
		Timeline: []FightStep{}, Step: float64(f.Step) / 1e6, Turns: []FightTurn{},
	}
	for _, v := range f.Versions {
		if f.Object.Group != "" {
			v = f.Object.Group + "/" + v
		}
		out.APIVersions = append(out.APIVersions, v)
	}
	for _, s := range f.Sides {
		w := FightWriter{User: s.User, Agent: s.Agent, Manager: s.Manager, Kind: "client", How: []string{}, Writes: s.Writes, Reversals: s.Reversals, Wins: s.Wins}
		if s.Webhook {
			w.Kind = "webhook"
		}
		for _, h := range s.How {
			w.How = append(w.How, h.String())
		}
		out.Writers = append(out.Writers, w)
	}
	for i := range f.Fields {
		x := &f.Fields[i]
		out.Fields = append(out.Fields, FightField{x.Path, x.Reversals, ValueTexts(x)})
	}
	for i := range f.Turns {
		out.Turns = append(out.Turns, fightTurn(&f.Turns[i]))
	}
	for _, b := range f.Timeline {
		out.Timeline = append(out.Timeline, FightStep{time.UnixMicro(b.At).UTC().Format(turnFormat), b.Reversals})
	}
	return out
}

func fightTurn(t *contention.Turn) FightTurn {
	return FightTurn{At: time.UnixMicro(t.At).UTC().Format(turnFormat), Writer: int32(t.Side), How: t.How.String(), File: t.Input, Line: t.Line, AuditID: t.AuditID}
}

// fightFindings adds findings for fights and leftovers.
func (d *Document) fightFindings(c *contention.Report) {
	if c == nil {
		return
	}
	for i := range c.Fights {
		f := &c.Fights[i]
		d.Findings = append(d.Findings, rules.Finding{
			Rule: f.Rule(), Severity: rules.Warning, File: f.At.Input, Line: f.At.Line, Message: sentence(f), Path: onlyPath(f),
			Object: objectRef(f.Object, f.Versions), Related: turns(f),
		})
	}
	for _, l := range c.Leftovers {
		d.Findings = append(d.Findings, rules.Finding{
			Rule: "managerleftover", Severity: rules.Info, File: l.At.Input, Line: l.At.Line, Object: objectRef(l.Object, nil),
			Message: fmt.Sprintf("%s (%s) applies %s as %q, but an update by %q still owns %s: an apply that leaves out one of these fields does not remove it",
				l.Writer.User, orNone(l.Writer.Agent), l.Object, l.Manager, l.Update, some(l.Fields, l.FieldsLeft)),
		})
	}
}

// turns returns the last writes of a fight as related places.
func turns(f *contention.Fight) []rules.Related {
	var out []rules.Related
	names := shortNames(fight(f).Writers)
	for i := range f.Turns {
		t := &f.Turns[i]
		text := fmt.Sprintf("%s by %s at %s", t.How, names[t.Side], time.UnixMicro(t.At).UTC().Format(turnFormat))
		if t.AuditID != "" {
			text += ", audit ID " + t.AuditID
		}
		out = append(out, rules.Related{File: t.Input, Line: t.Line, Column: 1, EndLine: t.Line, EndColumn: 2, Message: text})
	}
	return out
}

func objectRef(o contention.Object, versions []string) *rules.ObjectRef {
	ref := &rules.ObjectRef{Kind: o.Resource, Namespace: o.Namespace, Name: o.Name}
	if len(versions) > 0 {
		ref.APIVersion = versions[0]
		if o.Group != "" {
			ref.APIVersion = o.Group + "/" + versions[0]
		}
	}
	return ref
}

func onlyPath(f *contention.Fight) string {
	if len(f.Fields) == 1 && f.FieldsLeft == 0 && f.Fields[0].Path != contention.WholeObject {
		return f.Fields[0].Path
	}
	return ""
}

// sentence returns the message about a fight: its writers, fields, cause and fix.
func sentence(f *contention.Fight) string {
	var b strings.Builder
	for i, s := range f.Sides {
		switch {
		case i > 0 && i == len(f.Sides)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(s.Name())
	}
	what := " fight over "
	if f.Self {
		what = " flaps "
	} else if f.Evidence == contention.Probable {
		what = " probably fight over "
	}
	b.WriteString(what + fieldsOf(f) + f.Object.String() + ": " + reversals(f))
	if f.Ongoing {
		fmt.Fprintf(&b, " since %s", timeText(f.First))
	} else {
		fmt.Fprintf(&b, " from %s to %s", timeText(f.First), timeText(f.Last))
	}
	fmt.Fprintf(&b, ". %s; %s", f.Cause.Text, f.Cause.Fix)
	return b.String()
}

func fieldsOf(f *contention.Fight) string {
	var names []string
	for i := range f.Fields {
		x := &f.Fields[i]
		if x.Path == contention.WholeObject {
			continue
		}
		name := x.Path
		if values := versus(ValueTexts(x)); values != "" {
			name += " (" + values + ")"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return some(names, f.FieldsLeft) + " of "
}

func reversals(f *contention.Fight) string {
	what := "reversal"
	if f.Evidence == contention.Probable && len(f.Fields) == 0 {
		what = "turn"
	}
	n := report.Count(f.Reversals, what)
	if f.AtLeast {
		n = "at least " + n
	}
	return n
}

// some returns a text with the first few names. left is the number of names that are
// missing in the list.
func some(names []string, left int) string {
	const few = 3
	if len(names) > few {
		left += len(names) - few
		names = names[:few]
	}
	s := strings.Join(names, ", ")
	if left > 0 {
		s += fmt.Sprintf(" and %d more", left)
	}
	return s
}

// fights returns the tables of fights, of flapping writers, of turns that may be
// fights, and of leftovers.
func (d *Document) fights() []section {
	fights := section{title: "Writers that fight", header: []string{"OBJECT", "FIELDS", "VALUES", "REVERSALS", "LAST", "STATE", "EVIDENCE", "CAUSE", "WRITERS"}}
	flaps := section{title: "Writers that flap a value of their own", header: []string{"OBJECT", "FIELDS", "VALUES", "REVERSALS", "LAST", "EVIDENCE", "WRITER"}}
	for i := range d.Fights {
		f := &d.Fights[i]
		var paths, writers []string
		for _, x := range f.Fields {
			paths = append(paths, x.Path)
		}
		for j, name := range shortNames(f.Writers) {
			if int(f.Winner) == j && len(f.Writers) > 1 {
				name += " wins"
			}
			writers = append(writers, name)
		}
		object := contention.Object{Group: f.Object.Group, Resource: f.Object.Resource, Namespace: f.Object.Namespace, Name: f.Object.Name}.String()
		times := n(f.Reversals)
		if f.AtLeast {
			times = ">= " + times
		}
		fields := cmp.Or(some(paths, f.FieldsLeft), "-")
		values := cmp.Or(f.values(), "-")
		if f.Rule == "selfflap" {
			flaps.rows = append(flaps.rows, []string{object, fields, values, times, f.Last, f.Evidence, strings.Join(writers, ", ")})
			continue
		}
		state := "ended"
		if f.Ongoing {
			state = "ongoing"
		}
		fights.rows = append(fights.rows, []string{object, fields, values, times, f.Last, state, f.Evidence, f.Mechanism, strings.Join(writers, ", ")})
	}
	if len(fights.rows) > 0 {
		fights.note = "-o text prints what to change and the last lines of each; the page of rule fieldfight explains more"
	}
	left := section{title: "Fields that the applying program's earlier update still owns", header: []string{"OBJECT", "MANAGER", "OWNED BY ITS UPDATE", "FIELDS"}}
	for _, l := range d.Leftovers {
		object := contention.Object{Group: l.Object.Group, Resource: l.Object.Resource, Namespace: l.Object.Namespace, Name: l.Object.Name}.String()
		left.rows = append(left.rows, []string{object, l.Manager, l.Update, some(l.Fields, l.FieldsLeft)})
	}
	return []section{fights, flaps, d.undecidedSection(), left}
}

// values returns a text with the values that the writers write to the field with most
// reversals. It returns "" if they are unknown.
func (f *Fight) values() string {
	for i, x := range f.Fields {
		values := versus(x.Values)
		if values == "" || x.Path == contention.WholeObject {
			continue
		}
		if i > 0 {
			values = x.Path + ": " + values
		}
		if len(f.Fields)+f.FieldsLeft > 1 {
			values += "; …"
		}
		return values
	}
	return ""
}

// shortNames returns names that distinguish the writers. It uses the agents if all agents
// differ. Otherwise it tries the field managers, and then the users. If no kind of name
// distinguishes all writers, it uses the names of contention.Writer.
func shortNames(writers []FightWriter) []string {
	for _, name := range []func(w FightWriter) string{
		func(w FightWriter) string { return w.Agent },
		func(w FightWriter) string { return w.Manager },
		func(w FightWriter) string { return w.User },
	} {
		var out []string
		for _, w := range writers {
			if s := name(w); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		if len(out) == len(writers) {
			return out
		}
	}
	var out []string
	for _, w := range writers {
		s := contention.Writer{User: w.User, Agent: w.Agent, Manager: w.Manager, Webhook: w.Kind == "webhook"}
		out = append(out, s.Name())
	}
	return out
}
