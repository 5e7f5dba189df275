package fix

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// brackets is the style of a collection in brackets.
type brackets struct {
	// afterColon and afterComma are the spaces after a colon and a comma. pad is
	// the space inside of braces.
	afterColon, afterComma, pad string
	// multiline is set if each entry is on its own line. indent is the
	// indentation of these lines, and step is the additional indentation of the
	// next level.
	multiline    bool
	indent, step string
}

// bracketsOf returns the style of a collection in brackets.
func (l *layout) bracketsOf(n *node) brackets {
	b := brackets{afterColon: " ", afterComma: " ", step: strings.Repeat(" ", l.step), indent: l.indentation(n.body)}
	if l.json {
		b.afterColon, b.afterComma = "", ""
		l.spacing(l.root, &b)
		b.step = l.jsonStep()
	}
	if len(n.entries) == 0 {
		// An empty collection has no style, so use the style of the root.
		if l.json && strings.Contains(string(l.src[l.root.body:l.root.end]), "\n") {
			b.multiline = true
			b.indent += b.step
			b.afterComma = l.nl + b.indent
		}
		return b
	}
	first := n.entries[0]
	if l.lineOf(first.start) > l.lineOf(n.body) {
		b.multiline = true
		b.indent = l.indentation(first.start)
		b.afterComma = l.nl + b.indent
	} else if n.shape == mapping && l.byteAt(n.body+1) == ' ' {
		b.pad = " "
	}
	return b
}

// jsonStep returns the indentation of one level of JSON.
func (l *layout) jsonStep() string {
	if len(l.root.entries) > 0 {
		if first := l.root.entries[0].start; l.lineOf(first) > l.lineOf(l.root.body) {
			return strings.TrimPrefix(l.indentation(first), l.indentation(l.root.body))
		}
	}
	return "  "
}

// spacing sets the spaces after colons and commas in JSON, from the first ones
// in n. It reports whether it found a space after a colon.
func (l *layout) spacing(n *node, b *brackets) bool {
	for i, e := range n.entries {
		if n.shape == mapping && e.value.start > e.keyEnd && l.src[e.value.start-1] == ' ' {
			b.afterColon, b.afterComma = " ", " "
			return true
		}
		if n.shape == sequence && i > 0 && l.src[e.start-1] == ' ' {
			b.afterComma = " "
		}
		if l.spacing(e.value, b) {
			return true
		}
	}
	return false
}

// flow returns the text of content in brackets.
func (s *style) flow(c *content, b brackets) string {
	in := b
	in.indent += b.step
	field := func(name string, c *content) string { return s.key(name, 0) + ":" + b.afterColon + s.flow(c, in) }
	switch {
	case c.child != nil && c.list:
		return s.bracketed('[', []string{s.flow(c.child, in)}, b)
	case c.child != nil:
		return s.bracketed('{', []string{field(c.name, c.child)}, b)
	case c.frag != nil && (c.frag.flow || c.frag.quote == '"' || c.frag.quote == '\''):
		text := c.frag.lines[0]
		for _, line := range c.frag.lines[1:] {
			if text += s.nl; line != "" {
				text += b.indent + line
			}
		}
		return text
	}
	var all []string
	switch c.value.Kind {
	case wire.Map:
		for i := range c.value.Fields {
			all = append(all, field(c.value.Fields[i].Name, &content{value: c.value.Fields[i].Value}))
		}
		return s.bracketed('{', all, b)
	case wire.List:
		for _, item := range c.value.Items {
			all = append(all, s.flow(&content{value: item}, in))
		}
		return s.bracketed('[', all, b)
	}
	return s.scalar(c.value, 0)
}

// bracketed joins the texts of entries and adds brackets.
func (s *style) bracketed(open byte, all []string, b brackets) string {
	end, pad := "]", ""
	if open == '{' {
		end, pad = "}", b.pad
	}
	if len(all) == 0 {
		return string(open) + end
	}
	if !b.multiline {
		sep := ", "
		if b.afterComma == "" {
			sep = ","
		}
		return string(open) + pad + strings.Join(all, sep) + pad + end
	}
	inner := s.nl + b.indent + b.step
	return string(open) + inner + strings.Join(all, ","+inner) + s.nl + b.indent + end
}
