package report

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainTable makes a table of cells that are separated by | and rows that are
// separated by line breaks; nil where they are not all ASCII.
func plainTable(text string, width uint8, to *bytes.Buffer) *table {
	t := &table{w: bufio.NewWriter(to), o: Options{Width: int(width)}}
	for i, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < tableColumns-1 {
			cells = append(cells, make([]string, tableColumns-1-len(cells))...)
		}
		var row [tableColumns]string
		for c := range min(len(cells), tableColumns) {
			row[c] = wrappable(show(cells[c]))
		}
		row[columnSeverity] = [...]string{"error", "warning", "info"}[i%3] // as it always is
		t.rows = append(t.rows, row)
		t.styles = append(t.styles, [...]string{boldRed, boldAmber, boldBlue}[i%3])
	}
	return t
}

// comparePlain holds the two ways to write a table of ASCII against each other.
func comparePlain(t *testing.T, text string, width uint8) {
	t.Helper()
	var got, want bytes.Buffer
	header := []string{"SEVERITY", "RULE", "LOCATION", "OBJECT", "MESSAGE", "MINORS"}
	for _, out := range []*bytes.Buffer{&got, &want} {
		tab := plainTable(text, width, out)
		widths, plain := tab.widths([tableColumns]string(header))
		if !plain {
			return
		}
		columns := tableColumns
		if widths[columnMinors] == 0 {
			columns--
		}
		write := tab.writePlain
		if out == &want {
			write = tab.writeAny
		}
		if err := write(header[:columns], widths); err != nil {
			t.Fatal(err)
		}
		tab.w.Flush()
	}
	if diff := cmp.Diff(want.String(), got.String()); diff != "" {
		t.Errorf("%q, width %d (-library +plain):\n%s", text, width, diff)
	}
}

// TestTablePlain lays out random words, paths and spaces.
func TestTablePlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "removedapi", "deploy/team-1/web.yaml:12:3", " ", "  ", "|", "|", "|", "\n", "x.y", "::error", "##[a]", "-", "Deployment default/web", "is no longer served"}
	for range 800 {
		var text strings.Builder
		for range 1 + random.IntN(60) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		comparePlain(t, text.String(), uint8(random.IntN(160)))
	}
}

func FuzzTablePlain(f *testing.F) {
	f.Add("|removedapi|a/b.yaml:1:2|Deployment web|no longer served since 1.16|1.16\n|x|y|z|w", uint8(60))
	f.Add("|a|b|c|"+strings.Repeat("word ", 50), uint8(0))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		if len(text) < 1<<14 { // the library takes its time
			comparePlain(t, text, width)
		}
	})
}
