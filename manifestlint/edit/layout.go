package edit

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// shape is what a node is in the source.
type shape uint8

const (
	scalar shape = iota
	mapping
	sequence
	alias
)

// node is a value in the source. Offsets are those of the text.
type node struct {
	shape shape
	// flow is set for maps and lists in brackets, and for all of JSON.
	flow bool
	// quote is how a scalar is written: 0 for a plain one, the quote, | or >.
	quote byte
	// start is where the value begins, with its anchor and tag, body where it
	// begins without them, and end is after its last character. An empty value
	// has all three behind the colon or dash.
	start, body, end int
	anchor           string
	tagged           bool
	entries          []entry
}

// entry is a field of a map or an item of a list.
type entry struct {
	// name is a field's; start is where its key begins, or an item's dash or,
	// in brackets, its value. keyEnd is after the key; of an item, the dash.
	name          string
	start, keyEnd int
	value         *node
	// merge is set for a << key, odd for what is written in a way that is not
	// edited, such as a key behind a question mark.
	merge, odd bool
}

// layout is where the tree of a document stands in its text.
type layout struct {
	text []byte
	json bool
	tree *wire.Value
	root *node
	// nl is the line break of new lines, step by how much a map in a map is
	// indented, dash by how much a list in a map is.
	nl         string
	step, dash int
	// quote is the quote of new strings that need one.
	quote byte
	lines []int // where lines begin
	// seen is the offset of a place that was asked for: most are asked for in
	// ascending order, and a line may be as long as the text.
	seen, seenLine, seenColumn int
}

// layout reads a text.
func (d Document) layout(text []byte) (*layout, error) {
	l := &layout{text: text, json: d.JSON, nl: "\n", step: 2, quote: '"'}
	l.lines = append(l.lines, 0)
	for i, c := range text {
		if c == '\n' {
			l.lines = append(l.lines, i+1)
		}
	}
	if crlf := bytes.Count(text, []byte("\r\n")); crlf > 0 && 2*crlf >= len(l.lines)-1 {
		l.nl = "\r\n"
	}
	if d.JSON {
		tree, err := wire.JSON(text)
		if err != nil {
			return nil, refuse("%v", err)
		}
		l.tree = tree
		l.root, err = l.fromJSON(tree)
		return l, err
	}
	if d.Tree != nil && l.fromTree(d.Tree(text)) {
		l.habits()
		return l, nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, refuse("%v", err)
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, refuse("the text is more than one document")
	}
	tree, _, err := wire.YAML(&doc, text, 1)
	if err != nil {
		return nil, refuse("%v", err)
	}
	if len(doc.Content) != 1 {
		return nil, refuse("the document is empty")
	}
	l.tree = tree
	if l.root, err = l.fromYAML(doc.Content[0], -1, false); err != nil {
		return nil, err
	}
	l.habits()
	return l, nil
}

// offset gives the offset of a line and a column in code points, from 1.
func (l *layout) offset(line, column int) (int, error) {
	if line < 1 || line > len(l.lines) || column < 1 {
		return 0, errLost
	}
	off, from := l.lines[line-1], 1
	if line == l.seenLine && column >= l.seenColumn {
		off, from = l.seen, l.seenColumn
	}
	for ; from < column; from++ {
		if off >= len(l.text) {
			return 0, errLost
		}
		_, size := utf8.DecodeRune(l.text[off:])
		off += size
	}
	l.seen, l.seenLine, l.seenColumn = off, line, column
	return off, nil
}

// errLost is the refusal of a text that the layout does not understand.
var errLost = &Refusal{"the text is written in a way that is not edited"}

