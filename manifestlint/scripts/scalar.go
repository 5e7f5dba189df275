package scripts

import (
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// document is the source of parsed YAML.
type document struct {
	t     text
	first int   // the line on which it begins
	lines []int // offsets
}

func newDocument(source string, first int) *document {
	d := &document{t: whole(source), first: first, lines: []int{0}}
	for i := range len(source) {
		if source[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	return d
}

// offset gives the byte that a position means, or -1.
func (d *document) offset(p wire.Pos) int {
	n := p.Line - d.first
	if n < 0 || n >= len(d.lines) || p.Column < 1 {
		return -1
	}
	at := d.lines[n]
	for range p.Column - 1 {
		if at >= len(d.t.s) {
			return -1
		}
		_, size := utf8.DecodeRuneInString(d.t.s[at:])
		at += size
	}
	return min(at, len(d.t.s))
}

// scalar gives the text of a string with the places of its bytes. Where the
// way from one to the other is not understood, all of it is the scalar's.
func (d *document) scalar(v *wire.Value) text {
	start, end := d.offset(v.Pos), d.offset(v.End)
	if start < 0 || end < start {
		start, end = 0, 0
	}
	var t text
	switch from := d.properties(start); {
	case from >= len(d.t.s):
	case d.t.s[from] == '|' || d.t.s[from] == '>':
		t = d.block(from, v.Text)
	case d.t.s[from] == '"' || d.t.s[from] == '\'':
		t = d.quoted(from)
	default:
		t = folded(d.t.slice(from, max(end, from)), "")
	}
	if t.s != v.Text {
		return made(v.Text, Place{Start: start, End: max(end, start)})
	}
	return t
}

// properties skips an anchor and a tag.
func (d *document) properties(at int) int {
	s := d.t.s
	for at < len(s) && (s[at] == '&' || s[at] == '!') {
		n := strings.IndexAny(s[at:], " \t\n")
		if n < 0 {
			return len(s)
		}
		at += n
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\n"))
	}
	return at
}

// block reads a literal or a folded block. want is what comes out, by which
// the end is known.
func (d *document) block(at int, want string) text {
	s := d.t.s
	literal := s[at] == '|'
	eol := strings.IndexByte(s[at:], '\n')
	if eol < 0 {
		return text{}
	}
	keep := strings.Contains(strings.SplitN(s[at:at+eol], "#", 2)[0], "+")
	indent := -1
	var rows []text
	length := 0
	for from := at + eol + 1; from < len(s) && length < len(want)+64; {
		end := len(s)
		if n := strings.IndexByte(s[from:], '\n'); n >= 0 {
			end = from + n
		}
		line := strings.TrimSuffix(s[from:end], "\r")
		lead := len(line) - len(strings.TrimLeft(line, " "))
		if blank := lead == len(line); !blank || indent >= 0 && lead > indent {
			if indent < 0 {
				indent = lead
				// The text says where an indentation indicator is.
				first := strings.TrimLeft(want, "\n")
				indent -= min(lead, len(first)-len(strings.TrimLeft(first, " ")))
			}
			if lead < indent {
				break
			}
			rows = append(rows, d.t.slice(from+indent, from+len(line)))
			length += len(line) - indent + 1
		} else {
			rows = append(rows, d.t.slice(from+len(line), from+len(line)))
			length++
		}
		from = end + 1
	}
	return d.chomp(rows, literal, keep, want)
}

// chomp puts the rows of a block together.
func (d *document) chomp(rows []text, literal, keep bool, want string) text {
	var j joiner
	tail := len(rows)
	for tail > 0 && rows[tail-1].s == "" {
		tail--
	}
	pending := 0 // line feeds since the last text
	indented := func(s string) bool { return s != "" && (s[0] == ' ' || s[0] == '\t') }
	last := ""
	for i, row := range rows[:tail] {
		if row.s == "" {
			pending++
			continue
		}
		if i > 0 {
			feeds := pending
			switch {
			case literal, indented(row.s), indented(last):
				feeds++
			case last == "": // nothing but blank lines so far
			case feeds == 0:
				j.add(d.between(rows, i, " "))
			}
			if literal || last != "" || feeds == pending {
				if feeds > 0 {
					j.add(d.between(rows, i, strings.Repeat("\n", feeds)))
				}
			} else {
				j.add(d.between(rows, i, strings.Repeat("\n", feeds-1)))
			}
		}
		pending = 0
		j.add(row)
		last = row.s
	}
	out := j.text()
	// What stands behind the last line is known from the outcome.
	if n := len(want) - len(out.s); n > 0 && (n == 1 || keep) && strings.Trim(want[len(out.s):], "\n") == "" {
		out = out.plus(made(want[len(out.s):], Place{Start: out.all().End, End: out.all().End}))
	}
	return out
}

// between is what stands for the line feed in front of a row: the line feed
// itself where it is one.
func (d *document) between(rows []text, i int, s string) text {
	at := 0
	if p := rows[i].all(); rows[i].s != "" {
		at = p.Start
	}
	n := strings.LastIndexByte(d.t.s[:at], '\n')
	if s == "\n" && n >= 0 {
		return d.t.slice(n, n+1)
	}
	return made(s, Place{Start: max(n, 0), End: at})
}

// quoted reads a scalar in quotes.
func (d *document) quoted(at int) text {
	s := d.t.s
	quote := s[at]
	for i := at + 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"':
			i++
		case s[i] != quote:
		case quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			t := d.t.slice(at+1, i)
			if quote == '"' {
				return escapes(folded(t, `\`))
			}
			t = folded(t, "")
			return t.replace(func(s string, from int) (int, int, text) {
				n := strings.Index(s[from:], "''")
				if n < 0 {
					return -1, -1, text{}
				}
				return from + n, from + n + 2, t.slice(from+n, from+n+1)
			})
		}
	}
	return text{}
}

// folded folds the lines of a flow scalar. A line that ends in the escape
// joins the next without a space.
func folded(t text, escape string) text {
	if !strings.Contains(t.s, "\n") {
		return t
	}
	return t.replace(func(s string, from int) (int, int, text) {
		n := strings.IndexByte(s[from:], '\n')
		if n < 0 {
			return -1, -1, text{}
		}
		i := from + n
		for i > from && strings.IndexByte(" \t\r", s[i-1]) >= 0 {
			i--
		}
		j := len(s) - len(strings.TrimLeft(s[i:], " \t\r\n"))
		feeds := strings.Count(s[i:j], "\n")
		if escape != "" && i > 0 && s[i-1] == '\\' && (i < 2 || s[i-2] != '\\') {
			return i - 1, j, made(strings.Repeat("\n", feeds-1), t.place(i-1, j))
		}
		if feeds == 1 {
			return i, j, made(" ", t.place(i, j))
		}
		return i, j, made(strings.Repeat("\n", feeds-1), t.place(i, j))
	})
}
