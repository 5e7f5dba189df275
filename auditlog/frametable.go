package auditlog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// table describes the rows of a CSV file.
type table struct {
	comma rune
	names []string // nil if the first row is not a header
}

// commas are the separators of columns.
const commas = ",;\t|"

// tableOf returns the table at the beginning of a text; nil for other texts.
// complete says whether b is the whole text. In a table, all rows have the same
// number of cells. A cell must also contain JSON, or a column must have the
// name of a field of an event.
func tableOf(b []byte, complete bool) *table {
	if len(b) == 0 || b[0] == '{' || b[0] == '[' {
		return nil
	}
	for _, comma := range commas {
		r := csv.NewReader(bytes.NewReader(b))
		r.Comma = comma
		first, err := r.Read()
		if err != nil {
			continue
		}
		if hasJSON(first) {
			return &table{comma: comma}
		}
		if !header(first) {
			continue
		}
		second, err := r.Read()
		switch {
		case err == nil && (hasJSON(second) || eventColumns(first)):
		case !complete && r.InputOffset() >= int64(len(b))-1 && bytes.Contains(b, []byte(`{""`)):
			// The second row ends after b.
		case errors.Is(err, io.EOF) && eventColumns(first):
		default:
			continue
		}
		return &table{comma, columnNames(first)}
	}
	return nil
}

// header reports whether the cells of a row can be the names of columns.
func header(cells []string) bool {
	for _, name := range cells {
		// Splunk adds {} to the name of a list.
		if name = strings.ReplaceAll(name, "{}", ""); len(name) > 200 || strings.ContainsAny(name, "{}\n=") {
			return false
		}
	}
	return true
}

// hasJSON reports whether a cell contains the beginning of a JSON object: a
// brace and a quote.
func hasJSON(cells []string) bool {
	for _, cell := range cells {
		for rest := cell; ; {
			_, inner, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			if next := strings.TrimLeft(inner, " \r\n\t"); strings.HasPrefix(next, `"`) || strings.HasPrefix(next, `\"`) {
				return true
			}
			rest = inner
		}
	}
	return false
}

// eventColumns reports whether columns have the names of event fields.
func eventColumns(names []string) bool {
	for _, name := range names {
		switch name = strings.ToLower(name); {
		case name == "auditid", strings.HasSuffix(name, ".auditid"), strings.HasPrefix(name, "protopayload"):
			return true
		}
	}
	return false
}

// columnNames returns the names of columns without additions. The Azure portal
// adds the time zone to columns with times.
func columnNames(cells []string) []string {
	for i, name := range cells {
		cells[i] = strings.TrimSuffix(strings.TrimSpace(name), " [UTC]")
	}
	return cells
}

// tableFramer converts each row of a CSV file to a JSON object. The column names are its keys.
type tableFramer struct {
	w     *window
	line  int // line number of the first row
	comma rune
	rows  *csv.Reader
	bound *rowLimit
	names []string
}

// rowLimit is a reader that limits the size of a row. Without it, a quote that
// is never closed would make the row as long as the file.
type rowLimit struct {
	r io.Reader
	n int
}

var errLongRow = fmt.Errorf("a row has more than %d MiB, perhaps a quote is not closed", maxRecord>>20)

// Read reads the next bytes of the row. It fails if the row is too long.
func (l *rowLimit) Read(p []byte) (int, error) {
	if l.n > maxRecord {
		return 0, errLongRow
	}
	n, err := l.r.Read(p)
	l.n += n
	return n, err
}

func (f *tableFramer) open() {
	rest := f.w.r
	if f.w.err != nil {
		rest = failing{f.w.err}
	}
	f.bound = &rowLimit{r: io.MultiReader(bytes.NewReader(f.w.bytes()), rest)}
	f.rows = csv.NewReader(f.bound)
	f.rows.Comma, f.rows.FieldsPerRecord, f.rows.ReuseRecord = f.comma, -1, true
}

// failing is a reader that always returns an error.
type failing struct{ err error }

// Read returns the error.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

func (f *tableFramer) next(b *block) error {
	b.reset()
	if f.rows == nil {
		f.open()
	}
	b.lines = 0
	for len(b.data) < blockSize {
		f.bound.n = 0
		cells, err := f.rows.Read()
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			b.bad = append(b.bad, Damage{Line: f.line + bad.StartLine, Text: "not CSV: " + bad.Err.Error()})
			continue
		case err != nil:
			return err
		}
		line, _ := f.rows.FieldPos(0)
		if f.names == nil {
			if hasJSON(cells) {
				f.names = []string{}
			} else {
				f.names = append([]string{}, columnNames(cells)...)
				continue
			}
		}
		start := len(b.data)
		b.data = appendRow(b.data, f.names, cells)
		b.records = append(b.records, record{start, len(b.data), f.line + line - 1})
	}
	return nil
}

// appendRow appends a row as a JSON object.
func appendRow(dst []byte, names, cells []string) []byte {
	dst = append(dst, '{')
	for i, cell := range cells {
		if cell == "" {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		name := fmt.Sprintf("column %d", i+1)
		if i < len(names) {
			name = names[i]
		}
		dst = append(appendJSON(append(appendJSON(append(dst, '"'), name), `":"`...), cell), '"')
	}
	return append(dst, '}')
}

// appendJSON appends a text with the escapes of a JSON string.
func appendJSON[S ~string | ~[]byte](dst []byte, s S) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
