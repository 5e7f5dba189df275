package kustomize

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// fromCopy finds the origin of a value whose node kustomize created again, such
// as a label. It searches patches for the object, the document of the
// surrounding node, and the configuration of transformers.
func (l *lookup) fromCopy(n *node) (location, bool) {
	path := n.path()
	if len(path) == 0 {
		return location{}, false
	}
	value := n
	if n.value != nil {
		value = n.value
	}
	lines := l.t.plan.numbering
	for i := len(lines.documents) - 1; i >= 0; i-- {
		s := &lines.documents[i]
		if l.t.plan.patchIn(s) == nil {
			continue
		}
		if h := s.head(); h.kind != l.o.kind || !strings.Contains(l.o.name, h.name) {
			continue
		}
		if at, ok := s.value(s.parse().root, path, value.Node, n.value != nil); ok {
			return l.locationIn(s, at), true
		}
	}
	for parent, depth := n.parent, 1; parent != nil && depth <= len(path); parent, depth = parent.parent, depth+1 {
		at := parent
		if parent.key != nil {
			at = parent.key
		}
		s, src, ok := l.source(at)
		if !ok {
			continue
		}
		from := src.value
		if from == nil {
			from = src.node
		}
		if at, ok := s.value(from, path[len(path)-depth:], value.Node, n.value != nil); ok {
			return l.locationIn(s, at), true
		}
		break
	}
	if at, ok := l.fromTransformer(n, value, path); ok {
		return at, true
	}
	// The value differs, so a replacement or a variable has changed it.
	for i := len(lines.documents) - 1; i >= 0; i-- {
		s := &lines.documents[i]
		if l.t.plan.patchIn(s) == nil {
			continue
		}
		if h := s.head(); h.kind != l.o.kind || !strings.Contains(l.o.name, h.name) {
			continue
		}
		root := s.parse().root
		if root == nil {
			continue
		}
		if at := valueAt(root, path); at != nil && at.Kind == yaml.ScalarNode && value.Kind == yaml.ScalarNode {
			return l.locationIn(s, at), true
		}
	}
	return location{}, false
}

// value returns the node at a path below from if its value equals want. If key
// is true, it returns the key of this node instead.
func (s *numberedDocument) value(from *yaml.Node, path []any, want *yaml.Node, key bool) (*yaml.Node, bool) {
	if from == nil || len(path) == 0 {
		return nil, false
	}
	in := valueAt(from, path[:len(path)-1])
	at := valueAt(from, path)
	if at == nil || !equal(at, want) {
		return nil, false
	}
	if name, ok := path[len(path)-1].(string); ok && key {
		for i := 0; i+1 < len(in.Content); i += 2 {
			if in.Content[i].Value == name {
				return in.Content[i], true
			}
		}
	}
	return at, true
}

// fromTransformer finds an equal key and value in the configuration of a
// transformer.
func (l *lookup) fromTransformer(n, value *node, path []any) (location, bool) {
	name, ok := path[len(path)-1].(string)
	if !ok || value.Kind != yaml.ScalarNode {
		return location{}, false
	}
	for i := len(l.t.plan.plugins) - 1; i >= 0; i-- {
		file := l.t.plan.plugins[i]
		root := l.t.plan.root
		text, err := root.links.readRegular(file, root.boundary, maxFile)
		if err != nil {
			continue
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var doc yaml.Node
			if decoder.Decode(&doc) != nil {
				break
			}
			if at := pair(&doc, name, value.Value); at != nil {
				f := newFields(&doc, text)
				return location{path: file, span: f.spanOf(at)}, true
			}
		}
	}
	return location{}, false
}

// pair returns the value of a key with this name and value, anywhere below a
// node; nil for none.
func pair(n *yaml.Node, name, value string) *yaml.Node {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == name && child.Kind == yaml.ScalarNode && child.Value == value {
			return child
		}
		if at := pair(child, name, value); at != nil {
			return at
		}
	}
	return nil
}
