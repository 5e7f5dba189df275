package auditreport

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint/auditlog/contention"
	"github.com/kubevet/kubevet/manifestlint/auditlog/tally"
)

// sheet is a table of the page.
type sheet struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"`
	Empty   string   `json:"-"`
	Columns []column `json:"columns"`
	// Rows have a cell for each column: a string, a number, a list of strings
	// or a list of stretches, as the column's kind says.
	Rows [][]any `json:"rows"`
	// Details are paragraphs below each row; none where there are none.
	Details [][]string `json:"-"`
}

// column is a column of a sheet.
type column struct {
	Title string `json:"title"`
	// Kind is text, number, time, release, list, state or spans.
	Kind string `json:"kind"`
	// Pick says that the reader may choose one of the column's values.
	Pick bool `json:"pick,omitempty"`
}

// stretch is a time in which an API was used; From and To are parts of the
// log's time.
type stretch struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	State string  `json:"state"`
	Text  string  `json:"text"`
}

// served is how many rows of a table are there for readers without JavaScript,
// and before the script has run.
const served = 50

// servedRow is a row as text.
type servedRow struct {
	Cells  []servedCell
	Detail []string
}

type servedCell struct {
	Kind string
	List []string
}

// Served are the first rows as texts.
func (s *sheet) Served() []servedRow {
	var out []servedRow
	for i, row := range s.Rows[:min(served, len(s.Rows))] {
		var r servedRow
		for j, cell := range row {
			c := servedCell{Kind: s.Columns[j].Kind}
			switch v := cell.(type) {
			case []string:
				c.List = v
			case []stretch:
				for _, x := range v {
					c.List = append(c.List, x.Text)
				}
			case int64:
				c.List = []string{grouped(v)}
			case float64:
				c.List = []string{fmt.Sprintf("%.1f", v)}
			case string:
				c.List = []string{v}
			}
			r.Cells = append(r.Cells, c)
		}
		if s.Details != nil {
			r.Detail = s.Details[i]
		}
		out = append(out, r)
	}
	return out
}

// Wide says that there are so many columns that the first one had better stay
// in sight.
func (s *sheet) Wide() bool { return len(s.Columns) > 10 }

// Beyond is how many rows Served leaves out.
func (s *sheet) Beyond() int { return max(0, len(s.Rows)-served) }

// useDimensions are the columns of Document.uses, useRelease and the others
// their indices.
func useDimensions() []tally.Dimension {
	return []tally.Dimension{tally.ByRelease, tally.ByUser, tally.ByAgent, tally.ByAPI}
}

const (
	useRelease = iota
	useUser
	useAgent
	useAPI
)

// The states of a use of an old API.
const (
	stateGone     = "gone at the target"
	stateLater    = "removed later"
	stateOld      = "deprecated"
	stateWildcard = "reads everything"
)

func useState(r *Row) string {
	switch {
	case r.Wildcard:
		return stateWildcard
	case r.Gone:
		return stateGone
	case r.Removed != "":
		return stateLater
	}
	return stateOld
}

// parts are the sections of the page.
func parts(d *Document) []part {
	ready := part{ID: "readiness", Title: "Upgrade readiness", Cards: true, Tables: []*sheet{usesSheet(d)},
		Lead: "Who must act before which release: clients that use APIs which are removed or deprecated. Clients that read everything there is, such as the garbage collector, need no old API. Unmarked are requests that the server did not mark itself."}
	if s := askedSheet(d); s != nil {
		ready.Tables = append(ready.Tables, s)
	}
	if s := metricsSheet(d); s != nil {
		ready.Tables = append(ready.Tables, s)
	}
	return []part{
		ready,
		{ID: "timeline", Title: "Old APIs over time", Tables: []*sheet{timelineSheet(d)},
			Lead: "From the first to the last request of each client to each old API, within the time of the logs. What happened in between is counted, not placed."},
		{ID: "fights", Title: "Fights", Graph: true, Tables: []*sheet{fightsSheet(d), flapsSheet(d), leftoversSheet(d)},
			Lead: "Writers that keep reverting each other's values on one object, how that comes about, and what to change."},
		{ID: "hygiene", Title: "How clients write", Tables: []*sheet{clientsSheet(d), sharedSheet(d), conflictsSheet(d), refusedSheet(d), bodiesSheet(d)},
			Lead: "Writes without a field manager, forced and refused applies, lost updates, writes that change nothing, dry runs."},
		{ID: "limits", Title: "What was not judged", Limits: true, Tables: []*sheet{damageSheet(d)},
			Lead: "What these logs cannot tell, what could not be read, and what was left out."},
	}
}

