package fix

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// style is the style of new text: the most frequent style of the document.
type style struct {
	json bool
	// nl is the line break: "\n" or "\r\n".
	nl string
	// step is the indentation of a map in a map. dash is the indentation of a
	// list in a map.
	step, dash int
	// quote is the quote for strings that need quotes.
	quote byte
}

func styleOf(t *text, root *node) style {
	s := style{nl: "\n", step: 2, quote: '"'}
	if crlf := bytes.Count(t.src, []byte("\r\n")); crlf > 0 && 2*crlf >= len(t.lines)-1 {
		s.nl = "\r\n"
	}
	c := counts{text: t}
	c.count(root)
	if c.single > c.double {
		s.quote = '\''
	}
	if most := indexOfMax(c.steps[1:]) + 1; c.steps[most] > 0 {
		s.step = most
	}
	if most := indexOfMax(c.dashes[:]); c.dashes[most] > 0 {
		s.dash = most
	}
	return s
}

// counts has how often each indentation and each quote is used in a text.
type counts struct {
	*text
	steps, dashes  [9]int
	single, double int
}

func (c *counts) count(n *node) {
	switch n.quote {
	case '\'':
		c.single++
	case '"':
		c.double++
	}
	for i := range n.entries {
		e := &n.entries[i]
		if !n.flow && n.shape == mapping {
			c.countIndent(e)
		}
		c.count(e.value)
	}
}

// countIndent counts the indentation of a block that begins below its key.
func (c *counts) countIndent(e *entry) {
	v := e.value
	if v.flow || len(v.entries) == 0 {
		return
	}
	start, key := c.lineStart(v.body), c.lineStart(e.start)
	d := v.body - start - (e.start - key)
	switch {
	case start <= key || d < 0 || d >= len(c.steps):
	case v.shape == mapping:
		c.steps[d]++
	default:
		c.dashes[d]++
	}
}

// indexOfMax returns the index of the greatest number; the first one of equals.
func indexOfMax(counts []int) int {
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return best
}

// key returns the text of a field's name. quote is the quote of other keys in
// the map; 0 for none.
func (s *style) key(name string, quote byte) string {
	return s.scalar(&wire.Value{Kind: wire.String, Text: name}, quote)
}

// scalar returns the text of a scalar. A string is written in quote, unless
// quote is 0.
func (s *style) scalar(v *wire.Value, quote byte) string {
	switch {
	case v.Kind == wire.Null:
		return "null"
	case v.Kind != wire.String:
		return v.Text
	case s.json:
		return jsonString(v.Text)
	case quote == 0 && isPlain(v.Text):
		return v.Text
	case quote == 0:
		quote = s.quote
	}
	if quote == '\'' && strings.IndexFunc(v.Text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return "'" + strings.ReplaceAll(v.Text, "'", "''") + "'"
	}
	return jsonString(v.Text)
}

// jsonString returns a string in double quotes that is valid in JSON and in
// YAML.
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

// isPlain reports whether all YAML parsers read an unquoted text as a string,
// in all places.
func isPlain(text string) bool {
	if text == "" {
		return false
	}
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_', r == '/':
		case i > 0 && (r >= '0' && r <= '9' || r == '-' || r == '.'):
		default:
			return false
		}
	}
	kind, _ := wire.Plain(text)
	return kind == wire.String
}
