package synth

import (
	"fmt"
	"strconv"
	"strings"
)

// style is an author's way of writing YAML. All documents of a file have one style.
type style struct {
	unit       int  // spaces for each level
	listIndent bool // true if sequences are indented by one level below their key
	quote      byte // quotation mark for every string; 0 means only where YAML requires it
	comments   int  // percentage of mappings with a comment
	flow       bool // true if short sequences are in brackets
	anchors    bool // true if labels are written once with an anchor, and then as aliases
	license    bool // true if the file begins with a licence text
	start      bool // true if the file begins with ---
	kindFirst  bool // true if kind comes before apiVersion
	sorted     bool // true if data comes before kind and metadata, as kubectl prints it
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

// writer writes YAML in block style. The content of a mapping or sequence is a function,
// so the nesting in the code is the nesting in the text.
type writer struct {
	style
	r      *random
	buf    []byte
	budget int // intended length of the document in bytes
	indent int // number of spaces before a key
	dash   bool
	anchor int // number of label anchors in this document so far
}

// bytesLeft returns the number of bytes that the budget still allows.
func (w *writer) bytesLeft() int { return w.budget - len(w.buf) }

const spaces = "                                                                                "

// key begins a line: indentation, the dash of a new sequence item if necessary, and the
// key.
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

// str writes a string, with quotes if YAML or the style requires them.
func (w *writer) str(key, value string) {
	w.key(key)
	w.buf = append(w.buf, ' ')
	w.scalar(value)
	w.buf = append(w.buf, '\n')
}

func (w *writer) strf(key, format string, args ...any) {
	w.str(key, fmt.Sprintf(format, args...))
}

// raw writes a number, a boolean or a flow collection unchanged.
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
	if quote == 0 && !needsNoQuotes(value) {
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

// needsNoQuotes reports whether a string can be written without quotes. It may return
// false for strings that need none.
func needsNoQuotes(s string) bool {
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

// object writes a mapping. body must write at least one key.
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

// list writes a sequence of n mappings. item writes one mapping, with at least one key.
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
			// In brackets, more characters are special than needsNoQuotes checks.
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

// block writes a literal block scalar. The first line must not begin with a space,
// because YAML would need an indentation indicator.
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
