package auditreport

import (
	"fmt"
	"slices"
	"strings"
)

// sheet is one table of the page.
type sheet struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Note    string   `json:"-"`
	Empty   string   `json:"-"`
	Columns []column `json:"columns"`
	// Rows has one cell for each column. The kind of the column decides whether a cell is
	// a string, a number, a list of strings or a list of usePeriods.
	Rows [][]any `json:"rows"`
	// Details has the paragraphs below each row. It may be nil.
	Details [][]string `json:"details,omitempty"`
	// Plain replaces Details for readers without the script. It may be nil.
	Plain [][]string `json:"-"`
}

type column struct {
	Title string `json:"title"`
	// Kind is text, number, time, release, list, state, spans or place. A cell of the kind
	// place has a text, an audit ID and an address, which may be empty.
	Kind string `json:"kind"`
	// Pick is true if readers may filter by the values of the column.
	Pick bool `json:"pick,omitempty"`
	// Screen is true if the column is not printed on paper.
	Screen bool `json:"screen,omitempty"`
}

// Class returns the CSS classes for the cells of the column.
func (c column) Class() string {
	if c.Screen {
		return c.Kind + " screen"
	}
	return c.Kind
}

// usePeriod is a period in which an API was used. Counts has the number of requests in each
// interval of Step seconds, and At is the start of the first interval. The position of a
// period in a drawing is given by these fractions of the duration of the logs:
//
//   - From and To are the start and the end of the period.
//   - Begin is the start of the first interval.
//   - Width is the length of one interval.
type usePeriod struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	State  string  `json:"state"`
	Text   string  `json:"text"`
	At     string  `json:"at,omitempty"`
	Step   int64   `json:"step,omitempty"`
	Begin  float64 `json:"begin,omitempty"`
	Width  float64 `json:"width,omitempty"`
	Counts []int64 `json:"counts,omitempty"`
}

// rowsWithoutScript is the number of rows that a page shows until its script has run.
const rowsWithoutScript = 50

type textRow struct {
	Cells  []textCell
	Detail []string
}

// textCell is a cell as a list of lines.
type textCell struct {
	Class string
	List  []string
}

// TextRows returns the first rows as text, for readers without JavaScript.
func (s *sheet) TextRows() []textRow {
	var out []textRow
	for i, row := range s.Rows[:min(rowsWithoutScript, len(s.Rows))] {
		var r textRow
		for j, cell := range row {
			c := textCell{Class: s.Columns[j].Class()}
			switch v := cell.(type) {
			case []string:
				c.List = v
				if s.Columns[j].Kind == "place" {
					c.List = v[:2]
				}
			case []usePeriod:
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
		switch {
		case s.Plain != nil:
			r.Detail = s.Plain[i]
		case s.Details != nil:
			r.Detail = s.Details[i]
		}
		out = append(out, r)
	}
	return out
}

// Wide reports whether the sheet has so many columns that the first column should stay
// visible.
func (s *sheet) Wide() bool { return len(s.Columns) > 10 }

// Unprinted returns the names of the columns that are not printed on paper, as text.
func (s *sheet) Unprinted() string {
	var names []string
	for _, c := range s.Columns {
		if c.Screen {
			names = append(names, c.Title)
		}
	}
	return strings.Join(names, ", ")
}

// HiddenRows returns the number of rows that TextRows leaves out.
func (s *sheet) HiddenRows() int { return max(0, len(s.Rows)-rowsWithoutScript) }

// logPlaceCell returns the cell for a line in a log.
func logPlaceCell(l Look, file string, line int, auditID string) []string {
	if file == "" {
		return []string{"-", "", ""}
	}
	cell := []string{visible(file), visible(auditID), ""}
	if line > 0 {
		cell[0] += fmt.Sprintf(":%d", line)
	}
	if l.Link != nil {
		cell[2] = l.Link(file, line)
	}
	return cell
}

func parts(d *Document, l Look) []part {
	ready := part{ID: "readiness", Title: "Upgrade readiness", Cards: true, Tables: []*sheet{usesSheet(d, l, false), usesSheet(d, l, true)},
		Lead: "Who must act before which release: clients that use APIs which are removed or deprecated. Clients that read everything there is, such as the garbage collector, need no old API. Unmarked are requests that the server did not mark itself."}
	if s := groupBySheet(d); s != nil {
		ready.Tables = append(ready.Tables, s)
	}
	if s := metricsSheet(d); s != nil {
		ready.Tables = append(ready.Tables, s)
	}
	out := []part{
		ready,
		{ID: "timeline", Title: "Old APIs over time", Tables: []*sheet{timelineSheet(d)},
			Lead: "When each client used each old API, within the time of the logs: the more requests at a time, the stronger the colour. Unfold a row for the numbers."},
		{ID: "fights", Title: "Fights", Graph: true, Tables: []*sheet{fightsSheet(d, l), flapsSheet(d, l), undecidedSheet(d), leftoversSheet(d)},
			Lead: "Writers that keep reverting each other's values on one object, how that comes about, and what to change."},
		{ID: "hygiene", Title: "How clients write", Tables: []*sheet{clientsSheet(d), sharedSheet(d), conflictsSheet(d), refusedSheet(d), bodiesSheet(d)},
			Lead: "Writes without a field manager, forced and refused applies, lost updates, writes that change nothing, dry runs."},
		{ID: "limits", Title: "What was not checked", Limits: true, Tables: []*sheet{damageSheet(d)},
			Lead: "What these logs cannot tell, what could not be read, and what was left out."},
	}
	if a := &d.Admission; d.admissionOnly || len(a.Denials)+len(a.PodSecurity)+len(a.Webhooks) > 0 {
		out = slices.Insert(out, len(out)-1, admissionPart(d))
	}
	if d.admissionOnly {
		return out[len(out)-2:]
	}
	if d.deprecatedOnly {
		for _, p := range out[2:4] {
			for _, s := range p.Tables {
				s.Empty = "Not looked at: only requests to old APIs were counted."
			}
		}
	}
	if d.Code != nil {
		out = slices.Insert(out, len(out)-1, codePart(d.Code))
	}
	return out
}

func damageSheet(d *Document) *sheet {
	s := &sheet{ID: "damage", Title: "What could not be read", Empty: "Everything could be read.",
		Columns: []column{{Title: "File", Kind: "text"}, {Title: "Line", Kind: "number"}, {Title: "Column", Kind: "number"}, {Title: "What", Kind: "text"}}}
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
