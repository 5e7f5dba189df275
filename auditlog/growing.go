package auditlog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
)

// Resume is the state of reading a growing log, which is read in pieces. The
// zero value is the beginning of a log.
type Resume struct {
	// Columns are the names of a table's columns, and Comma separates the cells.
	// Columns is nil if the log is not a table, and empty for a table without a
	// header.
	Columns []string `json:"columns,omitzero"`
	Comma   rune     `json:"comma,omitempty"`
	// Values is set if the log is a stream of JSON values that are not lines.
	Values bool `json:"values,omitempty"`
	// Open has one byte for each JSON container around the next record: { for an
	// object, [ for an array.
	Open string `json:"open,omitempty"`
}

// Valid reports whether Next can use a state from a file.
func (r *Resume) Valid() bool {
	return (r.Columns == nil || strings.ContainsRune(commas, r.Comma)) && strings.Trim(r.Open, "{[") == "" && len(r.Open) <= 2*maxOpenValues
}

// Piece is a part of a growing log. It ends after a complete record.
type Piece struct {
	// Header has the byte order mark and the header of a table. Text has complete
	// records, and follows Header.
	Header, Text []byte
	// Before and After are the states before and after Text.
	Before, After Resume
	// Last is set at the end of the log. The last record can then be incomplete.
	Last bool
	// Lines is set if each line of the log is a record. Text can then be empty.
	Lines bool
}

// Size returns the size of Header and Text in bytes.
func (p *Piece) Size() int { return len(p.Header) + len(p.Text) }

// Next returns the next piece of a growing log. text begins after the last piece.
// begin is set at the beginning of the log. If last is set, the piece is the whole
// text. ok is false if the text is compressed or an archive.
func (r Resume) Next(text []byte, begin, last bool) (p Piece, ok bool) {
	if codecOf(text) != nil || isZip(text) || isTar(text) {
		return Piece{}, false
	}
	p = Piece{Before: r, Last: last}
	if begin {
		p.Header = text[:len(text)-len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))]
		if !last && maybeHeader(text[len(p.Header):]) {
			return Piece{}, true
		}
		p.table(text, last)
	}
	p.After = p.Before
	text = text[len(p.Header):]
	n := len(text)
	if !last {
		n = p.complete(text)
	}
	if n == 0 {
		return Piece{Lines: p.Lines}, true
	}
	p.Text = text[:n]
	return p, true
}

// complete returns the size of the complete records at the beginning of a text,
// and sets After.
func (p *Piece) complete(text []byte) int {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if p.Before.Columns != nil {
		return wholeRows(text, p.Before.Comma)
	}
	if !p.Before.Values {
		if part := partOf(trimmed); part != nil {
			return wholeMessages(text, part)
		}
		if isYAML(trimmed) || inBlocks(trimmed) && len(trimmed) < blockSize/2 {
			return wholeDocuments(text)
		}
		if p.Lines = linesOf(trimmed, false); p.Lines {
			return wholeText(text)
		}
	}
	n, open := wholeValues(text, p.Before.Open)
	p.Before.Values = true
	p.After = Resume{Values: true, Open: open}
	return n
}

// table sets the columns at the beginning of a log. A log without a header
// continues the table of the last piece if its rows have as many cells.
func (p *Piece) table(text []byte, last bool) {
	trimmed := beforeTable(text[len(p.Header):])
	switch t := tableOf(trimmed, last); {
	case t != nil && t.names != nil:
		p.Before = Resume{Columns: t.names, Comma: t.comma}
		_, size := firstRow(trimmed, t.comma)
		p.Header = text[:len(text)-len(trimmed)+size]
	case len(p.Before.Columns) > 1 && isRow(trimmed, &p.Before):
	case t != nil:
		p.Before = Resume{Columns: []string{}, Comma: t.comma}
	default:
		p.Before = Resume{}
	}
}

// firstRow returns the cells of the first row of a table, and its size in bytes. It
// returns nil if the text is not a table.
func firstRow(text []byte, comma rune) (cells []string, size int) {
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma = comma
	cells, err := rows.Read()
	if err != nil {
		return nil, 0
	}
	return cells, int(rows.InputOffset())
}

// isRow reports whether a text begins with a row that has as many cells as a table.
func isRow(text []byte, table *Resume) bool {
	cells, _ := firstRow(text, table.Comma)
	return len(cells) == len(table.Columns)
}

// maybeHeader reports whether a text has only one line, which can be the header
// of a table.
func maybeHeader(text []byte) bool {
	line, rest, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte{'\n'})
	if len(bytes.TrimSpace(rest)) > 0 || len(line) == 0 || line[0] == '{' || line[0] == '[' {
		return false
	}
	return slices.ContainsFunc([]rune(commas), func(comma rune) bool {
		cells, _ := firstRow(line, comma)
		return len(cells) > 1 && header(cells)
	})
}

// wholeText returns the end of the last complete line that is not empty. An
// empty line after it may be inside a list.
func wholeText(text []byte) int {
	n := len(bytes.TrimRight(text[:bytes.LastIndexByte(text, '\n')+1], " \t\r\n"))
	if n == 0 {
		return 0
	}
	return n + bytes.IndexByte(text[n:], '\n') + 1
}

// wholeMessages returns the end of the last line that completes a message.
func wholeMessages(text []byte, part func(line, buf []byte) ([]byte, byte, bool, bool)) (end int) {
	var open [2]bool
	var buf []byte
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return end
		}
		if message, stream, more, ok := part(text[at:at+n], buf[:0]); ok {
			buf, open[stream] = message[:0], more
		}
		at += n + 1
		if !open[0] && !open[1] {
			end = at
		}
	}
}

// wholeRows returns the end of the last complete row of a table. A row can have
// several lines.
func wholeRows(text []byte, comma rune) (end int) {
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma, rows.FieldsPerRecord, rows.ReuseRecord = comma, -1, true
	for {
		_, err := rows.Read()
		at := int(rows.InputOffset())
		var bad *csv.ParseError
		switch {
		case err != nil && !errors.As(err, &bad), at == 0, text[at-1] != '\n':
			return end
		case err != nil && at == len(text):
			return end // a quoted cell continues in text that is not read yet
		}
		end = at
	}
}

// wholeDocuments returns the beginning of the last YAML document, which may be
// incomplete.
func wholeDocuments(text []byte) int { return bytes.LastIndex(text, []byte("\n---")) + 1 }

// wholeValues returns the end of the last complete record in a stream of JSON
// values. before and after have the open containers at the beginning of the text
// and at its end.
func wholeValues(text []byte, before string) (end int, after string) {
	f := valueFramer{w: wholeWindow(text), open: []byte(before)}
	after = before
	var b block
	for {
		records, depth := len(b.records), len(f.open)
		switch err := f.step(&b); {
		case err == nil:
			if len(b.records) == records && len(f.open) >= depth {
				continue // without the text before, the framer could find other containers
			}
		case errors.Is(err, errNoJSON):
			f.resync()
		default:
			return end, after
		}
		at := int(f.w.off)
		if at == len(text) && text[at-1] != '\n' && text[at-1] != '}' && text[at-1] != ']' {
			return end, after // the last line may be incomplete
		}
		end, after = at, string(f.open)
		b.reset()
	}
}
