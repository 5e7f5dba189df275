package validation

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// node is a value of the object with its place in the server's notation. What
// is absent or null is a node too, with the same accessors.
type node struct {
	v *wire.Value // nil where the field is absent
	// owner is the nearest value that is there, to blame where v is not.
	owner *wire.Value
	p     *path
}

// path is the way to a value. Its text is made only for errors.
type path struct {
	parent *path
	name   string
	sort   pathSort
	index  int
	pool   *pathPool
}

// pathPool has room for the paths of one object: there is one for each field
// that is looked at, and hardly ever an error that tells one.
type pathPool struct {
	left  []path // of the slab in use
	slabs [][]path
	used  int // how many of them
}

// pathSlab is how many paths a slab has room for.
const pathSlab = 64

// pathPools are those that no object needs at the moment.
var pathPools = sync.Pool{New: func() any { return new(pathPool) }}

// borrowPaths gives a pool for the paths of one object. Nobody may have one of
// them when it is given back.
func borrowPaths() *pathPool { return pathPools.Get().(*pathPool) }

func (pool *pathPool) giveBack() {
	const kept = 64 // slabs, which are a few hundred kilobytes
	if len(pool.slabs) > kept {
		pool.slabs = slices.Delete(pool.slabs, kept, len(pool.slabs))
	}
	pool.left, pool.used = nil, 0
	pathPools.Put(pool)
}

// step gives a path below another one.
func (p *path) step(name string, sort pathSort, index int) *path {
	var pool *pathPool
	if p != nil {
		pool = p.pool
	}
	made := pool.take()
	made.parent, made.name, made.sort, made.index, made.pool = p, name, sort, index, pool
	return made
}

// take gives room for a path; what is there is another object's.
func (pool *pathPool) take() *path {
	if pool == nil {
		return new(path)
	}
	if len(pool.left) == 0 {
		pool.more()
	}
	made := &pool.left[0]
	pool.left = pool.left[1:]
	return made
}

func (pool *pathPool) more() {
	if pool.used == len(pool.slabs) {
		pool.slabs = append(pool.slabs, make([]path, pathSlab))
	}
	pool.left = pool.slabs[pool.used]
	pool.used++
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

func (p *path) child(name string) *path { return p.step(name, fieldSort, 0) }
func (p *path) at(i int) *path          { return p.step("", indexSort, i) }
func (p *path) key(k string) *path      { return p.step(k, keySort, 0) }

// nowhere is how the server writes field.NewPath("").
var nowhere = &path{sort: keySort}

// root is the object itself, whose path has no text.
func root(v *wire.Value) node { return node{v: v, owner: v, p: top} }

// top is the path of an object whose fields' paths are made one by one.
var top = &path{}

// root is the object itself, whose fields' paths are the pool's.
func (pool *pathPool) root(v *wire.Value) node {
	p := pool.take()
	*p = path{pool: pool}
	return node{v: v, owner: v, p: p}
}

// get gives a field.
func (n node) get(name string) node { return n.named(name, name) }

// named gives a field that the server's path calls otherwise.
func (n node) named(field, name string) node {
	c := node{v: n.v.Get(field), owner: n.owner, p: n.p.child(name)}
	if c.v != nil {
		c.owner = c.v
	}
	return c
}

// at gives a field of a field.
func (n node) at(names ...string) node {
	for _, name := range names {
		n = n.get(name)
	}
	return n
}

// as is the same value under another path.
func (n node) as(p *path) node { n.p = p; return n }

// item gives an element of a list.
func (n node) item(i int) node {
	return node{v: n.v.Items[i], owner: n.v.Items[i], p: n.p.at(i)}
}

// without is the same field as if it were absent.
func (n node) without() node { n.v = nil; return n }

// there reports whether the value is neither absent nor null.
func (n node) there() bool { return !n.v.IsNull() }

func (n node) has(name string) bool { return !n.v.Get(name).IsNull() }

// text is a string's value, and "" where there is none.
func (n node) text() string { return n.v.StringOr("") }

// str is the text of a field.
func (n node) str(name string) string { return n.v.Get(name).StringOr("") }

// strOr is the text of a field that has a default where it is empty.
func (n node) strOr(name, or string) string {
	if s := n.str(name); s != "" {
		return s
	}
	return or
}

// number is an integer's value; ok is false where there is none.
func (n node) number() (i int64, ok bool) { return n.v.Int() }

// num is an integer field's value, and or where it is absent.
func (n node) num(name string, or int64) int64 {
	if i, ok := n.v.Get(name).Int(); ok {
		return i
	}
	return or
}

// truth is a boolean's value, and false where there is none.
func (n node) truth() bool { return n.v.IsTrue() }

func (n node) is(name string) bool { return n.v.Get(name).IsTrue() }

// items gives the elements of a list.
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

// length is how many elements a list, or entries a map, has.
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

// entries gives the entries of a map in the order of the document. The server
// goes through its maps in no order.
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
