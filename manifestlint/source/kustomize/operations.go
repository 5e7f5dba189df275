package kustomize

import (
	"bytes"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type operations struct {
	path string
	list *yaml.Node
	// line and indent are the position of a patch in a kustomization. exact is
	// false if the patch's lines are not lines of that file.
	line, indent int
	exact        bool
	lines        [][]byte
}

// operations parses a patch. It returns nil if the patch is not a JSON patch.
func (p *plan) operations(k *kustomization, list string, i int, patch *types.Patch) *operations {
	key := operationsKey{k, list, i}
	if ops, ok := p.jsonOps[key]; ok {
		return ops
	}
	ops := readOperations(k, list, i, patch)
	if p.jsonOps == nil {
		p.jsonOps = map[operationsKey]*operations{}
	}
	p.jsonOps[key] = ops
	return ops
}

type operationsKey struct {
	k    *kustomization
	list string
	i    int
}

func readOperations(k *kustomization, list string, i int, patch *types.Patch) *operations {
	ops := &operations{path: k.path, exact: true}
	text := []byte(patch.Patch)
	if patch.Path != "" {
		real, err := k.links.resolve(join(k.dir, patch.Path))
		if err != nil {
			return nil
		}
		ops.path = real
		if text, err = k.links.readRegular(real, k.boundary, maxFile); err != nil {
			return nil
		}
	} else if node, ok := k.places.lookUp(list, i, "patch"); ok {
		ops.line, ops.indent = node.Line, k.places.indentOf(node.Line)
		if node.Style&yaml.LiteralStyle == 0 {
			ops.line, ops.exact = node.Line, false
		}
	}
	var doc yaml.Node
	if yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.SequenceNode {
		return nil
	}
	ops.list, ops.lines = doc.Content[0], bytes.Split(text, []byte{'\n'})
	return ops
}

// findSetter finds the last operation of the patch that set a node to its
// current value. It first searches for a path with the list indices of path.
// Then it accepts other indices, because later operations may have moved an
// item.
func (o *operations) findSetter(n *node, path []any) (location, bool) {
	for _, exact := range [...]bool{true, false} {
		for i := len(o.list.Content) - 1; i >= 0; i-- {
			op := unalias(o.list.Content[i])
			name, pointer := field(op, "op"), field(op, "path")
			if name == nil || pointer == nil || name.Value == "remove" || name.Value == "test" {
				continue
			}
			rest, ok := pathBelow(path, pointer.Value, exact)
			if !ok {
				continue
			}
			value := field(op, "value")
			if value == nil { // copy, move
				return location{path: o.path, span: o.span(pointer)}, true
			}
			if at := valueAt(value, rest); at != nil && equal(at, n.Node) {
				return location{path: o.path, span: o.span(at)}, true
			}
		}
	}
	return location{}, false
}

// pathBelow returns the part of a path below a JSON pointer. ok is false if the
// path is not below the pointer. If exact is false, list indices may differ.
func pathBelow(path []any, pointer string, exact bool) (rest []any, ok bool) {
	if !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	rest = path
	for _, token := range strings.Split(pointer[1:], "/") {
		if len(rest) == 0 {
			return nil, false
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch step := rest[0].(type) {
		case string:
			if step != token {
				return nil, false
			}
		case int:
			if n, err := strconv.Atoi(token); token != "-" && (err != nil || exact && n != step) {
				return nil, false
			}
		}
		rest = rest[1:]
	}
	return rest, true
}

// valueAt returns the value at a path below n; nil for none.
func valueAt(n *yaml.Node, path []any) *yaml.Node {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			var next *yaml.Node
			if n.Kind == yaml.MappingNode {
				for i := 0; i+1 < len(n.Content); i += 2 {
					if n.Content[i].Value == step {
						next = unalias(n.Content[i+1])
					}
				}
			}
			if next == nil {
				return nil
			}
			n = next
		case int:
			if n.Kind != yaml.SequenceNode || step >= len(n.Content) {
				return nil
			}
			n = unalias(n.Content[step])
		}
	}
	return n
}

func equal(a, b *yaml.Node) bool {
	a, b = unalias(a), unalias(b)
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	switch a.Kind {
	case yaml.ScalarNode:
		return a.Value == b.Value
	case yaml.MappingNode:
		x, y := sortedKeys(a), sortedKeys(b)
		for i := range x {
			if a.Content[x[i]].Value != b.Content[y[i]].Value || !equal(a.Content[x[i]+1], b.Content[y[i]+1]) {
				return false
			}
		}
	default:
		for i := range a.Content {
			if !equal(a.Content[i], b.Content[i]) {
				return false
			}
		}
	}
	return true
}

func (o *operations) span(n *yaml.Node) span {
	if !o.exact {
		return span{o.line, 1, o.line, 2}
	}
	at := span{o.line + n.Line, o.indent + n.Column, o.line + n.Line, o.indent + n.Column + 1}
	if n.Kind == yaml.ScalarNode {
		_, end := tokenEnd(o.lines, n.Line, n.Column)
		at.endColumn = o.indent + end
	}
	return at
}