func usesSheet(d *Document) *sheet {
	s := &sheet{ID: "uses", Title: "Clients and the old APIs that they use", Empty: "No request used an old API.",
		Columns: []column{{"Gone in", "release", true}, {"State", "state", true}, {"User", "text", false}, {"Agent", "text", false}, {"API", "list", false},
			{"Use instead", "list", false}, {"Requests", "number", false}, {"Unmarked", "number", false}, {"First", "time", false}, {"Last", "time", false}}}
	order := slices.Clone(d.uses)
	slices.SortStableFunc(order, func(a, b Row) int {
		for _, c := range []int{
			truth(a.Wildcard) - truth(b.Wildcard), truth(b.Gone) - truth(a.Gone), compareReleases(a.Removed, b.Removed), compare(b.Count, a.Count),
		} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
	for i := range order {
		r := &order[i]
		instead := r.Replacements
		if len(instead) == 0 {
			instead = []string{"-"}
		}
		s.Rows = append(s.Rows, []any{orDash(visible(r.Removed)), useState(r), visible(r.values[useUser]), visible(r.values[useAgent]), visibles(r.APIs),
			visibles(instead), r.Count, r.Unannotated, clock(r.First), clock(r.Last)})
	}
	return s
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// askedSheet is the table of --group-by where that asks for other columns.
func askedSheet(d *Document) *sheet {
	var by []string
	for _, x := range tally.DefaultDimensions() {
		by = append(by, string(x))
	}
	if slices.Equal(by, d.Deprecated.GroupBy) || len(d.Deprecated.GroupBy) == 0 {
		return nil
	}
	s := &sheet{ID: "asked", Title: "Grouped as asked for", Empty: "No request used an old API."}
	for _, by := range d.Deprecated.GroupBy {
		kind := "text"
		if by == "release" {
			kind = "release"
		}
		s.Columns = append(s.Columns, column{sentenceCase(titles[by]), kind, by == "release" || by == "verb" || by == "code"})
	}
	s.Columns = append(s.Columns, column{"State", "state", true}, column{"Requests", "number", false}, column{"First", "time", false}, column{"Last", "time", false})
	for i := range d.Deprecated.Rows {
		r := &d.Deprecated.Rows[i]
		var row []any
		for _, v := range r.values {
			row = append(row, orDash(visible(v)))
		}
		s.Rows = append(s.Rows, append(row, useState(r), r.Count, clock(r.First), clock(r.Last)))
	}
	if d.Deprecated.Left > 0 {
		s.Note = fmt.Sprintf("--top left out %s more rows.", grouped(int64(d.Deprecated.Left)))
	}
	return s
}

// sentenceCase makes a heading of a terminal's column.
func sentenceCase(s string) string {
	if s == "API" {
		return s
	}
	s = strings.ToLower(s)
	s = strings.ToUpper(s[:1]) + s[1:]
	return strings.Replace(s, " ip", " IP", 1)
}

func metricsSheet(d *Document) *sheet {
	if d.Metrics == nil {
		return nil
	}
	s := &sheet{ID: "metrics", Title: "The server's metrics beside the log", Empty: "Every row of the metrics is explained by the log, and the reverse.",
		Columns: []column{{"API", "text", false}, {"What is missing", "text", true}}}
	for _, row := range d.Metrics.Unexplained {
		s.Rows = append(s.Rows, []any{visible(row), "measured, but no request is in the log"})
	}
	for _, row := range d.Metrics.Unmeasured {
		s.Rows = append(s.Rows, []any{visible(row), "in the log, but not measured"})
	}
	return s
}

// maxStretches is how many APIs of a client are drawn.
const maxStretches = 8

func timelineSheet(d *Document) *sheet {
	s := &sheet{ID: "times", Title: "Clients over time", Empty: "No request used an old API.",
		Columns: []column{{"User", "text", false}, {"Agent", "text", false}, {"State", "state", true}, {"Use", "spans", false}, {"Requests", "number", false}, {"First", "time", false}, {"Last", "time", false}}}
	type lane struct {
		user, agent, state, first, last string
		count                           int64
		rows                            []*Row
	}
	by := map[string]*lane{}
	var order []*lane
	rank := map[string]int{stateGone: 0, stateLater: 1, stateOld: 2, stateWildcard: 3}
	for i := range d.uses {
		r := &d.uses[i]
		user, agent, state := r.values[useUser], r.values[useAgent], useState(r)
		l := by[user+"\x00"+agent]
		if l == nil {
			l = &lane{user: user, agent: agent, state: state, first: r.First, last: r.Last}
			by[user+"\x00"+agent] = l
			order = append(order, l)
		}
		if rank[state] < rank[l.state] {
			l.state = state
		}
		l.count += r.Count
		if r.First != "" && (l.first == "" || r.First < l.first) {
			l.first = r.First
		}
		l.last = max(l.last, r.Last)
		l.rows = append(l.rows, r)
	}
	slices.SortStableFunc(order, func(a, b *lane) int {
		if c := rank[a.state] - rank[b.state]; c != 0 {
			return c
		}
		return compare(b.count, a.count)
	})
	for _, l := range order {
		slices.SortStableFunc(l.rows, func(a, b *Row) int { return compare(b.Count, a.Count) })
		uses := []stretch{}
		for i, r := range l.rows {
			if i == maxStretches {
				uses = append(uses, stretch{-1, -1, "", fmt.Sprintf("and %d more APIs", len(l.rows)-i)})
				break
			}
			text := fmt.Sprintf("%s: %s, %s to %s", visible(r.values[useAPI]), times(r.Count), clock(r.First), clock(r.Last))
			uses = append(uses, stretch{d.place(r.First), d.place(r.Last), useState(r), text})
		}
		s.Rows = append(s.Rows, []any{visible(l.user), visible(l.agent), l.state, uses, l.count, clock(l.first), clock(l.last)})
	}
	if d.Summary.First != "" {
		s.Note = "The bars stand between " + clock(d.Summary.First) + " and " + clock(d.Summary.Last) + "."
	}
	return s
}

// place is where in the time of the logs a time is, from 0 to 1.
func (d *Document) place(at string) float64 {
	from, err1 := time.Parse(time.RFC3339, d.Summary.First)
	to, err2 := time.Parse(time.RFC3339, d.Summary.Last)
	t, err3 := time.Parse(time.RFC3339, at)
	if err1 != nil || err2 != nil || err3 != nil || !to.After(from) {
		return 0
	}
	f := float64(t.Sub(from)) / float64(to.Sub(from))
	return float64(int(min(max(f, 0), 1)*1e4+0.5)) / 1e4
}

func fightsSheet(d *Document) *sheet {
	s := &sheet{ID: "fighting", Title: "Writers that fight", Empty: "No writers were seen to fight.",
		Columns: []column{{"Object", "text", false}, {"State", "state", true}, {"Reversals", "number", false}, {"An hour", "number", false}, {"Evidence", "state", true},
			{"Cause", "text", true}, {"Fields", "list", false}, {"Writers", "list", false}, {"First", "time", false}, {"Last", "time", false}}}
	if d.Contention.Off {
		s.Empty = "Fights were not looked for."
	}
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Rule == "selfflap" {
			continue
		}
		s.Rows = append(s.Rows, append(fightCells(f), f.Mechanism, fieldList(f), writerList(f), clock(f.First), clock(f.Last)))
		s.Details = append(s.Details, []string{visible(f.Cause), visible(f.Cure)})
	}
	return s
}

func flapsSheet(d *Document) *sheet {
	s := &sheet{ID: "flapping", Title: "Writers that flap a value of their own", Empty: "None.",
		Columns: []column{{"Object", "text", false}, {"State", "state", true}, {"Reversals", "number", false}, {"An hour", "number", false}, {"Evidence", "state", true},
			{"Fields", "list", false}, {"Writer", "list", false}, {"First", "time", false}, {"Last", "time", false}}}
	for i := range d.Fights {
		f := &d.Fights[i]
		if f.Rule != "selfflap" {
			continue
		}
		s.Rows = append(s.Rows, append(fightCells(f), fieldList(f), writerList(f), clock(f.First), clock(f.Last)))
		s.Details = append(s.Details, []string{visible(f.Cause), visible(f.Cure)})
	}
	return s
}

func fightCells(f *Fight) []any {
	state := "ended"
	if f.Ongoing {
		state = "ongoing"
	}
	return []any{objectName(f.Object), state, f.Reversals, float64(int64(f.RatePerHour*10+0.5)) / 10, f.Evidence}
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
	s := &sheet{ID: "leftovers", Title: "Fields that an earlier update still owns beside an apply", Empty: "None.",
		Columns: []column{{"Object", "text", false}, {"Manager", "text", false}, {"Owned by its update", "text", false}, {"User", "text", false}, {"Agent", "text", false}, {"Fields", "list", false}, {"Last", "time", false}}}
	for _, l := range d.Leftovers {
		fields := visibles(l.Fields)
		if l.FieldsLeft > 0 {
			fields = append(fields, fmt.Sprintf("and %d more", l.FieldsLeft))
		}
		s.Rows = append(s.Rows, []any{objectName(l.Object), visible(l.Manager), visible(l.Update), visible(l.User), visible(l.Agent), fields, clock(l.Last)})
	}
	return s
}

func clientsSheet(d *Document) *sheet {
	s := &sheet{ID: "clients", Title: "Clients that write", Empty: "No client wrote.",
		Columns: []column{{"User", "text", false}, {"Agent", "text", false}, {"Look at", "list", true}, {"Writes", "number", false}, {"Without a field manager", "number", false}, {"Managers", "list", false},
			{"Applies", "number", false}, {"Forced", "number", false}, {"Owned by others", "number", false}, {"Object had changed", "number", false}, {"Already exists", "number", false},
			{"Changed nothing", "number", false}, {"Could be compared", "number", false}, {"After a get", "number", false}, {"Full updates", "number", false}, {"Dry runs", "number", false},
			{"Dry runs refused", "number", false}, {"Impersonated", "number", false}, {"User agents", "list", false}, {"First", "time", false}, {"Last", "time", false}}}
	for i := range d.Clients {
		c := &d.Clients[i]
		var named []string
		if len(c.Managers) > 0 {
			named = append(named, visible(managers(c.Managers)))
		}
		if c.Unnamed > 0 && c.DerivedManager != "" {
			named = append(named, "derived: "+visible(c.DerivedManager))
		}
		s.Rows = append(s.Rows, []any{visible(c.User), visible(c.Agent), habits(c), c.Writes, c.Unnamed, orEmpty(named), c.Applies, c.Forced, c.ManagerConflicts, c.LockConflicts + c.OtherConflicts,
			c.AlreadyExists, c.NoopWrites, c.ComparableWrites, c.WritesAfterGet, c.Puts, c.DryRuns, c.DryRunsFailed, c.ImpersonatedCalls, visibles(c.UserAgents), clock(c.First), clock(c.Last)})
	}
	return s
}

// habits names what of a client's writes causes trouble.
func habits(c *Client) []string {
	out := []string{}
	for _, x := range []struct {
		n    int64
		name string
	}{
		{c.Unnamed, "no field manager"}, {c.Forced, "forces"}, {c.ManagerConflicts, "applies what others own"}, {c.LockConflicts + c.OtherConflicts, "object had changed"},
		{c.AlreadyExists, "creates what exists"}, {c.NoopWrites, "changes nothing"}, {c.DryRunsFailed, "dry runs refused"},
	} {
		if x.n > 0 {
			out = append(out, x.name)
		}
	}
	return out
}

func sharedSheet(d *Document) *sheet {
	s := &sheet{ID: "shared", Title: "Field managers that several users share without naming them", Empty: "None.",
		Columns: []column{{"Manager", "text", false}, {"Writes", "number", false}, {"Users", "list", false}}}
	for _, m := range d.SharedManagers {
		users := visibles(m.Users[:min(len(m.Users), 20)])
		if n := len(m.Users) - len(users); n > 0 {
			users = append(users, fmt.Sprintf("and %d more", n))
		}
		s.Rows = append(s.Rows, []any{visible(m.Manager), m.Writes, users})
	}
	return s
}

func conflictsSheet(d *Document) *sheet {
	s := &sheet{ID: "conflicts", Title: "Fields that another manager owns", Empty: "None.",
		Columns: []column{{"User", "text", false}, {"Agent", "text", false}, {"API", "text", false}, {"Field", "text", false}, {"Owner", "text", false}, {"Conflicts", "number", false}}}
	for _, c := range d.Conflicts {
		s.Rows = append(s.Rows, []any{visible(c.User), visible(c.Agent), visible(c.API), visible(c.Field), visible(c.Manager), c.Count})
	}
	return s
}

func refusedSheet(d *Document) *sheet {
	s := &sheet{ID: "refused", Title: "Refused parameters and dry runs", Empty: "None.",
		Columns: []column{{"User", "text", false}, {"Agent", "text", false}, {"Count", "number", false}, {"Answer", "text", false}}}
	for _, r := range d.Refused {
		text := r.Text
		if r.Kind == "dryRun" {
			text = "webhook " + r.Text + " does not support dry run"
		}
		s.Rows = append(s.Rows, []any{visible(r.User), visible(r.Agent), r.Count, visible(text)})
	}
	return s
}

func bodiesSheet(d *Document) *sheet {
	s := &sheet{ID: "bodies", Title: "Findings in the objects that clients send", Empty: "None.",
		Columns: []column{{"User", "text", false}, {"Agent", "text", false}, {"API", "text", false}, {"Rule", "text", true}, {"Path", "text", false}, {"Finding", "text", false}, {"Requests", "number", false}, {"Objects", "list", false}}}
	for _, b := range d.Bodies {
		s.Rows = append(s.Rows, []any{visible(b.User), visible(b.Agent), visible(b.API), b.Rule, visible(b.Path), visible(b.Message), b.Count, visibles(b.Objects)})
	}
	return s
}

func damageSheet(d *Document) *sheet {
	s := &sheet{ID: "damage", Title: "What could not be read", Empty: "Everything could be read.",
		Columns: []column{{"File", "text", false}, {"Line", "number", false}, {"Column", "number", false}, {"What", "text", false}}}
	for _, u := range d.Summary.Unreadable {
		s.Rows = append(s.Rows, []any{visible(u.File), int64(0), int64(0), visible(u.Error)})
	}
	for _, x := range d.Summary.Damage {
		s.Rows = append(s.Rows, []any{visible(x.File), int64(x.Line), int64(x.Column), visible(x.Text)})
	}
	if n := d.Summary.Damaged - int64(len(d.Summary.Damage)); n > 0 {
		s.Note = grouped(n) + " more damaged records are counted, but not listed."
	}
	return s
}

// maxText is how many characters of a text are in the page.
const maxText = 500

// visible is a text in which nothing hides: control characters and those that
// change the direction of writing are escaped, and a very long one is cut, and
// says so.
func visible(s string) string {
	if len(s) > 8*maxText {
		// Escaping makes texts longer, never shorter: what is cut here would be
		// cut below as well.
		cut := 4 * maxText
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		rest := utf8.RuneCountInString(s[cut:])
		return cutText(report.Sanitize(s[:cut]), rest)
	}
	return cutText(report.Sanitize(s), 0)
}

func cutText(s string, more int) string {
	if len(s) > maxText {
		if n := utf8.RuneCountInString(s); n > maxText {
			r := []rune(s)
			s, more = string(r[:maxText]), more+n-maxText
		}
	}
	if more > 0 {
		s += fmt.Sprintf("… (%d more characters)", more)
	}
	return s
}

func visibles(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, visible(s))
	}
	return out
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// clock writes a time for people; times are in UTC.
func clock(s string) string {
	return orDash(strings.Replace(visible(s), "T", " ", 1))
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
