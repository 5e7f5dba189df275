package kustomize

import "slices"

// comparison is a second build of the same kustomization, without its JSON
// patches. It has positions that the first build lacks: kustomize converts an
// object to JSON to apply a JSON patch, and loses the positions of the nodes.
type comparison struct {
	lines   *numbering
	objects []object
	// tracer parses the output of the second build.
	tracer *tracer
}

// comparison returns the second build. It returns nil if the kustomization has
// no JSON patches. If the second build fails, the result has no objects.
func (t *tracer) comparison() *comparison {
	if t.without != nil || !t.plan.jsonPatches {
		return t.without
	}
	t.without = &comparison{}
	p, failed := t.b.newPlan(t.plan.root, true)
	if failed != nil {
		return t.without
	}
	out, failed := t.b.run(p)
	if failed != nil {
		return t.without
	}
	t.without.lines, t.without.objects, t.without.tracer = p.lines, out.objects, newTracer(t.b, p, out)
	return t.without
}

// fromComparison finds the origin of a node in the second build. The node, or
// its key, must be the same in both builds.
func (l *lookup) fromComparison(n *node) (location, bool) {
	s, src, ok := l.sourceInComparison(n)
	if !ok {
		return location{}, false
	}
	return l.in(s, src.node), true
}

func (l *lookup) sourceInComparison(n *node) (*numberedDocument, *sourceNode, bool) {
	c := l.t.comparison()
	if c == nil {
		return nil, nil, false
	}
	i := c.object(l.o, l.t.out.objects)
	if i < 0 {
		return nil, nil, false
	}
	d := c.tracer.document(i)
	if d == nil || len(c.objects[i].marks) != len(d.nodes) {
		return nil, nil, false
	}
	other := d.same(n)
	if other == nil {
		return nil, nil, false
	}
	m := c.objects[i].marks[other.number]
	s, line := c.lines.of(int(m.line))
	if s == nil {
		return nil, nil, false
	}
	src := s.at(line, int(m.column), other.Node)
	return s, src, src != nil
}

// object returns the index in the second build of the object that corresponds
// to o; -1 if there is none. here has the objects of the first build. The
// corresponding object has the same kind, name and namespace as o. Without such
// an object, it is the only object of o's kind that the second build has and
// the first build does not have.
func (c *comparison) object(o *object, here []object) int {
	same := func(a, b *object) bool {
		return a.kind == b.kind && a.name == b.name && a.namespace == b.namespace
	}
	alone := -1
	for i := range c.objects {
		other := &c.objects[i]
		switch {
		case same(other, o):
			return i
		case other.kind != o.kind, slices.ContainsFunc(here, func(h object) bool { return same(other, &h) }):
		case alone < 0:
			alone = i
		default:
			alone = len(c.objects)
		}
	}
	if alone == len(c.objects) {
		return -1
	}
	return alone
}

// same returns the node of d that corresponds to n, a node of another document;
// nil if there is none. Both nodes have the same path and text. Only the list
// indices in the paths may differ, if the list items have the same name or
// content.
func (d *document) same(n *node) *node {
	path := n.path()
	for _, other := range d.nodes {
		if (other.value != nil) == (n.value != nil) && samePath(other.path(), path) && alike(other, n) {
			return other
		}
	}
	if len(path) == 0 {
		return nil
	}
	for _, other := range d.nodes {
		if (other.value != nil) != (n.value != nil) || !alike(other, n) {
			continue
		}
		if p := other.path(); len(p) == len(path) && sameKeys(p, path) && sameItem(other, n) {
			return other
		}
	}
	return nil
}

// alike reports whether two nodes have the same type and text. Maps and lists
// have no text.
func alike(a, b *node) bool {
	return a.Kind == b.Kind && a.Value == b.Value
}

func samePath(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sameKeys reports whether two paths of equal length have the same keys.
// Indices may differ.
func sameKeys(a, b []any) bool {
	for i := range a {
		_, x := a[i].(string)
		_, y := b[i].(string)
		if x != y || x && a[i] != b[i] {
			return false
		}
	}
	return true
}

// sameItem reports whether two nodes are in list items with the same name. If
// the items have no name, their content must be the same.
func sameItem(a, b *node) bool {
	x, y := a.item(), b.item()
	if x == nil || y == nil {
		return x == y
	}
	if p, q := field(x.Node, "name"), field(y.Node, "name"); p != nil && q != nil {
		return p.Value == q.Value
	}
	return equal(x.Node, y.Node)
}

func (n *node) item() *node {
	for at := n; at != nil; at = at.up {
		if at.index >= 0 {
			return at
		}
	}
	return nil
}
