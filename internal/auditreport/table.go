package auditreport

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/columns"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
)

// section is one table of a report for people.
type section struct {
	title  string
	header []string
	rows   [][]string
	// note is a line below the table. It may be empty.
	note string
}

// maxShortRows is the maximal number of rows of a table without Verbose.
const maxShortRows = 10

// titles has the heading for each column of --group-by.
var titles = map[string]string{
	"release": "GONE IN", "api": "API", "subresource": "SUBRESOURCE", "verb": "VERB", "code": "STATUS", "user": "USER", "groups": "GROUPS",
	"agent": "AGENT", "useragent": "USER AGENT", "sourceip": "SOURCE IP", "pod": "POD", "namespace": "NAMESPACE", "object": "OBJECT",
}

// sections returns the tables of the report, the most urgent first. If all is true, they
// have all rows.
func (d *Document) sections(all bool) []section {
	var out []section
	if !d.admissionOnly {
		out = append(append(out, d.deprecatedAPISections(all)...), d.fights()...)
	}
	out = append(out, d.admissionSections(all)...)
	if d.Code != nil {
		out = append(out, d.codeSection())
	}
	out = append(append(out, d.bodySection()), d.writeSections()...)
	if d.Metrics != nil {
		out = append(out, d.Metrics.section())
	}
	for i := range out {
		out[i].shorten(all)
	}
	return out
}

// shorten escapes the cells. Unless all is true, it also shortens the table and its cells.
func (s *section) shorten(all bool) {
	if !all && len(s.rows) > maxShortRows {
		s.note = strings.TrimSpace(s.note + fmt.Sprintf(" %d more: --verbose shows all", len(s.rows)-maxShortRows))
		s.rows = s.rows[:maxShortRows]
	}
	for _, row := range s.rows {
		for j := range row {
			row[j] = quote.Name(row[j])
			if !all {
				row[j] = shortenCell(row[j])
			}
		}
	}
}

// writeSections returns the tables about the ways in which clients write.
func (d *Document) writeSections() []section {
	writers := section{title: "Writers without a field manager", header: []string{"USER", "AGENT", "WRITES", "UNNAMED", "THE SERVER CALLS IT"}}
	for _, c := range d.Clients {
		if c.Unnamed > 0 {
			writers.rows = append(writers.rows, []string{c.User, c.Agent, n(c.Named + c.Unnamed), n(c.Unnamed), c.DerivedManager})
		}
	}
	shared := section{title: "Field managers that several users share without naming them", header: []string{"MANAGER", "WRITES", "USERS"}}
	for _, m := range d.SharedManagers {
		shared.rows = append(shared.rows, []string{m.Manager, n(m.Writes), strings.Join(m.Users, ", ")})
	}
	applies := section{title: "Appliers", header: []string{"USER", "AGENT", "APPLIES", "FORCED", "CONFLICTS", "MANAGERS"}}
	for _, c := range d.Clients {
		if c.Applies > 0 || c.ManagerConflicts > 0 {
			applies.rows = append(applies.rows, []string{c.User, c.Agent, n(c.Applies), n(c.Forced), n(c.ManagerConflicts), managers(c.Managers)})
		}
	}
	conflicts := section{title: "Fields that another manager owns", header: []string{"USER", "API", "FIELD", "OWNER", "CONFLICTS"}}
	for _, c := range d.Conflicts {
		conflicts.rows = append(conflicts.rows, []string{c.User, c.API, c.Field, c.Manager, n(c.Count)})
	}
	retries := section{title: "Conflicting and needless writes", header: []string{"USER", "AGENT", "ALREADY EXISTS", "OBJECT CHANGED", "CHANGED NOTHING", "AFTER A GET", "FULL UPDATES"}}
	for _, c := range d.Clients {
		if c.AlreadyExists+c.LockConflicts+c.OtherConflicts+c.NoopWrites > 0 {
			noops := n(c.NoopWrites)
			if c.ComparableWrites > 0 {
				noops += " of " + n(c.ComparableWrites)
			}
			retries.rows = append(retries.rows, []string{c.User, c.Agent, n(c.AlreadyExists), n(c.LockConflicts + c.OtherConflicts), noops, n(c.WritesAfterGet), n(c.Puts)})
		}
	}
	dry := section{title: "Dry runs", header: []string{"USER", "AGENT", "DRY RUNS", "REFUSED"}}
	for _, c := range d.Clients {
		if c.DryRuns > 0 {
			dry.rows = append(dry.rows, []string{c.User, c.Agent, n(c.DryRuns), n(c.DryRunsFailed)})
		}
	}
	refused := section{title: "Refused parameters and dry runs", header: []string{"USER", "AGENT", "COUNT", "ANSWER"}}
	for _, r := range d.Refused {
		text := r.Text
		if r.Kind == "dryRun" {
			text = "webhook " + r.Text + " does not support dry run"
		}
		refused.rows = append(refused.rows, []string{r.User, r.Agent, n(r.Count), text})
	}
	acting := section{title: "Impersonation", header: []string{"AS", "AGENT", "REQUESTS"}}
	for _, c := range d.Clients {
		if c.ImpersonatedCalls > 0 {
			acting.rows = append(acting.rows, []string{c.User, c.Agent, n(c.ImpersonatedCalls)})
		}
	}
	return []section{writers, shared, applies, conflicts, retries, dry, refused, acting}
}

