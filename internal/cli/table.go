package cli

import (
	"strings"
)

// markdownTable lays out rows as a GitHub-flavoured Markdown table.
func markdownTable(header []string, rows [][]string) string {
	var b strings.Builder
	row := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| ")
			b.WriteString(strings.NewReplacer("|", `\|`, "\n", " ").Replace(c))
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	row(header)
	b.WriteString(strings.Repeat("| --- ", len(header)) + "|\n")
	for _, r := range rows {
		row(r)
	}
	return b.String()
}
