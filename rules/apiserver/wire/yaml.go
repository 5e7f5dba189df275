package wire

import (
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Duplicate is a map key that the source names more than once. The last
// occurrence counts.
type Duplicate struct {
	// Path is the field in the server's notation, Name the key alone.
	Path, Name string
	// Pos and End enclose the later key, First is where the earlier one is.
	Pos, End, First Pos
}

// Problem is a part of a YAML document that has no JSON form, so that no
// client can send it to a server.
type Problem struct {
	Pos  Pos
	Text string
}

// Error gives the text alone; the place is the caller's to print.
func (p *Problem) Error() string { return p.Text }

// excessive reports whether aliases make a document of nodes values, counted
// as written, grow to expanded values beyond what kubectl's YAML library
// accepts (gopkg.in/yaml.v2, decode.go, allowedAliasRatio). What passes is
// linear in what was written, so nothing that walks a Value needs a bound of
// its own.
func excessive(nodes, expanded int) bool {
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

// maxExpanded is where counting stops.
const maxExpanded = 1 << 40

// YAML converts one parsed document into what a client would send: the rules
// are those of sigs.k8s.io/yaml, which kubectl uses (YAML 1.1 scalars, merge
// keys in the order in which they stand, the last duplicate counts).
//
// src is the text that the node was parsed from and firstLine the line of the
// input on which src begins. Duplicates are returned in document order. The
// error is a *Problem: a key that is no scalar, an alias that contains itself
// or aliases that expand without bound.
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
	} else if excessive(c.nodes, size) {
		return nil, nil, &Problem{c.pos(node), "document contains excessive aliasing"}
	}
	v, err := c.value(node, -1)
	if err != nil {
		return nil, nil, err
	}
	if len(c.dups) > 0 {
		of := map[*Value][]int{}
		for i, owner := range c.owners {
			of[owner] = append(of[owner], i)
		}
		c.nameDuplicates(v, nil, of)
	}
	return v, c.dups, nil
}

type converter struct {
	src       []byte
	firstLine int
	lines     []int // offset in src of each line
	shared    map[*yaml.Node]*Value
	sizes     map[*yaml.Node]int
	nodes     int // as written
	dups      []Duplicate
	owners    []*Value // the map that each duplicate stands in
}

// nameDuplicates fills in the duplicates' paths, which nobody needs in the
// documents without any.
func (c *converter) nameDuplicates(v *Value, path []byte, of map[*Value][]int) {
	if waiting := of[v]; waiting != nil {
		delete(of, v) // an alias leads here again
		for _, i := range waiting {
			c.dups[i].Path = boundedPath(appendPath(path, c.dups[i].Name))
		}
	}
	if len(of) == 0 {
		return
	}
	for i := range v.Fields {
		if f := &v.Fields[i]; len(f.Value.Fields)+len(f.Value.Items) > 0 {
			c.nameDuplicates(f.Value, appendPath(path, f.Name), of)
		}
	}
	for i, item := range v.Items {
		if len(item.Fields)+len(item.Items) > 0 {
			at := append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
			c.nameDuplicates(item, at, of)
		}
	}
}

// size counts the values below a node with aliases followed. It fails on an
// alias within its own anchor.
func (c *converter) size(n *yaml.Node) (int, error) {
	if n.Kind == yaml.AliasNode {
		s := c.sizes[n.Alias] // an anchor stands before its aliases
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
		c.sizes[n] = -1 // on the way: an alias that meets it is a loop
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

// value converts a node. indent is the column, from 0, of the block that
// holds it: a block scalar ends where the text is not indented further.
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
	v.End = c.end(n, indent)
	v.Kind, v.Text = scalar(n)
	c.share(n, v)
	return v, nil
}

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
		f := Field{Name: name, Pos: c.pos(key), End: c.end(key, n.Column-1)}
		if f.Value, err = c.value(val, n.Column-1); err != nil {
			return nil, err
		}
		if old, merged := fields.set(f, false); old != nil && !merged && len(c.dups) < maxDuplicates {
			c.dups = append(c.dups, Duplicate{Name: name, Pos: f.Pos, End: f.End, First: *old})
			c.owners = append(c.owners, v)
		}
	}
	return v, nil
}

// merge applies a << key the way gopkg.in/yaml.v2 does: its fields overwrite
// those that stand before it, and of a list of maps the first has precedence.
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

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!!merge" || key.Tag == "!") &&
		key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0
}

// fieldSet adds fields to a map, each name once.
type fieldSet struct {
	v     *Value
	index map[string]int // made once the map is too long to search
	merge []bool         // which fields came from a merge key; nil: none
}

// set adds or replaces a field. It returns where the name stood before, and
// whether it came from a merge key, which an own key may replace.
func (s *fieldSet) set(f Field, merged bool) (old *Pos, wasMerged bool) {
	i := s.find(f.Name)
	if i < 0 {
		if s.index != nil {
			s.index[f.Name] = len(s.v.Fields)
		}
		s.v.Fields = append(s.v.Fields, f)
		s.note(len(s.v.Fields)-1, merged)
		return nil, false
	}
	pos, was := s.v.Fields[i].Pos, i < len(s.merge) && s.merge[i]
	s.v.Fields[i] = f
	s.note(i, merged)
	return &pos, was
}

// note remembers whether a field came from a merge key.
func (s *fieldSet) note(i int, merged bool) {
	if i >= len(s.merge) {
		if !merged {
			return
		}
		s.merge = append(s.merge, make([]bool, i+1-len(s.merge))...)
	}
	s.merge[i] = merged
}

// searchable is how many fields are looked through one by one.
const searchable = 16

func (s *fieldSet) find(name string) int {
	if s.index == nil && len(s.v.Fields) > searchable {
		s.index = make(map[string]int, 4*searchable)
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

// key gives the JSON name of a map key.
func (c *converter) key(n *yaml.Node) (string, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", &Problem{c.pos(n), "map key is not a scalar"}
	}
	switch kind, text := scalar(n); kind {
	case Null:
		return "null", nil
	default:
		return text, nil
	}
}

// Join appends a field name to a path in the server's notation: names that
// are no identifiers, such as annotation keys, stand in brackets.
func Join(path, name string) string { return string(appendPath([]byte(path), name)) }
