package fix

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// scalarEnd finds where a scalar that begins at n.body ends. indent is the
// column of the block that holds it.
func (l *layout) scalarEnd(n *node, y *yaml.Node, indent int) error {
	n.end = n.body
	switch {
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return l.blockEnd(n, indent)
	case y.Style&yaml.DoubleQuotedStyle != 0:
		return l.quoteEnd(n, '"')
	case y.Style&yaml.SingleQuotedStyle != 0:
		return l.quoteEnd(n, '\'')
	}
	// White space in a plain scalar is folded: its words are the same.
	at := n.body
	for i, word := range strings.Fields(y.Value) {
		if i > 0 {
			for at < len(l.text) && space(l.text[at]) {
				at++
			}
		}
		if !bytes.HasPrefix(l.text[at:], []byte(word)) {
			return errLost
		}
		at += len(word)
	}
	n.end = at
	return nil
}

// quoteEnd finds the closing quote.
func (l *layout) quoteEnd(n *node, quote byte) error {
	n.quote = quote
	if n.body >= len(l.text) || l.text[n.body] != quote {
		return errLost
	}
	for at := n.body + 1; at < len(l.text); at++ {
		switch c := l.text[at]; {
		case c == '\\' && quote == '"':
			at++
		case c == quote && quote == '\'' && at+1 < len(l.text) && l.text[at+1] == quote:
			at++
		case c == quote:
			n.end = at + 1
			return nil
		}
	}
	return errLost
}

// blockEnd finds the end of a block scalar's last line, without its line
// break. Blank lines at its end count where the header keeps them.
func (l *layout) blockEnd(n *node, indent int) error {
	if n.body >= len(l.text) || l.text[n.body] != '|' && l.text[n.body] != '>' {
		return errLost
	}
	n.quote = l.text[n.body]
	header, _, _ := bytes.Cut(l.text[n.body:l.lineEnd(n.body)], []byte(" "))
	keep := bytes.ContainsRune(header, '+')
	explicit := bytes.ContainsAny(header, "123456789")
	n.end = l.lineEnd(n.body)
	content := 0
	for line := l.lineOf(n.body) + 1; line < len(l.lines); line++ {
		start := l.lines[line]
		text := l.text[start:l.lineEnd(start)]
		rest := bytes.TrimLeft(text, " ")
		if len(rest) == 0 {
			if keep && start < len(l.text) {
				n.end = l.lineEnd(start)
			}
			continue
		}
		spaces := len(text) - len(rest)
		if spaces <= indent || spaces < content {
			break
		}
		if content == 0 && !explicit {
			content = spaces
		}
		n.end = start + len(text)
	}
	return nil
}