// lineOf gives the index of the line that an offset is on.
func (l *layout) lineOf(off int) int {
	lo, hi := 0, len(l.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.lines[mid] <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// lineStart gives where the line of an offset begins, lineEnd where its text
// ends, without the line break, and nextLine where the next one begins.
func (l *layout) lineStart(off int) int { return l.lines[l.lineOf(off)] }

func (l *layout) lineEnd(off int) int {
	end := l.nextLine(off)
	if end > 0 && l.text[end-1] == '\n' && end > l.lineStart(off) {
		end--
		if end > l.lineStart(off) && l.text[end-1] == '\r' {
			end--
		}
	}
	return max(end, off)
}

func (l *layout) nextLine(off int) int {
	if n := l.lineOf(off) + 1; n < len(l.lines) {
		return l.lines[n]
	}
	return len(l.text)
}

// fromJSON gives the node of a JSON value, which knows where it ends. It asks
// for the places in the order of the text.
func (l *layout) fromJSON(v *wire.Value) (*node, error) {
	start, err := l.offset(v.Pos.Line, v.Pos.Column)
	if err != nil {
		return nil, err
	}
	n := &node{flow: true, start: start, body: start}
	switch v.Kind {
	case wire.Map:
		n.shape = mapping
		for i := range v.Fields {
			f := &v.Fields[i]
			e := entry{name: f.Name}
			if e.start, err = l.offset(f.Pos.Line, f.Pos.Column); err != nil {
				return nil, err
			}
			if e.keyEnd, err = l.offset(f.End.Line, f.End.Column); err != nil {
				return nil, err
			}
			if e.value, err = l.fromJSON(f.Value); err != nil {
				return nil, err
			}
			n.entries = append(n.entries, e)
		}
	case wire.List:
		n.shape = sequence
		for _, item := range v.Items {
			child, err := l.fromJSON(item)
			if err != nil {
				return nil, err
			}
			n.entries = append(n.entries, entry{start: child.start, keyEnd: child.start, value: child})
		}
	case wire.String:
		n.quote = '"'
	}
	if n.end, err = l.offset(v.End.Line, v.End.Column); err != nil {
		return nil, err
	}
	if n.shape == mapping && !l.commas(n) {
		return nil, errLost // a key is set twice: the first is in no tree
	}
	return n, nil
}

// commas reports whether nothing but a comma and white space is between the
// fields of a JSON map.
func (l *layout) commas(n *node) bool {
	at := n.start + 1
	for _, e := range n.entries {
		if e.start < at || len(bytes.Trim(l.text[at:e.start], " \t\r\n,")) > 0 {
			return false
		}
		at = e.value.end
	}
	return len(bytes.Trim(l.text[at:n.end-1], " \t\r\n,")) == 0
}

// fromYAML gives the node of a YAML value. indent is the column, from 0, of
// the block that holds it, and -1 for the root's.
func (l *layout) fromYAML(y *yaml.Node, indent int, flow bool) (*node, error) {
	start, err := l.offset(y.Line, y.Column)
	if err != nil {
		return nil, err
	}
	n := &node{flow: flow, start: start, body: start, anchor: y.Anchor, tagged: y.Style&yaml.TaggedStyle != 0}
	if n.anchor != "" || n.tagged {
		n.body = l.afterProperties(start, y)
	}
	switch y.Kind {
	case yaml.AliasNode:
		n.shape = alias
		n.end = start + 1 + len(y.Value)
		if n.end > len(l.text) || string(l.text[start:n.end]) != "*"+y.Value {
			return nil, errLost
		}
		return n, nil
	case yaml.ScalarNode:
		return n, l.scalarEnd(n, y, indent)
	case yaml.MappingNode:
		n.shape = mapping
	case yaml.SequenceNode:
		n.shape = sequence
	default:
		return nil, errLost
	}
	n.flow = flow || y.Style&yaml.FlowStyle != 0
	if err := l.children(n, y); err != nil {
		return nil, err
	}
	n.end = n.body
	if n.flow {
		return n, l.closing(n)
	}
	if len(n.entries) > 0 {
		last := n.entries[len(n.entries)-1]
		n.end = max(last.value.end, last.keyEnd)
	}
	return n, nil
}

// children gives a collection its entries.
func (l *layout) children(n *node, y *yaml.Node) error {
	column := n.body - l.lineStart(n.body)
	at := n.body
	if n.flow {
		at++
	}
	if n.shape == sequence {
		for _, child := range y.Content {
			e := entry{}
			var err error
			if !n.flow {
				if e.start, err = l.dashFrom(at); err != nil {
					return err
				}
				e.keyEnd = e.start + 1
			}
			if e.value, err = l.fromYAML(child, column, n.flow); err != nil {
				return err
			}
			if n.flow {
				e.start, e.keyEnd = e.value.start, e.value.start
				if child.Kind == yaml.MappingNode && (e.value.body >= len(l.text) || l.text[e.value.body] != '{') {
					return errLost // [a: b]
				}
			} else if e.value.empty() {
				e.value.start, e.value.body, e.value.end = e.keyEnd, e.keyEnd, e.keyEnd
			}
			at = max(at, e.keyEnd, e.value.end)
			n.entries = append(n.entries, e)
		}
		return nil
	}
	for i := 0; i+1 < len(y.Content); i += 2 {
		e, err := l.field(y.Content[i], y.Content[i+1], column, n.flow, at)
		if err != nil {
			return err
		}
		if e.odd && !e.merge && e.name == "" && n.flow {
			return errLost
		}
		at = max(at, e.keyEnd, e.value.end)
		n.entries = append(n.entries, e)
	}
	return nil
}

// field gives a field of a map. from is where it can begin at the earliest.
func (l *layout) field(key, val *yaml.Node, column int, flow bool, from int) (entry, error) {
	e := entry{}
	k, err := l.fromYAML(key, column, true)
	if err != nil {
		return e, err
	}
	e.start, e.keyEnd = k.start, k.end
	at := l.skip(from)
	if flow && at < len(l.text) && l.text[at] == ',' {
		at = l.skip(at + 1)
	}
	e.odd = k.shape != scalar || k.anchor != "" || k.tagged || at != e.start || k.quote == '|' || k.quote == '>'
	if !e.odd {
		e.name = key.Value
		if k.quote == 0 {
			kind, text := wire.Plain(key.Value)
			if e.name = text; kind == wire.Null {
				e.name = "null"
			}
			e.merge = key.Value == "<<"
		}
	}
	if e.value, err = l.fromYAML(val, column, flow); err != nil {
		return e, err
	}
	l.colon(&e, flow)
	return e, nil
}

// colon finds the colon of a field, whose key ends at keyEnd.
func (l *layout) colon(e *entry, flow bool) {
	colon := e.keyEnd
	for colon < len(l.text) && (l.text[colon] == ' ' || l.text[colon] == '\t') {
		colon++
	}
	switch {
	case colon < len(l.text) && l.text[colon] == ':':
		e.keyEnd = colon + 1
		if e.value.empty() {
			e.value.start, e.value.body, e.value.end = e.keyEnd, e.keyEnd, e.keyEnd
		}
	case flow && e.value.empty(): // {a, b}
		e.odd = true
		e.value.start, e.value.body, e.value.end = e.keyEnd, e.keyEnd, e.keyEnd
	default:
		e.odd = true
	}
}

// empty reports whether nothing is written where the value is.
func (n *node) empty() bool {
	return n.shape == scalar && n.quote == 0 && n.body == n.end && n.anchor == "" && !n.tagged
}

// dashFrom finds the dash of the next item.
func (l *layout) dashFrom(at int) (int, error) {
	for at < len(l.text) {
		switch c := l.text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#':
			at = l.nextLine(at)
		case c == '-':
			return at, nil
		default:
			return 0, errLost
		}
	}
	return 0, errLost
}

// afterProperties gives where a value begins behind its anchor and its tag.
func (l *layout) afterProperties(at int, y *yaml.Node) int {
	for at < len(l.text) && (l.text[at] == '&' || l.text[at] == '!') {
		for at < len(l.text) && !space(l.text[at]) && !(y.Kind == yaml.ScalarNode && bytes.IndexByte([]byte(",]}"), l.text[at]) >= 0) {
			at++
		}
		if next := l.skip(at); next < len(l.text) {
			if y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&^yaml.TaggedStyle == 0 {
				if l.text[next] != '&' && l.text[next] != '!' {
					return at
				}
			}
			at = next
		} else {
			return at
		}
	}
	return at
}

// skip passes over white space and comments.
func (l *layout) skip(at int) int {
	for at < len(l.text) {
		switch {
		case space(l.text[at]):
			at++
		case l.text[at] == '#' && (at == 0 || space(l.text[at-1])):
			at = l.nextLine(at)
		default:
			return at
		}
	}
	return at
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// closing finds the bracket that ends a flow collection.
func (l *layout) closing(n *node) error {
	want := byte('}')
	if n.shape == sequence {
		want = ']'
	}
	at := n.body + 1
	if len(n.entries) > 0 {
		last := n.entries[len(n.entries)-1]
		at = max(last.keyEnd, last.value.end)
	}
	if at = l.skip(at); at < len(l.text) && l.text[at] == ',' {
		at = l.skip(at + 1)
	}
	if at >= len(l.text) || l.text[at] != want {
		return errLost
	}
	n.end = at + 1
	return nil
}
