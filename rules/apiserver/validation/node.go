package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// node is a value of the object with its path in the server's notation. An
// absent or null value is a node too, with the same accessors.
type node struct {
	v *wire.Value // nil if the field is absent
	// owner is the nearest value that is present, for the place of a finding.
	owner *wire.Value
	p     *path
}

// path is the way to a value. Its text is only built for errors.
type path struct {
	parent *path
	name   string
	sort   pathSort
	index  int
}

type pathSort uint8

const (
	fieldSort pathSort = iota
	indexSort
	keySort
)

// String re-states (*Path).String of k8s.io/apimachinery/pkg/util/validation/field.
func (p *path) String() string {
	var steps []*path
	for q := p; q != nil; q = q.parent {
		steps = append(steps, q)
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		switch q := steps[i]; q.sort {
		case indexSort:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(q.index))
			b.WriteByte(']')
		case keySort:
			b.WriteByte('[')
			b.WriteString(q.name)
			b.WriteByte(']')
		default:
			if b.Len() > 0 && q.name != "" {
				b.WriteByte('.')
			}
			b.WriteString(q.name)
		}
	}
	return b.String()
}

func (p *path) child(name string) *path { return &path{parent: p, name: name} }
func (p *path) at(i int) *path          { return &path{parent: p, sort: indexSort, index: i} }
func (p *path) key(k string) *path      { return &path{parent: p, name: k, sort: keySort} }

// nowhere is how the server writes field.NewPath("").
var nowhere = &path{sort: keySort}

// root is the object itself, whose path is empty.
func root(v *wire.Value) node { return node{v: v, owner: v, p: &path{}} }

// get returns a field.
func (n node) get(name string) node { return n.named(name, name) }

// named returns a field that has another name in the server's path.
func (n node) named(field, name string) node {
	c := node{v: n.v.Get(field), owner: n.owner, p: n.p.child(name)}
	if c.v != nil {
		c.owner = c.v
	}
	return c
}

// at returns a field of a field.
func (n node) at(names ...string) node {
	for _, name := range names {
		n = n.get(name)
	}
	return n
}

// as returns the same value with another path.
func (n node) as(p *path) node { n.p = p; return n }

// item returns an element of a list.
func (n node) item(i int) node {
	return node{v: n.v.Items[i], owner: n.v.Items[i], p: n.p.at(i)}
}

// without returns the same field as if it were absent.
func (n node) without() node { n.v = nil; return n }

// there reports whether the value is neither absent nor null.
func (n node) there() bool { return !n.v.IsNull() }

func (n node) has(name string) bool { return !n.v.Get(name).IsNull() }

// text returns a string's value, or "" if n is not a string.
func (n node) text() string { return n.v.StringOr("") }

// str returns the text of a field.
func (n node) str(name string) string { return n.v.Get(name).StringOr("") }

// strOr returns the text of a field, or a default if it is empty.
func (n node) strOr(name, or string) string {
	if s := n.str(name); s != "" {
		return s
	}
	return or
}

// number returns an integer's value. ok is false if n is not an integer.
func (n node) number() (i int64, ok bool) { return n.v.Int() }

// num returns an integer field's value, or a default if it is absent.
func (n node) num(name string, or int64) int64 {
	if i, ok := n.v.Get(name).Int(); ok {
		return i
	}
	return or
}

// truth reports whether n is true.
func (n node) truth() bool { return n.v.IsTrue() }

func (n node) is(name string) bool { return n.v.Get(name).IsTrue() }

// items yields the elements of a list.
func (n node) items(yield func(int, node) bool) {
	if n.v == nil || n.v.Kind != wire.List {
		return
	}
	for i := range n.v.Items {
		if !yield(i, n.item(i)) {
			return
		}
	}
}

// length returns the number of elements of a list or entries of a map.
func (n node) length() int {
	switch {
	case n.v == nil:
		return 0
	case n.v.Kind == wire.List:
		return len(n.v.Items)
	case n.v.Kind == wire.Map:
		return len(n.v.Fields)
	}
	return 0
}

// entries yields the entries of a map in the order of the document. The server
// ranges over its maps in random order.
func (n node) entries(yield func(string, node) bool) {
	if n.v == nil || n.v.Kind != wire.Map {
		return
	}
	for i := range n.v.Fields {
		f := &n.v.Fields[i]
		value := node{v: f.Value, owner: n.owner, p: n.p}
		if f.Value != nil {
			value.owner = f.Value
		}
		if !yield(f.Name, value) {
			return
		}
	}
}

// texts returns the strings of a list.
func (n node) texts() []string { return n.v.Strings() }
