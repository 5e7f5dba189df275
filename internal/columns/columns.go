// Package columns lays out rows in aligned columns, as kubectl does.
package columns

import (
	"bytes"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Text lays out rows under a header, bold if bold is set, without lines between
// them. The cells must hold no line breaks.
func Text(header []string, rows [][]string, bold bool) (string, error) {
	var out bytes.Buffer
	pad := tw.CellPadding{Global: tw.Padding{Right: "   ", Overwrite: true}}
	left := tw.CellAlignment{Global: tw.AlignLeft}
	plain := tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone}
	table := tablewriter.NewTable(&out,
		tablewriter.WithConfig(tablewriter.Config{
			Header:   tw.CellConfig{Formatting: plain, Alignment: left, Padding: pad},
			Row:      tw.CellConfig{Formatting: plain, Alignment: left, Padding: pad},
			Behavior: tw.Behavior{TrimSpace: tw.Off},
		}),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.SeparatorsNone,
				Lines:      tw.LinesNone,
			},
		})),
	)
	cells := make([]string, len(header))
	for i, h := range header {
		cells[i] = h
		if bold {
			cells[i] = "\x1b[1m" + h + "\x1b[0m"
		}
	}
	table.Header(cells)
	for _, row := range rows {
		if err := table.Append(row); err != nil {
			return "", err
		}
	}
	if err := table.Render(); err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(out.String()) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.String(), nil
}
