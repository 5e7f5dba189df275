package fix

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// The functions in this file return lines of block style YAML that begin in
// column 0. The caller indents the lines.

func (s *style) blockField(key string, c *content) []string {
	lines := []string{key + ":"}
	switch {
	case c.child != nil && c.list:
		return append(lines, indent(s.blockItem(c.child), s.dash)...)
	case c.child != nil:
		return append(lines, indent(s.blockField(s.key(c.name, 0), c.child), s.step)...)
	case c.frag != nil:
		return s.movedField(key+":", c.frag)
	case c.isScalar() || len(c.value.Fields)+len(c.value.Items) == 0:
		return []string{key + ": " + s.inline(c.value)}
	}
	for i := range c.value.Fields {
		f := &c.value.Fields[i]
		lines = append(lines, indent(s.blockField(s.key(f.Name, 0), &content{value: f.Value}), s.step)...)
	}
	for _, item := range c.value.Items {
		lines = append(lines, indent(s.blockItem(&content{value: item}), s.dash)...)
	}
	return lines
}

func (s *style) blockItem(c *content) []string {
	var lines []string
	switch {
	case c.child != nil && c.list:
		lines = s.blockItem(c.child)
	case c.child != nil:
		lines = s.blockField(s.key(c.name, 0), c.child)
	case c.frag != nil && c.frag.block:
		return s.movedItem(c.frag)
	case c.frag != nil:
		return s.movedField("-", c.frag)
	case c.isScalar() || len(c.value.Fields)+len(c.value.Items) == 0:
		lines = []string{s.inline(c.value)}
	default:
		for i := range c.value.Fields {
			f := &c.value.Fields[i]
			lines = append(lines, s.blockField(s.key(f.Name, 0), &content{value: f.Value})...)
		}
		for _, item := range c.value.Items {
			lines = append(lines, s.blockItem(&content{value: item})...)
		}
	}
	return addDash(lines)
}

// movedField returns the lines of a field or item with a moved value. mark is
// the text before the value: the key with its colon, or the dash.
func (s *style) movedField(mark string, f *fragment) []string {
	lines := slices.Clone(f.head)
	if !f.block {
		lines = append(lines, mark+" "+f.lines[0])
		lines = append(lines, f.lines[1:]...)
		lines[len(lines)-1] += f.valueComment
		return lines
	}
	by := s.step
	switch {
	case f.field:
		by = f.relative
	case f.shape == sequence:
		by = s.dash
	}
	lines = append(lines, mark+f.keyComment)
	return append(lines, indent(slices.Clone(f.lines), by)...)
}

// movedItem returns the lines of a list item whose content is a moved block.
func (s *style) movedItem(f *fragment) []string {
	lines := slices.Clone(f.head)
	if f.keyComment != "" {
		lines = append(lines, strings.TrimSpace(f.keyComment))
	}
	return append(lines, addDash(slices.Clone(f.lines))...)
}

// inline returns the text of a scalar or of an empty collection.
func (s *style) inline(v *wire.Value) string {
	switch v.Kind {
	case wire.Map:
		return "{}"
	case wire.List:
		return "[]"
	}
	return s.scalar(v, 0)
}

// addDash changes lines to an item of a list, in place.
func addDash(lines []string) []string {
	indent(lines[1:], 2)
	lines[0] = "- " + lines[0]
	return lines
}

// indent adds a number of spaces to all lines that are not empty, in place.
func indent(lines []string, by int) []string {
	spaces := strings.Repeat(" ", by)
	for i, line := range lines {
		if line != "" {
			lines[i] = spaces + line
		}
	}
	return lines
}
