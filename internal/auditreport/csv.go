package auditreport

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/kubevet/kubevet/internal/quote"
)

// writeCSV writes the rows of deprecated and removed APIs: the columns of
// --group-by, then the numbers.
func writeCSV(w io.Writer, d *Document, _ Look) error {
	c := csv.NewWriter(w)
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
