package report

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// tableRows is how many findings make a table. A table's columns are known
// only when all of its rows are, so a run with more findings gets several
// tables instead of needing memory for all.
const tableRows = 1000

// The columns of a table. Minors stand last because most runs have none.
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

// table is the format table: columns that fit the terminal, wide cells
// wrapped. Without findings it is empty. The width of the characters that
// Unicode calls ambiguous follows the locale, as it does in terminals; no other
// output depends on the environment.
type table struct {
	w      *bufio.Writer
	o      Options
	rows   [][tableColumns]string
	styles []string // of each row's severity
	some   bool     // a table has been written
}

func newTable(w io.Writer, o Options) Report {
	return &table{w: newWriter(w), o: o}
}

func (t *table) Finding(f rules.Finding) error {
	t.rows = append(t.rows, [tableColumns]string{
		columnSeverity: f.Severity.String(),
		columnRule:     wrappable(show(f.Rule)),
		columnLocation: wrappable(showFile(f.File) + position(&f)),
		columnObject:   wrappable(show(objectName(&f))),
		columnMessage:  wrappable(show(message(&f))),
		columnMinors:   wrappable(show(heldMinors(&f, t.o.Target))),
	})
	t.styles = append(t.styles, severityStyle(f.Severity))
	if len(t.rows) == tableRows {
		return t.flush()
	}
	return nil
}

func (t *table) Close(*rules.Summary) error {
	if err := t.flush(); err != nil {
		return err
	}
	return t.w.Flush()
}

// flush writes the collected rows as one table.
func (t *table) flush() error {
	if len(t.rows) == 0 {
		return nil
	}
	header := [tableColumns]string{"SEVERITY", "RULE", "LOCATION", "OBJECT", "MESSAGE", "MINORS"}
	columns := tableColumns
	widths, plain := t.widths(header)
	if widths[columnMinors] == 0 {
		columns--
	}
	if t.some {
		t.w.WriteByte('\n')
	}
	write := t.writeAny
	if plain && !t.o.Color {
		write = t.writePlain
	}
	if err := write(header[:columns], widths); err != nil {
		return err
	}
	t.rows, t.styles, t.some = t.rows[:0], t.styles[:0], true
	_, err := t.w.Write(nil) // the writer keeps its first error
	return err
}

// writeAny lays out rows of any text.
func (t *table) writeAny(header []string, widths [tableColumns]int) error {
	var out bytes.Buffer
	tab := newPlainTable(&out, len(header))
	p := paint(t.o.Color)
	tab.Header(t.painted(header))
	for i, row := range t.rows {
		cells := make([]string, len(header)) // the table keeps the slice
		for c := range cells {
			cells[c] = strings.Join(wrap(row[c], widths[c]), "\n")
		}
		cells[columnSeverity] = p.in(t.styles[i], cells[columnSeverity])
		cells[columnRule] = p.in(cyan, cells[columnRule])
		if err := tab.Append(cells); err != nil {
			return err
		}
	}
	if err := tab.Render(); err != nil {
		return err
	}
	for line := range bytes.Lines(out.Bytes()) {
		t.w.Write(bytes.TrimRight(line, " \n"))
		t.w.WriteByte('\n')
	}
	return nil
}

// painted gives the cells of the header in bold.
func (t *table) painted(header []string) []string {
	cells := make([]string, len(header))
	for c := range cells {
		cells[c] = paint(t.o.Color).in(bold, header[c])
	}
	return cells
}

// widths chooses the columns' widths: what their cells need, and where that is
// more than the terminal has, less for the message, then the object, then the
// location, each down to a width at which it can still be read. It also reports
// whether all cells are ASCII.
func (t *table) widths(header [tableColumns]string) (widths [tableColumns]int, plain bool) {
	plain = true
	for i := range t.rows {
		for c, cell := range &t.rows[i] {
			n := textWidth(cell)
			widths[c] = max(widths[c], n)
			plain = plain && n == len(cell) // all others have more bytes than columns
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
		return widths, plain
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
	return widths, plain
}

// newPlainTable returns a table without lines but the one under its header.
// That line is ASCII: the box-drawing characters have two columns in some
// locales, and then the output would depend on the environment.
func newPlainTable(w io.Writer, columns int) *tablewriter.Table {
	pad := tw.CellPadding{PerColumn: make([]tw.Padding, columns)}
	for i := range pad.PerColumn {
		pad.PerColumn[i] = tw.Padding{Right: tableGap, Overwrite: true}
	}
	pad.PerColumn[columns-1].Right = ""
	left := tw.CellAlignment{Global: tw.AlignLeft}
	plain := tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}
	return tablewriter.NewTable(w,
		tablewriter.WithConfig(tablewriter.Config{
			Header:   tw.CellConfig{Formatting: plain, Alignment: left, Padding: pad},
			Row:      tw.CellConfig{Formatting: plain, Alignment: left, Padding: pad},
			Behavior: tw.Behavior{TrimSpace: tw.Off},
		}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.On, BetweenRows: tw.Off, BetweenColumns: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		})),
	)
}
