package fix

import (
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// content is what is written somewhere: a value, text that is moved, or a
// collection around one of them.
type content struct {
	value *wire.Value
	// frag is the text of value in the source; nil: it is written anew.
	frag *fragment
	// child makes it a map with the one field name or, as a list, with the one
	// item.
	child *content
	name  string
	list  bool
}

// under gives the content with the collections around it that a path names.
func (c *content) under(p conversion.Path) *content {
	for i := len(p) - 1; i >= 0; i-- {
		c = &content{child: c, name: p[i].Name, list: p[i].Item}
	}
	return c
}

// isScalar reports whether it is a value that is no collection, written anew.
func (c *content) isScalar() bool {
	return c.child == nil && c.frag == nil && c.value.Kind != wire.Map && c.value.Kind != wire.List
}

// fragment is the text of a value that is moved.
type fragment struct {
	// lines begin with the value's first character; those after the first
	// have lost the indentation of what they stood in.
	lines []string
	// block says that it is a map or list in block style, and of which shape.
	block bool
	shape shape
	// flow says that it stood in brackets.
	flow bool
	// relative is how far a block was indented from its key.
	relative int
	// field says that it was a map's field.
	field bool
	// head are the comments above it, lead the one on the line of its key, and
	// trail the one behind a value on one line, with the space before it.
	head        []string
	lead, trail string
	// commented says that there are comments in the lines.
	commented bool
	// quote and plain are those of a scalar.
	quote byte
	plain bool
}
