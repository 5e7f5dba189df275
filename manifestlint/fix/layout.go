package fix

import (
	"bytes"
	"errors"
	"io"

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
	// own says that its value in the tree is the layout's, to be changed.
	own     bool
	entries []entry
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
	habits
	lines    []int // where lines begin
	lastLine int   // the index of the one that was asked for last
	// ascii says that the text is ASCII, so that columns are bytes.
	ascii bool
	// before is how many lines the places of the tree count before the text.
	before int
	// seen is the offset of a place that was asked for: most are asked for in
	// ascending order, and a line may be as long as the text.
	seen, seenLine, seenColumn int
	// plain says that there are no anchors, aliases, merge keys and complex keys.
	plain bool
	// parsed says that the parser told where what stands; else who gave the tree
	// did. oddLines says that it counts lines that end in something else.
	parsed, oddLines bool
	room             *room
}

// layout reads a text.
func (d *Document) layout(text []byte, r *room) (*layout, error) {
	l := newLayout(text, d.JSON, r)
	return l, l.read(d)
}

func newLayout(text []byte, json bool, r *room) *layout {
	l := &layout{text: text, json: json, nl: "\n", step: 2, quote: '"', lines: r.lines[:0], ascii: isASCII(text), room: r}
	l.lines = appendLines(append(l.lines, 0), text, 0)
	r.lines = l.lines
	l.breaks()
	return l
}

// read lays out the text.
func (l *layout) read(d *Document) error {
	text := l.text
	if d.JSON {
		tree, err := wire.JSON(text)
		if err != nil {
			return refuse("%v", err)
		}
		l.tree = tree
		l.root, err = l.fromJSON(tree)
		return err
	}
	if d.Tree != nil && l.fromTree(d.Tree(text), 1) {
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return refuse("%v", err)
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return refuse("the text is more than one document")
	}
	tree, _, err := wire.YAML(&doc, text, 1)
	if err != nil {
		return refuse("%v", err)
	}
	if len(doc.Content) != 1 {
		return refuse("the document is empty")
	}
	l.tree = tree
	if l.root, err = l.fromYAML(doc.Content[0], -1, false); err != nil {
		return err
	}
	l.plain, l.parsed, l.oddLines = l.root.plain(), true, oddLines(text)
	l.tally(l.root, 1)
	l.settle()
	return nil
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