func (d *Document) bodySection() section {
	sent := section{title: "Findings in the objects that clients send", header: []string{"USER", "AGENT", "REQUESTS", "RULE", "FINDING"}}
	for _, b := range d.Bodies {
		text := b.Message
		if b.Path != "" {
			text = b.Path + ": " + text
		}
		sent.rows = append(sent.rows, []string{b.User, b.Agent, n(b.Count), b.Rule, text})
	}
	return sent
}

func (m *Metrics) section() section {
	s := section{title: "The server's metrics beside the log", header: []string{"API", "WHAT IS MISSING"}}
	for _, row := range m.Unexplained {
		s.rows = append(s.rows, []string{row, "measured, but no request is in the log"})
	}
	for _, row := range m.Unmeasured {
		s.rows = append(s.rows, []string{row, "in the log, but not measured"})
	}
	if len(s.rows) == 0 {
		s.note = "every row of the metrics is explained by the log, and the reverse"
	}
	return s
}

// maxCell is the maximal number of characters in a cell.
const maxCell = 80

func shortenCell(s string) string {
	if len(s) <= maxCell || utf8.RuneCountInString(s) <= maxCell {
		return s
	}
	r := []rune(s)
	return string(r[:maxCell-1]) + "…"
}

// deprecatedAPISections returns two tables: clients that must change, and requests that
// the server already rejects.
func (d *Document) deprecatedAPISections(all bool) []section {
	use := section{title: "Use of removed and deprecated APIs"}
	rejected := section{title: "Requests that the server rejects already, because it does not serve the API"}
	var header []string
	for _, by := range d.Deprecated.GroupBy {
		header = append(header, titles[by])
	}
	use.header = append(header, "REQUESTS", "LAST", "USE INSTEAD")
	rejected.header = use.header
	wildcard := 0
	for _, r := range d.Deprecated.Rows {
		if r.Wildcard && !all {
			wildcard++
			continue
		}
		var cells []string
		for i, by := range d.Deprecated.GroupBy {
			v := r.values[i]
			if by == "release" && v == "" {
				v = "-"
			}
			cells = append(cells, v)
		}
		instead := strings.Join(r.Replacements, ", ")
		if r.Wildcard {
			instead = "(reads everything)"
		}
		to := &use
		if r.unserved {
			to = &rejected
		}
		to.rows = append(to.rows, append(cells, n(r.Count), r.Last, instead))
	}
	switch {
	case d.Summary.Events == 0:
		use.note = "unknown: no audit event was read"
	case d.Deprecated.Requests == 0:
		use.note = "none"
	case wildcard > 0:
		use.note = "Left out: " + report.Count(wildcard, "row") + " of clients that read everything there is; --verbose shows them."
	}
	if d.Deprecated.Left > 0 {
		use.note = strings.TrimSpace(use.note + fmt.Sprintf(" %s left out: --top 0 shows all.", report.Count(d.Deprecated.Left, "row")))
	}
	return []section{use, rejected}
}

func n(i int64) string { return fmt.Sprint(i) }

// writeTable writes the report as tables for a terminal.
func writeTable(w io.Writer, d *Document, l Look) error {
	bold, dim, reset := "", "", ""
	if l.Color {
		bold, dim, reset = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	first := true
	for _, s := range d.sections(l.Verbose) {
		if len(s.rows) == 0 && s.note == "" {
			continue
		}
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		fmt.Fprintf(w, "%s%s%s\n", bold, s.title, reset)
		if len(s.rows) > 0 {
			text, err := columns.Text(s.header, s.rows, false)
			if err != nil {
				return err
			}
			for line := range strings.Lines(text) {
				io.WriteString(w, "  "+line)
			}
		}
		if s.note != "" {
			fmt.Fprintf(w, "%s%s%s\n", dim, quote.Text(s.note), reset)
		}
	}
	if len(d.Notes) > 0 {
		fmt.Fprintf(w, "\n%sNotes%s\n", bold, reset)
		for _, note := range d.Notes {
			fmt.Fprintf(w, "- %s\n", quote.Text(note))
		}
	}
	return nil
}

// writeMarkdown writes the report as tables in Markdown.
func writeMarkdown(w io.Writer, d *Document, l Look) error {
	fmt.Fprintf(w, "# Audit report\n\n%s from %s to %s, checked for Kubernetes %s.\n", times(d.Summary.Requests), quote.Text(orUnknown(d.Summary.First)), quote.Text(orUnknown(d.Summary.Last)), quote.Text(d.Summary.Target))
	for _, s := range d.sections(l.Verbose) {
		if len(s.rows) == 0 && s.note == "" {
			continue
		}
		fmt.Fprintf(w, "\n## %s\n\n", s.title)
		if len(s.rows) > 0 {
			io.WriteString(w, columns.Markdown(s.header, s.rows, markdown))
		}
		if s.note != "" {
			fmt.Fprintf(w, "\n%s\n", quote.Text(s.note))
		}
	}
	if len(d.Notes) > 0 {
		io.WriteString(w, "\n## Notes\n\n")
		for _, note := range d.Notes {
			fmt.Fprintf(w, "- %s\n", markdown(note))
		}
	}
	return nil
}

func orUnknown(s string) string {
	if s == "" {
		return "an unknown time"
	}
	return s
}

// markdown escapes all characters that have a meaning in Markdown or HTML, and all
// characters that cannot be printed.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range quote.Text(s) {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '\\', '`', '*', '_', '[', ']', '(', ')', '#', '|', '~', '!', '@', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	// GitHub turns addresses into links even without brackets.
	return strings.NewReplacer("://", ":&#47;/", "www.", "www&#46;").Replace(b.String())
}
