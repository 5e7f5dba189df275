package fix

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// shape is the kind of a node.
type shape uint8

const (
	scalar shape = iota
	mapping
	sequence
	alias
)

// node is a value in the text.
type node struct {
	shape shape
	// flow is true for maps and lists in brackets, and for everything in them.
	flow bool
	// quote is the first character of a scalar in quotes or of a block scalar: ",
	// ', | or >. It is 0 for plain scalars.
	quote byte
	// start is the offset of the value with its anchor and tag, body the offset
	// without them, and end the offset behind its last character. All three of an
	// empty value are behind its colon or dash.
	start, body, end int
	// anchor is the name of the value's anchor.
	anchor  string
	entries []entry
}

// entry is a field of a map or an item of a list.
type entry struct {
	// name is the field's name. It is empty for keys that are not edited.
	name string
	// start is the offset of a field's key, of an item's dash or, in brackets, of
	// an item's value. keyEnd is behind the colon or dash.
	start, keyEnd int
	value         *node
	// merge is set for the key <<. unusual is set for fields that are not edited, such
	// as those with a question mark before their key.
	merge, unusual bool
}

// end returns the offset behind the entry's last character.
func (e *entry) end() int { return max(e.keyEnd, e.value.end) }

// empty reports whether nothing is written for the value.
func (n *node) empty() bool { return n.shape == scalar && n.start == n.end }

// block reports whether the value is a scalar in block style.
func (n *node) block() bool { return n.quote == '|' || n.quote == '>' }

// anchored reports whether the value or a value in it has an anchor.
func (n *node) anchored() bool {
	return n.anchor != "" || slices.ContainsFunc(n.entries, func(e entry) bool { return e.value.anchored() })
}

// aliased reports whether there is an alias or a merge key in the value.
func (n *node) aliased() bool {
	return n.shape == alias || slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge || e.value.aliased() })
}

// layout is a parsed document: its text, its tree, and the node of each value of
// the tree.
type layout struct {
	text
	style
	// tree is the document as a client sends it: aliases are followed and merge
	// keys applied.
	tree *wire.Value
	root *node
}

// layout parses a text.
func (d *Document) layout(src []byte) (*layout, error) {
	l := &layout{text: newText(src)}
	if err := d.read(l); err != nil {
		return nil, err
	}
	l.style = styleOf(&l.text, l.root)
	l.json = d.JSON
	return l, nil
}

// read sets the tree and the nodes of a layout.
func (d *Document) read(l *layout) (err error) {
	if d.JSON {
		return l.readJSON()
	}
	if tree, _ := yamltree.Read(l.src, 1); l.readTree(tree) {
		return nil
	}
	return l.readByLibrary()
}

// readJSON parses a JSON text.
func (l *layout) readJSON() (err error) {
	if l.tree, err = wire.JSON(l.src); err != nil {
		return refuse("%v", err)
	}
	b := builder{text: &l.text, json: true}
	if l.root, err = b.node(l.tree, -1, false); err == nil && b.unusual {
		err = errUnsupported // a key is set twice, and one of the values is not in the tree
	}
	return err
}

// readTree lays out the text by its tree, and reports whether it could.
func (l *layout) readTree(tree *wire.Value) bool {
	if tree == nil {
		return false
	}
	b := builder{text: &l.text}
	root, err := b.node(tree, -1, false)
	l.tree, l.root = tree, root
	return err == nil && !b.unusual
}
