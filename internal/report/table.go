package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/kubevet/kubevet/internal/columns"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// tableRows is the maximal number of findings in one table. All rows of a table are in
// memory, because the widths of the columns depend on them. A run with more findings gets
// several tables.
const tableRows = 1000

// Minors are the last column, because most runs have none.
const (
	columnSeverity = iota
	columnRule
	columnLocation
	columnObject
	columnMessage
	columnMinors
	tableColumns
)

// tableGap is the space between two columns.
const tableGap = "  "

// table is the format table. Wide cells are wrapped, so that the table fits into the
// terminal. Without findings it writes nothing. The width of ambiguous characters (UAX
// #11) depends on the locale. No other output depends on the environment.
type table struct {
	w          *bufio.Writer
	o          Options
	rows       [][tableColumns]string
	styles     []string // style of the severity in each row
	wroteTable bool     // true after a table was written
}

func newTable(w io.Writer, o Options) Report {
	return &table{w: newWriter(w), o: o}
}

// Finding adds a row for each place of a finding.
func (t *table) Finding(f rules.Finding) error {
	for _, one := range splitPlaces(f) {
		if err := t.row(one); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) row(f rules.Finding) error {
	t.rows = append(t.rows, [tableColumns]string{
		columnSeverity: f.Severity.String(),
		columnRule:     quote.Wrappable(show(f.Rule)),
		columnLocation: quote.Wrappable(showFile(f.File) + position(&f)),
		columnObject:   quote.Wrappable(objectName(&f, showName)),
		columnMessage:  quote.Wrappable(show(message(&f))),
		columnMinors:   quote.Wrappable(show(differingMinors(&f, t.o.Target))),
	})
	t.styles = append(t.styles, severityStyle(f.Severity))
	if len(t.rows) == tableRows {
		return t.flush()
	}
	return nil
}

func (t *table) Close(s *rules.Summary) error {
	if err := t.flush(); err != nil {
		return err
	}
	if line := notPrintedLine(s); line != "" {
		t.w.WriteString("\n" + line + "\n")
	}
	return t.w.Flush()
}

func (t *table) flush() error {
	if len(t.rows) == 0 {
		return nil
	}
	header := [tableColumns]string{"SEVERITY", "RULE", "LOCATION", "OBJECT", "MESSAGE", "MINORS"}
	n := tableColumns
	widths := t.widths(header)
	if widths[columnMinors] == 0 {
		n--
	}
	if t.wroteTable {
		t.w.WriteByte('\n')
	}
	p := paint(t.o.Color)
	cells := make([][]string, len(t.rows)+1)
	for c := range n {
		cells[0] = append(cells[0], p.style(bold, header[c]))
		for i := range t.rows {
			cells[i+1] = append(cells[i+1], strings.Join(wrap(t.rows[i][c], widths[c]), "\n"))
		}
	}
	for i, row := range cells[1:] {
		row[columnSeverity] = p.style(t.styles[i], row[columnSeverity])
		row[columnRule] = p.style(cyan, row[columnRule])
	}
	if err := (columns.Layout{Gap: tableGap, Underline: true}).Write(t.w, cells[0], cells[1:]); err != nil {
		return err
	}
	t.rows, t.styles, t.wroteTable = t.rows[:0], t.styles[:0], true
	return nil
}

// widths returns the width of each column, which is normally the width of its widest
// cell. In a narrow terminal, first the message shrinks, then the object, then the
// location. No column becomes too narrow to read.
func (t *table) widths(header [tableColumns]string) (widths [tableColumns]int) {
	for i := range t.rows {
		for c, cell := range &t.rows[i] {
			widths[c] = max(widths[c], displaywidth.String(cell))
		}
	}
	total := -len(tableGap)
	for c := range widths {
		if c == columnMinors && widths[c] == 0 {
			continue
		}
		widths[c] = max(widths[c], len(header[c]))
		total += widths[c] + len(tableGap)
	}
	if t.o.Width <= 0 {
		return widths
	}
	for _, least := range []struct{ column, width int }{
		{columnMessage, 40}, {columnObject, 16}, {columnLocation, 18}, {columnMessage, 30},
	} {
		over := min(total-t.o.Width, widths[least.column]-least.width)
		if over > 0 {
			widths[least.column] -= over
			total -= over
		}
	}
	return widths
}
