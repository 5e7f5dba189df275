package manifestlint_test

import (
	"fmt"
	"strconv"
	"strings"
)

type style struct {
	// indent is the number of spaces for each level. lists is the number of
	// spaces between a key and the list below it.
	indent, lists            int
	comments, anchors, twice bool
}

func (w *writer) json(b *strings.Builder, n node, indent, line string) {
	if indent == "" {
		line = ""
	}
	next := line + indent
	switch {
	case n.scalar != nil:
		b.WriteString(quoteJSON(*n.scalar))
	case n.json != "":
		b.WriteString(n.json)
	case n.plain != "":
		b.WriteString(quoteJSON(n.plain))
	case n.list:
		b.WriteByte('[')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(next)
			w.json(b, v, indent, next)
		}
		b.WriteString(line + "]")
	default:
		b.WriteByte('{')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(next + quoteJSON(n.keys[i]) + w.pick(":", ": "))
			w.json(b, v, indent, next)
		}
		b.WriteString(line + "}")
	}
}

// quoteJSON returns a JSON string, which is also a double-quoted YAML scalar.
func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (w *writer) flow(b *strings.Builder, n node) {
	space := func() { b.WriteString(w.pick("", "", " ", " ", "\n ", "  ")) }
	switch {
	case n.scalar == nil && !n.list && n.keys == nil && n.plain != "":
		b.WriteString(n.plain)
	case n.scalar != nil:
		b.WriteString(w.scalar(*n.scalar, true))
	case n.list:
		b.WriteByte('[')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			w.flow(b, v)
			space()
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			b.WriteString(w.key(n.keys[i]) + ": ")
			w.flow(b, v)
			space()
		}
		if w.oneIn(10) && len(n.values) > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('}')
	}
}

func (w *writer) key(name string) string {
	if w.oneIn(6) || strings.ContainsAny(name, " :~") || strings.HasPrefix(name, "-") {
		return w.pick(quoteJSON(name), "'"+name+"'")
	}
	return name
}

// scalar returns a spelling of a string on one line.
func (w *writer) scalar(s string, flow bool) string {
	simple := s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/.-") == "" && len(s) > 1 && s[0] != '-' && s[0] != '.'
	switch {
	case simple && !w.oneIn(4):
		return s
	case !strings.ContainsAny(s, "\n\t\ufeff\u2028\u00a0") && w.oneIn(2):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return quoteJSON(s)
}

// block writes a value in block style. The caller has indented the first line.
func (w *writer) block(b *strings.Builder, n node, indent int, s style) {
	pad := strings.Repeat(" ", indent)
	for i, v := range n.values {
		if i > 0 {
			b.WriteString(pad)
		}
		if n.list {
			b.WriteString("- ")
			w.blockValue(b, v, indent, s, true)
			continue
		}
		b.WriteString(w.key(n.keys[i]) + ":")
		w.blockValue(b, v, indent, s, false)
		if s.twice && w.oneIn(6) {
			b.WriteString(pad + w.key(n.keys[i]) + ":")
			w.blockValue(b, v, indent, s, false)
		}
		if s.comments && w.oneIn(3) {
			b.WriteString(w.pick("# c\n", "\n", pad+"# c\n", pad+"  # a: b\n", "\t\n", "#\t\n", "     \n"))
		}
	}
}

// blockValue writes the value of a key, up to the end of its last line. If item
// is set, it is the value after a dash.
func (w *writer) blockValue(b *strings.Builder, n node, indent int, s style, item bool) {
	anchor := ""
	if s.anchors && w.oneIn(4) {
		w.anchors++
		anchor = "&a" + strconv.Itoa(w.anchors) + " "
	} else if s.anchors && w.anchors > 0 && w.oneIn(8) {
		b.WriteString(" *a" + strconv.Itoa(1+w.rand.IntN(w.anchors)) + "\n")
		return
	}
	space := " "
	if item {
		space = ""
	}
	comment := ""
	if s.comments && w.oneIn(4) {
		comment = w.pick(" # c", "  #", "\t# c", " ", "\t")
	}
	switch {
	case n.scalar != nil && strings.Contains(*n.scalar, "\n") && w.oneIn(2) && !strings.HasPrefix(*n.scalar, " ") && !strings.HasPrefix(*n.scalar, "\n"):
		w.literal(b, *n.scalar, indent, space+anchor, comment)
	case n.scalar != nil:
		b.WriteString(space + anchor + w.scalar(*n.scalar, false) + comment + "\n")
	case n.plain != "" || !n.list && n.keys == nil && n.values == nil && n.json == "":
		if n.plain == "" {
			b.WriteString(space + anchor + w.pick("{}", "{ }") + comment + "\n")
			return
		}
		b.WriteString(space + anchor + n.plain + comment + "\n")
	case len(n.values) == 0 || w.oneIn(8):
		b.WriteString(space + anchor)
		w.flow(b, n)
		b.WriteString(comment + "\n")
	case item && anchor == "" && comment == "":
		w.block(b, n, indent+2, style{indent: s.indent, comments: s.comments, anchors: s.anchors, twice: s.twice})
	default:
		b.WriteString(strings.TrimRight(space+anchor, " ") + comment + "\n")
		below := indent + s.indent
		if n.list && !item {
			below = indent + s.indent*s.lists
		}
		if !n.list && s.anchors && w.anchors > 0 && w.oneIn(6) {
			b.WriteString(strings.Repeat(" ", below) + "<<: " + w.pick("*a1\n", "{m: n}\n", "[*a1, {m: n}]\n"))
		}
		b.WriteString(strings.Repeat(" ", below))
		w.block(b, n, below, s)
	}
}

// literal writes a string as a block scalar.
func (w *writer) literal(b *strings.Builder, text string, indent int, before, comment string) {
	chomp := "+"
	switch body := strings.TrimRight(text, "\n"); {
	case body == text:
		chomp = "-"
	case body+"\n" == text && w.oneIn(2):
		chomp = ""
	}
	b.WriteString(before + w.pick("|", "|", ">") + chomp + comment + "\n")
	pad := strings.Repeat(" ", indent+1+w.rand.IntN(3))
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" || w.oneIn(3) {
			b.WriteString(pad)
		}
		b.WriteString(line + "\n")
	}
}
