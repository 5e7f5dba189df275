package kustomize

import (
	"bytes"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objectHead is the kind and the name of a document's object, and the span of
// the kind.
type objectHead struct {
	kind, name string
	at         span
}

// sourceText is the text of a numbered document, which is parsed when needed.
type sourceText struct {
	text  []byte
	trees *treeCache
	tree  atomic.Pointer[sourceTree]
}

// sourceTree is a parsed document with its nodes by position.
type sourceTree struct {
	nodes map[sourcePos]*sourceNode
	root  *yaml.Node
	lines [][]byte
}

// sourceNode is a node of a file. For a key, value is the value of the key.
type sourceNode struct{ node, value *yaml.Node }

func (s *numberedDocument) parse() *sourceTree {
	p := s.source
	if r := p.tree.Load(); r != nil {
		return r
	}
	r := &sourceTree{nodes: map[sourcePos]*sourceNode{}, lines: bytes.Split(p.text, []byte{'\n'})}
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(p.text)).Decode(&doc) == nil && len(doc.Content) > 0 {
		r.root = doc.Content[0]
		r.add(r.root, map[*yaml.Node]bool{})
	}
	p.tree.Store(r)
	p.trees.add(len(p.text), func() { p.tree.Store(nil) })
	return r
}

func (p *sourceTree) add(n *yaml.Node, seen map[*yaml.Node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	at := sourcePos{int32(n.Line), int32(n.Column)}
	if n.Kind == yaml.ScalarNode || p.nodes[at] == nil {
		p.nodes[at] = &sourceNode{node: n}
	}
	for i, child := range n.Content {
		p.add(child, seen)
		if n.Kind == yaml.MappingNode && i%2 == 1 {
			key := n.Content[i-1]
			p.nodes[sourcePos{int32(key.Line), int32(key.Column)}] = &sourceNode{node: key, value: unalias(child)}
		}
	}
}

// at returns the node at a position of the document, if it can be the origin of
// want, a node of the output; nil otherwise. line counts from 1.
func (s *numberedDocument) at(line, column int, want *yaml.Node) *sourceNode {
	found := s.parse().nodes[sourcePos{int32(line), int32(column)}]
	if found == nil {
		return nil
	}
	n := found.node
	switch {
	case want.Kind == yaml.ScalarNode && n.Kind == yaml.ScalarNode && n.Value == want.Value:
		return found
	case want.Kind != yaml.ScalarNode && want.Kind == unalias(n).Kind:
		return found
	case want.Kind != yaml.ScalarNode && found.value != nil && want.Kind == yaml.MappingNode:
		return found // a mapping has the position of its first key
	}
	return nil
}

// head returns the kind and the name of the document's object.
func (s *numberedDocument) head() objectHead {
	p := s.parse()
	kind, name := field(p.root, "kind"), field(field(p.root, "metadata"), "name")
	var h objectHead
	if kind != nil {
		h.kind, h.at = kind.Value, s.span(kind)
	}
	if name != nil {
		h.name = name.Value
	}
	return h
}

// span returns the position of a node in the file.
func (s *numberedDocument) span(n *yaml.Node) span {
	if !s.exact {
		return span{s.line, 1, s.line, 2}
	}
	line, column := s.line+n.Line-1, n.Column+s.indent
	at := span{line, column, line, column + 1}
	if n.Kind == yaml.ScalarNode {
		_, end := tokenEnd(s.parse().lines, n.Line, n.Column)
		at.endColumn = end + s.indent
	}
	return at
}
