package kustomize

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// object is the identity of an object of the output, and the source position of
// each node. The positions are in the order of walk.
type object struct {
	apiVersion, kind, namespace, name string
	positions                         []sourcePos
}

// sourcePos is the numbered line and the column from which a node was parsed.
// It is zero for a node that kustomize created.
type sourcePos struct{ line, column int32 }

func newObject(r *resource.Resource) object {
	o := object{apiVersion: r.GetApiVersion(), kind: r.GetKind(), namespace: r.GetNamespace(), name: r.GetName()}
	walk(r.YNode(), func(n *yaml.Node) {
		o.positions = append(o.positions, sourcePos{int32(n.Line), int32(n.Column)})
	})
	return o
}

// walk visits the nodes of a tree. It visits a mapping before its keys, the
// keys in the order of their names, and each key before its value. The order
// stays the same if the tree is written and parsed again.
func walk(n *yaml.Node, visit func(*yaml.Node)) {
	if n == nil {
		return
	}
	if n.Kind == yaml.DocumentNode {
		if len(n.Content) > 0 {
			walk(n.Content[0], visit)
		}
		return
	}
	visit(n)
	switch n.Kind {
	case yaml.MappingNode:
		for _, i := range sortedKeys(n) {
			visit(n.Content[i])
			walk(n.Content[i+1], visit)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			walk(item, visit)
		}
	}
}

// sortedKeys returns the indices of a mapping's keys, sorted by the keys'
// names.
func sortedKeys(n *yaml.Node) []int {
	order := make([]int, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(n.Content[a].Value, n.Content[b].Value) })
	return order
}

// document is one document of the output, parsed again.
type document struct {
	root  *yaml.Node
	line  int // first line of the document in the output
	nodes []*node
	byPos map[sourcePos]*node
}

// node is a YAML node with its parent and its place in the document.
type node struct {
	*yaml.Node
	// parent is the mapping or sequence that contains the node; nil for the root.
	// key is the key of a value in a mapping. value is the value of a key.
	parent, key, value *node
	index              int // index in a sequence; -1 elsewhere
	order              int // index in document.nodes, which is in the order of walk
}

// readDocument parses a document that kustomize wrote; nil if it does not
// parse. line is the document's first line in the output.
func readDocument(text []byte, line int) *document {
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	d := &document{root: doc.Content[0], line: line, byPos: map[sourcePos]*node{}}
	d.add(d.root, nil, nil, -1)
	return d
}

func (d *document) add(n *yaml.Node, parent, key *node, index int) *node {
	it := &node{Node: n, parent: parent, key: key, index: index, order: len(d.nodes)}
	d.nodes = append(d.nodes, it)
	// A mapping has the position of its first key. The position means the key.
	if n.Kind == yaml.ScalarNode || d.byPos[it.position()] == nil {
		d.byPos[it.position()] = it
	}
	switch n.Kind {
	case yaml.MappingNode:
		for _, i := range sortedKeys(n) {
			k := &node{Node: n.Content[i], parent: it, index: -1, order: len(d.nodes)}
			d.nodes = append(d.nodes, k)
			d.byPos[k.position()] = k
			k.value = d.add(n.Content[i+1], it, k, -1)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			d.add(item, it, nil, i)
		}
	}
	return it
}

func (n *node) position() sourcePos { return sourcePos{int32(n.Line), int32(n.Column)} }

// nodeAt returns the node that begins at a position. If there is none, it
// returns the last node before the position.
func (d *document) nodeAt(line, column int) *node {
	if n := d.byPos[sourcePos{int32(line), int32(column)}]; n != nil {
		return n
	}
	var best *node
	for _, n := range d.nodes {
		if n.Line > line || n.Line == line && n.Column > column {
			continue
		}
		if best == nil || n.Line > best.Line || n.Line == best.Line && n.Column > best.Column {
			best = n
		}
	}
	return best
}

// path returns the keys and indices that lead to a node. For a key, they lead
// to its value.
func (n *node) path() []any {
	var steps []any
	for at := n; at != nil && at.parent != nil; at = at.parent {
		switch {
		case at.value != nil:
			steps = append(steps, at.Value)
		case at.key != nil:
			steps = append(steps, at.key.Value)
		default:
			steps = append(steps, at.index)
		}
	}
	slices.Reverse(steps)
	return steps
}
