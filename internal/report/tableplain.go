package report

import (
	"bytes"
	"strings"
)

// tableSpaces is what columns are filled up with.
const tableSpaces = "                                                                "

// writePlain lays out rows of ASCII, as nearly all are, without colours. It
// writes what writeAny writes, in a fraction of the time and without memory for
// it: a library has to find out of each cell how wide it is, many times, which
// for ASCII is its length. The header is the library's.
func (t *table) writePlain(header []string, widths [tableColumns]int) error {
	columns := len(header)
	// What a column needs is less than it may have where lines break early.
	var needed [tableColumns]int
	for i := range t.rows {
		for c := range columns {
			if cell := t.rows[i][c]; len(cell) <= widths[c] {
				needed[c] = max(needed[c], len(cell))
				continue
			}
			for _, line := range wrap(t.rows[i][c], widths[c]) {
				needed[c] = max(needed[c], len(line))
			}
		}
	}
	if err := t.writeHeader(header, needed); err != nil {
		return err
	}
	var line []byte
	for i := range t.rows {
		var rest [tableColumns][]string // the lines below the first of wide cells
		below := 0
		line = line[:0]
		for c := range columns {
			cell := t.rows[i][c]
			if len(cell) > widths[c] {
				lines := wrap(cell, widths[c])
				cell, rest[c] = lines[0], lines[1:]
				below = max(below, len(lines)-1)
			}
			line = append(line, cell...)
			line = t.fill(line, c, columns, max(needed[c], len(header[c]))-len(cell))
		}
		t.endLine(line)
		for n := range below {
			line, some := line[:0], false
			for c := range columns {
				cell := ""
				if n < len(rest[c]) {
					cell = rest[c][n]
				}
				some = some || cell != ""
				line = append(line, cell...)
				line = t.fill(line, c, columns, max(needed[c], len(header[c]))-len(cell))
			}
			if some { // the library leaves empty lines out
				t.endLine(line)
			}
		}
	}
	return nil
}

// fill fills up a column, and adds the gap to the next.
func (t *table) fill(line []byte, column, columns, missing int) []byte {
	if column < columns-1 {
		missing += len(tableGap)
	}
	for ; missing > 0; missing -= len(tableSpaces) {
		line = append(line, tableSpaces[:min(missing, len(tableSpaces))]...)
	}
	return line
}

func (t *table) endLine(line []byte) {
	t.w.Write(bytes.TrimRight(line, " "))
	t.w.WriteByte('\n')
}

// writeHeader writes the header for columns of the given widths and the line
// under it.
func (t *table) writeHeader(header []string, needed [tableColumns]int) error {
	var out bytes.Buffer
	tab := newPlainTable(&out, len(header))
	tab.Header(t.painted(header))
	row := make([]string, len(header))
	for c := range row {
		row[c] = strings.Repeat("x", needed[c])
	}
	if err := tab.Append(row); err != nil {
		return err
	}
	if err := tab.Render(); err != nil {
		return err
	}
	lines := bytes.SplitAfter(bytes.TrimRight(out.Bytes(), "\n"), []byte("\n"))
	for _, line := range lines[:len(lines)-1] { // the last is the row
		t.endLine(bytes.TrimRight(line, "\n"))
	}
	return nil
}
