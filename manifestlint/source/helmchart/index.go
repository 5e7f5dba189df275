package helmchart

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	chart "helm.sh/helm/v4/pkg/chart/v2"
)

// valuesIndex finds the values file and the line that contain a value. It is
// safe for concurrent use.
type valuesIndex struct {
	// paths has the path of each map and list in the merged values, by its
	// address.
	paths map[uintptr][]string
	// layers are the values files, the file with the highest precedence first.
	layers []*layer
}

// layer is a values file. A subchart's file has only a part of all values.
type layer struct {
	place  string
	prefix []string // path of the file's top level in the merged values
	text   []byte

	once  sync.Once
	roots []*yaml.Node
}

// maxIndexed is the largest number of maps and lists in the index.
const maxIndexed = 1 << 18

func newValuesIndex(c *Chart, b *built, v *Values, top any) *valuesIndex {
	x := &valuesIndex{paths: map[uintptr][]string{}}
	for i := len(v.files) - 1; i >= 0; i-- {
		x.layers = append(x.layers, &layer{place: v.files[i].place, text: v.files[i].text})
	}
	var add func(c *chart.Chart, prefix []string)
	add = func(c *chart.Chart, prefix []string) {
		if f := b.valuesFile(c); f != nil {
			x.layers = append(x.layers, &layer{place: f.place, prefix: prefix, text: f.data})
		}
		for _, d := range c.Dependencies() {
			add(d, append(prefix[:len(prefix):len(prefix)], d.Name()))
		}
	}
	add(b.chart, nil)
	x.add(top, nil)
	return x
}

func (b *built) valuesFile(c *chart.Chart) *file {
	f := b.folders[c]
	if f == nil { // Helm uses another copy of the chart
		place := b.place(c)
		for _, one := range b.folders {
			if one.place == place {
				f = one
			}
		}
	}
	if f != nil {
		for i := range f.files {
			if f.files[i].name == "values.yaml" {
				return &f.files[i]
			}
		}
	}
	return nil
}

func (x *valuesIndex) add(v any, path []string) {
	if len(x.paths) > maxIndexed {
		return
	}
	if table, ok := asMap(v); ok {
		if table == nil {
			return
		}
		id := reflect.ValueOf(table).Pointer()
		if _, twice := x.paths[id]; twice {
			return
		}
		x.paths[id] = path
		for k, e := range table {
			x.add(e, append(path[:len(path):len(path)], k))
		}
		return
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		x.paths[reflect.ValueOf(list).Pointer()] = path
		for i, e := range list {
			x.add(e, append(path[:len(path):len(path)], listIndex(i)))
		}
	}
}

// listIndex returns the path element for item i of a list, such as [3].
func listIndex(i int) string { return "[" + strconv.Itoa(i) + "]" }

func (x *valuesIndex) path(v any) ([]string, bool) {
	if table, ok := asMap(v); ok && table != nil {
		p, ok := x.paths[reflect.ValueOf(table).Pointer()]
		return p, ok
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		p, ok := x.paths[reflect.ValueOf(list).Pointer()]
		return p, ok
	}
	return nil, false
}

// location is the position of a value in a file, or of a part of a template.
type location struct {
	place              string
	line, column       int
	endLine, endColumn int
	block              *layer // the file, if the value is a literal block in it
}

// find returns the position of a value in the values files. It skips a file
// with another value at the path, because that value was overridden, for
// example with --set.
func (x *valuesIndex) find(path []string, value any) (location, bool) {
	for _, l := range x.layers {
		if s, ok := l.find(path, value); ok {
			return s, true
		}
		// Global values are passed to subcharts.
		for i := 1; i < len(path); i++ {
			if path[i] == "global" {
				if s, ok := l.find(path[i:], value); ok {
					return s, true
				}
			}
		}
	}
	return location{}, false
}

// findLine returns the position of one line of a multi-line value. line counts
// from 0.
func (x *valuesIndex) findLine(path []string, value string, line int) (location, bool) {
	s, ok := x.find(path, value)
	if !ok || s.block == nil {
		return s, ok
	}
	s.line += 1 + line
	text := []byte{}
	for n, rest := 1, s.block.text; n <= s.line && len(rest) > 0; n++ {
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	s.column = 1 + len(text) - len(bytes.TrimLeft(text, " "))
	s.endLine, s.endColumn = s.line, s.column
	return s, true
}

func (l *layer) find(path []string, value any) (location, bool) {
	if len(path) < len(l.prefix) {
		return location{}, false
	}
	for i, step := range l.prefix {
		if path[i] != step {
			return location{}, false
		}
	}
	l.once.Do(l.parse)
	for i := len(l.roots) - 1; i >= 0; i-- {
		if n := lookUp(l.roots[i], path[len(l.prefix):]); n != nil && hasValue(n, value) {
			s := location{place: l.place, line: n.Line, column: n.Column}
			if n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && !strings.Contains(n.Value, "\n") {
				width := len([]rune(n.Value))
				if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
					width += 2
				}
				s.endLine, s.endColumn = n.Line, n.Column+width
			}
			if n.Kind == yaml.ScalarNode && n.Style&yaml.LiteralStyle != 0 {
				s.block = l
			}
			return s, true
		}
	}
	return location{}, false
}

func (l *layer) parse() {
	d := yaml.NewDecoder(bytes.NewReader(l.text))
	for {
		n := &yaml.Node{}
		if d.Decode(n) != nil {
			return
		}
		if len(n.Content) == 1 {
			l.roots = append(l.roots, n.Content[0])
		}
	}
}

// lookUp returns the node at a path; nil if the path does not exist.
func lookUp(n *yaml.Node, path []string) *yaml.Node {
	for _, step := range path {
		if n = unalias(n); n == nil {
			return nil
		}
		var next *yaml.Node
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == step {
					next = n.Content[i+1]
				}
			}
		case yaml.SequenceNode:
			for i, item := range n.Content {
				if listIndex(i) == step {
					next = item
				}
			}
		}
		if next == nil {
			return nil
		}
		n = next
	}
	return n
}

func unalias(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// hasValue reports whether a YAML node has a value. All maps count as equal,
// and all lists.
func hasValue(n *yaml.Node, value any) bool {
	n = unalias(n)
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return n.Kind == yaml.ScalarNode && n.Value == value
	case []any:
		return n.Kind == yaml.SequenceNode
	default:
		if _, ok := asMap(value); ok {
			return n.Kind == yaml.MappingNode
		}
		if n.Kind != yaml.ScalarNode {
			return false
		}
		var read any
		if n.Decode(&read) != nil {
			return false
		}
		return fmt.Sprint(read) == fmt.Sprint(value)
	}
}

// pathAtLine returns the path of the value on a line of a YAML text. line
// counts from 0.
func pathAtLine(text string, line int) (path []string, ok bool) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil || len(doc.Content) != 1 {
		return nil, false
	}
	n := doc.Content[0]
	if n.Kind == yaml.ScalarNode {
		return nil, true
	}
	for {
		var next *yaml.Node
		var step string
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Line <= line+1 {
					next, step = n.Content[i+1], n.Content[i].Value
				}
			}
		case yaml.SequenceNode:
			for i, item := range n.Content {
				if item.Line <= line+1 {
					next, step = item, listIndex(i)
				}
			}
		}
		if next == nil {
			return path, len(path) > 0
		}
		path = append(path, step)
		if next.Line > line+1 || next.Kind == yaml.ScalarNode {
			return path, true
		}
		n = next
	}
}
