package kustomize

import (
	"strings"
	"unicode/utf8"

	yaml3 "go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// quoted are the styles of scalars that are text whatever they say.
const quoted = yaml3.SingleQuotedStyle | yaml3.DoubleQuotedStyle | yaml3.LiteralStyle | yaml3.FoldedStyle

// scalar tells what a scalar comes to once it was written and read again: text,
// or a word that is none.
func scalar(n *kyaml.Node) (text string, isText bool, err error) {
	if n.Style&kyaml.FoldedStyle != 0 && strings.Contains(strings.TrimRight(n.Value, "\n"), "\n") {
		return "", false, errUnusual // lines that are indented further
	}
	switch n.Tag {
	case "!!str":
		return n.Value, true, nil
	case "":
		if n.Style&quoted != 0 {
			return n.Value, true, nil
		}
	case "!!int", "!!bool", "!!null", "!!float":
		if resolved(n.Value) != n.Tag {
			return "", false, errUnusual
		}
		if n.Style&quoted != 0 {
			return n.Value, true, nil
		}
	default:
		return "", false, errUnusual
	}
	switch resolved(n.Value) {
	case "!!str":
		return n.Value, true, nil
	case "!!bool":
		return strings.ToLower(n.Value), false, nil
	case "!!null":
		return "null", false, nil
	case "!!int":
		digits := strings.TrimPrefix(n.Value, "-")
		if len(digits) > 0 && len(digits) < 18 && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || n.Value == "0") {
			return n.Value, false, nil
		}
	}
	return "", false, errUnusual
}

// resolved is the tag of a plain scalar.
func resolved(value string) string {
	return (&kyaml.Node{Kind: kyaml.ScalarNode, Value: value}).ShortTag()
}

// simple reports whether a word is written as it is, wherever it stands: it has
// only letters and what may follow them, and no other type.
func simple(word string) bool {
	if len(word) == 0 || len(word) > 100 {
		return false
	}
	for i := range len(word) {
		switch c := word[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '.' || c == '-' || c == '_' || c == '/'):
		default:
			return false
		}
	}
	return !typed(word)
}

// typed reports whether a word that begins with a letter may be of a type.
func typed(word string) bool {
	if len(word) > len("false") {
		return false
	}
	switch word[0] {
	case 'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O':
	default:
		return false
	}
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// printable reports whether a text has only characters that are written as they
// are, and breaks of lines.
func printable(text string) bool {
	ascii := true
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf {
			ascii = false
		} else if c < ' ' && c != '\n' || c == 0x7f {
			return false
		}
	}
	if ascii {
		return true
	}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
		case r < 0xa0, r == utf8.RuneError, r == 0x2028, r == 0x2029, r == 0xfeff, r > 0xfffd:
			return false
		}
	}
	return true
}

// width is where the library breaks lines.
const width = 80

// text writes a text.
func (e *emitter) text(s, key string, indent int) error {
	if simple(s) {
		e.out = append(e.out, s...)
		return nil
	}
	if !printable(s) {
		return errUnusual
	}
	if s == "" {
		e.out = append(e.out, `""`...)
		return nil
	}
	if strings.IndexByte(s, '\n') >= 0 {
		return e.lines(s, key, indent)
	}
	if strings.IndexByte("+-.0123456789~<=?:", s[0]) >= 0 || typed(s) {
		return e.word(s, key)
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' || strings.IndexByte("#,[]{}&*!|>'\"%@`", s[0]) >= 0 || s[len(s)-1] == ':' ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") {
		e.out = append(e.out, '\'')
		e.broken(s, indent+2, true)
		e.out = append(e.out, '\'')
		return nil
	}
	e.broken(s, indent+2, false)
	return nil
}

// broken writes a text as it is, or for single quotes, and breaks it at single
// spaces where the line is long.
func (e *emitter) broken(s string, indent int, quotes bool) {
	column, space := utf8.RuneCount(e.out[e.line:]), false
	for i, r := range s {
		if r == ' ' {
			if !space && column > width && i > 0 && i < len(s)-1 && s[i+1] != ' ' {
				e.end()
				e.indent(indent)
				column, space = indent, true
				continue
			}
			space = true
		} else {
			space = false
		}
		if r == '\'' && quotes {
			e.out = append(e.out, '\'')
			column++
		}
		e.out = utf8.AppendRune(e.out, r)
		column++
	}
}

// lines writes a text of several lines, where it is written as such.
func (e *emitter) lines(s, key string, indent int) error {
	if s[0] == ' ' || s[0] == '\n' || s[len(s)-1] == ' ' || strings.Contains(s, " \n") || strings.HasSuffix(s, "\n\n") {
		return errUnusual
	}
	e.out = append(e.out, '|')
	if s[len(s)-1] != '\n' {
		e.out = append(e.out, '-')
	}
	for rest := strings.TrimSuffix(s, "\n"); ; {
		line, more, found := strings.Cut(rest, "\n")
		e.end()
		if line != "" {
			e.indent(indent + 2)
			e.out = append(e.out, line...)
		}
		if !found {
			return nil
		}
		rest = more
	}
}
