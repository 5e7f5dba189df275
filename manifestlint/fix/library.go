package fix

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// readByLibrary parses a text with the YAML library, which supports all YAML
// syntax.
func (l *layout) readByLibrary() error {
	doc, err := decode(l.src)
	if err != nil {
		return err
	}
	if l.tree, _, err = wire.YAML(doc, l.src, 1); err != nil {
		return refuse("%v", err)
	}
	if len(doc.Content) != 1 {
		return refuse("the document is empty")
	}
	written, err := l.toTree(doc.Content[0])
	if err != nil {
		return err
	}
	b := builder{text: &l.text}
	l.root, err = b.node(written, -1, false)
	return err
}

// decode returns the root node of a text, which must be a single document.
func decode(src []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, refuse("%v", err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, refuse("the text is more than one document")
	}
	return &doc, nil
}

// parseYAML returns the tree of a document, and the repeated keys. line is the
// line of the input on which the document begins.
func parseYAML(src []byte, line int) (root *wire.Value, duplicates []wire.Duplicate, err error) {
	trees, failed := yamltree.Parse(src, line)
	switch {
	case failed != nil:
		return nil, nil, refuse("%s", failed.Text)
	case len(trees) != 1:
		return nil, nil, refuse("the text is not one document")
	}
	return trees[0].Root, trees[0].Duplicates, nil
}

// toTree converts a node of the YAML library to the tree that builder reads.
func (t *text) toTree(y *yaml.Node) (*wire.Value, error) {
	v := &wire.Value{Pos: wire.Pos{Line: y.Line, Column: y.Column}}
	var err error
	switch y.Kind {
	case yaml.MappingNode:
		v.Kind = wire.Map
		for i := 0; i+1 < len(y.Content) && err == nil; i += 2 {
			var f wire.Field
			f, err = t.toField(y.Content[i], y.Content[i+1])
			v.Fields = append(v.Fields, f)
		}
	case yaml.SequenceNode:
		v.Kind = wire.List
		for i := 0; i < len(y.Content) && err == nil; i++ {
			var item *wire.Value
			item, err = t.toTree(y.Content[i])
			v.Items = append(v.Items, item)
		}
	default:
		if v.End, err = t.scalarEnd(y); v.End != v.Pos {
			v.Kind = wire.String
		}
	}
	return v, err
}

func (t *text) toField(key, value *yaml.Node) (wire.Field, error) {
	k, err := t.toTree(key)
	if err != nil {
		return wire.Field{}, err
	}
	f := wire.Field{Name: key.Value, Pos: k.Pos, End: k.End}
	if key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		var kind wire.Kind
		if kind, f.Name = wire.Plain(key.Value); kind == wire.Null {
			f.Name = "null"
		}
	}
	f.Value, err = t.toTree(value)
	return f, err
}

// scalarEnd returns the end of an alias or a plain scalar. For a quoted scalar
// or block scalar, it returns any position after the first character.
func (t *text) scalarEnd(y *yaml.Node) (wire.Pos, error) {
	at, err := t.offset(wire.Pos{Line: y.Line, Column: y.Column})
	if err != nil {
		return wire.Pos{}, err
	}
	if y.Kind == yaml.AliasNode {
		if !bytes.HasPrefix(t.src[at:], []byte("*"+y.Value)) {
			return wire.Pos{}, errUnsupported
		}
		return t.pos(at + 1 + len(y.Value)), nil
	}
	plain := y.Style&^yaml.TaggedStyle == 0
	if y.Anchor != "" || y.Style&yaml.TaggedStyle != 0 {
		at = t.afterProperties(at, plain && y.Value == "")
	}
	if !plain {
		if t.byteAt(at) == 0 || !strings.ContainsRune(`"'|>`, rune(t.src[at])) {
			return wire.Pos{}, errUnsupported
		}
		return t.pos(at + 1), nil
	}
	for i, word := range words(y.Value) {
		for i > 0 && isSpace(t.byteAt(at)) {
			at++
		}
		if !bytes.HasPrefix(t.src[at:], []byte(word)) {
			return wire.Pos{}, errUnsupported
		}
		at += len(word)
	}
	return t.pos(at), nil
}

// words returns the words of a plain scalar. In the text, other white space can
// be between the words, such as a line break.
func words(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) })
}

// afterProperties returns the offset after a scalar's anchor and tag. It skips
// the space after them unless the scalar is empty.
func (t *text) afterProperties(at int, empty bool) int {
	for t.byteAt(at) == '&' || t.byteAt(at) == '!' {
		at = t.propertyEnd(at)
		next := t.skipBlank(at)
		if next == len(t.src) || empty && t.src[next] != '&' && t.src[next] != '!' {
			return at
		}
		at = next
	}
	return at
}
