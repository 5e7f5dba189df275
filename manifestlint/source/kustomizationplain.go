package source

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// plainYAML reads the YAML that nearly all kustomizations are written in: block
// mappings and sequences, scalars on one line, literal block scalars, comments,
// in ASCII. It takes a tenth of the time that the library does, and gives up on
// whatever it is not sure of. What it makes of the rest has the kinds, values
// and contents that the library's nodes have, and nothing else.
type plainYAML struct {
	// rest is the text behind the line that is looked at.
	rest string
	// indent and text are that line's, without spaces and comment lines; text is
	// empty at the end. cut is set if there is no line break behind it.
	indent int
	text   string
	cut    bool
	depth  int
	// irregular is set once something is left to the library.
	irregular bool
}

// plainDepth is more than a kustomization ever needs.
const plainDepth = 40

// parsePlain returns the mapping that the text is; nil if it is something else
// or irregular.
func parsePlain(text string) *yaml.Node {
	for i := range len(text) {
		if c := text[i]; c != '\n' && (c < ' ' || c > '~') {
			return nil
		}
	}
	p := &plainYAML{rest: text}
	p.next()
	if p.text == "---" && p.indent == 0 {
		p.next()
	}
	if p.text == "" || p.indent > 0 {
		return nil
	}
	root := p.mapping(0)
	if p.irregular || p.text != "" {
		return nil
	}
	return root
}

// next goes to the next line that is neither empty nor a comment.
func (p *plainYAML) next() {
	for {
		line, rest, found := strings.Cut(p.rest, "\n")
		p.rest, p.cut = rest, !found
		p.text = strings.TrimLeft(line, " ")
		p.indent = len(line) - len(p.text)
		p.text = strings.TrimRight(p.text, " ")
		if p.text != "" && p.text[0] != '#' {
			// Marks of documents and directives.
			if p.indent == 0 && (strings.HasPrefix(p.text, "...") || p.text[0] == '%' ||
				strings.HasPrefix(p.text, "---") && p.text != "---") {
				p.irregular = true
			}
			return
		}
		if !found {
			p.text, p.indent = "", -1
			return
		}
	}
}

func (p *plainYAML) fail() *yaml.Node {
	p.irregular = true
	return &yaml.Node{Kind: yaml.ScalarNode}
}

// item reports whether the line begins an item of a sequence.
func (p *plainYAML) item() bool { return p.text == "-" || strings.HasPrefix(p.text, "- ") }

// block reads the mapping or sequence that begins with the line.
func (p *plainYAML) block() *yaml.Node {
	if p.depth++; p.depth > plainDepth {
		return p.fail()
	}
	defer func() { p.depth-- }()
	if p.item() {
		return p.sequence(p.indent)
	}
	return p.mapping(p.indent)
}

// mapping reads the entries that stand at an indent.
func (p *plainYAML) mapping(indent int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Content: make([]*yaml.Node, 0, 8)}
	for !p.irregular && p.text != "" && p.indent == indent {
		key, value, ok := plainKey(p.text)
		if !ok {
			if p.item() && len(n.Content) > 0 {
				return n // of a sequence that this mapping is an item of, or a mistake
			}
			return p.fail()
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key})
		switch {
		case value != "":
			n.Content = append(n.Content, p.value(value, indent))
		default:
			p.next()
			if p.indent > indent || p.indent == indent && p.item() {
				n.Content = append(n.Content, p.block())
			} else {
				n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode})
			}
		}
	}
	if p.indent > indent {
		return p.fail()
	}
	return n
}

// sequence reads the items that stand at an indent.
func (p *plainYAML) sequence(indent int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Content: make([]*yaml.Node, 0, 8)}
	for !p.irregular && p.indent == indent && p.item() {
		value := strings.TrimLeft(p.text[1:], " ")
		switch {
		case value == "" || value[0] == '#':
			p.next()
			if p.indent > indent {
				n.Content = append(n.Content, p.block())
			} else {
				n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode})
			}
		default:
			if _, _, ok := plainKey(value); ok {
				p.indent += len(p.text) - len(value)
				p.text = value
				n.Content = append(n.Content, p.block())
			} else {
				n.Content = append(n.Content, p.value(value, indent))
			}
		}
	}
	if p.indent > indent {
		return p.fail()
	}
	return n
}

