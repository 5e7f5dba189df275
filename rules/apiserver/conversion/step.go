package conversion

import (
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Op is what a Step does to an object. The zero Op does nothing and is an
// error to apply.
type Op uint8

// The operations.
const (
	// Set gives the value at Path a new value. What is missing on the way is
	// made: maps, and a list where its item 0 is meant. The item after a
	// list's last is appended to it. An explicit null counts as missing.
	Set Op = iota + 1
	// Delete takes out the field or the item at Path; what is absent already
	// is no mistake. The map or list that held it stays, even if it is empty.
	Delete
	// Move takes the field or the item at Path out and puts it to To, which
	// must be free: absent or null. To is followed after Path is taken out,
	// and what is missing on the way is made as for Set. With a Value, that is
	// what stands there afterwards, in the place of the old one.
	Move
	// Copy is Move, but what is at Path stays.
	Copy
	// Rename gives the field at Path the name Name, which must be free in its
	// map. The field stays where it is in the source.
	Rename
)

var opNames = [...]string{Set: "set", Delete: "delete", Move: "move", Copy: "copy", Rename: "rename"}

// String gives the operation as a verb.
func (o Op) String() string {
	if int(o) < len(opNames) && opNames[o] != "" {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// Step is one change of an object. Steps are made in order: the paths of each
// are those of the tree that the ones before it leave.
type Step struct {
	Op Op
	// Path is what is changed.
	Path Path
	// To is where Move and Copy put it; nil for the others.
	To Path
	// Name is the new name that Rename gives; empty for the others.
	Name string
	// Value is what Set puts there, and Move and Copy instead of what they
	// find; nil: what they find. Its positions do not count.
	Value *wire.Value
	// Before is the name of a field in the same map before which a field that
	// is new in the source is written; where it is empty or there is no such
	// field, it is written where its siblings suggest. It says nothing about
	// the object.
	Before string
}

// String gives the step as a short sentence for people.
func (s Step) String() string {
	switch s.Op {
	case Move, Copy:
		return fmt.Sprintf("%s %s to %s", s.Op, s.Path, s.To)
	case Rename:
		return fmt.Sprintf("rename %s to %s", s.Path, s.Name)
	}
	return fmt.Sprintf("%s %s", s.Op, s.Path)
}

// Segment is one name or index of a Path.
type Segment struct {
	// Name is a field's name; it counts where Item is false.
	Name string
	// Index is an item's, from 0; it counts where Item is true.
	Index int
	Item  bool
}

// Path leads from the root of an object to a value in it. The empty Path is
// the root.
type Path []Segment

// Fields gives the path of names from the root.
func Fields(names ...string) Path { return Path(nil).Field(names...) }

// Field gives the path that goes on with names. The receiver is not changed.
func (p Path) Field(names ...string) Path {
	q := make(Path, len(p), len(p)+len(names))
	copy(q, p)
	for _, n := range names {
		q = append(q, Segment{Name: n})
	}
	return q
}

// Item gives the path that goes on with the item of a list. The receiver is
// not changed.
func (p Path) Item(index int) Path {
	q := make(Path, len(p)+1)
	copy(q, p)
	q[len(p)] = Segment{Index: index, Item: true}
	return q
}

// Parent gives the path without its last segment; of the root, the root.
func (p Path) Parent() Path { return p[:max(0, len(p)-1)] }

// Last gives the last segment; of the root, the zero Segment.
func (p Path) Last() Segment {
	if len(p) == 0 {
		return Segment{}
	}
	return p[len(p)-1]
}

// String gives the path in the server's notation: spec.rules[0].http.
func (p Path) String() string {
	text := ""
	for _, s := range p {
		if s.Item {
			text += "[" + strconv.Itoa(s.Index) + "]"
		} else {
			text = wire.Join(text, s.Name)
		}
	}
	return text
}

// Value follows the path from a value; nil where it leads nowhere.
func (p Path) Value(v *wire.Value) *wire.Value {
	for _, s := range p {
		v = child(v, s)
	}
	return v
}

// child gives a field's or an item's value, or nil.
func child(v *wire.Value, s Segment) *wire.Value {
	if !s.Item {
		return v.Get(s.Name)
	}
	if v == nil || v.Kind != wire.List || s.Index < 0 || s.Index >= len(v.Items) {
		return nil
	}
	return v.Items[s.Index]
}
