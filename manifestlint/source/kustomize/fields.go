package kustomize

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// span is a range in a file, from 1. The zero value is the beginning of the
// file.
type span struct{ line, column, endLine, endColumn int }

// parse parses the kustomization like kustomize, and finds the positions of the
// fields.
func (k *kustomization) parse() {
	defer func() {
		if r := recover(); r != nil {
			k.err = k.mistake(span{}, fmt.Sprintf("the kustomization cannot be read: %v", r))
		}
	}()
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(k.text)).Decode(&doc); err != nil {
		// The rule syntax reports this mistake for the file.
		k.err = k.mistake(lineOfError(err), "the kustomization does not parse: "+yamlText(err))
		k.err.reported = true
		return
	}
	k.places = newFields(&doc, k.text)
	// The build passes these parsed fields to kustomize, and not the text.
	if err := k.Unmarshal(k.text); err != nil {
		at, text := k.places.mistake(err)
		k.err = k.mistake(at, text)
		return
	}
	k.FixKustomization() // converts deprecated fields
	if err := k.CheckEmpty(); err != nil {
		k.err = k.mistake(span{}, "the kustomization is empty")
		return
	}
	if wrong := k.EnforceFields(); len(wrong) > 0 {
		k.err = k.mistake(k.places.span("apiVersion"), strings.Join(wrong, "; "))
	}
}

var (
	errorLine    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`line (\d+)`) })
	unknownField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`json: unknown field "(.*)"`) })
	wrongType    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`json: cannot unmarshal (\S+) into Go struct field \S*?\.?([A-Za-z0-9.]+) of type (\S+)`)
	})
)

func lineOfError(err error) span {
	if m := errorLine().FindStringSubmatch(err.Error()); m != nil {
		var line int
		fmt.Sscan(m[1], &line)
		return span{line: line, column: 1}
	}
	return span{}
}

func yamlText(err error) string {
	_, text, ok := strings.Cut(err.Error(), ": ")
	if !ok {
		return err.Error()
	}
	return text
}

// fields finds the positions of fields in the text of a kustomization.
type fields struct {
	root  *yaml.Node
	lines [][]byte
}

func newFields(doc *yaml.Node, text []byte) *fields {
	f := &fields{lines: bytes.Split(text, []byte{'\n'})}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) > 0 {
		f.root = unalias(doc.Content[0])
	}
	return f
}

// mistake returns the position and the message for a decoding error.
func (f *fields) mistake(err error) (span, string) {
	text := strings.TrimPrefix(err.Error(), "invalid Kustomization: ")
	if m := unknownField().FindStringSubmatch(text); m != nil {
		return f.key(f.root, m[1]), fmt.Sprintf("kustomize knows no field %q here", m[1])
	}
	if m := wrongType().FindStringSubmatch(text); m != nil {
		name := m[2][strings.LastIndexByte(m[2], '.')+1:]
		return f.key(f.root, name), fmt.Sprintf("kustomize wants another value for %s: %s, not %s", strings.TrimPrefix(m[2], "Kustomization."), plainType(m[3]), m[1])
	}
	return lineOfError(err), "the kustomization does not parse: " + text
}

// plainType returns the YAML name of a Go type, such as a list.
func plainType(t string) string {
	switch {
	case strings.HasPrefix(t, "[]"):
		return "a list"
	case strings.HasPrefix(t, "map["), strings.Contains(t, "types."):
		return "a map"
	case t == "string":
		return "text"
	}
	return t
}

// key returns the span of the first key with this name below a node.
func (f *fields) key(n *yaml.Node, name string) span {
	if n == nil {
		return span{}
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && strings.EqualFold(child.Value, name) {
			return f.spanOf(child)
		}
	}
	for _, child := range n.Content {
		if at := f.key(child, name); at.line > 0 {
			return at
		}
	}
	return span{}
}

// lookUp returns the value at a path of keys and list indices. It ignores the
// case of keys. If the value does not exist, it returns the last node that
// exists on the path, and false.
func (f *fields) lookUp(path ...any) (node *yaml.Node, ok bool) {
	if f == nil {
		return nil, false
	}
	node = f.root
	for _, step := range path {
		var next *yaml.Node
		switch step := step.(type) {
		case string:
			next = field(node, step)
		case int:
			if node != nil && node.Kind == yaml.SequenceNode && step < len(node.Content) {
				next = unalias(node.Content[step])
			}
		}
		if next == nil {
			return node, false
		}
		node = next
	}
	return node, node != nil
}

// span returns the span of the value that lookUp returns.
func (f *fields) span(path ...any) span {
	node, _ := f.lookUp(path...)
	if node == nil || f.root == node {
		return span{}
	}
	return f.spanOf(node)
}

// spanOf returns the span of a scalar. For a map or list, it is the span of the
// first character.
func (f *fields) spanOf(n *yaml.Node) span {
	s := span{n.Line, n.Column, n.Line, n.Column + 1}
	if n.Kind == yaml.ScalarNode {
		s.endLine, s.endColumn = tokenEnd(f.lines, n.Line, n.Column)
	}
	return s
}

// tokenEnd returns the end of the scalar that begins at a position. For a
// scalar of several lines, it is the end of the first line.
func tokenEnd(lines [][]byte, line, column int) (endLine, endColumn int) {
	if line < 1 || line > len(lines) {
		return line, column + 1
	}
	text := []rune(string(bytes.TrimRight(lines[line-1], " \t\r")))
	from := column - 1
	if from < 0 || from >= len(text) {
		return line, column + 1
	}
	rest := text[from:]
	switch quote := rest[0]; {
	case quote == '"' || quote == '\'':
		for i := 1; i < len(rest); i++ {
			switch {
			case quote == '"' && rest[i] == '\\':
				i++
			case rest[i] == quote && quote == '\'' && i+1 < len(rest) && rest[i+1] == quote:
				i++
			case rest[i] == quote:
				return line, column + i + 1
			}
		}
	default:
		for i := range rest {
			after := i+1 == len(rest) || rest[i+1] == ' ' || rest[i+1] == '\t'
			if rest[i] == ':' && after || rest[i] == '#' && i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t') || rest[i] == ',' && after {
				end := i
				for end > 1 && (rest[end-1] == ' ' || rest[end-1] == '\t') {
					end--
				}
				return line, column + max(end, 1)
			}
		}
	}
	return line, column + len(rest)
}

// field returns the value of a key of a mapping; nil for none. Like kustomize,
// it ignores the case of the key.
func field(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if strings.EqualFold(n.Content[i].Value, key) {
			return unalias(n.Content[i+1])
		}
	}
	return nil
}

// unalias returns the node that an alias refers to, or n if n is not an alias.
func unalias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// indentOf returns the indentation, in code points, of the first text after a
// block scalar's header. line is the line of the header, from 1.
func (f *fields) indentOf(line int) int {
	for ; line < len(f.lines); line++ {
		text := f.lines[line] // the next line, because line counts from 1
		if rest := bytes.TrimLeft(text, " "); len(bytes.TrimSpace(rest)) > 0 {
			return utf8.RuneCount(text) - utf8.RuneCount(rest)
		}
	}
	return 0
}
