package validation

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// node is a value of an object with its path in the server's notation. The value
// can be absent or null; all methods accept that.
type node struct {
	v *wire.Value // nil if the field is absent
	// owner is the innermost existing value that contains v, or v itself. An
	// error about an absent value points to owner.
	owner *wire.Value
	p     *path
}

// path is the path of a value. It is formatted only for errors.
type path struct {
	parent *path
	name   string
	kind   stepKind
	index  int
	pool   *pathPool
}

// pathPool allocates the paths of one object in slabs and reuses them, because
// every checked field needs a path.
type pathPool struct {
	unused []path // unused paths of the current slab
	slabs  [][]path
	used   int // number of slabs in use
}

const pathSlab = 64

// pathPools has the pools that are not in use.
var pathPools = sync.Pool{New: func() any { return new(pathPool) }}

// borrowPaths returns a pool for the paths of one object. The caller must call
// release, and must not use the paths after that.
func borrowPaths() *pathPool { return pathPools.Get().(*pathPool) }

func (pool *pathPool) release() {
	const kept = 64 // number of slabs; a few hundred kilobytes
	if len(pool.slabs) > kept {
		pool.slabs = slices.Delete(pool.slabs, kept, len(pool.slabs))
	}
	pool.unused, pool.used = nil, 0
	pathPools.Put(pool)
}

// step returns the path below p with one more step: a field, a key or an index.
func (p *path) step(name string, kind stepKind, index int) *path {
	var pool *pathPool
	if p != nil {
		pool = p.pool
	}
	below := pool.next()
	below.parent, below.name, below.kind, below.index, below.pool = p, name, kind, index, pool
	return below
}

// next returns an unused path. It has old values, which the caller must
// overwrite.
func (pool *pathPool) next() *path {
	if pool == nil {
		return new(path)
	}
	if len(pool.unused) == 0 {
		pool.more()
	}
	p := &pool.unused[0]
	pool.unused = pool.unused[1:]
	return p
}

func (pool *pathPool) more() {
	if pool.used == len(pool.slabs) {
		pool.slabs = append(pool.slabs, make([]path, pathSlab))
	}
	pool.unused = pool.slabs[pool.used]
	pool.used++
}

type stepKind uint8

const (
	fieldStep stepKind = iota
	indexStep
	keyStep
)

// String returns the path in the server's notation. Source: (*Path).String in
// k8s.io/apimachinery/pkg/util/validation/field.
func (p *path) String() string {
	var steps []*path
	for q := p; q != nil; q = q.parent {
		steps = append(steps, q)
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		switch q := steps[i]; q.kind {
		case indexStep:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(q.index))
			b.WriteByte(']')
		case keyStep:
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

func (p *path) child(name string) *path { return p.step(name, fieldStep, 0) }
func (p *path) item(i int) *path        { return p.step("", indexStep, i) }
func (p *path) key(k string) *path      { return p.step(k, keyStep, 0) }

// emptyPath is formatted like field.NewPath("").
var emptyPath = &path{kind: keyStep}

// root returns the node of an object. Its path is empty.
func root(v *wire.Value) node { return node{v: v, owner: v, p: rootPath} }

// rootPath is the root path without a pool. Paths below it are allocated one by
// one.
var rootPath = &path{}

// root returns the node of an object whose paths are from the pool.
func (pool *pathPool) root(v *wire.Value) node {
	p := pool.next()
	*p = path{pool: pool}
	return node{v: v, owner: v, p: p}
}

func (n node) get(name string) node { return n.field(name, name) }

// field returns the node of a field that is called name in the server's paths.
func (n node) field(field, name string) node {
	c := node{v: n.v.Get(field), owner: n.owner, p: n.p.child(name)}
	if c.v != nil {
		c.owner = c.v
	}
	return c
}

func (n node) at(names ...string) node {
	for _, name := range names {
		n = n.get(name)
	}
	return n
}

func (n node) withPath(p *path) node { n.p = p; return n }

// item returns the node of item i, which must exist.
func (n node) item(i int) node {
	return node{v: n.v.Items[i], owner: n.v.Items[i], p: n.p.item(i)}
}

func (n node) absent() node { n.v = nil; return n }

// isSet reports whether the value is present and not null.
func (n node) isSet() bool { return !n.v.IsNull() }

func (n node) has(name string) bool { return !n.v.Get(name).IsNull() }

// text returns the value as a string, or "".
func (n node) text() string { return n.v.StringOr("") }

// str returns a field as a string, or "".
func (n node) str(name string) string { return n.v.Get(name).StringOr("") }

// strOr returns a field as a string, or fallback if the field is empty.
func (n node) strOr(name, fallback string) string {
	if s := n.str(name); s != "" {
		return s
	}
	return fallback
}

// number returns the value as an integer. ok is false if it is not an integer.
func (n node) number() (i int64, ok bool) { return n.v.Int() }

// num returns a field as an integer, or fallback if the field is not an
// integer.
func (n node) num(name string, fallback int64) int64 {
	if i, ok := n.v.Get(name).Int(); ok {
		return i
	}
	return fallback
}

// boolean returns the value as a bool, or false.
func (n node) boolean() bool { return n.v.IsTrue() }

func (n node) isTrue(name string) bool { return n.v.Get(name).IsTrue() }

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

// length returns the number of items of a list or of entries of a map, and 0 for
// other values.
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

// entries iterates over a map in the order of the document. A server's order is
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

func (n node) texts() []string { return n.v.Strings() }
