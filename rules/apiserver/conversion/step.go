package conversion

import (
	"fmt"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Op is the kind of a Step. A step with the zero Op cannot be applied.
type Op uint8

// The operations.
const (
	// Set sets the value at Path. Missing maps on the way are created. A missing
	// list is created if the next segment is item 0. The index after the last
	// item appends an item. A null counts as missing.
	Set Op = iota + 1
	// Delete removes the field or the item at Path, if it exists. The map or list
	// around it stays, even if it is empty then.
	Delete
	// Move moves the field or the item at Path to To, which must be missing or
	// null. To is a path in the object after the value at Path is removed.
	// Missing parents are created as for Set. If Value is set, it is written to
	// To instead of the moved value.
	Move
	// Copy is like Move but does not remove the value at Path.
	Copy
	// Rename renames the field at Path to Name, which the map must not have yet.
	// The field keeps its place in the source.
	Rename
)

var opNames = [...]string{Set: "set", Delete: "delete", Move: "move", Copy: "copy", Rename: "rename"}

// String returns the operation as a verb.
func (o Op) String() string {
	if int(o) < len(opNames) && opNames[o] != "" {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// Step is one change of an object. Steps are applied in order. The paths of a
// step refer to the object after all earlier steps.
type Step struct {
	Op Op
	// Path is the value to change.
	Path Path
	// To is the destination of Move and Copy.
	To Path
	// Name is the new name of Rename.
	Name string
	// Value is the value that Set writes. If it is not nil, Move and Copy write
	// it instead of the value at Path. The positions in Value are ignored.
	Value *wire.Value
	// Before is the name of the field in front of which a new field is written in
	// the source. If it is empty, or if there is no such field, the new field
	// comes last. The object does not depend on Before.
	Before string
}

// String returns the step in words, such as "set spec.rules" or "move a to b".
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
	// Name is the name of a field. It is used if Item is false.
	Name string
	// Index is the index of an item. It is used if Item is true.
	Index int
	Item  bool
}

// Path leads from the root of an object to a value. The empty Path is the root.
type Path []Segment

// Fields returns a path of field names.
func Fields(names ...string) Path { return Path(nil).Field(names...) }

// Field returns the path followed by names. It does not change p.
func (p Path) Field(names ...string) Path {
	q := make(Path, len(p), len(p)+len(names))
	copy(q, p)
	for _, n := range names {
		q = append(q, Segment{Name: n})
	}
	return q
}

// Item returns the path followed by an index. It does not change p.
func (p Path) Item(index int) Path {
	q := make(Path, len(p)+1)
	copy(q, p)
	q[len(p)] = Segment{Index: index, Item: true}
	return q
}

// Parent returns the path without its last segment. The parent of the root is the
// root.
func (p Path) Parent() Path { return p[:max(0, len(p)-1)] }

// Last returns the last segment, or the zero Segment for the root.
func (p Path) Last() Segment {
	if len(p) == 0 {
		return Segment{}
	}
	return p[len(p)-1]
}

// String returns the path in the server's notation: spec.rules[0].http.
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

// Value returns the value at the path below v, or nil.
func (p Path) Value(v *wire.Value) *wire.Value {
	for _, s := range p {
		v = child(v, s)
	}
	return v
}

func child(v *wire.Value, s Segment) *wire.Value {
	if !s.Item {
		return v.Get(s.Name)
	}
	if v == nil || v.Kind != wire.List || s.Index < 0 || s.Index >= len(v.Items) {
		return nil
	}
	return v.Items[s.Index]
}
