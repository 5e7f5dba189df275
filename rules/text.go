package rules

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// textWidth is the width of Text in code points. It does not depend on the
// terminal, so the output to a pipe is the same.
const textWidth = 80

// Text returns the rule for a terminal: the front matter, and then the page as
// plain text in at most 80 columns. Code blocks, tables and long words are not
// wrapped. There are no escape sequences. The text ends with a newline.
func (r Rule) Text() string {
	var t textWriter
	t.line(r.ID + ": " + r.Title)
	t.line("")
	names := make([]string, len(r.Surfaces))
	for i, s := range r.Surfaces {
		names[i] = string(s)
	}
	on := "on"
	if !r.Default {
		on = "off (enable it by name)"
	}
	for _, kv := range [][2]string{
		{"severity", r.Severity.String()},
		{"status", string(r.Status)},
		{"surfaces", strings.Join(names, ", ")},
		{"default", on},
		{"since", r.Since},
		{"formerly", strings.Join(r.Aliases, ", ")},
	} {
		if kv[1] != "" {
			t.line("  " + kv[0] + strings.Repeat(" ", 10-len(kv[0])) + kv[1])
		}
	}
	t.line("")
	t.markdown(r.Page)
	return strings.TrimRight(t.b.String(), "\n") + "\n"
}

// textWriter collects lines. It never writes two blank lines in a row.
type textWriter struct {
	b     strings.Builder
	blank bool
}

func (t *textWriter) line(s string) {
	if s == "" && t.blank {
		return
	}
	t.blank = s == ""
	t.b.WriteString(s)
	t.b.WriteByte('\n')
}

// markdown writes the kinds of Markdown that pages contain: headings, paragraphs,
// lists, tables and fenced code.
func (t *textWriter) markdown(src string) {
	lines := strings.Split(strings.TrimRight(src, "\n"), "\n")
	for i := 0; i < len(lines); {
		l := lines[i]
		switch n := blockLength(lines[i:]); {
		case strings.HasPrefix(l, "```"):
			t.code(strings.TrimPrefix(l, "```"), lines[i+1:i+n])
			i += n
		case strings.HasPrefix(l, "#"):
			t.line("")
			t.line(inline(strings.TrimSpace(strings.TrimLeft(l, "#"))))
			t.line("")
			i++
		case strings.HasPrefix(l, "|"):
			t.table(lines[i : i+n])
			i += n
		case l == "":
			t.line("")
			i++
		default:
			first, rest := bullet(l)
			t.paragraph(first, rest+" "+strings.Join(trimAll(lines[i+1:i+n]), " "))
			i += n
		}
	}
}

// blockLength returns the number of lines in the block that starts at lines[0].
// An unclosed fence extends to the end.
func blockLength(lines []string) int {
	in := func(l string) bool { return false }
	switch l := lines[0]; {
	case strings.HasPrefix(l, "```"):
		for i, l := range lines[1:] {
			if l == "```" {
				return i + 2
			}
		}
		return len(lines)
	case strings.HasPrefix(l, "|"):
		in = func(l string) bool { return strings.HasPrefix(l, "|") }
	case l != "" && l[0] != '#':
		in = func(l string) bool {
			mark, _ := bullet(l)
			return l != "" && mark == "" && !strings.HasPrefix(l, "```") && l[0] != '|' && l[0] != '#'
		}
	}
	n := 1
	for n < len(lines) && in(lines[n]) {
		n++
	}
	return n
}

// bullet splits the mark of a list item, "- " or "1. " with its indentation,
// from its text. The mark is empty for any other line.
func bullet(l string) (mark, text string) {
	trimmed := strings.TrimLeft(l, " ")
	indent := l[:len(l)-len(trimmed)]
	if rest, ok := strings.CutPrefix(trimmed, "- "); ok {
		return indent + "- ", rest
	}
	digits := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "0123456789"))]
	if rest, ok := strings.CutPrefix(trimmed[len(digits):], ". "); ok && digits != "" {
		return indent + digits + ". ", rest
	}
	return "", trimmed
}

func trimAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return out
}

