package wire

import (
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Duplicate is a repeated map key. The server uses the last occurrence.
type Duplicate struct {
	// Path is the path of the field in the server's notation. Name is the key.
	Path, Name string
	// Pos and End are the begin and the end of the later key. First is the begin
	// of the earlier key.
	Pos, End, First Pos
}

// Problem is a part of a YAML document that has no JSON form, so no client can
// send it to a server.
type Problem struct {
	Pos  Pos
	Text string
}

// Error returns the text without the position.
func (p *Problem) Error() string { return p.Text }

// excessiveAliases reports whether kubectl's YAML library refuses a document
// because of its aliases. nodes is the number of values in the source, and
// expanded is their number after aliases are resolved. In an accepted document,
// expanded is linear in nodes, so code that walks a Value needs no limits.
// Source: allowedAliasRatio in decode.go of gopkg.in/yaml.v2.
func excessiveAliases(nodes, expanded int) bool {
	const low, high = 400_000, 4_000_000
	allowed := 0.99
	switch {
	case expanded >= high:
		allowed = 0.10
	case expanded > low:
		allowed = 0.99 - 0.89*float64(expanded-low)/(high-low)
	}
	aliased := expanded - nodes
	return aliased > 100 && expanded > 1000 && float64(aliased)/float64(expanded) > allowed
}

// maxExpanded is the number of values at which counting stops.
const maxExpanded = 1 << 40

// YAML converts a parsed document to the value that a client sends. It follows
// the rules of sigs.k8s.io/yaml, which kubectl uses: scalars of YAML 1.1, merge
// keys in source order, and the last of repeated keys. Duplicates are in document
// order.
//
// src is the text from which the node was parsed, and firstLine is the number of
// its first line in the input. The error is a *Problem:
//
//   - a key that is null or not a scalar
//   - a value that IsInfinite reports
//   - an alias that contains itself
//   - aliases that expand too far
func YAML(node *yaml.Node, src []byte, firstLine int) (*Value, []Duplicate, error) {
	c := converter{src: src, firstLine: firstLine, shared: map[*yaml.Node]*Value{}, sizes: map[*yaml.Node]int{}}
	c.indexLines()
	if node.Kind == yaml.DocumentNode {
		if len(node.Content) == 0 {
			return &Value{}, nil, nil
		}
		node = node.Content[0]
	}
	if size, err := c.size(node); err != nil {
		return nil, nil, err
	} else if excessiveAliases(c.nodes, size) {
		return nil, nil, &Problem{c.pos(node), "document contains excessive aliasing"}
	}
	v, err := c.value(node, -1)
	if err != nil {
		return nil, nil, err
	}
	if len(c.dups) > 0 {
		byOwner := map[*Value][]int{}
		for i, owner := range c.owners {
			byOwner[owner] = append(byOwner[owner], i)
		}
		c.setDuplicatePaths(v, nil, byOwner)
	}
	return v, c.dups, nil
}

type converter struct {
	src         []byte
	firstLine   int
	lines       []int                 // offset of each line in src
	lastPlace   place                 // position of the last look-up; the next one often continues there
	lastLineEnd place                 // end of the last line that lineEnd returned; off is not set
	shared      map[*yaml.Node]*Value // values by anchored node
	sizes       map[*yaml.Node]int    // sizes of anchored nodes; -1 while a node is being counted
	nodes       int                   // number of nodes in the source; aliases are not followed
	dups        []Duplicate
	owners      []*Value // map that has the duplicate, for each duplicate
}

// setDuplicatePaths sets the paths of the duplicates below v. path is the path of
// v. byOwner has the indexes of the duplicates of each map. Conversion does not
// track paths, because most documents have no duplicates.
func (c *converter) setDuplicatePaths(v *Value, path []byte, byOwner map[*Value][]int) {
	if duplicates := byOwner[v]; duplicates != nil {
		delete(byOwner, v) // aliases may lead to this map again
		for _, i := range duplicates {
			c.dups[i].Path = boundedPath(appendPath(path, c.dups[i].Name))
		}
	}
	if len(byOwner) == 0 {
		return
	}
	for i := range v.Fields {
		if f := &v.Fields[i]; len(f.Value.Fields)+len(f.Value.Items) > 0 {
			c.setDuplicatePaths(f.Value, appendPath(path, f.Name), byOwner)
		}
	}
	for i, item := range v.Items {
		if len(item.Fields)+len(item.Items) > 0 {
			at := append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
			c.setDuplicatePaths(item, at, byOwner)
		}
	}
}

// size returns the number of values in a node after aliases are resolved. An
// alias inside its own anchor is an error.
func (c *converter) size(n *yaml.Node) (int, error) {
	if n.Kind == yaml.AliasNode {
		s := c.sizes[n.Alias] // an anchor always comes before its aliases
		if s < 0 {
			return 0, &Problem{c.pos(n), fmt.Sprintf("anchor %q value contains itself", n.Value)}
		}
		return s, nil
	}
	c.nodes++
	if len(n.Content) == 0 {
		if n.Anchor != "" {
			c.sizes[n] = 1
		}
		return 1, nil
	}
	if n.Anchor != "" {
		c.sizes[n] = -1 // marks the anchor, so an alias inside it is found
	}
	total := 1
	for _, child := range n.Content {
		s, err := c.size(child)
		if err != nil {
			return 0, err
		}
		total = min(total+s, maxExpanded+1)
	}
	if n.Anchor != "" {
		c.sizes[n] = total
	}
	return total, nil
}

// value converts a node. indent is the column, counted from 0, of the block that
// contains the node. A block scalar ends at the first line that is not indented
// further than indent.
func (c *converter) value(n *yaml.Node, indent int) (*Value, error) {
	switch n.Kind {
	case yaml.AliasNode:
		if v, ok := c.shared[n.Alias]; ok {
			return v, nil
		}
		return c.value(n.Alias, indent)
	case yaml.MappingNode:
		return c.mapping(n)
	case yaml.SequenceNode:
		v := &Value{Kind: List, Pos: c.pos(n), End: c.pos(n), Items: make([]*Value, 0, len(n.Content))}
		c.share(n, v)
		for _, child := range n.Content {
			item, err := c.value(child, n.Column-1)
			if err != nil {
				return nil, err
			}
			v.Items = append(v.Items, item)
		}
		return v, nil
	}
	v := &Value{Pos: c.pos(n)}
	v.End = c.scalarEnd(n, indent)
	v.Kind, v.Text = scalar(n)
	if v.Kind == String && n.Style == 0 && IsInfinite(v.Text) {
		return nil, &Problem{v.Pos, "JSON has no number " + v.Text} // encoding/json: "unsupported value"
	}
	c.share(n, v)
	return v, nil
}

// share stores the value of an anchored node, so that its aliases can use it.
func (c *converter) share(n *yaml.Node, v *Value) {
	if n.Anchor != "" {
		c.shared[n] = v
	}
}

func (c *converter) mapping(n *yaml.Node) (*Value, error) {
	v := &Value{Kind: Map, Pos: c.pos(n), End: c.pos(n), Fields: make([]Field, 0, len(n.Content)/2)}
	c.share(n, v)
	fields := fieldSet{v: v}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			if err := c.merge(&fields, val, n.Column-1); err != nil {
				return nil, err
			}
			continue
		}
		name, err := c.key(key)
		if err != nil {
			return nil, err
		}
		f := Field{Name: name, Pos: c.pos(key), End: c.scalarEnd(key, n.Column-1)}
		if f.Value, err = c.value(val, n.Column-1); err != nil {
			return nil, err
		}
		if old, merged := fields.set(f, false); old != nil && !merged && len(c.dups) < maxDuplicates {
			c.dups = append(c.dups, Duplicate{Name: name, Pos: f.Pos, End: f.End, First: *old})
			c.owners = append(c.owners, v)
		}
	}
	if fields.index != nil {
		v.index = &fieldIndex{&v.Fields[0], fields.index}
	}
	return v, nil
}

