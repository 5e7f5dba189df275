package fix

import (
	"slices"

	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

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
	// flow is set for a map or list in brackets, and for all values in it.
	flow bool
	// quote is the first character of a quoted scalar or block scalar: ", ', | or
	// >. It is 0 for other nodes.
	quote byte
	// start is the offset of the value with its anchor and tag, and body without
	// them. end is the offset after the value. For an omitted value, all three
	// are the offset after the colon or dash.
	start, body, end int
	// anchor is the name of the value's anchor; "" for none.
	anchor  string
	entries []entry
}

type entry struct {
	// name is the field's name; "" for a key that package fix cannot edit.
	name string
	// start is the offset of a field's key or an item's dash. In brackets, an
	// item begins with its value. keyEnd is the offset after the colon or dash.
	start, keyEnd int
	value         *node
	// merge is set for the key <<. unusual is set for a field that package fix
	// cannot edit, such as a key after a question mark.
	merge, unusual bool
}

// end returns the offset after the entry's last character.
func (e *entry) end() int { return max(e.keyEnd, e.value.end) }

// empty reports whether the value is omitted in the text.
func (n *node) empty() bool { return n.shape == scalar && n.start == n.end }

func (n *node) isBlockScalar() bool { return n.quote == '|' || n.quote == '>' }

// hasAnchor reports whether the value, or a value in it, has an anchor.
func (n *node) hasAnchor() bool {
	return n.anchor != "" || slices.ContainsFunc(n.entries, func(e entry) bool { return e.value.hasAnchor() })
}

// hasAlias reports whether the value contains an alias or a merge key.
func (n *node) hasAlias() bool {
	return n.shape == alias || slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge || e.value.hasAlias() })
}

// layout is a parsed document: its text, its tree, and a node for each value of
// the tree.
type layout struct {
	text
	style
	// tree is the document as a client sends it, with all aliases and merge keys
	// resolved.
	tree *wire.Value
	root *node
}

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

func (l *layout) readJSON() (err error) {
	if l.tree, err = wire.JSON(l.src); err != nil {
		return refuse("%v", err)
	}
	b := builder{text: &l.text, json: true}
	if l.root, err = b.node(l.tree, -1, false); err == nil && b.unusual {
		err = errUnsupported // the tree has only one of two fields with the same key
	}
	return err
}

// readTree creates the nodes of the text from a tree. It returns false if this
// fails.
func (l *layout) readTree(tree *wire.Value) bool {
	if tree == nil {
		return false
	}
	b := builder{text: &l.text}
	root, err := b.node(tree, -1, false)
	l.tree, l.root = tree, root
	return err == nil && !b.unusual
}
