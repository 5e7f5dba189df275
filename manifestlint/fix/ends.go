package fix

import "bytes"

// quoteEnd sets the end of a quoted scalar.
func (t *text) quoteEnd(n *node) error {
	for at := n.body + 1; at < len(t.src); at++ {
		switch c := t.src[at]; {
		case c == '\\' && n.quote == '"':
			at++
		case c == n.quote && c == '\'' && t.byteAt(at+1) == c:
			at++
		case c == n.quote:
			n.end = at + 1
			return nil
		}
	}
	return errUnsupported
}

// blockEnd sets the end of a block scalar to the end of its last line, without
// the line break. Blank lines at the end count only if the header keeps them.
// indent is the indentation of the block that contains the scalar.
func (t *text) blockEnd(n *node, indent int) {
	header, _, _ := bytes.Cut(t.src[n.body:t.lineEnd(n.body)], []byte(" "))
	keep := bytes.ContainsRune(header, '+')
	explicit := bytes.ContainsAny(header, "123456789")
	n.end = t.lineEnd(n.body)
	content := 0 // indentation of the first line of text
	for _, start := range t.lines[t.lineOf(n.body)+1:] {
		end := t.lineEnd(start)
		line := t.src[start:end]
		rest := bytes.TrimLeft(line, " ")
		if len(rest) == 0 {
			if keep && start < len(t.src) {
				n.end = end
			}
			continue
		}
		spaces := len(line) - len(rest)
		if spaces <= indent || spaces < content {
			break
		}
		if content == 0 && !explicit {
			content = spaces
		}
		n.end = end
	}
}