// merge applies a merge key << as gopkg.in/yaml.v2 does. Its fields overwrite the
// fields before it. In a list of maps, the first map has precedence.
func (c *converter) merge(fields *fieldSet, n *yaml.Node, indent int) error {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	for i := len(sources) - 1; i >= 0; i-- {
		v, err := c.value(sources[i], indent)
		if err != nil {
			return err
		}
		if v.Kind != Map {
			return &Problem{c.pos(sources[i]), "map merge requires map or sequence of maps as the value"}
		}
		for _, f := range v.Fields {
			fields.set(f, true)
		}
	}
	return nil
}

// isMerge reports whether a key is the merge key <<.
func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!!merge" || key.Tag == "!") &&
		key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0
}

// fieldSet adds fields to a map. Each name occurs once.
type fieldSet struct {
	v     *Value
	index map[string]int // by name; nil for up to maxLinearSearch fields
	merge []bool         // whether each field comes from a merge key; can be shorter than Fields
}

// set adds or replaces a field. merged is set if the new field comes from a merge
// key. If set replaces a field, old is the position of the old name, and
// wasMerged is set if the old field came from a merge key. Only a field that
// replaces an unmerged field is a repeated field.
func (s *fieldSet) set(f Field, merged bool) (old *Pos, wasMerged bool) {
	i := s.find(f.Name)
	if i < 0 {
		if s.index != nil {
			s.index[f.Name] = len(s.v.Fields)
		}
		s.v.Fields = append(s.v.Fields, f)
		s.setMerged(len(s.v.Fields)-1, merged)
		return nil, false
	}
	pos, isMerged := s.v.Fields[i].Pos, i < len(s.merge) && s.merge[i]
	s.v.Fields[i] = f
	s.setMerged(i, merged)
	return &pos, isMerged
}

// setMerged records whether field i came from a merge key.
func (s *fieldSet) setMerged(i int, merged bool) {
	if i >= len(s.merge) {
		if !merged {
			return
		}
		s.merge = append(s.merge, make([]bool, i+1-len(s.merge))...)
	}
	s.merge[i] = merged
}

// find returns the index of a field, or -1.
func (s *fieldSet) find(name string) int {
	if s.index == nil && len(s.v.Fields) > maxLinearSearch {
		s.index = make(map[string]int, 4*maxLinearSearch)
		for i := range s.v.Fields {
			s.index[s.v.Fields[i].Name] = i
		}
	}
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range s.v.Fields {
		if s.v.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// key returns the name that a map key has in JSON.
func (c *converter) key(n *yaml.Node) (string, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", &Problem{c.pos(n), "map key is not a scalar"}
	}
	kind, text := scalar(n)
	if kind == Null {
		return "", &Problem{c.pos(n), "map key is null"} // yaml: "unsupported map key of type"
	}
	return text, nil
}

// Join appends a field name to a path in the server's notation. Names that are
// not identifiers, such as annotation keys, are written in brackets.
func Join(path, name string) string { return string(appendPath([]byte(path), name)) }
