package validation

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// node is a value of the object with its path in the server's notation. An absent or
// null value is a node too, with the same accessors.
type node struct {
	v *wire.Value // nil where the field is absent
	// owner is the nearest existing value. It is the place of errors if v is absent.
	owner *wire.Value
	p     *path
}

// path is the path of a value. It is formatted only for errors.
type path struct {
	parent *path
	name   string
	sort   pathSort
	index  int
	pool   *pathPool
}

// pathPool allocates the paths of one object. Each checked field needs a path, but
// errors that print one are rare.
type pathPool struct {
	left  []path // of the slab in use
	slabs [][]path
	used  int // how many of them
}

// pathSlab is the number of paths in a slab.
const pathSlab = 64

// pathPools has the unused pools.
var pathPools = sync.Pool{New: func() any { return new(pathPool) }}

// borrowPaths returns a pool for the paths of one object. Paths of the pool must not be
// used after it is returned to pathPools.
func borrowPaths() *pathPool { return pathPools.Get().(*pathPool) }

func (pool *pathPool) giveBack() {
	const kept = 64 // slabs, which are a few hundred kilobytes
	if len(pool.slabs) > kept {
		pool.slabs = slices.Delete(pool.slabs, kept, len(pool.slabs))
	}
	pool.left, pool.used = nil, 0
	pathPools.Put(pool)
}

// step returns a path below another one.
func (p *path) step(name string, sort pathSort, index int) *path {
	var pool *pathPool
	if p != nil {
		pool = p.pool
	}
	below := pool.take()
	below.parent, below.name, below.sort, below.index, below.pool = p, name, sort, index, pool
	return below
}

// take returns a path to overwrite. It has the values of another object.
func (pool *pathPool) take() *path {
	if pool == nil {
		return new(path)
	}
	if len(pool.left) == 0 {
		pool.more()
	}
	p := &pool.left[0]
	pool.left = pool.left[1:]
	return p
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

// nowhere is formatted like field.NewPath("").
var nowhere = &path{sort: keySort}

// root returns the object itself, whose path is empty.
func root(v *wire.Value) node { return node{v: v, owner: v, p: top} }

// top is the path of an object whose fields' paths are allocated one by one.
var top = &path{}

// root returns the object itself. The paths of its fields come from the pool.
func (pool *pathPool) root(v *wire.Value) node {
	p := pool.take()
	*p = path{pool: pool}
	return node{v: v, owner: v, p: p}
}

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

// as returns the same value under another path.
func (n node) as(p *path) node { n.p = p; return n }

// item returns an element of a list.
func (n node) item(i int) node {
	return node{v: n.v.Items[i], owner: n.v.Items[i], p: n.p.at(i)}
}

// without returns the same field without its value.
func (n node) without() node { n.v = nil; return n }

// there reports whether the value is neither absent nor null.
func (n node) there() bool { return !n.v.IsNull() }

func (n node) has(name string) bool { return !n.v.Get(name).IsNull() }

// text returns the string, or "".
func (n node) text() string { return n.v.StringOr("") }

// str returns the string of a field, or "".
func (n node) str(name string) string { return n.v.Get(name).StringOr("") }

// strOr returns the string of a field, or its default if it is empty.
func (n node) strOr(name, or string) string {
	if s := n.str(name); s != "" {
		return s
	}
	return or
}

// number returns the integer; ok is false if the value is not one.
func (n node) number() (i int64, ok bool) { return n.v.Int() }

// num returns the integer of a field, or its default if it is absent.
func (n node) num(name string, or int64) int64 {
	if i, ok := n.v.Get(name).Int(); ok {
		return i
	}
	return or
}

// truth returns the boolean, or false.
func (n node) truth() bool { return n.v.IsTrue() }

func (n node) is(name string) bool { return n.v.Get(name).IsTrue() }

// items iterates over the elements of a list.
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

// length returns the number of elements of a list, or of entries of a map.
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

// entries iterates over a map in the order of the document. The server's order is
// random.
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
