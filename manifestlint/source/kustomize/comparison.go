package kustomize

import "slices"

// comparison is a second build of the kustomization, without JSON patches.
// kustomize converts an object to JSON to apply a JSON patch, and loses the
// positions of its nodes. The second build still has them.
type comparison struct {
	lines   *numbering
	objects []object
	// tracer parses the output of the second build.
	tracer *tracer
}

// comparison returns the second build; nil if the kustomization has no JSON
// patches. If the second build fails, it has no objects.
func (t *tracer) comparison() *comparison {
	if t.withoutJSON != nil || !t.plan.jsonPatches {
		return t.withoutJSON
	}
	t.withoutJSON = &comparison{}
	p, failed := t.b.newPlan(t.plan.root, true)
	if failed != nil {
		return t.withoutJSON
	}
	out, failed := t.b.run(p)
	if failed != nil {
		return t.withoutJSON
	}
	t.withoutJSON.lines, t.withoutJSON.objects, t.withoutJSON.tracer = p.numbering, out.objects, newTracer(t.b, p, out)
	return t.withoutJSON
}

// fromComparison finds the origin of a node in the second build. The node, or
// its key, must be equal in both builds.
func (l *lookup) fromComparison(n *node) (location, bool) {
	s, src, ok := l.sourceInComparison(n)
	if !ok {
		return location{}, false
	}
	return l.locationIn(s, src.node), true
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
	if d == nil || len(c.objects[i].positions) != len(d.nodes) {
		return nil, nil, false
	}
	other := d.counterpart(n)
	if other == nil {
		return nil, nil, false
	}
	m := c.objects[i].positions[other.order]
	s, line := c.lines.find(int(m.line))
	if s == nil {
		return nil, nil, false
	}
	src := s.at(line, int(m.column), other.Node)
	return s, src, src != nil
}

// object returns the index in the second build of the object that corresponds
// to o; -1 for none. first has the objects of the first build. The
// corresponding object has o's kind, name and namespace. If there is no such
// object, a JSON patch has changed the name or the namespace. The corresponding
// object is then the only object of o's kind that the second build has and the
// first build lacks; -1 if there are several.
func (c *comparison) object(o *object, first []object) int {
	same := func(a, b *object) bool {
		return a.kind == b.kind && a.name == b.name && a.namespace == b.namespace
	}
	alone := -1
	for i := range c.objects {
		other := &c.objects[i]
		switch {
		case same(other, o):
			return i
		case other.kind != o.kind, slices.ContainsFunc(first, func(h object) bool { return same(other, &h) }):
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

// counterpart returns the node of d that corresponds to n, a node of another
// document; nil for none. Both nodes have equal paths and texts. Indices in the
// paths may differ if the list items have the same name or content.
func (d *document) counterpart(n *node) *node {
	path := n.path()
	for _, other := range d.nodes {
		if (other.value != nil) == (n.value != nil) && samePath(other.path(), path) && sameScalar(other, n) {
			return other
		}
	}
	if len(path) == 0 {
		return nil
	}
	for _, other := range d.nodes {
		if (other.value != nil) != (n.value != nil) || !sameScalar(other, n) {
			continue
		}
		if p := other.path(); len(p) == len(path) && sameKeys(p, path) && sameItem(other, n) {
			return other
		}
	}
	return nil
}

// sameScalar reports whether two nodes have the same type and text. Maps and
// lists have no text.
func sameScalar(a, b *node) bool {
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

// sameItem reports whether two nodes are in list items with the same name.
// Items without a name must have equal content.
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
	for at := n; at != nil; at = at.parent {
		if at.index >= 0 {
			return at
		}
	}
	return nil
}
