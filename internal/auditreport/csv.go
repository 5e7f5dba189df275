package auditreport

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
)

// writeCSV writes the rows of deprecated and removed APIs: the columns of
// --group-by, then the numbers. If only admission is reported, it writes the clients
// and objects of each reason to deny.
func writeCSV(w io.Writer, d *Document, _ Look) error {
	c := csv.NewWriter(w)
	if d.admissionOnly {
		return writeDenialsCSV(c, d)
	}
	header := append([]string{}, d.Deprecated.GroupBy...)
	header = append(header, "count", "unannotated", "open", "removed", "gone", "wildcard", "replacement", "first", "last", "auditIDs")
	if err := c.Write(header); err != nil {
		return err
	}
	for _, r := range d.Deprecated.Rows {
		var cells []string
		cells = append(cells, r.values...)
		cells = append(cells, fmt.Sprint(r.Count), fmt.Sprint(r.Unannotated), fmt.Sprint(r.Open), r.Removed, fmt.Sprint(r.Gone),
			fmt.Sprint(r.Wildcard), strings.Join(r.Replacements, " "), r.First, r.Last, strings.Join(r.AuditIDs, " "))
		for i := range cells {
			cells[i] = defuse(cells[i])
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// writeDenialsCSV writes the denials. A reason with clients and objects that are not
// listed has a last row without them.
func writeDenialsCSV(c *csv.Writer, d *Document) error {
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
	for _, cells := range rows {
		for i := range cells {
			cells[i] = defuse(cells[i])
		}
		if err := c.Write(cells); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// defuse prefixes a cell that a spreadsheet would evaluate as a formula with an
// apostrophe (OWASP, CSV Injection). Control characters are made visible, so that
// they cannot hide the beginning.
func defuse(s string) string {
	s = quote.Name(s)
	if s != "" && strings.ContainsAny(s[:1], "=+-@\t\r|%") {
		return "'" + s
	}
	return s
}
