package fix

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// blockField gives the lines of a field whose key is indented by column. The
// first line lacks that indentation, as what stands before it is the caller's.
func (l *layout) blockField(key string, c *content, column int) []string {
	head, lines := l.under(key+":", c, column, l.step, l.dash)
	if len(head) == 0 {
		return lines
	}
	return append(head, lines...)
}

// blockItem gives the lines of a list's item whose dash is indented by column.
func (l *layout) blockItem(c *content, column int) []string {
	indent := strings.Repeat(" ", column+2)
	one := func(text string) []string { return []string{"- " + text} }
	switch {
	case c.child != nil && c.list:
		return l.itemOf(l.blockItem(c.child, column+2))
	case c.child != nil:
		return l.itemOf(l.blockField(l.key(c.name, 0, false), c.child, column+2))
	case c.frag != nil:
		f := c.frag
		if !f.block {
			head, lines := l.under("-", c, column, 2, 2)
			return append(head, lines...)
		}
		var lines []string
		for _, note := range slices.Concat(f.head, l.lead(f)) {
			lines = append(lines, note)
			if len(lines) > 1 {
				lines[len(lines)-1] = strings.Repeat(" ", column) + note
			}
		}
		for i, text := range f.lines {
			switch {
			case i == 0 && len(lines) > 0:
				text = strings.Repeat(" ", column) + "- " + text
			case i == 0:
				text = "- " + text
			case text != "":
				text = indent + text
			}
			lines = append(lines, text)
		}
		return lines
	case c.value.Kind == wire.Map && len(c.value.Fields) > 0:
		var lines []string
		for i := range c.value.Fields {
			f := &c.value.Fields[i]
			lines = append(lines, l.indentFirst(l.blockField(l.key(f.Name, 0, false), &content{value: f.Value}, column+2), indent)...)
		}
		return l.itemOf(l.strip(lines, indent))
	case c.value.Kind == wire.List && len(c.value.Items) > 0:
		var lines []string
		for _, item := range c.value.Items {
			lines = append(lines, l.indentFirst(l.blockItem(&content{value: item}, column+2), indent)...)
		}
		return l.itemOf(l.strip(lines, indent))
	}
	return one(l.inline(c.value))
}

func (l *layout) lead(f *fragment) []string {
	if f.lead == "" {
		return nil
	}
	return []string{strings.TrimSpace(f.lead)}
}

func (l *layout) itemOf(lines []string) []string {
	lines[0] = "- " + lines[0]
	return lines
}

func (l *layout) indentFirst(lines []string, indent string) []string {
	lines[0] = indent + lines[0]
	return lines
}

func (l *layout) strip(lines []string, indent string) []string {
	lines[0] = strings.TrimPrefix(lines[0], indent)
	return lines
}

// under gives the lines of a key or dash, mark, and what belongs to it, and
// those of the comments above it. column is the mark's, step and dash by how
// much maps and lists below it are indented.
func (l *layout) under(mark string, c *content, column, step, dash int) (head, lines []string) {
	lines = append(make([]string, 0, 4), mark)
	add := func(at int, block []string) {
		lines = append(lines, l.indentFirst(block, strings.Repeat(" ", at))...)
	}
	switch {
	case c.child != nil && c.list:
		add(column+dash, l.blockItem(c.child, column+dash))
	case c.child != nil:
		add(column+step, l.blockField(l.key(c.name, 0, false), c.child, column+step))
	case c.frag != nil:
		f := c.frag
		for i, note := range f.head {
			if i > 0 {
				note = strings.Repeat(" ", column) + note
			}
			head = append(head, note)
		}
		if len(head) > 0 {
			lines[0] = strings.Repeat(" ", column) + lines[0]
		}
		if !f.block {
			lines[0] += " " + f.lines[0]
			for _, text := range f.lines[1:] {
				if text != "" {
					text = strings.Repeat(" ", column) + text
				}
				lines = append(lines, text)
			}
			lines[len(lines)-1] += f.trail
			break
		}
		lines[0] += f.lead
		at := step
		switch {
		case f.field:
			at = f.relative
		case f.shape == sequence:
			at = dash
		}
		for _, text := range f.lines {
			if text != "" {
				text = strings.Repeat(" ", column+at) + text
			}
			lines = append(lines, text)
		}
	case c.value.Kind == wire.Map && len(c.value.Fields) > 0:
		for i := range c.value.Fields {
			f := &c.value.Fields[i]
			add(column+step, l.blockField(l.key(f.Name, 0, false), &content{value: f.Value}, column+step))
		}
	case c.value.Kind == wire.List && len(c.value.Items) > 0:
		for _, item := range c.value.Items {
			add(column+dash, l.blockItem(&content{value: item}, column+dash))
		}
	default:
		lines[0] += " " + l.inline(c.value)
	}
	return head, lines
}

// inline gives a scalar or an empty collection as it stands on a line of a
// block.
func (l *layout) inline(v *wire.Value) string {
	switch v.Kind {
	case wire.Map:
		return "{}"
	case wire.List:
		return "[]"
	}
	return l.scalarLike(v, 0)
}

// scalarLike gives a scalar, with the quotes of the one whose place it takes
// where it is a string.
func (l *layout) scalarLike(v *wire.Value, quote byte) string {
	switch {
	case v.Kind == wire.Null:
		return "null"
	case v.Kind != wire.String:
		return v.Text
	case l.json:
		return jsonString(v.Text)
	case quote == 0 && isPlain(v.Text):
		return v.Text
	case quote == 0:
		quote = l.quote
	}
	return quoted(v.Text, quote)
}