// plainKey splits a line at the colon behind its key. The value is without
// comment.
func plainKey(line string) (key, value string, ok bool) {
	end := 0
	for end < len(line) && (isAlphanumeric(line[end]) || end > 0 && strings.IndexByte("_./-", line[end]) >= 0) {
		end++
	}
	const longest = 200 // of the library's 1,024
	if end == 0 || end > longest || end == len(line) || line[end] != ':' {
		return "", "", false
	}
	value = line[end+1:]
	if value != "" && value[0] != ' ' {
		return "", "", false
	}
	value = strings.TrimLeft(value, " ")
	if value != "" && value[0] == '#' {
		value = ""
	}
	return line[:end], value, true
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// value reads what stands behind a key or dash at an indent, and goes to the
// line behind it.
func (p *plainYAML) value(text string, indent int) *yaml.Node {
	if c := text[0]; c == '|' {
		return p.literal(text, indent)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch c := text[0]; {
	case c == '\'' || c == '"':
		end := strings.IndexByte(text[1:], c)
		if end < 0 {
			return p.fail()
		}
		n.Value = text[1 : 1+end]
		text = text[2+end:]
		// No escapes, no quotes within, and nothing but a comment behind it.
		if strings.IndexByte(n.Value, '\\') >= 0 || text != "" && !strings.HasPrefix(strings.TrimLeft(text, " "), "#") || strings.HasPrefix(text, "#") {
			return p.fail()
		}
	case text == "[]":
		n.Kind = yaml.SequenceNode
	case text == "{}":
		n.Kind = yaml.MappingNode
	case isAlphanumeric(c) || strings.IndexByte("_./$+(=^~", c) >= 0:
		if comment := strings.Index(text, " #"); comment >= 0 {
			text = strings.TrimRight(text[:comment], " ")
		}
		if strings.Contains(text, ": ") || text[len(text)-1] == ':' {
			return p.fail()
		}
		n.Value = text
	default:
		return p.fail()
	}
	p.next()
	if p.indent > indent { // the scalar goes on
		return p.fail()
	}
	return n
}

// literal reads a literal block scalar whose header is given.
func (p *plainYAML) literal(header string, indent int) *yaml.Node {
	if header != "|" && header != "|-" || p.cut {
		return p.fail()
	}
	var value strings.Builder
	inner, blank := -1, 0
	for {
		line, rest, found := strings.Cut(p.rest, "\n")
		content := strings.TrimLeft(line, " ")
		at := len(line) - len(content)
		switch {
		case content == "" && inner < 0:
			return p.fail() // empty lines first
		case content == "" && (!found || at <= inner):
			blank++
		case at <= indent || inner >= 0 && at < inner:
			if inner < 0 {
				return p.fail()
			}
			if at > indent && content[0] != '#' {
				return p.fail() // between the two
			}
			p.next()
			if p.indent > indent {
				return p.fail()
			}
			return p.chomped(&value, header)
		default:
			if inner < 0 {
				inner = at
			}
			if !found {
				return p.fail() // no line break at the end
			}
			for ; blank > 0; blank-- {
				value.WriteByte('\n')
			}
			value.WriteString(line[inner:])
			value.WriteByte('\n')
		}
		if !found {
			p.rest, p.text, p.indent = "", "", -1
			return p.chomped(&value, header)
		}
		p.rest = rest
	}
}

func (p *plainYAML) chomped(value *strings.Builder, header string) *yaml.Node {
	text := value.String()
	if header == "|-" {
		text = strings.TrimRight(text, "\n")
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
}
