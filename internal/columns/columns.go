// Package columns prints tables, as aligned columns like kubectl, or in Markdown.
package columns

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Layout is the layout of a table.
type Layout struct {
	// Gap is the text between two columns.
	Gap string
	// If Underline is true, a line is drawn below the header.
	Underline bool
}

// Write prints a header and rows, without spaces at the ends of lines. Cells may have
// line breaks and colours.
func (l Layout) Write(w io.Writer, header []string, rows [][]string) error {
	var out bytes.Buffer
	table := tablewriter.NewTable(&out, tablewriter.WithConfig(l.config(len(header))), tablewriter.WithRenderer(l.renderer()))
	table.Header(header)
	for _, row := range rows {
		if err := table.Append(row); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	text := make([]byte, 0, out.Len())
	for line := range bytes.Lines(out.Bytes()) {
		text = append(append(text, bytes.TrimRight(line, " \n")...), '\n')
	}
	_, err := w.Write(text)
	return err
}

func (l Layout) config(columns int) tablewriter.Config {
	pad := tw.CellPadding{PerColumn: make([]tw.Padding, columns)}
	for i := range pad.PerColumn {
		pad.PerColumn[i] = tw.Padding{Right: l.Gap, Overwrite: true}
	}
	pad.PerColumn[columns-1].Right = ""
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft},
		Padding:    pad,
	}
	return tablewriter.Config{Header: cell, Row: cell, Behavior: tw.Behavior{TrimSpace: tw.Off}}
}

// renderer returns a renderer that draws no lines, except the layout's ASCII line below
// the header. Box-drawing characters have two columns in some locales, so the output
// would depend on the environment.
func (l Layout) renderer() tw.Renderer {
	settings := tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone}
	if l.Underline {
		settings.Separators.ShowHeader = tw.On
		settings.Lines.ShowHeaderLine = tw.On
	}
	return renderer.NewBlueprint(tw.Rendition{Borders: tw.BorderNone, Symbols: tw.NewSymbols(tw.StyleASCII), Settings: settings})
}

// Text returns a table in the layout of kubectl. If bold is true, the header is bold.
func Text(header []string, rows [][]string, bold bool) (string, error) {
	cells := header
	if bold {
		cells = make([]string, len(header))
		for i, h := range header {
			cells[i] = "\x1b[1m" + h + "\x1b[0m"
		}
	}
	var b strings.Builder
	err := Layout{Gap: "   "}.Write(&b, cells, rows)
	return b.String(), err
}

// Escape escapes a text for a cell of a Markdown table.
func Escape(text string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text) }

// Markdown returns a table in GitHub-flavoured Markdown. escape is called for each cell.
func Markdown(header []string, rows [][]string, escape func(string) string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + escape(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(header)
	b.WriteString(strings.Repeat("| --- ", len(header)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}
