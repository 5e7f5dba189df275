package synth

import (
	"fmt"
	"strconv"
	"strings"
)

// style is one author's way of writing YAML. A file has one style.
type style struct {
	unit       int  // spaces per level
	listIndent bool // sequences stand one level in from their key, not below it
	quote      byte // quotation mark for every string, or 0 for only where needed
	comments   int  // percent of mappings that carry a comment
	flow       bool // short sequences in brackets
	anchors    bool // labels are written once and referred to
	license    bool // the file opens with a licence text
	start      bool // the file opens with ---
	kindFirst  bool // kind is written before apiVersion
	sorted     bool // data before kind and metadata, as kubectl prints it
}

func (r *random) style() style {
	s := style{
		unit:       2,
		listIndent: r.chance(55),
		flow:       r.chance(35),
		anchors:    r.rarely(60),
		license:    r.chance(12),
		start:      r.chance(40),
		kindFirst:  r.chance(6),
		sorted:     r.chance(12),
	}
	if r.chance(5) {
		s.unit = 4
	}
	switch n := r.below(100); {
	case n < 8:
		s.quote = '"'
	case n < 12:
		s.quote = '\''
	}
	if r.chance(45) {
		s.comments = r.between(1, 12)
	}
	return s
}

// writer writes block YAML. Mappings and sequences are written by functions
// that write their content, so nesting in the code is nesting in the text.
type writer struct {
	style
	r      *random
	buf    []byte
	budget int // the length in bytes that the document aims at
	indent int // spaces before a key
	dash   bool
	anchor int // number of labels anchors written in this document
}

// left is the number of bytes that may still be written.
func (w *writer) left() int { return w.budget - len(w.buf) }

const spaces = "                                                                                "

// key starts a line: the indentation, the dash of a sequence item that has
// just begun, and the key.
func (w *writer) key(key string) {
	w.lead()
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ':')
}

func (w *writer) lead() {
	if w.dash {
		w.buf = append(w.buf, spaces[:w.indent-2]...)
		w.buf = append(w.buf, "- "...)
		w.dash = false
		return
	}
	w.buf = append(w.buf, spaces[:w.indent]...)
}

// str writes a string, quoted where YAML or the style wants it.
func (w *writer) str(key, value string) {
	w.key(key)
	w.buf = append(w.buf, ' ')
	w.scalar(value)
	w.buf = append(w.buf, '\n')
}

// strf is str with a format.
func (w *writer) strf(key, format string, args ...any) {
	w.str(key, fmt.Sprintf(format, args...))
}

// raw writes a value as it stands: a number, a boolean, a flow collection.
func (w *writer) raw(key, value string) {
	w.key(key)
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, value...)
	w.buf = append(w.buf, '\n')
}

func (w *writer) num(key string, value int) { w.raw(key, strconv.Itoa(value)) }

func (w *writer) flag(key string, value bool) { w.raw(key, strconv.FormatBool(value)) }

func (w *writer) scalar(value string) {
	quote := w.quote
	if quote == 0 && !plain(value) {
		quote = '"'
	}
	if quote == '\'' && strings.ContainsAny(value, "'\n") {
		quote = '"'
	}
	switch quote {
	case '"':
		w.buf = strconv.AppendQuote(w.buf, value)
	case '\'':
		w.buf = append(w.buf, '\'')
		w.buf = append(w.buf, value...)
		w.buf = append(w.buf, '\'')
	default:
		w.buf = append(w.buf, value...)
	}
}

// plain reports whether a string survives without quotation marks. It errs on
// the side of quoting.
func plain(s string) bool {
	if s == "" || strings.Contains(s, ": ") || strings.Contains(s, " #") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '/':
		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte(" ._-:=,@+()$", c) >= 0):
		default:
			return false
		}
	}
	if last := s[len(s)-1]; last == ' ' || last == ':' {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	return true
}

// object writes a mapping. The body must write at least one key.
func (w *writer) object(key string, body func()) {
	if w.comments > 0 && !w.dash && w.r.chance(w.comments) {
		w.comment(w.r.pick(remarks))
	}
	w.key(key)
	w.buf = append(w.buf, '\n')
	w.indent += w.unit
	body()
	w.indent -= w.unit
}

// list writes a sequence of n mappings. The body must write at least one key
// for each.
func (w *writer) list(key string, n int, item func(i int)) {
	w.key(key)
	w.buf = append(w.buf, '\n')
	offset := 2
	if w.listIndent {
		offset += w.unit
	}
	w.indent += offset
	for i := range n {
		w.dash = true
		item(i)
	}
	w.indent -= offset
}

// strs writes a sequence of strings.
func (w *writer) strs(key string, values ...string) {
	if w.flow && len(values) < 5 {
		w.key(key)
		w.buf = append(w.buf, " ["...)
		for i, v := range values {
			if i > 0 {
				w.buf = append(w.buf, ", "...)
			}
			// Inside brackets more letters are special than plain knows.
			w.buf = strconv.AppendQuote(w.buf, v)
		}
		w.buf = append(w.buf, "]\n"...)
		return
	}
	w.list(key, len(values), func(i int) {
		w.lead()
		w.scalar(values[i])
		w.buf = append(w.buf, '\n')
	})
}

// block writes a literal block scalar. Lines must not be empty of content at
// the start, or YAML would want an indentation indicator.
func (w *writer) block(key string, lines []string) {
	w.key(key)
	w.buf = append(w.buf, " |"...)
	if w.r.chance(30) {
		w.buf = append(w.buf, '-')
	}
	w.buf = append(w.buf, '\n')
	for _, line := range lines {
		if line != "" {
			w.buf = append(w.buf, spaces[:w.indent+w.unit]...)
			w.buf = append(w.buf, line...)
		}
		w.buf = append(w.buf, '\n')
	}
}

func (w *writer) comment(text string) {
	w.buf = append(w.buf, spaces[:w.indent]...)
	w.buf = append(w.buf, "# "...)
	w.buf = append(w.buf, text...)
	w.buf = append(w.buf, '\n')
}