// paragraph writes text and breaks it at spaces. It writes mark in front of the
// first line, and indents the other lines by the width of mark.
func (t *textWriter) paragraph(mark, text string) {
	hang := strings.Repeat(" ", len(mark))
	line, width := mark, len(mark)
	empty := true
	for _, w := range strings.Fields(inline(text)) {
		n := utf8.RuneCountInString(w)
		if !empty && width+1+n > textWidth {
			t.line(line)
			line, width, empty = hang, len(hang), true
		}
		if !empty {
			line += " "
			width++
		}
		line += w
		width += n
		empty = false
	}
	t.line(line)
}

// code writes a fenced block, indented by four spaces. The options of a tested
// example are written above it, because its output depends on them.
func (t *textWriter) code(info string, body []string) {
	if len(body) > 0 && body[len(body)-1] == "```" {
		body = body[:len(body)-1]
	}
	if _, options, ok := strings.Cut(info, " "); ok {
		t.line("    [" + options + "]")
	}
	for _, l := range body {
		if l != "" {
			l = "    " + l
		}
		// Blank lines in code are content, so all of them are written.
		t.blank = false
		t.line(l)
	}
	t.blank = false
}

// table writes rows with aligned columns and a line of dashes below the head. If
// the table is too wide, it writes the rows as a list in which each cell has the
// name of its column.
func (t *textWriter) table(rows []string) {
	var cells [][]string
	var width []int
	for i, row := range rows {
		if i == 1 {
			continue // the line of dashes below the head
		}
		line := splitRow(row)
		for j, c := range line {
			line[j] = inline(strings.TrimSpace(c))
			if j == len(width) {
				width = append(width, 0)
			}
			width[j] = max(width[j], utf8.RuneCountInString(line[j]))
		}
		cells = append(cells, line)
	}
	total := 0
	dashes := make([]string, len(width))
	for j, w := range width {
		total += w + 2
		dashes[j] = strings.Repeat("-", w)
	}
	if total > textWidth {
		t.records(cells[0], cells[1:])
		return
	}
	for _, line := range slices.Insert(cells, 1, dashes) {
		var b strings.Builder
		for j, c := range line {
			b.WriteString("  " + c + strings.Repeat(" ", width[j]-utf8.RuneCountInString(c)))
		}
		t.line(strings.TrimRight(b.String(), " "))
	}
}

// records writes each row as a list item, in which each cell begins a new line.
func (t *textWriter) records(head []string, rows [][]string) {
	for _, row := range rows {
		mark := "- "
		for j, c := range row {
			if j < len(head) && head[j] != "" {
				c = head[j] + ": " + c
			}
			t.paragraph(mark, c)
			mark = "  "
		}
	}
}

// splitRow returns the cells of a table row. An escaped bar does not separate
// cells.
func splitRow(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	cells := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "\x00", "|")
	}
	return cells
}

// inline removes emphasis and links from running text. Code spans keep their
// back-ticks, which show where a literal begins and ends.
func inline(s string) string {
	var b strings.Builder
	for s != "" {
		switch s[0] {
		case '`':
			if end := strings.IndexByte(s[1:], '`'); end >= 0 {
				b.WriteString(s[:end+2])
				s = s[end+2:]
				continue
			}
		case '*':
			s = strings.TrimLeft(s, "*")
			continue
		case '<':
			if url, rest, ok := strings.Cut(s[1:], ">"); ok && strings.HasPrefix(url, "http") {
				b.WriteString(url)
				s = rest
				continue
			}
		case '[':
			if text, url, rest, ok := link(s); ok {
				b.WriteString(inline(text))
				// A link to another page of the catalogue is replaced by its
				// text.
				if strings.Contains(url, "://") {
					b.WriteString(" <" + url + ">")
				}
				s = rest
				continue
			}
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

// link parses a link of the form `[text](url)` at the start of s, and returns the
// rest of s. ok is false if there is no link.
func link(s string) (text, url, rest string, ok bool) {
	text, rest, ok = strings.Cut(s[1:], "](")
	if !ok || strings.ContainsAny(text, "[]") {
		return "", "", "", false
	}
	url, rest, ok = strings.Cut(rest, ")")
	return text, url, rest, ok
}
