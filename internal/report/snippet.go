package report

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/rules"
)

// maxSnippetLine is the maximal length in bytes of a source line that is shown. Longer
// lines are minified JSON or embedded data, which people do not read, and for which
// computing columns is slow.
const maxSnippetLine = 16 << 10

// maxSnippetWidth is the width of a source line, in columns, if Options.Width is 0.
const maxSnippetWidth = 160

// writeSnippet writes a source line and underlines the finding:
//
//	12 |         seconds: 60
//	   |                  ^^
//
// If the line is wider than the terminal, the part around the finding is shown. If a
// finding spans several lines, the first line is shown and underlined to its end.
func writeSnippet(w *bufio.Writer, f *rules.Finding, line string, width int, p paint) {
	if len(line) > maxSnippetLine || strings.TrimSpace(line) == "" {
		return
	}
	number := strconv.Itoa(f.Line)
	gutter := len(number) + len("   | ")
	if width <= 0 {
		width = maxSnippetWidth
	}
	cells := cellsOf(line)
	start, end := underlineRange(f, len(cells))
	from, to := window(cells, start, end, max(width-gutter, 40))

	var shown, under strings.Builder
	if from > 0 {
		shown.WriteString("...")
		under.WriteString("   ")
	}
	marks := 0
	for i, c := range cells[from:to] {
		shown.WriteString(c)
		switch i += from; {
		case i < start:
			under.WriteString(strings.Repeat(" ", displaywidth.String(c)))
		case i < end:
			marks += displaywidth.String(c)
		}
	}
	if to < len(cells) {
		shown.WriteString("...")
	}
	bar := p.style(blue, "|")
	fmt.Fprintf(w, "  %s %s %s\n", p.style(blue, number), bar, strings.TrimRight(shown.String(), " "))
	if f.Column > 0 {
		fmt.Fprintf(w, "  %*s %s %s%s\n", len(number), "", bar, under.String(),
			p.style(severityStyle(f.Severity), strings.Repeat("^", max(marks, 1))))
	}
}

// cellsOf splits a line into its code points, each in its visible form. An invalid byte
// is one code point, as in the columns of findings.
func cellsOf(line string) []string {
	line = strings.TrimRight(line, "\r\n")
	cells := make([]string, 0, len(line))
	for i := 0; i < len(line); {
		shown, n := quote.Next(line, i)
		if line[i] == '\t' {
			shown = "    "
		}
		cells = append(cells, shown)
		i += n
	}
	return cells
}

// underlineRange returns the code points that a finding covers in its first line. end is
// exclusive. n is the number of code points in the line.
func underlineRange(f *rules.Finding, n int) (start, end int) {
	start = min(max(f.Column-1, 0), n)
	switch {
	case f.EndLine > f.Line:
		end = n
	case f.EndLine == f.Line:
		end = min(f.EndColumn-1, n)
	}
	return start, max(end, start)
}

// window returns the range of cells to show. start and end are the underlined range. If
// all cells fit into width, the window has all cells. Otherwise, it begins at the start
// of the line if it then contains the underlined range. If not, the underlined range
// starts at about a third of the window.
func window(cells []string, start, end, width int) (from, to int) {
	total := 0
	for _, c := range cells {
		total += displaywidth.String(c)
	}
	if total <= width {
		return 0, len(cells)
	}
	width -= len("...") * 2
	lead := 0
	for _, c := range cells[:end] {
		lead += displaywidth.String(c)
	}
	if lead > width { // the start of the line and the range do not fit
		for from, lead = start, 0; from > 0 && lead < width/3; from-- {
			lead += displaywidth.String(cells[from-1])
		}
	}
	shown := 0
	for to = from; to < len(cells) && shown+displaywidth.String(cells[to]) <= width; to++ {
		shown += displaywidth.String(cells[to])
	}
	return from, to
}
