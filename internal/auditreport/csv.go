package auditreport

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
)

// writeCSV writes these rows:
//
//   - deprecated and removed APIs: the columns of --group-by, followed by numbers
//   - fights and undecided turns
//   - notes, which fill only the last column
//
// A report that is only about admission has the rows of denialsCSV, and the notes.
func writeCSV(w io.Writer, d *Document, _ Look) error {
	rows := d.useCSV()
	if d.admissionOnly {
		rows = d.denialsCSV()
	}
	columns := len(rows[0])
	for i := range rows {
		note := ""
		if i == 0 {
			note = "note"
		}
		rows[i] = append(rows[i], note)
	}
	for _, note := range d.Notes {
		rows = append(rows, append(make([]string, columns), note))
	}
	c := csv.NewWriter(w)
	for _, cells := range rows {
		for i := range cells {
			cells[i] = escapeFormula(cells[i])
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// useCSV returns the rows of deprecated and removed APIs. The first row is the header.
func (d *Document) useCSV() [][]string {
	rows := [][]string{slices.Concat(d.Deprecated.GroupBy, []string{"count", "unannotated", "open", "removed", "gone", "wildcard", "replacement", "first", "last", "auditIDs", "rejected",
		"rule", "contested", "fields", "values", "cause", "cure"})}
	for _, r := range d.Deprecated.Rows {
		rows = append(rows, slices.Concat(r.values, []string{fmt.Sprint(r.Count), fmt.Sprint(r.Unannotated), fmt.Sprint(r.Open), r.Removed, fmt.Sprint(r.Gone),
			fmt.Sprint(r.Wildcard), strings.Join(r.Replacements, " "), r.First, r.Last, strings.Join(r.AuditIDs, " "), fmt.Sprint(r.Rejected), r.rule(), "", "", "", "", ""}))
	}
	for i := range d.Fights {
		rows = append(rows, d.fightCSV(&d.Fights[i]))
	}
	for i := range d.Undecided {
		rows = append(rows, d.undecidedCSV(&d.Undecided[i]))
	}
	return rows
}

func (r *Row) rule() string {
	if r.Gone {
		return "removedapi"
	}
	return "deprecatedapi"
}

// fightCSV returns the row for a fight. Its column count is the number of reversals.
func (d *Document) fightCSV(f *Fight) []string {
	var users, agents, paths, values, ids []string
	for _, w := range f.Writers {
		users, agents = append(users, w.User), append(agents, w.Agent)
	}
	for _, x := range f.Fields {
		paths, values = append(paths, x.Path), append(values, versus(x.Values))
	}
	for _, t := range f.Turns {
		ids = append(ids, t.AuditID)
	}
	return append(d.groupCells(users, agents), fmt.Sprint(f.Reversals), "", "", "", "", "", "", f.First, f.Last, strings.Join(ids, " "), "",
		f.Rule, f.Object.name(), strings.Join(paths, "; "), strings.Join(values, "; "), f.Cause, f.Cure)
}

// groupCells returns the cells for the columns of --group-by. All except user and agent
// are empty.
func (d *Document) groupCells(users, agents []string) []string {
	var row []string
	for _, by := range d.Deprecated.GroupBy {
		switch by {
		case "user":
			row = append(row, strings.Join(users, "; "))
		case "agent":
			row = append(row, strings.Join(agents, "; "))
		default:
			row = append(row, "")
		}
	}
	return row
}

// denialsCSV returns a header and a row for each denial, client and object. If some rows
// of a denial are unlisted, its last row counts them.
func (d *Document) denialsCSV() [][]string {
	rows := [][]string{{"outcome", "kind", "policy", "binding", "policyNamespace", "actions", "user", "agent", "apiVersion", "resource", "subresource",
		"namespace", "name", "requests", "dryRuns", "first", "last", "auditID", "message"}}
	for i := range d.Admission.Denials {
		x := &d.Admission.Denials[i]
		head := []string{x.Outcome, x.Kind, x.Policy, x.Binding, x.Namespace, strings.Join(x.Actions, " ")}
		for j := range x.Rows {
			r := &x.Rows[j]
			rows = append(rows, slices.Concat(head, []string{r.User, r.Agent, r.APIVersion, r.Resource, r.Subresource, r.Namespace, r.Name,
				fmt.Sprint(r.Requests), fmt.Sprint(r.DryRuns), r.First, r.Last, r.AuditID, r.Message}))
		}
		if x.Unlisted > 0 {
			rows = append(rows, slices.Concat(head, make([]string, 7), []string{fmt.Sprint(x.Unlisted)}, make([]string, 5)))
		}
	}
	return rows
}

// escapeFormula adds an apostrophe before a cell that a spreadsheet would evaluate as a
// formula (OWASP, CSV Injection). quote.Name makes control characters visible, because
// they could hide the first character.
func escapeFormula(s string) string {
	s = quote.Name(s)
	if s != "" && strings.ContainsAny(s[:1], "=+-@\t\r|%") {
		return "'" + s
	}
	return s
}