// key gives a field's name as it is written.
func (l *layout) key(name string, quote byte, flow bool) string {
	switch {
	case l.json:
		return jsonString(name)
	case quote == 0 && isPlain(name):
		return name
	case quote == 0:
		quote = l.quote
	}
	return quoted(name, quote)
}

// quoted gives a string in quotes: in single ones only where they can hold it.
func quoted(text string, quote byte) string {
	if quote == '\'' && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return jsonString(text)
}

// jsonString gives a string in double quotes that JSON and YAML read alike.
func jsonString(text string) string {
	if strings.IndexFunc(text, func(r rune) bool {
		return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError || r > '~' && !unicode.IsPrint(r)
	}) < 0 {
		return `"` + text + `"`
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return strconv.QuoteToASCII(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// isPlain reports whether a string needs no quotes anywhere in YAML, and is a
// string then for every reader of it.
func isPlain(text string) bool {
	if text == "" {
		return false
	}
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_', r == '/':
		case i == 0 && (r == '.' || r == '~'):
			return false
		case i > 0 && (r >= '0' && r <= '9' || r == '-' || r == '.'):
		default:
			return false
		}
	}
	kind, _ := wire.Plain(text)
	return kind == wire.String
}

// brackets is how a collection in brackets is written.
type brackets struct {
	// colon is what stands between a colon and a value, between what stands
	// between a comma and the next entry, and pad what stands inside of braces.
	colon, between, pad string
	// open says that entries stand on lines of their own; indent is the white
	// space before them, and step what a further level adds.
	open         bool
	indent, step string
}

// bracketsOf learns how a collection in brackets is written, and its like.
func (l *layout) bracketsOf(n *node) brackets {
	b := brackets{colon: " ", between: " "}
	if l.json {
		b.colon, b.between = "", ""
		l.spacing(l.root, &b)
		b.step = "  "
		if l.root.flow && len(l.root.entries) > 0 && l.lineOf(l.root.entries[0].start) > l.lineOf(l.root.body) {
			b.step = strings.TrimPrefix(l.indentation(l.root.entries[0].start), l.indentation(l.root.body))
		}
	} else {
		b.step = strings.Repeat(" ", l.step)
	}
	b.indent = l.indentation(n.body)
	if len(n.entries) == 0 {
		// Nothing shows how it would be written: as the one around it.
		b.open = l.json && strings.Contains(string(l.text[l.root.body:l.root.end]), "\n")
		if b.open {
			b.indent += b.step
			b.between = l.nl + b.indent
		}
		return b
	}
	first := n.entries[0]
	if l.lineOf(first.start) > l.lineOf(n.body) {
		b.open = true
		b.indent = l.indentation(first.start)
		b.between = l.nl + b.indent
	} else if n.shape == mapping && n.body+1 < len(l.text) && l.text[n.body+1] == ' ' {
		b.pad = " "
	}
	return b
}

// spacing learns whether there is space behind colons and commas of JSON.
func (l *layout) spacing(n *node, b *brackets) bool {
	for i, e := range n.entries {
		if n.shape == mapping && e.value.start > e.keyEnd && l.text[e.value.start-1] == ' ' {
			b.colon, b.between = " ", " "
			return true
		}
		if n.shape == sequence && i > 0 && l.text[e.start-1] == ' ' {
			b.between = " "
		}
		if l.spacing(e.value, b) {
			return true
		}
	}
	return false
}

// flow gives content as it is written in brackets.
func (l *layout) flow(c *content, b brackets) string {
	in := b
	in.indent += b.step
	if b.open {
		in.between = l.nl + in.indent
	}
	switch {
	case c.child != nil && c.list:
		return l.bracketed('[', []string{l.flow(c.child, in)}, b)
	case c.child != nil:
		return l.bracketed('{', []string{l.key(c.name, l.flowQuote(), true) + ":" + b.colon + l.flow(c.child, in)}, b)
	case c.frag != nil && (c.frag.flow || c.frag.quote == '"' || c.frag.quote == '\''):
		lines := slices.Clone(c.frag.lines)
		for i := range lines[1:] {
			if lines[i+1] != "" {
				lines[i+1] = b.indent + lines[i+1]
			}
		}
		return strings.Join(lines, l.nl)
	}
	switch c.value.Kind {
	case wire.Map:
		var all []string
		for i := range c.value.Fields {
			f := &c.value.Fields[i]
			all = append(all, l.key(f.Name, l.flowQuote(), true)+":"+b.colon+l.flow(&content{value: f.Value}, in))
		}
		return l.bracketed('{', all, b)
	case wire.List:
		var all []string
		for _, item := range c.value.Items {
			all = append(all, l.flow(&content{value: item}, in))
		}
		return l.bracketed('[', all, b)
	}
	return l.scalarLike(c.value, 0)
}

func (l *layout) flowQuote() byte {
	if l.json {
		return '"'
	}
	return 0
}

// bracketed puts entries into brackets, which open themselves as b says.
func (l *layout) bracketed(open byte, all []string, b brackets) string {
	end := "]"
	pad := ""
	if open == '{' {
		end, pad = "}", b.pad
	}
	if len(all) == 0 {
		return string(open) + end
	}
	if !b.open {
		sep := ", "
		if b.between == "" {
			sep = ","
		}
		return string(open) + pad + strings.Join(all, sep) + pad + end
	}
	inner := l.nl + b.indent + b.step
	return string(open) + inner + strings.Join(all, ","+inner) + l.nl + b.indent + end
}
